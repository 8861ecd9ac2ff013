// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowType;

import java.util.Set;

/// JSON text (RFC 8259), stored as `utf8`, `large_utf8` or `utf8_view`.
///
/// There are no parameters. Metadata is empty or a JSON object whose keys are ignored: a newer
/// specification may define some.
public record Json() implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.json";

    @Override
    public String extensionName() {
        return NAME;
    }

    static Json read(String metadata) {
        if (!metadata.isEmpty() && !metadata.equals("{}")) {
            Parameters.parse(NAME, metadata, Set.of());
        }
        return new Json();
    }

    @Override
    public void checkStorage(ArrowField storage) {
        Storage field = new Storage(NAME, storage);
        field.require(
                field.isPlain(ArrowType.Utf8.class)
                        || field.isPlain(ArrowType.LargeUtf8.class)
                        || field.isPlain(ArrowType.Utf8View.class),
                "must be stored as utf8, large_utf8 or utf8_view");
    }
}
