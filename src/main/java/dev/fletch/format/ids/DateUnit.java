// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

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

    public static final EnumNames NAMES = new EnumNames("DateUnit", "DAY", "MILLISECOND");

    private DateUnit() {}
}
