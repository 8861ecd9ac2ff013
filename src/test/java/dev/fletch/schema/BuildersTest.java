// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.format.Field;
import dev.fletch.format.Schema;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How an application makes a schema, and changes one.
class BuildersTest {
    private static final ArrowType INT64 = new ArrowType.Int(64, true);

    @Test
    void builderMakesTheField() {
        ArrowField field =
                ArrowField.of("a", INT64).nullable().withMetadata(Metadata.of("unit", "EUR"));
        assertEquals(
                new ArrowField(
                        "a", INT64, true, null, List.of(), Metadata.of("unit", "EUR"), Set.of()),
                field);
        assertEquals("a: int64", field.toString());
        assertEquals("a: int64 not null", ArrowField.of("a", INT64).toString());
        ArrowField list = field.withType(ArrowType.Simple.LIST, ArrowField.of("item", INT64));
        assertEquals("a: list", list.toString());
        assertEquals(1, list.children().size());
        assertEquals("utf8, dictionary 3 (int8, ordered)", encoded().typeText());
        assertEquals("s: utf8 not null, dictionary 3 (int8, ordered)", encoded().toString());
    }

    private static ArrowField encoded() {
        DictionaryInfo dictionary = new DictionaryInfo(3, new ArrowType.Int(8, true), true, false);
        return ArrowField.of("s", ArrowType.Simple.UTF8).withDictionary(dictionary);
    }

    /// Parts that have become something are stored; parts that have become nothing are left out.
    @Test
    void emptiedValuesBecomeAbsent() {
        ArrowField plain = ArrowField.of("a", INT64);
        assertEquals(Set.of(Field.CUSTOM_METADATA_SLOT), plain.absent());
        ArrowField marked = plain.withMetadata(Metadata.of("k", "v"));
        assertEquals(Set.of(), marked.absent());
        assertEquals(
                Set.of(Field.CUSTOM_METADATA_SLOT), marked.withMetadata(Metadata.EMPTY).absent());
        ArrowField stored = plain.withAbsent(Set.of());
        assertEquals(Set.of(), stored.withMetadata(Metadata.EMPTY).absent());
        ArrowField nameless = plain.withName("").withAbsent(Set.of(Field.NAME_SLOT));
        assertEquals("(no name): int64 not null", nameless.toString());
        ArrowField renamed = nameless.withName("x").withName("");
        assertEquals("\"\": int64 not null", renamed.toString());
        ArrowSchema schema = ArrowSchema.of().withAbsent(Set.of(Schema.FIELDS_SLOT));
        assertEquals(Set.of(), schema.withFields(List.of(plain)).absent());
        assertEquals(
                Set.of(Schema.FIELDS_SLOT, Schema.FEATURES_SLOT),
                schema.withFeatures(List.of(1L)).withFeatures(List.of()).absent());
    }

    @Test
    void copiesAreIndependent() {
        List<ArrowField> fields = new ArrayList<>(List.of(ArrowField.of("a", INT64)));
        ArrowSchema schema = ArrowSchema.of(fields);
        fields.clear();
        assertEquals(1, schema.fields().size());
        assertThrows(UnsupportedOperationException.class, () -> schema.fields().clear());
        assertThrows(UnsupportedOperationException.class, () -> schema.absent().clear());
    }

    @Test
    void builderMakesTheMetadata() {
        Metadata metadata = Metadata.of("a", "1", "b", "2", "a", "3", "c", null);
        assertEquals(Optional.of("1"), metadata.get("a"));
        assertEquals(Optional.of(""), metadata.get("c"));
        assertEquals(Optional.empty(), metadata.get("d"));
        assertEquals(List.of("1", "3"), metadata.all("a"));
        assertEquals(Metadata.of("a", "9", "b", "2", "c", null), metadata.with("a", "9"));
        assertEquals(
                Metadata.of("a", "1", "b", "2", "a", "3", "c", null, "d", "4"),
                metadata.with("d", "4"));
        assertEquals(Metadata.of("b", "2", "c", null), metadata.without("a"));
        assertEquals(4, metadata.entries().size());
        assertThrows(IllegalArgumentException.class, () -> Metadata.of("a"));
        assertEquals(
                List.of("a", "b", "a", "c"),
                metadata.entries().stream().map(Map.Entry::getKey).toList());
    }
}
