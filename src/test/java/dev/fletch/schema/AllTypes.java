// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.schema.ArrowType.DateResolution;
import dev.fletch.schema.ArrowType.FloatPrecision;
import dev.fletch.schema.ArrowType.IntervalParts;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.schema.ArrowType.UnionLayout;

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
}
