// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.FieldPath;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.wire.Utf8;

import java.util.List;
import java.util.stream.IntStream;

/// A field in the storage of an extension type, for checks.
///
/// @param extension name of the extension type
/// @param path of the field, starting at the field with the extension type
/// @param field the field
record Storage(String extension, FieldPath path, ArrowField field) {
    Storage(String extension, ArrowField field) {
        this(extension, FieldPath.of(field.name()), field);
    }

    Storage child(int index) {
        ArrowField child = field.children().get(index);
        return new Storage(extension, path.child(child.name()), child);
    }

    List<Storage> children() {
        return IntStream.range(0, field.children().size()).mapToObj(this::child).toList();
    }

    List<String> childNames() {
        return field.children().stream().map(ArrowField::name).toList();
    }

    ArrowType type() {
        return field.type();
    }

    boolean isPlain(Class<? extends ArrowType> type) {
        return isPlain() && type.isInstance(field.type());
    }

    boolean isPlain(ArrowType type) {
        return isPlain() && type.equals(field.type());
    }

    /// Returns whether the field is not dictionary-encoded.
    boolean isPlain() {
        return !field.isDictionaryEncoded();
    }

    /// {@return the child with the values if the field is run-end-encoded, otherwise this}
    ///
    /// @param rule the rule to report if these values are dictionary-encoded
    Storage insideRuns(String rule) {
        if (!isPlain(ArrowType.Simple.RUN_END_ENCODED)) {
            return this;
        }
        child(1).require(child(1).isPlain(), rule);
        return child(1);
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

    void requireChildren(String first, String second) {
        if (!childNames().equals(List.of(first, second))) {
            String rule = "must have the children " + first + " and " + second + ", in this order";
            throw violation(rule, "children", childNames());
        }
    }

    /// Throws if a text has an unpaired surrogate, which UTF-8 cannot encode.
    static void requireUtf8(String extension, String parameter, String text) {
        if (Utf8.encodedLength(text) < 0) {
            throw InvalidSchemaException.ofExtension(
                    extension, "must have text without unpaired surrogates", null, parameter, text);
        }
    }

    InvalidSchemaException violation(String rule, String parameter, Object value) {
        return InvalidSchemaException.ofExtension(extension, rule, path, parameter, value);
    }
}
