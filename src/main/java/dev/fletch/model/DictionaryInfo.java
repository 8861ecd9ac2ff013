// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.Objects;

/// The dictionary encoding of a field: its values are indexes into a dictionary, which dictionary
/// batches hold. The field's type and children are those of the dictionary's values.
///
/// Source: `format/Schema.fbs`, table `DictionaryEncoding`.
///
/// @param id connects dictionary batches with the field; fields may share it
/// @param indexType type of the indexes, any integer type
/// @param ordered whether the order of the dictionary's values has a meaning
/// @param implicitIndexType whether the bytes omit the index type, which then is `int32`. Arrow C++
///     rejects that
public record DictionaryInfo(
        long id, ArrowType.Int indexType, boolean ordered, boolean implicitIndexType) {
    private static final ArrowType.Int INT32 = new ArrowType.Int(32, true);

    /// Checks the components.
    ///
    /// @throws InvalidSchemaException if the index type is implicit and not `int32`
    public DictionaryInfo {
        Objects.requireNonNull(indexType, "indexType");
        InvalidSchemaException.require(
                !implicitIndexType || indexType.equals(INT32),
                null,
                "an index type that is left out must be int32",
                "indexType",
                indexType.text());
    }

    /// {@return a dictionary whose order has no meaning}
    ///
    /// @param id connects dictionary batches with the field
    /// @param indexType type of the indexes
    public static DictionaryInfo of(long id, ArrowType.Int indexType) {
        return new DictionaryInfo(id, indexType, false, false);
    }

    /// {@return a dictionary whose index type the bytes omit}
    ///
    /// @param id connects dictionary batches with the field
    /// @param ordered whether the order of the dictionary's values has a meaning
    public static DictionaryInfo implicit(long id, boolean ordered) {
        return new DictionaryInfo(id, INT32, ordered, true);
    }

    /// {@return a copy whose order has a meaning}
    public DictionaryInfo inOrder() {
        return new DictionaryInfo(id, indexType, true, implicitIndexType);
    }

    /// {@return all that has a meaning beyond one stream, such as `int8, ordered`}
    String encoding() {
        return indexType.text() + (ordered ? ", ordered" : "");
    }

    /// {@return a text such as `dictionary 3 (int8, ordered)`}
    @Override
    public String toString() {
        return "dictionary " + id + " (" + encoding() + ")";
    }
}
