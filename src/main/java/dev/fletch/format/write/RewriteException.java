// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.FletchException;
import dev.fletch.Rule;

/// Thrown where a message can be read but not be written again: it holds something that this
/// version of the format does not know, or it passes a limit of a [MetadataWriter].
///
/// The message names the thing, its value and the limit.
public class RewriteException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// A message cannot be written again.
    public static final Rule NOT_WRITABLE =
            new Rule(
                    "not-writable",
                    Rule.Level.MEANING,
                    Rule.Severity.ERROR,
                    "message cannot be written again");

    /// Creates an exception.
    ///
    /// @param message what cannot be written, with values
    RewriteException(String message) {
        super(NOT_WRITABLE, null, NO_OFFSET, message, null);
    }
}
