// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Resolution of a time of day, a timestamp or a duration.
///
/// Stored as a signed 16-bit number (`short`). Absent in `Time` and `Duration`: [#MILLISECOND]; in
/// `Timestamp`: [#SECOND].
///
/// Source: `format/Schema.fbs`, enum `TimeUnit`.
public final class TimeUnit {
    /// Seconds.
    public static final int SECOND = 0;

    /// Milliseconds.
    public static final int MILLISECOND = 1;

    /// Microseconds.
    public static final int MICROSECOND = 2;

    /// Nanoseconds.
    public static final int NANOSECOND = 3;

    static final IdNames NAMES =
            new IdNames("TimeUnit", "SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND");

    private TimeUnit() {}

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
    /// @return the name of `value`, or its number such as `TimeUnit(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
