// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// Layout of a dictionary's values.
///
/// Stored as a signed 16-bit number (`short`). Absent in `DictionaryEncoding`: [#DENSE_ARRAY].
///
/// Source: `format/Schema.fbs`, enum `DictionaryKind`.
public final class DictionaryKind {
    /// One array; an index is a position in this array.
    public static final int DENSE_ARRAY = 0;

    public static final EnumNames NAMES = new EnumNames("DictionaryKind", "DenseArray");

    private DictionaryKind() {}
}
