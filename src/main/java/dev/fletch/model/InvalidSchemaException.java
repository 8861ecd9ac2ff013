// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

/// Thrown where a schema, or a part of one, breaks a rule of the Arrow format: while it is made of
/// values, or read from bytes that are well-formed as such.
///
/// The message reads `what: field=a.b, name=value`. What it quotes from a schema is escaped and cut
/// to a length that fits on a line.
public class InvalidSchemaException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /// What must hold.
    private final String rule;

    /// Names of fields joined by dots, or null.
    private final String path;

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

    /// Creates an exception with a cause.
    ///
    /// @param rule what must hold
    /// @param path names of the fields that lead there, joined by dots, or null
    /// @param parameter what breaks the rule
    /// @param value its value; its text is taken
    /// @param cause what told of it, or null
    protected InvalidSchemaException(
            String rule, String path, String parameter, Object value, Throwable cause) {
        this(cause, rule, path, parameter, Quoted.shortened(String.valueOf(value)));
    }

    /// Creates an exception that tells more of one that was thrown before, and takes its place.
    ///
    /// @param known what was thrown
    /// @param path names of the fields that lead there, joined by dots
    protected InvalidSchemaException(InvalidSchemaException known, String path) {
        this(known.getCause(), known.rule, path, known.parameter, known.value);
    }

    private InvalidSchemaException(
            Throwable cause, String rule, String path, String parameter, String shown) {
        super(message(rule, path, parameter, shown), cause);
        this.rule = rule;
        this.path = path;
        this.parameter = parameter;
        this.value = shown;
    }

    private static String message(String rule, String path, String parameter, String value) {
        String place = path == null ? "" : "field=" + Quoted.shortened(Quoted.path(path)) + ", ";
        return Quoted.text(rule) + ": " + place + parameter + "=" + value;
    }

    /// The same, told of a field.
    ///
    /// @param fieldPath names of the fields that lead there, joined by dots
    /// @return an exception with that path, to be thrown in the place of this one
    public InvalidSchemaException at(String fieldPath) {
        InvalidSchemaException placed = new InvalidSchemaException(this, fieldPath);
        placed.setStackTrace(getStackTrace());
        return placed;
    }

    /// What must hold.
    ///
    /// @return the rule, in words
    public final String rule() {
        return rule;
    }

    /// Where the fault is.
    ///
    /// @return names of fields joined by dots; null if that is not known
    public final String path() {
        return path;
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
