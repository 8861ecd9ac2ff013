// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;

import java.util.Locale;

/// Exceptions about columns that cannot be read as vectors. Details are formats of
/// [String#format].
final class VectorErrors {
    private VectorErrors() {}

    static FletchException of(Rule rule, String details, Object... values) {
        return at(Fault.NO_OFFSET, rule, details, values);
    }

    /// Says what arrow-java does not support.
    static FletchException unsupported(String details, Object... values) {
        return unsupportedBy(null, details, values);
    }

    static FletchException unsupportedBy(Throwable cause, String details, Object... values) {
        Fault fault = of(MeaningRule.VECTOR_UNSUPPORTED, details, values).fault();
        return FletchException.of(fault, cause);
    }

    /// @param position in the memory of the metadata
    static FletchException at(long position, Rule rule, String details, Object... values) {
        String text = String.format(Locale.ROOT, details, values);
        return FletchException.of(Fault.of(rule, position, 0).because(text));
    }

    /// Says which number is above the limit of a vector.
    ///
    /// @param position in the memory of the metadata
    static FletchException tooLarge(long position, String details, Object... values) {
        return at(position, MeaningRule.VECTOR_TOO_LARGE, details, values);
    }
}
