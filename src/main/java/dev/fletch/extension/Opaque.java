// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;

import java.util.Objects;
import java.util.Set;

/// A type of another system that nobody here can interpret, stored in any way: as `null` where
/// there is no data.
///
/// @param typeName the type's name in that system
/// @param vendorName that system
public record Opaque(String typeName, String vendorName) implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.opaque";

    private static final String TYPE_NAME = "type_name";
    private static final String VENDOR_NAME = "vendor_name";

    /// Checks the texts.
    ///
    /// @throws InvalidExtensionException if one of them has no encoding in UTF-8
    public Opaque {
        Objects.requireNonNull(typeName, TYPE_NAME);
        Objects.requireNonNull(vendorName, VENDOR_NAME);
        Parameters.checkText(NAME, TYPE_NAME, typeName);
        Parameters.checkText(NAME, VENDOR_NAME, vendorName);
    }

    static Opaque read(String metadata) {
        Parameters read = Parameters.parse(NAME, metadata, Set.of(TYPE_NAME, VENDOR_NAME));
        return new Opaque(read.text(TYPE_NAME), read.text(VENDOR_NAME));
    }

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public String metadata() {
        return new ParameterWriter()
                .key(TYPE_NAME)
                .text(typeName)
                .key(VENDOR_NAME)
                .text(vendorName)
                .end();
    }

    /// Accepts any storage.
    @Override
    public void checkStorage(ArrowField storage) {
        Objects.requireNonNull(storage, "storage");
    }
}
