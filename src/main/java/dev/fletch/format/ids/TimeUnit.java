// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

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

    public static final EnumNames NAMES =
            new EnumNames("TimeUnit", "SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND");

    private TimeUnit() {}
}
