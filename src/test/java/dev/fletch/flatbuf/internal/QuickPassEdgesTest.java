// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Limits;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The quick pass accepts no buffer that the full pass does not, and nearly all that it does: what
/// it leaves to the full pass are unknown tags, half a union, and elements with the offset 0.
class QuickPassEdgesTest {
    private static final List<Checks> OPTIONS =
            List.of(
                    Checks.ARROW_CPP,
                    Checks.ARROW_CPP.with(Check.ALIGNMENT, false),
                    Checks.STRICT.with(Check.EMPTY_VECTOR_ALIGNMENT, true),
                    Checks.STRICT.with(Check.ALIGNMENT, false));

    private static BothPasses passes(Checks options) {
        return new BothPasses(ArrowRules.SET, options);
    }

    private static int kind(Root root) {
        return ArrowRules.SET.kind(root.table());
    }

    /// The same bytes in an array, inside a larger array, and in native memory.
    private static Map<String, MemorySegment> places(byte[] bytes, Arena arena) {
        MemorySegment all = MemorySegment.ofArray(bytes);
        MemorySegment larger = MemorySegment.ofArray(new byte[bytes.length + 26]).fill((byte) -1);
        Map<String, MemorySegment> places = new LinkedHashMap<>();
        places.put("array", all);
        places.put("inside an array", larger.asSlice(13, bytes.length).copyFrom(all));
        places.put("native", arena.allocate(bytes.length, Long.BYTES).copyFrom(all));
        return places;
    }

    private static byte[] message(Root root) {
        return root == Root.MESSAGE ? LargeSchemas.recordBatchMessage(2) : WholeTrees.full(root);
    }

    @ParameterizedTest
    @EnumSource(Root.class)
    void changedBytesGetTheDecisionOfTheFullPass(Root root) {
        byte[] bytes = message(root);
        for (Checks options : OPTIONS) {
            BothPasses passes = passes(options);
            try (Arena arena = Arena.ofConfined()) {
                places(bytes, arena)
                        .forEach((place, memory) -> changed(kind(root), memory, passes, place));
            }
        }
    }

    private static void changed(int kind, MemorySegment memory, BothPasses passes, String place) {
        assertTrue(
                passes.isAcceptedInFull(kind, memory) && passes.isAcceptedQuickly(kind, memory),
                place);
        int valid = 0;
        int left = 0;
        for (long at = 0; at < memory.byteSize(); at += CaseCount.of(5, 1)) {
            byte before = memory.get(ValueLayout.JAVA_BYTE, at);
            for (int value : new int[] {0, before + 1, before - 2, before + 4, before ^ 0x80}) {
                memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
                String what = place + ", byte " + at + " is " + value;
                boolean isValid = passes.isAcceptedInFull(kind, memory);
                boolean isQuick = passes.isAcceptedQuickly(kind, memory);
                valid += isValid ? 1 : 0;
                left += isValid && !isQuick ? 1 : 0;
                assertTrue(!isQuick || isValid && passes.reachTheSame(), what);
            }
            memory.set(ValueLayout.JAVA_BYTE, at, before);
        }
        assertTrue(left <= valid / 10, place + ": " + left + " of " + valid);
    }

    @Test
    void limitsAreThoseOfTheFullPass() {
        byte[] bytes = LargeSchemas.schemaMessage(40); // longer than the first part of a copy
        int kind = kind(Root.MESSAGE);
        Limits limits = Checks.ARROW_CPP.limits();
        BothPasses all = passes(Checks.ARROW_CPP);
        try (Arena arena = Arena.ofConfined()) {
            for (MemorySegment memory : places(bytes, arena).values()) {
                assertTrue(all.isAcceptedInFull(kind, memory));
                long tables = all.tables();
                for (int more = -1; more <= 1; more++) {
                    assertDecided(limits.withTables(tables + more), memory);
                    assertDecided(limits.withMetadataBytes(bytes.length + more), memory);
                }
                for (int depth = 1; depth < 8; depth++) {
                    assertDecided(limits.withDepth(depth), memory);
                }
            }
        }
    }

    private static void assertDecided(Limits limits, MemorySegment memory) {
        BothPasses passes = passes(Checks.ARROW_CPP.withLimits(limits));
        assertDecided(passes, kind(Root.MESSAGE), memory, limits.toString());
    }

    private static void assertDecided(
            BothPasses passes, int kind, MemorySegment memory, String what) {
        boolean isAccepted = passes.isAcceptedInFull(kind, memory);
        assertEquals(isAccepted, passes.isAcceptedQuickly(kind, memory), what);
    }

    private static void assertBoth(
            boolean expected, BothPasses passes, int kind, MemorySegment memory) {
        assertEquals(expected, passes.isAcceptedInFull(kind, memory));
        assertEquals(expected, passes.isAcceptedQuickly(kind, memory));
    }

    @Test
    void truncatedBuffersAreDecided() {
        byte[] bytes = LargeSchemas.schemaMessage(40);
        int kind = kind(Root.MESSAGE);
        BothPasses passes = passes(Checks.ARROW_CPP);
        try (Arena arena = Arena.ofConfined()) {
            for (MemorySegment memory : places(bytes, arena).values()) {
                for (long size = 0; size < bytes.length; size++) {
                    assertDecided(passes, kind, memory.asSlice(0, size), size + " bytes");
                }
            }
        }
    }

    /// The first copy of native memory has 2 kB, a vtable is read as 20 bytes.
    @Test
    void vtablesVectorsAndStringsAreDecidedAnywhere() {
        int size = 5_000;
        for (int vtable : new int[] {40, 2_026, 2_040, 2_048, 3_000, 4_976, 4_980, 4_984, 4_988}) {
            for (int vector : new int[] {64, 2_040, 2_044, 2_048, 4_000, 4_968}) {
                for (int count : new int[] {0, 1, 2, 100, 366, 367, Integer.MAX_VALUE, -1}) {
                    RawBuffer raw = new RawBuffer(size).offset(0, 16).offset(24, vector);
                    raw.i32(vector, count).vtable(vtable, 4, 0, 0, 8).u16(vtable + 2, 12);
                    decided(Root.SCHEMA, raw.table(16, vtable).bytes());
                }
            }
        }
        for (int text : new int[] {64, 1_000, 2_040, 2_044, 4_000, 4_988}) {
            for (int length :
                    new int[] {
                        0, 3, 7, 8, 500, 1_979, 1_980, 1_981, 995, 996, 2_000, 4_931, 4_932, -1
                    }) {
                RawBuffer raw = new RawBuffer(size).offset(0, 16).offset(24, 40).i32(40, 1);
                raw.vtable(4, 0, 0, 8).u16(6, 12).table(16, 4).offset(44, 48);
                raw.vtable(28, 4, 0).u16(30, 8).table(48, 28).offset(52, text).i32(text, length);
                decided(Root.SCHEMA, raw.bytes());
                if (length > 0 && text + 4 + length < size) {
                    decided(Root.SCHEMA, raw.u8(text + 4 + length, 1).bytes());
                }
            }
        }
    }

    /// The smallest buffer: a root offset, a vtable without slots, and a table that ends with it.
    @Test
    void theSmallestBufferIsDecided() {
        byte[] bytes = new RawBuffer(12).offset(0, 8).vtable(4).u16(6, 4).table(8, 4).bytes();
        decided(Root.SCHEMA, bytes);
        try (Arena arena = Arena.ofConfined()) {
            for (MemorySegment memory : places(bytes, arena).values()) {
                assertTrue(passes(Checks.STRICT).isAcceptedQuickly(kind(Root.SCHEMA), memory));
            }
        }
    }

    private static void decided(Root root, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            for (Checks options : OPTIONS) {
                BothPasses passes = passes(options);
                places(bytes, arena)
                        .forEach((place, each) -> assertDecided(passes, kind(root), each, place));
            }
        }
    }

    /// A copy grows in steps, is not kept beyond 256 kB, and has at most 16 MB.
    @Test
    void copiesOfAnySizeAreCheckedCompletely() {
        int kind = kind(Root.MESSAGE);
        BothPasses passes = passes(Checks.STRICT);
        try (Arena arena = Arena.ofConfined()) {
            for (int columns : new int[] {10, 60, 450, 3_000, 10, 450}) {
                byte[] bytes = LargeSchemas.schemaMessage(columns);
                MemorySegment memory = places(bytes, arena).get("native");
                assertTrue(passes.isAcceptedQuickly(kind, memory), columns + " columns");
                assertTrue(passes.isAcceptedInFull(kind, memory) && passes.reachTheSame());
                for (long at = bytes.length - 64L; at > 0; at -= bytes.length / 16) {
                    int before = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
                    memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, 0x7FFF_FFFF);
                    String what = columns + " columns, damaged at " + at;
                    assertTrue(
                            !passes.isAcceptedQuickly(kind, memory)
                                    || passes.isAcceptedInFull(kind, memory),
                            what);
                    memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, before);
                }
            }
        }
    }

    /// A copy of 256 kB serves the next verification, a longer one is made anew.
    @Test
    void longerCopiesAreNotKept() {
        int most = 1 << 18;
        BothPasses passes = passes(Checks.STRICT);
        try (Arena arena = Arena.ofConfined()) {
            for (int size : new int[] {most, most + 4}) {
                MemorySegment memory = atTheEnd(size, arena);
                long bytes =
                        Allocations.leastBytes(
                                1, () -> passes.isAcceptedQuickly(kind(Root.SCHEMA), memory));
                assertEquals(size == most, bytes < most, size + " bytes: " + bytes);
            }
        }
    }

    /// A buffer of a size, whose root table is at its end, so that all is copied.
    private static MemorySegment atTheEnd(int size, Arena arena) {
        RawBuffer raw = new RawBuffer(size).offset(0, size - 4).vtable(size - 8).u16(size - 6, 4);
        byte[] bytes = raw.table(size - 4, size - 8).bytes();
        return arena.allocate(size, 8).copyFrom(MemorySegment.ofArray(bytes));
    }

    @Test
    void moreThan16MegabytesAreNotCopied() {
        int most = 1 << 24;
        BothPasses passes = passes(Checks.STRICT);
        try (Arena arena = Arena.ofConfined()) {
            for (int size : new int[] {most, most + 4}) {
                MemorySegment memory = atTheEnd(size, arena);
                assertTrue(passes.isAcceptedInFull(kind(Root.SCHEMA), memory));
                assertEquals(size == most, passes.isAcceptedQuickly(kind(Root.SCHEMA), memory));
                MemorySegment heap = MemorySegment.ofArray(memory.toArray(ValueLayout.JAVA_BYTE));
                assertTrue(passes.isAcceptedQuickly(kind(Root.SCHEMA), heap));
            }
        }
    }

    @Test
    void buffersOverOneGiBAreLeftToTheFullPass(@TempDir Path folder) throws IOException {
        int kind = kind(Root.MESSAGE);
        BothPasses passes = passes(Checks.ARROW_CPP);
        byte[] small = LargeSchemas.recordBatchMessage(2);
        // A file of zeros that takes no space.
        Path file = folder.resolve("large");
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE)) {
            MemorySegment memory = channel.map(MapMode.READ_WRITE, 0, (1L << 30) + 8, arena);
            memory.copyFrom(MemorySegment.ofArray(small));
            assertTrue(passes.isAcceptedQuickly(kind, memory.asSlice(0, 1L << 30)));
            assertFalse(passes.isAcceptedQuickly(kind, memory.asSlice(0, (1L << 30) + 4)));
        }
    }

    // ---- vtables that are met again, and the end of a buffer

    /// A table that ends where the buffer does, and one that ends behind it.
    @Test
    void tablesAtTheEndAreDecided() {
        for (int at : new int[] {8, 2_036, 2_040, 2_044, 2_048, 5_000}) {
            for (int size = at + 4; size < at + 9; size++) {
                RawBuffer raw = new RawBuffer(size).offset(0, at);
                raw.vtable(at == 8 ? 4 : 100).i32(at, at - (at == 8 ? 4 : 100));
                decided(Root.SCHEMA, raw.bytes());
                if (at > 8) {
                    decided(Root.SCHEMA, raw.vtable(100, 4).bytes());
                }
            }
        }
    }

    /// Two fields with equal vtables, of which the second is at an odd place.
    @Test
    void anEqualVtableAtAnOddPositionIsDecided() {
        RawBuffer raw =
                new RawBuffer(120)
                        .offset(0, 12)
                        .vtable(4, 0, 4)
                        .table(12, 4)
                        .offset(16, 20)
                        .i32(20, 2)
                        .offset(24, 40)
                        .offset(28, 48)
                        .vtable(60, 0, 4)
                        .vtable(80, 0, 4)
                        .table(40, 60)
                        .table(48, 80);
        decided(Root.SCHEMA, raw.bytes());
        decided(Root.SCHEMA, raw.vtable(91, 0, 4).table(48, 91).bytes());
    }

    /// A pair as root, so that the string is not in a vector of tables.
    @Test
    void aStringBelowTheRootIsDecided() {
        int pair = ArrowRules.SET.kind("KeyValue");
        RawBuffer raw = new RawBuffer(40).offset(0, 12).vtable(4, 4).table(12, 4);
        BothPasses passes = passes(Checks.ARROW_CPP);
        for (int text : new int[] {20, 36}) {
            MemorySegment memory = MemorySegment.ofArray(raw.offset(16, text).bytes());
            assertBoth(text == 20, passes, pair, memory);
        }
    }

    /// Of a length that is no multiple of anything, with a count in its last eight bytes.
    @Test
    void aCountInTheLastWordIsDecided() {
        for (int size = 60; size < 70; size++) {
            for (int bit = -1; bit < Integer.SIZE; bit++) {
                RawBuffer raw = new RawBuffer(size).offset(0, 16).vtable(4, 0, 0, 0, 4);
                raw.table(16, 4).offset(20, 56).i32(56, bit < 0 ? 0 : 1 << bit);
                decided(Root.SCHEMA, raw.bytes());
            }
        }
    }

    /// The last vtable of a buffer, with any number of slots, ends where the buffer does.
    @Test
    void vtablesOfAnyLengthAtTheEndAreDecided() {
        for (int slots = 0; slots < 11; slots++) {
            for (int start = 40; start < 2_100; start += start < 60 || start > 2_000 ? 2 : 330) {
                int[] own = new int[slots];
                if (slots > 1) {
                    own[1] = 4; // fields
                }
                RawBuffer raw = new RawBuffer(start + 4 + 2 * slots).vtable(start, own);
                raw.offset(0, 12).table(12, start).offset(16, 20).i32(20, 0);
                decided(Root.SCHEMA, raw.bytes());
                decided(Root.SCHEMA, raw.u16(start, 6 + 2 * slots).bytes());
            }
        }
    }

    /// A schema with fields whose vtables have these slots, and these sizes of their tables.
    private static byte[] fields(int[][] slots, int... tableBytes) {
        RawBuffer raw = new RawBuffer(400).offset(0, 12).vtable(4, 0, 4).u16(6, 8).table(12, 4);
        raw.offset(16, 20).i32(20, slots.length);
        raw.i32(300, 3).u8(304, 'a').u8(305, 'b').u8(306, 'c').i32(320, 0);
        for (int i = 0; i < slots.length; i++) {
            int table = 48 + 32 * i;
            int vtable = 160 + 48 * i;
            raw.offset(24 + 4 * i, table).vtable(vtable, slots[i]).u16(vtable + 2, tableBytes[i]);
            raw.table(table, vtable).u8(table + 4, 1);
            raw.offset(table + 8, 300).offset(table + 12, 320);
        }
        return raw.bytes();
    }

    /// A field is right or not whatever the field before it was like.
    @Test
    void aFieldIsDecidedIndependentlyOfTheFieldBeforeIt() {
        int[][] slots = {
            {},
            {0},
            {0, 4},
            {8},
            {8, 4},
            {12},
            {2},
            {8, 4, 0, 0, 0, 12},
            {8, 4, 0, 0, 0, 8},
            {0, 0, 0, 0, 0, 12},
            {8, 4, 0, 0, 0, 0, 12},
            {8, 4, 0, 0, 0, 12, 0, 0},
            {8, 4, 0, 0, 0, 12, 0, 0, 99, 0x7FFF},
            {8, 0x7FFF},
        };
        int right = 0;
        for (Checks options : OPTIONS) {
            for (int tableBytes : new int[] {0, 3, 4, 8, 12, 16}) {
                boolean[] alone = new boolean[slots.length];
                boolean[] wide = new boolean[slots.length];
                for (int i = 0; i < slots.length; i++) {
                    alone[i] = isValid(options, fields(new int[][] {slots[i]}, tableBytes));
                    wide[i] = isValid(options, fields(new int[][] {slots[i]}, 16));
                }
                for (int one = 0; one < slots.length; one++) {
                    for (int other = 0; other < slots.length; other++) {
                        int[][] both = {slots[one], slots[other]};
                        BothPasses fresh = passes(options);
                        MemorySegment memory = MemorySegment.ofArray(fields(both, 16, tableBytes));
                        boolean expected = wide[one] && alone[other];
                        assertBoth(expected, fresh, kind(Root.SCHEMA), memory);
                        right += expected ? 1 : 0;
                    }
                }
            }
        }
        assertTrue(right > 500, right + " right");
    }

    private static boolean isValid(Checks options, byte[] bytes) {
        BothPasses fresh = passes(options);
        return fresh.isAcceptedInFull(kind(Root.SCHEMA), MemorySegment.ofArray(bytes));
    }

    /// A field with more children of other vtables than are kept, which are gone through before its
    /// pairs.
    @Test
    void manyVtablesOfChildrenDoNotChangeTheDecisionOnTheirParent() {
        int children = 100;
        RawBuffer raw = new RawBuffer(2_000).offset(0, 12).vtable(4, 0, 4).table(12, 4);
        raw.offset(16, 20).i32(20, 1).offset(24, 48).vtable(28, 0, 0, 0, 0, 0, 4, 8).table(48, 28);
        raw.offset(52, 64).offset(56, 60).i32(60, 0).i32(64, children);
        for (int i = 0; i < children; i++) {
            int vtable = 500 + 8 * i;
            raw.vtable(vtable, 0, 4 + i)
                    .table(1_400 + 4 * i, vtable)
                    .offset(68 + 4 * i, 1_400 + 4 * i);
        }
        BothPasses passes = passes(Checks.ARROW_CPP);
        for (int pairs : new int[] {0, -1, 1_000}) {
            MemorySegment memory = MemorySegment.ofArray(raw.i32(60, pairs).bytes());
            for (int round = 0; round < 3; round++) {
                assertEquals(pairs == 0, passes.isAcceptedInFull(kind(Root.SCHEMA), memory));
                assertTrue(pairs == 0 || !passes.isAcceptedQuickly(kind(Root.SCHEMA), memory));
            }
        }
    }

    /// Of a vtable that is known by its first slots, all must be in the buffer.
    @Test
    void aVtableCutOffAtTheEndIsNotTakenForAnEqualOneBefore() {
        int[] slots = {0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        BothPasses passes = passes(Checks.ARROW_CPP);
        for (int size = 220; size < 232; size++) {
            RawBuffer raw = new RawBuffer(260).offset(0, 12).vtable(4, 0, 4).table(12, 4);
            raw.offset(16, 20).i32(20, 2).offset(24, 40).offset(28, 48);
            raw.vtable(80, slots).vtable(200, slots).table(40, 80).table(48, 200);
            MemorySegment memory = MemorySegment.ofArray(Arrays.copyOf(raw.bytes(), size));
            assertBoth(size >= 228, passes, kind(Root.SCHEMA), memory);
        }
    }
}
