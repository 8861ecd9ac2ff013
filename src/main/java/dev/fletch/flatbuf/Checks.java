// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;

/// The part of [VerifierEngine] that checks one thing at a time: an offset, a string, a vector, a
/// vtable. Positions count from the buffer's first byte.
///
/// What is wrong is kept, not reported: only the caller knows whether it is, and under which path.
abstract class Checks {
    /// No position.
    static final long NOWHERE = -1;

    /// Lengths and counts in bytes must be below it.
    private static final long MAX_BYTES = Integer.MAX_VALUE;

    final VerifierOptions options;
    private final int wordMask;
    private final int vtableMask;
    private final boolean tableSizes;
    private final boolean vtableSizes;
    private final boolean utf8Strings;
    private final VectorAlignment vectorAlignment;

    final Utf8Checker utf8 = new Utf8Checker();
    long size;

    /// Number of the present verification.
    long round;

    /// How many elements the vector has that was checked last.
    long count;

    /// Whether a stricter rule has been broken already, and what is there is looked at all the same.
    boolean lenient;

    FaultCode foundCode;
    long foundAt;
    long foundValue;

    Checks(VerifierOptions options) {
        this.options = options;
        wordMask = options.checkAlignment() ? Integer.BYTES - 1 : 0;
        vtableMask = options.checkAlignment() ? Short.BYTES - 1 : 0;
        tableSizes = options.checkTableSize();
        vtableSizes = options.checkVtableSize();
        utf8Strings = options.checkUtf8();
        vectorAlignment = options.vectorAlignment();
    }

    final boolean found(FaultCode code, long at, long value) {
        foundCode = code;
        foundAt = at;
        foundValue = value;
        return false;
    }

    private long nowhere(FaultCode code, long at, long value) {
        found(code, at, value);
        return NOWHERE;
    }

    final boolean misaligned(long at) {
        return (at & wordMask) != 0;
    }

    /// Follows an offset whose own place is right.
    ///
    /// @return where it leads, or [#NOWHERE]
    final long follow(byte[] a, MemorySegment s, long base, long at) {
        final int offset = Wire.int32(a, s, base + at);
        if (offset > 0 && offset < size - at) {
            return at + offset;
        }
        return nowhere(
                offset == 0
                        ? FaultCode.OFFSET_ZERO
                        : offset < 0
                                ? FaultCode.OFFSET_TOO_LARGE
                                : FaultCode.OFFSET_TARGET_OUT_OF_RANGE,
                at,
                offset & 0xFFFF_FFFFL);
    }

    /// Checks a string by the offset that leads there.
    final boolean string(byte[] a, MemorySegment s, long base, long offsetAt) {
        final long at = follow(a, s, base, offsetAt);
        if (at == NOWHERE) {
            return false;
        }
        final long room = size - at - Wire.OFFSET_BYTES;
        if (misaligned(at)) {
            return found(FaultCode.STRING_MISALIGNED, offsetAt, at);
        }
        if (room < 0) {
            return found(FaultCode.STRING_OUT_OF_RANGE, offsetAt, at);
        }
        final long length = Wire.uint32(a, s, base + at);
        if (length >= room || length >= MAX_BYTES) {
            return longString(at, length, room);
        }
        final long chars = at + Wire.OFFSET_BYTES;
        final byte behind = Wire.word8(a, s, base + chars + length);
        if (behind != 0) {
            return found(FaultCode.STRING_UNTERMINATED, chars + length, behind & 0xFF);
        }
        if (utf8Strings && !utf8.isUtf8(a, s, base, chars, length)) {
            return found(FaultCode.STRING_NOT_UTF8, chars, length);
        }
        return true;
    }

    private boolean longString(long at, long length, long room) {
        if (length >= MAX_BYTES) {
            return found(FaultCode.STRING_TOO_LONG, at, length);
        }
        if (length > room) {
            return found(FaultCode.STRING_LENGTH_OUT_OF_RANGE, at, length);
        }
        return found(FaultCode.STRING_UNTERMINATED, at, -1);
    }

    /// Checks a vector of numbers or structs of a table.
    final boolean vector(byte[] a, MemorySegment s, long base, long table, int vector) {
        final int bytes = VtablePlan.elementBytes(vector);
        final int align = VtablePlan.elementAlignment(vector);
        return vector(a, s, base, table + (vector & 0xFFFF), bytes, align) != NOWHERE;
    }

    /// Checks a vector by the offset that leads there, but not its elements.
    ///
    /// @return the position of its length word, or [#NOWHERE]
    final long vector(byte[] a, MemorySegment s, long base, long offsetAt, int bytes, int align) {
        final long at = follow(a, s, base, offsetAt);
        if (at == NOWHERE) {
            return NOWHERE;
        }
        final long room = size - at - Wire.OFFSET_BYTES;
        if (misaligned(at)) {
            return nowhere(FaultCode.VECTOR_MISALIGNED, offsetAt, at);
        }
        if (room < 0) {
            return nowhere(FaultCode.VECTOR_OUT_OF_RANGE, offsetAt, at);
        }
        count = Wire.uint32(a, s, base + at);
        final long all = count * bytes;
        if (all > room || all >= MAX_BYTES - bytes) {
            if (count >= MAX_BYTES / bytes) {
                return nowhere(FaultCode.VECTOR_TOO_LONG, at, count);
            }
            if (all > room) {
                return nowhere(FaultCode.VECTOR_COUNT_OUT_OF_RANGE, at, count);
            }
        }
        if (vectorAlignment != VectorAlignment.NONE
                && !lenient
                && !elementsAligned(at, count, align)) {
            return nowhere(FaultCode.ELEMENTS_MISALIGNED, offsetAt, at + Wire.OFFSET_BYTES);
        }
        return at;
    }

    final boolean elementsAligned(long vector, long count, int align) {
        return ((vector + Wire.OFFSET_BYTES) & (align - 1)) == 0
                || (count == 0 && vectorAlignment == VectorAlignment.NON_EMPTY);
    }

    /// Finds what the vtable of a table means, whose own place is right.
    ///
    /// @return null if something is wrong with it
    final VtablePlan planFor(byte[] a, MemorySegment s, long base, TableKind kind, long table) {
        final long at = table - Wire.long32(a, s, base + table);
        final VtablePlan last = kind.last;
        return last.isAt(round, at) ? last : otherPlan(a, s, base, kind, table, at);
    }

    private VtablePlan otherPlan(
            byte[] a, MemorySegment s, long base, TableKind kind, long table, long at) {
        final VtablePlan known = kind.planAt(round, at);
        if (known != null) {
            return known;
        }
        if (!vtableFits(a, s, base, table, at)) {
            return null;
        }
        final int bytes = Wire.int16(a, s, base + at) & 0xFFFF;
        final int tableSize =
                tableSizes && bytes >= Wire.VTABLE_HEAD_BYTES
                        ? Wire.int16(a, s, base + at + Short.BYTES) & 0xFFFF
                        : VtablePlan.NO_TABLE_SIZE;
        final long slots = base + at + Wire.VTABLE_HEAD_BYTES;
        final int own = bytes - Wire.VTABLE_HEAD_BYTES;
        final long low;
        final long high;
        if (size - at >= Wire.WIDE_VTABLE_BYTES) {
            // Two loads for eight slots; what lies behind the vtable is cut off.
            low = Wire.int64(a, s, slots);
            high = Wire.int64(a, s, slots + Long.BYTES);
        } else {
            // At the very end of the buffer, where that would read too far.
            low = lanes(a, s, slots, Math.min(own, Long.BYTES));
            high = lanes(a, s, slots + Long.BYTES, own - Long.BYTES);
        }
        return kind.planOf(round, at, low, high, own, tableSize);
    }

    private boolean vtableFits(byte[] a, MemorySegment s, long base, long table, long at) {
        final long room = size - at;
        if ((at & vtableMask) != 0) {
            return found(FaultCode.VTABLE_MISALIGNED, table, table - at);
        }
        if (at < 0 || room < Short.BYTES) {
            return found(FaultCode.VTABLE_OUT_OF_RANGE, table, table - at);
        }
        final int bytes = Wire.int16(a, s, base + at) & 0xFFFF;
        if ((bytes & 1) != 0) {
            return found(FaultCode.VTABLE_SIZE_ODD, at, bytes);
        }
        if (bytes > room || bytes >= size) {
            return found(FaultCode.VTABLE_SIZE_OUT_OF_RANGE, at, bytes);
        }
        if (vtableSizes && bytes < Wire.VTABLE_HEAD_BYTES) {
            return found(FaultCode.VTABLE_TOO_SMALL, at, bytes);
        }
        return true;
    }

    private static long lanes(byte[] a, MemorySegment s, long at, int bytes) {
        long word = 0;
        for (int i = 0; i < bytes; i += Short.BYTES) {
            word |= (Wire.int16(a, s, at + i) & 0xFFFFL) << (i << 3);
        }
        return word;
    }
}
