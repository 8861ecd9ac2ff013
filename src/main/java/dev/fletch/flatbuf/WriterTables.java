// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// The part of a [FlatBufferWriter] that writes tables and shares their vtables.
abstract sealed class WriterTables extends WriterObjects permits WriterWholes {
    /// Slots that fit into the 16 bits of a vtable's size.
    private static final int MAX_SLOTS = (0xFFFE - Wire.VTABLE_HEAD_BYTES) / Short.BYTES;

    private static final int MAX_TABLE_BYTES = 0xFFFF;

    private static final int NEAR = SlotLanes.NEAR;

    /// Marks a slot that was set to its default, which is not written.
    private static final int LEFT_OUT = -1;

    private final SmallVtables small = new SmallVtables();
    private final VtableIndex vtables = new VtableIndex();

    /// Where the open table ends.
    private int tableEnd;

    /// Bytes from there to each of the first eight fields, slot 0 and slot 4 lowest; 0 where there is
    /// none.
    private long low;

    private long high;

    /// A bit for each of the first eight slots that was set, be it to the default.
    private int touched;

    /// Where the fields behind the eighth are; 0 for a slot that was not set.
    private int[] far = new int[0];

    /// Number of those, up to the last that was set.
    private int farCount;

    boolean forceDefaults;

    WriterTables(Dialect dialect) {
        super(dialect);
    }

    /// Sets whether a number that equals its field's default is written all the same, from now on and
    /// for all buffers. At first it is not.
    ///
    /// @param forced whether it is
    /// @return this
    public FlatBufferWriter forceDefaults(boolean forced) {
        forceDefaults = forced;
        return (FlatBufferWriter) this;
    }

    @Override
    void forget() {
        small.clear();
        vtables.clear();
        clearSlots();
    }

    private void clearSlots() {
        low = 0;
        high = 0;
        touched = 0;
        for (int i = 0; i < farCount; i++) {
            far[i] = 0;
        }
        farCount = 0;
    }

    /// Begins a table. Then its fields are added, in any order; each at most once.
    ///
    /// @throws IllegalStateException if anything is open
    public void startTable() {
        requireIdle("startTable");
        tableEnd = size();
        state = WriterState.TABLE;
    }

    /// Looks at a slot before it is set, and marks it.
    private void openSlot(int slot) {
        if (state != WriterState.TABLE) {
            throw misuse("adding a field");
        }
        if ((slot & -NEAR) != 0) {
            openFarSlot(slot);
        } else if ((touched & 1 << slot) != 0) {
            throw setBefore(slot);
        } else {
            touched |= 1 << slot;
        }
    }

    private void openFarSlot(int slot) {
        Objects.checkIndex(slot, MAX_SLOTS);
        final int index = slot - NEAR;
        if (index >= far.length) {
            final int doubled = Math.max(NEAR, 2 * far.length);
            far = Arrays.copyOf(far, Math.min(MAX_SLOTS - NEAR, Math.max(index + 1, doubled)));
        }
        if (far[index] != 0) {
            throw setBefore(slot);
        }
        far[index] = LEFT_OUT;
        farCount = Math.max(farCount, index + 1);
    }

    private static IllegalStateException setBefore(int slot) {
        return new IllegalStateException("slot was set before: slot=" + slot);
    }

    /// Makes what was written last the field of a slot.
    private void setSlot(int slot) {
        // Too large a distance spoils its neighbours; such a table is refused at its end.
        final long distance = size() - tableEnd;
        if (slot < SlotLanes.IN_A_WORD) {
            low |= distance << slot * Short.SIZE;
        } else if (slot < NEAR) {
            high |= distance << (slot - SlotLanes.IN_A_WORD) * Short.SIZE;
        } else {
            far[slot - NEAR] = size();
        }
    }

    /// Adds a boolean, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the boolean
    /// @param absent the field's default
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addBoolean(int slot, boolean value, boolean absent) {
        addInt8(slot, value ? 1 : 0, absent ? 1 : 0);
    }

    /// Adds an 8-bit number, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the number, of which the lowest 8 bits are written
    /// @param absent the field's default
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addInt8(int slot, int value, int absent) {
        if ((byte) value != (byte) absent || forceDefaults) {
            addInt8(slot, value);
        } else {
            openSlot(slot);
        }
    }

    /// Adds an 8-bit number, whatever the default is.
    ///
    /// @param slot the slot's number
    /// @param value the number, of which the lowest 8 bits are written
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addInt8(int slot, int value) {
        openSlot(slot);
        align(Byte.BYTES, Byte.BYTES);
        put8(value);
        setSlot(slot);
    }

    /// Adds a 16-bit number, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the number, of which the lowest 16 bits are written
    /// @param absent the field's default
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addInt16(int slot, int value, int absent) {
        if ((short) value != (short) absent || forceDefaults) {
            addInt16(slot, value);
        } else {
            openSlot(slot);
        }
    }

    /// Adds a 16-bit number, whatever the default is.
    ///
    /// @param slot the slot's number
    /// @param value the number, of which the lowest 16 bits are written
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addInt16(int slot, int value) {
        openSlot(slot);
        align(Short.BYTES, Short.BYTES);
        put16(value);
        setSlot(slot);
    }

    /// Adds a 32-bit number, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the number
    /// @param absent the field's default
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addInt32(int slot, int value, int absent) {
        if (value != absent || forceDefaults) {
            addInt32(slot, value);
        } else {
            openSlot(slot);
        }
    }

    /// Adds a 32-bit number, whatever the default is.
    ///
    /// @param slot the slot's number
    /// @param value the number
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addInt32(int slot, int value) {
        openSlot(slot);
        align(Integer.BYTES, Integer.BYTES);
        put32(value);
        setSlot(slot);
    }

    /// Adds a 64-bit number, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the number
    /// @param absent the field's default
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addInt64(int slot, long value, long absent) {
        if (value != absent || forceDefaults) {
            addInt64(slot, value);
        } else {
            openSlot(slot);
        }
    }

    /// Adds a 64-bit number, whatever the default is.
    ///
    /// @param slot the slot's number
    /// @param value the number
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addInt64(int slot, long value) {
        openSlot(slot);
        align(Long.BYTES, Long.BYTES);
        put64(value);
        setSlot(slot);
    }

    /// Adds an offset to a string, vector or table.
    ///
    /// @param slot the slot's number
    /// @param object where that is, as writing it has returned; 0 if it is absent: then nothing is
    ///     added, forced defaults or not, as in the C++ library. (With forced defaults flatbuffers-java
    ///     writes an offset there that leads out of the buffer.)
    /// @throws IllegalArgumentException if it is not a multiple of 4, or was not written before the
    ///     table. That an object of the right kind begins there is not checked
    /// @throws IllegalStateException if no table is open, or the slot was set before
    public void addOffset(int slot, int object) {
        if (object == 0) {
            openSlot(slot);
            return;
        }
        if (state == WriterState.TABLE) {
            checkObject(object, tableEnd);
        }
        openSlot(slot);
        align(Wire.OFFSET_BYTES, Wire.OFFSET_BYTES);
        put32(size() - object + Wire.OFFSET_BYTES);
        setSlot(slot);
    }

    /// Ends the struct that is open, as a field of the table that it lies in.
    ///
    /// @param slot the slot's number
    /// @throws IllegalStateException if none is open, numbers are missing, or the slot was set before
    public void endStruct(int slot) {
        if (state != WriterState.STRUCT) {
            throw misuse("endStruct");
        }
        requireComplete();
        state = WriterState.TABLE;
        openSlot(slot);
        setSlot(slot);
    }

    /// Ends the table that is open. Its vtable is shared with tables written before that have an equal
    /// one.
    ///
    /// @return where the table is, for [#addOffset], [#pushOffset] or
    ///     [FlatBufferWriter#finish(int)]
    /// @throws IllegalStateException if none is open, or it has more than 65,535 bytes
    public int endTable() {
        if (state != WriterState.TABLE) {
            throw misuse("endTable");
        }
        align(Wire.OFFSET_BYTES, Wire.OFFSET_BYTES);
        put32(0); // the way to the vtable, known below
        final int table = size();
        final int bytes = table - tableEnd;
        if (bytes > MAX_TABLE_BYTES) {
            state = WriterState.FAILED;
            throw new IllegalStateException(
                    "table is too large: bytes=" + bytes + ", limit=" + MAX_TABLE_BYTES);
        }
        set32(table, vtable(table, bytes) - table);
        clearSlots();
        state = WriterState.IDLE;
        return table;
    }

    /// Finds or writes the vtable of a table, and tells where it is.
    private int vtable(int table, int tableBytes) {
        if (tableBytes <= SmallVtables.MAX_TABLE_BYTES && (farCount == 0 || usedSlots() <= NEAR)) {
            return smallVtable(SlotLanes.narrow(low, high), table, tableBytes);
        }
        final long nearLow = SlotLanes.fromStart(low, tableBytes);
        final long nearHigh = SlotLanes.fromStart(high, tableBytes);
        final int used = farCount == 0 ? SlotLanes.used(nearLow, nearHigh) : usedSlots();
        final int head = tableBytes << Short.SIZE | Wire.VTABLE_HEAD_BYTES + used * Short.BYTES;
        long hash = VtableIndex.hash(head, nearLow, nearHigh);
        for (int i = NEAR; i < used; i++) {
            hash = VtableIndex.mix(hash, farSlot(table, i));
        }
        int place = vtables.find(hash, head, nearLow, nearHigh);
        while (vtables.distance(place) != 0 && !hasRest(vtables.distance(place), table, used)) {
            place = vtables.findNext(place, hash, head, nearLow, nearHigh);
        }
        final int found = vtables.distance(place);
        if (found != 0) {
            return found;
        }
        putVtable(table, used, head, nearLow, nearHigh);
        vtables.add(place, hash, head, nearLow, nearHigh, size());
        return size();
    }

    /// Finds or writes the vtable of a small table, and tells where it is: see [SmallVtables].
    final int smallVtable(long lanes, int table, int tableBytes) {
        final int place = small.find(lanes, tableBytes);
        final int found = small.distance(place);
        return found != 0 ? found : addSmallVtable(place, lanes, table, tableBytes);
    }

    private int addSmallVtable(int place, long lanes, int table, int tableBytes) {
        if (!small.isSame(place, lanes, tableBytes)) {
            small.make(place, lanes, tableBytes);
        }
        final int head = small.head(place);
        if (hasRoom(Wire.WIDE_VTABLE_BYTES)) {
            final byte[] a = array;
            final MemorySegment s = memory();
            // The last slot ends where the room does; what is too many is room, or the head.
            Wire.setInt64(a, s, at - Long.BYTES, small.last(place));
            Wire.setInt64(a, s, at - 2 * Long.BYTES, small.first(place));
            at -= head & 0xFF;
            Wire.setInt32(a, s, at, head);
        } else {
            putVtable(
                    table,
                    (head & 0xFF) - Wire.VTABLE_HEAD_BYTES >> 1,
                    head,
                    SlotLanes.fromStart(SlotLanes.low(lanes), tableBytes),
                    SlotLanes.fromStart(SlotLanes.high(lanes), tableBytes));
        }
        small.add(place, size());
        return size();
    }

    private void putVtable(int table, int used, int head, long nearLow, long nearHigh) {
        require(Wire.VTABLE_HEAD_BYTES + (long) used * Short.BYTES);
        for (int i = used - 1; i >= NEAR; i--) {
            put16(farSlot(table, i));
        }
        for (int i = Math.min(used, NEAR) - 1; i >= 0; i--) {
            put16(SlotLanes.slot(nearLow, nearHigh, i));
        }
        put32(head);
    }

    private int usedSlots() {
        for (int i = farCount - 1; i >= 0; i--) {
            if (far[i] > 0) {
                return NEAR + i + 1;
            }
        }
        return SlotLanes.used(low, high);
    }

    /// A slot behind the eighth as the vtable has it.
    private int farSlot(int table, int slot) {
        final int at = far[slot - NEAR];
        return at > 0 ? table - at : 0;
    }

    /// Tells whether a vtable has the slots of the open table behind the eighth.
    private boolean hasRest(int vtable, int table, int used) {
        for (int i = NEAR; i < used; i++) {
            final int at = vtable - Wire.VTABLE_HEAD_BYTES - i * Short.BYTES;
            if ((get16(at) & 0xFFFF) != farSlot(table, i)) {
                return false;
            }
        }
        return true;
    }
}
