// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.wire.Escaper;

/// Thrown where a schema, or a part of one, breaks a rule of the Arrow format: while it is made of
/// values, or read from bytes that are well-formed as such.
///
/// The message reads `what: field=a.b, name=value`. What it quotes from a schema is escaped and cut
/// to a length that fits on a line.
public class InvalidSchemaException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// A schema, or a part of one, is invalid; [#requirement()] says what must hold.
    public static final Rule INVALID_SCHEMA =
            new Rule(
                    "invalid-schema", Rule.Level.MEANING, Rule.Severity.ERROR, "schema is invalid");

    /// What must hold.
    private final String requirement;

    /// Null if it is not known.
    private final FieldPath at;

    /// What breaks the rule.
    private final String parameter;

    /// Its value, escaped and maybe cut.
    private final String value;

    /// Creates an exception.
    ///
    /// @param rule what must hold
    /// @param path names of the fields that lead there, joined by dots; null if it is not known or
    ///     the schema as a whole is at fault
    /// @param parameter what breaks the rule, such as `bitWidth`
    /// @param value its value; its text is taken
    public InvalidSchemaException(String rule, String path, String parameter, Object value) {
        this(rule, path, parameter, value, null);
    }

    /// Creates an exception for bytes.
    ///
    /// @param offset of the one at fault, in what was wrapped
    InvalidSchemaException(long offset, String rule, String parameter, String value) {
        this(null, rule, null, parameter, Escaper.shortened(value), offset);
    }

    /// Creates an exception with a cause.
    ///
    /// @param rule what must hold
    /// @param path names of the fields that lead there, joined by dots, or null
    /// @param parameter what breaks the rule
    /// @param value its value; its text is taken
    /// @param cause what told of it, or null
    protected InvalidSchemaException(
            String rule, String path, String parameter, Object value, Throwable cause) {
        this(
                cause,
                rule,
                path == null ? null : FieldPath.of(path),
                parameter,
                Escaper.shortened(String.valueOf(value)),
                -1);
    }

    /// Creates an exception for a field.
    ///
    /// @param at the way to the field
    /// @param rule what must hold
    /// @param parameter what breaks the rule
    /// @param value its value; its text is taken
    protected InvalidSchemaException(FieldPath at, String rule, String parameter, Object value) {
        this(null, rule, at, parameter, Escaper.shortened(String.valueOf(value)), -1);
    }

    /// Creates an exception that tells more of one that was thrown before, and takes its place.
    ///
    /// @param known what was thrown
    /// @param at the field at fault
    protected InvalidSchemaException(InvalidSchemaException known, FieldPath at) {
        this(known.getCause(), known.requirement, at, known.parameter, known.value, known.offset());
    }

    private InvalidSchemaException(
            Throwable cause,
            String requirement,
            FieldPath at,
            String parameter,
            String shown,
            long offset) {
        super(
                INVALID_SCHEMA,
                null,
                offset,
                message(requirement, at, parameter, shown, offset),
                cause);
        this.requirement = requirement;
        this.at = at;
        this.parameter = parameter;
        this.value = shown;
    }

    private static String message(
            String rule, FieldPath at, String parameter, String value, long offset) {
        String field = at == null ? "" : "field=" + at.shown() + ", ";
        String place = offset < 0 ? field : field + "offset=" + offset + ", ";
        return Escaper.text(rule) + ": " + place + parameter + "=" + value;
    }

    /// The same, told of a field.
    ///
    /// @param field the way there
    /// @return an exception with that path, to be thrown in the place of this one
    public InvalidSchemaException at(FieldPath field) {
        InvalidSchemaException placed = new InvalidSchemaException(this, field);
        placed.setStackTrace(getStackTrace());
        return placed;
    }

    /// {@return what must hold, in words}
    public final String requirement() {
        return requirement;
    }

    /// Where the fault is.
    ///
    /// @return names of fields joined by dots; null if that is not known
    public final String path() {
        return at == null ? null : at.toString();
    }

    /// Where the fault is.
    ///
    /// @return the way to the field; null if that is not known
    public final FieldPath at() {
        return at;
    }

    /// What breaks the rule.
    ///
    /// @return its name in the format
    public final String parameter() {
        return parameter;
    }

    /// The value that breaks the rule.
    ///
    /// @return its text, escaped and maybe cut
    public final String value() {
        return value;
    }
}
