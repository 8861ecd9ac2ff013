// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.InvalidSchemaException;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// A type of another system that Arrow cannot interpret. Its storage may have any type; `null` if
/// there is no data.
///
/// @param typeName the type's name in that system
/// @param vendorName name of the other system
public record Opaque(String typeName, String vendorName) implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.opaque";

    private static final String TYPE_NAME = "type_name";
    private static final String VENDOR_NAME = "vendor_name";

    /// Checks the texts.
    ///
    /// @throws InvalidSchemaException if one of them cannot be encoded in UTF-8
    public Opaque {
        Objects.requireNonNull(typeName, TYPE_NAME);
        Objects.requireNonNull(vendorName, VENDOR_NAME);
        Storage.requireUtf8(NAME, TYPE_NAME, typeName);
        Storage.requireUtf8(NAME, VENDOR_NAME, vendorName);
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
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(TYPE_NAME, typeName);
        parameters.put(VENDOR_NAME, vendorName);
        return ParameterText.of(parameters);
    }

    /// Accepts any storage.
    @Override
    public void checkStorage(ArrowField storage) {
        Objects.requireNonNull(storage, "storage");
    }
}
