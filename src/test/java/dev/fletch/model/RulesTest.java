// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.model.ArrowType.DateResolution;
import dev.fletch.model.ArrowType.TimeResolution;
import dev.fletch.model.ArrowType.UnionLayout;
import dev.fletch.testdata.ModelTables;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// What a schema has to keep to, each rule kept and broken.
class RulesTest {
    private static final ArrowType INT32 = new ArrowType.Int(32, true);
    private static final ArrowType UTF8 = new ArrowType.Utf8();
    private static final ArrowType STRUCT = new ArrowType.Struct();

    private static ArrowField field(String name, ArrowType type, ArrowField... children) {
        return ArrowField.of(name, type, children);
    }

    private static void refused(String message, Executable making) {
        assertEquals(message, assertThrows(InvalidSchemaException.class, making).getMessage());
    }

    // ---- types

    @Test
    void wrongIntegersAreRejected() {
        for (int width : new int[] {8, 16, 32, 64}) {
            assertDoesNotThrow(() -> new ArrowType.Int(width, width > 16));
        }
        for (int width : new int[] {0, -8, 7, 24, 128, Integer.MIN_VALUE}) {
            refused(
                    "an integer has 8, 16, 32 or 64 bits: bitWidth=" + width,
                    () -> new ArrowType.Int(width, true));
        }
    }

    @Test
    void wrongDecimalsAreRejected() {
        int[][] widths = {{32, 9}, {64, 18}, {128, 38}, {256, 76}};
        for (int[] width : widths) {
            int bits = width[0];
            int max = width[1];
            assertDoesNotThrow(() -> new ArrowType.Decimal(1, Integer.MIN_VALUE, bits));
            assertDoesNotThrow(() -> new ArrowType.Decimal(max, Integer.MAX_VALUE, bits));
            for (int precision : new int[] {0, -1, max + 1, Integer.MAX_VALUE}) {
                refused(
                        "a decimal of 32, 64, 128 or 256 bits has 1 to 9, 18, 38 or 76 digits:"
                                + (" precision=" + precision),
                        () -> new ArrowType.Decimal(precision, 0, bits));
            }
        }
        refused(
                "a decimal has 32, 64, 128 or 256 bits: bitWidth=16",
                () -> new ArrowType.Decimal(3, 0, 16));
        assertEquals(128, new ArrowType.Decimal(38, 10).bitWidth());
    }

    @Test
    void wrongTimesAreRejected() {
        for (TimeResolution unit : TimeResolution.values()) {
            int width = unit.compareTo(TimeResolution.MILLISECOND) > 0 ? 64 : 32;
            assertEquals(new ArrowType.Time(unit, width), new ArrowType.Time(unit));
            for (int other : new int[] {96 - width, 0, 16}) {
                refused(
                        "a time has 32 bits in seconds and milliseconds, else 64: bitWidth="
                                + other,
                        () -> new ArrowType.Time(unit, other));
            }
        }
    }

    @Test
    void wrongSizesAreRejected() {
        assertDoesNotThrow(() -> new ArrowType.FixedSizeBinary(0));
        assertDoesNotThrow(() -> new ArrowType.FixedSizeList(0));
        refused(
                "a fixed-size binary has at least 0 bytes: byteWidth=-1",
                () -> new ArrowType.FixedSizeBinary(-1));
        refused(
                "a fixed-size list has at least 0 elements: listSize=-5",
                () -> new ArrowType.FixedSizeList(-5));
    }

    @Test
    void wrongUnionIdsAreRejected() {
        assertDoesNotThrow(() -> ArrowType.Union.of(UnionLayout.DENSE));
        assertDoesNotThrow(() -> ArrowType.Union.of(UnionLayout.DENSE, 127, 0, 5));
        assertEquals(
                IntStream.range(0, 128).boxed().toList(),
                ArrowType.Union.implicit(UnionLayout.SPARSE, 128).typeIds());
        refused(
                "a type id is 0 to 127: typeIds=[0, 128]",
                () -> ArrowType.Union.of(UnionLayout.DENSE, 0, 128));
        refused(
                "a type id is 0 to 127: typeIds=[-1]",
                () -> ArrowType.Union.of(UnionLayout.DENSE, -1));
        refused(
                "a type id belongs to one child: typeIds=[3, 1, 3]",
                () -> ArrowType.Union.of(UnionLayout.DENSE, 3, 1, 3));
        refused(
                "a union has at most 128 children: children=129",
                () -> ArrowType.Union.implicit(UnionLayout.DENSE, 129));
        refused(
                "implicit type ids must be 0, 1, 2 and so on: typeIds=[1, 0]",
                () -> new ArrowType.Union(UnionLayout.DENSE, List.of(1, 0), true));
    }

    @Test
    void malformedTextsAreRejected() {
        refused(
                "text must have no unpaired surrogate:" + " timezone=a\\ud800",
                () -> new ArrowType.Timestamp(TimeResolution.SECOND, "a\ud800"));
        String rule = "text must have no unpaired surrogate: ";
        refused(rule + "name=\\udc00\\ud800", () -> field("\udc00\ud800", INT32));
        refused(rule + "metadata key=\\udc00", () -> Metadata.of("\udc00", ""));
        refused(rule + "metadata value=x\\udc00", () -> Metadata.of("k", "x\udc00"));
        assertDoesNotThrow(() -> field("🙂\0", INT32));
    }

    // ---- children

    @Test
    void leavesHaveNoChildren() {
        int leaves = 0;
        for (ArrowType type : AllTypes.TYPES) {
            if (AllTypes.isLeaf(type)) {
                assertDoesNotThrow(() -> field("a", type));
                refused(
                        "a type that is not nested has no children: field=a, children=1",
                        () -> field("a", type, field("b", INT32)));
                leaves++;
            }
        }
        assertEquals(17, leaves);
    }

    @Test
    void listsHaveOneChild() {
        int lists = 0;
        for (ArrowType type : AllTypes.TYPES) {
            if (AllTypes.isList(type)) {
                String rule =
                        (type instanceof ArrowType.Map ? "a map" : "a list") + " has one child: ";
                assertDoesNotThrow(() -> field("a", type, field("any name", UTF8)));
                refused(rule + "field=a, children=0", () -> field("a", type));
                refused(
                        rule + "field=a, children=2",
                        () -> field("a", type, field("b", INT32), field("c", INT32)));
                lists++;
            }
        }
        assertEquals(5, lists);
    }

    @Test
    void structsHaveAnyChildren() {
        assertDoesNotThrow(() -> field("a", STRUCT));
        assertDoesNotThrow(() -> field("a", STRUCT, field("b", UTF8), field("b", UTF8)));
    }

    @Test
    void unionsHaveAsManyChildrenAsIds() {
        ArrowType union = ArrowType.Union.of(UnionLayout.SPARSE, 5, 7);
        assertDoesNotThrow(() -> field("u", union, field("b", UTF8), field("c", UTF8)));
        refused(
                "a union has a type id for each child: field=u, typeIds=[5, 7]",
                () -> field("u", union, field("b", UTF8)));
    }

    @Test
    void wrongMapsAreRejected() {
        ArrowType map = new ArrowType.Map(false);
        ArrowField key = field("k", UTF8);
        ArrowField value = field("v", INT32).nullable();
        assertDoesNotThrow(() -> field("m", map, field("any", STRUCT, key, value)));
        refused("a map has one child: field=m, children=0", () -> field("m", map));
        refused(
                "the entries of a map are structs: field=m.e, type=utf8",
                () -> field("m", map, field("e", UTF8)));
        refused(
                "the entries of a map are structs: field=m.e, type=struct, dictionary 1 (int32)",
                () ->
                        field(
                                "m",
                                map,
                                field("e", STRUCT, key, value)
                                        .withDictionary(DictionaryInfo.implicit(1, false))));
        refused(
                "the entries of a map have a key and a value: field=m.e, children=1",
                () -> field("m", map, field("e", STRUCT, key)));
    }

    @Test
    void wrongRunEndsAreRejected() {
        ArrowType runs = new ArrowType.RunEndEncoded();
        ArrowField values = field("v", UTF8).nullable();
        for (int width : new int[] {16, 32, 64}) {
            ArrowField ends = field("any", new ArrowType.Int(width, true));
            assertDoesNotThrow(() -> field("r", runs, ends, values));
        }
        refused(
                "a run-end encoded field has run ends and values: field=r, children=1",
                () -> field("r", runs, values));
        for (ArrowType type :
                List.of(new ArrowType.Int(8, true), new ArrowType.Int(32, false), UTF8)) {
            refused(
                    "run ends are int16, int32 or int64: field=r.e, type=" + type.text(),
                    () -> field("r", runs, field("e", type), values));
        }
        refused(
                "run ends are int16, int32 or int64: field=r.e,"
                        + " type=int32, dictionary 0 (int32)",
                () ->
                        field(
                                "r",
                                runs,
                                field("e", INT32).withDictionary(DictionaryInfo.implicit(0, false)),
                                values));
    }

    @Test
    void wrongDictionariesAreRejected() {
        for (int width : new int[] {8, 16, 32, 64}) {
            assertDoesNotThrow(() -> DictionaryInfo.of(-1, new ArrowType.Int(width, false)));
        }
        refused(
                "implicit index type must be int32: indexType=uint32",
                () -> new DictionaryInfo(0, new ArrowType.Int(32, false), false, true));
    }

    @Test
    void onlyEmptySlotsAreAbsent() {
        Set<AbsentSlot> all = Set.of(AbsentSlot.values());
        ArrowField plain = field("a", INT32);
        assertEquals(
                Set.of(AbsentSlot.NAME, AbsentSlot.CHILDREN, AbsentSlot.METADATA),
                plain.withName("").withAbsent(all).absent());
        assertEquals(
                Set.of(),
                field("s", STRUCT, plain).withMetadata("k", "v").withAbsent(all).absent());
        ArrowSchema schema = ArrowSchema.of();
        assertEquals(
                Set.of(AbsentSlot.FIELDS, AbsentSlot.METADATA, AbsentSlot.FEATURES),
                schema.withAbsent(all).absent());
        ArrowSchema full = schema.withFields(List.of(plain)).withFeatures(List.of(1L));
        assertEquals(Set.of(), full.withMetadata("k", "v").withAbsent(all).absent());
    }

    // ---- in bytes the same, with the whole path

    @Test
    void faultsInBytesNameTheWholePath() {
        ArrowField leaf = field("leaf", new ArrowType.FixedSizeBinary(3));
        ArrowSchema schema =
                ArrowSchema.of(field("top", STRUCT, field("", new ArrowType.List(), leaf)));
        var table = ModelTables.schema(schema);
        var broken = Tables.replace(table, "byteWidth", -3);
        refused(
                "a fixed-size binary has at least 0 bytes: field=top.\"\".leaf, byteWidth=-3",
                () -> read(broken));
        var unknown = Tables.replace(table, "type_type", 42, "FixedSizeBinary");
        refused(
                "type is unknown: field=top.\"\".leaf," + " typeType=Type(42)",
                () -> read(unknown));
        var childless = Tables.remove(table, "children", "List");
        refused("a list has one child: field=top.\"\", children=0", () -> read(childless));
        var typeless = Tables.remove(table, "type", "FixedSizeBinary");
        refused(
                "a type with parameters has a table: field=top.\"\".leaf,"
                        + " typeType=FixedSizeBinary",
                () -> read(typeless));
    }

    private static ArrowSchema read(dev.fletch.testdata.FbsValue.Table table) {
        return ModelReadTest.read(
                dev.fletch.testdata.FbsValueWriter.write(
                        dev.fletch.testdata.RandomTables.ARROW, table, 1));
    }

    @Test
    void unknownEnumValuesAreRejected() {
        ArrowSchema schema =
                ArrowSchema.of(
                        field("d", new ArrowType.Date(DateResolution.DAY))
                                .withDictionary(DictionaryInfo.implicit(0, false)));
        var table = ModelTables.schema(schema);
        refused(
                "endianness is unknown: endianness=2",
                () -> read(Tables.replace(table, "endianness", 2)));
        refused(
                "endianness is unknown: endianness=-1",
                () -> read(Tables.replace(table, "endianness", -1)));
        refused(
                "the unit of a date is known: field=d, unit=7",
                () -> read(Tables.replace(table, "unit", 7)));
        var kind = Tables.add(table, "DictionaryEncoding", "dictionaryKind", 1);
        refused("the kind of a dictionary is known: field=d, dictionaryKind=1", () -> read(kind));
    }
}
