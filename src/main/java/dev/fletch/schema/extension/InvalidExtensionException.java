// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.FieldPath;
import dev.fletch.schema.InvalidSchemaException;

import java.nio.charset.StandardCharsets;

/// Thrown if an extension type breaks a rule, by its parameters or by the storage of its field.
///
/// The message reads `arrow.uuid must …: field=a.b, type=utf8`.
public final class InvalidExtensionException extends InvalidSchemaException {
    private static final long serialVersionUID = 1L;

    /// Creates an exception.
    ///
    /// @param extensionName name of the extension type
    /// @param rule the condition that must hold, such as `must have two children`
    /// @param at path of the invalid field, starting at the field with the extension type; null if
    ///     it is the latter
    /// @param parameter name of the invalid parameter
    /// @param value its value, stored as text
    public InvalidExtensionException(
            String extensionName, String rule, FieldPath at, String parameter, Object value) {
        this(extensionName, rule, at, parameter, value, null);
    }

    InvalidExtensionException(
            String extensionName,
            String rule,
            FieldPath at,
            String parameter,
            Object value,
            Throwable cause) {
        super(extensionName + " " + rule, at, NO_OFFSET, parameter, value, cause);
    }

    /// Appends the path to that of the field with the extension type.
    InvalidExtensionException under(FieldPath field) {
        setPath(at() == null ? field : at().under(field));
        return this;
    }

    /// Throws if a text has an unpaired surrogate, which UTF-8 cannot encode.
    static void requireUtf8(String extension, String parameter, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new InvalidExtensionException(
                    extension, "must have text without unpaired surrogates", null, parameter, text);
        }
    }
}
