// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.InvalidSchemaException;

import java.util.Objects;

/// An extension type without a registered reader.
///
/// @param extensionName the type's name
/// @param metadata the type's parameters as text; empty if absent; the first of several
record UnknownType(String extensionName, String metadata) implements ExtensionType {
    /// Checks the name.
    ///
    /// @throws InvalidSchemaException if the name is empty, or the name of a canonical type
    UnknownType {
        Objects.requireNonNull(extensionName, "extensionName");
        Objects.requireNonNull(metadata, "metadata");
        if (extensionName.isEmpty() || ExtensionRegistry.isCanonical(extensionName)) {
            throw InvalidSchemaException.ofExtension(
                    "unknown extension type",
                    "must have a name that is not canonical",
                    null,
                    "extensionName",
                    extensionName.isEmpty() ? "\"\"" : extensionName);
        }
    }

    /// Accepts any storage.
    @Override
    public void checkStorage(ArrowField storage) {
        Objects.requireNonNull(storage, "storage");
    }
}
