// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;

/// Thrown if a readable message cannot be rewritten: it has a union member that is not declared in
/// the format, or exceeds a limit of a [MetadataWriter].
///
/// The exception's message names the faulty part, its value and the limit.
public class RewriteException extends FletchException {
    private static final long serialVersionUID = 1L;

    RewriteException(String message) {
        super(MeaningRule.NOT_WRITABLE, null, NO_OFFSET, message, null);
    }

    /// The sink of writers: throws at the first error.
    static void raise(Fault fault) {
        throw new RewriteException(fault.rule().description() + ": " + fault.details());
    }
}
