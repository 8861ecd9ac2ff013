// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;

import java.util.Optional;

/// What a field's values mean beyond their storage type: an extension type with its parameters.
///
/// A field carries it in two pairs of its metadata, the type's name and its parameters as text; the
/// second may be absent where the text is empty. The order of the pairs means nothing.
///
/// The canonical types check their parameters when they are made and their storage when they are
/// read or applied. What breaks a rule is an [InvalidExtensionException]. A type that nobody knows
/// is an [Unknown], an application's own one an [ApplicationType]. The types of this package never
/// change and may be shared.
///
/// A field that is dictionary-encoded is stored as indexes: its storage is the dictionary type, as
/// it is for Arrow C++ and arrow-rs, and no type but [Opaque] accepts that.
///
/// Source: the format's documents "Canonical Extension Types" and "Extension Types".
public sealed interface ExtensionType
        permits FixedShapeTensor,
                VariableShapeTensor,
                Json,
                Uuid,
                Opaque,
                Bool8,
                ParquetVariant,
                TimestampWithOffset,
                Unknown,
                ApplicationType {
    /// Key of the pair that has the type's name.
    String NAME_KEY = "ARROW:extension:name";

    /// Key of the pair that has the type's parameters.
    String METADATA_KEY = "ARROW:extension:metadata";

    /// {@return the name that the type is registered under, such as `arrow.uuid`}
    String extensionName();

    /// The parameters as they are written to a field. Equal types have equal texts: for the
    /// canonical types those that Arrow C++ writes.
    ///
    /// @return the text, empty for a type without parameters
    default String metadata() {
        return "";
    }

    /// Checks whether values of this type can be stored so.
    ///
    /// @param storage a field; pairs of metadata that name an extension type are not looked at
    /// @throws InvalidExtensionException if it cannot be the storage of this type
    void checkStorage(ArrowField storage);

    /// Marks a field as being of this type.
    ///
    /// @param storage a field whose values are stored as this type demands; an extension type that
    ///     it had is replaced
    /// @return the field with the two pairs behind its other metadata. They hold this type's parameters
    ///     and nothing else: what a newer document may have added to them is not kept, while a field
    ///     that was read has it, and can be handed on as it is
    /// @throws InvalidExtensionException if it cannot be the storage of this type
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
