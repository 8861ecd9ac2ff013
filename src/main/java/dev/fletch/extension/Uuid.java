// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowType;

/// Universally unique identifiers of any version, stored as 16 bytes in big-endian order.
public record Uuid() implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.uuid";

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public void checkStorage(ArrowField storage) {
        Storage field = new Storage(NAME, storage);
        field.require(
                field.isPlain(new ArrowType.FixedSizeBinary(16)),
                "must be stored as fixed_size_binary(16)");
    }
}
