// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Fault;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.Rule;
import dev.fletch.VerificationException;

import java.util.Locale;

/// Thrown where bytes cannot be an Arrow stream or file: a prefix, a size, a footer or a block is
/// wrong, or a version is not supported.
///
/// If metadata does not verify, the cause is the verifier's [VerificationException], with its rule and path;
/// the offset of this exception is that in the file or stream. A fault that shows only later, when a
/// flyweight below a message is bound that was not verified, is a plain [FlatBufferFormatException]:
/// [EncapsulatedMessage#inputOffset] converts its offset.
public final class ArrowFormatException extends FlatBufferFormatException {
    private static final long serialVersionUID = 1L;

    /// Values and limits.
    private final String details;

    private ArrowFormatException(
            Rule rule, String file, long offset, String details, Throwable cause) {
        super(
                rule,
                file,
                offset,
                rule.description() + ": offset=" + offset + ", " + details,
                cause);
        this.details = details;
    }

    static ArrowFormatException of(Rule rule, long offset, String details) {
        return new ArrowFormatException(rule, null, offset, details, null);
    }

    static ArrowFormatException of(Rule rule, long offset, String name, long value) {
        return of(rule, offset, name + "=" + value);
    }

    static ArrowFormatException of(
            Rule rule, long offset, String name, long value, String limitName, long limit) {
        return of(rule, offset, name + "=" + value + ", " + limitName + "=" + limit);
    }

    /// @param details what is known besides the cause
    static ArrowFormatException of(
            Rule rule, long offset, String details, FlatBufferFormatException cause) {
        return new ArrowFormatException(
                rule, null, offset, details + ": " + cause.getMessage(), cause);
    }

    /// Repeats what the verifier has found.
    ///
    /// @param cause has the broken rule, path and value
    static ArrowFormatException of(Rule rule, long offset, Fault cause) {
        final String path = cause.path();
        final String details =
                String.format(
                        Locale.ROOT,
                        "code=%s%s, value=%d, rule=%s",
                        cause.rule().id(),
                        path.isEmpty() ? "" : ", path=" + path,
                        cause.value(),
                        cause.rule().description());
        return new ArrowFormatException(rule, null, offset, details, cause.exception());
    }

    /// {@return the same exception for a file}
    ///
    /// @param name of the file; null if that is not known
    ArrowFormatException in(String name) {
        if (name == null) {
            return this;
        }
        final ArrowFormatException placed =
                new ArrowFormatException(rule(), name, offset(), details, getCause());
        placed.setStackTrace(getStackTrace());
        return placed;
    }

    /// {@return the message without file and offset, for those who show that in a place of its own}
    public String reason() {
        return rule().description() + ": " + details;
    }
}
