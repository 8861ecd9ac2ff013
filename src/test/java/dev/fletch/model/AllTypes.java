// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.model.ArrowType.DateResolution;
import dev.fletch.model.ArrowType.FloatPrecision;
import dev.fletch.model.ArrowType.IntervalParts;
import dev.fletch.model.ArrowType.TimeResolution;
import dev.fletch.model.ArrowType.UnionLayout;

import java.util.List;

/// One type of each kind.
final class AllTypes {
    static final List<ArrowType> TYPES =
            List.of(
                    new ArrowType.Null(),
                    new ArrowType.Int(64, false),
                    new ArrowType.FloatingPoint(FloatPrecision.HALF),
                    new ArrowType.Binary(),
                    new ArrowType.Utf8(),
                    new ArrowType.Bool(),
                    new ArrowType.Decimal(38, 10),
                    new ArrowType.Date(DateResolution.DAY),
                    new ArrowType.Time(TimeResolution.NANOSECOND),
                    new ArrowType.Timestamp(TimeResolution.SECOND, "UTC"),
                    new ArrowType.Interval(IntervalParts.DAY_TIME),
                    new ArrowType.List(),
                    new ArrowType.Struct(),
                    ArrowType.Union.of(UnionLayout.DENSE),
                    new ArrowType.FixedSizeBinary(16),
                    new ArrowType.FixedSizeList(3),
                    new ArrowType.Map(true),
                    new ArrowType.Duration(TimeResolution.MICROSECOND),
                    new ArrowType.LargeBinary(),
                    new ArrowType.LargeUtf8(),
                    new ArrowType.LargeList(),
                    new ArrowType.RunEndEncoded(),
                    new ArrowType.BinaryView(),
                    new ArrowType.Utf8View(),
                    new ArrowType.ListView(),
                    new ArrowType.LargeListView());

    private AllTypes() {}

    static boolean isList(ArrowType type) {
        return kind(type) == 1;
    }

    static boolean isLeaf(ArrowType type) {
        return kind(type) == 0;
    }

    /// 0 for leaves, 1 for lists, 2 for all others. That it compiles without `default` shows that
    /// the cases are all there are.
    private static int kind(ArrowType type) {
        return switch (type) {
            case ArrowType.Null _ -> 0;
            case ArrowType.Int _ -> 0;
            case ArrowType.FloatingPoint _ -> 0;
            case ArrowType.Binary _ -> 0;
            case ArrowType.Utf8 _ -> 0;
            case ArrowType.Bool _ -> 0;
            case ArrowType.Decimal _ -> 0;
            case ArrowType.Date _ -> 0;
            case ArrowType.Time _ -> 0;
            case ArrowType.Timestamp _ -> 0;
            case ArrowType.Interval _ -> 0;
            case ArrowType.List _ -> 1;
            case ArrowType.Struct _ -> 2;
            case ArrowType.Union _ -> 2;
            case ArrowType.FixedSizeBinary _ -> 0;
            case ArrowType.FixedSizeList _ -> 1;
            case ArrowType.Map _ -> 2;
            case ArrowType.Duration _ -> 0;
            case ArrowType.LargeBinary _ -> 0;
            case ArrowType.LargeUtf8 _ -> 0;
            case ArrowType.LargeList _ -> 1;
            case ArrowType.RunEndEncoded _ -> 2;
            case ArrowType.BinaryView _ -> 0;
            case ArrowType.Utf8View _ -> 0;
            case ArrowType.ListView _ -> 1;
            case ArrowType.LargeListView _ -> 1;
        };
    }
}
