// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Looks for a name in a vector of tables, and reads of each table no more than the head of its
/// vtable, if that is another one than the table's before, and the length and the end of its name.
///
/// What it buys: one small loop whose values all stay in registers, where else a flyweight is bound
/// to each table. The ends of names are compared first, as many begin alike.
///
/// It decides nothing that is out of the ordinary: a table without a name, one that leads out of
/// the range, one so near to its end that a wide read would pass it. Whoever calls it looks at such
/// a table exactly.
final class NameScan {
    /// Slots that the first word of a vtable has, behind both sizes.
    private static final int SLOTS = 2;

    private NameScan() {}

    /// Goes along a vector.
    ///
    /// @param range the memory and the wrapped range
    /// @param vector position of the vector's length word; all of the vector is in range
    /// @param from which table to begin with
    /// @param count how many tables the vector has
    /// @param slot of the name; from [#SLOTS] on, each table is to be looked at exactly
    /// @param wanted UTF-8 bytes
    /// @param length how many of them
    /// @return index of the first table that has the name; that of one to be looked at exactly, with
    ///     all bits inverted, if that comes before; `count` if there is neither
    static int find(
            Source range, long vector, int from, int count, int slot, byte[] wanted, int length) {
        Objects.checkFromIndexSize(0, length, wanted.length);
        if (slot >= SLOTS) {
            return ~from;
        }
        final byte[] a = range.array;
        final MemorySegment s = a == null ? range.segment() : null;
        final long first = vector + Wire.OFFSET_BYTES;
        final long start = range.start;
        final long lastWord = range.end - Long.BYTES;
        final int sizeWithSlot = Wire.VTABLE_HEAD_BYTES + (slot + 1) * Short.BYTES;
        final int shift = Integer.SIZE + slot * Short.SIZE;
        final int before = Math.max(0, length - Long.BYTES);
        final long mask = Wire.lowBits(-1, Math.min(length, Long.BYTES) << 3);
        final long end = endOf(wanted, before, length);
        // Most tables share a vtable with the one before: a tenth to a fifth of the time.
        long known = Flyweight.UNBOUND;
        int distance = 0;
        for (int i = from; i < count; i++) {
            final long offset = first + ((long) i << 2);
            final long table = offset + Wire.uint32(a, s, offset);
            if (table > lastWord) {
                return ~i;
            }
            final long vtable = table - Wire.long32(a, s, table);
            if (vtable != known) {
                if (vtable < start || vtable > lastWord) {
                    return ~i;
                }
                final long head = Wire.int64(a, s, vtable);
                distance = (int) (head >>> shift) & 0xFFFF;
                if (((int) head & 0xFFFE) < sizeWithSlot || distance == 0) {
                    return ~i;
                }
                known = vtable;
            }
            final long field = table + distance;
            if (field > lastWord) {
                return ~i;
            }
            final long name = field + Wire.uint32(a, s, field);
            if (name > lastWord) {
                return ~i;
            }
            if (Wire.word32(a, s, name) != length) {
                continue;
            }
            final long text = name + Wire.OFFSET_BYTES;
            if (text + before > lastWord) {
                return ~i;
            }
            if ((Wire.int64(a, s, text + before) & mask) == end
                    && (before == 0 || same(a, s, text, wanted, before))) {
                return i;
            }
        }
        return count;
    }

    /// The last eight bytes of a name, or all of a shorter one.
    static long endOf(byte[] wanted, int from, int to) {
        long word = 0;
        for (int i = from, shift = 0; i < to; i++, shift += Byte.SIZE) {
            word |= (wanted[i] & 0xFFL) << shift;
        }
        return word;
    }

    /// Compares what is before the last eight bytes, with words that may reach into these.
    static boolean same(byte[] a, MemorySegment s, long text, byte[] wanted, int before) {
        for (int i = 0; i < before; i += Long.BYTES) {
            if (Wire.int64(a, s, text + i) != Wire.int64(wanted, i)) {
                return false;
            }
        }
        return true;
    }
}
