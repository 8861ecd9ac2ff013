// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.differential.Cases.Batch;
import dev.fletch.flatbuf.internal.BothPasses;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The quick pass accepts nothing that the full pass refuses, and nearly everything
/// else. `DifferentialTest` compares the full pass with the official verifier.
///
/// A longer run: `-Dfletch.differential.cases=…`.
class QuickPassTest {
    private static final long SEED = 271_828;
    private static final long CASES = CaseCount.of(15_000L, 1_000_000L);

    /// From one bit that is changed to the next; odd, so that all bits of a byte come.
    private static final int BIT_STEP = CaseCount.of(5, 1);

    private static final Pattern PRODUCED =
            Pattern.compile(" message \\d| footer|^(schema|batch) of ");
    private static final int MOST_OPTIONS = 1_000;
    private static final int MOST_TABLES = 4;
    private static final Checks OFFICIAL = Checks.ARROW_CPP;
    private static final Checks STRICT = Checks.STRICT;

    /// What a thread found.
    private static final class Found {
        private long inFull;
        private long quickly;
    }

    private static int kind(Root root) {
        return ArrowRules.SET.kind(root.table());
    }

    private static BothPasses passes(Checks options) {
        return new BothPasses(ArrowRules.SET, options);
    }

    @Test
    void theQuickPassAcceptsNoMutantThatTheFullPassRefuses() {
        Cases cases = Cases.ofProperties(SEED, CASES);
        long inFull = 0;
        long quickly = 0;
        for (Found found : cases.inParallel(QuickPassTest::compare)) {
            inFull += found.inFull;
            quickly += found.quickly;
        }
        CaseCount.report(
                "Quick and full pass, %s: %d accepted, %d of them quickly, no difference",
                cases, inFull, quickly);
        if (cases.count() >= CASES) {
            assertTrue(quickly > inFull * 2 / 3);
        }
    }

    private static Found compare(Mutator mutator, Iterable<Batch> part) {
        Found found = new Found();
        Map<Checks, BothPasses> all = new HashMap<>();
        for (Batch batch : part) {
            try (Arena arena = Arena.ofConfined()) {
                for (long number = batch.first(); number < batch.end(); number++) {
                    VerifyCase each = mutator.make(number);
                    Checks options = options(each, number);
                    if (all.size() == MOST_OPTIONS) {
                        all.clear();
                    }
                    BothPasses passes = all.computeIfAbsent(options, QuickPassTest::passes);
                    int root = kind(each.root());
                    MemorySegment memory = place(each.bytes(), arena, number % 2 == 0);
                    boolean right = passes.isAcceptedInFull(root, memory);
                    found.inFull += right ? 1 : 0;
                    if (passes.isAcceptedQuickly(root, memory)) {
                        found.quickly++;
                        assertTrue(right && passes.reachTheSame(), () -> options + ", " + each);
                    }
                }
            }
        }
        return found;
    }

    private static Checks options(VerifyCase each, long number) {
        return switch ((int) (number / 2 % 3)) {
            case 0 -> FletchVerifier.options(each);
            case 1 -> FletchVerifier.options(each.unaligned());
            default -> FletchVerifier.limited(STRICT, each);
        };
    }

    private static MemorySegment place(byte[] bytes, Arena arena, boolean heap) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        return heap ? memory : arena.allocate(bytes.length).copyFrom(memory);
    }

    @Test
    void theQuickPassAcceptsMessagesOfAllProducers() {
        List<Seed> seeds = Cases.ofProperties(SEED, CASES).seeds();
        BothPasses official = passes(OFFICIAL);
        int asked = 0;
        int quickly = 0;
        for (Seed seed : seeds) {
            if (!PRODUCED.matcher(seed.toString()).find()) {
                continue;
            }
            asked++;
            quickly +=
                    official.isAcceptedQuickly(
                                    kind(seed.root()), MemorySegment.ofArray(seed.bytes()))
                            ? 1
                            : 0;
        }
        System.out.printf("Quick pass, what producers wrote: %d of %d accepted%n", quickly, asked);
        assertTrue(asked > 20);
        assertEquals(asked, quickly);
    }

    // ---- every bit of small messages

    private static boolean isSmall(Checks options, Seed seed) {
        BothPasses passes = passes(options);
        MemorySegment memory = MemorySegment.ofArray(seed.bytes());
        int root = kind(seed.root());
        return passes.isAcceptedQuickly(root, memory)
                && passes.isAcceptedInFull(root, memory)
                && passes.reachTheSame()
                && passes.tables() <= MOST_TABLES;
    }

    @Test
    void acceptedMutantsAreAcceptedByTheFullPass() {
        long changed = 0;
        long accepted = 0;
        int messages = 0;
        List<Seed> seeds = Cases.ofProperties(SEED, CASES).seeds();
        for (Checks options : new Checks[] {OFFICIAL, STRICT}) {
            for (Seed seed : seeds) {
                if (!isSmall(options, seed)) {
                    continue;
                }
                BothPasses passes = passes(options);
                messages++;
                int root = kind(seed.root());
                byte[] bytes = seed.bytes().clone();
                MemorySegment memory = MemorySegment.ofArray(bytes);
                for (int bit = 0; bit < bytes.length * Byte.SIZE; bit += BIT_STEP) {
                    bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                    changed++;
                    if (passes.isAcceptedQuickly(root, memory)) {
                        accepted++;
                        assertTrue(passes.isAcceptedInFull(root, memory), seed + ", bit " + bit);
                    }
                    bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                }
                for (int size = 0; size <= bytes.length + 9; size++) {
                    MemorySegment other = MemorySegment.ofArray(Arrays.copyOf(bytes, size));
                    boolean isQuick = passes.isAcceptedQuickly(root, other);
                    assertTrue(isQuick || size < bytes.length, seed + ", size " + size);
                    assertTrue(!isQuick || passes.isAcceptedInFull(root, other));
                }
            }
        }
        System.out.printf(
                "Small messages: %d, %d changes of a bit, %d of them accepted and right%n",
                messages, changed, accepted);
        assertTrue(messages > 10);
        assertTrue(accepted > 0 && accepted < changed);
    }
}
