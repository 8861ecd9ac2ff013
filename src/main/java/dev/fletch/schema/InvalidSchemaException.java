// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.wire.Escaper;
import dev.fletch.wire.Utf8;

/// Thrown if a schema, or a part of one, breaks a rule of the Arrow format: while it is created
/// from values, read from well-formed bytes, or written.
///
/// The message reads `requirement: field=a.b, name=value`. Text from the schema is escaped and
/// shortened.
public class InvalidSchemaException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// The condition that the value must satisfy.
    private final String requirement;

    /// Path of the field; null if unknown or for the schema itself.
    private FieldPath at;

    /// Name of the invalid parameter; may be null.
    private final String parameter;

    /// The value found, as text.
    private final String value;

    /// Creates an exception for a broken rule at writing.
    ///
    /// @param fault of the schema
    InvalidSchemaException(Fault fault) {
        this(
                fault.rule(),
                fault.rule().id() + ": " + fault.rule().description(),
                null,
                NO_OFFSET,
                "path",
                fault.path(),
                null);
    }

    /// Creates an exception for a condition that no rule of the format has.
    ///
    /// @param requirement the condition that must hold
    /// @param at path of the field; null if unknown or for the schema itself
    /// @param offset of the invalid byte, or [#NO_OFFSET]
    /// @param parameter name of the invalid parameter, such as `bitWidth`
    /// @param value its value, stored as text
    /// @param cause may be null
    protected InvalidSchemaException(
            String requirement,
            FieldPath at,
            long offset,
            String parameter,
            Object value,
            Throwable cause) {
        this(MeaningRule.INVALID_SCHEMA, requirement, at, offset, parameter, value, cause);
    }

    private InvalidSchemaException(
            Rule broken,
            String requirement,
            FieldPath at,
            long offset,
            String parameter,
            Object value,
            Throwable cause) {
        super(broken, null, offset, null, cause);
        this.requirement = requirement;
        this.at = at;
        this.parameter = parameter;
        this.value = Escaper.shortened(String.valueOf(value));
    }

    /// Sets the path of the field, for a caller that knows a longer path.
    ///
    /// @param path path of the field
    protected final void setPath(FieldPath path) {
        at = path;
    }

    /// Throws if a condition is false.
    static void require(
            boolean condition, FieldPath at, String requirement, String parameter, Object value) {
        if (!condition) {
            throw new InvalidSchemaException(requirement, at, NO_OFFSET, parameter, value, null);
        }
    }

    /// Creates an exception for a broken rule of the format.
    static InvalidSchemaException of(Rule broken, FieldPath at, String parameter, Object value) {
        String requirement = broken.description();
        return new InvalidSchemaException(
                broken, requirement, at, NO_OFFSET, parameter, value, null);
    }

    /// Throws if a rule of the format is broken, unless that is a deviation.
    ///
    /// @param broken null if none is
    static void require(Rule broken, FieldPath at, String parameter, Object value) {
        if (broken != null && broken.severity() == Rule.Severity.ERROR) {
            throw of(broken, at, parameter, value);
        }
    }

    /// Throws if a text has an unpaired surrogate, which UTF-8 cannot encode.
    ///
    /// @param text may be null
    static void requireUtf8(String parameter, String text) {
        boolean isValid = text == null || Utf8.encodedLength(text) >= 0;
        require(isValid, null, "text must have no unpaired surrogate", parameter, text);
    }

    /// {@return the message on one line}
    @Override
    public String getMessage() {
        return Escaper.text(requirement)
                + (at == null ? ": " : ": field=" + at.shown() + ", ")
                + (offset() == NO_OFFSET ? "" : "offset=" + offset() + ", ")
                + (parameter + "=" + value);
    }

    /// {@return path of the field; null if unknown or for the schema itself}
    public final FieldPath at() {
        return at;
    }

    /// {@return the path's names joined by dots; null if there is no path}
    public final String path() {
        return at == null ? null : at.toString();
    }

    /// {@return the condition that must hold, as text}
    public final String requirement() {
        return requirement;
    }

    /// {@return name of the invalid parameter, such as `bitWidth`}
    public final String parameter() {
        return parameter;
    }

    /// {@return the invalid value as text, escaped and possibly shortened}
    public final String value() {
        return value;
    }
}
