// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.format.Date;
import dev.fletch.format.DateUnit;
import dev.fletch.format.Decimal;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Duration;
import dev.fletch.format.Field;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.IntervalUnit;
import dev.fletch.format.Map;
import dev.fletch.format.Time;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;
import dev.fletch.format.Union;

/// A flyweight for each table that a field's type can be, and what these say of bodies.
final class TypeTables {
    private static final int DEFAULT_INDEX_BITS = 32;

    final Int integer = new Int();
    final FloatingPoint floatingPoint = new FloatingPoint();
    final Decimal decimal = new Decimal();
    final Date date = new Date();
    final Time time = new Time();
    final Timestamp timestamp = new Timestamp();
    final Interval interval = new Interval();
    final Duration duration = new Duration();
    final Union union = new Union();
    final FixedSizeBinary fixedSizeBinary = new FixedSizeBinary();
    final FixedSizeList fixedSizeList = new FixedSizeList();
    final Map map = new Map();
    final DictionaryEncoding encoding = new DictionaryEncoding();
    final Int index = new Int();

    /// What a type says of the sizes of its bodies: of fixed width, the bits of a value; of offsets,
    /// their bytes; of a fixed-size list, its elements. 0 where it says nothing.
    long measure(Field field) {
        return switch (field.typeType()) {
            case Type.INT -> field.type(integer) ? integer.bitWidth() : 0;
            case Type.FLOATING_POINT -> field.type(floatingPoint) ? 16L << precision() : 0;
            case Type.BOOL -> 1;
            case Type.DECIMAL -> field.type(decimal) ? decimal.bitWidth() : 0;
            case Type.DATE -> field.type(date) ? date.unit() == DateUnit.DAY ? 32 : 64 : 0;
            case Type.TIME -> field.type(time) ? time.bitWidth() : 0;
            case Type.TIMESTAMP, Type.DURATION -> Long.SIZE;
            case Type.INTERVAL -> field.type(interval) ? intervalBits() : 0;
            case Type.FIXED_SIZE_BINARY ->
                    field.type(fixedSizeBinary) ? 8L * fixedSizeBinary.byteWidth() : 0;
            case Type.FIXED_SIZE_LIST -> field.type(fixedSizeList) ? fixedSizeList.listSize() : 0;
            case Type.BINARY, Type.UTF8, Type.LIST, Type.MAP, Type.LIST_VIEW, Type.UNION ->
                    Integer.BYTES;
            case Type.LARGE_BINARY, Type.LARGE_UTF8, Type.LARGE_LIST, Type.LARGE_LIST_VIEW ->
                    Long.BYTES;
            default -> 0;
        };
    }

    private int precision() {
        return Math.clamp(floatingPoint.precision(), 0, 2);
    }

    private long intervalBits() {
        return switch (interval.unit()) {
            case IntervalUnit.YEAR_MONTH -> 32;
            case IntervalUnit.DAY_TIME -> 64;
            default -> 128;
        };
    }

    /// The bits of an index into the dictionary of [#encoding]; int32 where it is left out.
    int indexBits() {
        return encoding.indexType(index) ? index.bitWidth() : DEFAULT_INDEX_BITS;
    }
}
