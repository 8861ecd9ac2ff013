// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Fault;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.Rule;
import dev.fletch.VerificationException;

/// Thrown if bytes are not a valid Arrow stream or file: a prefix, length, footer, block or
/// metadata is invalid, or a version is not supported.
///
/// If metadata does not verify, the cause is the verifier's [VerificationException], with rule and
/// path. Offsets of this exception count from the start of the file or stream. Later faults in
/// unverified metadata throw a plain [FlatBufferFormatException]: [EncapsulatedMessage#inputOffset]
/// converts its offset.
public final class ArrowFormatException extends FlatBufferFormatException {
    private static final long serialVersionUID = 1L;

    /// Values and limits.
    private final String details;

    private ArrowFormatException(
            Rule rule, String file, long offset, String details, Throwable cause) {
        String text = rule.description() + ": offset=" + offset + ", " + details;
        super(rule, file, offset, text, cause);
        this.details = details;
    }

    static ArrowFormatException of(Rule rule, long offset, String details) {
        return new ArrowFormatException(rule, null, offset, details, null);
    }

    /// @param details values that the cause does not have
    static ArrowFormatException of(
            Rule rule, long offset, String details, FlatBufferFormatException cause) {
        return new ArrowFormatException(
                rule, null, offset, details + ": " + cause.getMessage(), cause);
    }

    /// Converts a fault of the verifier.
    ///
    /// @param cause has the rule, path and value
    static ArrowFormatException of(Rule rule, long offset, Fault cause) {
        String path = cause.path();
        String code = "code=" + cause.rule().id() + (path.isEmpty() ? "" : ", path=" + path);
        String value = ", value=" + cause.value() + ", rule=" + cause.rule().description();
        return new ArrowFormatException(rule, null, offset, code + value, cause.exception());
    }

    /// The sink of readers: throws at the first error.
    ///
    /// @param fault of a frame, a block or the file
    static void raise(Fault fault) {
        String path = fault.path();
        throw of(
                fault.rule(),
                fault.position(),
                (path.indexOf('[') < 0 ? "" : "block=" + path + ", ") + fault.details());
    }

    /// {@return this exception with the file's name}
    ///
    /// @param name of the file; null if it is unknown
    ArrowFormatException in(String name) {
        if (name == null) {
            return this;
        }
        ArrowFormatException placed =
                new ArrowFormatException(rule(), name, offset(), details, getCause());
        placed.setStackTrace(getStackTrace());
        return placed;
    }

    /// {@return what is wrong, in no message}
    public Fault fault() {
        return Fault.of(rule(), offset(), 0).because(details);
    }
}
