// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Loads and stores numbers: little-endian on every host, at any alignment.
///
/// Each method takes a heap array, or null and a segment. Reading an array so costs one bounds
/// check and no other test, and using several kinds of memory in one process slows down neither.
/// The JVM checks the bounds of both.
public final class Wire {
    /// Maximum number of slots of a table; Arrow's tables have no more.
    public static final int SLOTS = 8;

    /// Size in bytes of an offset, of a length word and of a table's offset to its vtable.
    public static final int OFFSET_BYTES = 4;

    /// Size in bytes of a vtable's first two words: its own size and the table's.
    public static final int VTABLE_HEAD_BYTES = 4;

    /// Size in bytes of a vtable with eight slots.
    public static final int WIDE_VTABLE_BYTES = 20;

    /// The longest array that every JVM can allocate: some need a few words for its header.
    public static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    /// Up to this count, [#setInt64s] is faster than a bulk copy.
    public static final int FEW_LONGS = 128;

    /// The sign bit of a 32-bit number, in a 64-bit number.
    private static final long SIGN = 1L << 31;

    /// Native memory, mapped memory included: the mapped class extends it and overrides no
    /// accessor.
    static final Class<?> NATIVE = MemorySegment.NULL.getClass();

    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    public static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LE);
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LE);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LE);

    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);

    private Wire() {}

    private static VarHandle view(Class<?> numbers) {
        return MethodHandles.byteArrayViewVarHandle(numbers, LE).withInvokeExactBehavior();
    }

    // In a JVM that has used heap, native and mapped segments, each read of a segment makes two or
    // three virtual calls, unless the compiler knows the segment's class. After the cast it does,
    // also for later reads in the same method: walking a schema takes a third of the time. 64-bit
    // numbers are read where the class is already known.

    private static byte get8(MemorySegment s, long position) {
        return NATIVE.isInstance(s)
                ? MemoryRange.cast(s).get(ValueLayout.JAVA_BYTE, position)
                : s.get(ValueLayout.JAVA_BYTE, position);
    }

    private static short get16(MemorySegment s, long position) {
        return NATIVE.isInstance(s)
                ? MemoryRange.cast(s).get(SHORT, position)
                : s.get(SHORT, position);
    }

    private static int get32(MemorySegment s, long position) {
        return NATIVE.isInstance(s) ? MemoryRange.cast(s).get(INT, position) : s.get(INT, position);
    }

    public static byte int8(byte[] a, MemorySegment s, long position) {
        return a != null ? a[(int) position] : apart(get8(s, position));
    }

    /// [#int8] for values that are neither tested for single bits nor used as an index into an
    /// array of known length.
    public static byte word8(byte[] a, MemorySegment s, long position) {
        return a != null ? a[(int) position] : get8(s, position);
    }

    public static short int16(byte[] a, MemorySegment s, long position) {
        return a != null ? (short) SHORTS.get(a, (int) position) : get16(s, position);
    }

    public static int int32(byte[] a, MemorySegment s, long position) {
        return a != null ? (int) INTS.get(a, (int) position) : apart(get32(s, position));
    }

    /// A signed 32-bit number, widened.
    public static long long32(byte[] a, MemorySegment s, long position) {
        return a != null
                ? (int) INTS.get(a, (int) position)
                : (get32(s, position) & 0xFFFFFFFFL ^ SIGN) - SIGN; // see apart(int)
    }

    public static long uint32(byte[] a, MemorySegment s, long position) {
        return word32(a, s, position) & 0xFFFFFFFFL;
    }

    /// [#int32] for values that are only compared with 32-bit numbers, or widened without a sign.
    static int word32(byte[] a, MemorySegment s, long position) {
        return a != null ? (int) INTS.get(a, (int) position) : get32(s, position);
    }

    /// Returns a number loaded from memory that may be mapped, by steps that the compiler does not
    /// merge: flips the sign bit twice.
    ///
    /// C2 merges a load and its sign extension into one instruction, and a load, a mask and a
    /// comparison with zero into another. HotSpot cannot decode these instructions when a page of a
    /// mapped file is gone, and crashes. With these steps the load is a separate instruction: see
    /// `docs/concepts/memory.md`.
    static int apart(int loaded) {
        return (loaded ^ Integer.MIN_VALUE) + Integer.MIN_VALUE;
    }

    /// [#apart(int)] for a byte. The result is a byte even if its load was skipped: C2 omits the
    /// bounds check of a byte index into 256 elements.
    static byte apart(byte loaded) {
        return (byte) ((loaded ^ Byte.MIN_VALUE) + Byte.MIN_VALUE);
    }

    public static long int64(byte[] a, MemorySegment s, long position) {
        return a != null ? (long) LONGS.get(a, (int) position) : s.get(LONG, position);
    }

    /// [#int64] if the class of the segment is unknown, for loops over values. In a JVM that has
    /// used all kinds of memory, adding a million numbers takes 6 ms instead of 23.
    public static long any64(byte[] a, MemorySegment s, long position) {
        if (a != null) {
            return (long) LONGS.get(a, (int) position);
        }
        return NATIVE.isInstance(s)
                ? MemoryRange.cast(s).get(LONG, position)
                : s.get(LONG, position);
    }

    public static int int32(byte[] a, int position) {
        return (int) INTS.get(a, position);
    }

    public static long int64(byte[] a, int position) {
        return (long) LONGS.get(a, position);
    }

    public static byte int8(MemorySegment s, long position) {
        return int8(null, s, position);
    }

    public static short int16(MemorySegment s, long position) {
        return int16(null, s, position);
    }

    public static int int32(MemorySegment s, long position) {
        return int32(null, s, position);
    }

    public static long uint32(MemorySegment s, long position) {
        return uint32(null, s, position);
    }

    public static long int64(MemorySegment s, long position) {
        return s.get(LONG, position);
    }

    public static void setInt8(byte[] a, MemorySegment s, long position, byte value) {
        if (a != null) {
            a[(int) position] = value;
        } else {
            s.set(ValueLayout.JAVA_BYTE, position, value);
        }
    }

    public static void setInt16(byte[] a, MemorySegment s, long position, short value) {
        if (a != null) {
            SHORTS.set(a, (int) position, value);
        } else {
            s.set(SHORT, position, value);
        }
    }

    public static void setInt32(byte[] a, MemorySegment s, long position, int value) {
        if (a != null) {
            INTS.set(a, (int) position, value);
        } else {
            s.set(INT, position, value);
        }
    }

    public static void setInt64(byte[] a, MemorySegment s, long position, long value) {
        if (a != null) {
            LONGS.set(a, (int) position, value);
        } else {
            s.set(LONG, position, value);
        }
    }

    /// Stores numbers in a heap array; faster than a bulk copy for a few numbers.
    public static void setInt64s(byte[] a, int position, long[] from, int index, int count) {
        for (int i = 0; i < count; i++) {
            LONGS.set(a, position + (i << 3), from[index + i]);
        }
    }

    /// Compares two ranges of bytes.
    public static boolean equals(
            byte[] a,
            MemorySegment s,
            long position,
            byte[] b,
            MemorySegment t,
            long from,
            int length) {
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            if (int64(a, s, position + i) != int64(b, t, from + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (word8(a, s, position + i) != word8(b, t, from + i)) {
                return false;
            }
        }
        return true;
    }

    /// The lowest `bits` of a word; 0 if `bits` is not positive, the word from 64 on.
    public static long lowBits(long word, int bits) {
        if (bits >= Long.SIZE) {
            return word;
        }
        return bits <= 0 ? 0 : word & ((1L << bits) - 1);
    }
}
