// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import dev.fletch.wire.Escaper;

/// What all exceptions of this library extend that are about bytes, metadata or text: which rule is broken,
/// and where. The message is one line and names the file where it is known, what is wrong, where, the
/// value found and its limit.
///
/// Wrong use of a method is an [IllegalArgumentException], [IllegalStateException] or
/// [IndexOutOfBoundsException] instead.
public class FletchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// What [#offset()] returns where no byte is at fault.
    public static final long NO_OFFSET = -1;

    /// The broken rule.
    private final transient Rule rule;

    /// Byte offset, or [#NO_OFFSET].
    private final long offset;

    /// Null where the bytes come from elsewhere.
    private final String file;

    /// Creates an exception.
    ///
    /// @param rule the broken rule
    /// @param file the file; null where the bytes come from elsewhere
    /// @param offset byte offset of the fault; [#NO_OFFSET] if there is none
    /// @param message what is wrong, without the file
    /// @param cause what led to it; may be null
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

    /// {@return byte offset of the fault, in the file or stream if one is read, else in the memory that the
    /// caller has handed in; [#NO_OFFSET] where no byte is at fault}
    public final long offset() {
        return offset;
    }

    /// {@return the file, as its path was given; null where the bytes come from elsewhere}
    public final String file() {
        return file;
    }

    /// {@return what is wrong, on one line, with the file}
    @Override
    public String getMessage() {
        return file == null ? super.getMessage() : Escaper.text(file) + ": " + super.getMessage();
    }

    /// {@return the message without the file}
    protected final String messageWithoutFile() {
        return super.getMessage();
    }
}
