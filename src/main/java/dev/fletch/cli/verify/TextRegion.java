// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.cli.io.InputBytes;
import dev.fletch.flatbuf.Table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/// The strings and vectors of numbers of one flatbuffer that is sound, held against those of
/// another.
///
/// They may be shared and overlap, so that all together are far longer than the buffer. The first
/// ones are compared byte by byte. Once their lengths have added up to more than
/// the buffer has, the buffer is read once more and sums are made of it, every 64 bytes; then any
/// two pieces are compared in a bounded number of steps. Sums are modulo the prime 2^61 - 1, to a
/// base that is drawn anew in each run: nobody can prepare bytes that differ and have the same.
public final class TextRegion {
    private static final long PRIME = (1L << 61) - 1;
    private static final long BASE = ThreadLocalRandom.current().nextLong(1L << 60, PRIME);
    private static final int STEP = 64;
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;
    private final long start;
    private final long length;
    private long bytesRead;
    // At n, the sum of the first n * 64 bytes; null until they are needed.
    private long[] sums;

    /// @param start where the flatbuffer begins, or what is before it
    TextRegion(MemorySegment memory, long start, long end) {
        this.memory = memory;
        this.start = start;
        this.length = end - start;
    }

    /// Finds a string or vector.
    ///
    /// @param table bound in this flatbuffer
    /// @return position of its length word; 0 if it is absent
    long find(Table table, int slot) {
        if (!table.isPresent(slot)) {
            return 0;
        }
        long at = table.position();
        long vtable = at - memory.get(INT, at);
        long entry = vtable + (2L + slot) * Short.BYTES;
        long field = at + Short.toUnsignedInt(memory.get(SHORT, entry));
        return field + Integer.toUnsignedLong(memory.get(INT, field));
    }

    /// The number of elements of what [#find] has found.
    int count(long at) {
        return at == 0 ? 0 : memory.get(INT, at);
    }

    /// Tells whether two strings or vectors have the same bytes; absent is the same as empty.
    ///
    /// @param at what [#find] has found
    /// @param other the other flatbuffer
    /// @param otherAt what its [#find] has found
    /// @param elementBytes size of an element
    boolean matches(long at, TextRegion other, long otherAt, int elementBytes) {
        int count = count(at);
        if (count != other.count(otherAt)) {
            return false;
        }
        long bytes = (long) count * elementBytes;
        if (bytes == 0) {
            return true;
        }
        long from = at + Integer.BYTES;
        long otherFrom = otherAt + Integer.BYTES;
        if (mayRead(bytes) && other.mayRead(bytes)) {
            bytesRead += bytes;
            other.bytesRead += bytes;
            MemorySegment own = memory.asSlice(from, bytes);
            return InputBytes.mismatch(own, other.memory.asSlice(otherFrom, bytes)) < 0;
        }
        long scale = power(BASE, bytes);
        return sum(from, bytes, scale) == other.sum(otherFrom, bytes, scale);
    }

    private boolean mayRead(long bytes) {
        return bytes <= STEP || bytes <= length - bytesRead;
    }

    /// The beginning of a string, as text.
    ///
    /// @param chars how many characters at least, if there are as many
    String beginning(long at, int chars) {
        int bytes = Math.min(count(at), (chars + 1) * 3);
        byte[] text = new byte[bytes];
        MemorySegment.copy(
                memory, ValueLayout.JAVA_BYTE, at + Integer.BYTES, text, 0, at == 0 ? 0 : bytes);
        return new String(text, StandardCharsets.UTF_8);
    }

    /// How many bytes were read to compare.
    long bytesRead() {
        return bytesRead;
    }

    // ---- sums

    private long sum(long from, long bytes, long scale) {
        long before = sumBefore(from - start);
        long all = sumBefore(from - start + bytes);
        long without = all - times(before, scale);
        return without < 0 ? without + PRIME : without;
    }

    private long sumBefore(long index) {
        if (sums == null) {
            sums = sums();
        }
        long from = index / STEP * STEP;
        bytesRead += index - from;
        return append(sums[(int) (index / STEP)], from, index);
    }

    private long[] sums() {
        long[] all = new long[(int) (length / STEP) + 1];
        for (int i = 1; i < all.length; i++) {
            all[i] = append(all[i - 1], (i - 1L) * STEP, (long) i * STEP);
        }
        bytesRead += length;
        return all;
    }

    private long append(long before, long from, long to) {
        long sum = before;
        for (long i = from; i < to; i++) {
            int value = Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, start + i));
            sum = times(sum, BASE) + value + 1;
            sum = sum >= PRIME ? sum - PRIME : sum;
        }
        return sum;
    }

    private static long times(long a, long b) {
        long low = a * b;
        long high = Math.multiplyHigh(a, b) << 3 | low >>> 61;
        long sum = (low & PRIME) + high;
        return sum >= PRIME ? sum - PRIME : sum;
    }

    private static long power(long base, long exponent) {
        long result = 1;
        long square = base;
        for (long left = exponent; left > 0; left >>= 1) {
            result = (left & 1) == 0 ? result : times(result, square);
            square = times(square, square);
        }
        return result;
    }
}
