// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// Width of a floating-point type: 16, 32 or 64 bits.
///
/// Stored as a signed 16-bit number (`short`). Absent in `FloatingPoint`: [#HALF].
///
/// Source: `format/Schema.fbs`, enum `Precision`.
public final class Precision {
    /// 16 bits.
    public static final int HALF = 0;

    /// 32 bits.
    public static final int SINGLE = 1;

    /// 64 bits.
    public static final int DOUBLE = 2;

    public static final EnumNames NAMES = new EnumNames("Precision", "HALF", "SINGLE", "DOUBLE");

    private Precision() {}
}
