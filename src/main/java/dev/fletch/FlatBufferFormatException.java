// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Thrown where bytes cannot be a well-formed FlatBuffer: an offset, a vtable, a string or a vector
/// leads out of the wrapped range.
///
/// The message names the thing, its value and the limit.
public class FlatBufferFormatException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// Bytes that were not verified lead out of their range.
    public static final Rule MALFORMED =
            new Rule(
                    "malformed",
                    Rule.Level.STRUCTURE,
                    Rule.Severity.ERROR,
                    "bytes are no well-formed FlatBuffer");

    /// Creates an exception.
    ///
    /// @param message what is wrong, with values
    /// @param offset byte offset of the fault in the segment or buffer that was wrapped
    public FlatBufferFormatException(String message, long offset) {
        this(MALFORMED, message, offset);
    }

    FlatBufferFormatException(Rule rule, String message, long offset) {
        super(rule, null, offset, message, null);
    }

    /// Creates an exception for bytes of a file.
    ///
    /// @param rule the broken rule
    /// @param file the file; null where the bytes come from elsewhere
    /// @param offset byte offset of the fault
    /// @param message what is wrong, without the file
    /// @param cause what led to it; may be null
    protected FlatBufferFormatException(
            Rule rule, String file, long offset, String message, Throwable cause) {
        super(rule, file, offset, message, cause);
    }
}
