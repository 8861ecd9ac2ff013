// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The part of a [FlatBufferWriter] that writes small tables as a whole.
///
/// What it buys: a table that is written field by field loads and stores the writer's own state, and
/// asks for the kind of memory and for room, once per field; here all that is in locals, and done
/// once. The vtable is looked for by the fields' places alone, before it is made. A schema takes two
/// thirds of the time. Whatever is out of the ordinary is left to the way field by field, so that
/// there is one place for each error.
abstract sealed class WriterWholes extends WriterTables permits FlatBufferWriter {
    /// More than such a table takes with its padding and its vtable.
    private static final int MOST_BYTES = 64;

    /// The bits that an offset, and what it leads to, have not set.
    private static final int MISALIGNED = Wire.OFFSET_BYTES - 1;

    // Which of the packed slots is whose, each of 7 bits: 8 times its number, which is how far its
    // lane is shifted, or that there is none. Above 64, a shift's count does not matter to Java.
    private static final int SLOT_BITS = 7;
    private static final int NO_SLOT = 1 << SLOT_BITS - 1;
    private static final int INT64 = 0;
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    private static final int THIRD = 3;
    private static final int FOURTH = 4;
    private static final int FIFTH = 5;
    private static final int INT16 = 6;
    private static final int INT8 = 7;
    private static final int OTHER_INT8 = 8;
    private static final int FIELDS = 9;

    WriterWholes(Dialect dialect) {
        super(dialect);
    }

    /// Packs the slots of a kind of table, for [#createTable(long, long, int, int, int, int, int, int,
    /// int, int)] and its like.
    ///
    /// @param slots up to nine numbers below 8: the slots of a 64-bit number, of five offsets, of a
    ///     16-bit number and of two 8-bit numbers, in that order; -1 where the table has no such field.
    ///     Those left out at the end are absent, too
    /// @return the slots
    /// @throws IndexOutOfBoundsException if there are more than nine, or one is above 7
    public static long slots(int... slots) {
        Objects.checkFromToIndex(0, slots.length, FIELDS);
        long all = 0;
        for (int i = 0; i < FIELDS; i++) {
            final boolean given = i < slots.length && slots[i] >= 0;
            final int bits =
                    given ? Objects.checkIndex(slots[i], SlotLanes.NEAR) * Byte.SIZE : NO_SLOT;
            all |= (long) bits << i * SLOT_BITS;
        }
        return all;
    }

    /// Writes a table: the same as [#startTable], the methods that add a field, in the order of the
    /// arguments here and with 0 as each number's default, and [#endTable], in less time. It throws what
    /// these throw. For a field that `slots` does not have, pass 0; this is not checked.
    ///
    /// @param slots the fields' slots: see [#slots]
    /// @param int64 a number
    /// @param first an offset as [#addOffset] takes it, like the four that follow
    /// @param second an offset
    /// @param third an offset
    /// @param fourth an offset
    /// @param fifth an offset
    /// @param int16 a number, of which the lowest 16 bits are written
    /// @param int8 a number, of which the lowest 8 bits are written
    /// @param otherInt8 another one
    /// @return where the table is
    public int createTable(
            long slots,
            long int64,
            int first,
            int second,
            int third,
            int fourth,
            int fifth,
            int int16,
            int int8,
            int otherInt8) {
        final int begin = size();
        final int all = first | second | third | fourth | fifth;
        final int beyond =
                begin - first | begin - second | begin - third | begin - fourth | begin - fifth;
        if (!isReady()
                || (all & MISALIGNED | all >>> 31 | beyond >>> 31) != 0
                || (begin & MISALIGNED) != 0 && int64 == 0 && all == 0) {
            return byFields(
                    slots, int64, first, second, third, fourth, fifth, int16, int8, otherInt8);
        }
        final byte[] a = array;
        final MemorySegment s = memory();
        final long top = end;
        int at = beginTable(a, s, begin, int64);
        long lanes = int64 != 0 ? lane(slots, INT64, at - begin) : 0;
        if (first != 0) {
            at += Wire.OFFSET_BYTES;
            Wire.setInt32(a, s, top - at, at - first);
            lanes |= lane(slots, FIRST, at - begin);
        }
        if (second != 0) {
            at += Wire.OFFSET_BYTES;
            Wire.setInt32(a, s, top - at, at - second);
            lanes |= lane(slots, SECOND, at - begin);
        }
        if (third != 0) {
            at += Wire.OFFSET_BYTES;
            Wire.setInt32(a, s, top - at, at - third);
            lanes |= lane(slots, THIRD, at - begin);
        }
        if (fourth != 0) {
            at += Wire.OFFSET_BYTES;
            Wire.setInt32(a, s, top - at, at - fourth);
            lanes |= lane(slots, FOURTH, at - begin);
        }
        if (fifth != 0) {
            at += Wire.OFFSET_BYTES;
            Wire.setInt32(a, s, top - at, at - fifth);
            lanes |= lane(slots, FIFTH, at - begin);
        }
        return finishTable(a, s, begin, at, lanes, slots, int16, int8, otherInt8);
    }

    /// Writes a table of at most two offsets and small numbers: the same as [#createTable(long, long,
    /// int, int, int, int, int, int, int, int)] with 0 for the other fields, in less time.
    ///
    /// @param slots the fields' slots: see [#slots]
    /// @param fourth an offset
    /// @param fifth an offset
    /// @param int16 a number, of which the lowest 16 bits are written
    /// @param int8 a number, of which the lowest 8 bits are written
    /// @param otherInt8 another one
    /// @return where the table is
    public int createTable(long slots, int fourth, int fifth, int int16, int int8, int otherInt8) {
        final int begin = size();
        final int all = fourth | fifth;
        final int beyond = begin - fourth | begin - fifth;
        if (!isReady() || ((all | begin) & MISALIGNED | all >>> 31 | beyond >>> 31) != 0) {
            return createTable(slots, 0, 0, 0, 0, fourth, fifth, int16, int8, otherInt8);
        }
        final byte[] a = array;
        final MemorySegment s = memory();
        final long top = end;
        int at = begin;
        long lanes = 0;
        if (fourth != 0) {
            at += Wire.OFFSET_BYTES;
            Wire.setInt32(a, s, top - at, at - fourth);
            lanes = lane(slots, FOURTH, Wire.OFFSET_BYTES);
        }
        if (fifth != 0) {
            at += Wire.OFFSET_BYTES;
            Wire.setInt32(a, s, top - at, at - fifth);
            lanes |= lane(slots, FIFTH, at - begin);
        }
        return finishTable(a, s, begin, at, lanes, slots, int16, int8, otherInt8);
    }

    /// Writes a table of small numbers: see [#createTable(long, long, int, int, int, int, int, int,
    /// int, int)].
    ///
    /// @param slots the fields' slots: see [#slots]; the 32-bit number's is in the 64-bit one's place
    /// @param int32 a number
    /// @param int16 a number, of which the lowest 16 bits are written
    /// @param int8 a number, of which the lowest 8 bits are written
    /// @return where the table is
    public int createTable(long slots, int int32, int int16, int int8) {
        final int begin = size();
        if (!isReady() || (begin & MISALIGNED) != 0) {
            startTable();
            if (has(slots, INT64)) {
                addInt32(slot(slots, INT64), int32, 0);
            }
            addSmall(slots, int16, int8, 0);
            return endTable();
        }
        final byte[] a = array;
        final MemorySegment s = memory();
        int at = begin;
        long lanes = 0;
        if (int32 != 0) {
            at += Integer.BYTES;
            Wire.setInt32(a, s, end - at, int32);
            lanes = lane(slots, INT64, Integer.BYTES);
        }
        return finishTable(a, s, begin, at, lanes, slots, int16, int8, 0);
    }

    /// Whether there is nothing that stands in the way of writing a table at once.
    private boolean isReady() {
        return state == WriterState.IDLE && at - start >= MOST_BYTES && !forceDefaults;
    }

    /// Writes the padding that is needed, and a number unless it is 0.
    ///
    /// @return the buffer's size then
    private int beginTable(byte[] a, MemorySegment s, int begin, long int64) {
        final int alignment = int64 != 0 ? Long.BYTES : Wire.OFFSET_BYTES;
        final int padded = begin + alignment - 1 & -alignment;
        if (padded != begin) {
            Wire.setInt64(a, s, end - begin - Long.BYTES, 0); // what is too many is room
        }
        if (int64 == 0) {
            return padded;
        }
        Wire.setInt64(a, s, end - padded - Long.BYTES, int64);
        largestAlignment = Math.max(largestAlignment, Long.BYTES);
        return padded + Long.BYTES;
    }

    /// Writes what is before the offsets in memory, which is at most two words: small numbers, and the
    /// way to the vtable.
    private int finishTable(
            byte[] a,
            MemorySegment s,
            int begin,
            int from,
            long largeLanes,
            long slots,
            int int16,
            int int8,
            int otherInt8) {
        int bytes = 0;
        long word = 0;
        long lanes = largeLanes;
        if ((short) int16 != 0) {
            bytes = Short.BYTES;
            word = (long) int16 << Long.SIZE - Short.SIZE;
            lanes |= lane(slots, INT16, from + bytes - begin);
        }
        if ((byte) int8 != 0) {
            bytes++;
            word |= (int8 & 0xFFL) << Long.SIZE - bytes * Byte.SIZE;
            lanes |= lane(slots, INT8, from + bytes - begin);
        }
        if ((byte) otherInt8 != 0) {
            bytes++;
            word |= (otherInt8 & 0xFFL) << Long.SIZE - bytes * Byte.SIZE;
            lanes |= lane(slots, OTHER_INT8, from + bytes - begin);
        }
        final int table = from + (bytes == 0 ? Wire.OFFSET_BYTES : Long.BYTES);
        largestAlignment = Math.max(largestAlignment, Wire.OFFSET_BYTES);
        at = end - table;
        final int vtable = smallVtable(lanes, table, table - begin);
        if (bytes == 0) {
            Wire.setInt32(a, s, end - table, vtable - table);
        } else {
            Wire.setInt64(a, s, end - table, word | vtable - table & 0xFFFF_FFFFL);
        }
        return table;
    }

    private static long lane(long slots, int field, int distance) {
        return (long) distance << (slots >>> field * SLOT_BITS);
    }

    // ---- field by field

    private int byFields(
            long slots,
            long int64,
            int first,
            int second,
            int third,
            int fourth,
            int fifth,
            int int16,
            int int8,
            int otherInt8) {
        startTable();
        if (has(slots, INT64)) {
            addInt64(slot(slots, INT64), int64, 0);
        }
        add(slots, FIRST, first);
        add(slots, SECOND, second);
        add(slots, THIRD, third);
        add(slots, FOURTH, fourth);
        add(slots, FIFTH, fifth);
        addSmall(slots, int16, int8, otherInt8);
        return endTable();
    }

    private void add(long slots, int field, int object) {
        if (has(slots, field)) {
            addOffset(slot(slots, field), object);
        }
    }

    private void addSmall(long slots, int int16, int int8, int otherInt8) {
        if (has(slots, INT16)) {
            addInt16(slot(slots, INT16), int16, 0);
        }
        if (has(slots, INT8)) {
            addInt8(slot(slots, INT8), int8, 0);
        }
        if (has(slots, OTHER_INT8)) {
            addInt8(slot(slots, OTHER_INT8), otherInt8, 0);
        }
    }

    private static boolean has(long slots, int field) {
        return (slots >>> field * SLOT_BITS & NO_SLOT) == 0;
    }

    private static int slot(long slots, int field) {
        return (int) (slots >>> field * SLOT_BITS & NO_SLOT - 1) / Byte.SIZE;
    }
}
