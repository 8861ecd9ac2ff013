// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.Rule;

/// Thrown if a schema cannot be laid out, a batch does not match its layout, or a value cannot be
/// read. The message is one line: what is wrong, and the values.
///
/// Malformed flatbuffers throw a [dev.fletch.FlatBufferFormatException] instead, and schemas that
/// share their parts too often a [dev.fletch.format.SchemaTooLargeException].
public final class LayoutException extends FletchException {
    private static final long serialVersionUID = 1L;

    private final String details;

    LayoutException(Rule rule, String details) {
        this(rule, details, NO_OFFSET);
    }

    /// @param position in the memory of the metadata, if the exception is about a byte
    LayoutException(Rule rule, String details, long position) {
        super(rule, null, position, rule.description() + ": " + details, null);
        this.details = details;
    }

    /// Throws the first error of a check.
    ///
    /// @param column the faulty one; null if the check is not about a column
    static FaultSink errors(String column) {
        String before = column == null ? "" : "column=" + column + ", ";
        return FaultSink.throwing(
                fault ->
                        new LayoutException(
                                fault.rule(), before + fault.found(), fault.position()));
    }

    /// The sink of layouts, for a fault whose details say all.
    static void raise(Fault fault) {
        throw new LayoutException(fault.rule(), fault.details(), fault.position());
    }

    static LayoutException of(Rule rule, String name, long value, String other, long limit) {
        return new LayoutException(rule, name + "=" + value + ", " + other + "=" + limit);
    }

    /// {@return the values of the message, such as `column=7, limit=128`}
    public String details() {
        return details;
    }
}
