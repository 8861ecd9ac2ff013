// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Layout of a union column.
///
/// Stored as a signed 16-bit number (`short`). Absent in `Union`: [#SPARSE].
///
/// Source: `format/Schema.fbs`, enum `UnionMode`.
public final class UnionMode {
    /// Every child is as long as the union.
    public static final int SPARSE = 0;

    /// Each value has an offset into its child.
    public static final int DENSE = 1;

    static final IdNames NAMES = new IdNames("UnionMode", "Sparse", "Dense");

    private UnionMode() {}

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
    /// @return the name of `value`, or its number such as `UnionMode(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
