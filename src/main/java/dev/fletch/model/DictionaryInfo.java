// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.Objects;

/// Tells that a field's values are indexes into a dictionary, which dictionary batches bring. The
/// field's type and children are then those of the dictionary's values.
///
/// Source: `format/Schema.fbs`, table `DictionaryEncoding`.
///
/// @param id number that ties dictionary batches to the field; fields may share it
/// @param indexType type of the indexes, any integer type
/// @param ordered whether the order of the dictionary's values means something
/// @param implicitIndexType whether the bytes leave the index type out, which then means `int32`.
///     Arrow C++ refuses that
public record DictionaryInfo(
        long id, ArrowType.Int indexType, boolean ordered, boolean implicitIndexType) {
    private static final ArrowType.Int INT32 = new ArrowType.Int(32, true);

    /// Checks the parts.
    ///
    /// @throws InvalidSchemaException if the index type is left out and not `int32`
    public DictionaryInfo {
        Objects.requireNonNull(indexType, "indexType");
        if (implicitIndexType && !indexType.equals(INT32)) {
            throw new InvalidSchemaException(
                    "an index type that is left out must be int32",
                    null,
                    "indexType",
                    indexType.text());
        }
    }

    /// A dictionary whose order means nothing.
    ///
    /// @param id number that ties dictionary batches to the field
    /// @param indexType type of the indexes
    /// @return the dictionary
    public static DictionaryInfo of(long id, ArrowType.Int indexType) {
        return new DictionaryInfo(id, indexType, false, false);
    }

    /// A dictionary whose index type the bytes leave out.
    ///
    /// @param id number that ties dictionary batches to the field
    /// @param ordered whether the order of the dictionary's values means something
    /// @return the dictionary, with indexes of `int32`
    public static DictionaryInfo implicit(long id, boolean ordered) {
        return new DictionaryInfo(id, INT32, ordered, true);
    }

    /// The same with an order that means something.
    ///
    /// @return a new dictionary
    public DictionaryInfo inOrder() {
        return new DictionaryInfo(id, indexType, true, implicitIndexType);
    }

    /// Compares what it means: index type, whether it is left out or not, and order.
    ///
    /// Ids are not compared: they tie batches to fields inside one stream, and of two streams of
    /// the same table one may number its dictionaries otherwise, or have one for two fields.
    ///
    /// @param other null for none
    /// @return whether both mean the same
    public boolean sameMeaning(DictionaryInfo other) {
        return other != null && normalized().equals(other.normalized());
    }

    DictionaryInfo normalized() {
        return new DictionaryInfo(0, indexType, ordered, false);
    }

    /// What it means, such as `int8, ordered`.
    String encoding() {
        return indexType.text() + (ordered ? ", ordered" : "");
    }

    /// {@return a text such as `dictionary 3 (int8, ordered)`}
    @Override
    public String toString() {
        return "dictionary " + id + " (" + encoding() + ")";
    }
}
