// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.format.RawBuffer;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.Threads;
import dev.fletch.wire.MemoryRange;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Verifiers with equal options share the plans of the first vtables. What others have put there
/// changes no verdict.
@Isolated("empties what all verifiers share")
class QuickRulesTest {
    private static final int THREADS = 4;
    private static final Checks OPTIONS = Checks.STRICT;

    /// A table with numbers at eight slots, and one that refers to it and to itself.
    private static final DeclaredTables TABLES =
            new DeclaredTables(
                    List.of(
                            TableDeclaration.of(
                                    "Leaf",
                                    number(0, 1),
                                    number(1, 2),
                                    number(2, 4),
                                    number(3, 8),
                                    number(4, 1),
                                    number(5, 2),
                                    number(6, 4),
                                    number(7, 8)),
                            TableDeclaration.of(
                                    "Node",
                                    FieldDeclaration.table(0, "leaf", "Leaf"),
                                    FieldDeclaration.tables(1, "leaves", "Leaf"))));

    private static final int LEAF = TABLES.kind("Leaf");

    private static FieldDeclaration number(int slot, int bytes) {
        return FieldDeclaration.scalar(slot, "n" + slot, InlineType.number("int", bytes));
    }

    private final MemoryRange range = new MemoryRange();
    private Object before;

    private static Field all() throws ReflectiveOperationException {
        Field all = QuickRules.class.getDeclaredField("all");
        all.setAccessible(true);
        return all;
    }

    @BeforeEach
    void shareNothing() throws ReflectiveOperationException {
        before = all().get(null);
        all().set(null, new QuickRules[0]);
    }

    @AfterEach
    void restore() throws ReflectiveOperationException {
        all().set(null, before);
    }

    private static VerifierEngine engine(Checks options) {
        return new VerifierEngine(TABLES, options);
    }

    private static Checks options(long tables) {
        return OPTIONS.withLimits(OPTIONS.limits().withTables(tables));
    }

    // ---- leaves of any vtable

    /// A leaf whose eight slots are two bits each of a number: absent, or the first, second or
    /// third place; many are misaligned or beyond the table.
    private static byte[] leaf(int number) {
        int[] slots = new int[8];
        for (int slot = 0; slot < slots.length; slot++) {
            int place = number >>> 2 * slot & 3;
            slots[slot] = place == 0 ? 0 : 4 * place + (place == 3 ? slot % 2 : 0);
        }
        RawBuffer raw = new RawBuffer(48).offset(0, 24).vtable(4, slots).u16(6, 20);
        return raw.table(24, 4).bytes();
    }

    private VtablePlan plan(VerifierEngine engine, byte[] leaf) {
        range.wrap(MemorySegment.ofArray(leaf), 0, leaf.length);
        QuickPass pass = engine.quick();
        int base = pass.start(range, 128, Integer.MAX_VALUE);
        return pass.open(LEAF, pass.follow(base));
    }

    private boolean isQuick(VerifierEngine engine, byte[] leaf) {
        range.wrap(MemorySegment.ofArray(leaf), 0, leaf.length);
        return engine.isAccepted(LEAF, range);
    }

    /// By the full pass, which knows no plans.
    private static boolean isValid(Checks options, byte[] leaf) {
        VerifierEngine engine = engine(options);
        engine.setSink(_ -> {}, 1);
        return engine.verify(LEAF, MemorySegment.ofArray(leaf), 0, leaf.length);
    }

    private static List<byte[]> distinctValid(int count) {
        List<byte[]> leaves = new ArrayList<>();
        for (int number = 0; leaves.size() < count; number++) {
            byte[] leaf = leaf(number);
            if (isValid(OPTIONS, leaf)) {
                leaves.add(leaf);
            }
        }
        return leaves;
    }

    // ---- sharing

    @Test
    void enginesWithEqualOptionsSharePlans() {
        byte[] leaf = distinctValid(2).getLast();
        VtablePlan plan = plan(engine(options(100)), leaf);
        assertNotNull(plan);
        VerifierEngine equal = engine(options(100));
        assertSame(plan, plan(equal, leaf));
        assertSame(QuickRules.of(TABLES, options(100)), QuickRules.of(TABLES, options(100)));
        assertNotSame(plan, plan(engine(options(101)), leaf));
        // Equal options for other tables are other rules.
        assertNotSame(
                QuickRules.of(TABLES, options(100)),
                QuickRules.of(
                        new DeclaredTables(List.of(TableDeclaration.of("Leaf"))), options(100)));
    }

    @Test
    void moreOptionsThanAreSharedWork() {
        List<Checks> many = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            many.add(options(1 + i).with(Check.ALIGNMENT, i % 2 == 0));
        }
        for (int round = 0; round < 2; round++) {
            for (Checks options : many) {
                VerifierEngine engine = engine(options);
                VerifierEngine equal = engine(options);
                for (int number = 0; number < 2_000; number++) {
                    byte[] leaf = leaf(number);
                    boolean expected = isValid(options, leaf);
                    assertEquals(expected, isQuick(engine, leaf), options::toString);
                    assertEquals(expected, isQuick(equal, leaf), options::toString);
                }
            }
        }
        assertSame(QuickRules.of(TABLES, many.get(3)), QuickRules.of(TABLES, many.get(3)));
        assertNotSame(QuickRules.of(TABLES, many.get(4)), QuickRules.of(TABLES, many.get(4)));
    }

    // ---- a peer with odd vtables

    @Test
    void unusualVtablesOfOthersChangeNoVerdict() {
        VerifierEngine hostile = engine(OPTIONS);
        List<byte[]> leaves = distinctValid(QuickRules.MOST + 1);
        int odd = 0;
        for (int number = 0; odd < 2 * QuickRules.MOST; number++) {
            byte[] leaf = leaf(number);
            if (!isValid(OPTIONS, leaf)) {
                assertNull(plan(hostile, leaf));
                odd++;
            }
        }
        leaves.subList(0, QuickRules.MOST).forEach(leaf -> assertNotNull(plan(hostile, leaf)));
        VerifierEngine engine = engine(OPTIONS);
        int valid = 0;
        for (int number = 0; number < 1 << 14; number++) {
            byte[] leaf = leaf(number);
            boolean expected = isValid(OPTIONS, leaf);
            assertEquals(expected, isQuick(engine, leaf), "leaf " + number);
            assertEquals(expected, isQuick(hostile, leaf), "leaf " + number);
            valid += expected ? 1 : 0;
        }
        assertTrue(valid > 50, valid + " valid");
        // Its plans are its own, and kept.
        byte[] leaf = leaves.getLast();
        VtablePlan own = plan(engine, leaf);
        assertSame(own, plan(engine, leaf));
        assertNotSame(own, plan(engine(OPTIONS), leaf));
    }

    /// Of the first vtables all verifiers have the same plans, of the others each has its own.
    @Test
    void plansAreSharedUpToALimit() {
        List<byte[]> leaves = distinctValid(3 * QuickRules.MOST);
        VerifierEngine first = engine(OPTIONS);
        VerifierEngine second = engine(OPTIONS);
        Set<VtablePlan> shared = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int round = 0; round < 3; round++) {
            for (byte[] leaf : leaves) {
                VtablePlan plan = plan(first, leaf);
                if (plan == plan(second, leaf)) {
                    assertEquals(1, plan.made);
                    shared.add(plan);
                }
            }
        }
        assertEquals(QuickRules.MOST, shared.size());
    }

    /// A verifier whose cache is full of shared plans does not overwrite them.
    @Test
    void replacingACachedPlanDoesNotChangeASharedOne() {
        List<byte[]> leaves = distinctValid(4 * QuickRules.MOST);
        VerifierEngine first = engine(OPTIONS);
        List<VtablePlan> shared = new ArrayList<>();
        for (int i = 0; i < QuickRules.MOST; i++) {
            shared.add(plan(first, leaves.get(i)));
        }
        for (int round = 0; round < 3; round++) {
            for (byte[] leaf : leaves) {
                assertTrue(isQuick(first, leaf));
            }
        }
        VerifierEngine second = engine(OPTIONS);
        for (int i = 0; i < QuickRules.MOST; i++) {
            assertSame(shared.get(i), plan(second, leaves.get(i)));
            assertEquals(1, shared.get(i).made);
        }
    }

    /// A verifier whose vtables are in part shared has memory for all others after a while.
    @Test
    void rotatingThroughManyVtablesAllocatesNothing() {
        List<MemoryRange> leaves = new ArrayList<>();
        for (byte[] leaf : distinctValid(3 * QuickRules.MOST)) {
            MemoryRange memory = new MemoryRange();
            memory.wrap(MemorySegment.ofArray(leaf), 0, leaf.length);
            leaves.add(memory);
        }
        VerifierEngine first = engine(OPTIONS);
        Allocations.assertNone(
                "24 vtables, 8 of them shared",
                () -> {
                    for (int i = 0; i < leaves.size(); i++) {
                        assertTrue(first.isAccepted(LEAF, leaves.get(i)));
                    }
                });
    }

    // ---- threads

    @Test
    void plansAddedByManyThreadsAreRight() throws Exception {
        for (int round = 0; round < 20; round++) {
            all().set(null, new QuickRules[0]);
            int start = round;
            Threads.results(
                    THREADS,
                    thread -> {
                        verdicts(new Random(THREADS * start + thread));
                        return null;
                    });
        }
    }

    private static void verdicts(Random random) {
        MemoryRange memory = new MemoryRange();
        VerifierEngine full = engine(OPTIONS);
        full.setSink(_ -> {}, 1);
        for (int i = 0; i < 50; i++) {
            VerifierEngine engine = engine(OPTIONS);
            for (int j = 0; j < 20; j++) {
                byte[] leaf = leaf(random.nextInt(1 << random.nextInt(1, 15)));
                memory.wrap(MemorySegment.ofArray(leaf), 0, leaf.length);
                assertEquals(
                        full.verify(LEAF, MemorySegment.ofArray(leaf), 0, leaf.length),
                        engine.isAccepted(LEAF, memory));
            }
        }
    }
}
