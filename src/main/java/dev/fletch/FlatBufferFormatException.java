// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Thrown if the bytes are not a well-formed FlatBuffer: an offset, vtable, string or vector points
/// out of the wrapped range.
///
/// The message names the faulty part, its value and the limit.
public class FlatBufferFormatException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// Creates an exception.
    ///
    /// @param message what is wrong, with values
    /// @param offset byte offset of the fault in the wrapped segment or buffer
    public FlatBufferFormatException(String message, long offset) {
        super(StructureRule.MALFORMED, null, offset, message, null);
    }

    /// Creates an exception for bytes of a file, with the parameters of [FletchException].
    protected FlatBufferFormatException(
            Rule rule, String file, long offset, String message, Throwable cause) {
        super(rule, file, offset, message, cause);
    }
}
