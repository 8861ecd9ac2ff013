// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.FletchException;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Utf8;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;

/// A flyweight over one table of a FlatBuffer with at most eight fields. Lifetime and threads: see
/// [Flyweight].
///
/// A field's slot is its number in the table's declaration, from 0. A table stores only some of its
/// fields; an absent field reads as its default. [#isPresent] distinguishes the two.
///
/// **Accessors.** For a field `x`, `X_SLOT` is its slot, and `X_DEFAULT` its default, if not 0.
/// `x()` reads a number, and `setX` sets it in place. `x(into)` binds `into` to the object that the
/// field refers to; if the field is absent, or a union of another type than `into`, it returns
/// false and leaves `into` unchanged. For a string, `xLength()` is the number of bytes, 0 if
/// absent; `xEquals` compares it with a text without allocating; `xString()` returns a new string,
/// null if absent. For a vector, `xCount()` is the number of elements, 0 if absent; an element's
/// index is from 0 to `xCount() - 1`; `copyX(into, at)` copies all numbers to `into`, from index
/// `at` on, and returns their number.
///
/// **Errors.** Binding throws a [FletchException] if the bytes point out of the range. A setter
/// throws an [IllegalStateException] if the field is absent, and an [IllegalArgumentException] if
/// the memory is read-only, or the number does not fit the field. A slot below 0 or above 7, an
/// index without an element, or a copy that does not fit, throws an [IndexOutOfBoundsException].
///
/// **Subclasses** decode in [#decode]: it calls [#open], then copies the table's values into plain
/// fields, so that accessors use none of their callers' inlining budget. Their methods throw the
/// exceptions listed above, and have these parameters:
///
/// - `a`, `s`: the memory to decode from, heap bytes or, if `a` is null, a segment. Parameters,
///   so that the compiler keeps them in registers.
/// - `reference`: the position of an offset to a table, which is in range.
/// - `slot`, `absent`: a field's slot, and its default.
/// - `target`, `vector`: the position of the length word of a string or vector, 0 if absent.
/// - `index`, `count`: an element of a vector, from 0 to `count` - 1.
///
/// ```text
///   table   position ──► i32  soffset; the vtable is at position - soffset
///                             fields, each at position + the value of its slot
///   vtable               u16  size of the vtable in bytes
///                        u16  size of the table in bytes
///                        u16  slot 0, slot 1, …; 0 where the field is absent
/// ```
///
/// At most eight slots are read; no table of Arrow has more.
public abstract non-sealed class Table extends Flyweight {
    // The vtable that was read last, and its slots: most tables of a kind share one vtable. Its
    // position is valid only for the bytes it was read from, so a new epoch invalidates it.
    private long vtable = UNBOUND;
    private long lowSlots;
    private long highSlots;
    // Upper bound of the distance, in bytes, from a table's start to the start of any field.
    private int reach;

    private MemoryRange own;

    /// Creates an unbound flyweight.
    protected Table() {}

    // ---- binding

    /// Decodes the table: calls [#open] and copies the table's values into plain fields.
    protected abstract void decode(byte[] a, MemorySegment s, long reference);

    /// Binds a flyweight to a table.
    ///
    /// Kept apart by recursion, as the package `wire` explains: inlined, each binding would take
    /// about a thousand nodes.
    ///
    /// @param into the flyweight to bind
    /// @param from the flyweight of the table with the reference; `into` itself for a root
    protected static void bind(Table into, Table from, long reference) {
        bind(into, from, reference, 2);
    }

    private static void bind(Table into, Table from, long reference, int detours) {
        if (detours == 0) {
            bind(into, into == from ? from.source : from.live(), reference);
        } else {
            bind(into, from, reference, detours - 1);
        }
    }

    private static void bind(Table into, MemoryRange memory, long reference) {
        into.share(memory);
        byte[] a = memory.array;
        into.decode(a, a == null ? memory.segment() : null, reference);
    }

    /// [#bind] for callers that are not inlined themselves.
    protected static void bindDirectly(Table into, Table from, long reference) {
        bind(into, from.live(), reference);
    }

    /// Binds a flyweight to a child table; returns false if `reference` is 0.
    protected final boolean bindPresent(Table into, long reference) {
        if (reference == 0) {
            return false;
        }
        bind(into, this, reference);
        return true;
    }

    /// Binds a flyweight to the table that a field refers to; returns false if the field is absent.
    protected static boolean bindField(Table into, Table from, int slot) {
        long reference = from.field(slot);
        if (reference != 0) {
            bindDirectly(into, from, reference);
        }
        return reference != 0;
    }

    /// Wraps a range as a buffer whose root is this flyweight's table. Returns the position of the
    /// root offset, for [#open].
    protected final long wrapRoot(MemorySegment memory, long offset, long length) {
        wrapBuffer(memory, offset, length);
        return root(own);
    }

    /// [#wrapRoot] for the bytes between a buffer's position and its limit.
    protected final long wrapRoot(ByteBuffer buffer) {
        ownSource().wrap(buffer);
        return root(own);
    }

    /// Wraps a range, which may be too short for a FlatBuffer.
    protected final void wrapBuffer(MemorySegment memory, long offset, long length) {
        ownSource().wrap(memory, offset, length);
    }

    private MemoryRange ownSource() {
        if (own == null) {
            own = new MemoryRange();
        }
        share(own);
        return own;
    }

    private long root(MemoryRange range) {
        long length = range.end - range.start;
        if (length < Wire.OFFSET_BYTES) {
            throw malformed("buffer length", range.start, length);
        }
        return range.start;
    }

    /// Binds to the table of another flyweight, without decoding it again.
    protected final void showSame(Table other) {
        share(other.live());
        epoch = source.epoch;
        position = other.position;
        takeSlots(other.lowSlots, other.highSlots);
    }

    // ---- binding to verified tables

    /// {@return the buffer that this has wrapped as its root}
    @SuppressWarnings("exports") // only for flyweights of this module
    protected final MemoryRange wrapped() {
        return own;
    }

    /// {@return whether this has wrapped a part of some memory last}
    protected final boolean hasWrapped(MemorySegment memory) {
        return own != null && own.plainSegment() == memory;
    }

    /// {@return the eight bytes at an offset of the memory that this has wrapped last}
    protected final long wrappedInt64(long offset) {
        byte[] a = own.array;
        return Wire.int64(a, a == null ? own.segment() : null, own.positionOf(offset));
    }

    /// Binds to a table of which all fields are known to be in range, without reading anything.
    ///
    /// @param from the flyweight of the parent table; this one for a root
    /// @param distance from the buffer's start in bytes
    protected final void moveTo(Table from, int distance) {
        moveTo(from == this ? own : from.live(), distance);
    }

    private void moveTo(MemoryRange memory, int distance) {
        if (source != memory) {
            source = memory; // compared before it is stored
        }
        epoch = memory.epoch;
        position = memory.start + distance;
    }

    /// Takes the slots of a table, whose vtable is not read.
    ///
    /// @param low distances of the fields of slots 0 to 3, 16 bits each
    /// @param high those of slots 4 to 7
    protected final void takeSlots(long low, long high) {
        keepSlots(low, high);
        vtable = UNBOUND;
    }

    // ---- decoding the vtable

    /// Returns the sizes of a table's fields as one number, for [#open].
    ///
    /// @param bytes size of each field in bytes, slot 0 first
    /// @return the sizes, slot 0 in the lowest byte
    protected static long sizes(int... bytes) {
        long sizes = 0;
        for (int slot = 0; slot < bytes.length; slot++) {
            sizes |= (long) bytes[slot] << (slot << 3);
        }
        return sizes;
    }

    /// Follows an offset to this table, and reads its vtable. Afterwards every present field is in
    /// range.
    ///
    /// @param sizes the result of [#sizes]
    protected final void open(byte[] a, MemorySegment s, long reference, long sizes) {
        MemoryRange memory = source;
        long offset = reference + Wire.uint32(a, s, reference);
        long room = memory.end - offset;
        if (room < Wire.OFFSET_BYTES) {
            throw malformed("offset to a table", reference, offset - reference);
        }
        long found = offset - Wire.long32(a, s, offset);
        if (found != vtable || memory.epoch != epoch) {
            readVtable(a, s, memory, offset, found);
        }
        position = offset;
        if (room < reach + longest(sizes)) {
            checkFields(room, sizes);
        }
    }

    /// The longest field's size, rounded up; a constant if `sizes` is one.
    private static int longest(long sizes) {
        return (sizes & 0x1010_1010_1010_1010L) != 0 ? 16 : Long.BYTES;
    }

    private void readVtable(
            byte[] a, MemorySegment s, MemoryRange memory, long table, long position) {
        long room = memory.end - position;
        if (position < memory.start || room < Short.BYTES) {
            throw malformed("vtable", table, memory.offsetOf(position));
        }
        int size = Wire.int16(a, s, position) & 0xFFFE; // ignores half a slot
        if (size > room) {
            throw malformed("vtable size", position, size);
        }
        vtable = position;
        epoch = memory.epoch;
        if (room < Wire.WIDE_VTABLE_BYTES) {
            readSlots(a, s, position, size);
            return;
        }
        // Two loads for eight slots; bytes after the vtable are masked out.
        long slots = position + Wire.VTABLE_HEAD_BYTES;
        long low = Wire.int64(a, s, slots);
        long high = Wire.int64(a, s, slots + Long.BYTES);
        int bits = (size - Wire.VTABLE_HEAD_BYTES) * Byte.SIZE;
        keepSlots(Wire.lowBits(low, bits), Wire.lowBits(high, bits - Long.SIZE));
    }

    /// Reads the slots of a vtable at the very end of the range, one by one.
    private void readSlots(byte[] a, MemorySegment s, long position, int size) {
        long low = 0;
        long high = 0;
        int slots = Math.min((size - Wire.VTABLE_HEAD_BYTES) >> 1, Wire.SLOTS);
        for (int slot = 0; slot < slots; slot++) {
            long distance =
                    Wire.int16(a, s, position + Wire.VTABLE_HEAD_BYTES + 2 * slot) & 0xFFFFL;
            low |= slot < 4 ? distance << (slot << 4) : 0;
            high |= slot < 4 ? 0 : distance << (slot << 4); // shift counts are modulo 64
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

    /// {@return an upper bound of the distance, in bytes, from the table's start to that of any
    /// field}
    protected final int reach() {
        return reach;
    }

    /// The bitwise OR of all slots, which is at least the greatest slot.
    private static int reach(long low, long high) {
        long all = low | high;
        all |= all >>> 32;
        all |= all >>> 16;
        return (int) all & 0xFFFF;
    }

    /// Checks fields one by one near the end of the range: [#reach] is only an upper bound.
    private void checkFields(long room, long sizes) {
        for (int i = 0; i < Wire.SLOTS; i++) {
            int offset = slot(i);
            int size = (int) (sizes >>> (i << 3)) & 0xFF;
            if (offset != 0 && size != 0 && offset > room - size) {
                throw malformed("slot " + i, position, offset);
            }
        }
    }

    /// {@return bytes from the table's position to the field of a slot, which is not checked; 0 if
    /// the field is absent}
    protected final int slot(int index) {
        long slots = index < 4 ? lowSlots : highSlots;
        return (int) (slots >>> (index << 4)) & 0xFFFF; // shift counts are modulo 64
    }

    // ---- decoding fields

    /// {@return a byte, `absent` if the field is absent}
    protected final byte int8(byte[] a, MemorySegment s, int slot, int absent) {
        int x = slot(slot);
        return x == 0 ? (byte) absent : Wire.int8(a, s, position + x);
    }

    /// {@return a 16-bit number, `absent` if the field is absent}
    protected final short int16(byte[] a, MemorySegment s, int slot, int absent) {
        int x = slot(slot);
        return x == 0 ? (short) absent : Wire.int16(a, s, position + x);
    }

    /// {@return a 32-bit number, `absent` if the field is absent}
    protected final int int32(byte[] a, MemorySegment s, int slot, int absent) {
        int x = slot(slot);
        return x == 0 ? absent : Wire.int32(a, s, position + x);
    }

    /// {@return a 64-bit number, `absent` if the field is absent}
    protected final long int64(byte[] a, MemorySegment s, int slot, long absent) {
        int x = slot(slot);
        return x == 0 ? absent : Wire.int64(a, s, position + x);
    }

    /// {@return the position of a field that is read later, a struct or an offset for [#open]; 0 if
    /// it is absent}
    protected final long field(int slot) {
        int x = slot(slot);
        return x == 0 ? 0 : position + x;
    }

    /// Follows an offset to the length word of a string or a vector, which is in range. Returns 0
    /// if the field is absent.
    protected final long target(byte[] a, MemorySegment s, int slot) {
        int x = slot(slot);
        return x == 0 ? 0 : target(a, s, position, x, source.end - Wire.OFFSET_BYTES);
    }

    /// [#target] of the field at a distance from a table; `last` is the last position of a target.
    private long target(byte[] a, MemorySegment s, long table, int distance, long last) {
        if (distance == 0) {
            return 0;
        }
        long position = table + distance;
        long target = position + Wire.uint32(a, s, position);
        if (target > last) {
            throw malformed("offset", position, target - position);
        }
        return target;
    }

    /// {@return a target's distance from the table's start, the same in tables of the same shape;
    /// undefined for an absent target}
    protected final long distance(long target) {
        return target - position;
    }

    /// {@return the target at a [#distance]}
    protected final long at(long distance) {
        return position + distance;
    }

    /// Decodes the length word of a string or vector, and checks that all elements are in range.
    ///
    /// @param elementBytes the element's size: 1 for a string
    /// @return the number of elements; 0 if the field is absent
    protected final int count(byte[] a, MemorySegment s, long target, int elementBytes) {
        if (target == 0) {
            return 0;
        }
        int count = Wire.int32(a, s, target);
        if (count < 0 || count > (source.end - Wire.OFFSET_BYTES - target) / elementBytes) {
            throw malformed("length", target, count & 0xFFFFFFFFL);
        }
        return count;
    }

    // ---- vectors and strings

    private long elementAt(long vector, int index, int count, int shift) {
        live();
        return vector + Wire.OFFSET_BYTES + ((long) Objects.checkIndex(index, count) << shift);
    }

    /// {@return the position of the offset to an element of a vector of tables}
    protected final long element(long vector, int index, int count) {
        return elementAt(vector, index, count, 2);
    }

    /// {@return an element of a vector of 32-bit numbers}
    protected final int int32Element(long vector, int index, int count) {
        long position = elementAt(vector, index, count, 2);
        return Wire.int32(array(), segment(), position);
    }

    /// {@return an element of a vector of 64-bit numbers}
    protected final long int64Element(long vector, int index, int count) {
        long position = elementAt(vector, index, count, 3);
        return Wire.int64(array(), segment(), position);
    }

    /// Sets an element of a vector of 32-bit numbers in place.
    protected final void setInt32Element(long vector, int index, int count, int value) {
        long position = elementAt(vector, index, count, 2);
        Wire.setInt32(array(), segment(), position, value);
    }

    /// Sets an element of a vector of 64-bit numbers in place.
    protected final void setInt64Element(long vector, int index, int count, long value) {
        long position = elementAt(vector, index, count, 3);
        Wire.setInt64(array(), segment(), position, value);
    }

    /// {@return a 64-bit number of an element of a vector of structs of 16 bytes}
    ///
    /// Computes distances within the vector as an `int` times a constant, so that in a loop over
    /// all elements the compiler checks only the first and the last one.
    ///
    /// @param member the number's distance from the element's start
    protected final long int64Member(long vector, int index, int count, int member) {
        MemoryRange memory = live();
        Objects.checkIndex(index, count);
        byte[] a = memory.array;
        long first = vector + Wire.OFFSET_BYTES + member;
        return a != null
                ? Wire.int64(a, (int) first + (index << 4))
                : Wire.any64(null, memory.plainSegment(), first + ((long) index << 4));
    }

    /// Copies all numbers of a vector whose elements have `longs` 64-bit numbers each; returns how
    /// many it has copied.
    protected final int copyLongs(long vector, int count, int longs, long[] into, int position) {
        long numbers = (long) count * longs;
        Objects.checkFromIndexSize((long) position, numbers, (long) into.length);
        int all = (int) numbers;
        if (all != 0) {
            live().copy(vector + Wire.OFFSET_BYTES, into, position, all);
        }
        return all;
    }

    /// [#copyLongs] of `count` elements, from index `first` on, of a vector of `all` elements with
    /// two numbers each.
    protected final int copyPairs(
            long vector, int first, int count, int all, long[] into, int position) {
        live();
        Objects.checkFromIndexSize(first, count, all);
        return copyLongs(vector + 2L * Long.BYTES * first, count, 2, into, position);
    }

    /// Copies chosen elements of a vector of `all` elements with two numbers each, and returns how
    /// many numbers these are.
    ///
    /// One loop over all of them: a bulk copy of few numbers takes 10 ns.
    protected final int gatherPairs(
            long vector, int[] chosen, int first, int count, int all, long[] into, int position) {
        Objects.checkFromIndexSize(first, count, chosen.length);
        Objects.checkFromIndexSize((long) position, 2L * count, (long) into.length);
        MemoryRange memory = live();
        byte[] a = memory.array;
        MemorySegment s = memory.plainSegment();
        long elements = vector + Wire.OFFSET_BYTES;
        for (int i = 0; i < count; i++) {
            long from = elements + 2L * Long.BYTES * Objects.checkIndex(chosen[first + i], all);
            into[position + 2 * i] = Wire.any64(a, s, from);
            into[position + 2 * i + 1] = Wire.any64(a, s, from + Long.BYTES);
        }
        return 2 * count;
    }

    /// Binds a slice to a string of `length` bytes; returns false if the string is absent.
    protected final boolean slice(long target, int length, Utf8Slice into) {
        if (target == 0) {
            return false;
        }
        live();
        into.bind(array(), segment(), target + Wire.OFFSET_BYTES, length);
        return true;
    }

    /// {@return whether a string of `length` bytes is present and equals a text}
    protected final boolean sliceEquals(long target, int length, CharSequence text) {
        if (target == 0) {
            return false;
        }
        live();
        return Utf8.equals(array(), segment(), target + Wire.OFFSET_BYTES, length, text);
    }

    /// {@return a string of `length` bytes as a new text; null if it is absent}
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
        int x = slot(slot);
        if (x == 0) {
            String where = "table=" + getClass().getSimpleName() + ", slot=" + slot;
            throw new IllegalStateException("field is absent and cannot be set in place: " + where);
        }
        return position + x;
    }

    /// Sets a byte that is present; returns it as written.
    ///
    /// @throws IllegalArgumentException if the number does not fit
    protected final byte setInt8(int slot, int value) {
        if (value != (byte) value) {
            throw tooLarge(value, Byte.SIZE);
        }
        long position = present(slot);
        Wire.setInt8(array(), segment(), position, (byte) value);
        return (byte) value;
    }

    /// Sets a 16-bit number that is present; returns it as written.
    ///
    /// @throws IllegalArgumentException if the number does not fit
    protected final short setInt16(int slot, int value) {
        if (value != (short) value) {
            throw tooLarge(value, Short.SIZE);
        }
        long position = present(slot);
        Wire.setInt16(array(), segment(), position, (short) value);
        return (short) value;
    }

    private static IllegalArgumentException tooLarge(int value, int bits) {
        int limit = value < 0 ? -1 << bits - 1 : (1 << bits - 1) - 1;
        return new IllegalArgumentException(
                "number has more than " + bits + " bits: value=" + value + ", limit=" + limit);
    }

    /// Sets a 32-bit number that is present; returns it as written.
    protected final int setInt32(int slot, int value) {
        long position = present(slot);
        Wire.setInt32(array(), segment(), position, value);
        return value;
    }

    /// Sets a 64-bit number that is present; returns it as written.
    protected final long setInt64(int slot, long value) {
        long position = present(slot);
        Wire.setInt64(array(), segment(), position, value);
        return value;
    }

    /// {@return whether the table stores a field}
    public final boolean isPresent(int slot) {
        Objects.checkIndex(slot, Wire.SLOTS);
        live();
        return slot(slot) != 0;
    }

    // ---- positions

    /// {@return a field's position, that of the inline value or of the offset: byte offset in the
    /// wrapped segment or buffer; that of the table if absent}
    public final long position(int slot) {
        Objects.checkIndex(slot, Wire.SLOTS);
        return live().offsetOf(position + slot(slot));
    }

    /// {@return the [#position] of the length word of the string or vector that a field refers to;
    /// the bytes or elements follow it}
    public final long targetPosition(int slot) {
        Objects.checkIndex(slot, Wire.SLOTS);
        MemoryRange memory = live();
        int distance = slot(slot);
        long offset = position + distance;
        return memory.offsetOf(
                distance == 0 ? offset : offset + Wire.uint32(array(), segment(), offset));
    }

    /// Creates the exception for bytes that point out of the range.
    ///
    /// @param what the faulty part
    /// @param position position of the fault
    final FletchException malformed(String what, long position, long value) {
        vtable = UNBOUND;
        epoch = UNBOUND;
        MemoryRange range = source;
        return FletchException.malformed(
                String.format(
                        Locale.ROOT,
                        "%s out of range: in=%s, offset=%d, value=%d, range=%d..%d",
                        what,
                        getClass().getSimpleName(),
                        range.offsetOf(position),
                        value,
                        range.offsetOf(range.start),
                        range.offsetOf(range.end)),
                range.offsetOf(position));
    }
}
