// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Parts that a calendar interval is made of: 4, 8 or 16 bytes per value.
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

    static final IdNames NAMES =
            new IdNames("IntervalUnit", "YEAR_MONTH", "DAY_TIME", "MONTH_DAY_NANO");

    private IntervalUnit() {}

    /// Tells whether this version of the format declares a value. A newer file may hold others.
    ///
    /// @param value any number
    /// @return whether `value` has a name here
    public static boolean isKnown(int value) {
        return NAMES.isKnown(value);
    }

    /// Names a value as `format/Schema.fbs` spells it. A value that is not known keeps its number,
    /// since a newer file may hold it. Allocates for an unknown value only.
    ///
    /// @param value any number
    /// @return the name of `value`, or its number such as `IntervalUnit(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
