// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// Targets that are too small: refused by name, or replaced by larger ones.
class WriterTargetSizeTest {
    private static final int SCRIPTS = CaseCount.of(60, 150);

    private static final SegmentAllocator HEAP =
            (bytes, _) -> MemorySegment.ofArray(new byte[(int) bytes]);

    static List<SegmentBacking> backings() {
        return Memories.writableSegments().stream()
                .filter(each -> !each.name().contains("file"))
                .toList();
    }

    /// Every size from nothing to one byte less than is needed, in every kind of memory in turn.
    @Test
    void everySizeButTheExactOneIsTooSmall() {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        int targets = 0;
        for (int seed = 0; seed < SCRIPTS; seed++) {
            WriterScript script = WriterScripts.random(seed);
            byte[] expected = WriterOfficial.write(script);
            if (expected.length > 2000) {
                continue;
            }
            for (int size = 0; size < expected.length; size++) {
                SegmentBacking backing = backings().get(targets++ % backings().size());
                try (PlacedSegment placed = backing.place(new byte[size])) {
                    writer.wrap(placed.segment(), placed.offset(), size);
                    assertTooSmall(writer, script, size, expected.length);
                    assertTrue(placed.surroundingsIntact(), backing::name);
                }
            }
            writer.wrap(MemorySegment.ofArray(new byte[expected.length]));
            assertArrayEquals(expected, WriterReplay.write(writer, script));
        }
        System.out.printf("Writer: %d targets too small%n", targets);
        assertTrue(targets > SCRIPTS * 40);
    }

    private static void assertTooSmall(
            FlatBufferWriter writer, WriterScript script, int size, int needed) {
        TargetTooSmallException fault =
                assertThrows(
                        TargetTooSmallException.class, () -> WriterReplay.write(writer, script));
        assertTrue(fault.missingBytes() > 0, fault::getMessage);
        assertTrue(size + fault.missingBytes() <= needed, fault::getMessage);
        assertTrue(
                fault.getMessage()
                        .startsWith("target too small: missing=" + fault.missingBytes() + ", "));
        IllegalStateException after =
                assertThrows(IllegalStateException.class, () -> writer.createString("x"));
        assertEquals(
                "call out of order: call=createString, state=failed; call reset or wrap first",
                after.getMessage());
        assertThrows(IllegalStateException.class, writer::length);
    }

    /// Whoever gives what is missing each time comes to the exact size.
    @Test
    void missingBytesAddUpToTheExactSize() {
        FlatBufferWriter writer = new FlatBufferWriter();
        WriterScripts.first(300)
                .forEach(
                        script -> {
                            int needed = WriterReplay.write(new FlatBufferWriter(), script).length;
                            long size = 0;
                            for (int tries = 0; tries < 10_000; tries++) {
                                try {
                                    writer.wrap(MemorySegment.ofArray(new byte[(int) size]));
                                    WriterReplay.write(writer, script);
                                    break;
                                } catch (TargetTooSmallException e) {
                                    size += e.missingBytes();
                                }
                            }
                            assertEquals(needed, size);
                            assertEquals(needed, writer.length());
                        });
    }

    /// Whatever the target's size, what is missing is enough for the text, and no more than that.
    @Test
    void missingBytesOfATextAreThoseOfItsEncoding() {
        String[] texts = {
            "x".repeat(50), "é".repeat(100), "€".repeat(9), "😀".repeat(7), "abcé", ""
        };
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        for (String text : texts) {
            writer.wrap(MemorySegment.ofArray(new byte[1000])).createString(text);
            int needed = writer.size();
            for (int size = 0; size < needed; size++) {
                writer.wrap(MemorySegment.ofArray(new byte[size]));
                TargetTooSmallException fault =
                        assertThrows(
                                TargetTooSmallException.class, () -> writer.createString(text));
                assertEquals(needed - size, fault.missingBytes(), text);
            }
            writer.wrap(MemorySegment.ofArray(new byte[needed])).createString(text);
            assertEquals(needed, writer.size());
        }
    }

    @Test
    void theErrorNamesMissingNeededAndWrittenBytes() {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        writer.wrap(MemorySegment.ofArray(new byte[30]), 5, 20);
        writer.createString("abc");
        TargetTooSmallException fault =
                assertThrows(
                        TargetTooSmallException.class,
                        () -> writer.createVector(new long[10], 0, 10, 1));
        assertEquals(
                "target too small: missing=72, needed=84, written=8, target=20",
                fault.getMessage());
        assertEquals(72, fault.missingBytes());
    }

    /// A table's numbers need no room of their own, so its end asks whether there was some.
    @Test
    void theEndOfATableThatDoesNotFitIsRefused() {
        FlatBufferWriter writer = new FlatBufferWriter().wrap(MemorySegment.ofArray(new byte[25]));
        writer.createString("abc");
        writer.startTable();
        writer.addNumber(0, Long.BYTES, 7, 0);
        TargetTooSmallException fault =
                assertThrows(TargetTooSmallException.class, writer::endTable);
        assertEquals(
                "target too small: missing=1, needed=18, written=8, target=25", fault.getMessage());
    }

    /// Of vectors that are copied to the target at once, and of those that are not.
    @Test
    void aVectorMayFillTheTarget() {
        FlatBufferWriter writer = new FlatBufferWriter();
        for (int longs : new int[] {128, 129}) {
            int needed = 8 * longs + 4;
            for (SegmentBacking backing : backings()) {
                try (PlacedSegment exact = backing.place(new byte[needed])) {
                    writer.wrap(exact.segment(), exact.offset(), needed)
                            .createVector(new long[longs], 0, longs, 1);
                    assertEquals(needed, writer.size());
                }
            }
        }
    }

    @Test
    void buffersDoNotGrowUnasked() {
        for (ByteBuffer buffer : List.of(ByteBuffer.allocate(4), ByteBuffer.allocateDirect(4))) {
            FlatBufferWriter writer = new FlatBufferWriter().wrap(buffer);
            assertThrows(TargetTooSmallException.class, () -> writer.createString("abc"));
        }
    }

    // ---- growing

    /// Beginning with any kind and size of memory, growing on the heap or in native memory.
    @ParameterizedTest
    @MethodSource("backings")
    void everyKindOfTargetGrows(SegmentBacking backing) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        for (int seed = 0; seed < 100; seed++) {
            WriterScript script = WriterScripts.random(seed);
            byte[] expected = WriterOfficial.write(script);
            int size = seed % 3 == 0 ? 0 : expected.length * (seed % 3) / 2;
            try (PlacedSegment placed = backing.place(new byte[size]);
                    Arena arena = Arena.ofConfined()) {
                boolean onHeap = seed % 2 == 0;
                writer.growWith(
                        onHeap
                                ? (bytes, _) -> MemorySegment.ofArray(new byte[(int) bytes])
                                : arena);
                writer.wrap(placed.segment(), placed.offset(), size);
                assertArrayEquals(expected, WriterReplay.write(writer, script));
                assertEquals(size >= expected.length, writer.target() == placed.segment());
                assertArrayEquals(
                        expected,
                        writer.target()
                                .asSlice(writer.offset(), writer.length())
                                .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
                assertTrue(placed.surroundingsIntact());
            }
        }
    }

    /// Objects of all lengths around those that leave or exceed the window, in targets of the exact
    /// size and in growing ones.
    @ParameterizedTest
    @MethodSource("backings")
    void longObjectsAreWrittenToEveryKindOfTarget(SegmentBacking backing) {
        for (int longs = 100; longs < 1_300; longs += 37) {
            FlatBufferWriter large =
                    new FlatBufferWriter().wrap(MemorySegment.ofArray(new byte[1 << 17]));
            byte[] expected = longObjects(large, longs);
            for (int size : new int[] {expected.length, expected.length / 2, 0}) {
                FlatBufferWriter writer = new FlatBufferWriter();
                try (PlacedSegment placed = backing.place(new byte[size]);
                        Arena arena = Arena.ofConfined()) {
                    writer.growWith(size == 0 ? HEAP : arena);
                    writer.wrap(placed.segment(), placed.offset(), size);
                    assertArrayEquals(expected, longObjects(writer, longs));
                    assertEquals(size == expected.length, writer.target() == placed.segment());
                    assertTrue(placed.surroundingsIntact());
                }
            }
        }
    }

    private static byte[] longObjects(FlatBufferWriter writer, int longs) {
        int text = writer.createString("x".repeat(3 * longs) + "é");
        long[] numbers = LongStream.range(0, longs).toArray();
        int[] offsets = new int[longs];
        Arrays.fill(offsets, writer.createVector(numbers, 0, longs, 1));
        int vector = writer.createOffsetVector(offsets, 0, longs);
        writer.createVector(offsets, 0, longs);
        writer.createVector(numbers, 1, longs - 1, 1);
        writer.startTable();
        writer.startStruct(longs, 1);
        writer.pushPadding(longs);
        writer.endStruct(3);
        writer.addOffset(0, vector);
        writer.addNumber(1, Byte.BYTES, 7, 0);
        writer.addOffset(2, text);
        writer.addNumber(4, Long.BYTES, 8, 0);
        writer.finish(writer.endTable());
        return writer.toByteArray();
    }

    /// Memory that is large enough is used again, and by small steps the work stays linear.
    @Test
    void memoryGrowsByDoubling() {
        List<Long> sizes = new ArrayList<>();
        FlatBufferWriter writer =
                new FlatBufferWriter()
                        .alignEmptyVectors(true)
                        .growWith(
                                (bytes, _) -> {
                                    sizes.add(bytes);
                                    return MemorySegment.ofArray(new byte[(int) bytes]);
                                });
        for (int i = 0; i < 100_000; i++) {
            writer.createString("abc");
        }
        assertEquals(
                List.of(1L << 10, 1L << 11, 1L << 12, 1L << 13, 1L << 14, 1L << 15, 1L << 16),
                sizes.subList(0, 7));
        assertEquals(1L << 20, sizes.getLast());
        MemorySegment grown = writer.target();
        writer.reset().createString("again");
        assertSame(grown, writer.target());
        writer.createVector(new long[1 << 18], 0, 1 << 18, 1);
        assertEquals(16 + (1L << 21) + 4, sizes.getLast());
        assertNotSame(grown, writer.target());
    }

    @Test
    void anAllocatorThatGivesTooLittleIsRefused() {
        FlatBufferWriter writer =
                new FlatBufferWriter()
                        .alignEmptyVectors(true)
                        .growWith((bytes, _) -> MemorySegment.ofArray(new byte[(int) bytes - 1]));
        IllegalStateException fault =
                assertThrows(IllegalStateException.class, () -> writer.createString("x"));
        assertEquals("allocated memory too small: needed=1024, allocated=1023", fault.getMessage());
        writer.growWith(null);
        assertThrows(TargetTooSmallException.class, () -> writer.reset().createString("x"));
    }

    /// What does not fit with what was written is refused before memory is asked for.
    @Test
    void theLimitCountsWhatWasWritten() {
        FlatBufferWriter growing = new FlatBufferWriter().alignEmptyVectors(true);
        growing.createString("abc");
        int more = Integer.MAX_VALUE - 1 - 8 - 4;
        growing.growWith(
                (bytes, _) -> {
                    throw new AssertionError("asked for " + bytes);
                });
        assertEquals(
                "buffer too large: written=8, more=2147483640, limit=2147483646",
                assertThrows(IllegalStateException.class, () -> growing.startVector(1, more, 1))
                        .getMessage());
    }

    @Test
    void memoryThatIsLargerThanAskedForIsFilledFromItsEnd() {
        FlatBufferWriter generous =
                new FlatBufferWriter()
                        .alignEmptyVectors(true)
                        .growWith((bytes, _) -> MemorySegment.ofArray(new byte[(int) bytes + 100]));
        generous.createVector(new long[50], 0, 50, 1);
        generous.createVector(new int[] {7, 8}, 0, 2);
        assertEquals(1124, generous.target().byteSize());
        generous.createVector(new long[100], 0, 100, 1);
        int root = generous.createVector(new int[] {9}, 0, 1);
        generous.finish(root);
        assertEquals(2 * 1124 + 100, generous.target().byteSize());
        assertEquals(generous.target().byteSize(), generous.offset() + generous.length());
        FlatBufferWriter growing = new FlatBufferWriter().alignEmptyVectors(true);
        growing.createVector(new long[50], 0, 50, 1);
        growing.createVector(new int[] {7, 8}, 0, 2);
        growing.createVector(new long[100], 0, 100, 1);
        growing.finish(growing.createVector(new int[] {9}, 0, 1));
        assertArrayEquals(growing.toByteArray(), generous.toByteArray());
    }
}
