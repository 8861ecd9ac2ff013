// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.Rule;
import dev.fletch.ValueRule;

/// The words for a number in a body that breaks a rule: those of verifying and of reading.
public final class ValueText {
    private ValueText() {}

    /// {@return such as `row=0, value=77, limit=4`}
    ///
    /// @param row negative if the number belongs to no row
    /// @param limit what the rule allows
    /// @param isUnsigned whether the field has unsigned numbers of 64 bits
    /// @param dictionary id of the field's dictionary, if it has one
    public static String of(
            Rule rule, long row, long value, long limit, boolean isUnsigned, long dictionary) {
        return (row < 0 ? "" : "row=" + row + ", ")
                + "value="
                + (isUnsigned ? Long.toUnsignedString(value) : Long.toString(value))
                + (hasLimit(rule, limit) ? ", limit=" + limit : "")
                + (rule == ValueRule.VALUE_DICTIONARY_INDEX ? ", dictionary=" + dictionary : "");
    }

    /// Whether one number says what is allowed.
    private static boolean hasLimit(Rule rule, long limit) {
        return rule != ValueRule.VALUE_NOT_UTF8
                && rule != ValueRule.VALUE_VIEW_PADDING
                && (rule != ValueRule.VALUE_TYPE_ID || limit >= 0);
    }
}
