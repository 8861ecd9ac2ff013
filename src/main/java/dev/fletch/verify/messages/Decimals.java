// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.flatbuf.ByteSlice;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/// Compares decimals, numbers of 32 to 256 bits in two's complement, without their scale.
public final class Decimals {
    /// Words of 64 bits in the longest number.
    static final int WORDS = 4;

    private Decimals() {}

    /// {@return whether the magnitude of a number is less than a limit}
    ///
    /// @param width bytes of a number: 4, 8, 16 or 32
    /// @param limits the limit, and the number before it: words of 64 bits, the lowest first
    static boolean isLess(ByteSlice from, long position, int width, long[] limits) {
        if (width <= Long.BYTES) {
            long number = lowest(from, position, width);
            return number != Long.MIN_VALUE && Math.abs(number) < limits[0];
        }
        int highest = width / Long.BYTES - 1;
        long sign = from.int64(position + Long.BYTES * highest) >> Long.SIZE - 1;
        // -x is ~x + 1, which is less than the limit if ~x is less than the number before it.
        int limit = sign == 0 ? 0 : WORDS;
        for (int i = highest; i >= 0; i--) {
            long word = from.int64(position + (long) Long.BYTES * i) ^ sign;
            int order = Long.compareUnsigned(word, limits[limit + i]);
            if (order != 0) {
                return order < 0;
            }
        }
        return false;
    }

    /// {@return the lowest 64 bits of a number}
    static long lowest(ByteSlice from, long position, int width) {
        return width == Integer.BYTES ? from.int32(position) : from.int64(position);
    }

    /// {@return a number}
    public static BigInteger number(ByteSlice from, long position, int width) {
        byte[] highestFirst = new byte[width];
        for (int i = 0; i < width; i++) {
            highestFirst[width - 1 - i] = from.int8(position + i);
        }
        return new BigInteger(highestFirst);
    }

    /// {@return the number before a limit: see [#isLess]}
    static BigInteger before(long[] limits) {
        ByteBuffer highestFirst = ByteBuffer.allocate(WORDS * Long.BYTES);
        for (int i = 2 * WORDS - 1; i >= WORDS; i--) {
            highestFirst.putLong(limits[i]);
        }
        return new BigInteger(highestFirst.array());
    }
}
