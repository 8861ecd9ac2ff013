// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.FieldPath;
import dev.fletch.schema.InvalidSchemaException;

import java.util.Optional;

/// A field with an extension type, and the result of checking the type's rules.
///
/// @param at path of the field
/// @param field the field
/// @param type the extension type; empty if there is a fault
/// @param fault the broken rule; empty if there is none
public record ExtensionUse(
        FieldPath at,
        ArrowField field,
        Optional<ExtensionType> type,
        Optional<InvalidSchemaException> fault) {
    /// {@return the names of the path, joined by dots}
    public String path() {
        return at.toString();
    }

    /// {@return the type's name}
    public String extensionName() {
        return field.metadata().get(ExtensionType.NAME_KEY).orElseThrow();
    }

    /// {@return the type's parameters as text; empty if absent}
    public Optional<String> metadata() {
        return field.metadata().get(ExtensionType.METADATA_KEY);
    }

    /// {@return whether no rule is broken}
    public boolean isOk() {
        return fault.isEmpty();
    }

    /// {@return whether the type is canonical}
    public boolean isCanonical() {
        return ExtensionRegistry.isCanonical(extensionName());
    }
}
