// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.internal.BufferTarget;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.wire.Wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// Pieces land where they are put, and nowhere else.
class WriteBufferTargetTest {
    private static final int BYTES = 40;
    private static final long NUMBER = 0x0807060504030201L;

    private final BufferTarget target = new BufferTarget();

    /// Puts one of everything, and returns what has to be there then.
    private byte[] putAll() {
        target.putInt64s(1, new long[] {NUMBER}, 0, 1);
        target.putBytes(9, new byte[] {9, 10, 11, 12}, 1, 3);
        target.putInt64s(12, new long[] {0, NUMBER, ~NUMBER, 0}, 1, 2);
        target.putBytes(28, MemorySegment.ofArray(new int[] {1, 2, 3}), 3, 9);
        target.putBytes(BYTES, new byte[0], 0, 0);
        target.putInt64s(BYTES, new long[0], 0, 0);
        byte[] expected = new byte[BYTES];
        ByteBuffer bytes = ByteBuffer.wrap(expected).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(1, NUMBER).put(9, new byte[] {10, 11, 12});
        bytes.putLong(12, NUMBER).putLong(20, ~NUMBER);
        ByteBuffer ints = ByteBuffer.allocate(12).order(ByteOrder.nativeOrder());
        ints.putInt(1).putInt(2).putInt(3);
        bytes.put(28, ints.array(), 3, 9);
        return expected;
    }

    /// What leads out of the range changes nothing.
    private void putOutside() {
        long[] longs = new long[4];
        byte[] bytes = new byte[4];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        for (long at : new long[] {-1, BYTES - 3, BYTES + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> target.putBytes(at, bytes, 0, 4));
            assertThrows(IndexOutOfBoundsException.class, () -> target.putBytes(at, memory, 0, 4));
            assertThrows(IndexOutOfBoundsException.class, () -> target.putInt64s(at, longs, 0, 4));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> target.putBytes(0, bytes, 1, 4));
        assertThrows(IndexOutOfBoundsException.class, () -> target.putBytes(0, memory, 1, 4));
        assertThrows(IndexOutOfBoundsException.class, () -> target.putInt64s(0, longs, 1, 4));
        assertThrows(IndexOutOfBoundsException.class, () -> target.putInt64s(0, longs, 0, -1));
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void targetsInSegmentsAreFilled(SegmentBacking backing) {
        try (PlacedSegment placed = backing.place(new byte[BYTES])) {
            target.wrap(placed.segment(), placed.offset(), BYTES);
            putOutside();
            assertArrayEquals(putAll(), placed.content());
            assertTrue(placed.surroundingsIntact());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableBuffers")
    void targetsInByteBuffersAreFilled(BufferBacking backing) {
        try (PlacedBuffer placed = backing.place(new byte[BYTES])) {
            target.wrap(placed.buffer(), BYTES);
            putOutside();
            assertArrayEquals(putAll(), placed.content());
        }
    }

    /// So many that they are copied in bulk, and one less.
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void manyNumbersAreWrittenInBulk(SegmentBacking backing) {
        long[] numbers = new Random(1).longs(Wire.FEW_LONGS + 3).toArray();
        for (int count : new int[] {Wire.FEW_LONGS, Wire.FEW_LONGS + 1}) {
            ByteBuffer expected = ByteBuffer.allocate(3 + 8 * count).order(ByteOrder.LITTLE_ENDIAN);
            expected.position(3)
                    .slice()
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asLongBuffer()
                    .put(numbers, 2, count);
            try (PlacedSegment placed = backing.place(new byte[expected.capacity()])) {
                target.wrap(placed.segment(), placed.offset(), placed.length());
                target.putInt64s(3, numbers, 2, count);
                assertArrayEquals(expected.array(), placed.content());
                assertTrue(placed.surroundingsIntact());
            }
            ByteBuffer heap = ByteBuffer.allocate(5 + expected.capacity()).position(5).slice();
            target.wrap(heap, heap.remaining());
            target.putInt64s(3, numbers, 2, count);
            assertEquals(expected.position(0), heap);
        }
    }

    @Test
    void rangesOutsideTheMemoryAreRefused() {
        MemorySegment memory = MemorySegment.ofArray(new byte[10]);
        target.wrap(memory, 10, 0);
        target.wrap(memory, 0, 10);
        TargetTooSmallException e =
                assertThrows(TargetTooSmallException.class, () -> target.wrap(memory, 3, 9));
        assertEquals(2, e.missingBytes());
        assertThrows(TargetTooSmallException.class, () -> target.wrap(memory, 3, Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> target.wrap(memory, 3, -1));
        assertThrows(IndexOutOfBoundsException.class, () -> target.wrap(memory, 11, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> target.wrap(memory, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> target.wrap(memory.asReadOnly(), 0, 1));
        assertThrows(
                IllegalArgumentException.class,
                () -> target.wrap(ByteBuffer.allocate(9).asReadOnlyBuffer(), 1));
        BufferTarget fresh = new BufferTarget();
        assertThrows(IndexOutOfBoundsException.class, () -> fresh.putBytes(0, new byte[1], 0, 1));
    }

    /// The bytes behind the limit belong to someone else.
    @Test
    void aByteBufferHasRoomUpToItsLimit() {
        ByteBuffer buffer = ByteBuffer.allocate(32).position(4).limit(20);
        TargetTooSmallException e =
                assertThrows(TargetTooSmallException.class, () -> target.wrap(buffer, 17));
        assertEquals(1, e.missingBytes());
        assertThrows(IllegalArgumentException.class, () -> target.wrap(buffer, -1));
        // Nothing is written to a target that was refused.
        assertThrows(IndexOutOfBoundsException.class, () -> target.putBytes(0, new byte[1], 0, 1));
        target.wrap(buffer, 16);
        long[] numbers = {NUMBER};
        target.putInt64s(8, numbers, 0, 1);
        assertThrows(IndexOutOfBoundsException.class, () -> target.putInt64s(9, numbers, 0, 1));
        assertThrows(TargetTooSmallException.class, () -> target.wrap(buffer, Long.MAX_VALUE));
        byte[] expected = new byte[32];
        ByteBuffer.wrap(expected).order(ByteOrder.LITTLE_ENDIAN).putLong(12, NUMBER);
        assertArrayEquals(expected, buffer.array());
    }
}
