// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Schema;
import dev.fletch.schema.internal.FieldSelection;
import dev.fletch.wire.Escaper;
import dev.fletch.wire.Utf8;

/// Thrown if a schema, or a part of one, breaks a rule of the Arrow format or of an extension type:
/// while it is created from values, read from well-formed bytes, or written.
///
/// The message reads `requirement: field=a.b, name=value`, such as
/// `arrow.uuid must …: field=a.b, type=utf8`. Text from the schema is escaped and shortened.
public final class InvalidSchemaException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// The condition that the value must satisfy.
    private final String requirement;

    /// Path of the field; null if unknown or for the schema itself.
    private final FieldPath path;

    /// Name of the invalid parameter; may be null.
    private final String parameter;

    /// The value found, as text.
    private final String value;

    /// Creates an exception for a broken rule at writing.
    ///
    /// @param fault of the schema
    InvalidSchemaException(Fault fault) {
        this(
                Fault.of(fault.rule(), NO_OFFSET, 0),
                fault.rule().id() + ": " + fault.rule().description(),
                null,
                "path",
                fault.path(),
                null);
    }

    /// Creates an exception for a broken rule of a schema's bytes.
    static InvalidSchemaException of(Fault fault, Schema schema) {
        FieldPath path = null;
        for (String name : FieldSelection.names(fault.path(), schema)) {
            path = path == null ? FieldPath.of(name) : path.child(name);
        }
        String pair = FieldSelection.details(fault);
        String parameter = pair.substring(0, pair.indexOf('='));
        String shown = pair.substring(parameter.length() + 1);
        String requirement = fault.rule().description();
        return new InvalidSchemaException(fault, requirement, path, parameter, shown, null);
    }

    /// Creates an exception for a condition that no rule of the format has.
    ///
    /// @param requirement the condition that must hold
    /// @param path path of the field; null if unknown or for the schema itself
    /// @param offset of the invalid byte, or [#NO_OFFSET]
    /// @param parameter name of the invalid parameter, such as `bitWidth`
    /// @param value its value, stored as text
    InvalidSchemaException(
            String requirement, FieldPath path, long offset, String parameter, Object value) {
        this(
                Fault.of(MeaningRule.INVALID_SCHEMA, offset, 0),
                requirement,
                path,
                parameter,
                shown(value),
                null);
    }

    private InvalidSchemaException(
            Fault broken,
            String requirement,
            FieldPath path,
            String parameter,
            String shown,
            Throwable cause) {
        String field = path == null ? "" : "field=" + path.shown() + ", ";
        String pair = parameter + "=" + shown;
        String what = Escaper.text(requirement) + ": ";
        Fault fault = broken.because(field + pair).withText(what + field + pair);
        long offset = broken.position();
        String place = offset == NO_OFFSET ? "" : "offset=" + offset + ", ";
        super(fault, what + field + place + pair, cause);
        this.requirement = requirement;
        this.path = path;
        this.parameter = parameter;
        this.value = shown;
    }

    private static String shown(Object value) {
        return Escaper.shortened(String.valueOf(value));
    }

    /// {@return an exception for an extension type that breaks a rule, by its parameters or by the
    /// storage of its field}
    ///
    /// @param extensionName name of the extension type
    /// @param rule the condition that must hold, such as `must have two children`
    /// @param path path of the invalid field, starting at the field with the extension type; null if
    ///     it is the latter
    /// @param parameter name of the invalid parameter
    /// @param value its value, stored as text
    public static InvalidSchemaException ofExtension(
            String extensionName, String rule, FieldPath path, String parameter, Object value) {
        return ofExtension(extensionName, rule, path, parameter, value, null);
    }

    /// {@return an exception for an extension type that breaks a rule}
    ///
    /// @param cause may be null
    public static InvalidSchemaException ofExtension(
            String extensionName,
            String rule,
            FieldPath path,
            String parameter,
            Object value,
            Throwable cause) {
        return new InvalidSchemaException(
                Fault.of(MeaningRule.INVALID_SCHEMA, NO_OFFSET, 0),
                extensionName + " " + rule,
                path,
                parameter,
                shown(value),
                cause);
    }

    /// {@return this exception with its path appended to that of a field}
    ///
    /// @param field the field that this exception's path starts at; its path if this has none
    public InvalidSchemaException under(FieldPath field) {
        InvalidSchemaException below =
                new InvalidSchemaException(
                        fault(),
                        requirement,
                        path == null ? field : path.under(field),
                        parameter,
                        value,
                        getCause());
        below.setStackTrace(getStackTrace());
        return below;
    }

    /// Throws if a condition is false.
    static void require(
            boolean condition, FieldPath path, String requirement, String parameter, Object value) {
        if (!condition) {
            throw new InvalidSchemaException(requirement, path, NO_OFFSET, parameter, value);
        }
    }

    /// Creates an exception for a broken rule of the format.
    static InvalidSchemaException of(Rule broken, FieldPath path, String parameter, Object value) {
        String requirement = broken.description();
        Fault fault = Fault.of(broken, NO_OFFSET, 0);
        return new InvalidSchemaException(fault, requirement, path, parameter, shown(value), null);
    }

    /// Throws if a rule of the format is broken, unless that is a deviation.
    ///
    /// @param broken null if none is
    static void require(Rule broken, FieldPath path, String parameter, Object value) {
        if (broken != null && broken.severity() == Rule.Severity.ERROR) {
            throw of(broken, path, parameter, value);
        }
    }

    /// Throws if a text has an unpaired surrogate, which UTF-8 cannot encode.
    ///
    /// @param text may be null
    static void requireUtf8(String parameter, String text) {
        boolean isValid = text == null || Utf8.encodedLength(text) >= 0;
        require(isValid, null, "text must have no unpaired surrogate", parameter, text);
    }

    /// {@return the path's names joined by dots; null if there is no path}
    public String path() {
        return path == null ? null : path.toString();
    }

    /// {@return the condition that must hold, as text}
    public String requirement() {
        return requirement;
    }

    /// {@return name of the invalid parameter, such as `bitWidth`}
    public String parameter() {
        return parameter;
    }

    /// {@return the invalid value as text, escaped and possibly shortened}
    public String value() {
        return value;
    }
}
