// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

/// Thrown where bytes cannot be a well-formed FlatBuffer: an offset, a vtable, a string or a vector
/// leads out of the wrapped range.
///
/// The message names the thing, its value and the limit; [#position()] tells where it was found.
public class FlatBufferFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Byte offset of the fault.
    private final long position;

    /// Creates an exception.
    ///
    /// @param message what is wrong, with values
    /// @param position byte offset of the fault in the segment or buffer that was wrapped
    public FlatBufferFormatException(String message, long position) {
        super(message);
        this.position = position;
    }

    /// Where the fault is.
    ///
    /// @return byte offset in the segment or buffer that was wrapped
    public long position() {
        return position;
    }
}
