// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.BatchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;

import java.util.Locale;

/// Exceptions about columns that cannot be read as vectors. Details are formats of
/// [String#format].
final class VectorErrors {
    private VectorErrors() {}

    static BatchException of(Rule rule, String details, Object... values) {
        return causedBy(null, rule, details, values);
    }

    static BatchException causedBy(Throwable cause, Rule rule, String details, Object... values) {
        return new BatchException(rule, String.format(Locale.ROOT, details, values), cause);
    }

    /// Says what arrow-java does not support.
    static BatchException unsupported(String details, Object... values) {
        return unsupportedBy(null, details, values);
    }

    static BatchException unsupportedBy(Throwable cause, String details, Object... values) {
        return causedBy(cause, MeaningRule.VECTOR_UNSUPPORTED, details, values);
    }

    /// Says which number of a node is too small, or above arrow-java's limit.
    static BatchException nodeNumbers(String details, Object... values) {
        return of(MeaningRule.VECTOR_NODE_NUMBERS, details, values);
    }
}
