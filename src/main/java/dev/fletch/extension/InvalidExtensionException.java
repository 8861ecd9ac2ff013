// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.FieldPath;
import dev.fletch.model.InvalidSchemaException;

/// Thrown where an extension type breaks one of its rules: in its parameters, or in the storage of
/// its field.
///
/// The message reads `arrow.uuid must …: field=a.b, type=utf8`.
public final class InvalidExtensionException extends InvalidSchemaException {
    private static final long serialVersionUID = 1L;

    /// Creates an exception.
    ///
    /// @param extensionName name of the extension type
    /// @param rule what must hold, such as `must have two children`
    /// @param path names of the fields that lead there, joined by dots; null if it is not known. What
    ///     an [ExtensionReader] throws is told below the field that it reads, whose own name may be
    ///     left out
    /// @param parameter what breaks the rule
    /// @param value its value; its text is taken
    public InvalidExtensionException(
            String extensionName, String rule, String path, String parameter, Object value) {
        super(extensionName + " " + rule, path, parameter, value);
    }

    InvalidExtensionException(
            FieldPath at, String extensionName, String rule, String parameter, Object value) {
        super(at, extensionName + " " + rule, parameter, value);
    }

    InvalidExtensionException(
            Throwable cause, String extensionName, String rule, String parameter, Object value) {
        super(extensionName + " " + rule, null, parameter, value, cause);
    }

    private InvalidExtensionException(InvalidSchemaException known, FieldPath field) {
        super(known, field);
    }

    @Override
    public InvalidExtensionException at(FieldPath field) {
        InvalidExtensionException placed = new InvalidExtensionException(this, field);
        placed.setStackTrace(getStackTrace());
        return placed;
    }
}
