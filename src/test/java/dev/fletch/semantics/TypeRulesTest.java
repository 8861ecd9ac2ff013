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
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/// Each rule of types, their children and their dictionaries, broken alone and kept at its limits.
class TypeRulesTest {
    private static final FbsValue.Table ENTRIES = required(struct(required(UTF8), INT32));
    private static final FbsValue.Table RUN_ENDS = required(integer("run_ends", 16));

    /// A column that breaks one rule.
    ///
    /// @param path of the wrong value, from the column on
    /// @param width bytes of the wrong value, 0 if it is not stored
    record Broken(Rule rule, String path, int width, FbsValue.Table column) {
        @Override
        public String toString() {
            return rule.id() + " " + path;
        }
    }

    private static final List<Broken> BROKEN = new ArrayList<>();

    private static void broken(Rule rule, String path, int width, FbsValue.Table... columns) {
        for (FbsValue.Table each : columns) {
            BROKEN.add(new Broken(rule, path, width, each));
        }
    }

    static List<Broken> broken() {
        return BROKEN;
    }

    @ParameterizedTest
    @MethodSource("broken")
    void columnThatBreaksARuleHasThatFaultAlone(Broken broken) {
        String path = "header.schema.fields[1]." + broken.path;
        FbsValue.Table message = message(schema(INT8, broken.column), 0);
        Caught caught = Meant.caught(broken.rule, path, message);
        if (broken.width > 0) {
            caught.at(broken.width);
        }
    }

    private static void right(FbsValue.Table... fields) {
        Meant.right(message(schema(fields), 0));
    }

    private static FbsValue.Table typed(int type, String table, Object... parameters) {
        return field("typed", type, table(table, parameters));
    }

    // ---- types

    static {
        broken(SemanticRules.NO_TYPE, "typeType", 0, table("Field", "name", "x"));
        parameterized(true)
                .forEach(each -> broken(SemanticRules.NO_TYPE_TABLE, "type", 0, untyped(each)));
        // Of a type without parameters: a deviation.
        parameterized(false)
                .forEach(
                        each ->
                                broken(
                                        SemanticRules.NO_EMPTY_TYPE_TABLE,
                                        "type",
                                        0,
                                        untyped(each)));
        broken(FormatRules.UNKNOWN_TYPE, "typeType", 1, with(UTF8, "type_type", 27));
        broken(FormatRules.UNKNOWN_TYPE, "typeType", 0, with(UTF8, "type_type", 255));
        for (int bits : new int[] {1, 7, 24, 128, -8}) {
            broken(SemanticRules.INT_WIDTH, "type.bitWidth", 4, integer("x", bits));
        }
        broken(SemanticRules.INT_WIDTH, "type.bitWidth", 0, typed(Type.INT, "Int"));
        FbsValue.Table precision = typed(Type.FLOATING_POINT, "FloatingPoint", "precision", 3);
        broken(SemanticRules.FLOAT_PRECISION, "type.precision", 2, precision);
        broken(SemanticRules.DECIMAL_WIDTH, "type.bitWidth", 4, decimal(16, 2), decimal(512, 2));
        int[][] most = {{32, 9}, {64, 18}, {128, 38}, {256, 76}};
        for (int[] each : most) {
            Rule rule = SemanticRules.DECIMAL_PRECISION;
            broken(rule, "type.precision", 4, decimal(each[0], each[1] + 1), decimal(each[0], -1));
            broken(rule, "type.precision", 0, decimal(each[0], 0));
        }
        broken(SemanticRules.DATE_UNIT, "type.unit", 2, typed(Type.DATE, "Date", "unit", 2));
        broken(SemanticRules.TIME_UNIT, "type.unit", 2, typed(Type.TIME, "Time", "unit", -1));
        broken(SemanticRules.TIME_WIDTH, "type.bitWidth", 4, time(0, 64), time(1, 64));
        broken(SemanticRules.TIME_WIDTH, "type.bitWidth", 0, time(2, 32), time(3, 32));
        FbsValue.Table timestamp = typed(Type.TIMESTAMP, "Timestamp", "unit", 4);
        broken(SemanticRules.TIMESTAMP_UNIT, "type.unit", 2, timestamp);
        FbsValue.Table duration = typed(Type.DURATION, "Duration", "unit", 4);
        broken(SemanticRules.DURATION_UNIT, "type.unit", 2, duration);
        FbsValue.Table interval = typed(Type.INTERVAL, "Interval", "unit", 3);
        broken(SemanticRules.INTERVAL_UNIT, "type.unit", 2, interval);
        broken(SemanticRules.BYTE_WIDTH, "type.byteWidth", 4, fixedSizeBinary(-1));
        broken(SemanticRules.LIST_SIZE, "type.listSize", 4, fixedSizeList(-1, INT8));
        FbsValue.Table mode = table("Union", "mode", 2, "typeIds", List.of(0));
        broken(SemanticRules.UNION_MODE, "type.mode", 2, with(union(List.of(0), 1), "type", mode));
    }

    private static FbsValue.Table untyped(TypeFacts type) {
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

    private static FbsValue.Table decimal(int bits, int precision) {
        return typed(Type.DECIMAL, "Decimal", "bitWidth", bits, "precision", precision);
    }

    private static FbsValue.Table time(int unit, int bits) {
        return typed(Type.TIME, "Time", "unit", unit, "bitWidth", bits);
    }

    private static FbsValue.Table fixedSizeBinary(int bytes) {
        return typed(Type.FIXED_SIZE_BINARY, "FixedSizeBinary", "byteWidth", bytes);
    }

    private static FbsValue.Table fixedSizeList(int size, FbsValue.Table... children) {
        FbsValue.Table type = table("FixedSizeList", "listSize", size);
        return field("list", Type.FIXED_SIZE_LIST, type, children);
    }

    @Test
    void parametersAtTheirLimitsAreAccepted() {
        right(integer("a", 8), integer("b", 16), integer("c", 32), integer("d", 64));
        right(decimal(32, 1), decimal(32, 9), decimal(64, 18), decimal(128, 38), decimal(256, 76));
        right(time(0, 32), time(1, 32), time(2, 64), time(3, 64));
        right(fixedSizeBinary(0), fixedSizeList(0, INT8));
        // Any number but 0 is true.
        right(
                typed(Type.INT, "Int", "bitWidth", 8, "is_signed", 2),
                field("map", Type.MAP, table("Map", "keysSorted", -1), ENTRIES));
    }

    @Test
    void batchesOfATypeWithoutItsEmptyTableAreChecked() {
        SemanticVerifier meaning = new SemanticVerifier();
        meaning.collect(_ -> {}, 10);
        Message message = bound(bytes(message(schema(with(UTF8, "type", null)), 0)));
        assertFalse(meaning.message(message));
        FbsValue.Table batch = Meant.batch(List.of(Meant.pair(2, 0)), List.of());
        assertFalse(meaning.message(bound(bytes(message(batch, 8)))));
        assertEquals(FormatRules.BUFFER_COUNT, meaning.fault().rule());
    }

    // ---- children

    private static final int[] LISTS = {
        Type.LIST, Type.LARGE_LIST, Type.LIST_VIEW, Type.LARGE_LIST_VIEW, Type.FIXED_SIZE_LIST
    };

    private static final String[] LIST_TABLES = {
        "List", "LargeList", "ListView", "LargeListView", "FixedSizeList"
    };

    static {
        FbsValue.Table leaf = with(UTF8, "children", List.of(INT8));
        broken(SemanticRules.LEAF_CHILDREN, "children", 4, leaf);
        for (int i = 0; i < LISTS.length; i++) {
            broken(SemanticRules.LIST_CHILDREN, "children", 4, list(i), list(i, INT8, INT8));
        }
        broken(SemanticRules.MAP_CHILDREN, "children", 4, map(), map(ENTRIES, INT8));
        Rule entries = SemanticRules.MAP_ENTRIES_TYPE;
        broken(entries, "children[0].typeType", 1, map(required(INT8)));
        broken(entries, "children[0].typeType", 0, map(encoded(ENTRIES, 1)));
        FbsValue.Table nullable = with(ENTRIES, "nullable", 1);
        broken(SemanticRules.MAP_ENTRIES_NULLABLE, "children[0].nullable", 1, map(nullable));
        FbsValue.Table one = map(required(struct(required(UTF8))));
        FbsValue.Table three = map(required(struct(required(UTF8), INT8, INT8)));
        broken(SemanticRules.MAP_ENTRIES_CHILDREN, "children[0].children", 4, one, three);
        String key = "children[0].children[0].nullable";
        broken(SemanticRules.MAP_KEY_NULLABLE, key, 1, map(required(struct(UTF8, INT32))));
        Rule count = SemanticRules.RUN_END_CHILDREN;
        broken(count, "children", 4, runs(RUN_ENDS), runs(RUN_ENDS, UTF8, UTF8));
        FbsValue.Table index = table("Int", "bitWidth", 32, "is_signed", 0);
        List.of(INT8, field("u", Type.INT, index), UTF8, encoded(RUN_ENDS, 1))
                .forEach(
                        each ->
                                broken(
                                        SemanticRules.RUN_ENDS_TYPE,
                                        "children[0].typeType",
                                        1,
                                        runs(required(each), UTF8)));
        FbsValue.Table ends = runs(integer("run_ends", 16), UTF8);
        broken(SemanticRules.RUN_ENDS_NULLABLE, "children[0].nullable", 1, ends);
        FbsValue.Table implicit = with(union(List.of(), 129), "type", table("Union"));
        broken(SemanticRules.UNION_CHILDREN, "children", 4, implicit);
        FbsValue.Table[] ids = {union(List.of(1, 2, 3), 2), union(List.of(), 2)};
        broken(SemanticRules.UNION_TYPE_IDS, "type.typeIds", 4, ids);
        for (int id : new int[] {-1, 128, 256, Integer.MIN_VALUE}) {
            Rule range = SemanticRules.UNION_TYPE_ID_RANGE;
            broken(range, "type.typeIds[1]", 4, union(List.of(0, id), 2));
        }
        for (int id : new int[] {0, 63, 64, 127}) {
            Rule repeated = SemanticRules.UNION_TYPE_ID_REPEATED;
            broken(repeated, "type.typeIds[2]", 4, union(List.of(id, 3, id), 3));
        }
    }

    private static FbsValue.Table list(int index, FbsValue.Table... children) {
        return field("list", LISTS[index], table(LIST_TABLES[index]), children);
    }

    private static FbsValue.Table map(FbsValue.Table... children) {
        return field("map", Type.MAP, table("Map"), children);
    }

    private static FbsValue.Table runs(FbsValue.Table... children) {
        return field("runs", Type.RUN_END_ENCODED, table("RunEndEncoded"), children);
    }

    private static FbsValue.Table union(List<Integer> ids, int children) {
        FbsValue.Table type = table("Union", "mode", 1, "typeIds", ids);
        FbsValue.Table[] all = Collections.nCopies(children, INT8).toArray(FbsValue.Table[]::new);
        return field("union", Type.UNION, type, all);
    }

    @Test
    void childrenThatFitTheirTypeAreAccepted() {
        for (int i = 0; i < LISTS.length; i++) {
            right(list(i, INT8));
        }
        right(map(ENTRIES), runs(RUN_ENDS, UTF8));
        for (int bits : new int[] {32, 64}) {
            right(runs(required(integer("x", bits)), UTF8));
        }
        List<Integer> ids = IntStream.range(0, 128).mapToObj(i -> 127 - i).toList();
        right(union(ids, 128), with(union(ids, 128), "type", table("Union")));
        right(union(List.of(5, 127), 2), union(List.of(), 0), union(List.of(0, 64), 2));
    }

    // ---- dictionaries

    private static FbsValue.Table encodedBy(Object... encoding) {
        return with(UTF8, "dictionary", table("DictionaryEncoding", encoding));
    }

    static {
        FbsValue.Table index = table("Int", "bitWidth", 12, "is_signed", 1);
        FbsValue.Table width = encodedBy("id", 3, "indexType", index);
        broken(SemanticRules.INDEX_WIDTH, "dictionary.indexType.bitWidth", 4, width);
        FbsValue.Table kind = encodedBy("id", 3, "dictionaryKind", 1);
        broken(SemanticRules.DICTIONARY_KIND, "dictionary.dictionaryKind", 2, kind);
    }

    @Test
    void absentIndexTypeIsAccepted() {
        right(encodedBy("id", 3));
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

    @Test
    void itemNamesOfListsDoNotMakeAnotherDictionaryType() {
        FbsValue.Table list = field("l", Type.LIST, table("List"), INT8);
        FbsValue.Table other = field("l", Type.LIST, table("List"), integer("element", 8));
        right(encoded(list, 7), encoded(other, 7));
    }
}
