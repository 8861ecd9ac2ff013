// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;

import java.util.Objects;

/// An extension type without a registered reader.
///
/// @param extensionName the type's name
/// @param metadata the type's parameters as text; empty if absent; the first of several
record UnknownType(String extensionName, String metadata) implements ExtensionType {
    /// Accepts any storage.
    @Override
    public void checkStorage(ArrowField storage) {
        Objects.requireNonNull(storage, "storage");
    }
}
