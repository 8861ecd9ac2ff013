// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.FieldPath;

import java.util.Optional;

/// A field that has an extension type, and whether it keeps to the type's rules.
///
/// @param at the way to the field
/// @param field the field
/// @param extensionName the type's name
/// @param metadata the text of its parameters, empty if they are absent
/// @param type what was read, empty if there is a fault
/// @param fault which rule it breaks, empty if none
public record ExtensionUse(
        FieldPath at,
        ArrowField field,
        String extensionName,
        Optional<String> metadata,
        Optional<ExtensionType> type,
        Optional<InvalidExtensionException> fault) {

    static ExtensionUse of(FieldPath at, ArrowField field, ExtensionType type) {
        return of(at, field, Optional.of(type), Optional.empty());
    }

    static ExtensionUse of(FieldPath at, ArrowField field, InvalidExtensionException fault) {
        return of(at, field, Optional.empty(), Optional.of(fault));
    }

    private static ExtensionUse of(
            FieldPath at,
            ArrowField field,
            Optional<ExtensionType> type,
            Optional<InvalidExtensionException> fault) {
        return new ExtensionUse(
                at,
                field,
                field.metadata().get(ExtensionType.NAME_KEY).orElseThrow(),
                field.metadata().get(ExtensionType.METADATA_KEY),
                type,
                fault);
    }

    /// {@return names of the fields that lead there, joined by dots}
    public String path() {
        return at.toString();
    }

    /// {@return whether no rule is broken}
    public boolean isOk() {
        return fault.isEmpty();
    }

    /// {@return whether the format's document describes the type}
    public boolean isCanonical() {
        return ExtensionRegistry.isCanonical(extensionName);
    }
}
