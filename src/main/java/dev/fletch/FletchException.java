// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import dev.fletch.wire.Escaper;

/// Base class of the exceptions about invalid bytes, metadata or text. It holds the broken rule and
/// the byte offset. The message is one line: the file if known, what is wrong, where, the value
/// found and its limit.
///
/// Misuse of a method throws an [IllegalArgumentException], [IllegalStateException] or
/// [IndexOutOfBoundsException] instead.
public class FletchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Returned by [#offset()] if the exception is not about a byte.
    public static final long NO_OFFSET = -1;

    private final transient Rule rule;
    private final long offset;
    private final String file;

    /// Creates an exception.
    ///
    /// @param rule the broken rule
    /// @param file the file; null where the bytes come from elsewhere
    /// @param offset byte offset of the fault; [#NO_OFFSET] if there is none
    /// @param message what is wrong, without the file
    /// @param cause the cause; may be null
    protected FletchException(
            Rule rule, String file, long offset, String message, Throwable cause) {
        super(message, cause);
        this.rule = rule;
        this.file = file;
        this.offset = offset;
    }

    /// {@return the broken rule}
    public final Rule rule() {
        return rule;
    }

    /// {@return byte offset of the fault: in the file or stream that is read, otherwise in the
    /// caller's memory; [#NO_OFFSET] if the exception is not about a byte}
    public final long offset() {
        return offset;
    }

    /// {@return the file's path as the caller passed it; null if the bytes are not from a file}
    public final String file() {
        return file;
    }

    /// {@return the message on one line, with the file if known}
    @Override
    public String getMessage() {
        return file == null ? super.getMessage() : Escaper.text(file) + ": " + super.getMessage();
    }

    /// {@return the message without the file}
    protected final String messageWithoutFile() {
        return super.getMessage();
    }
}
