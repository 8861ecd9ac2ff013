// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.Date;
import dev.fletch.format.Decimal;
import dev.fletch.format.Duration;
import dev.fletch.format.Field;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.Map;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;
import dev.fletch.format.Time;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;
import dev.fletch.format.Union;

/// Writes types again: the tables of the union `Type`.
final class EmitTypes {
    private final Emission out;

    private final Int integer = new Int();
    private final FloatingPoint floatingPoint = new FloatingPoint();
    private final Decimal decimal = new Decimal();
    private final Date date = new Date();
    private final Time time = new Time();
    private final Timestamp timestamp = new Timestamp();
    private final Interval interval = new Interval();
    private final Duration duration = new Duration();
    private final Union union = new Union();
    private final FixedSizeBinary fixedSizeBinary = new FixedSizeBinary();
    private final FixedSizeList fixedSizeList = new FixedSizeList();
    private final Map map = new Map();

    private final long intSlots;
    private final long decimalSlots;
    private final long timeSlots;
    private final long timestampSlots;
    private final long unionSlots;

    EmitTypes(Emission out) {
        this.out = out;
        intSlots = out.order.slots("Int");
        decimalSlots = out.order.slots("Decimal");
        timeSlots = out.order.slots("Time");
        timestampSlots = out.order.slots("Timestamp");
        unionSlots = out.order.slots("Union");
    }

    /// Writes a field's type.
    ///
    /// @return where it is, 0 if it is absent
    int of(Field from) {
        final int id = from.typeType();
        final boolean present =
                switch (id) {
                    case Type.INT -> from.type(integer);
                    case Type.FLOATING_POINT -> from.type(floatingPoint);
                    case Type.DECIMAL -> from.type(decimal);
                    case Type.DATE -> from.type(date);
                    case Type.TIME -> from.type(time);
                    case Type.TIMESTAMP -> from.type(timestamp);
                    case Type.INTERVAL -> from.type(interval);
                    case Type.DURATION -> from.type(duration);
                    case Type.UNION -> from.type(union);
                    case Type.FIXED_SIZE_BINARY -> from.type(fixedSizeBinary);
                    case Type.FIXED_SIZE_LIST -> from.type(fixedSizeList);
                    case Type.MAP -> from.type(map);
                    default -> from.isPresent(Field.TYPE_SLOT);
                };
        return present ? bound(id) : 0;
    }

    /// Writes the type of a tensor's elements.
    ///
    /// @return where it is, 0 if it is absent
    int of(Tensor from) {
        final int id = from.typeType();
        final boolean present =
                switch (id) {
                    case Type.INT -> from.type(integer);
                    case Type.FLOATING_POINT -> from.type(floatingPoint);
                    case Type.DECIMAL -> from.type(decimal);
                    case Type.DATE -> from.type(date);
                    case Type.TIME -> from.type(time);
                    case Type.TIMESTAMP -> from.type(timestamp);
                    case Type.INTERVAL -> from.type(interval);
                    case Type.DURATION -> from.type(duration);
                    case Type.UNION -> from.type(union);
                    case Type.FIXED_SIZE_BINARY -> from.type(fixedSizeBinary);
                    case Type.FIXED_SIZE_LIST -> from.type(fixedSizeList);
                    case Type.MAP -> from.type(map);
                    default -> from.isPresent(Tensor.TYPE_SLOT);
                };
        return present ? bound(id) : 0;
    }

    /// Writes the type of a sparse tensor's elements.
    ///
    /// @return where it is, 0 if it is absent
    int of(SparseTensor from) {
        final int id = from.typeType();
        final boolean present =
                switch (id) {
                    case Type.INT -> from.type(integer);
                    case Type.FLOATING_POINT -> from.type(floatingPoint);
                    case Type.DECIMAL -> from.type(decimal);
                    case Type.DATE -> from.type(date);
                    case Type.TIME -> from.type(time);
                    case Type.TIMESTAMP -> from.type(timestamp);
                    case Type.INTERVAL -> from.type(interval);
                    case Type.DURATION -> from.type(duration);
                    case Type.UNION -> from.type(union);
                    case Type.FIXED_SIZE_BINARY -> from.type(fixedSizeBinary);
                    case Type.FIXED_SIZE_LIST -> from.type(fixedSizeList);
                    case Type.MAP -> from.type(map);
                    default -> from.isPresent(SparseTensor.TYPE_SLOT);
                };
        return present ? bound(id) : 0;
    }

    /// Writes from the flyweight that was bound.
    private int bound(int id) {
        return switch (id) {
            case Type.INT -> table(integer);
            case Type.FLOATING_POINT ->
                    enumeration(
                            floatingPoint, FloatingPoint.PRECISION_SLOT, floatingPoint.precision());
            case Type.DECIMAL -> decimal();
            case Type.DATE -> enumeration(date, Date.UNIT_SLOT, date.unit());
            case Type.TIME -> time();
            case Type.TIMESTAMP -> timestamp();
            case Type.INTERVAL -> enumeration(interval, Interval.UNIT_SLOT, interval.unit());
            case Type.DURATION -> enumeration(duration, Duration.UNIT_SLOT, duration.unit());
            case Type.UNION -> union();
            case Type.FIXED_SIZE_BINARY -> fixedSizeBinary();
            case Type.FIXED_SIZE_LIST -> fixedSizeList();
            case Type.MAP -> map();
            default -> withoutFields(id);
        };
    }

    private int withoutFields(int id) {
        if (id == Type.NONE || !Type.NAMES.isKnown(id)) {
            throw Emission.unknown("Type", id);
        }
        return out.emptyTable();
    }

    /// Writes an integer type, which is an index type as well.
    int table(Int from) {
        out.startTable();
        for (long o = intSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Int.BIT_WIDTH_SLOT -> out.int32(from, slot, from.bitWidth());
                default -> out.bool(from, slot, from.isSigned());
            }
        }
        return out.endTable();
    }

    /// Writes a type that has one number, of 16 bits.
    private int enumeration(Table from, int slot, int value) {
        out.startTable();
        out.int16(from, slot, value);
        return out.endTable();
    }

    private int decimal() {
        out.startTable();
        for (long o = decimalSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Decimal.PRECISION_SLOT -> out.int32(decimal, slot, decimal.precision());
                case Decimal.SCALE_SLOT -> out.int32(decimal, slot, decimal.scale());
                default -> out.int32(decimal, slot, decimal.bitWidth());
            }
        }
        return out.endTable();
    }

    private int time() {
        out.startTable();
        for (long o = timeSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Time.UNIT_SLOT -> out.int16(time, slot, time.unit());
                default -> out.int32(time, slot, time.bitWidth());
            }
        }
        return out.endTable();
    }

    private int timestamp() {
        final int timezone = out.string(timestamp.timezone(out.text));
        out.startTable();
        for (long o = timestampSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Timestamp.UNIT_SLOT -> out.int16(timestamp, slot, timestamp.unit());
                default -> out.writer.addOffset(slot, timezone);
            }
        }
        return out.endTable();
    }

    private int union() {
        final int typeIds = union.isPresent(Union.TYPE_IDS_SLOT) ? typeIds() : 0;
        out.startTable();
        for (long o = unionSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Union.MODE_SLOT -> out.int16(union, slot, union.mode());
                default -> out.writer.addOffset(slot, typeIds);
            }
        }
        return out.endTable();
    }

    private int typeIds() {
        final int count = union.typeIdsCount();
        out.writer.startVector(Integer.BYTES, count, Integer.BYTES);
        for (int i = count - 1; i >= 0; i--) {
            out.writer.pushInt32(union.typeIds(i));
        }
        return out.writer.endVector();
    }

    private int fixedSizeBinary() {
        out.startTable();
        out.int32(fixedSizeBinary, FixedSizeBinary.BYTE_WIDTH_SLOT, fixedSizeBinary.byteWidth());
        return out.endTable();
    }

    private int fixedSizeList() {
        out.startTable();
        out.int32(fixedSizeList, FixedSizeList.LIST_SIZE_SLOT, fixedSizeList.listSize());
        return out.endTable();
    }

    private int map() {
        out.startTable();
        out.bool(map, Map.KEYS_SORTED_SLOT, map.keysSorted());
        return out.endTable();
    }
}
