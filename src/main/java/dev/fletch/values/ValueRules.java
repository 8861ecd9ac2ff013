// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.values;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.RuleList;
import dev.fletch.layout.LayoutRules;

import java.util.List;

/// Rules for the values in the bodies of batches. Ids are stable.
///
/// A fault's value is what was found, its limit what is allowed: see [ValueFault].
///
/// Source: Columnar format, "Physical Memory Layout"; `format/Schema.fbs`.
public final class ValueRules {
    private static final RuleList ALL = new RuleList(Level.VALUES);

    /// The null count of a node is not the number of unset validity bits.
    public static final Rule NULL_COUNT =
            ALL.error("value-null-count", "null count is not the number of nulls");

    /// A value of a struct, fixed-size list or sparse union that is not null is behind the last value
    /// of a child.
    public static final Rule CHILD_LENGTH =
            ALL.error("value-child-length", "value is behind the last one of the child");

    /// An offset is negative, or less than the one before it.
    public static final Rule OFFSET_ORDER = ALL.add(LayoutRules.VALUE_OFFSET_ORDER);

    /// A value ends outside its data, or a list outside its child.
    public static final Rule OFFSET_RANGE = ALL.add(LayoutRules.VALUE_OFFSET_RANGE);

    /// The size of a list view is negative, or the list is not inside the child.
    public static final Rule SIZE_RANGE =
            ALL.error("value-size-range", "list is not inside the child");

    /// The length of a view is negative.
    public static final Rule VIEW_LENGTH = ALL.add(LayoutRules.VALUE_VIEW_LENGTH);

    /// A view refers to a variadic buffer that does not exist.
    public static final Rule VIEW_BUFFER = ALL.add(LayoutRules.VALUE_VIEW_BUFFER);

    /// The bytes of a view are not inside its variadic buffer.
    public static final Rule VIEW_RANGE = ALL.add(LayoutRules.VALUE_VIEW_RANGE);

    /// The first four bytes in a view are not those in the buffer.
    public static final Rule VIEW_PREFIX =
            ALL.error("value-view-prefix", "prefix of a view is not that of its bytes");

    /// A view that has its bytes itself has bytes after them that are not 0.
    public static final Rule VIEW_PADDING =
            ALL.error("value-view-padding", "bytes after a short value in its view are not 0");

    /// Text is not UTF-8.
    public static final Rule NOT_UTF8 = ALL.error("value-not-utf8", "text is not UTF-8");

    /// The type id of a union's value is not one of the type.
    public static final Rule TYPE_ID =
            ALL.error("value-type-id", "type id is not one of the union");

    /// The offset of a dense union's value is not inside the child.
    public static final Rule UNION_OFFSET =
            ALL.error("value-union-offset", "offset is outside the child");

    /// The offset of a dense union's value is less than an earlier one into the same child.
    public static final Rule UNION_ORDER =
            ALL.deviation("value-union-order", "offset is less than an earlier one of the child");

    /// A run end is not greater than the one before it, or than 0.
    public static final Rule RUN_END_ORDER =
            ALL.error("value-run-end-order", "run end is not greater than the one before it");

    /// The last run ends before the last value.
    public static final Rule RUN_END_RANGE =
            ALL.error("value-run-end-range", "last run ends before the last value");

    /// A dictionary index is negative, or not less than the dictionary's length.
    public static final Rule DICTIONARY_INDEX = ALL.add(LayoutRules.VALUE_DICTIONARY_INDEX);

    /// A decimal has more digits than the precision of its type.
    public static final Rule DECIMAL_PRECISION =
            ALL.deviation("value-decimal-precision", "decimal has more digits than its type");

    /// A time is negative, or not less than a day.
    public static final Rule TIME_RANGE =
            ALL.deviation("value-time-range", "time is not inside a day");

    /// A date in milliseconds is not a whole number of days.
    public static final Rule DATE_PARTIAL =
            ALL.deviation("value-date-partial", "date is not a whole number of days");

    /// The shape of a variable-shape tensor has a negative size, or another than all tensors have.
    public static final Rule TENSOR_SHAPE =
            ALL.deviation("value-tensor-shape", "size of a tensor is not one of its type");

    /// A variable-shape tensor has another number of elements than its shape.
    public static final Rule TENSOR_SIZE =
            ALL.deviation("value-tensor-size", "number of elements differs from the shape");

    /// Values could not be checked, for a reason that follows: see [ValueVerifier.Unchecked].
    public static final Rule UNCHECKED = ALL.note("values-unchecked", "values were not checked");

    private ValueRules() {}

    /// {@return all rules, in the order of declaration}
    public static List<Rule> all() {
        return ALL.all();
    }
}
