// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.wire.Escaper;

import java.util.Locale;

/// Types as a person reads them: `int32`, `decimal(38, 10)`, `timestamp(microsecond, UTC)`.
final class TypeText {
    private TypeText() {}

    static String of(ArrowType type) {
        return switch (type) {
            case ArrowType.Int(int bitWidth, boolean isSigned) ->
                    (isSigned ? "int" : "uint") + bitWidth;
            case ArrowType.FloatingPoint(Precision precision) ->
                    switch (precision) {
                        case HALF -> "float16";
                        case SINGLE -> "float32";
                        case DOUBLE -> "float64";
                    };
            case ArrowType.Decimal(int precision, int scale, int bitWidth) -> {
                String width = bitWidth == 128 ? "" : Integer.toString(bitWidth);
                yield "decimal" + width + "(" + precision + ", " + scale + ")";
            }
            case ArrowType.Date(DateUnit unit) -> "date(" + unit(unit) + ")";
            case ArrowType.Time(TimeUnit unit, _) -> "time(" + unit(unit) + ")";
            case ArrowType.Timestamp(TimeUnit unit, String zone) ->
                    "timestamp("
                            + unit(unit)
                            + (zone == null ? ")" : ", " + Escaper.name(zone) + ")");
            case ArrowType.Interval(IntervalUnit unit) -> "interval(" + unit(unit) + ")";
            case ArrowType.Duration(TimeUnit unit) -> "duration(" + unit(unit) + ")";
            case ArrowType.FixedSizeBinary(int byteWidth) -> "fixed_size_binary(" + byteWidth + ")";
            case ArrowType.FixedSizeList(int listSize) -> "fixed_size_list(" + listSize + ")";
            case ArrowType.Map(boolean keysSorted) -> keysSorted ? "map(keys sorted)" : "map";
            case ArrowType.Union union -> union(union);
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
                    name(type);
        };
    }

    /// A type's name without its parameters: `FixedSizeList` becomes `fixed_size_list`.
    static String name(ArrowType type) {
        return type.getClass()
                .getSimpleName()
                .replaceAll("(?<!^)([A-Z])", "_$1")
                .toLowerCase(Locale.ROOT);
    }

    /// An enum's constant as a word.
    static String unit(Enum<?> unit) {
        return unit.name().toLowerCase(Locale.ROOT);
    }

    /// Ids are shown where they are stored; else a child's id is its index.
    private static String union(ArrowType.Union type) {
        StringBuilder out = new StringBuilder("union(").append(unit(type.mode()));
        if (!type.implicitTypeIds()) {
            out.append(", ids");
            type.typeIds().forEach(id -> out.append(' ').append(id));
        }
        return out.append(')').toString();
    }
}
