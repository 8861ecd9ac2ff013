// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// The rules of the values in the bodies of batches. A constant's description is its documentation.
///
/// A fault's value is what was found, its limit what is allowed.
///
/// Source: Columnar format, "Physical Memory Layout"; `format/Schema.fbs`.
public enum ValueRule implements Rule {
    VALUE_NULL_COUNT("null count is not the number of nulls"),

    /// The value is one of a struct, fixed-size list or sparse union that is not null.
    VALUE_CHILD_LENGTH("value is behind the last one of the child"),

    VALUE_OFFSET_ORDER("offset is less than the one before it, or than 0"),
    VALUE_OFFSET_RANGE("offset is outside the data or the child"),

    /// Or its size is negative.
    VALUE_SIZE_RANGE("list is not inside the child"),

    VALUE_VIEW_LENGTH("length of a view is negative"),
    VALUE_VIEW_BUFFER("view refers to a buffer that does not exist"),
    VALUE_VIEW_RANGE("view is outside its buffer"),
    VALUE_VIEW_PREFIX("prefix of a view is not that of its bytes"),
    VALUE_VIEW_PADDING("bytes after a short value in its view are not 0"),
    VALUE_NOT_UTF8("text is not UTF-8"),
    VALUE_TYPE_ID("type id is not one of the union"),
    VALUE_UNION_OFFSET("offset is outside the child"),
    VALUE_UNION_ORDER(Severity.DEVIATION, "offset is less than an earlier one of the child"),

    /// Or than 0.
    VALUE_RUN_END_ORDER("run end is not greater than the one before it"),

    VALUE_RUN_END_RANGE("last run ends before the last value"),
    VALUE_DICTIONARY_INDEX("index is outside its dictionary"),
    VALUE_DECIMAL_PRECISION(Severity.DEVIATION, "decimal has more digits than its type"),
    VALUE_TIME_RANGE(Severity.DEVIATION, "time is not inside a day"),
    VALUE_DATE_PARTIAL(Severity.DEVIATION, "date is not a whole number of days"),

    /// The size is negative, or differs from that of all tensors of the type.
    VALUE_TENSOR_SHAPE(Severity.DEVIATION, "size of a tensor is not one of its type"),

    VALUE_TENSOR_SIZE(Severity.DEVIATION, "number of elements differs from the shape"),

    /// Nulls, values and bytes that nothing refers to, ends of buffers: see
    /// [dev.fletch.batch.UnusedBytes].
    UNUSED_VALUES(Severity.NOTE, "bytes of a buffer that no value uses are not 0"),

    /// The field is that of the buffer before them, if the batch has one.
    UNUSED_PADDING(Severity.NOTE, "bytes of a body that no buffer has are not 0"),

    /// A reason follows.
    VALUES_UNCHECKED(Severity.NOTE, "values were not checked");

    final RuleRow row;

    ValueRule(String description) {
        this(Severity.ERROR, description);
    }

    ValueRule(Severity severity, String description) {
        row = new RuleRow(severity, description);
    }
}
