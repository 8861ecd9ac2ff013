// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote.errors;

import dev.fletch.wire.Escaper;

import java.io.IOException;

/// Thrown if a byte range cannot be read. The message is one line: source, range and reason, such
/// as `https://host/path: bytes 100 to 199: object has changed: …`.
public final class RangeException extends IOException {
    private static final long serialVersionUID = 1L;

    /// Value of [#offset] for a request of the last bytes of an object.
    public static final long AT_END = -1;

    private final String source;
    private final long offset;
    private final long length;
    private final String reason;

    /// Creates an exception.
    ///
    /// @param source name of the source, without secrets
    /// @param offset of the first byte; [#AT_END] for the last bytes
    /// @param reason what is wrong, without secrets
    /// @param cause may be null; the message does not include its text
    public RangeException(String source, long offset, long length, String reason, Throwable cause) {
        super(text(source, offset, length, reason), cause);
        this.source = source;
        this.offset = offset;
        this.length = length;
        this.reason = reason;
    }

    private static String text(String source, long offset, long length, String reason) {
        String range;
        if (offset == AT_END) {
            range = "last " + length + (length == 1 ? " byte" : " bytes");
        } else if (length == 0) {
            range = "no bytes at " + offset;
        } else {
            range = "bytes " + offset + " to " + (offset + length - 1);
        }
        return Escaper.text(source + ": " + range + ": " + reason);
    }

    /// {@return name of the source}
    public String source() {
        return source;
    }

    /// {@return offset of the first byte; [#AT_END] for the last bytes}
    public long offset() {
        return offset;
    }

    /// {@return number of bytes}
    public long length() {
        return length;
    }

    /// {@return what is wrong, without source and range}
    public String reason() {
        return reason;
    }
}
