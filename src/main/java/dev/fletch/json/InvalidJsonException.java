// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

import dev.fletch.FletchException;
import dev.fletch.Rule;

/// Thrown where a text is no JSON, or not what the integration format says, or describes a schema
/// that breaks a rule of the Arrow format: where it is, and why.
///
/// The message reads `what: line=3, column=14, path=fields[2].type.bitWidth, name=value`. What it
/// quotes from the text is escaped and cut to a length that fits on a line.
public final class InvalidJsonException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// A text is not what the integration format says.
    public static final Rule INVALID_JSON =
            new Rule("invalid-json", Rule.Level.MEANING, Rule.Severity.ERROR, "JSON is invalid");

    /// From 1.
    private final int line;

    /// From 1, in characters.
    private final int column;

    /// Keys and indexes that lead there.
    private final String path;

    /// @param reason what is wrong, already fit to be shown
    /// @param details `name=value` pairs to end with, already fit to be shown; empty for none
    InvalidJsonException(String reason, Place place, String details, Throwable cause) {
        super(INVALID_JSON, null, NO_OFFSET, message(reason, place, details), cause);
        this.line = place.line();
        this.column = place.column();
        this.path = place.path();
    }

    private static String message(String reason, Place place, String details) {
        String path = place.path().isEmpty() ? "" : ", path=" + place.path();
        String more = details.isEmpty() ? "" : ", " + details;
        String at = ": line=" + place.line() + ", column=" + place.column();
        return reason + at + path + more;
    }

    /// {@return the line of the fault, from 1}
    public int line() {
        return line;
    }

    /// {@return the column of the fault, from 1, in UTF-16 characters}
    public int column() {
        return column;
    }

    /// {@return keys and indexes that lead to the fault, such as `fields[2].type.bitWidth`; empty
    /// where it is the whole text. Escaped and cut as in the message, a long one in its middle}
    public String path() {
        return path;
    }
}
