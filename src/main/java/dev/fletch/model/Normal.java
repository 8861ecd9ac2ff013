// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// One form for all schemas that mean the same, so that meaning is compared by `equals`.
final class Normal {
    private Normal() {}

    static ArrowSchema schema(ArrowSchema schema) {
        return new ArrowSchema(
                schema.endianness(),
                schema.fields().stream().map(Normal::field).toList(),
                schema.metadata().normalized(),
                features(schema.features()),
                Set.of());
    }

    /// What a reader has to know: in any order, each once.
    static List<Long> features(List<Long> features) {
        return features.stream()
                .filter(feature -> feature != dev.fletch.format.Feature.UNUSED)
                .distinct()
                .sorted()
                .toList();
    }

    static ArrowField field(ArrowField field) {
        return field(field, field.name(), false);
    }

    private static ArrowField field(ArrowField field, String name, boolean isEntries) {
        DictionaryInfo dictionary = field.dictionary();
        List<ArrowField> children = field.children();
        List<String> names = childNames(field.type(), isEntries);
        if (names.isEmpty()) {
            names = children.stream().map(ArrowField::name).toList();
        }
        List<ArrowField> normal = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            normal.add(field(children.get(i), names.get(i), isMap(field.type())));
        }
        return new ArrowField(
                name,
                type(field.type()),
                field.isNullable(),
                dictionary == null ? null : dictionary.normalized(),
                normal,
                field.metadata().normalized(),
                Set.of());
    }

    static boolean isMap(ArrowType type) {
        return type instanceof ArrowType.Map;
    }

    /// The names that children have where their place alone tells what they are, and producers call
    /// them as they like; none where their names mean something.
    ///
    /// @param isEntries whether it is the type of a map's child
    static List<String> childNames(ArrowType type, boolean isEntries) {
        if (isEntries) {
            return List.of("key", "value");
        }
        return TypeValues.of(type).facts().childNames();
    }

    static ArrowType type(ArrowType type) {
        return switch (type) {
            case ArrowType.Timestamp timestamp when !timestamp.hasTimezone() ->
                    new ArrowType.Timestamp(timestamp.unit());
            case ArrowType.Union union -> new ArrowType.Union(union.mode(), union.typeIds(), false);
            case ArrowType other -> other;
        };
    }
}
