// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.json;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.internal.JsonCursor.Place;
import dev.fletch.wire.Escaper;

/// Thrown if a text is not JSON or not in the integration format, or if its schema breaks a rule of
/// the Arrow format.
///
/// The message reads `what is wrong: line=3, column=14, path=fields[2].type.bitWidth, name=value`.
/// Text from the input is escaped and shortened.
public final class InvalidJsonException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// Line in the text, from 1.
    private final int line;

    /// Column in the line, from 1.
    private final int column;

    /// Path in the document.
    private final String path;

    /// @param reason what is wrong, escaped
    /// @param details further `name=value` pairs, escaped; empty for none
    InvalidJsonException(String reason, Place place, String details, Throwable cause) {
        String text = message(reason, place, details);
        Fault fault = Fault.of(MeaningRule.INVALID_JSON, NO_OFFSET, 0);
        super(fault.withText(text), text, cause);
        this.line = place.line();
        this.column = place.column();
        this.path = place.path();
    }

    /// Creates an exception for a schema that breaks a rule of the Arrow format.
    ///
    /// @param details further `name=value` pairs, escaped, before that of the fault
    static InvalidJsonException of(InvalidSchemaException fault, Place place, String details) {
        return new InvalidJsonException(
                Escaper.shortened(fault.requirement()),
                place,
                details + fault.parameter() + "=" + fault.value(),
                fault);
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

    /// {@return the column of the fault, from 1, in UTF-16 code units}
    public int column() {
        return column;
    }

    /// {@return path of keys and indexes to the fault, such as `fields[2].type.bitWidth`; empty for
    /// the complete text. Escaped; a long path is shortened in the middle}
    public String path() {
        return path;
    }
}
