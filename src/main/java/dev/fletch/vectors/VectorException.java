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

    // Whether the offset is that in the input, and the message names the batch.
    private final boolean isPlaced;

    private VectorException(
            Rule rule,
            String file,
            long offset,
            String message,
            Throwable cause,
            boolean isPlaced) {
        super(rule, file, offset, message, cause);
        this.isPlaced = isPlaced;
    }

    /// @param position in the memory of the metadata
    static VectorException at(long position, Rule rule, String details) {
        return at(position, null, rule, details);
    }

    private static VectorException at(long position, Throwable cause, Rule rule, String details) {
        String text = rule.description() + ": " + details;
        return new VectorException(rule, null, position, text, cause, false);
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
        return at(NO_OFFSET, cause, rule, String.format(Locale.ROOT, details, values));
    }

    /// @param offset in the body of the batch
    static VectorException inBody(
            BatchPlace place, long offset, Throwable cause, Rule rule, String details) {
        return at(place.bodyOffset() + offset - place.metadataShift(), cause, rule, details)
                .in(place);
    }

    /// Says what arrow-java does not support.
    static VectorException unsupported(String details, Object... values) {
        return unsupportedBy(null, details, values);
    }

    static VectorException unsupportedBy(Throwable cause, String details, Object... values) {
        return causedBy(cause, MeaningRule.VECTOR_UNSUPPORTED, details, values);
    }

    /// Says which number of a node is too small, or above arrow-java's limit.
    static VectorException nodeNumbers(long position, String details, Object... values) {
        return at(
                position,
                MeaningRule.VECTOR_NODE_NUMBERS,
                String.format(Locale.ROOT, details, values));
    }

    /// {@return this exception with the batch and the offset in the input}
    VectorException in(BatchPlace place) {
        if (isPlaced) {
            return this;
        }
        String where = place.batch() == null ? "" : ", batch=" + place.batch();
        long offset = offset() == NO_OFFSET ? NO_OFFSET : offset() + place.metadataShift();
        return with(file(), offset, messageWithoutFile() + where);
    }

    /// {@return this exception with the file}
    ///
    /// @param file its name; null if unknown
    VectorException in(String file) {
        return with(file, offset(), messageWithoutFile());
    }

    private VectorException with(String file, long offset, String message) {
        var placed = new VectorException(rule(), file, offset, message, getCause(), true);
        placed.setStackTrace(getStackTrace());
        return placed;
    }
}
