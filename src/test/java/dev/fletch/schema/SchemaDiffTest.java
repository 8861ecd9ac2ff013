// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.format.Schema;
import dev.fletch.schema.ArrowType.TimeResolution;

import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// What `diff` lists, and how it reads.
class SchemaDiffTest {
    private static final ArrowType INT32 = new ArrowType.Int(32, true);
    private static final ArrowType INT64 = new ArrowType.Int(64, true);
    private static final ArrowType UTF8 = ArrowType.Simple.UTF8;
    private static final ArrowType STRUCT = ArrowType.Simple.STRUCT;

    private static ArrowField field(String name, ArrowType type, ArrowField... children) {
        return ArrowField.of(name, type, children);
    }

    private static ArrowSchema schema(String names) {
        return ArrowSchema.of(
                Arrays.stream(names.split(" ")).map(name -> field(name, INT32)).toList());
    }

    private static void assertDiff(ArrowSchema before, ArrowSchema after, String... lines) {
        assertEquals(
                List.of(lines), before.diff(after).stream().map(SchemaChange::toString).toList());
    }

    @Test
    void addedAndRemovedFieldsAreListed() {
        assertDiff(schema("a b c"), schema("a c"), "b: removed int32 not null");
        assertDiff(schema("a c"), schema("a b c"), "b: added int32 not null");
        assertDiff(
                ArrowSchema.of(field("a", INT32)),
                ArrowSchema.of(field("b", UTF8).nullable()),
                "a: removed int32 not null",
                "b: added utf8");
    }

    @Test
    void fewestPossibleFieldsAreMoved() {
        assertDiff(schema("a b c d"), schema("d a b c"), "d: moved 3 → 0");
        assertDiff(schema("a b c d"), schema("b c d a"), "a: moved 0 → 3");
        assertDiff(schema("a b"), schema("x a b"), "x: added int32 not null");
        assertDiff(schema("a b c"), schema("c b a"), "a: moved 0 → 2", "b: moved 1 → 1");
    }

    @Test
    void columnRenamedInPlaceIsOneChange() {
        assertDiff(schema("a b c"), schema("a x c"), "b: name b → x");
        assertDiff(
                ArrowSchema.of(field("a", INT32), field("b", UTF8)),
                ArrowSchema.of(field("b", UTF8), field("x", INT32)),
                "a: removed int32 not null",
                "x: added int32 not null");
    }

    @Test
    void changedPropertiesOfAFieldAreListed() {
        ArrowType.Int int8 = new ArrowType.Int(8, true);
        ArrowSchema before =
                ArrowSchema.of(
                        field("price", new ArrowType.Decimal(38, 10))
                                .withMetadata(Metadata.of("unit", "EUR")),
                        field("symbol", UTF8).withDictionary(DictionaryInfo.of(7, int8)),
                        field("time", new ArrowType.Timestamp(TimeResolution.SECOND)));
        ArrowSchema after =
                ArrowSchema.of(
                        field("price", new ArrowType.Decimal(20, 2))
                                .nullable()
                                .withMetadata(Metadata.of("unit", "USD", "note", "")),
                        field("symbol", UTF8)
                                .withDictionary(new DictionaryInfo(8, int8, true, false))
                                .withMetadata(Metadata.of("k", "v")),
                        field("time", new ArrowType.Timestamp(TimeResolution.SECOND, "UTC")));
        assertDiff(
                before,
                after,
                "price: type decimal(38, 10) → decimal(20, 2)",
                "price: nullability not null → nullable",
                "price: metadata unit EUR → USD",
                "price: metadata note added \"\"",
                "symbol: dictionary int8 → int8, ordered",
                "symbol: metadata k added v",
                "time: type timestamp(second) → timestamp(second, UTC)");
        assertDiff(
                ArrowSchema.of(before.fields().get(1)),
                ArrowSchema.of(field("symbol", UTF8)),
                "symbol: dictionary removed int8");
    }

    @Test
    void changesOfTheSchemaItselfHaveNoPath() {
        ArrowSchema before = schema("a").withMetadata(Metadata.of("k", "1", "k", "2"));
        ArrowSchema after =
                schema("a")
                        .withEndianness(ByteOrder.BIG_ENDIAN)
                        .withFeatures(List.of(2L, 99L))
                        .withMetadata(Metadata.of("k", "1"));
        assertDiff(
                before,
                after,
                "schema: endianness little → big",
                "schema: features added COMPRESSED_BODY, Feature(99)",
                "schema: metadata k removed 2");
        assertDiff(before, before.withAbsent(Set.of(Schema.FEATURES_SLOT)));
    }

    @Test
    void changesOfChildrenHaveTheirPaths() {
        ArrowField x = field("x", INT32);
        ArrowField y = field("y", INT32);
        ArrowSchema before =
                ArrowSchema.of(
                        field("p", STRUCT, x, y),
                        field("l", ArrowType.Simple.LIST, field("item", STRUCT, x)));
        ArrowSchema after =
                ArrowSchema.of(
                        field("p", STRUCT, y, x.withType(INT64)),
                        field("l", ArrowType.Simple.LIST, field("element", STRUCT, x.nullable())));
        assertDiff(
                before,
                after,
                "p.x: moved 0 → 1",
                "p.x: type int32 → int64",
                "l.item.x: nullability not null → nullable");
    }

    @Test
    void changeOfTheTypeKindIsOneChange() {
        assertDiff(
                ArrowSchema.of(field("p", STRUCT, field("x", INT32))),
                ArrowSchema.of(field("p", ArrowType.Simple.LIST, field("item", UTF8))),
                "p: type struct → list",
                "p.x: removed int32 not null",
                "p.item: added utf8 not null");
    }

    @Test
    void fieldsOfTheSameNameAreCompared() {
        assertDiff(
                schema("a a a"),
                ArrowSchema.of(field("a", INT32), field("a", UTF8)),
                "a#2: type int32 → utf8",
                "a#3: removed int32 not null");
    }

    @Test
    void textsOfBothSidesDiffer() {
        ArrowField a = field("a", UTF8);
        String start = "x".repeat(350);
        String shown = "…" + "x".repeat(20);
        assertDiff(
                ArrowSchema.of(a.withMetadata(Metadata.of("k", start + "1"))),
                ArrowSchema.of(a.withMetadata(Metadata.of("k", start + "2"))),
                "a: metadata k %s1 (from character 330) → %s2 (from character 330)"
                        .formatted(shown, shown));
        assertDiff(
                ArrowSchema.of(a.withMetadata(Metadata.of("k", "a\nb"))),
                ArrowSchema.of(a.withMetadata(Metadata.of("k", "a\\nb"))),
                "a: metadata k \"a\\nb\" → \"a\\\\nb\"");
        assertDiff(
                ArrowSchema.of(a.withMetadata(Metadata.of("k", ""))),
                ArrowSchema.of(a.withMetadata(Metadata.of("k", "\"\""))),
                "a: metadata k \"\" → \"\\\"\\\"\"");
        assertDiff(schema("a"), ArrowSchema.of(field("a ", INT32)), "a: name a → \"a \"");
        assertDiff(
                schema("caf\u00e9"),
                schema("cafe\u0301"),
                "café: name \"caf\\u00e9\" → \"cafe\\u0301\"");
        ArrowType plain = new ArrowType.Timestamp(TimeResolution.SECOND, "UTC");
        ArrowType faked = new ArrowType.Timestamp(TimeResolution.SECOND, "UTC) not null, x(y");
        assertDiff(
                ArrowSchema.of(field("t", plain)),
                ArrowSchema.of(field("t", faked)),
                "t: type timestamp(second, UTC) → timestamp(second, \"UTC) not null, x(y\")");
    }

    /// Looking through all pairs for each key would be some 10 billion steps.
    @Test
    void diffOfManyKeysTakesLinearTime() {
        String[] before = new String[200_000];
        String[] after = new String[200_000];
        for (int i = 0; i < 100_000; i++) {
            before[2 * i] = "key " + i;
            before[2 * i + 1] = "v";
            after[2 * i] = "key " + (i + 1);
            after[2 * i + 1] = i == 49_999 ? "w" : "v";
        }
        assertDiff(
                schema("a").withMetadata(Metadata.of(before)),
                schema("a").withMetadata(Metadata.of(after)),
                "schema: metadata key 0 removed v",
                "schema: metadata key 50000 v → w",
                "schema: metadata key 100000 added v");
    }

    /// "Aa" and "BB" have the same hash, and so have all texts of as many of them.
    @Test
    void namesOfEqualHashesAreMatchedInAsMuchTime() {
        List<ArrowField> fields = new ArrayList<>();
        for (int i = 0; i < 1 << 15; i++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 1; bit < 1 << 15; bit <<= 1) {
                name.append((i & bit) == 0 ? "Aa" : "BB");
            }
            fields.add(field(name.toString(), INT32));
        }
        assertEquals(1, fields.stream().map(each -> each.name().hashCode()).distinct().count());
        ArrowSchema before = ArrowSchema.of(fields);
        ArrowField first = fields.removeFirst();
        fields.add(first);
        assertDiff(before, ArrowSchema.of(fields), first.name() + ": moved 0 → 32767");
    }

    @Test
    void hostileNamesStayOnALine() {
        assertDiff(
                ArrowSchema.of(),
                ArrowSchema.of(field("a\nb: int32", INT32), field("", UTF8)),
                "\"a\\nb: int32\": added int32 not null",
                "\"\": added utf8 not null");
    }
}
