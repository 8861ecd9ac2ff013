// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Resolution of a date: 32-bit days or 64-bit milliseconds since 1970-01-01.
///
/// Stored as a signed 16-bit number (`short`). Absent in `Date`: [#MILLISECOND].
///
/// Source: `format/Schema.fbs`, enum `DateUnit`.
public final class DateUnit {
    /// Days, 32 bits.
    public static final int DAY = 0;

    /// Milliseconds, 64 bits.
    public static final int MILLISECOND = 1;

    static final IdNames NAMES = new IdNames("DateUnit", "DAY", "MILLISECOND");

    private DateUnit() {}

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
    /// @return the name of `value`, or its number such as `DateUnit(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
