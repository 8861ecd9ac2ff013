// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

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

    static final IdNames NAMES = new IdNames("Precision", "HALF", "SINGLE", "DOUBLE");

    private Precision() {}

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
    /// @return the name of `value`, or its number such as `Precision(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
