// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.TwoWays;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.flatbuf.VerifierOptions.Check;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.format.rules.ArrowRules;
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
                    VerifierOptions.STRICT.with(Check.EMPTY_VECTOR_ALIGNMENT, true));

    private static TwoWays ways(VerifierOptions options) {
        return new TwoWays(ArrowRules.SET, options);
    }

    private static int kind(Root root) {
        return ArrowRules.SET.kind(root.table());
    }

    /// The same bytes in an array, inside a larger array, and in native memory.
    private static Map<String, MemorySegment> places(byte[] bytes, Arena arena) {
        MemorySegment all = MemorySegment.ofArray(bytes);
        MemorySegment larger = MemorySegment.ofArray(new byte[bytes.length + 24]).fill((byte) -1);
        Map<String, MemorySegment> places = new LinkedHashMap<>();
        places.put("array", all);
        places.put("inside an array", larger.asSlice(8, bytes.length).copyFrom(all));
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
                    assertDecided(VerifierOptions.ARROW_CPP.withMaxTables(tables + more), memory);
                    assertDecided(
                            VerifierOptions.ARROW_CPP.withMaxSize(bytes.length + more), memory);
                }
                for (int depth = 1; depth < 8; depth++) {
                    assertDecided(VerifierOptions.ARROW_CPP.withMaxDepth(depth), memory);
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
