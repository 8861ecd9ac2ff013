// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Numbers on the wire: little-endian on every host, at any alignment.
///
/// Every method takes a heap array, or null and a segment. So an array is read with one bounds check and
/// no other test, and other kinds of memory in the process do not slow down either way. The JVM checks
/// both against the memory itself.
public final class Wire {
    /// The most slots of a table: no table of Arrow has more.
    public static final int SLOTS = 8;

    /// Size of an offset, of a length word and of a table's own offset to its vtable.
    public static final int OFFSET_BYTES = 4;

    /// The vtable's own size and the table's.
    public static final int VTABLE_HEAD_BYTES = 4;

    /// A vtable with eight slots.
    public static final int WIDE_VTABLE_BYTES = 20;

    /// Numbers that [#setInt64s] puts faster than a bulk copy does.
    public static final int FEW_LONGS = 128;

    /// The sign of a number of 32 bits, in one of 64.
    private static final long SIGN = 1L << 31;

    /// Native memory, mapped memory included: the mapped class extends it and overrides no accessor.
    static final Class<?> NATIVE = MemorySegment.NULL.getClass();

    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LE);
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LE);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LE);

    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);

    private Wire() {}

    private static VarHandle view(Class<?> numbers) {
        return MethodHandles.byteArrayViewVarHandle(numbers, LE).withInvokeExactBehavior();
    }

    // A JVM that has seen heap, native and mapped segments calls two or three virtual methods for
    // each
    // read of a segment, unless the compiler knows its class. Behind the cast it does, also for the
    // reads that follow in a method: walking a schema takes a third of the time. 64-bit numbers are
    // read where the class is known already.

    private static byte get8(MemorySegment s, long at) {
        return NATIVE.isInstance(s)
                ? MemoryRange.cast(s).get(ValueLayout.JAVA_BYTE, at)
                : s.get(ValueLayout.JAVA_BYTE, at);
    }

    private static short get16(MemorySegment s, long at) {
        return NATIVE.isInstance(s) ? MemoryRange.cast(s).get(SHORT, at) : s.get(SHORT, at);
    }

    private static int get32(MemorySegment s, long at) {
        return NATIVE.isInstance(s) ? MemoryRange.cast(s).get(INT, at) : s.get(INT, at);
    }

    public static byte int8(byte[] a, MemorySegment s, long at) {
        return a != null ? a[(int) at] : own(get8(s, at));
    }

    /// [#int8] for what is neither tested for single bits nor an index into an array whose length
    /// the compiler may know.
    public static byte word8(byte[] a, MemorySegment s, long at) {
        return a != null ? a[(int) at] : get8(s, at);
    }

    public static short int16(byte[] a, MemorySegment s, long at) {
        return a != null ? (short) SHORTS.get(a, (int) at) : get16(s, at);
    }

    public static int int32(byte[] a, MemorySegment s, long at) {
        return a != null ? (int) INTS.get(a, (int) at) : own(get32(s, at));
    }

    /// A signed number, widened.
    public static long long32(byte[] a, MemorySegment s, long at) {
        return a != null
                ? (int) INTS.get(a, (int) at)
                : (get32(s, at) & 0xFFFFFFFFL ^ SIGN) - SIGN; // see own(int)
    }

    public static long uint32(byte[] a, MemorySegment s, long at) {
        return word32(a, s, at) & 0xFFFFFFFFL;
    }

    /// [#int32] for what is only compared with other numbers of 32 bits, or widened without a sign.
    static int word32(byte[] a, MemorySegment s, long at) {
        return a != null ? (int) INTS.get(a, (int) at) : get32(s, at);
    }

    /// A number out of memory that may be mapped, by steps that the compiler does not see through:
    /// flipping the sign's bit, twice.
    ///
    /// C2 makes of a load and its widening with the sign one instruction, and of a load, a mask and a
    /// comparison with zero another one. HotSpot cannot decode these when a page of a mapped file is gone,
    /// and crashes. After these steps the load is an instruction of its own: see `docs/sharing.md`.
    static int own(int loaded) {
        return (loaded ^ Integer.MIN_VALUE) + Integer.MIN_VALUE;
    }

    /// [#own(int)] for a byte, which is one afterwards, even if its load was skipped: C2 leaves out
    /// the check of an index that is a byte, where 256 elements are.
    static byte own(byte loaded) {
        return (byte) ((loaded ^ Byte.MIN_VALUE) + Byte.MIN_VALUE);
    }

    public static long int64(byte[] a, MemorySegment s, long at) {
        return a != null ? (long) LONGS.get(a, (int) at) : s.get(LONG, at);
    }

    /// [#int64] where the class of the segment is not known, for loops over values. In a JVM that has used all kinds
    /// of memory, adding up a million numbers takes 6 ms instead of 23.
    public static long any64(byte[] a, MemorySegment s, long at) {
        if (a != null) {
            return (long) LONGS.get(a, (int) at);
        }
        return NATIVE.isInstance(s) ? MemoryRange.cast(s).get(LONG, at) : s.get(LONG, at);
    }

    public static int int32(byte[] a, int at) {
        return (int) INTS.get(a, at);
    }

    public static long int64(byte[] a, int at) {
        return (long) LONGS.get(a, at);
    }

    public static byte int8(MemorySegment s, long at) {
        return int8(null, s, at);
    }

    public static byte word8(MemorySegment s, long at) {
        return word8(null, s, at);
    }

    public static short int16(MemorySegment s, long at) {
        return int16(null, s, at);
    }

    public static int int32(MemorySegment s, long at) {
        return int32(null, s, at);
    }

    public static long long32(MemorySegment s, long at) {
        return long32(null, s, at);
    }

    public static long uint32(MemorySegment s, long at) {
        return uint32(null, s, at);
    }

    public static long int64(MemorySegment s, long at) {
        return s.get(LONG, at);
    }

    public static void setInt8(byte[] a, MemorySegment s, long at, byte value) {
        if (a != null) {
            a[(int) at] = value;
        } else {
            s.set(ValueLayout.JAVA_BYTE, at, value);
        }
    }

    public static void setInt16(byte[] a, MemorySegment s, long at, short value) {
        if (a != null) {
            SHORTS.set(a, (int) at, value);
        } else {
            s.set(SHORT, at, value);
        }
    }

    public static void setInt32(byte[] a, MemorySegment s, long at, int value) {
        if (a != null) {
            INTS.set(a, (int) at, value);
        } else {
            s.set(INT, at, value);
        }
    }

    public static void setInt64(byte[] a, MemorySegment s, long at, long value) {
        if (a != null) {
            LONGS.set(a, (int) at, value);
        } else {
            s.set(LONG, at, value);
        }
    }

    /// Puts numbers into heap memory; faster than a bulk copy for a few.
    public static void setInt64s(byte[] a, int at, long[] from, int index, int count) {
        for (int i = 0; i < count; i++) {
            LONGS.set(a, at + (i << 3), from[index + i]);
        }
    }

    /// Compares bytes of two memories.
    public static boolean equals(
            byte[] a, MemorySegment s, long at, byte[] b, MemorySegment t, long from, int length) {
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            if (int64(a, s, at + i) != int64(b, t, from + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (word8(a, s, at + i) != word8(b, t, from + i)) {
                return false;
            }
        }
        return true;
    }

    /// The lowest `bits` of a word; none if `bits` is not positive, all from 64 on.
    public static long lowBits(long word, int bits) {
        if (bits >= Long.SIZE) {
            return word;
        }
        return bits <= 0 ? 0 : word & ((1L << bits) - 1);
    }
}
