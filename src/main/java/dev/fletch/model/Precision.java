// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

/// Width of a floating-point number.
///
/// Source: `format/Schema.fbs`, enum `Precision`.
public enum Precision {
    /// 16 bits.
    HALF(dev.fletch.format.Precision.HALF),

    /// 32 bits.
    SINGLE(dev.fletch.format.Precision.SINGLE),

    /// 64 bits.
    DOUBLE(dev.fletch.format.Precision.DOUBLE);

    private final int id;

    Precision(int id) {
        this.id = id;
    }

    /// {@return the number that stands for it in the bytes, see [dev.fletch.format.Precision]}
    public int id() {
        return id;
    }
}
