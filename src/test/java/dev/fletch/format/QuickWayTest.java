// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.TwoWays;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.rules.ArrowRules;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// The verifier's quick way with made bytes and few rounds: the differential tests have random ones
/// and many.
class QuickWayTest {
    private static final VerifierOptions ARROW = VerifierOptions.ARROW_CPP;
    private static final List<VerifierOptions> OPTIONS =
            List.of(
                    ARROW,
                    ARROW.with(VerifierOptions.Check.ALIGNMENT, false),
                    ARROW.with(VerifierOptions.Check.VECTOR_ALIGNMENT, true)
                            .with(VerifierOptions.Check.EMPTY_VECTOR_ALIGNMENT, true),
                    ARROW.with(VerifierOptions.Check.ALIGNMENT, false)
                            .with(VerifierOptions.Check.VECTOR_ALIGNMENT, true)
                            .with(VerifierOptions.Check.EMPTY_VECTOR_ALIGNMENT, true),
                    VerifierOptions.STRICT);

    private static TwoWays ways(VerifierOptions options) {
        return new TwoWays(ArrowRules.SET, options);
    }

    private static int kind(Root root) {
        return ArrowRules.SET.kind(root.table());
    }

    private static MemorySegment inNative(Arena arena, byte[] bytes) {
        return arena.allocate(bytes.length, 8).copyFrom(MemorySegment.ofArray(bytes));
    }

    /// Amid other bytes of a heap array.
    private static MemorySegment amid(int before, byte[] bytes, byte behind) {
        byte[] larger = new byte[before + bytes.length + 40];
        Arrays.fill(larger, behind);
        System.arraycopy(bytes, 0, larger, before, bytes.length);
        return MemorySegment.ofArray(larger).asSlice(before, bytes.length);
    }

    private static void assertQuick(TwoWays ways, Root root, MemorySegment memory) {
        assertTrue(ways.quickly(kind(root), memory));
        assertTrue(ways.thoroughly(kind(root), memory));
        assertTrue(ways.agree());
    }

    @ParameterizedTest
    @EnumSource(Root.class)
    void whatHasAllFieldsIsAcceptedQuicklyAndAgain(Root root) {
        byte[] bytes = Verdicts.full(root);
        try (Arena arena = Arena.ofConfined()) {
            for (VerifierOptions options : OPTIONS) {
                if (ways(options).thoroughly(kind(root), MemorySegment.ofArray(bytes))) {
                    TwoWays ways = ways(options);
                    assertQuick(ways, root, MemorySegment.ofArray(bytes));
                    assertQuick(ways, root, inNative(arena, bytes));
                    assertQuick(ways, root, MemorySegment.ofArray(bytes));
                    assertQuick(ways(options), root, inNative(arena, bytes));
                    for (int before = 0; before < 9; before++) {
                        assertQuick(ways(options), root, amid(before, bytes, (byte) -1));
                    }
                }
            }
        }
    }

    /// Of all lengths, so that the first part of a copy ends anywhere.
    @Test
    void schemasOfAnyLengthAreAcceptedQuickly() {
        TwoWays ways = ways(ARROW);
        try (Arena arena = Arena.ofConfined()) {
            for (int columns = 0; columns < 60; columns++) {
                byte[] bytes = LargeSchemas.schemaMessage(columns);
                assertQuick(ways, Root.MESSAGE, inNative(arena, bytes));
                assertQuick(ways, Root.MESSAGE, MemorySegment.ofArray(bytes));
                assertQuick(ways(VerifierOptions.STRICT), Root.MESSAGE, inNative(arena, bytes));
            }
            byte[] manyFields = LargeSchemas.schemaMessage(1_000);
            assertTrue(manyFields.length < 1 << 18);
            assertQuick(ways(ARROW), Root.MESSAGE, inNative(arena, manyFields));
            byte[] wide = LargeSchemas.schemaMessage(5_000);
            assertTrue(wide.length > 1 << 18);
            assertQuick(ways, Root.MESSAGE, MemorySegment.ofArray(wide));
            assertQuick(ways, Root.MESSAGE, inNative(arena, wide));
        }
    }

    /// Every byte in turn is another one, in any memory.
    @ParameterizedTest
    @EnumSource(Root.class)
    void nothingIsAcceptedThatTheThoroughWayRefuses(Root root) {
        byte[] bytes = Verdicts.full(root);
        int accepted = 0;
        int step = 1 + bytes.length / 1_000;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(bytes.length, 8);
            for (VerifierOptions options : OPTIONS) {
                TwoWays ways = ways(options);
                for (int at = 0; at < bytes.length; at += step) {
                    byte before = bytes[at];
                    for (int add : new int[] {-4, 1, 2, 64, 128}) {
                        bytes[at] = (byte) (before + add);
                        MemorySegment memory = MemorySegment.ofArray(bytes);
                        boolean isRight = ways.thoroughly(kind(root), memory);
                        MemorySegment odd = amid(at % 8, bytes, (byte) 0);
                        for (MemorySegment each : List.of(memory, copy.copyFrom(memory), odd)) {
                            boolean isQuick = ways.quickly(kind(root), each);
                            assertTrue(!isQuick || isRight && ways.agree(), "byte " + at);
                            accepted += isQuick ? 1 : 0;
                        }
                    }
                    bytes[at] = before;
                }
            }
        }
        assertTrue(accepted > 100, accepted + " accepted");
    }

    /// Numbers, lengths and sizes of batches, whose length words may be behind the first copy.
    @Test
    void aBatchWithAnotherBitIsAcceptedOnlyIfItIsRight() {
        int root = kind(Root.MESSAGE);
        try (Arena arena = Arena.ofConfined()) {
            for (int columns : new int[] {0, 2, 150}) {
                byte[] bytes = LargeSchemas.recordBatchMessage(columns);
                for (boolean isNative : new boolean[] {false, true}) {
                    TwoWays ways = ways(ARROW);
                    MemorySegment memory =
                            isNative ? inNative(arena, bytes) : MemorySegment.ofArray(bytes);
                    assertQuick(ways, Root.MESSAGE, memory);
                    int refused = 0;
                    for (int bit = 0; bit < 8 * bytes.length; bit++) {
                        byte[] changed = bytes.clone();
                        changed[bit / 8] ^= (byte) (1 << bit % 8);
                        MemorySegment heap = MemorySegment.ofArray(changed);
                        boolean isQuick = ways.quickly(root, heap);
                        assertTrue(!isQuick || ways.thoroughly(root, heap), "bit " + bit);
                        refused += isQuick ? 0 : 1;
                    }
                    assertTrue(refused > 8 * 16, refused + " refused");
                    byte[] longer = Arrays.copyOf(bytes, bytes.length + 24);
                    assertQuick(ways, Root.MESSAGE, MemorySegment.ofArray(longer));
                }
            }
        }
    }
}
