// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.FletchException;
import dev.fletch.Rule;

/// Thrown if a schema cannot be laid out, a batch does not match its layout, or a value cannot be read. The
/// message is one line: what is wrong, and the values. [LayoutRules] and [ValueRules] list the rules.
///
/// Malformed flatbuffers throw a [dev.fletch.FlatBufferFormatException] instead, and schemas that share their
/// parts too often a [dev.fletch.format.SchemaTooLargeException].
public final class LayoutException extends FletchException {
    private static final long serialVersionUID = 1L;

    private final String details;

    LayoutException(Rule rule, String details) {
        super(rule, null, NO_OFFSET, rule.description() + ": " + details, null);
        this.details = details;
    }

    static LayoutException of(Rule rule, String name, long value, String other, long limit) {
        return new LayoutException(rule, name + "=" + value + ", " + other + "=" + limit);
    }

    /// {@return the values of the message, such as `column=7, limit=128`}
    public String details() {
        return details;
    }
}
