// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// Parts of a calendar interval: 4, 8 or 16 bytes per value.
///
/// Stored as a signed 16-bit number (`short`). Absent in `Interval`: [#YEAR_MONTH].
///
/// Source: `format/Schema.fbs`, enum `IntervalUnit`.
public final class IntervalUnit {
    /// Months, 4 bytes.
    public static final int YEAR_MONTH = 0;

    /// Days and milliseconds, 8 bytes.
    public static final int DAY_TIME = 1;

    /// Months, days and nanoseconds, 16 bytes.
    public static final int MONTH_DAY_NANO = 2;

    public static final EnumNames NAMES =
            new EnumNames("IntervalUnit", "YEAR_MONTH", "DAY_TIME", "MONTH_DAY_NANO");

    private IntervalUnit() {}
}
