// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.testdata.RandomSchemas;

import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Exact and semantic equality.
class SemanticEqualityTest {
    private static final ArrowType INT32 = new ArrowType.Int(32, true);
    private static final ArrowType UTF8 = ArrowType.Simple.UTF8;

    private static void onlySemanticallyEqual(ArrowField a, ArrowField b) {
        assertNotEquals(a, b);
        assertEquals(List.of(), diff(a, b));
        assertEquals(List.of(), diff(b, a));
    }

    private static void different(ArrowField a, ArrowField b) {
        assertNotEquals(a, b);
        assertNotEquals(List.of(), diff(a, b));
        assertNotEquals(List.of(), diff(b, a));
    }

    private static List<SchemaChange> diff(ArrowField a, ArrowField b) {
        return ArrowSchema.of(a).diff(ArrowSchema.of(b));
    }

    @Test
    void absentValueEqualsAnEmptyOne() {
        ArrowField empty = ArrowField.of("", ArrowType.Simple.STRUCT).withAbsent(Set.of());
        for (int part : List.of(Field.NAME_SLOT, Field.CHILDREN_SLOT, Field.CUSTOM_METADATA_SLOT)) {
            onlySemanticallyEqual(empty, empty.withAbsent(Set.of(part)));
        }
        ArrowSchema schema = ArrowSchema.of().withAbsent(Set.of());
        for (int part :
                List.of(Schema.FIELDS_SLOT, Schema.CUSTOM_METADATA_SLOT, Schema.FEATURES_SLOT)) {
            ArrowSchema omitted = schema.withAbsent(Set.of(part));
            assertNotEquals(schema, omitted);
            assertTrue(schema.semanticallyEquals(omitted));
            assertEquals(List.of(), schema.diff(omitted));
        }
    }

    @Test
    void impliedDefaultsAreEqual() {
        ArrowField plain = ArrowField.of("a", UTF8);
        onlySemanticallyEqual(
                plain.withDictionary(DictionaryInfo.of(1, new ArrowType.Int(32, true))),
                plain.withDictionary(DictionaryInfo.implicit(1, false)));
        ArrowField union = ArrowField.of("u", ArrowType.Union.dense(0, 1), plain, plain);
        onlySemanticallyEqual(
                union, union.withType(ArrowType.Union.implicit(true, 2), plain, plain));
        onlySemanticallyEqual(
                ArrowField.of("t", new ArrowType.Timestamp(TimeResolution.SECOND)),
                ArrowField.of("t", new ArrowType.Timestamp(TimeResolution.SECOND, "")));
        different(
                ArrowField.of("t", new ArrowType.Timestamp(TimeResolution.SECOND)),
                ArrowField.of("t", new ArrowType.Timestamp(TimeResolution.SECOND, "UTC")));
    }

    /// Two streams of one table may number their dictionaries otherwise; a golden does.
    @Test
    void dictionariesAreCompared() {
        ArrowField plain = ArrowField.of("a", UTF8);
        ArrowType.Int int8 = new ArrowType.Int(8, true);
        ArrowField encoded = plain.withDictionary(DictionaryInfo.of(1, int8));
        onlySemanticallyEqual(encoded, plain.withDictionary(DictionaryInfo.of(2, int8)));
        different(encoded, plain);
        different(encoded, plain.withDictionary(new DictionaryInfo(1, int8, true, false)));
        different(encoded, plain.withDictionary(DictionaryInfo.implicit(1, false)));
    }

    @Test
    void metadataIsCompared() {
        ArrowField plain = ArrowField.of("a", INT32);
        onlySemanticallyEqual(
                plain.withMetadata(Metadata.of("a", "1", "b", "2", "b", "3")),
                plain.withMetadata(Metadata.of("b", "2", "a", "1", "b", "3")));
        onlySemanticallyEqual(
                plain.withMetadata(Metadata.of("a", null)),
                plain.withMetadata(Metadata.of("a", "")));
        onlySemanticallyEqual(
                plain.withMetadata(Metadata.of(null, "x")),
                plain.withMetadata(Metadata.of("", "x")));
        different(
                plain.withMetadata(Metadata.of("b", "2", "b", "3")),
                plain.withMetadata(Metadata.of("b", "3", "b", "2")));
        different(
                plain.withMetadata(Metadata.of("a", "1")),
                plain.withMetadata(Metadata.of("a", "1", "a", "1")));
    }

    @Test
    void childNamesOfListsAndMapsAreIgnored() {
        ArrowField list = ArrowField.of("l", ArrowType.Simple.LIST, ArrowField.of("item", UTF8));
        onlySemanticallyEqual(list, list.withChildren(List.of(ArrowField.of("element", UTF8))));
        onlySemanticallyEqual(map("entries", "key", "value"), map("e", "k", "v"));
        ArrowField struct =
                ArrowField.of("s", ArrowType.Simple.STRUCT, ArrowField.of("item", UTF8));
        different(struct, struct.withChildren(List.of(ArrowField.of("other", UTF8))));
        ArrowType union = ArrowType.Union.sparse(4);
        different(
                ArrowField.of("u", union, ArrowField.of("a", UTF8)),
                ArrowField.of("u", union, ArrowField.of("b", UTF8)));
        different(list, list.withName("m"));
    }

    private static ArrowField map(String entries, String key, String value) {
        ArrowField pair =
                ArrowField.of(
                        entries,
                        ArrowType.Simple.STRUCT,
                        ArrowField.of(key, UTF8),
                        ArrowField.of(value, INT32));
        return ArrowField.of("m", new ArrowType.Map(false), pair);
    }

    @Test
    void featuresAreCompared() {
        ArrowSchema schema = ArrowSchema.of().withFeatures(List.of(2L, 0L, 1L, 2L));
        assertTrue(schema.semanticallyEquals(schema.withFeatures(List.of(1L, 2L))));
        assertFalse(schema.semanticallyEquals(schema.withFeatures(List.of(2L))));
        assertFalse(schema.semanticallyEquals(schema.withEndianness(ByteOrder.BIG_ENDIAN)));
    }

    /// Random changes: whether there is a difference does not depend on the direction.
    @Test
    void differencesAreSymmetric() {
        Random random = new Random(3);
        int same = 0;
        int other = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            ArrowSchema before = RandomSchemas.schema(seed);
            ArrowSchema after = changed(before, random);
            assertEquals(
                    before.diff(after).isEmpty(),
                    before.digest(true).equals(after.digest(true)),
                    () -> before + "\n" + after);
            assertEquals(
                    before.diff(after).stream()
                            .allMatch(each -> each.kind() == SchemaChange.Kind.METADATA),
                    before.digest(false).equals(after.digest(false)));
            boolean areEqual = before.semanticallyEquals(after);
            assertEquals(areEqual, after.semanticallyEquals(before), "seed " + seed);
            assertEquals(before.diff(after), before.diff(after));
            before.diff(after)
                    .forEach(change -> assertEquals(1, change.toString().lines().count()));
            if (areEqual) {
                same++;
            } else {
                other++;
            }
        }
        int sum = same + other;
        assertTrue(same > 100 && other > 100, () -> "one of them is no test: " + sum);
    }

    private static ArrowSchema changed(ArrowSchema schema, Random random) {
        List<ArrowField> fields = new ArrayList<>(schema.fields());
        if (fields.isEmpty()) {
            return schema.withAbsent(Set.of());
        }
        int at = random.nextInt(fields.size());
        ArrowField field = fields.get(at);
        switch (random.nextInt(7)) {
            case 0 -> fields.set(at, field.nullable());
            case 1 -> fields.set(at, field.withName("renamed"));
            case 2 -> fields.set(at, field.withMetadata(field.metadata().with("k", "v")));
            case 3 -> fields.add(fields.remove(at));
            case 4 -> fields.remove(at);
            case 5 -> fields.set(at, field.withAbsent(Set.of()));
            default -> fields.set(at, RandomSchemas.field(random.nextInt()));
        }
        return schema.withFields(fields);
    }
}
