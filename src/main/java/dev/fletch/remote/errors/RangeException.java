// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote.errors;

import dev.fletch.wire.Escaper;

import java.io.IOException;

/// Thrown if a byte range cannot be read. The message is one line: source, range and reason, such
/// as `https://host/path: bytes 100 to 199: object has changed: …`.
public final class RangeException extends IOException {
    private static final long serialVersionUID = 1L;

    /// The offset of the last bytes of an object, whose size may not be known.
    public static final long AT_END = -1;

    private final String source;

    /// Creates an exception.
    ///
    /// @param source name of the source, without secrets
    /// @param offset of the first byte; [#AT_END] for the last bytes
    /// @param reason what is wrong, without secrets
    /// @param cause may be null; the message does not include its text
    public RangeException(String source, long offset, long length, String reason, Throwable cause) {
        super(Escaper.text(source + ": " + range(offset, length) + ": " + reason), cause);
        this.source = source;
    }

    private static String range(long offset, long length) {
        if (offset == AT_END) {
            return "last " + length + (length == 1 ? " byte" : " bytes");
        }
        return length == 0
                ? "no bytes at " + offset
                : "bytes " + offset + " to " + (offset + length - 1);
    }

    /// {@return name of the source}
    public String source() {
        return source;
    }
}
