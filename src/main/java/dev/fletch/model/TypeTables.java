// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Type;
import dev.fletch.format.write.DateEncoder;
import dev.fletch.format.write.DecimalEncoder;
import dev.fletch.format.write.DurationEncoder;
import dev.fletch.format.write.EmptyTypeEncoder;
import dev.fletch.format.write.FixedSizeBinaryEncoder;
import dev.fletch.format.write.FixedSizeListEncoder;
import dev.fletch.format.write.FloatingPointEncoder;
import dev.fletch.format.write.IntEncoder;
import dev.fletch.format.write.IntervalEncoder;
import dev.fletch.format.write.MapEncoder;
import dev.fletch.format.write.TimeEncoder;
import dev.fletch.format.write.TimestampEncoder;
import dev.fletch.format.write.UnionEncoder;

/// Writes the tables of types, each with its parameters.
final class TypeTables {
    private TypeTables() {}

    /// The number that stands for a type in the bytes.
    static int id(ArrowType type) {
        return switch (type) {
            case ArrowType.Null _ -> Type.NULL;
            case ArrowType.Int _ -> Type.INT;
            case ArrowType.FloatingPoint _ -> Type.FLOATING_POINT;
            case ArrowType.Binary _ -> Type.BINARY;
            case ArrowType.Utf8 _ -> Type.UTF8;
            case ArrowType.Bool _ -> Type.BOOL;
            case ArrowType.Decimal _ -> Type.DECIMAL;
            case ArrowType.Date _ -> Type.DATE;
            case ArrowType.Time _ -> Type.TIME;
            case ArrowType.Timestamp _ -> Type.TIMESTAMP;
            case ArrowType.Interval _ -> Type.INTERVAL;
            case ArrowType.List _ -> Type.LIST;
            case ArrowType.Struct _ -> Type.STRUCT_;
            case ArrowType.Union _ -> Type.UNION;
            case ArrowType.FixedSizeBinary _ -> Type.FIXED_SIZE_BINARY;
            case ArrowType.FixedSizeList _ -> Type.FIXED_SIZE_LIST;
            case ArrowType.Map _ -> Type.MAP;
            case ArrowType.Duration _ -> Type.DURATION;
            case ArrowType.LargeBinary _ -> Type.LARGE_BINARY;
            case ArrowType.LargeUtf8 _ -> Type.LARGE_UTF8;
            case ArrowType.LargeList _ -> Type.LARGE_LIST;
            case ArrowType.RunEndEncoded _ -> Type.RUN_END_ENCODED;
            case ArrowType.BinaryView _ -> Type.BINARY_VIEW;
            case ArrowType.Utf8View _ -> Type.UTF8_VIEW;
            case ArrowType.ListView _ -> Type.LIST_VIEW;
            case ArrowType.LargeListView _ -> Type.LARGE_LIST_VIEW;
        };
    }

    /// Writes the table of a type.
    static int write(ArrowType type, FlatBufferWriter to) {
        return switch (type) {
            case ArrowType.Int(int bitWidth, boolean isSigned) ->
                    IntEncoder.create(to, bitWidth, isSigned);
            case ArrowType.FloatingPoint(var precision) ->
                    FloatingPointEncoder.create(to, precision.id());
            case ArrowType.Decimal(int precision, int scale, int bitWidth) ->
                    DecimalEncoder.create(to, precision, scale, bitWidth);
            case ArrowType.Date(var unit) -> DateEncoder.create(to, unit.id());
            case ArrowType.Time(var unit, int bitWidth) ->
                    TimeEncoder.create(to, unit.id(), bitWidth);
            case ArrowType.Timestamp(var unit, String timezone) -> {
                int zone = timezone == null ? 0 : to.createString(timezone);
                yield TimestampEncoder.create(to, unit.id(), zone);
            }
            case ArrowType.Interval(var unit) -> IntervalEncoder.create(to, unit.id());
            case ArrowType.Duration(var unit) -> DurationEncoder.create(to, unit.id());
            case ArrowType.FixedSizeBinary(int byteWidth) ->
                    FixedSizeBinaryEncoder.create(to, byteWidth);
            case ArrowType.FixedSizeList(int listSize) -> FixedSizeListEncoder.create(to, listSize);
            case ArrowType.Map(boolean keysSorted) -> MapEncoder.create(to, keysSorted);
            case ArrowType.Union union -> union(union, to);
            case ArrowType.Null _,
                    ArrowType.Binary _,
                    ArrowType.Utf8 _,
                    ArrowType.Bool _,
                    ArrowType.List _,
                    ArrowType.Struct _,
                    ArrowType.LargeBinary _,
                    ArrowType.LargeUtf8 _,
                    ArrowType.LargeList _,
                    ArrowType.RunEndEncoded _,
                    ArrowType.BinaryView _,
                    ArrowType.Utf8View _,
                    ArrowType.ListView _,
                    ArrowType.LargeListView _ ->
                    EmptyTypeEncoder.create(to);
        };
    }

    private static int union(ArrowType.Union type, FlatBufferWriter to) {
        int typeIds = 0;
        if (!type.implicitTypeIds()) {
            int[] ids = type.typeIds().stream().mapToInt(Integer::intValue).toArray();
            typeIds = to.createVector(ids, 0, ids.length);
        }
        return UnionEncoder.create(to, type.mode().id(), typeIds);
    }
}
