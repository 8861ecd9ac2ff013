// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// The kind of table that describes the type of a field, a tensor or a sparse tensor.
///
/// Stored as an unsigned 8-bit number (`ubyte`). Absent: [#NONE], which no valid field has.
///
/// Source: `format/Schema.fbs`, union `Type`.
public final class Type {
    /// No type.
    public static final int NONE = 0;

    /// `Null`, an empty table: all values are null.
    public static final int NULL = 1;

    /// `Int`: integers, signed or not.
    public static final int INT = 2;

    /// `FloatingPoint`: IEEE 754 numbers.
    public static final int FLOATING_POINT = 3;

    /// `Binary`, an empty table: bytes, 32-bit offsets.
    public static final int BINARY = 4;

    /// `Utf8`, an empty table: text, 32-bit offsets.
    public static final int UTF8 = 5;

    /// `Bool`, an empty table: one bit per row.
    public static final int BOOL = 6;

    /// `Decimal`: exact decimal numbers.
    public static final int DECIMAL = 7;

    /// `Date`: calendar dates.
    public static final int DATE = 8;

    /// `Time`: times of day.
    public static final int TIME = 9;

    /// `Timestamp`: instants, or wall-clock times.
    public static final int TIMESTAMP = 10;

    /// `Interval`: calendar intervals.
    public static final int INTERVAL = 11;

    /// `List`, an empty table: lists, 32-bit offsets.
    public static final int LIST = 12;

    /// `Struct_`, an empty table: a value for each child; the underscore is part of the declared
    /// name.
    public static final int STRUCT_ = 13;

    /// `Union`: each value belongs to one of the children.
    public static final int UNION = 14;

    /// `FixedSizeBinary`: bytes of equal length.
    public static final int FIXED_SIZE_BINARY = 15;

    /// `FixedSizeList`: lists of equal length.
    public static final int FIXED_SIZE_LIST = 16;

    /// `Map`: key-value lists.
    public static final int MAP = 17;

    /// `Duration`: elapsed time.
    public static final int DURATION = 18;

    /// `LargeBinary`, an empty table: bytes, 64-bit offsets.
    public static final int LARGE_BINARY = 19;

    /// `LargeUtf8`, an empty table: text, 64-bit offsets.
    public static final int LARGE_UTF8 = 20;

    /// `LargeList`, an empty table: lists, 64-bit offsets.
    public static final int LARGE_LIST = 21;

    /// `RunEndEncoded`, an empty table: runs of equal values.
    public static final int RUN_END_ENCODED = 22;

    /// `BinaryView`, an empty table: bytes, inline in views or in data buffers.
    public static final int BINARY_VIEW = 23;

    /// `Utf8View`, an empty table: text, inline in views or in data buffers.
    public static final int UTF8_VIEW = 24;

    /// `ListView`, an empty table: lists with 32-bit offsets and sizes.
    public static final int LIST_VIEW = 25;

    /// `LargeListView`, an empty table: lists with 64-bit offsets and sizes.
    public static final int LARGE_LIST_VIEW = 26;

    public static final EnumNames NAMES =
            new EnumNames(
                    "Type",
                    "NONE",
                    "Null",
                    "Int",
                    "FloatingPoint",
                    "Binary",
                    "Utf8",
                    "Bool",
                    "Decimal",
                    "Date",
                    "Time",
                    "Timestamp",
                    "Interval",
                    "List",
                    "Struct_",
                    "Union",
                    "FixedSizeBinary",
                    "FixedSizeList",
                    "Map",
                    "Duration",
                    "LargeBinary",
                    "LargeUtf8",
                    "LargeList",
                    "RunEndEncoded",
                    "BinaryView",
                    "Utf8View",
                    "ListView",
                    "LargeListView");

    private Type() {}
}
