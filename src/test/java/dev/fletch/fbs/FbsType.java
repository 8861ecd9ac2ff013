// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

/// The type of a table's field or a vector's element.
public sealed interface FbsType {
    /// Bytes of an offset to a string, vector or table.
    int OFFSET_BYTES = 4;

    /// A plain number or boolean.
    record Scalar(FbsScalar kind) implements FbsType {}

    /// A number with named values.
    record Enumeration(String name, FbsScalar underlying) implements FbsType {}

    /// The implicit `x_type` field that stands before a union field `x`: an unsigned byte.
    record UnionTag(String union) implements FbsType {}

    /// A string.
    record Text() implements FbsType {}

    /// A struct, stored inline.
    record Struct(String name, int sizeBytes, int alignmentBytes) implements FbsType {}

    /// A table behind an offset.
    record Table(String name) implements FbsType {}

    /// One of several tables behind an offset.
    record Union(String name) implements FbsType {}

    /// A vector behind an offset.
    record Vector(FbsType element) implements FbsType {}

    /// The type as a `.fbs` file writes it, such as `long`, `[Field]`; a union's tag is `ubyte`.
    default String spelling() {
        return switch (this) {
            case Scalar(FbsScalar kind) -> kind.spelling();
            case Enumeration(String name, _) -> name;
            case UnionTag _ -> FbsScalar.UBYTE.spelling();
            case Text _ -> "string";
            case Struct(String name, _, _) -> name;
            case Table(String name) -> name;
            case Union(String name) -> name;
            case Vector(FbsType element) -> "[" + element.spelling() + "]";
        };
    }

    /// Bytes that a value takes where it stands: in the table, or as an element of a vector.
    default int inlineBytes() {
        return switch (this) {
            case Scalar(FbsScalar kind) -> kind.sizeBytes();
            case Enumeration(_, FbsScalar underlying) -> underlying.sizeBytes();
            case UnionTag _ -> FbsScalar.UBYTE.sizeBytes();
            case Struct(_, int sizeBytes, _) -> sizeBytes;
            case Text _, Table _, Union _, Vector _ -> OFFSET_BYTES;
        };
    }

    /// Alignment in bytes of a value where it stands.
    default int alignmentBytes() {
        return this instanceof Struct struct ? struct.alignmentBytes() : inlineBytes();
    }

    /// True for numbers, booleans, enums and union tags: what has a default.
    default boolean isScalar() {
        return this instanceof Scalar || this instanceof Enumeration || this instanceof UnionTag;
    }
}
