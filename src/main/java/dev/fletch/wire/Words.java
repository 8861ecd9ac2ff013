// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;

/// Checks many numbers or bytes at once: loops over words of eight bytes, each of which has one,
/// two, four or eight numbers. There is one test for a whole block: loops collect wrong bits by OR,
/// which C2 vectorizes. By AND, it often vectorizes only a half, and the loop takes 1.6 times as
/// long.
///
/// In a word, the numbers of `bits` bits each are its lanes. A subtraction does not borrow from the
/// next lane if the upper operand has the lane's highest bit, and the lower one has not; the
/// highest bit then says whether the lower lane is the smaller one or equal.
///
/// Positions and lengths are in bytes. The caller has checked that the range is in the memory.
///
/// Loops are kept apart by recursion, see [dev.fletch.wire]: otherwise they take three times as
/// long.
public final class Words {
    /// The lowest bit of each lane, by the binary logarithm of the lane's bytes.
    private static final long[] LOWEST = {
        0x0101_0101_0101_0101L, 0x0001_0001_0001_0001L, 0x0000_0001_0000_0001L, 1
    };

    private static final int DETOURS = 2;

    /// Most bytes of one loop: C2 vectorizes those that count by an `int`.
    private static final long BLOCK_BYTES = 1 << 20;

    /// Bytes that are compared by one loop: often, those at the start already differ.
    private static final int COMPARED_BYTES = 4 << 10;

    /// Maximum length in bytes of a value that is inside its view.
    public static final int INLINE_BYTES = 12;

    // For each length of a value in its view, the bits of the first and the second word that must
    // be 0: those behind the value, and of ASCII also the highest of each byte. None for LONG,
    // which stands for all lengths of values that are not in their views.
    private static final int LONG = INLINE_BYTES + 1;
    private static final long[] HEADS = new long[16];
    private static final long[] TAILS = new long[16];
    private static final long[] ASCII_HEADS = new long[16];
    private static final long[] ASCII_TAILS = new long[16];

    static {
        for (int length = 0; length <= INLINE_BYTES; length++) {
            HEADS[length] = length < 4 ? -1L << Integer.SIZE + Byte.SIZE * length : 0;
            TAILS[length] = length < INLINE_BYTES ? -1L << Byte.SIZE * Math.max(0, length - 4) : 0;
            ASCII_HEADS[length] = HEADS[length] | Utf8Checker.HIGH_BITS << Integer.SIZE;
            ASCII_TAILS[length] = TAILS[length] | Utf8Checker.HIGH_BITS;
        }
    }

    private Words() {}

    /// The highest bit of each lane of `width` bytes.
    private static long highest(int width) {
        return LOWEST[Integer.numberOfTrailingZeros(width)] << Byte.SIZE * width - 1;
    }

    /// Does the work of [dev.fletch.flatbuf.ByteSlice#areUpTo].
    ///
    /// @param position position of the first number
    /// @param bytes of all numbers, a multiple of the width
    public static boolean areUpTo(
            MemoryRange memory, long position, long bytes, int width, long max) {
        long high = highest(width);
        long limit = LOWEST[Integer.numberOfTrailingZeros(width)] * max | high;
        long words = bytes & -Long.BYTES;
        long wrong = 0;
        for (long from = 0; from < words && (wrong & high) == 0; from += BLOCK_BYTES) {
            int block = (int) Math.min(BLOCK_BYTES, words - from);
            wrong |= upTo(memory, position + from, block, high, limit, DETOURS);
        }
        if (bytes != words) {
            long last = lastWord(memory, position + words, (int) (bytes - words));
            wrong |= ~(limit - (last & ~high)) | last;
        }
        return (wrong & high) == 0;
    }

    private static long upTo(
            MemoryRange memory, long position, int bytes, long high, long limit, int detours) {
        if (detours != 0) {
            return upTo(memory, position, bytes, high, limit, detours - 1);
        }
        byte[] a = memory.array;
        MemorySegment s = memory.plainSegment();
        long wrong = 0;
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long word = Wire.any64(a, s, position + i);
            wrong |= ~(limit - (word & ~high)) | word;
        }
        return wrong;
    }

    /// Does the work of [dev.fletch.flatbuf.ByteSlice#areAscending].
    ///
    /// @param position position of the first number
    /// @param bytes of all numbers but the last, a multiple of the width
    public static boolean ascend(MemoryRange memory, long position, long bytes, int width) {
        long high = highest(width);
        long words = bytes & -Long.BYTES;
        long wrong = 0;
        for (long from = 0; from < words && (wrong & high) == 0; from += BLOCK_BYTES) {
            int block = (int) Math.min(BLOCK_BYTES, words - from);
            wrong |= ascending(memory, position + from, block, width, high, DETOURS);
        }
        long last = lastWord(memory, position + bytes, width);
        wrong |= last;
        if (bytes != words) {
            long before = lastWord(memory, position + words, width);
            wrong |= ~((last | high) - (before & ~high)) | before;
        }
        return (wrong & high) == 0;
    }

    private static long ascending(
            MemoryRange memory, long position, int bytes, int width, long high, int detours) {
        if (detours != 0) {
            return ascending(memory, position, bytes, width, high, detours - 1);
        }
        byte[] a = memory.array;
        MemorySegment s = memory.plainSegment();
        long wrong = 0;
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long word = Wire.any64(a, s, position + i);
            long next = Wire.any64(a, s, position + width + i);
            wrong |= ~((next | high) - (word & ~high)) | word | next;
        }
        return wrong;
    }

    /// Returns whether memory that is no array has the bytes of an array. [MemorySegment#mismatch]
    /// is faster, but crashes the JVM when a mapped file has been shortened.
    public static boolean areEqual(
            MemoryRange memory, long position, byte[] bytes, int from, int length) {
        int words = length & -Long.BYTES;
        for (int i = 0; i < words; i += COMPARED_BYTES) {
            int block = Math.min(COMPARED_BYTES, words - i);
            if (!isSame(memory, position + i, bytes, from + i, block, DETOURS)) {
                return false;
            }
        }
        int left = length - words;
        return Wire.equals(
                null, memory.segment(), position + words, bytes, null, from + words, left);
    }

    private static boolean isSame(
            MemoryRange memory, long position, byte[] bytes, int from, int length, int detours) {
        if (detours != 0) {
            return isSame(memory, position, bytes, from, length, detours - 1);
        }
        MemorySegment s = memory.plainSegment();
        long different = 0;
        for (int i = 0; i < length; i += Long.BYTES) {
            different |= Wire.any64(null, s, position + i) ^ Wire.int64(bytes, from + i);
        }
        return different == 0;
    }

    // ---- views of 16 bytes

    /// {@return whether the bytes behind a value in its view are 0}
    ///
    /// @param length of the value, from 0 to [#INLINE_BYTES]
    /// @param prefix the second number of 32 bits
    /// @param tail the second word
    public static boolean isPadded(int length, long prefix, long tail) {
        return (prefix << Integer.SIZE & HEADS[length] | tail & TAILS[length]) == 0;
    }

    /// Does the work of [dev.fletch.flatbuf.ByteSlice#soundViews]. No branch depends on the kind of
    /// a view, which no processor can predict: a view without bytes in the memory reads those at
    /// its start.
    public static int soundViews(
            MemoryRange memory,
            long[] views,
            int from,
            int to,
            int number,
            long end,
            boolean isAscii) {
        long[] heads = isAscii ? ASCII_HEADS : HEADS;
        long[] tails = isAscii ? ASCII_TAILS : TAILS;
        byte[] a = memory.array;
        MemorySegment s = a == null ? memory.segment() : null; // must be in this method
        long start = memory.start;
        int i = from;
        while (i < to) {
            long head = views[2 * i];
            long tail = views[2 * i + 1];
            int kind = (int) Math.min(head & 0xFFFF_FFFFL, LONG) & 15;
            long isLong = INLINE_BYTES - kind >> 31; // all bits, or none
            long length = (int) head;
            long offset = tail >> Integer.SIZE;
            long outside = (length | offset | end - offset - length) >> 63;
            long wrong = head & heads[kind] | tail & tails[kind];
            if ((wrong | isLong & (outside | (int) tail ^ number)) != 0) {
                return i;
            }
            int prefix = Wire.int32(a, s, start + (offset & isLong));
            if ((isLong & (prefix ^ (int) (head >> Integer.SIZE))) != 0) {
                return i;
            }
            i++;
        }
        return i;
    }

    /// The numbers of a word that is not complete; the others are 0.
    private static long lastWord(MemoryRange memory, long position, int bytes) {
        byte[] a = memory.array;
        MemorySegment s = a == null ? memory.segment() : null;
        long word = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            word = word << Byte.SIZE | Wire.word8(a, s, position + i) & 0xFF;
        }
        return word;
    }
}
