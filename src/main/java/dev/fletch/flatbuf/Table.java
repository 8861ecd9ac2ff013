// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/// A flyweight over one table of a FlatBuffer: what all of them share.
///
/// ```text
///   table   position ──► i32  soffset; the vtable is at position - soffset
///                             fields, each at position + the value of its slot
///   vtable               u16  size of the vtable in bytes
///                        u16  size of the table in bytes
///                        u16  slot 0, slot 1, …; 0 where the field is absent
/// ```
///
/// A subclass decodes in a method of its own: it calls [#open], then takes what the table has into
/// plain fields. Its accessors then cost the method that uses them nothing of the compiler's inlining
/// budget. At most eight slots are looked at; no table of Arrow has more.
///
/// The methods for decoding take the memory as [#array()] and [#segment()] give it, in locals of the
/// caller, so that the compiler keeps them in registers.
public abstract non-sealed class Table extends Flyweight {
    private static final int SLOTS = 8;

    private Source own;

    // The vtable that was read last, and its slots: most tables of a kind share one. A position is
    // valid only for the bytes it was read from, so it is forgotten with the epoch.
    private long vtable = UNBOUND;
    private long lowSlots;
    private long highSlots;
    // No field of a table with this vtable ends further than this many bytes behind its start.
    private int reach;

    /// Creates a flyweight that is bound to nothing.
    protected Table() {}

    // ---- binding

    /// Wraps a range as a buffer whose root is this flyweight's table.
    ///
    /// @param memory any segment
    /// @param offset first byte of the range
    /// @param length length of the range in bytes
    /// @return the root table's position, for [#open]
    protected final long wrapRoot(MemorySegment memory, long offset, long length) {
        final Source range = ownSource();
        range.wrap(memory, offset, length);
        return root(range);
    }

    /// Wraps what is between a buffer's position and its limit.
    ///
    /// @param buffer any buffer
    /// @return the root table's position, for [#open]
    protected final long wrapRoot(ByteBuffer buffer) {
        final Source range = ownSource();
        range.wrap(buffer);
        return root(range);
    }

    private Source ownSource() {
        if (own == null) {
            own = new Source();
        }
        share(own);
        return own;
    }

    private long root(Source range) {
        final long length = range.end - range.start;
        if (length < Wire.OFFSET_BYTES) {
            throw malformed("buffer length", range.start, length);
        }
        return range.start + Wire.uint32(array(), segment(), range.start);
    }

    /// Takes `at` as the position of this table, and reads its vtable. Afterwards every field that is
    /// present is in range.
    ///
    /// @param from the flyweight that leads here; this one itself for a root
    /// @param at the table's position, unchecked
    /// @param sizes the fields' sizes in bytes, slot 0 in the lowest byte
    protected final void open(Table from, long at, long sizes) {
        final Source memory = from == this ? source : from.live();
        share(memory);
        final byte[] a = array();
        final MemorySegment s = segment();
        final long room = memory.end - at;
        if (room < Wire.OFFSET_BYTES) {
            throw malformed("table", at, room);
        }
        final long found = at - Wire.int32(a, s, at);
        if (found != vtable || memory.epoch != epoch) {
            readVtable(a, s, memory, found);
        }
        position = at;
        if (room < reach) {
            checkFields(room, sizes);
        }
    }

    private void readVtable(byte[] a, MemorySegment s, Source memory, long at) {
        final long room = memory.end - at;
        if (at < memory.start || room < Short.BYTES) {
            throw malformed("vtable", at, room);
        }
        final int size = Wire.int16(a, s, at) & 0xFFFE; // a slot cut in half is none
        if (size > room) {
            throw malformed("vtable size", at, size);
        }
        if (room >= Wire.WIDE_VTABLE_BYTES) {
            // Two loads for eight slots; what lies behind the vtable is cut off.
            final int bits = (size - Wire.VTABLE_HEAD_BYTES) * Byte.SIZE;
            final long slots = at + Wire.VTABLE_HEAD_BYTES;
            lowSlots = Wire.lowBits(Wire.int64(a, s, slots), bits);
            highSlots = Wire.lowBits(Wire.int64(a, s, slots + Long.BYTES), bits - Long.SIZE);
        } else {
            readSlots(a, s, at, size);
        }
        vtable = at;
        epoch = memory.epoch;
        // All slots' bits together are at least the greatest slot.
        long all = lowSlots | highSlots;
        all |= all >>> 32;
        all |= all >>> 16;
        reach = ((int) all & 0xFFFF) + Wire.LONGEST_FIELD_BYTES;
    }

    /// Reads the slots of a vtable at the very end of the range, one by one.
    private void readSlots(byte[] a, MemorySegment s, long at, int size) {
        lowSlots = 0;
        highSlots = 0;
        for (int slot = 0, p = Wire.VTABLE_HEAD_BYTES; p < size && slot < SLOTS; slot++, p += 2) {
            final long value = (Wire.int16(a, s, at + p) & 0xFFFFL) << ((slot & 3) << 4);
            if (slot < 4) {
                lowSlots |= value;
            } else {
                highSlots |= value;
            }
        }
    }

    /// [#reach] is rounded up, so a table at the very end of the range is looked at exactly.
    private void checkFields(long room, long sizes) {
        for (int i = 0; i < SLOTS; i++) {
            final int at = slot(i);
            final int size = (int) (sizes >>> (i << 3)) & 0xFF;
            if (at != 0 && size != 0 && at > room - size) {
                throw malformed("slot " + i, position, at);
            }
        }
    }

    // ---- decoding

    /// Finds a field.
    ///
    /// @param index the slot's number
    /// @return bytes from the table's position to the field, 0 if it is absent
    protected final int slot(int index) {
        final long slots = index < 4 ? lowSlots : highSlots;
        return (int) (slots >>> (index << 4)) & 0xFFFF; // a shift counts modulo 64
    }

    /// Decodes a byte.
    ///
    /// @return the field, or `absent` if it is absent
    protected final byte int8(byte[] a, MemorySegment s, int slot, int absent) {
        final int x = slot(slot);
        return x == 0 ? (byte) absent : Wire.int8(a, s, position + x);
    }

    /// Decodes a 16-bit number.
    ///
    /// @return the field, or `absent` if it is absent
    protected final short int16(byte[] a, MemorySegment s, int slot, int absent) {
        final int x = slot(slot);
        return x == 0 ? (short) absent : Wire.int16(a, s, position + x);
    }

    /// Decodes a 32-bit number.
    ///
    /// @return the field, or `absent` if it is absent
    protected final int int32(byte[] a, MemorySegment s, int slot, int absent) {
        final int x = slot(slot);
        return x == 0 ? absent : Wire.int32(a, s, position + x);
    }

    /// Decodes a 64-bit number.
    ///
    /// @return the field, or `absent` if it is absent
    protected final long int64(byte[] a, MemorySegment s, int slot, long absent) {
        final int x = slot(slot);
        return x == 0 ? absent : Wire.int64(a, s, position + x);
    }

    /// Finds a struct that lies in the table.
    ///
    /// @return its position, 0 if the field is absent
    protected final long inlineStruct(int slot) {
        final int x = slot(slot);
        return x == 0 ? 0 : position + x;
    }

    /// Follows an offset to a table, which [#open] checks when it is bound.
    ///
    /// @return the table's position, unchecked; 0 if the field is absent
    protected final long reference(byte[] a, MemorySegment s, int slot) {
        final int x = slot(slot);
        return x == 0 ? 0 : position + x + Wire.uint32(a, s, position + x);
    }

    /// Follows an offset to the length word of a string or a vector.
    ///
    /// @return the position of that word, which is in range; 0 if the field is absent
    protected final long target(byte[] a, MemorySegment s, int slot) {
        final int x = slot(slot);
        if (x == 0) {
            return 0;
        }
        final long p = position + x;
        final long target = p + Wire.uint32(a, s, p);
        if (target > source.end - Wire.OFFSET_BYTES) {
            throw malformed("offset", p, target - p);
        }
        return target;
    }

    /// Decodes the length word of a string or vector, all of whose elements are in range.
    ///
    /// @param target what [#target] returned
    /// @param elementShift the element's size as a power of two: 0 for a string, 4 for 16 bytes
    /// @return the number of elements, 0 if the field is absent
    protected final int count(byte[] a, MemorySegment s, long target, int elementShift) {
        if (target == 0) {
            return 0;
        }
        final int count = Wire.int32(a, s, target);
        if (count < 0 || count > (source.end - Wire.OFFSET_BYTES - target) >>> elementShift) {
            throw malformed("length", target, count & 0xFFFFFFFFL);
        }
        return count;
    }

    /// [#count] for elements whose size is no power of two.
    ///
    /// @param elementBytes the element's size
    /// @return the number of elements, 0 if the field is absent
    protected final int countOf(byte[] a, MemorySegment s, long target, int elementBytes) {
        final int count = count(a, s, target, 0);
        if (count > (source.end - Wire.OFFSET_BYTES - target) / elementBytes) {
            throw malformed("length", target, count);
        }
        return count;
    }

    // ---- vectors and strings; a vector is given by the position of its length word

    private long elementAt(long vector, int index, int count, int shift) {
        live();
        return vector + Wire.OFFSET_BYTES + ((long) Objects.checkIndex(index, count) << shift);
    }

    /// Follows an element of a vector of tables.
    ///
    /// @return the table's position, unchecked
    /// @throws IndexOutOfBoundsException if there is no such element
    protected final long element(long vector, int index, int count) {
        final long p = elementAt(vector, index, count, 2);
        return p + Wire.uint32(array(), segment(), p);
    }

    /// Reads an element of a vector of 32-bit numbers.
    protected final int int32Element(long vector, int index, int count) {
        return Wire.int32(array(), segment(), elementAt(vector, index, count, 2));
    }

    /// Reads an element of a vector of 64-bit numbers.
    protected final long int64Element(long vector, int index, int count) {
        return Wire.int64(array(), segment(), elementAt(vector, index, count, 3));
    }

    /// Sets an element of a vector of 32-bit numbers in place.
    protected final void setInt32Element(long vector, int index, int count, int value) {
        Wire.setInt32(array(), segment(), elementAt(vector, index, count, 2), value);
    }

    /// Sets an element of a vector of 64-bit numbers in place.
    protected final void setInt64Element(long vector, int index, int count, long value) {
        Wire.setInt64(array(), segment(), elementAt(vector, index, count, 3), value);
    }

    /// Copies all numbers of a vector whose elements are made of 64-bit numbers.
    ///
    /// @param longs numbers per element
    /// @return how many numbers were copied
    /// @throws IndexOutOfBoundsException if they don't fit
    protected final int copyLongs(long vector, int count, int longs, long[] into, int at) {
        final int all = count * longs;
        Objects.checkFromIndexSize(at, all, into.length);
        if (all != 0) {
            live().copy(vector + Wire.OFFSET_BYTES, into, at, all);
        }
        return all;
    }

    /// Binds a slice to a string.
    ///
    /// @return false if it is absent; the slice is then left as it was
    protected final boolean slice(long target, int length, Utf8Slice into) {
        if (target == 0) {
            return false;
        }
        live();
        into.bind(array(), segment(), target + Wire.OFFSET_BYTES, length);
        return true;
    }

    /// Tells whether a string is present and has exactly these characters.
    protected final boolean sliceEquals(long target, int length, CharSequence text) {
        if (target == 0) {
            return false;
        }
        live();
        return Utf8.equals(array(), segment(), target + Wire.OFFSET_BYTES, length, text);
    }

    /// Decodes a string, null if it is absent.
    protected final String string(long target, int length) {
        if (target == 0) {
            return null;
        }
        live();
        return Utf8.decode(array(), segment(), target + Wire.OFFSET_BYTES, length);
    }

    // ---- setting in place

    private long present(int slot) {
        live();
        final int x = slot(slot);
        if (x == 0) {
            throw new IllegalStateException(
                    "field is absent and cannot be set in place: table=%s, slot=%d"
                            .formatted(getClass().getSimpleName(), slot));
        }
        return position + x;
    }

    /// Sets a byte that is present.
    protected final byte setInt8(int slot, int value) {
        final long at = present(slot);
        Wire.setInt8(array(), segment(), at, (byte) value);
        return (byte) value;
    }

    /// Sets a 16-bit number that is present.
    protected final short setInt16(int slot, int value) {
        final long at = present(slot);
        Wire.setInt16(array(), segment(), at, (short) value);
        return (short) value;
    }

    /// Sets a 32-bit number that is present.
    protected final int setInt32(int slot, int value) {
        final long at = present(slot);
        Wire.setInt32(array(), segment(), at, value);
        return value;
    }

    /// Sets a 64-bit number that is present.
    protected final long setInt64(int slot, long value) {
        final long at = present(slot);
        Wire.setInt64(array(), segment(), at, value);
        return value;
    }

    /// Tells whether a field is in the table; one that is absent reads as its default.
    ///
    /// @param slot one of the subclass's slot numbers
    /// @return whether the table has it
    /// @throws IllegalStateException if this is not bound, or out of date
    public final boolean isPresent(int slot) {
        Objects.checkIndex(slot, SLOTS);
        live();
        return slot(slot) != 0;
    }

    private FlatBufferFormatException malformed(String what, long at, long value) {
        vtable = UNBOUND;
        epoch = UNBOUND;
        return source.malformed(what, getClass().getSimpleName(), at, value);
    }
}
