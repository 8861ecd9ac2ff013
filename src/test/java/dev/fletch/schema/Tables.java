// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.testdata.FbsValue;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Changes of one thing in tables that stand for a valid schema.
final class Tables {
    private Tables() {}

    /// Another number for a field, wherever it is.
    static FbsValue.Table replace(FbsValue.Table table, String field, long number) {
        return change(
                table,
                fields -> {
                    if (fields.containsKey(field)) {
                        fields.put(field, new FbsValue.Number(number));
                    }
                });
    }

    /// Another number for a field of those tables whose `type` is that.
    static FbsValue.Table replace(FbsValue.Table table, String field, long number, String type) {
        return change(
                table,
                fields -> {
                    if (isOfType(fields, type)) {
                        fields.put(field, new FbsValue.Number(number));
                    }
                });
    }

    /// Without a field of those tables whose `type` is that.
    static FbsValue.Table remove(FbsValue.Table table, String field, String type) {
        return change(
                table,
                fields -> {
                    if (isOfType(fields, type)) {
                        fields.remove(field);
                    }
                });
    }

    /// With a number in the tables of a name.
    static FbsValue.Table add(FbsValue.Table table, String name, String field, long number) {
        SortedMap<String, FbsValue> fields = changed(table, f -> {}, name, field, number);
        return new FbsValue.Table(table.name(), fields);
    }

    private static boolean isOfType(SortedMap<String, FbsValue> fields, String type) {
        return fields.get("type") instanceof FbsValue.Table of && of.name().equals(type);
    }

    private static FbsValue.Table change(
            FbsValue.Table table, Consumer<SortedMap<String, FbsValue>> change) {
        return new FbsValue.Table(table.name(), changed(table, change, "", "", 0));
    }

    private static SortedMap<String, FbsValue> changed(
            FbsValue.Table table,
            Consumer<SortedMap<String, FbsValue>> change,
            String name,
            String field,
            long number) {
        SortedMap<String, FbsValue> fields = new TreeMap<>(table.fields());
        change.accept(fields);
        if (table.name().equals(name)) {
            fields.put(field, new FbsValue.Number(number));
        }
        fields.replaceAll((_, value) -> changed(value, change, name, field, number));
        return fields;
    }

    private static FbsValue changed(
            FbsValue value,
            Consumer<SortedMap<String, FbsValue>> change,
            String name,
            String field,
            long number) {
        return switch (value) {
            case FbsValue.Table table ->
                    new FbsValue.Table(table.name(), changed(table, change, name, field, number));
            case FbsValue.Vector vector ->
                    new FbsValue.Vector(
                            vector.elements().stream()
                                    .map(each -> changed(each, change, name, field, number))
                                    .toList());
            default -> value;
        };
    }
}
