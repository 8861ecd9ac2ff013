// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

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
import dev.fletch.format.Time;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;
import dev.fletch.format.Union;

import java.util.ArrayList;
import java.util.List;

/// Reads the type of a field, with one flyweight per table that has parameters.
final class TypeReader {
    private final SchemaReader reader;
    private final Int integer = new Int();
    private final FloatingPoint floatingPoint = new FloatingPoint();
    private final Decimal decimal = new Decimal();
    private final Date date = new Date();
    private final Time time = new Time();
    private final Timestamp timestamp = new Timestamp();
    private final Interval interval = new Interval();
    private final Duration duration = new Duration();
    private final FixedSizeBinary fixedSizeBinary = new FixedSizeBinary();
    private final FixedSizeList fixedSizeList = new FixedSizeList();
    private final Map map = new Map();
    private final Union union = new Union();

    /// @param reader counts the texts
    TypeReader(SchemaReader reader) {
        this.reader = reader;
    }

    ArrowType of(Field field) {
        int id = field.typeType();
        if (id == Type.NONE || !Type.NAMES.isKnown(id)) {
            throw new InvalidSchemaException(
                    "field must have a type that the format declares",
                    null,
                    "type_type",
                    Type.NAMES.name(id));
        }
        if (!field.isPresent(Field.TYPE_SLOT)) {
            throw new InvalidSchemaException(
                    "field must have the table of its type",
                    null,
                    "type_type",
                    Type.NAMES.name(id));
        }
        return switch (id) {
            case Type.NULL -> new ArrowType.Null();
            case Type.BINARY -> new ArrowType.Binary();
            case Type.UTF8 -> new ArrowType.Utf8();
            case Type.BOOL -> new ArrowType.Bool();
            case Type.LIST -> new ArrowType.List();
            case Type.STRUCT_ -> new ArrowType.Struct();
            case Type.LARGE_BINARY -> new ArrowType.LargeBinary();
            case Type.LARGE_UTF8 -> new ArrowType.LargeUtf8();
            case Type.LARGE_LIST -> new ArrowType.LargeList();
            case Type.RUN_END_ENCODED -> new ArrowType.RunEndEncoded();
            case Type.BINARY_VIEW -> new ArrowType.BinaryView();
            case Type.UTF8_VIEW -> new ArrowType.Utf8View();
            case Type.LIST_VIEW -> new ArrowType.ListView();
            case Type.LARGE_LIST_VIEW -> new ArrowType.LargeListView();
            default -> withParameters(id, field);
        };
    }

    private ArrowType withParameters(int id, Field field) {
        return switch (id) {
            case Type.INT -> {
                field.type(integer);
                yield integer(integer);
            }
            case Type.FLOATING_POINT -> {
                field.type(floatingPoint);
                yield new ArrowType.FloatingPoint(
                        known(Precision.values(), floatingPoint.precision(), "precision"));
            }
            case Type.DECIMAL -> {
                field.type(decimal);
                yield new ArrowType.Decimal(
                        decimal.precision(), decimal.scale(), decimal.bitWidth());
            }
            case Type.DATE -> {
                field.type(date);
                yield new ArrowType.Date(known(DateUnit.values(), date.unit(), "unit"));
            }
            case Type.TIME -> {
                field.type(time);
                yield new ArrowType.Time(timeUnit(time.unit()), time.bitWidth());
            }
            case Type.TIMESTAMP -> {
                field.type(timestamp);
                int bytes = timestamp.timezoneLength();
                String zone =
                        reader.text(
                                timestamp,
                                Timestamp.TIMEZONE_SLOT,
                                bytes,
                                timestamp::timezone,
                                "timezone");
                yield new ArrowType.Timestamp(timeUnit(timestamp.unit()), zone);
            }
            case Type.INTERVAL -> {
                field.type(interval);
                yield new ArrowType.Interval(known(IntervalUnit.values(), interval.unit(), "unit"));
            }
            case Type.DURATION -> {
                field.type(duration);
                yield new ArrowType.Duration(timeUnit(duration.unit()));
            }
            case Type.FIXED_SIZE_BINARY -> {
                field.type(fixedSizeBinary);
                yield new ArrowType.FixedSizeBinary(fixedSizeBinary.byteWidth());
            }
            case Type.FIXED_SIZE_LIST -> {
                field.type(fixedSizeList);
                yield new ArrowType.FixedSizeList(fixedSizeList.listSize());
            }
            case Type.MAP -> {
                field.type(map);
                yield new ArrowType.Map(map.keysSorted());
            }
            case Type.UNION -> {
                field.type(union);
                yield union(field.childrenCount());
            }
            default -> throw new AssertionError(Type.NAMES.name(id));
        };
    }

    static ArrowType.Int integer(Int type) {
        return new ArrowType.Int(type.bitWidth(), type.isSigned());
    }

    private static TimeUnit timeUnit(int id) {
        return known(TimeUnit.values(), id, "unit");
    }

    private static <E extends Enum<E>> E known(E[] values, int id, String parameter) {
        return SchemaReader.known(values, id, parameter);
    }

    private ArrowType union(int children) {
        UnionMode mode = known(UnionMode.values(), union.mode(), "mode");
        if (!union.isPresent(Union.TYPE_IDS_SLOT)) {
            return ArrowType.Union.implicit(mode, children);
        }
        int count = union.typeIdsCount();
        TypeRules.unionSize(count);
        List<Integer> typeIds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            typeIds.add(union.typeIds(i));
        }
        return new ArrowType.Union(mode, typeIds, false);
    }
}
