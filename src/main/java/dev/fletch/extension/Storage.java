// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowType;
import dev.fletch.model.FieldPath;

import java.util.List;
import java.util.stream.IntStream;

/// Checks the storage of one field for one extension type, and knows where it is.
///
/// @param extension name of the extension type, for messages
/// @param path the way to `field`, from the one of the extension type on
record Storage(String extension, FieldPath path, ArrowField field) {
    static Storage of(ExtensionType type, ArrowField field) {
        return of(type.extensionName(), field);
    }

    static Storage of(String extension, ArrowField field) {
        return new Storage(extension, FieldPath.of(field.name()), field);
    }

    /// A child of this field.
    Storage child(int index) {
        ArrowField child = field.children().get(index);
        return new Storage(extension, path.child(child.name()), child);
    }

    List<Storage> children() {
        return IntStream.range(0, field.children().size()).mapToObj(this::child).toList();
    }

    ArrowType type() {
        return field.type();
    }

    /// Whether values are stored as they are, not as indexes into a dictionary.
    boolean isPlain() {
        return !field.isDictionaryEncoded();
    }

    boolean isPlain(Class<? extends ArrowType> type) {
        return isPlain() && type.isInstance(field.type());
    }

    boolean isPlain(ArrowType type) {
        return isPlain() && type.equals(field.type());
    }

    /// The field, or the values of its runs.
    Storage insideRuns() {
        return isPlain(ArrowType.RunEndEncoded.class) ? child(1) : this;
    }

    void require(boolean holds, String rule) {
        if (!holds) {
            throw violation(rule, "type", field.typeText());
        }
    }

    void requireNotNull() {
        if (field.isNullable()) {
            throw violation("must not be nullable here", "nullable", true);
        }
    }

    InvalidExtensionException violation(String rule, String parameter, Object value) {
        return new InvalidExtensionException(path, extension, rule, parameter, value);
    }
}
