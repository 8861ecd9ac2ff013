// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.Meant.INT32;
import static dev.fletch.semantics.Meant.INT8;
import static dev.fletch.semantics.Meant.UTF8;
import static dev.fletch.semantics.Meant.bound;
import static dev.fletch.semantics.Meant.bytes;
import static dev.fletch.semantics.Meant.encoded;
import static dev.fletch.semantics.Meant.field;
import static dev.fletch.semantics.Meant.integer;
import static dev.fletch.semantics.Meant.message;
import static dev.fletch.semantics.Meant.required;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.semantics.Meant.struct;
import static dev.fletch.semantics.Meant.table;
import static dev.fletch.semantics.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.fletch.Rule;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.format.Type;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.semantics.Meant.Caught;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/// One test for each rule of types, their children and their dictionaries, named as the rule's code.
class TypeRulesTest {
    private static final FbsValue.Table ENTRIES = required(struct(required(UTF8), INT32));
    private static final FbsValue.Table RUN_ENDS = required(integer("run_ends", 16));

    /// The field as the second column.
    private static Caught caught(Rule code, String path, FbsValue.Table field) {
        return Meant.caught(
                code, "header.schema.fields[1]." + path, message(schema(INT8, field), 0));
    }

    private static void right(FbsValue.Table... fields) {
        Meant.right(message(schema(fields), 0));
    }

    private static FbsValue.Table typed(int type, String table, Object... parameters) {
        return field("typed", type, table(table, parameters));
    }

    private static FbsValue.Table map(FbsValue.Table... children) {
        return field("map", Type.MAP, table("Map"), children);
    }

    private static FbsValue.Table runs(FbsValue.Table... children) {
        return field("runs", Type.RUN_END_ENCODED, table("RunEndEncoded"), children);
    }

    private static FbsValue.Table union(List<Integer> ids, int children) {
        FbsValue.Table type = table("Union", "mode", 1, "typeIds", ids);
        return field(
                "union",
                Type.UNION,
                type,
                Collections.nCopies(children, INT8).toArray(FbsValue.Table[]::new));
    }

    // ---- types

    @Test
    void noType() {
        caught(SemanticRules.NO_TYPE, "typeType", table("Field", "name", "x"));
    }

    @Test
    void noTypeTable() {
        for (TypeFacts each : parameterized(true)) {
            caught(SemanticRules.NO_TYPE_TABLE, "type", withoutTable(each));
        }
    }

    /// Of a type without parameters: a deviation.
    @Test
    void noEmptyTypeTable() {
        for (TypeFacts each : parameterized(false)) {
            caught(SemanticRules.NO_EMPTY_TYPE_TABLE, "type", withoutTable(each));
        }
        // The field's batches are checked all the same.
        SemanticVerifier meaning = new SemanticVerifier();
        meaning.collect(_ -> {}, 10);
        Message message = bound(bytes(message(schema(with(UTF8, "type", null)), 0)));
        assertFalse(meaning.message(message));
        FbsValue.Table batch = Meant.batch(List.of(Meant.pair(2, 0)), List.of());
        assertFalse(meaning.message(bound(bytes(message(batch, 8)))));
        assertEquals(FormatRules.BUFFER_COUNT, meaning.fault().rule());
    }

    private static FbsValue.Table withoutTable(TypeFacts type) {
        FbsValue.Table[] children =
                switch (type.id()) {
                    case Type.RUN_END_ENCODED -> new FbsValue.Table[] {RUN_ENDS, INT8};
                    case Type.MAP -> new FbsValue.Table[] {ENTRIES};
                    default -> new FbsValue.Table[] {INT8};
                };
        boolean isNested = type.children() != 0;
        return with(
                table("Field", "type_type", type.id()),
                "children",
                isNested ? Arrays.asList(children) : List.of());
    }

    private static List<TypeFacts> parameterized(boolean hasParameters) {
        List<TypeFacts> found =
                IntStream.rangeClosed(1, Type.LARGE_LIST_VIEW)
                        .mapToObj(TypeFacts::of)
                        .filter(each -> each.parameters().isEmpty() != hasParameters)
                        .toList();
        assertEquals(hasParameters ? 12 : 14, found.size());
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {27, 100, 255})
    void unknownTypes(int type) {
        caught(FormatRules.UNKNOWN_TYPE, "typeType", with(UTF8, "type_type", type));
    }

    @Test
    void unknownType() {
        caught(FormatRules.UNKNOWN_TYPE, "typeType", with(UTF8, "type_type", 27)).at(1);
    }

    @Test
    void intWidth() {
        for (int bits : new int[] {1, 7, 24, 128, -8}) {
            caught(SemanticRules.INT_WIDTH, "type.bitWidth", integer("x", bits)).at(4);
        }
        caught(SemanticRules.INT_WIDTH, "type.bitWidth", typed(Type.INT, "Int"));
        right(integer("a", 8), integer("b", 16), integer("c", 32), integer("d", 64));
    }

    @Test
    void floatPrecision() {
        FbsValue.Table field = typed(Type.FLOATING_POINT, "FloatingPoint", "precision", 3);
        caught(SemanticRules.FLOAT_PRECISION, "type.precision", field).at(2);
    }

    private static FbsValue.Table decimal(int bits, int precision) {
        return typed(Type.DECIMAL, "Decimal", "bitWidth", bits, "precision", precision);
    }

    @Test
    void decimalWidth() {
        caught(SemanticRules.DECIMAL_WIDTH, "type.bitWidth", decimal(16, 2)).at(4);
        caught(SemanticRules.DECIMAL_WIDTH, "type.bitWidth", decimal(512, 2)).at(4);
    }

    @Test
    void decimalPrecision() {
        int[][] most = {{32, 9}, {64, 18}, {128, 38}, {256, 76}};
        for (int[] each : most) {
            right(decimal(each[0], 1), decimal(each[0], each[1]));
            caught(SemanticRules.DECIMAL_PRECISION, "type.precision", decimal(each[0], each[1] + 1))
                    .at(4);
            caught(SemanticRules.DECIMAL_PRECISION, "type.precision", decimal(each[0], 0));
            caught(SemanticRules.DECIMAL_PRECISION, "type.precision", decimal(each[0], -1)).at(4);
        }
    }

    @Test
    void dateUnit() {
        caught(SemanticRules.DATE_UNIT, "type.unit", typed(Type.DATE, "Date", "unit", 2)).at(2);
    }

    @Test
    void timeUnit() {
        caught(SemanticRules.TIME_UNIT, "type.unit", typed(Type.TIME, "Time", "unit", -1)).at(2);
    }

    @Test
    void timeWidth() {
        for (int unit = 0; unit < 4; unit++) {
            int wrong = unit < 2 ? 64 : 32;
            right(typed(Type.TIME, "Time", "unit", unit, "bitWidth", 96 - wrong));
            Caught found =
                    caught(
                            SemanticRules.TIME_WIDTH,
                            "type.bitWidth",
                            typed(Type.TIME, "Time", "unit", unit, "bitWidth", wrong));
            if (wrong == 64) {
                found.at(4); // 32 is the default, and not stored
            }
        }
    }

    @Test
    void timestampUnit() {
        FbsValue.Table field = typed(Type.TIMESTAMP, "Timestamp", "unit", 4);
        caught(SemanticRules.TIMESTAMP_UNIT, "type.unit", field).at(2);
    }

    @Test
    void durationUnit() {
        FbsValue.Table field = typed(Type.DURATION, "Duration", "unit", 4);
        caught(SemanticRules.DURATION_UNIT, "type.unit", field).at(2);
    }

    @Test
    void intervalUnit() {
        FbsValue.Table field = typed(Type.INTERVAL, "Interval", "unit", 3);
        caught(SemanticRules.INTERVAL_UNIT, "type.unit", field).at(2);
    }

    @Test
    void byteWidth() {
        right(typed(Type.FIXED_SIZE_BINARY, "FixedSizeBinary", "byteWidth", 0));
        FbsValue.Table field = typed(Type.FIXED_SIZE_BINARY, "FixedSizeBinary", "byteWidth", -1);
        caught(SemanticRules.BYTE_WIDTH, "type.byteWidth", field).at(4);
    }

    private static FbsValue.Table fixedSizeList(int size, FbsValue.Table... children) {
        return field(
                "list", Type.FIXED_SIZE_LIST, table("FixedSizeList", "listSize", size), children);
    }

    @Test
    void listSize() {
        right(fixedSizeList(0, INT8));
        caught(SemanticRules.LIST_SIZE, "type.listSize", fixedSizeList(-1, INT8)).at(4);
    }

    @Test
    void unionMode() {
        FbsValue.Table field =
                with(
                        union(List.of(0), 1),
                        "type",
                        table("Union", "mode", 2, "typeIds", List.of(0)));
        caught(SemanticRules.UNION_MODE, "type.mode", field).at(2);
    }

    /// Any number but 0 is true.
    @Test
    void booleansOfAnyNumber() {
        right(
                typed(Type.INT, "Int", "bitWidth", 8, "is_signed", 2),
                field("map", Type.MAP, table("Map", "keysSorted", -1), ENTRIES));
    }

    // ---- children

    @Test
    void leafChildren() {
        caught(SemanticRules.LEAF_CHILDREN, "children", with(UTF8, "children", List.of(INT8)))
                .at(4);
    }

    @Test
    void listChildren() {
        int[] lists = {
            Type.LIST, Type.LARGE_LIST, Type.LIST_VIEW, Type.LARGE_LIST_VIEW, Type.FIXED_SIZE_LIST
        };
        String[] tables = {"List", "LargeList", "ListView", "LargeListView", "FixedSizeList"};
        for (int i = 0; i < lists.length; i++) {
            FbsValue.Table type = table(tables[i]);
            right(field("list", lists[i], type, INT8));
            caught(SemanticRules.LIST_CHILDREN, "children", field("list", lists[i], type)).at(4);
            caught(
                            SemanticRules.LIST_CHILDREN,
                            "children",
                            field("list", lists[i], type, INT8, INT8))
                    .at(4);
        }
    }

    @Test
    void mapChildren() {
        right(map(ENTRIES));
        caught(SemanticRules.MAP_CHILDREN, "children", map()).at(4);
        caught(SemanticRules.MAP_CHILDREN, "children", map(ENTRIES, INT8)).at(4);
    }

    @Test
    void mapEntriesType() {
        caught(SemanticRules.MAP_ENTRIES_TYPE, "children[0].typeType", map(required(INT8))).at(1);
        caught(SemanticRules.MAP_ENTRIES_TYPE, "children[0].typeType", map(encoded(ENTRIES, 1)));
    }

    @Test
    void mapEntriesNullable() {
        FbsValue.Table entries = with(ENTRIES, "nullable", 1);
        caught(SemanticRules.MAP_ENTRIES_NULLABLE, "children[0].nullable", map(entries)).at(1);
    }

    @Test
    void mapEntriesChildren() {
        FbsValue.Table one = required(struct(required(UTF8)));
        FbsValue.Table three = required(struct(required(UTF8), INT8, INT8));
        caught(SemanticRules.MAP_ENTRIES_CHILDREN, "children[0].children", map(one)).at(4);
        caught(SemanticRules.MAP_ENTRIES_CHILDREN, "children[0].children", map(three)).at(4);
    }

    @Test
    void mapKeyNullable() {
        FbsValue.Table entries = required(struct(UTF8, INT32));
        caught(SemanticRules.MAP_KEY_NULLABLE, "children[0].children[0].nullable", map(entries))
                .at(1);
    }

    @Test
    void runEndChildren() {
        right(runs(RUN_ENDS, UTF8));
        caught(SemanticRules.RUN_END_CHILDREN, "children", runs(RUN_ENDS)).at(4);
        caught(SemanticRules.RUN_END_CHILDREN, "children", runs(RUN_ENDS, UTF8, UTF8)).at(4);
    }

    @Test
    void runEndsType() {
        String path = "children[0].typeType";
        FbsValue.Table unsigned =
                required(field("u", Type.INT, table("Int", "bitWidth", 32, "is_signed", 0)));
        caught(SemanticRules.RUN_ENDS_TYPE, path, runs(required(INT8), UTF8)).at(1);
        caught(SemanticRules.RUN_ENDS_TYPE, path, runs(unsigned, UTF8)).at(1);
        caught(SemanticRules.RUN_ENDS_TYPE, path, runs(required(UTF8), UTF8)).at(1);
        caught(SemanticRules.RUN_ENDS_TYPE, path, runs(encoded(RUN_ENDS, 1), UTF8)).at(1);
        for (int bits : new int[] {16, 32, 64}) {
            right(runs(required(integer("x", bits)), UTF8));
        }
    }

    @Test
    void runEndsNullable() {
        FbsValue.Table field = runs(integer("run_ends", 16), UTF8);
        caught(SemanticRules.RUN_ENDS_NULLABLE, "children[0].nullable", field).at(1);
    }

    @Test
    void unionChildren() {
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < 128; i++) {
            ids.add(127 - i);
        }
        right(union(ids, 128), with(union(ids, 128), "type", table("Union")));
        FbsValue.Table implicit = with(union(ids, 129), "type", table("Union"));
        caught(SemanticRules.UNION_CHILDREN, "children", implicit).at(4);
    }

    @Test
    void unionTypeIds() {
        right(union(List.of(5, 127), 2), union(List.of(), 0));
        caught(SemanticRules.UNION_TYPE_IDS, "type.typeIds", union(List.of(1, 2, 3), 2)).at(4);
        caught(SemanticRules.UNION_TYPE_IDS, "type.typeIds", union(List.of(), 2)).at(4);
    }

    @Test
    void unionTypeIdRange() {
        for (int id : new int[] {-1, 128, 256, Integer.MIN_VALUE}) {
            caught(SemanticRules.UNION_TYPE_ID_RANGE, "type.typeIds[1]", union(List.of(0, id), 2))
                    .at(4);
        }
    }

    @Test
    void unionTypeIdRepeated() {
        for (int id : new int[] {0, 63, 64, 127}) {
            FbsValue.Table field = union(Arrays.asList(id, 3, id), 3);
            caught(SemanticRules.UNION_TYPE_ID_REPEATED, "type.typeIds[2]", field).at(4);
        }
        right(union(List.of(0, 64), 2));
    }

    // ---- dictionaries

    private static FbsValue.Table encodedBy(Object... encoding) {
        return with(UTF8, "dictionary", table("DictionaryEncoding", encoding));
    }

    @Test
    void indexWidth() {
        right(encodedBy("id", 3)); // int32, as it is left out
        FbsValue.Table index = table("Int", "bitWidth", 12, "is_signed", 1);
        FbsValue.Table field = encodedBy("id", 3, "indexType", index);
        caught(SemanticRules.INDEX_WIDTH, "dictionary.indexType.bitWidth", field).at(4);
    }

    @Test
    void dictionaryKind() {
        FbsValue.Table field = encodedBy("id", 3, "dictionaryKind", 1);
        caught(SemanticRules.DICTIONARY_KIND, "dictionary.dictionaryKind", field).at(2);
    }

    @Test
    void dictionaryType() {
        String path = "header.schema.fields[1].dictionary.id";
        FbsValue.Table[] others = {
            INT8,
            field("x", Type.BINARY, table("Binary")),
            struct(UTF8, INT8),
            struct(INT8, required(UTF8)),
            struct(INT8, with(UTF8, "name", "other")),
            struct(INT8, encoded(UTF8, 8)),
            struct(INT8)
        };
        FbsValue.Table values = struct(INT8, UTF8);
        right(encoded(values, 7), encoded(with(values, "name", "b", "nullable", 0), 7));
        for (FbsValue.Table other : others) {
            Meant.caught(
                            SemanticRules.DICTIONARY_TYPE,
                            path,
                            message(schema(encoded(values, 7), encoded(other, 7)), 0))
                    .at(8);
        }
    }

    /// What lists call their items is no part of a type.
    @Test
    void namesOfItems() {
        FbsValue.Table list = field("l", Type.LIST, table("List"), INT8);
        FbsValue.Table other = field("l", Type.LIST, table("List"), integer("element", 8));
        right(encoded(list, 7), encoded(other, 7));
    }
}
