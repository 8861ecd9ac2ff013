// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.InvalidSchemaException;

import java.util.Optional;

/// An extension type with its parameters: the meaning of values beyond their storage type.
///
/// Two entries of a field's custom metadata store the type: its name, and its parameters as text.
/// The second may be absent if the text is empty. The order of the entries has no meaning.
///
/// The canonical types check their parameters in their constructors, and the storage when the type
/// is read or applied; a broken rule throws an [InvalidSchemaException]. A type without a
/// registered reader has its name and metadata as they are, and accepts any storage. The types of
/// this package are immutable; an application's types implement this interface, and
/// [ExtensionRegistry] reads them.
///
/// The storage type of a dictionary-encoded field is the dictionary type, as in Arrow C++ and
/// arrow-rs. Of the canonical types, only [Opaque] accepts it.
///
/// Source: the format's documents "Canonical Extension Types" and "Extension Types".
public interface ExtensionType {
    /// Metadata key of the type's name.
    String NAME_KEY = "ARROW:extension:name";

    /// Metadata key of the type's parameters.
    String METADATA_KEY = "ARROW:extension:metadata";

    /// {@return the registered name of the type, such as `arrow.uuid`}
    String extensionName();

    /// {@return the parameters as text; empty for a type without parameters. Equal types have equal
    /// texts; canonical types have those of Arrow C++}
    default String metadata() {
        return "";
    }

    /// Checks whether a field can store values of this type.
    ///
    /// @param storage a field; its extension type is ignored
    /// @throws InvalidSchemaException if the field cannot store them
    void checkStorage(ArrowField storage);

    /// Sets the extension type of a field, replacing an existing one.
    ///
    /// @param storage a field that can store values of this type
    /// @return the field with the two entries after its other metadata
    /// @throws InvalidSchemaException if the field cannot store values of this type
    default ArrowField applyTo(ArrowField storage) {
        checkStorage(storage);
        return storage.withMetadata(
                storage.metadata()
                        .without(NAME_KEY)
                        .without(METADATA_KEY)
                        .with(METADATA_KEY, metadata())
                        .with(NAME_KEY, extensionName()));
    }

    /// Reads a field's extension type, by [ExtensionRegistry#CANONICAL].
    ///
    /// @return the type; empty if the field has no extension type
    /// @throws InvalidSchemaException if the field breaks a rule of its extension type
    static Optional<ExtensionType> of(ArrowField field) {
        return ExtensionRegistry.CANONICAL.read(field);
    }
}
