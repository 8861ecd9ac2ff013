// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

/// Resolution of a time of day, a timestamp or a duration.
///
/// Source: `format/Schema.fbs`, enum `TimeUnit`.
public enum TimeUnit {
    /// Seconds.
    SECOND(dev.fletch.format.TimeUnit.SECOND),

    /// Milliseconds.
    MILLISECOND(dev.fletch.format.TimeUnit.MILLISECOND),

    /// Microseconds.
    MICROSECOND(dev.fletch.format.TimeUnit.MICROSECOND),

    /// Nanoseconds.
    NANOSECOND(dev.fletch.format.TimeUnit.NANOSECOND);

    private final int id;

    TimeUnit(int id) {
        this.id = id;
    }

    /// {@return the number that stands for it in the bytes, see [dev.fletch.format.TimeUnit]}
    public int id() {
        return id;
    }
}
