// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowType;

/// Booleans of 8 bits, stored as `int8`: 0 is false, any other value true, preferably 1.
public record Bool8() implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.bool8";

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public void checkStorage(ArrowField storage) {
        Storage field = new Storage(NAME, storage);
        field.require(field.isPlain(new ArrowType.Int(8, true)), "must be stored as int8");
    }
}
