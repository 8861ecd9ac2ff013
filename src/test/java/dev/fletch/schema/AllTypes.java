// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.schema.ArrowType.TimeResolution;

import java.util.List;

/// One type of each kind.
final class AllTypes {
    static final List<ArrowType> TYPES =
            List.of(
                    ArrowType.Simple.NULL,
                    new ArrowType.Int(64, false),
                    ArrowType.FloatingPoint.HALF,
                    ArrowType.Simple.BINARY,
                    ArrowType.Simple.UTF8,
                    ArrowType.Simple.BOOL,
                    new ArrowType.Decimal(38, 10),
                    ArrowType.Date.DAY,
                    new ArrowType.Time(TimeResolution.NANOSECOND),
                    new ArrowType.Timestamp(TimeResolution.SECOND, "UTC"),
                    ArrowType.Interval.DAY_TIME,
                    ArrowType.Simple.LIST,
                    ArrowType.Simple.STRUCT,
                    ArrowType.Union.dense(),
                    new ArrowType.FixedSizeBinary(16),
                    new ArrowType.FixedSizeList(3),
                    new ArrowType.Map(true),
                    new ArrowType.Duration(TimeResolution.MICROSECOND),
                    ArrowType.Simple.LARGE_BINARY,
                    ArrowType.Simple.LARGE_UTF8,
                    ArrowType.Simple.LARGE_LIST,
                    ArrowType.Simple.RUN_END_ENCODED,
                    ArrowType.Simple.BINARY_VIEW,
                    ArrowType.Simple.UTF8_VIEW,
                    ArrowType.Simple.LIST_VIEW,
                    ArrowType.Simple.LARGE_LIST_VIEW);

    private AllTypes() {}
}
