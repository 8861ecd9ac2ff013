// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;

import java.util.Locale;

/// Thrown if columns cannot be read as vectors: because the input is invalid, or because arrow-java
/// does not support them. The message has the column, the buffer, the value and its limit where
/// known.
public final class VectorException extends FletchException {
    private static final long serialVersionUID = 1L;

    private VectorException(Rule rule, String file, long offset, String message, Throwable cause) {
        super(rule, file, offset, message, cause);
    }

    /// @param position in the memory of the metadata
    static VectorException at(long position, Rule rule, String details) {
        return new VectorException(rule, null, position, rule.description() + ": " + details, null);
    }

    /// The sink of vectors, for a fault whose details say all.
    static void raise(Fault fault) {
        throw at(fault.position(), fault.rule(), fault.details());
    }

    /// @param column the faulty one; null if the fault is not in a column
    static VectorException of(Fault fault, String column) {
        String before = column == null ? "" : "column=" + column + ", ";
        return at(fault.position(), fault.rule(), before + fault.found());
    }

    /// The sink of vectors: throws at the first error.
    ///
    /// @param column the faulty one; null if the check is not about a column
    static FaultSink errors(String column) {
        return FaultSink.throwing(fault -> of(fault, column));
    }

    /// @param details a format of [String#format]
    static VectorException of(Rule rule, String details, Object... values) {
        return causedBy(null, rule, details, values);
    }

    static VectorException causedBy(Throwable cause, Rule rule, String details, Object... values) {
        String text = String.format(Locale.ROOT, details, values);
        return new VectorException(rule, null, NO_OFFSET, rule.description() + ": " + text, cause);
    }

    /// Says what arrow-java does not support.
    static VectorException unsupported(String details, Object... values) {
        return unsupportedBy(null, details, values);
    }

    static VectorException unsupportedBy(Throwable cause, String details, Object... values) {
        return causedBy(cause, MeaningRule.VECTOR_UNSUPPORTED, details, values);
    }

    /// Says which number of a node is too small, or above arrow-java's limit.
    static VectorException nodeNumbers(String details, Object... values) {
        return of(MeaningRule.VECTOR_NODE_NUMBERS, details, values);
    }

    /// {@return this exception with the file and the batch}
    ///
    /// @param file its name; null if unknown
    /// @param batch such as `recordBatches[3]`; null for none
    /// @param shift offset in the file or stream of the metadata's memory
    VectorException in(String file, String batch, long shift) {
        String where = batch == null ? "" : ", batch=" + batch;
        var placed =
                new VectorException(
                        rule(),
                        file,
                        offset() == NO_OFFSET ? NO_OFFSET : offset() + shift,
                        messageWithoutFile() + where,
                        getCause());
        placed.setStackTrace(getStackTrace());
        return placed;
    }
}
