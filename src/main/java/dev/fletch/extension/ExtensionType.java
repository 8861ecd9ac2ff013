// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;

import java.util.Optional;

/// An extension type with its parameters: what a field's values mean beyond their storage type.
///
/// A field has it as two entries of its custom metadata: the type's name, and its parameters as text;
/// the second may be absent if the text is empty. The order of the entries has no meaning.
///
/// The canonical types check their parameters in their constructors, and their storage when they are
/// read or applied; a broken rule is an [InvalidExtensionException]. A type that no reader is
/// registered for is an [Unknown]. The types of this package are immutable and may be shared; types
/// of an application implement this interface, and [ExtensionRegistry] reads them.
///
/// The storage of a dictionary-encoded field is the dictionary type, as in Arrow C++ and arrow-rs. Of
/// the canonical types only [Opaque] accepts that.
///
/// Source: the format's documents "Canonical Extension Types" and "Extension Types".
public interface ExtensionType {
    /// Metadata key of the type's name.
    String NAME_KEY = "ARROW:extension:name";

    /// Metadata key of the type's parameters.
    String METADATA_KEY = "ARROW:extension:metadata";

    /// {@return the name that the type is registered under, such as `arrow.uuid`}
    String extensionName();

    /// {@return the parameters as a field has them, empty for a type without parameters. Equal types
    /// have equal texts: the canonical types those of Arrow C++}
    default String metadata() {
        return "";
    }

    /// Checks whether a field can store values of this type.
    ///
    /// @param storage a field; an extension type in its metadata is ignored
    /// @throws InvalidExtensionException if it cannot
    void checkStorage(ArrowField storage);

    /// Sets this type as the extension type of a field, and replaces the one that it had.
    ///
    /// @param storage a field that can store values of this type
    /// @return the field with the two entries after its other metadata
    /// @throws InvalidExtensionException if the field cannot store values of this type
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
    /// @param field any field
    /// @return the type, empty if the field has none
    /// @throws InvalidExtensionException if it breaks a rule
    static Optional<ExtensionType> of(ArrowField field) {
        return ExtensionRegistry.CANONICAL.read(field);
    }
}
