// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

/// Resolution of a date.
///
/// Source: `format/Schema.fbs`, enum `DateUnit`.
public enum DateUnit {
    /// Days since the epoch, in 32 bits.
    DAY(dev.fletch.format.DateUnit.DAY),

    /// Milliseconds since the epoch, in 64 bits.
    MILLISECOND(dev.fletch.format.DateUnit.MILLISECOND);

    private final int id;

    DateUnit(int id) {
        this.id = id;
    }

    /// {@return the number that stands for it in the bytes, see [dev.fletch.format.DateUnit]}
    public int id() {
        return id;
    }
}
