// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.model.ArrowSchema.Endianness;
import dev.fletch.model.ArrowType.TimeUnit;
import dev.fletch.model.ArrowType.UnionMode;
import dev.fletch.testdata.RandomSchemas;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// The two kinds of equality, and what tells them apart.
class MeaningTest {
    private static final ArrowType INT32 = new ArrowType.Int(32, true);
    private static final ArrowType UTF8 = new ArrowType.Utf8();

    private static void sameMeaningOnly(ArrowField a, ArrowField b) {
        assertNotEquals(a, b);
        assertTrue(a.sameMeaning(b));
        assertTrue(b.sameMeaning(a));
        assertEquals(List.of(), a.diff(b));
    }

    private static void otherMeaning(ArrowField a, ArrowField b) {
        assertNotEquals(a, b);
        assertFalse(a.sameMeaning(b));
        assertNotEquals(List.of(), a.diff(b));
    }

    @Test
    void absentAndEmpty() {
        ArrowField empty = ArrowField.of("", new ArrowType.Struct()).withOmitted(Set.of());
        for (Omitted part : List.of(Omitted.NAME, Omitted.CHILDREN, Omitted.METADATA)) {
            sameMeaningOnly(empty, empty.withOmitted(Set.of(part)));
        }
        ArrowSchema schema = ArrowSchema.of().withOmitted(Set.of());
        for (Omitted part : List.of(Omitted.FIELDS, Omitted.METADATA, Omitted.FEATURES)) {
            ArrowSchema omitted = schema.withOmitted(Set.of(part));
            assertNotEquals(schema, omitted);
            assertTrue(schema.sameMeaning(omitted));
            assertEquals(List.of(), schema.diff(omitted));
        }
    }

    @Test
    void whatIsImplied() {
        ArrowField plain = ArrowField.of("a", UTF8);
        sameMeaningOnly(
                plain.withDictionary(DictionaryInfo.of(1, new ArrowType.Int(32, true))),
                plain.withDictionary(DictionaryInfo.implicit(1, false)));
        ArrowField union =
                ArrowField.of("u", ArrowType.Union.of(UnionMode.DENSE, 0, 1), plain, plain);
        sameMeaningOnly(
                union, union.withType(ArrowType.Union.implicit(UnionMode.DENSE, 2), plain, plain));
        sameMeaningOnly(
                ArrowField.of("t", new ArrowType.Timestamp(TimeUnit.SECOND)),
                ArrowField.of("t", new ArrowType.Timestamp(TimeUnit.SECOND, "")));
        otherMeaning(
                ArrowField.of("t", new ArrowType.Timestamp(TimeUnit.SECOND)),
                ArrowField.of("t", new ArrowType.Timestamp(TimeUnit.SECOND, "UTC")));
    }

    /// Two streams of one table may number their dictionaries otherwise; a golden does.
    @Test
    void dictionaries() {
        ArrowField plain = ArrowField.of("a", UTF8);
        ArrowType.Int int8 = new ArrowType.Int(8, true);
        ArrowField encoded = plain.withDictionary(DictionaryInfo.of(1, int8));
        sameMeaningOnly(encoded, plain.withDictionary(DictionaryInfo.of(2, int8)));
        otherMeaning(encoded, plain);
        otherMeaning(encoded, plain.withDictionary(DictionaryInfo.of(1, int8).inOrder()));
        otherMeaning(encoded, plain.withDictionary(DictionaryInfo.implicit(1, false)));
    }

    @Test
    void metadata() {
        ArrowField plain = ArrowField.of("a", INT32);
        sameMeaningOnly(
                plain.withMetadata("a", "1", "b", "2", "b", "3"),
                plain.withMetadata("b", "2", "a", "1", "b", "3"));
        sameMeaningOnly(plain.withMetadata("a", null), plain.withMetadata("a", ""));
        sameMeaningOnly(plain.withMetadata(null, "x"), plain.withMetadata("", "x"));
        otherMeaning(
                plain.withMetadata("b", "2", "b", "3"), plain.withMetadata("b", "3", "b", "2"));
        otherMeaning(plain.withMetadata("a", "1"), plain.withMetadata("a", "1", "a", "1"));
    }

    @Test
    void namesThatMeanNothing() {
        ArrowField list = ArrowField.of("l", new ArrowType.List(), ArrowField.of("item", UTF8));
        sameMeaningOnly(list, list.withChildren(List.of(ArrowField.of("element", UTF8))));
        sameMeaningOnly(map("entries", "key", "value"), map("e", "k", "v"));
        ArrowField struct = ArrowField.of("s", new ArrowType.Struct(), ArrowField.of("item", UTF8));
        otherMeaning(struct, struct.withChildren(List.of(ArrowField.of("other", UTF8))));
        ArrowType union = ArrowType.Union.of(UnionMode.SPARSE, 4);
        otherMeaning(
                ArrowField.of("u", union, ArrowField.of("a", UTF8)),
                ArrowField.of("u", union, ArrowField.of("b", UTF8)));
        otherMeaning(list, list.withName("m"));
    }

    private static ArrowField map(String entries, String key, String value) {
        ArrowField pair =
                ArrowField.of(
                        entries,
                        new ArrowType.Struct(),
                        ArrowField.of(key, UTF8),
                        ArrowField.of(value, INT32));
        return ArrowField.of("m", new ArrowType.Map(false), pair);
    }

    @Test
    void features() {
        ArrowSchema schema = ArrowSchema.of().withFeatures(List.of(2L, 0L, 1L, 2L));
        assertTrue(schema.sameMeaning(schema.withFeatures(List.of(1L, 2L))));
        assertFalse(schema.sameMeaning(schema.withFeatures(List.of(2L))));
        assertFalse(schema.sameMeaning(schema.withEndianness(Endianness.BIG)));
    }

    /// Of any two schemas, `diff` tells nothing just where both mean the same.
    @Test
    void diffAndMeaningAgree() {
        Random random = new Random(3);
        int same = 0;
        int other = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            ArrowSchema before = RandomSchemas.schema(seed);
            ArrowSchema after = changed(before, random);
            boolean sameMeaning = before.sameMeaning(after);
            assertEquals(sameMeaning, before.diff(after).isEmpty(), "seed " + seed);
            assertEquals(sameMeaning, after.diff(before).isEmpty(), "seed " + seed);
            assertEquals(before.diff(after), before.diff(after));
            before.diff(after)
                    .forEach(change -> assertEquals(1, change.toString().lines().count()));
            if (sameMeaning) {
                same++;
            } else {
                other++;
            }
            ArrowSchema unrelated = RandomSchemas.schema(seed + 1);
            assertEquals(before.sameMeaning(unrelated), before.diff(unrelated).isEmpty());
        }
        int sum = same + other;
        assertTrue(same > 100 && other > 100, () -> "one of them is no test: " + sum);
    }

    private static ArrowSchema changed(ArrowSchema schema, Random random) {
        List<ArrowField> fields = new ArrayList<>(schema.fields());
        if (fields.isEmpty()) {
            return schema.withOmitted(Set.of());
        }
        int at = random.nextInt(fields.size());
        ArrowField field = fields.get(at);
        switch (random.nextInt(7)) {
            case 0 -> fields.set(at, field.nullable());
            case 1 -> fields.set(at, field.withName("renamed"));
            case 2 -> fields.set(at, field.withMetadata(field.metadata().with("k", "v")));
            case 3 -> fields.add(fields.remove(at));
            case 4 -> fields.remove(at);
            case 5 -> fields.set(at, field.withOmitted(Set.of()));
            default -> fields.set(at, RandomSchemas.field(random.nextInt()));
        }
        return schema.withFields(fields);
    }
}
