// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Layout of a dictionary's values.
///
/// Stored as a signed 16-bit number (`short`). Absent in `DictionaryEncoding`: [#DENSE_ARRAY].
///
/// Source: `format/Schema.fbs`, enum `DictionaryKind`.
public final class DictionaryKind {
    /// One array; an index is a position in it.
    public static final int DENSE_ARRAY = 0;

    static final IdNames NAMES = new IdNames("DictionaryKind", "DenseArray");

    private DictionaryKind() {}

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
    /// @return the name of `value`, or its number such as `DictionaryKind(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
