// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;

/// Checks many numbers at once: loops over words of eight bytes, each of which has one, two, four or
/// eight numbers. There is one test for a whole loop, so that the compiler vectorizes it.
///
/// In a word, the numbers of `bits` bits each are its lanes. A subtraction does not borrow from the
/// next lane if the upper operand has the lane's highest bit, and the lower one has not; the highest
/// bit then says whether the lower lane is the smaller one or equal.
///
/// Positions and lengths are in bytes. The caller has checked that the range is in the memory.
public final class Words {
    /// The lowest bit of each lane, by the binary logarithm of the lane's bytes.
    private static final long[] LOWEST = {
        0x0101_0101_0101_0101L, 0x0001_0001_0001_0001L, 0x0000_0001_0000_0001L, 1
    };

    private Words() {}

    /// {@return the highest bit of each lane}
    ///
    /// @param width bytes of a lane: 1, 2, 4 or 8
    private static long highest(int width) {
        return LOWEST[Integer.numberOfTrailingZeros(width)] << Byte.SIZE * width - 1;
    }

    /// {@return whether no number is negative or greater than another one}
    ///
    /// @param at position of the first number
    /// @param bytes a multiple of the width; bytes after the last whole word are read as numbers
    /// @param width bytes of a number: 1, 2, 4 or 8
    /// @param most not negative as a signed number of that width
    public static boolean areUpTo(MemoryRange memory, long at, long bytes, int width, long most) {
        long high = highest(width);
        long limit = LOWEST[Integer.numberOfTrailingZeros(width)] * most | high;
        long words = bytes & -Long.BYTES;
        long left = bytes - words;
        long all =
                memory.array != null
                        ? upTo(memory.array, (int) at, (int) words, high, limit)
                        : upTo(memory.segment(), at, words, high, limit);
        if (left != 0) {
            long last = lastWord(memory, at + words, (int) left);
            all &= (limit - (last & ~high)) & ~last;
        }
        return (all & high) == high;
    }

    private static long upTo(byte[] a, int at, int bytes, long high, long limit) {
        long all = -1;
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long word = Wire.int64(a, at + i);
            all &= (limit - (word & ~high)) & ~word;
        }
        return all;
    }

    private static long upTo(MemorySegment memory, long at, long bytes, long high, long limit) {
        MemorySegment s = memory;
        long all = -1;
        for (int i = 0; i < (int) bytes; i += Long.BYTES) {
            long word = Wire.int64(s, at + i);
            all &= (limit - (word & ~high)) & ~word;
        }
        return all;
    }

    /// {@return whether no number is negative, or less than the one before it}
    ///
    /// @param at position of the first number
    /// @param bytes of all numbers but the last, a multiple of the width
    /// @param width bytes of a number: 4 or 8
    public static boolean ascend(MemoryRange memory, long at, long bytes, int width) {
        long high = highest(width);
        long words = bytes & -Long.BYTES;
        long all =
                memory.array != null
                        ? ascending(memory.array, (int) at, (int) words, width, high)
                        : ascending(memory.segment(), at, words, width, high);
        if (bytes != words) {
            long before = lastWord(memory, at + words, width);
            long last = lastWord(memory, at + words + width, width);
            all &= ((last | high) - (before & ~high)) & ~(before | last);
        }
        return (all & high) == high;
    }

    private static long ascending(byte[] a, int at, int bytes, int width, long high) {
        long all = -1;
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long word = Wire.int64(a, at + i);
            long next = Wire.int64(a, at + width + i);
            all &= ((next | high) - (word & ~high)) & ~(word | next);
        }
        return all;
    }

    private static long ascending(MemorySegment s, long at, long bytes, int width, long high) {
        long all = -1;
        for (int i = 0; i < (int) bytes; i += Long.BYTES) {
            long word = Wire.int64(s, at + i);
            long next = Wire.int64(s, at + width + i);
            all &= ((next | high) - (word & ~high)) & ~(word | next);
        }
        return all;
    }

    /// {@return whether all bytes are ASCII}
    public static boolean areAscii(MemoryRange memory, long at, long bytes) {
        return areUpTo(memory, at, bytes, Byte.BYTES, Byte.MAX_VALUE);
    }

    /// The numbers of a word that is not complete; the others are 0.
    private static long lastWord(MemoryRange memory, long at, int bytes) {
        byte[] a = memory.array;
        MemorySegment s = a == null ? memory.segment() : null;
        long word = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            word = word << Byte.SIZE | Wire.word8(a, s, at + i) & 0xFF;
        }
        return word;
    }
}
