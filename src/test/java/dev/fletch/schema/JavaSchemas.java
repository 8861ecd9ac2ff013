// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.format.Field;
import dev.fletch.format.Schema;

import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Schemas that arrow-java can hold: it refuses some of what the format allows.
public final class JavaSchemas {
    private JavaSchemas() {}

    /// Returns the schema with whatever arrow-java refuses replaced by something near.
    public static ArrowSchema readable(ArrowSchema schema) {
        List<ArrowField> fields = schema.fields().stream().map(JavaSchemas::readable).toList();
        return new ArrowSchema(
                ByteOrder.LITTLE_ENDIAN, // it writes its own machine's
                fields,
                readable(schema.metadata()),
                List.of(), // it knows none
                without(schema.absent(), Schema.FIELDS_SLOT));
    }

    /// Returns the schema with all that arrow-java writes, empty or not, and of metadata one pair:
    /// several it writes in the order of a hash map.
    static ArrowSchema written(ArrowSchema schema) {
        ArrowSchema readable = readable(schema);
        return readable.withFields(readable.fields().stream().map(JavaSchemas::written).toList())
                .withMetadata(first(readable.metadata()))
                .withAbsent(Set.of(Schema.FEATURES_SLOT));
    }

    private static ArrowField written(ArrowField field) {
        DictionaryInfo dictionary = field.dictionary();
        return new ArrowField(
                field.name(),
                field.type(),
                field.isNullable(),
                dictionary == null
                        ? null
                        : new DictionaryInfo(
                                dictionary.id(),
                                dictionary.indexType(),
                                dictionary.ordered(),
                                false),
                field.children().stream().map(JavaSchemas::written).toList(),
                first(field.metadata()),
                Set.of());
    }

    private static Metadata first(Metadata metadata) {
        return new Metadata(metadata.entries().stream().limit(1).toList());
    }

    private static Set<Integer> without(Set<Integer> absent, Integer slot) {
        Set<Integer> others = new HashSet<>(absent);
        others.remove(slot);
        return others;
    }

    private static ArrowField readable(ArrowField field) {
        ArrowType type =
                switch (field.type()) {
                    // It writes these widths, and does not read them.
                    case ArrowType.Decimal(int precision, int scale, int bitWidth)
                            when bitWidth < 128 ->
                            new ArrowType.Decimal(precision, scale, 128);
                    // It takes ids that are left out for none.
                    case ArrowType.Union union ->
                            new ArrowType.Union(union.isDense(), union.typeIds(), false);
                    default -> field.type();
                };
        return new ArrowField(
                field.name(),
                type,
                field.isNullable(),
                field.dictionary(),
                field.children().stream().map(JavaSchemas::readable).toList(),
                readable(field.metadata()),
                without(
                        field.absent(),
                        Field.NAME_SLOT)); // it takes that for null, and fails later
    }

    /// Keys become those of a map.
    private static Metadata readable(Metadata metadata) {
        return Metadata.of(
                metadata.entries().stream()
                        .filter(each -> metadata.all(text(each.getKey())).size() == 1)
                        .flatMap(each -> Stream.of(text(each.getKey()), text(each.getValue())))
                        .toArray(String[]::new));
    }

    private static String text(String text) {
        return text == null ? "" : text;
    }
}
