// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.TwoWays;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.rules.ArrowRules;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The verifier's quick way where the first part of its copy ends, which is at 2048 bytes, and at
/// the end of buffers.
class QuickWayEdgesTest {
    private static final VerifierOptions ARROW = VerifierOptions.ARROW_CPP;
    private static final int SCHEMA = ArrowRules.SET.kind(Root.SCHEMA.table());
    private static final int MESSAGE = ArrowRules.SET.kind(Root.MESSAGE.table());

    private final TwoWays ways = ways();

    private static TwoWays ways() {
        return new TwoWays(ArrowRules.SET, ARROW);
    }

    /// Compares both ways, over heap bytes and over a copy; both have seen other bytes before.
    private void assertVerdict(boolean isRight, int root, RawBuffer raw) {
        byte[] bytes = raw.bytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment heap = MemorySegment.ofArray(bytes);
            MemorySegment copy = arena.allocate(bytes.length, 8).copyFrom(heap);
            for (MemorySegment memory : new MemorySegment[] {heap, copy}) {
                assertEquals(isRight, ways.thoroughly(root, memory));
                assertEquals(isRight, ways.quickly(root, memory));
                assertTrue(!isRight || ways.agree());
                assertEquals(isRight, ways().quickly(root, memory));
            }
        }
    }

    /// A schema whose features, numbers of 64 bits, have their count at a place.
    private static RawBuffer features(int size, int at, int count) {
        return new RawBuffer(size)
                .offset(0, 16)
                .vtable(4, 0, 0, 0, 4)
                .table(16, 4)
                .offset(20, at)
                .i32(at, count);
    }

    @Test
    void countsAroundTheEndOfTheFirstPart() {
        for (int at = 2_032; at <= 2_064; at += 4) {
            int most = (3_000 - at - 4) / 8;
            assertVerdict(true, SCHEMA, features(3_000, at, 0));
            assertVerdict(true, SCHEMA, features(3_000, at, most));
            assertVerdict(false, SCHEMA, features(3_000, at, most + 1));
            assertVerdict(false, SCHEMA, features(3_000, at, -1));
        }
    }

    /// The root's vtable lies behind it, far away or where the copy ends.
    @Test
    void vtablesBehindTheFirstPart() {
        for (int vtable : new int[] {2_020, 2_028, 2_030, 2_040, 2_046, 2_048, 2_060, 9_000}) {
            RawBuffer raw = new RawBuffer(10_000).offset(0, 8).table(8, vtable).u16(12, 1);
            assertVerdict(true, SCHEMA, raw.vtable(vtable, 4));
            assertVerdict(false, SCHEMA, raw.vtable(vtable, 0x7FF0));
            assertVerdict(false, SCHEMA, raw.vtable(vtable, 4).u16(vtable, 7));
        }
    }

    /// A table that ends where the buffer does, and one that ends behind it.
    @Test
    void tablesAtTheEnd() {
        for (int at : new int[] {8, 2_036, 2_040, 2_044, 2_048, 5_000}) {
            for (int size = at + 4; size < at + 9; size++) {
                RawBuffer raw = new RawBuffer(size).offset(0, at);
                raw.vtable(at == 8 ? 4 : 100).i32(at, at - (at == 8 ? 4 : 100));
                assertVerdict(true, SCHEMA, raw);
                if (at > 8) {
                    assertVerdict(size >= at + 6, SCHEMA, raw.vtable(100, 4));
                }
            }
        }
    }

    /// Two fields with equal vtables, of which the second is at an odd place.
    @Test
    void aVtableThatIsKnownByItsContentMustBeAlignedToo() {
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
        assertVerdict(true, SCHEMA, raw);
        assertVerdict(false, SCHEMA, raw.vtable(91, 0, 4).table(48, 91));
    }

    /// A pair whose value has so many bytes, with something behind it.
    private static RawBuffer pair(int length, int behind) {
        RawBuffer raw = new RawBuffer(100 + length);
        raw.offset(0, 16).vtable(4, 0, 0, 4).table(16, 4).offset(20, 24).i32(24, 1).offset(28, 40);
        raw.vtable(32, 0, 4).table(40, 32).offset(44, 48).i32(48, length);
        for (int i = 0; i < length; i++) {
            raw.u8(52 + i, 'x');
        }
        return raw.u8(52 + length, behind);
    }

    @Test
    void stringsOfAnyLengthEndWithANul() {
        for (int length = 0;
                length < 12_000;
                length += length < 1_980 || length > 2_010 ? 331 : 1) {
            assertVerdict(true, SCHEMA, pair(length, 0));
            assertVerdict(false, SCHEMA, pair(length, 'y'));
        }
    }

    @Test
    void vectorsOfTablesThatAreTooLong() {
        for (int count : new int[] {3, 20, 1 << 29, 1 << 30, -(1 << 30), -1, (1 << 30) + 1}) {
            assertVerdict(false, SCHEMA, pair(0, 0).i32(24, count));
        }
    }

    /// A message with a batch of which nothing is there, and pairs.
    private static RawBuffer batch(int pairs) {
        RawBuffer raw = new RawBuffer(96).offset(0, 20);
        raw.vtable(4, 0, 4, 8, 0, 12).table(20, 4).u8(24, MessageHeader.RECORD_BATCH);
        raw.offset(28, 44).offset(32, 56).vtable(40).table(44, 40);
        raw.i32(56, pairs).vtable(72).table(80, 72);
        return pairs == 0 ? raw : raw.offset(60, 80);
    }

    @Test
    void batchesWithAndWithoutPairs() {
        assertVerdict(true, MESSAGE, batch(0));
        assertVerdict(true, MESSAGE, batch(1));
    }

    /// A pair as root, so that the string is not in a vector of tables.
    @Test
    void aPairAlone() {
        int pair = ArrowRules.SET.kind("KeyValue");
        RawBuffer alone = new RawBuffer(40).offset(0, 12).vtable(4, 4).table(12, 4).offset(16, 20);
        assertVerdict(true, pair, alone);
        assertVerdict(false, pair, alone.i32(20, 16));
    }

    /// Of a length that is no multiple of anything, with a count in its last eight bytes.
    @Test
    void theLastWordOfABufferOfAnyLength() {
        for (int size = 60; size < 70; size++) {
            assertVerdict(true, SCHEMA, features(size, 56, 0));
            for (int bit = 0; bit < 32; bit++) {
                int most = (size - 60) / 8;
                int count = 1 << bit;
                assertVerdict(count >= 0 && count <= most, SCHEMA, features(size, 56, count));
            }
        }
    }

    /// The last vtable of a buffer, with any number of slots, ends where the buffer does.
    @Test
    void aVtableThatEndsTheBuffer() {
        for (int slots = 0; slots < 11; slots++) {
            for (int start = 40; start < 2_100; start += start < 60 || start > 2_000 ? 2 : 330) {
                int[] own = new int[slots];
                if (slots > 1) {
                    own[1] = 4; // fields
                }
                RawBuffer raw = new RawBuffer(start + 4 + 2 * slots).vtable(start, own);
                raw.offset(0, 12).table(12, start).offset(16, 20).i32(20, 0);
                assertVerdict(true, SCHEMA, raw);
                assertVerdict(false, SCHEMA, raw.u16(start, 6 + 2 * slots));
            }
        }
    }

    /// There a vtable would be without slots if bytes behind the buffer were zeros.
    @Test
    void aVtableThatBeginsAtTheEndOfTheBuffer() {
        for (int size : new int[] {28, 29, 2_047, 2_048, 2_049}) {
            for (int vtable = size - 3; vtable < size + 8; vtable++) {
                boolean isRight = vtable <= size - 2 && vtable % 2 == 0;
                RawBuffer raw = new RawBuffer(size).offset(0, 12);
                assertVerdict(isRight, SCHEMA, raw.table(12, vtable));
            }
        }
    }

    /// Of memory that is not heap bytes, 16 MB are copied at most.
    @Test
    void tablesBehindWhatIsCopied() {
        for (int size : new int[] {1 << 18, (1 << 18) + 1, 1 << 24, (1 << 24) + 1}) {
            int at = size - 16 & -4;
            byte[] bytes = new RawBuffer(size).offset(0, at).vtable(4).table(at, 4).bytes();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment heap = MemorySegment.ofArray(bytes);
                MemorySegment copy = arena.allocate(size, 8).copyFrom(heap);
                for (int round = 0; round < 2; round++) {
                    assertTrue(ways.thoroughly(SCHEMA, copy));
                    assertTrue(ways.quickly(SCHEMA, heap));
                    assertEquals(size <= 1 << 24, ways.quickly(SCHEMA, copy));
                }
            }
        }
    }

    // ---- vtables that are met again

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
    void aVerdictDependsOnNoVtableBefore() {
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
        for (VerifierOptions options :
                new VerifierOptions[] {ARROW, ARROW.with(VerifierOptions.Check.TABLE_SIZE, true)}) {
            for (int tableBytes : new int[] {0, 3, 4, 8, 12, 16}) {
                boolean[] alone = new boolean[slots.length];
                boolean[] wide = new boolean[slots.length];
                for (int i = 0; i < slots.length; i++) {
                    alone[i] = verdict(options, fields(new int[][] {slots[i]}, tableBytes));
                    wide[i] = verdict(options, fields(new int[][] {slots[i]}, 16));
                }
                for (int one = 0; one < slots.length; one++) {
                    for (int other = 0; other < slots.length; other++) {
                        int[][] both = {slots[one], slots[other]};
                        TwoWays fresh = new TwoWays(ArrowRules.SET, options);
                        MemorySegment memory = MemorySegment.ofArray(fields(both, 16, tableBytes));
                        boolean expected = wide[one] && alone[other];
                        assertEquals(expected, fresh.thoroughly(SCHEMA, memory));
                        assertEquals(expected, fresh.quickly(SCHEMA, memory));
                        right += expected ? 1 : 0;
                    }
                }
            }
        }
        assertTrue(right > 500, right + " right");
    }

    private static boolean verdict(VerifierOptions options, byte[] bytes) {
        TwoWays fresh = new TwoWays(ArrowRules.SET, options);
        return fresh.thoroughly(SCHEMA, MemorySegment.ofArray(bytes));
    }

    /// A field with more children of other vtables than are kept, which are gone through before its
    /// pairs.
    @Test
    void aPlanThatIsMadeAnewMeanwhileIsNotGoneOnWith() {
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
        for (int pairs : new int[] {0, -1, 1_000}) {
            MemorySegment memory = MemorySegment.ofArray(raw.i32(60, pairs).bytes());
            for (int round = 0; round < 3; round++) {
                assertEquals(pairs == 0, ways.thoroughly(SCHEMA, memory));
                assertTrue(pairs == 0 || !ways.quickly(SCHEMA, memory));
            }
        }
    }

    /// Of a vtable that is known by its first slots, all must be in the buffer.
    @Test
    void aLongVtableAtTheEndIsNotTakenForOneBefore() {
        int[] slots = {0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        for (int size = 220; size < 232; size++) {
            RawBuffer raw = new RawBuffer(260).offset(0, 12).vtable(4, 0, 4).table(12, 4);
            raw.offset(16, 20).i32(20, 2).offset(24, 40).offset(28, 48);
            raw.vtable(80, slots).vtable(200, slots).table(40, 80).table(48, 200);
            byte[] bytes = Arrays.copyOf(raw.bytes(), size);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            assertEquals(size >= 228, ways.thoroughly(SCHEMA, memory));
            assertEquals(size >= 228, ways.quickly(SCHEMA, memory));
        }
    }
}
