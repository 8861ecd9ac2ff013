// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.wire.Escaper;
import dev.fletch.wire.Utf8;

/// Thrown if a schema, or a part of one, breaks a rule of the Arrow format: while it is made of
/// values, read from well-formed bytes, or written.
///
/// The message reads `what: field=a.b, name=value`. Text from the schema is escaped and cut to a
/// length that fits on a line.
public class InvalidSchemaException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// A schema, or a part of one, is invalid; [#requirement()] says what must hold.
    public static final Rule INVALID_SCHEMA =
            new Rule(
                    "invalid-schema", Rule.Level.MEANING, Rule.Severity.ERROR, "schema is invalid");

    /// What the value must satisfy.
    private final String requirement;

    /// Path of the field; null for the whole schema.
    private FieldPath at;

    /// Name of the wrong parameter; may be null.
    private final String parameter;

    /// The value found, as text.
    private final String value;

    /// Creates an exception without an offset.
    ///
    /// @param value its text is taken
    InvalidSchemaException(String requirement, FieldPath at, String parameter, Object value) {
        this(requirement, at, NO_OFFSET, parameter, value, null);
    }

    /// Creates an exception.
    ///
    /// @param requirement what must hold
    /// @param at path of the field; null if it is not known or the whole schema is invalid
    /// @param offset of the wrong byte, or [#NO_OFFSET]
    /// @param parameter what breaks the rule, such as `bitWidth`
    /// @param value its value, whose text is taken
    /// @param cause may be null
    protected InvalidSchemaException(
            String requirement,
            FieldPath at,
            long offset,
            String parameter,
            Object value,
            Throwable cause) {
        super(INVALID_SCHEMA, null, offset, null, cause);
        this.requirement = requirement;
        this.at = at;
        this.parameter = parameter;
        this.value = Escaper.shortened(String.valueOf(value));
    }

    /// Creates an exception for a rule that a writer refuses to break.
    ///
    /// @param fault of the schema
    InvalidSchemaException(Fault fault) {
        super(fault.rule(), null, NO_OFFSET, null, null);
        requirement = fault.rule().id() + ": " + fault.rule().description();
        parameter = "path";
        value = fault.path();
    }

    /// Sets the path of the field, by a caller that knows more of it than the code that threw.
    ///
    /// @param path path of the field
    protected final void setPath(FieldPath path) {
        at = path;
    }

    /// Throws if a condition is false.
    static void require(
            boolean condition, FieldPath at, String requirement, String parameter, Object value) {
        if (!condition) {
            throw new InvalidSchemaException(requirement, at, parameter, value);
        }
    }

    /// Throws if a text has an unpaired surrogate, which UTF-8 cannot encode.
    ///
    /// @param text may be null
    static void requireUtf8(String parameter, String text) {
        for (int i = 0; text != null && i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                require(
                        Utf8.codePoint(text, i++, text.length()) >= 0,
                        null,
                        "text must have an encoding in UTF-8, half of a surrogate pair has none",
                        parameter,
                        text);
            }
        }
    }

    /// {@return what is wrong and where, on one line}
    @Override
    public String getMessage() {
        return Escaper.text(requirement)
                + (at == null ? ": " : ": field=" + at.shown() + ", ")
                + (offset() == NO_OFFSET ? "" : "offset=" + offset() + ", ")
                + (parameter + "=" + value);
    }

    /// {@return path of the field; null if it is not known or the whole schema is invalid}
    public final FieldPath at() {
        return at;
    }

    /// {@return the names of the path joined by dots; null if there is none}
    public final String path() {
        return at == null ? null : at.toString();
    }

    /// {@return what must hold, in words}
    public final String requirement() {
        return requirement;
    }

    /// {@return name of the parameter that breaks the rule, such as `bitWidth`}
    public final String parameter() {
        return parameter;
    }

    /// {@return the value that breaks the rule: its text, escaped and maybe cut}
    public final String value() {
        return value;
    }
}
