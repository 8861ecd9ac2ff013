// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;

/// Slices, fingerprints and hashes of texts: the same in every memory.
class ByteSliceTest {
    private static final byte[] CONTENT = new byte[9_001];

    static {
        new Random(1).nextBytes(CONTENT);
    }

    /// Each element of an array of each width is what a buffer of the JDK reads there; the last one
    /// that is not completely inside is refused, and so are indexes whose position would overflow.
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void elementsOfEachWidthAreRead(SegmentBacking backing) {
        ByteBuffer expected = ByteBuffer.wrap(CONTENT).order(ByteOrder.LITTLE_ENDIAN);
        try (PlacedSegment placed = backing.place(CONTENT)) {
            ByteSlice slice = of(placed);
            for (int i = 0; i < CONTENT.length / 16; i++) {
                assertEquals(expected.get(i), slice.int8At(i));
                assertEquals(Byte.toUnsignedInt(expected.get(i)), slice.uint8At(i));
                assertEquals(expected.getShort(2 * i), slice.int16At(i));
                assertEquals(Short.toUnsignedInt(expected.getShort(2 * i)), slice.uint16At(i));
                assertEquals(Float.float16ToFloat(expected.getShort(2 * i)), slice.float16At(i));
                assertEquals(expected.getInt(4 * i), slice.int32At(i));
                assertEquals(Integer.toUnsignedLong(expected.getInt(4 * i)), slice.uint32At(i));
                assertEquals(expected.getFloat(4 * i), slice.float32At(i));
                assertEquals(expected.getLong(8 * i), slice.int64At(i));
                assertEquals(expected.getDouble(8 * i), slice.float64At(i));
                assertEquals(expected.getLong(16 * i), slice.int128LowAt(i));
                assertEquals(expected.getLong(16 * i + 8), slice.int128HighAt(i));
            }
            List<LongConsumer> reads =
                    List.of(
                            slice::int8At,
                            slice::uint8At,
                            slice::int16At,
                            slice::uint16At,
                            slice::float16At,
                            slice::int32At,
                            slice::uint32At,
                            slice::float32At,
                            slice::int64At,
                            slice::float64At,
                            slice::int128LowAt,
                            slice::int128HighAt);
            int[] bytes = {1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 16, 16};
            for (int i = 0; i < bytes.length; i++) {
                var read = reads.get(i);
                long count = CONTENT.length / bytes[i];
                read.accept(count - 1);
                for (long index :
                        new long[] {
                            count, -1, 1L << 60, 1L << 61, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE
                        }) {
                    assertThrows(IndexOutOfBoundsException.class, () -> read.accept(index));
                }
            }
        }
    }

    /// Bits and their counts in ranges are those of a [BitSet].
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void bitsAreThoseOfABitSet(SegmentBacking backing) {
        BitSet expected = BitSet.valueOf(CONTENT);
        int bits = 8 * CONTENT.length;
        Random random = new Random(5);
        try (PlacedSegment placed = backing.place(CONTENT)) {
            ByteSlice slice = of(placed);
            for (int i = 0; i < bits; i++) {
                assertEquals(expected.get(i), slice.bit(i));
            }
            for (int i = 0; i < 2_000; i++) {
                int from = i < 500 ? i : random.nextInt(bits);
                int to = i < 500 ? from + i % 90 : from + random.nextInt(bits - from + 1);
                assertEquals(expected.get(from, to).cardinality(), slice.countBits(from, to));
            }
            assertEquals(expected.cardinality(), slice.countBits(0, bits));
            assertEquals(0, slice.countBits(bits, bits));
            for (long index : new long[] {-1, bits, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThrows(IndexOutOfBoundsException.class, () -> slice.bit(index));
                assertThrows(
                        IndexOutOfBoundsException.class, () -> slice.countBits(index, index + 1));
            }
            assertThrows(IndexOutOfBoundsException.class, () -> slice.countBits(2, 1));
        }
    }

    /// Ranges of numbers that ascend to a limit, but for one of about 40.
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void manyNumbersAreJudgedAsByALoop(SegmentBacking backing) {
        Random random = new Random(6);
        for (int width = 1; width <= Long.BYTES; width *= 2) {
            int unused = Long.SIZE - Byte.SIZE * width;
            long most = -1L >>> unused + 2;
            long[] numbers = new long[CONTENT.length / width];
            ByteBuffer content = ByteBuffer.allocate(CONTENT.length).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < numbers.length; i++) {
                boolean isWrong = random.nextInt(40) == 0;
                long number = isWrong ? random.nextLong() : most / numbers.length * i;
                numbers[i] = number << unused >> unused;
                for (int j = 0; j < width; j++) {
                    content.put((byte) (number >> Byte.SIZE * j));
                }
            }
            try (PlacedSegment placed = backing.place(content.array())) {
                ByteSlice slice = of(placed);
                assertRangesJudged(slice, width, numbers, most, random);
            }
        }
    }

    private static void assertRangesJudged(
            ByteSlice slice, int width, long[] numbers, long most, Random random) {
        boolean canAscend = width >= Integer.BYTES;
        int limited = 0;
        int ascending = 0;
        for (int i = 0; i < 2_000; i++) {
            int count = random.nextInt(60);
            int first = random.nextInt(numbers.length - count + 1);
            long[] range = Arrays.copyOfRange(numbers, first, first + count);
            boolean isLimited = Arrays.stream(range).allMatch(n -> n >= 0 && n <= most);
            assertEquals(isLimited, slice.areUpTo(first, count, width, most));
            limited += isLimited ? 1 : 0;
            if (canAscend) {
                long[] sorted = range.clone();
                Arrays.sort(sorted);
                boolean isAscending = Arrays.equals(sorted, range) && (count == 0 || range[0] >= 0);
                assertEquals(isAscending, slice.areAscending(first, count, width));
                ascending += isAscending ? 1 : 0;
            }
        }
        assertTrue(limited > 500 && limited < 1_500, "up to the limit: " + limited);
        assertTrue(!canAscend || ascending > 500 && ascending < 1_500, "ascending: " + ascending);
    }

    /// Views of values of 0 to 30 bytes, one in eight with a bit flipped.
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void theFirstViewThatIsNotSoundIsFound(SegmentBacking backing) {
        ByteBuffer content = ByteBuffer.wrap(CONTENT).order(ByteOrder.LITTLE_ENDIAN);
        Random random = new Random(7);
        int buffer = 3;
        int end = CONTENT.length - 100;
        try (PlacedSegment placed = backing.place(CONTENT)) {
            ByteSlice slice = of(placed);
            long[] views = new long[2 * 64];
            int sound = 0;
            for (int i = 0; i < 2_000; i++) {
                ByteBuffer bytes = ByteBuffer.allocate(16 * 64).order(ByteOrder.LITTLE_ENDIAN);
                for (int from = 0; from < bytes.capacity(); from += 16) {
                    int length = random.nextInt(31);
                    int offset = random.nextInt(end - length + 1);
                    boolean isInline = length <= 12;
                    bytes.putInt(from, length);
                    bytes.put(from + 4, CONTENT, offset, isInline ? length : 4);
                    bytes.putLong(from + 8, isInline ? bytes.getLong(from + 8) : 0);
                    if (!isInline) {
                        bytes.putInt(from + 8, buffer).putInt(from + 12, offset);
                    }
                    if (random.nextInt(8) == 0) {
                        int position = from + random.nextInt(16);
                        bytes.put(position, (byte) (bytes.get(position) ^ 1 << random.nextInt(8)));
                    }
                }
                bytes.asLongBuffer().get(views);
                int first = random.nextInt(64);
                boolean isAscii = random.nextBoolean();
                int expected = first;
                while (expected < 64 && isSound(bytes, 16 * expected, buffer, end, isAscii)) {
                    expected++;
                }
                sound += expected - first;
                assertEquals(expected, slice.soundViews(views, first, 64, buffer, end, isAscii));
            }
            assertTrue(sound > 4_000, "sound views: " + sound);
            long[] copy = new long[10];
            slice.copyInt64s(7, copy, copy.length);
            long[] numbers = new long[10];
            content.slice(56, 80).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(numbers);
            assertArrayEquals(numbers, copy);
        }
    }

    /// Whether a view is sound, as the format says it.
    private static boolean isSound(
            ByteBuffer views, int view, int buffer, int end, boolean isAscii) {
        int length = views.getInt(view);
        if (length < 0 || length > 12) {
            int offset = views.getInt(view + 12);
            return length >= 0
                    && views.getInt(view + 8) == buffer
                    && offset >= 0
                    && offset <= end - length
                    && Arrays.equals(
                            views.array(), view + 4, view + 8, CONTENT, offset, offset + 4);
        }
        for (int i = 0; i < 12; i++) {
            byte each = views.get(view + 4 + i);
            if (i < length ? isAscii && each < 0 : each != 0) {
                return false;
            }
        }
        return true;
    }

    @Test
    void viewsNeedRoomAndFourBytes() {
        ByteSlice slice = of(CONTENT);
        long[] views = new long[4];
        int end = CONTENT.length;
        List<Executable> refused =
                List.of(
                        () -> slice.soundViews(views, 0, 3, 0, end, false),
                        () -> slice.soundViews(views, -1, 2, 0, end, false),
                        () -> slice.soundViews(views, 0, 2, 0, end + 1, false),
                        () -> slice.soundViews(views, 0, 2, 0, -1, false),
                        () -> of(new byte[3]).soundViews(views, 0, 2, 0, 3, false),
                        () -> slice.copyInt64s(end / 8, views, 1),
                        () -> slice.copyInt64s(-1, views, 1),
                        () -> slice.copyInt64s(0, views, 5));
        for (Executable each : refused) {
            assertThrows(IndexOutOfBoundsException.class, each);
        }
        assertEquals(2, slice.soundViews(views, 0, 2, 0, end, false));
    }

    @Test
    void manyNumbersMustBeInTheSlice() {
        ByteSlice slice = of(CONTENT);
        long end = CONTENT.length / Integer.BYTES;
        for (long first : new long[] {-1, end, 1L << 61, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> slice.areUpTo(first, 1, Integer.BYTES, 1));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> slice.areAscending(first, 1, Integer.BYTES));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void numbersAndPartsAreRead(SegmentBacking backing) {
        ByteBuffer expected = ByteBuffer.wrap(CONTENT).order(ByteOrder.LITTLE_ENDIAN);
        try (PlacedSegment placed = backing.place(CONTENT)) {
            ByteSlice slice = of(placed);
            assertEquals(CONTENT.length, slice.length());
            assertEquals(placed.offset(), slice.offset());
            for (int at : new int[] {0, 1, 7, 8, 4_000, CONTENT.length - 8}) {
                assertEquals(expected.get(at), slice.int8(at));
                assertEquals(expected.getShort(at), slice.int16(at));
                assertEquals(expected.getInt(at), slice.int32(at));
                assertEquals(expected.getLong(at), slice.int64(at));
            }
            for (long at : new long[] {-1, CONTENT.length - 7, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThrows(IndexOutOfBoundsException.class, () -> slice.int64(at));
            }
            assertThrows(IndexOutOfBoundsException.class, () -> slice.int8(CONTENT.length));
            assertArrayEquals(CONTENT, slice.toByteArray());
            assertTrue(equal(slice, CONTENT));
            byte[] other = CONTENT.clone();
            other[CONTENT.length - 1]++;
            assertFalse(equal(slice, other));
            assertParts(slice, other);
            ByteSlice part = new ByteSlice().wrap(slice, 3, 5);
            assertEquals(expected.getInt(4), part.int32(1));
            assertEquals(placed.offset() + 3, part.offset());
            assertThrows(IndexOutOfBoundsException.class, () -> part.int32(2));
            assertThrows(IndexOutOfBoundsException.class, () -> part.wrap(part, 1, 5));
            assertEquals(expected.get(5), part.wrap(part, 2, 3).int8(0));
        }
    }

    private static ByteSlice of(PlacedSegment placed) {
        return new ByteSlice().wrap(placed.segment(), placed.offset(), placed.length());
    }

    private static ByteSlice of(byte[] bytes) {
        return new ByteSlice().wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static boolean equal(ByteSlice slice, byte[] bytes) {
        return slice.length() == bytes.length && slice.contentEquals(0, bytes, 0, bytes.length);
    }

    @Test
    void emptySliceHasNoBytes() {
        ByteSlice slice = new ByteSlice();
        assertEquals(0, slice.length());
        assertEquals(0, slice.toByteArray().length);
        assertThrows(IndexOutOfBoundsException.class, () -> slice.int8(0));
        assertThrows(IllegalStateException.class, () -> slice.wrapBufferOf(new Probe()));
    }

    private static final class Probe extends Table {
        @Override
        protected void decode(byte[] a, MemorySegment s, long reference) {
            open(a, s, reference, 0);
        }

        long root(MemorySegment memory, long offset, long length) {
            return wrapRoot(memory, offset, length);
        }

        long root(ByteBuffer buffer) {
            return wrapRoot(buffer);
        }
    }

    /// Parts of any length, with a wrong byte in front of, in, and behind them.
    private static void assertParts(ByteSlice slice, byte[] bytes) {
        int last = CONTENT.length - 1;
        for (int length : new int[] {0, 1, 7, 8, 9, 63, 4_080, last}) {
            for (int at : new int[] {0, 3, 8, last - length}) {
                if (length <= last - at) {
                    assertTrue(slice.contentEquals(at, bytes, at, at + length));
                }
            }
            assertFalse(slice.contentEquals(last - length, bytes, last - length, last + 1));
            assertFalse(slice.contentEquals(last + 1, bytes, 0, length + 1));
            assertFalse(slice.contentEquals(-1, bytes, 0, length));
            assertFalse(slice.contentEquals(Long.MAX_VALUE, bytes, 0, length));
        }
        assertThrows(
                IndexOutOfBoundsException.class, () -> slice.contentEquals(0, bytes, 1, last + 2));
        assertThrows(IndexOutOfBoundsException.class, () -> slice.contentEquals(0, bytes, 2, 1));
    }

    /// Every bit and every length counts.
    @Test
    void contentIsCompared() {
        for (int length = 0; length < 40; length++) {
            byte[] bytes = Arrays.copyOf(CONTENT, length);
            ByteSlice slice = of(CONTENT).wrap(of(CONTENT), 0, length);
            assertTrue(equal(slice, bytes));
            assertFalse(equal(slice, Arrays.copyOf(CONTENT, length + 1)));
            assertFalse(length > 0 && equal(slice, Arrays.copyOf(CONTENT, length - 1)));
            for (int bit = 0; bit < 8 * length; bit++) {
                bytes[bit >> 3] ^= (byte) (1 << (bit & 7));
                assertFalse(equal(slice, bytes));
                bytes[bit >> 3] ^= (byte) (1 << (bit & 7));
            }
        }
    }

    /// One slice, from any kind of memory to any other, and to another of its kind.
    @Test
    void aSliceWrapsDifferentMemoriesInTurn() {
        List<SegmentBacking> backings = Memories.segments();
        ByteSlice part = new ByteSlice();
        for (SegmentBacking one : backings) {
            for (SegmentBacking other : backings) {
                try (PlacedSegment first = one.place(new byte[] {1, 2, 3, 4});
                        PlacedSegment second = other.place(new byte[] {5, 6, 7, 8, 9})) {
                    part.wrap(of(first), 1, 3);
                    assertArrayEquals(new byte[] {2, 3, 4}, part.toByteArray());
                    assertEquals(4, part.int8(2));
                    part.wrap(of(second), 2, 3);
                    assertArrayEquals(new byte[] {7, 8, 9}, part.toByteArray());
                    assertEquals(9, part.int8(2), () -> one.name() + ", " + other.name());
                    assertEquals(second.offset() + 2, part.offset());
                }
            }
        }
    }

    /// What a root has wrapped, whichever its memory.
    @Test
    void theBufferOfAFlyweightIsWrapped() {
        byte[] root = {0, 0, 8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0, 0, 0};
        ByteSlice slice = new ByteSlice();
        for (BufferBacking backing : Memories.buffers()) {
            try (PlacedBuffer placed = backing.place(root)) {
                Probe probe = new Probe();
                ByteBuffer buffer = placed.buffer();
                Table.bind(probe, probe, probe.root(buffer.position(buffer.position() + 2)));
                slice.wrapBufferOf(probe);
                assertEquals(buffer.position(), slice.offset());
                assertArrayEquals(Arrays.copyOfRange(root, 2, 16), slice.toByteArray());
            }
        }
        for (SegmentBacking backing : Memories.segments()) {
            try (PlacedSegment placed = backing.place(root)) {
                Probe probe = new Probe();
                Table.bind(probe, probe, probe.root(placed.segment(), placed.offset() + 2, 14));
                assertSame(slice, slice.wrapBufferOf(probe));
                assertEquals(14, slice.length());
                assertEquals(14, probe.bufferLength());
                assertEquals(placed.offset() + 2, slice.offset());
                assertArrayEquals(Arrays.copyOfRange(root, 2, 16), slice.toByteArray());
            }
        }
    }
}
