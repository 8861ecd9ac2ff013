// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A value that a flatbuffer can hold, apart from any bytes.
public sealed interface FbsValue {
    /// A number of any kind: an enum's value, a union's tag, 0 or 1 for a boolean.
    record Number(long value) implements FbsValue {}

    /// A string.
    record Text(String value) implements FbsValue {}

    /// A struct: its numbers in the order of declaration.
    record Struct(List<Long> values) implements FbsValue {
        public Struct {
            values = List.copyOf(values);
        }
    }

    /// A vector.
    record Vector(List<FbsValue> elements) implements FbsValue {
        public Vector {
            elements = List.copyOf(elements);
        }
    }

    /// A table: those of its fields that are present, by their `.fbs` names.
    record Table(String name, SortedMap<String, FbsValue> fields) implements FbsValue {
        public Table {
            fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
        }

        /// Returns the table as a reader sees it, who cannot tell an absent number from one that
        /// has its default: all numbers are there, in this table and those below it.
        public Table withDefaults(FbsDocument document) {
            SortedMap<String, FbsValue> all = new TreeMap<>();
            for (FieldDecl field : document.table(name).fields()) {
                FbsValue value = fields.get(field.name());
                if (value != null) {
                    all.put(field.name(), FbsValue.withDefaults(value, document));
                } else if (field.type().isScalar()) {
                    all.put(field.name(), new Number(field.defaultValue()));
                }
            }
            return new Table(name, all);
        }
    }

    private static FbsValue withDefaults(FbsValue value, FbsDocument document) {
        return switch (value) {
            case Table table -> table.withDefaults(document);
            case Vector(List<FbsValue> elements) ->
                    new Vector(
                            elements.stream().map(each -> withDefaults(each, document)).toList());
            default -> value;
        };
    }
}
