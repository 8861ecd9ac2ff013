// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;

/// Values of any type, in Parquet's variant encoding: a struct of `metadata`, and of `value` or
/// `typed_value` or both, in any order.
///
/// `metadata` and `value` are of one of the binary types; `metadata` must not be null, and may be
/// dictionary-encoded or run-end-encoded. `typed_value` holds values that have a type of their own:
/// a primitive one, a list whose items are structs of `value` and `typed_value` again, or a struct
/// of such structs. An object of no shredded fields, an empty struct, is accepted: the format's
/// document asks something of each field, and not that there is one.
///
/// None of these parts has an extension type of its own but a `typed_value`, which may be
/// `arrow.uuid`: the documents name the types of all parts. That the values of runs are declared
/// nullable, as Arrow C++ always does, is no fault.
public record ParquetVariant() implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.parquet.variant";

    @Override
    public String extensionName() {
        return NAME;
    }

    /// {@return the empty text: there are no parameters}
    @Override
    public String metadata() {
        return "";
    }

    @Override
    public void checkStorage(ArrowField storage) {
        VariantRules.check(Storage.of(this, storage));
    }

    /// Tells whether some of the values are stored in a type of their own.
    ///
    /// @param storage a field of this type
    /// @return whether it has a child `typed_value`
    public static boolean isShredded(ArrowField storage) {
        return storage.children().stream()
                .anyMatch(child -> child.name().equals(VariantRules.TYPED_VALUE));
    }
}
