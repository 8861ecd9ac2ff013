// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.format.internal.tables.TypeFacts;

import java.util.Objects;

/// The dictionary encoding of a field: its values are indices into a dictionary, whose values are
/// in dictionary batches. The field's type and children are those of the dictionary's values.
///
/// Source: `format/Schema.fbs`, table `DictionaryEncoding`.
///
/// @param id of the dictionary, as in its dictionary batches; fields may share it
/// @param indexType type of the indices, any integer type
/// @param ordered whether the order of the dictionary's values is meaningful
/// @param implicitIndexType whether the bytes omit the index type, which then is `int32`. Arrow C++
///     rejects an omitted index type
public record DictionaryInfo(
        long id, ArrowType.Int indexType, boolean ordered, boolean implicitIndexType) {
    private static final ArrowType.Int INT32 =
            new ArrowType.Int(TypeFacts.DEFAULT_INDEX_BITS, true);

    /// Checks the components.
    ///
    /// @throws InvalidSchemaException if the index type is implicit and not `int32`
    public DictionaryInfo {
        Objects.requireNonNull(indexType, "indexType");
        InvalidSchemaException.require(
                !implicitIndexType || indexType.equals(INT32),
                null,
                "implicit index type must be int32",
                "indexType",
                indexType.text());
    }

    /// {@return a dictionary encoding without meaningful order}
    public static DictionaryInfo of(long id, ArrowType.Int indexType) {
        return new DictionaryInfo(id, indexType, false, false);
    }

    /// {@return a dictionary encoding with an implicit index type}
    public static DictionaryInfo implicit(long id, boolean ordered) {
        return new DictionaryInfo(id, INT32, ordered, true);
    }

    /// {@return the properties that matter beyond one stream, such as `int8, ordered`}
    String encoding() {
        return indexType.text() + (ordered ? ", ordered" : "");
    }

    /// {@return a text such as `dictionary 3 (int8, ordered)`}
    @Override
    public String toString() {
        return "dictionary " + id + " (" + encoding() + ")";
    }
}
