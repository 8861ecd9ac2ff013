// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

/// What a calendar span is made of.
///
/// Source: `format/Schema.fbs`, enum `IntervalUnit`.
public enum IntervalUnit {
    /// Months, in 32 bits.
    YEAR_MONTH(dev.fletch.format.IntervalUnit.YEAR_MONTH),

    /// Days and milliseconds, in 32 bits each.
    DAY_TIME(dev.fletch.format.IntervalUnit.DAY_TIME),

    /// Months and days in 32 bits each, nanoseconds in 64.
    MONTH_DAY_NANO(dev.fletch.format.IntervalUnit.MONTH_DAY_NANO);

    private final int id;

    IntervalUnit(int id) {
        this.id = id;
    }

    /// {@return the number that stands for it in the bytes, see [dev.fletch.format.IntervalUnit]}
    public int id() {
        return id;
    }
}
