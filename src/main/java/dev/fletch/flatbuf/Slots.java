// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/// The half of [Table] that finds: where the table is, and which fields it has.
///
/// ```text
///   table   position ──► i32  soffset; the vtable is at position - soffset
///                             fields, each at position + the value of its slot
///   vtable               u16  size of the vtable in bytes
///                        u16  size of the table in bytes
///                        u16  slot 0, slot 1, …; 0 where the field is absent
/// ```
///
/// At most eight slots are looked at; no table of Arrow has more.
abstract non-sealed class Slots extends Flyweight {
    static final int COUNT = Wire.SLOTS;

    // The vtable that was read last, and its slots: most tables of a kind share one. A position is
    // valid only for the bytes it was read from, so it is forgotten with the epoch.
    private long vtable = UNBOUND;
    private long lowSlots;
    private long highSlots;
    // No field of a table with this vtable starts further than this many bytes behind its start.
    int reach;

    Slots() {}

    /// Follows an offset to this table, and reads its vtable. Afterwards every field that is present
    /// is in range.
    ///
    /// @param a the heap bytes to decode from, or null
    /// @param s the segment to decode from where `a` is null
    /// @param reference the position of the offset, which is in range
    /// @param sizes the fields' sizes in bytes, slot 0 in the lowest byte
    /// @throws FlatBufferFormatException if the table, its vtable or a field leads out of the range
    protected final void open(byte[] a, MemorySegment s, long reference, long sizes) {
        final MemoryRange memory = source;
        final long at = reference + Wire.uint32(a, s, reference);
        final long room = memory.end - at;
        if (room < Wire.OFFSET_BYTES) {
            throw malformed("offset to a table", reference, at - reference);
        }
        final long found = at - Wire.long32(a, s, at);
        if (found != vtable || memory.epoch != epoch) {
            readVtable(a, s, memory, at, found);
        }
        position = at;
        if (room < reach + longest(sizes)) {
            checkFields(room, sizes);
        }
    }

    /// The longest field's size, rounded up; a constant wherever `sizes` is one.
    private static int longest(long sizes) {
        return (sizes & 0x1010_1010_1010_1010L) != 0 ? 16 : Long.BYTES;
    }

    private void readVtable(byte[] a, MemorySegment s, MemoryRange memory, long table, long at) {
        final long room = memory.end - at;
        if (at < memory.start || room < Short.BYTES) {
            throw malformed("vtable", table, memory.offsetOf(at));
        }
        final int size = Wire.int16(a, s, at) & 0xFFFE; // a slot cut in half is none
        if (size > room) {
            throw malformed("vtable size", at, size);
        }
        vtable = at;
        epoch = memory.epoch;
        if (room < Wire.WIDE_VTABLE_BYTES) {
            readSlots(a, s, at, size);
            return;
        }
        // Two loads for eight slots; what lies behind the vtable is cut off.
        final long slots = at + Wire.VTABLE_HEAD_BYTES;
        final long low = Wire.int64(a, s, slots);
        final long high = Wire.int64(a, s, slots + Long.BYTES);
        final int bits = (size - Wire.VTABLE_HEAD_BYTES) * Byte.SIZE;
        keepSlots(Wire.lowBits(low, bits), Wire.lowBits(high, bits - Long.SIZE));
    }

    /// Reads the slots of a vtable at the very end of the range, one by one.
    private void readSlots(byte[] a, MemorySegment s, long at, int size) {
        long low = 0;
        long high = 0;
        for (int slot = 0, p = Wire.VTABLE_HEAD_BYTES; p < size && slot < COUNT; slot++, p += 2) {
            final long value = (Wire.int16(a, s, at + p) & 0xFFFFL) << ((slot & 3) << 4);
            low |= slot < 4 ? value : 0;
            high |= slot < 4 ? 0 : value;
        }
        keepSlots(low, high);
    }

    private void keepSlots(long low, long high) {
        if (low == lowSlots && high == highSlots) {
            return;
        }
        lowSlots = low;
        highSlots = high;
        reach = reach(low, high);
    }

    /// All slots' bits together, which are at least the greatest slot.
    private static int reach(long low, long high) {
        long all = low | high;
        all |= all >>> 32;
        all |= all >>> 16;
        return (int) all & 0xFFFF;
    }

    /// [#reach] is rounded up, so a table at the very end of the range is looked at exactly.
    private void checkFields(long room, long sizes) {
        for (int i = 0; i < COUNT; i++) {
            final int at = slot(i);
            final int size = (int) (sizes >>> (i << 3)) & 0xFF;
            if (at != 0 && size != 0 && at > room - size) {
                throw malformed("slot " + i, position, at);
            }
        }
    }

    /// Finds a field.
    ///
    /// @param index the slot's number, from 0 to 7; not checked
    /// @return bytes from the table's position to the field, 0 if it is absent
    protected final int slot(int index) {
        final long slots = index < 4 ? lowSlots : highSlots;
        return (int) (slots >>> (index << 4)) & 0xFFFF; // a shift counts modulo 64
    }

    /// Reads a 64-bit number of an element of a vector of structs of 16 bytes.
    ///
    /// What it buys: distances within the vector are an `int` times a constant, and of a loop over
    /// all elements the compiler then checks the first and the last one only.
    ///
    /// @param vector position of the vector's length word
    /// @param index which element
    /// @param count how many elements there are
    /// @param member the number's distance from the element's start
    /// @return the number
    /// @throws IndexOutOfBoundsException if there is no such element
    protected final long int64Member(long vector, int index, int count, int member) {
        final MemoryRange memory = live();
        Objects.checkIndex(index, count);
        final byte[] a = memory.array;
        final long first = vector + Wire.OFFSET_BYTES + member;
        return a != null
                ? Wire.int64(a, (int) first + (index << 4))
                : Wire.int64(memory.segment(), first + ((long) index << 4));
    }

    /// Copies all numbers of a vector whose elements are made of 64-bit numbers.
    ///
    /// @param vector position of the vector's length word
    /// @param count how many elements there are
    /// @param longs numbers per element
    /// @param into where to
    /// @param at index of the first number in `into`
    /// @return how many numbers were copied
    /// @throws IndexOutOfBoundsException if they don't fit
    protected final int copyLongs(long vector, int count, int longs, long[] into, int at) {
        final long numbers = (long) count * longs;
        Objects.checkFromIndexSize((long) at, numbers, (long) into.length);
        final int all = (int) numbers;
        if (all != 0) {
            live().copy(vector + Wire.OFFSET_BYTES, into, at, all);
        }
        return all;
    }

    /// Copies some elements of a vector whose elements are two 64-bit numbers each.
    ///
    /// @param vector position of the vector's length word
    /// @param first index of the first element
    /// @param count how many elements
    /// @param all how many elements there are
    /// @param into where to
    /// @param at index of the first number in `into`
    /// @return how many numbers were copied
    /// @throws IndexOutOfBoundsException if there are not so many elements, or they don't fit
    protected final int copyPairs(long vector, int first, int count, int all, long[] into, int at) {
        live();
        Objects.checkFromIndexSize(first, count, all);
        return copyLongs(vector + 2L * Long.BYTES * first, count, 2, into, at);
    }

    /// Where a field's bytes are: the number itself, or the offset that leads on.
    ///
    /// @param slot one of the subclass's slot numbers
    /// @return byte offset in the segment or buffer that was wrapped; of the table itself if the
    ///     field is absent
    /// @throws IndexOutOfBoundsException if no table can have that slot
    public final long position(int slot) {
        Objects.checkIndex(slot, COUNT);
        return live().offsetOf(position + slot(slot));
    }

    /// Where the string or vector that a field leads to begins: at its length word, which the bytes or
    /// elements follow.
    ///
    /// @param slot one of the subclass's slot numbers
    /// @return byte offset in the segment or buffer that was wrapped; of the table itself if the
    ///     field is absent
    /// @throws IndexOutOfBoundsException if no table can have that slot
    public final long targetPosition(int slot) {
        Objects.checkIndex(slot, COUNT);
        final MemoryRange memory = live();
        final int distance = slot(slot);
        final long at = position + distance;
        return memory.offsetOf(distance == 0 ? at : at + Wire.uint32(array(), segment(), at));
    }

    /// See [Table#takeFields].
    final void copyFields(Slots model) {
        lowSlots = model.lowSlots;
        highSlots = model.highSlots;
        reach = model.reach;
        vtable = UNBOUND;
    }

    /// Lets the next vtable be read anew, wherever it is.
    final void forget() {
        vtable = UNBOUND;
    }

    /// What to throw where bytes lead out of the range.
    ///
    /// @param what the thing that does
    /// @param at position of the fault
    /// @param value the value found there
    final FlatBufferFormatException malformed(String what, long at, long value) {
        vtable = UNBOUND;
        epoch = UNBOUND;
        final MemoryRange range = source;
        return new FlatBufferFormatException(
                String.format(
                        Locale.ROOT,
                        "%s out of range: in=%s, offset=%d, value=%d, range=%d..%d",
                        what,
                        getClass().getSimpleName(),
                        range.offsetOf(at),
                        value,
                        range.offsetOf(range.start),
                        range.offsetOf(range.end)),
                range.offsetOf(at));
    }
}
