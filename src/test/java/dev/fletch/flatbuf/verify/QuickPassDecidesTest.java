// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.TwoWays;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.flatbuf.VerifierOptions.Check;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.format.rules.ArrowRules;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The quick pass accepts no buffer that the full pass does not, and nearly all that it does: what
/// it leaves to the full pass are unknown tags, half a union, and elements with the offset 0.
class QuickPassDecidesTest {
    private static final List<VerifierOptions> OPTIONS =
            List.of(
                    VerifierOptions.ARROW_CPP,
                    VerifierOptions.ARROW_CPP.with(Check.ALIGNMENT, false),
                    VerifierOptions.STRICT.with(Check.EMPTY_VECTOR_ALIGNMENT, true),
                    VerifierOptions.STRICT.with(Check.ALIGNMENT, false));

    private static TwoWays ways(VerifierOptions options) {
        return new TwoWays(ArrowRules.SET, options);
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
        for (VerifierOptions options : OPTIONS) {
            TwoWays ways = ways(options);
            try (Arena arena = Arena.ofConfined()) {
                places(bytes, arena)
                        .forEach((place, memory) -> changed(kind(root), memory, ways, place));
            }
        }
    }

    private static void changed(int kind, MemorySegment memory, TwoWays ways, String place) {
        assertTrue(ways.thoroughly(kind, memory) && ways.quickly(kind, memory), place);
        int valid = 0;
        int left = 0;
        for (long at = 0; at < memory.byteSize(); at++) {
            byte before = memory.get(ValueLayout.JAVA_BYTE, at);
            for (int value : new int[] {0, before + 1, before - 2, before + 4, before ^ 0x80}) {
                memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
                String what = place + ", byte " + at + " is " + value;
                boolean isValid = ways.thoroughly(kind, memory);
                boolean isQuick = ways.quickly(kind, memory);
                valid += isValid ? 1 : 0;
                left += isValid && !isQuick ? 1 : 0;
                assertTrue(!isQuick || isValid && ways.agree(), what);
            }
            memory.set(ValueLayout.JAVA_BYTE, at, before);
        }
        assertTrue(left <= valid / 10, place + ": " + left + " of " + valid);
    }

    @Test
    void limitsAreThoseOfTheFullPass() {
        byte[] bytes = LargeSchemas.schemaMessage(40); // longer than the first part of a copy
        int kind = kind(Root.MESSAGE);
        TwoWays all = ways(VerifierOptions.ARROW_CPP);
        try (Arena arena = Arena.ofConfined()) {
            for (MemorySegment memory : places(bytes, arena).values()) {
                assertTrue(all.thoroughly(kind, memory));
                long tables = all.tables();
                for (int more = -1; more <= 1; more++) {
                    assertDecided(
                            VerifierOptions.ARROW_CPP.withLimits(
                                    VerifierOptions.ARROW_CPP.limits().withTables(tables + more)),
                            memory);
                    assertDecided(
                            VerifierOptions.ARROW_CPP.withLimits(
                                    VerifierOptions.ARROW_CPP
                                            .limits()
                                            .withMetadataBytes(bytes.length + more)),
                            memory);
                }
                for (int depth = 1; depth < 8; depth++) {
                    assertDecided(
                            VerifierOptions.ARROW_CPP.withLimits(
                                    VerifierOptions.ARROW_CPP.limits().withDepth(depth)),
                            memory);
                }
            }
        }
    }

    private static void assertDecided(VerifierOptions options, MemorySegment memory) {
        TwoWays ways = ways(options);
        int kind = kind(Root.MESSAGE);
        assertEquals(ways.thoroughly(kind, memory), ways.quickly(kind, memory), options::toString);
    }

    @Test
    void anythingShorterIsLeftToTheFullPass() {
        byte[] bytes = LargeSchemas.schemaMessage(40);
        int kind = kind(Root.MESSAGE);
        TwoWays ways = ways(VerifierOptions.ARROW_CPP);
        try (Arena arena = Arena.ofConfined()) {
            for (MemorySegment memory : places(bytes, arena).values()) {
                for (long size = 0; size < bytes.length; size++) {
                    MemorySegment part = memory.asSlice(0, size);
                    assertEquals(ways.thoroughly(kind, part), ways.quickly(kind, part));
                }
            }
        }
    }

    /// The first copy of native memory has 2 kB, a vtable is read as 20 bytes.
    @Test
    void vtablesVectorsAndStringsMayBeAnywhere() {
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
            for (int length : new int[] {0, 3, 7, 8, 500, 995, 996, 2_000, 4_931, 4_932, -1}) {
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
                assertTrue(ways(VerifierOptions.STRICT).quickly(kind(Root.SCHEMA), memory));
            }
        }
    }

    /// A vtable of two bytes, of one, and of none, at the end: the first has half a head.
    @Test
    void vtablesAtTheEndAreDecided() {
        for (int vtable = 40; vtable <= 48; vtable++) {
            for (int size = 0; size <= 8; size++) {
                RawBuffer raw = new RawBuffer(48).offset(0, 16).table(16, vtable);
                for (int i = 0; vtable + i < 48 && i < 2; i++) {
                    raw.u8(vtable + i, i == 0 ? size : 0);
                }
                decided(Root.SCHEMA, raw.bytes());
            }
        }
    }

    /// The root offset is a vtable too: of 8 bytes, for tables of 4.
    @Test
    void theRootOffsetMayBeAVtable() {
        int table = 4 << Short.SIZE | 8;
        decided(Root.SCHEMA, new RawBuffer(table + 4).offset(0, table).table(table, 0).bytes());
    }

    @Test
    void vectorsMayEndTheBuffer() {
        for (Root root : new Root[] {Root.SCHEMA, Root.FOOTER}) {
            for (int count = 0; count < 2; count++) {
                RawBuffer raw = new RawBuffer(64).offset(0, 40).table(40, 20);
                if (root == Root.SCHEMA) {
                    raw.vtable(20, 0, 4).u16(22, 8); // fields
                } else {
                    raw.vtable(20, 0, 0, 0, 4).u16(22, 8); // record batches
                }
                raw.offset(44, 60).i32(60, count);
                decided(root, raw.bytes());
                boolean isQuick =
                        ways(VerifierOptions.ARROW_CPP)
                                .quickly(kind(root), MemorySegment.ofArray(raw.bytes()));
                assertEquals(count == 0, isQuick, root + ", " + count);
            }
        }
    }

    /// Four times some of these counts overflow to a few bytes.
    @Test
    void vectorsOfTablesHaveNoMoreElementsThanFit() {
        for (int count : new int[] {1, 2, 0x4000_0000, 0x4000_0001, 0x8000_0001, 0xC000_0001, -1}) {
            RawBuffer raw = new RawBuffer(64).offset(0, 16).offset(24, 40).i32(40, count);
            raw.vtable(4, 0, 0, 8).u16(6, 12).table(16, 4).offset(44, 48);
            decided(Root.SCHEMA, raw.vtable(28).u16(30, 4).table(48, 28).bytes());
        }
    }

    private static void decided(Root root, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            for (VerifierOptions options : OPTIONS) {
                TwoWays ways = ways(options);
                places(bytes, arena)
                        .forEach(
                                (place, memory) ->
                                        assertEquals(
                                                ways.thoroughly(kind(root), memory),
                                                ways.quickly(kind(root), memory),
                                                place));
            }
        }
    }

    /// A copy grows in steps, is not kept beyond 256 kB, and has at most 16 MB.
    @Test
    void copiesOfAnySizeAreCheckedCompletely() {
        int kind = kind(Root.MESSAGE);
        TwoWays ways = ways(VerifierOptions.STRICT);
        try (Arena arena = Arena.ofConfined()) {
            for (int columns : new int[] {10, 60, 450, 3_000, 10, 450}) {
                byte[] bytes = LargeSchemas.schemaMessage(columns);
                MemorySegment memory = places(bytes, arena).get("native");
                assertTrue(ways.quickly(kind, memory), columns + " columns");
                assertTrue(ways.thoroughly(kind, memory) && ways.agree());
                for (long at = bytes.length - 64L; at > 0; at -= bytes.length / 16) {
                    int before = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
                    memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, 0x7FFF_FFFF);
                    String what = columns + " columns, damaged at " + at;
                    assertTrue(!ways.quickly(kind, memory) || ways.thoroughly(kind, memory), what);
                    memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, before);
                }
            }
        }
    }

    /// A copy of 256 kB serves the next verification, a longer one is made anew.
    @Test
    void longerCopiesAreNotKept() {
        int most = 1 << 18;
        TwoWays ways = ways(VerifierOptions.STRICT);
        try (Arena arena = Arena.ofConfined()) {
            for (int size : new int[] {most, most + 4}) {
                MemorySegment memory = atTheEnd(size, arena);
                long bytes =
                        Allocations.leastBytes(1, () -> ways.quickly(kind(Root.SCHEMA), memory));
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
        TwoWays ways = ways(VerifierOptions.STRICT);
        try (Arena arena = Arena.ofConfined()) {
            for (int size : new int[] {most, most + 4}) {
                MemorySegment memory = atTheEnd(size, arena);
                assertTrue(ways.thoroughly(kind(Root.SCHEMA), memory));
                assertEquals(size == most, ways.quickly(kind(Root.SCHEMA), memory));
                MemorySegment heap = MemorySegment.ofArray(memory.toArray(ValueLayout.JAVA_BYTE));
                assertTrue(ways.quickly(kind(Root.SCHEMA), heap));
            }
        }
    }

    @Test
    void whatHasTooManyBytesIsLeftToTheFullPass() {
        int kind = kind(Root.MESSAGE);
        TwoWays ways = ways(VerifierOptions.ARROW_CPP);
        byte[] small = LargeSchemas.recordBatchMessage(2);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate((1L << 30) + 8);
            memory.copyFrom(MemorySegment.ofArray(small));
            assertTrue(ways.quickly(kind, memory.asSlice(0, 1L << 30)));
            assertFalse(ways.quickly(kind, memory.asSlice(0, (1L << 30) + 4)));
        }
    }
}
