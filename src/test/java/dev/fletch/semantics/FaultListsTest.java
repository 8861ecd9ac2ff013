// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.BodyLimitsTest.assertTold;
import static dev.fletch.semantics.Meant.INT32;
import static dev.fletch.semantics.Meant.INT8;
import static dev.fletch.semantics.Meant.UTF8;
import static dev.fletch.semantics.Meant.batch;
import static dev.fletch.semantics.Meant.bound;
import static dev.fletch.semantics.Meant.bytes;
import static dev.fletch.semantics.Meant.encoded;
import static dev.fletch.semantics.Meant.field;
import static dev.fletch.semantics.Meant.integer;
import static dev.fletch.semantics.Meant.message;
import static dev.fletch.semantics.Meant.pair;
import static dev.fletch.semantics.Meant.required;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.semantics.Meant.struct;
import static dev.fletch.semantics.Meant.table;
import static dev.fletch.semantics.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.format.Type;
import dev.fletch.layout.LayoutRules;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// What is told of a message in which nearly everything is wrong: no fault hides one that is behind
/// it, and each limit gives the first ones. The faults are listed here, in their order.
class FaultListsTest {
    private static final SemanticOptions ALL_RULES =
            SemanticOptions.STRICT.with(SemanticOptions.Check.LITTLE_ENDIAN, true);

    private static void assertFaults(
            SemanticOptions options, List<String> faults, FbsValue.Table... messages) {
        List<byte[]> all = Arrays.stream(messages).map(Meant::bytes).toList();
        assertTold(
                faults,
                () -> {
                    SemanticVerifier meaning = new SemanticVerifier(options);
                    for (byte[] each : all.subList(0, all.size() - 1)) {
                        assertTrue(meaning.message(bound(each)), meaning.fault()::toString);
                    }
                    return meaning;
                },
                meaning -> meaning.message(bound(all.getLast())));
    }

    // ---- schemas

    /// A column, and the faults that the rules of types and of children tell of it.
    private record Bad(FbsValue.Table column, String... faults) {}

    private static FbsValue.Table typed(int type, String table, Object... parameters) {
        return field("typed", type, table(table, parameters));
    }

    private static FbsValue.Table map(FbsValue.Table entries) {
        return field("map", Type.MAP, table("Map"), entries);
    }

    private static FbsValue.Table runs(FbsValue.Table... children) {
        return field("runs", Type.RUN_END_ENCODED, table("RunEndEncoded"), children);
    }

    private static FbsValue.Table union(int children, Object... parameters) {
        FbsValue.Table[] all = Collections.nCopies(children, INT8).toArray(FbsValue.Table[]::new);
        return field("union", Type.UNION, table("Union", parameters), all);
    }

    private static List<Bad> badTypes() {
        return List.of(
                new Bad(table("Field"), "no-type typeType"),
                new Bad(with(UTF8, "type_type", 100), "unknown-type typeType"),
                new Bad(with(INT8, "type", null), "no-type-table type"),
                new Bad(integer("int", 7), "int-width type.bitWidth"),
                new Bad(
                        typed(Type.FLOATING_POINT, "FloatingPoint", "precision", 9),
                        "float-precision type.precision"),
                new Bad(
                        typed(Type.DECIMAL, "Decimal", "precision", 0, "bitWidth", 100),
                        "decimal-width type.bitWidth"),
                new Bad(
                        typed(Type.DECIMAL, "Decimal", "precision", 99),
                        "decimal-precision type.precision"),
                new Bad(typed(Type.DATE, "Date", "unit", 9), "date-unit type.unit"),
                new Bad(typed(Type.TIME, "Time", "unit", 9), "time-unit type.unit"),
                new Bad(typed(Type.TIME, "Time", "bitWidth", 31), "time-width type.bitWidth"),
                new Bad(typed(Type.TIMESTAMP, "Timestamp", "unit", 9), "timestamp-unit type.unit"),
                new Bad(typed(Type.INTERVAL, "Interval", "unit", 9), "interval-unit type.unit"),
                new Bad(typed(Type.DURATION, "Duration", "unit", 9), "duration-unit type.unit"),
                new Bad(
                        typed(Type.FIXED_SIZE_BINARY, "FixedSizeBinary", "byteWidth", -1),
                        "byte-width type.byteWidth"),
                new Bad(
                        typed(Type.FIXED_SIZE_LIST, "FixedSizeList", "listSize", -1),
                        "list-size type.listSize",
                        "list-children children"),
                new Bad(union(0, "mode", 9), "union-mode type.mode"));
    }

    private static List<Bad> badChildren() {
        FbsValue.Table utf8 = required(UTF8);
        FbsValue.Table nullable = with(struct(utf8, INT8), "nullable", 1);
        return List.of(
                new Bad(with(UTF8, "children", List.of(INT8)), "leaf-children children"),
                new Bad(field("list", Type.LIST, table("List")), "list-children children"),
                new Bad(field("map", Type.MAP, table("Map")), "map-children children"),
                new Bad(map(INT8), "map-entries-type children[0].typeType"),
                new Bad(map(nullable), "map-entries-nullable children[0].nullable"),
                new Bad(map(required(struct(utf8))), "map-entries-children children[0].children"),
                new Bad(
                        map(required(struct(UTF8, INT8))),
                        "map-key-nullable children[0].children[0].nullable"),
                new Bad(runs(INT8), "run-end-children children"),
                new Bad(
                        runs(INT8, INT8),
                        "run-ends-type children[0].typeType",
                        "run-ends-nullable children[0].nullable"),
                new Bad(union(129), "union-children children"),
                new Bad(union(2, "typeIds", List.of(1)), "union-type-ids type.typeIds"),
                new Bad(
                        union(5, "typeIds", List.of(-1, 128, 4, 4, 4)),
                        "union-type-id-range type.typeIds[0]",
                        "union-type-id-range type.typeIds[1]",
                        "union-type-id-repeated type.typeIds[3]",
                        "union-type-id-repeated type.typeIds[4]"));
    }

    private static List<Bad> badDictionaries() {
        FbsValue.Table index = table("Int", "bitWidth", 7);
        FbsValue.Table encoding =
                table("DictionaryEncoding", "id", 4, "dictionaryKind", 1, "indexType", index);
        return List.of(
                new Bad(
                        with(UTF8, "dictionary", encoding),
                        "dictionary-kind dictionary.dictionaryKind",
                        "index-width dictionary.indexType.bitWidth"),
                new Bad(encoded(INT8, 4), "dictionary-type dictionary.id"));
    }

    /// Each column has a pair without key and value besides, which comes last. Types of dictionaries
    /// are compared after all fields.
    @Test
    void allFaultsOfASchemaAreReportedInOrder() {
        List<FbsValue.Table> pair = List.of(table("KeyValue"));
        List<Bad> bad = new ArrayList<>(badTypes());
        bad.addAll(badChildren());
        bad.addAll(badDictionaries());
        List<String> faults = new ArrayList<>();
        faults.add("foreign-endianness header.schema.endianness");
        faults.add("unknown-feature header.schema.features[0]");
        faults.add("unknown-feature header.schema.features[2]");
        faults.add("no-key header.schema.customMetadata[0].key");
        faults.add("no-value header.schema.customMetadata[0].value");
        List<String> types = new ArrayList<>();
        for (int i = 0; i < bad.size(); i++) {
            String column = "header.schema.fields[" + i + "].";
            for (String each : bad.get(i).faults()) {
                boolean isLast = each.startsWith("dictionary-type ");
                (isLast ? types : faults).add(each.replace(" ", " " + column));
            }
            faults.add("no-key " + column + "customMetadata[0].key");
            faults.add("no-value " + column + "customMetadata[0].value");
        }
        faults.addAll(types);
        FbsValue.Table[] columns =
                bad.stream()
                        .map(each -> with(each.column(), "custom_metadata", pair))
                        .toArray(FbsValue.Table[]::new);
        FbsValue.Table schema =
                with(
                        schema(columns),
                        "endianness",
                        1,
                        "features",
                        List.of(9, 1, 8),
                        "custom_metadata",
                        pair);
        assertFaults(ALL_RULES, faults, message(schema, 0));
    }

    /// Of children that are too deep the first is told, and those of other fields are, too.
    @Test
    void eachParentOfTooDeepChildrenHasOneFault() {
        SemanticOptions three =
                SemanticOptions.STRICT.withLimits(Limits.DEFAULT.withDepth(3).withFields(100));
        FbsValue.Table deep = struct(struct(INT8, INT8), struct(INT8), INT8);
        String path = "schema-too-deep header.schema.fields[1].children[0].children";
        assertFaults(
                three,
                List.of(
                        path + "[0].children[0]",
                        path + "[1].children[0]",
                        "int-width header.schema.fields[1].children[1].type.bitWidth",
                        "int-width header.schema.fields[2].type.bitWidth"),
                message(schema(INT8, struct(deep, integer("x", 7)), integer("y", 7)), 0));
    }

    @Test
    void firstFieldOverTheLimitIsReported() {
        SemanticOptions three =
                SemanticOptions.STRICT.withLimits(Limits.DEFAULT.withDepth(9).withFields(3));
        Meant.right(three, message(schema(INT8, struct(INT8)), 0));
        Meant.caught(
                three,
                LayoutRules.TOO_MANY_FIELDS,
                "header.schema.fields[1].children[1]",
                message(schema(INT8, struct(INT8, INT8)), 0));
    }

    @Test
    void fieldsOfDictionaryValuesCountOnceTowardsTheLimit() {
        byte[] bytes = bytes(message(schema(encoded(struct(INT8), 4)), 0));
        SemanticOptions two =
                SemanticOptions.STRICT.withLimits(Limits.DEFAULT.withDepth(9).withFields(2));
        assertTrue(new SemanticVerifier(two).message(bound(bytes)));
        SemanticOptions one =
                SemanticOptions.STRICT.withLimits(Limits.DEFAULT.withDepth(9).withFields(1));
        SemanticVerifier meaning = new SemanticVerifier(one);
        assertFalse(meaning.message(bound(bytes)));
        assertEquals(LayoutRules.TOO_MANY_FIELDS, meaning.fault().rule());
    }

    // ---- batches

    private static final String BUFFERS = " header.recordBatch.buffers";
    private static final String NODES = " header.recordBatch.nodes";

    @Test
    void allFaultsOfBuffersAreReportedInOrder() {
        List<long[]> buffers =
                List.of(
                        pair(0, -1),
                        pair(-8, 12),
                        pair(16, Long.MAX_VALUE),
                        pair(64, 12),
                        pair(1, 1),
                        pair(0, 11));
        FbsValue.Table bad = batch(Collections.nCopies(3, pair(3, 1)), buffers);
        assertFaults(
                SemanticOptions.STRICT,
                List.of(
                        "negative-buffer-length" + BUFFERS + "[0].length",
                        "negative-buffer-offset" + BUFFERS + "[1].offset",
                        "buffer-overflow" + BUFFERS + "[2].length",
                        "buffer-out-of-body" + BUFFERS + "[3].length",
                        "buffer-unaligned" + BUFFERS + "[4].offset",
                        "buffer-order" + BUFFERS + "[5].offset",
                        "data-size" + BUFFERS + "[5].length"),
                message(schema(INT32, INT32, INT32), 0),
                message(bad, 64));
    }

    /// The second fault of the first batch is over the limit, and has two numbers.
    @Test
    void numbersOfAnUnreportedFaultDoNotAppearInLaterFaults() {
        List<long[]> nodes = List.of(pair(3, 0), pair(3, 0));
        List<long[]> small = List.of(pair(0, 0), pair(0, 8), pair(0, 0), pair(8, 8));
        List<long[]> empty = Collections.nCopies(4, pair(0, 0));
        SemanticVerifier meaning = new SemanticVerifier(SemanticOptions.STRICT);
        List<String> details = new ArrayList<>();
        meaning.collect(fault -> details.add(fault.rule() + " " + fault.details()), 1);
        assertTrue(meaning.message(bound(bytes(message(schema(INT32, INT32), 0)))));
        assertFalse(meaning.message(bound(bytes(message(batch(nodes, small), 16)))));
        assertEquals(2, meaning.faultCount());
        List<long[]> negative = List.of(pair(-1, 0), pair(3, 0));
        assertFalse(meaning.message(bound(bytes(message(batch(negative, empty), 0)))));
        assertEquals(List.of("data-size value=8, needed=12", "negative-length value=-1"), details);
    }

    /// Sizes are not asked for where there are no values, nor where they cannot be told; what is
    /// behind such a buffer is looked at all the same.
    @Test
    void buffersAfterOnesWithoutACheckedSizeAreChecked() {
        FbsValue.Table list = field("list", Type.LIST, table("List"), INT32);
        List<long[]> nodes = List.of(pair(3, 0), pair(0, 0), pair(3, 0));
        List<long[]> buffers =
                List.of(pair(0, 0), pair(0, 16), pair(0, 0), pair(16, 0), pair(16, 0), pair(16, 9));
        FbsValue.Table schema = message(schema(list, INT32), 0);
        String last = "data-size" + BUFFERS + "[5].length";
        assertFaults(
                SemanticOptions.STRICT, List.of(last), schema, message(batch(nodes, buffers), 32));
        List<long[]> unaligned = new ArrayList<>(buffers);
        unaligned.set(5, pair(17, 9));
        FbsValue.Table compressed =
                with(batch(nodes, unaligned), "compression", table("BodyCompression"));
        last = "buffer-unaligned" + BUFFERS + "[5].offset";
        assertFaults(SemanticOptions.STRICT, List.of(last), schema, message(compressed, 32));
    }

    /// What Arrow C++ lets through: buffers that no field has. They are looked at, too.
    @Test
    void buffersOfNoFieldAreChecked() {
        List<long[]> buffers =
                List.of(pair(0, 1), pair(8, -1), pair(12, 0), pair(-8, 1), pair(0, 8), pair(4, 1));
        FbsValue.Table bad = batch(List.of(pair(3, 1), pair(2, -1), pair(-1, 0)), buffers);
        assertFaults(
                SemanticOptions.ARROW_CPP,
                List.of(
                        "null-count-range" + NODES + "[1].nullCount",
                        "negative-length" + NODES + "[2].length",
                        "negative-buffer-length" + BUFFERS + "[1].length",
                        "negative-buffer-offset" + BUFFERS + "[3].offset",
                        "buffer-unaligned" + BUFFERS + "[5].offset"),
                message(schema(INT32), 0),
                message(bad, 64));
    }

    private static List<String> columns(FbsValue.Table schema, FbsValue.Table batch) {
        SemanticVerifier meaning = new SemanticVerifier(SemanticOptions.ARROW_CPP);
        assertTrue(meaning.message(bound(bytes(message(schema, 0)))));
        List<String> columns = new ArrayList<>();
        meaning.collect(fault -> columns.add(fault.rule() + " " + fault.column()), 100);
        assertFalse(meaning.message(bound(bytes(message(batch, 64)))));
        return columns;
    }

    /// Nodes and buffers that belong to a field tell its column, and no others do.
    @Test
    void faultsOfNodesAndBuffersNameTheirColumn() {
        List<long[]> nodes = List.of(pair(3, 4), pair(3, 0), pair(4, -1), pair(4, 5), pair(-1, 0));
        List<long[]> buffers =
                List.of(pair(-8, 1), pair(0, 0), pair(0, -1), pair(0, 0), pair(0, 65), pair(0, -1));
        assertEquals(
                List.of(
                        "null-count-range int8",
                        "null-count-range struct.int32",
                        "null-count-range null",
                        "negative-length null",
                        "negative-buffer-offset int8",
                        "negative-buffer-length struct",
                        "buffer-out-of-body struct.int32",
                        "negative-buffer-length null"),
                columns(schema(INT8, struct(INT32)), batch(nodes, buffers)));
    }

    /// Without a schema there is nothing to hold nodes and buffers against but themselves.
    @Test
    void batchWithoutASchemaIsCheckedByItsOwnNumbers() {
        FbsValue.Table bad =
                batch(
                        List.of(pair(3, 4), pair(-1, 0), pair(2, 3)),
                        List.of(pair(0, 0), pair(0, -1), pair(8, 0), pair(-8, 0), pair(4, 1)));
        assertFaults(
                SemanticOptions.STRICT,
                List.of(
                        "header-kind headerType",
                        "null-count-range" + NODES + "[0].nullCount",
                        "negative-length" + NODES + "[1].length",
                        "null-count-range" + NODES + "[2].nullCount",
                        "negative-buffer-length" + BUFFERS + "[1].length",
                        "negative-buffer-offset" + BUFFERS + "[3].offset",
                        "buffer-unaligned" + BUFFERS + "[4].offset"),
                message(bad, 64));
    }

    @Test
    void undefinedDictionariesOfAStreamAreReported() {
        List<long[]> nodes = List.of(pair(3, 0), pair(3, 3), pair(3, 1));
        List<long[]> buffers =
                List.of(pair(0, 0), pair(0, 3), pair(0, 1), pair(0, 3), pair(0, 1), pair(0, -1));
        assertFaults(
                SemanticOptions.DEFAULT,
                List.of(
                        "dictionary-undefined" + NODES + "[0]",
                        "dictionary-undefined" + NODES + "[2]",
                        "negative-buffer-length" + BUFFERS + "[5].length"),
                message(schema(encoded(UTF8, 1), encoded(UTF8, 2), encoded(UTF8, 3)), 0),
                message(batch(nodes, buffers), 64));
    }
}
