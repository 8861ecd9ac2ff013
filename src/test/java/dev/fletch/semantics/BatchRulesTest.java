// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.Meant.INT32;
import static dev.fletch.semantics.Meant.INT8;
import static dev.fletch.semantics.Meant.VIEW;
import static dev.fletch.semantics.Meant.batch;
import static dev.fletch.semantics.Meant.bound;
import static dev.fletch.semantics.Meant.bytes;
import static dev.fletch.semantics.Meant.field;
import static dev.fletch.semantics.Meant.integer;
import static dev.fletch.semantics.Meant.message;
import static dev.fletch.semantics.Meant.pair;
import static dev.fletch.semantics.Meant.required;
import static dev.fletch.semantics.Meant.right;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.semantics.Meant.struct;
import static dev.fletch.semantics.Meant.table;
import static dev.fletch.semantics.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Type;
import dev.fletch.semantics.Meant.Caught;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// One test for each rule of batches, their nodes and their buffers, named as the rule's code.
class BatchRulesTest {
    private static final int BODY = 64;
    private static final int V4_VALUE = 3;
    static final List<long[]> NODE = List.of(pair(3, 1));
    private static final List<long[]> BUFFERS = List.of(pair(0, 1), pair(8, 12));
    // Batches that break another rule need no buffers of the right size.
    private static final SemanticOptions ANY_SIZE =
            SemanticOptions.DEFAULT.with(SemanticOptions.Check.BUFFER_SIZES, false);

    static Caught caught(
            SemanticOptions options,
            Rule code,
            String path,
            FbsValue.Table schema,
            FbsValue.Table batch) {
        return Meant.caught(
                options,
                code,
                "header.recordBatch." + path,
                message(schema, 0),
                message(batch, BODY));
    }

    private static Caught caught(
            Rule code, String path, FbsValue.Table schema, FbsValue.Table batch) {
        return caught(ANY_SIZE, code, path, schema, batch);
    }

    /// With the one column of int32.
    private static Caught caught(Rule code, String path, FbsValue.Table batch) {
        return caught(code, path, schema(INT32), batch);
    }

    static void passes(FbsValue.Table schema, FbsValue.Table batch) {
        right(message(schema, 0), message(batch, BODY));
    }

    static void tolerated(FbsValue.Table schema, FbsValue.Table batch) {
        right(SemanticOptions.ARROW_CPP, message(schema, 0), message(batch, BODY));
    }

    // ---- batches

    @Test
    void negativeRows() {
        passes(schema(INT32), batch(NODE, BUFFERS));
        FbsValue.Table none =
                table("RecordBatch", "length", -3, "nodes", List.of(), "buffers", List.of());
        caught(FormatRules.NEGATIVE_ROWS, "length", schema(), none).at(8);
    }

    static FbsValue.Table compressed(int codec, int method, List<long[]> buffers) {
        FbsValue.Table how = table("BodyCompression", "codec", codec, "method", method);
        return with(batch(NODE, buffers), "compression", how);
    }

    private static final List<long[]> PREFIXED = List.of(pair(0, 9), pair(16, 20));

    @Test
    void unknownCodec() {
        passes(schema(INT32), compressed(1, 0, PREFIXED));
        caught(SemanticRules.UNKNOWN_CODEC, "compression.codec", compressed(2, 0, PREFIXED)).at(1);
    }

    @Test
    void unknownCodecName() {
        FbsValue.Table batch = message(batch(NODE, PREFIXED), BODY);
        for (String name : new String[] {"lz4", "ZSTD", "lzo"}) {
            FbsValue.Table pair = table("KeyValue", "key", BatchCodec.KEY, "value", name);
            FbsValue.Table named =
                    with(batch, "version", V4_VALUE, "custom_metadata", List.of(pair));
            if (!name.equals("lzo")) {
                Meant.right(SemanticOptions.DEFAULT, message(schema(INT32), 0), named);
                continue;
            }
            Meant.caught(
                    FormatRules.UNKNOWN_CODEC_NAME,
                    "customMetadata[0].value",
                    message(schema(INT32), 0),
                    named);
            Meant.right(
                    SemanticOptions.DEFAULT,
                    message(schema(INT32), 0),
                    with(batch, "custom_metadata", List.of(pair)));
        }
    }

    @Test
    void unknownMethod() {
        caught(SemanticRules.UNKNOWN_METHOD, "compression.method", compressed(0, 1, PREFIXED))
                .at(1);
    }

    @Test
    void nodeCount() {
        FbsValue.Table more = batch(List.of(pair(3, 1), pair(3, 0)), BUFFERS);
        caught(FormatRules.NODE_COUNT, "nodes", more).at(4);
        tolerated(schema(INT32), more);
        for (SemanticOptions each : List.of(SemanticOptions.DEFAULT, SemanticOptions.ARROW_CPP)) {
            FbsValue.Table less = batch(List.of(), BUFFERS);
            caught(each, FormatRules.NODE_COUNT, "nodes", schema(INT32), less).at(4);
        }
    }

    @Test
    void bufferCount() {
        FbsValue.Table more = batch(NODE, List.of(pair(0, 1), pair(8, 12), pair(24, 0)));
        caught(FormatRules.BUFFER_COUNT, "buffers", more).at(4);
        tolerated(schema(INT32), more);
        caught(FormatRules.BUFFER_COUNT, "buffers", batch(NODE, List.of(pair(0, 1)))).at(4);
        FbsValue.Table none = with(batch(NODE, BUFFERS), "buffers", null);
        caught(FormatRules.BUFFER_COUNT, "buffers", none);
    }

    private static FbsValue.Table views(Object counts, int buffers) {
        List<long[]> all = List.of(pair(0, 1), pair(8, 48), pair(56, 4), pair(56, 0));
        return with(batch(NODE, all.subList(0, buffers)), "variadicBufferCounts", counts);
    }

    @Test
    void variadicCounts() {
        passes(schema(VIEW), views(List.of(0), 2));
        passes(schema(VIEW), views(List.of(2), 4));
        String path = "variadicBufferCounts";
        caught(FormatRules.VARIADIC_COUNTS, path, schema(VIEW), views(List.of(0, 0), 2)).at(4);
        caught(FormatRules.VARIADIC_COUNTS, path, schema(VIEW), views(List.of(), 2)).at(4);
        caught(FormatRules.VARIADIC_COUNTS, path, schema(VIEW), views(null, 2));
        tolerated(schema(VIEW), views(List.of(0, 0), 2));
    }

    @Test
    void variadicCountRange() {
        String path = "variadicBufferCounts[0]";
        for (long count : new long[] {-1, 5, Long.MAX_VALUE, Long.MIN_VALUE}) {
            FbsValue.Table batch = views(List.of(count), 4);
            caught(FormatRules.VARIADIC_COUNT_RANGE, path, schema(VIEW), batch).at(8);
        }
        caught(FormatRules.BUFFER_COUNT, "buffers", schema(VIEW), views(List.of(1), 4)).at(4);
        caught(FormatRules.BUFFER_COUNT, "buffers", schema(VIEW), views(List.of(4), 4)).at(4);
        FbsValue.Table two =
                with(views(List.of(3, 2), 4), "nodes", List.of(pair(3, 1), pair(3, 1)));
        path = "variadicBufferCounts[1]";
        caught(FormatRules.VARIADIC_COUNT_RANGE, path, schema(VIEW, VIEW), two).at(8);
    }

    // ---- nodes

    private static FbsValue.Table node(long length, long nulls) {
        return batch(List.of(pair(length, nulls)), BUFFERS);
    }

    @Test
    void negativeLength() {
        caught(FormatRules.NEGATIVE_LENGTH, "nodes[0].length", node(-3, 0)).at(8);
    }

    @Test
    void nullCountRange() {
        for (long nulls : new long[] {-1, 4, Long.MAX_VALUE}) {
            caught(FormatRules.NULL_COUNT_RANGE, "nodes[0].nullCount", node(3, nulls)).at(8);
        }
        passes(schema(INT32), node(3, 3));
        FbsValue.Table none = with(node(0, 1), "length", 0);
        caught(FormatRules.NULL_COUNT_RANGE, "nodes[0].nullCount", none).at(8);
    }

    /// In a column of type Null only: readers count the nulls of other columns, or believe that
    /// there are none.
    @Test
    void nullCountUnknown() {
        FbsValue.Table nulls = schema(field("n", Type.NULL, table("Null")));
        FbsValue.Table unknown = batch(List.of(pair(3, -1)), List.of());
        caught(SemanticRules.NULL_COUNT_UNKNOWN, "nodes[0].nullCount", nulls, unknown).at(8);
        FbsValue.Table less = batch(List.of(pair(3, -2)), List.of());
        caught(FormatRules.NULL_COUNT_RANGE, "nodes[0].nullCount", nulls, less).at(8);
    }

    /// Unions of both modes and run-end encoded fields, since V5; also in the values of a
    /// dictionary.
    @Test
    void nullCountWithoutValidity() {
        Rule rule = SemanticRules.NULL_COUNT_WITHOUT_VALIDITY;
        for (int mode : new int[] {0, 1}) {
            FbsValue.Table union = field("u", Type.UNION, table("Union", "mode", mode), INT8);
            List<long[]> buffers = List.of(pair(0, 3), pair(8, 12), pair(24, 1), pair(32, 3));
            List<long[]> own =
                    mode == 1 ? buffers : List.of(buffers.get(0), buffers.get(2), buffers.get(3));
            FbsValue.Table right = batch(List.of(pair(3, 0), pair(3, 2)), own);
            passes(schema(union), right);
            FbsValue.Table wrong = with(right, "nodes", List.of(pair(3, 2), pair(3, 2)));
            caught(rule, "nodes[0].nullCount", schema(union), wrong).at(8);
            for (long nulls : new long[] {4, -1}) {
                FbsValue.Table odd = with(right, "nodes", List.of(pair(3, nulls), pair(3, 2)));
                Rule range = FormatRules.NULL_COUNT_RANGE;
                caught(range, "nodes[0].nullCount", schema(union), odd).at(8);
            }
            // Unions of V4 have a validity buffer.
            List<long[]> old = new ArrayList<>(List.of(pair(0, 1)));
            long[][] moved = {pair(8, 3), pair(16, 12), pair(32, 1), pair(40, 3)};
            for (int i = 0; i < moved.length; i++) {
                if (mode == 1 || i != 1) {
                    old.add(moved[i]);
                }
            }
            right(
                    with(message(schema(union), 0), "version", 3),
                    with(message(with(wrong, "buffers", old), BODY), "version", 3));
            FbsValue.Table dictionary =
                    table("DictionaryBatch", "id", 7, "data", wrong, "isDelta", 0);
            Caught inside =
                    Meant.caught(
                            ANY_SIZE,
                            rule,
                            "header.dictionaryBatch.data.nodes[0].nullCount",
                            message(schema(Meant.encoded(union, 7)), 0),
                            message(dictionary, BODY));
            assertEquals(2, inside.value());
        }
        FbsValue.Table runs =
                with(runs(1, 0, 1), "nodes", List.of(pair(3, 1), pair(1, 0), pair(1, 1)));
        caught(rule, "nodes[0].nullCount", RUNS, runs).at(8);
        // Indices of a dictionary have a validity buffer, whatever its values are.
        FbsValue.Table indices = batch(List.of(pair(3, 3)), List.of(pair(0, 1), pair(8, 3)));
        FbsValue.Table union = field("u", Type.UNION, table("Union"), INT8);
        passes(schema(Meant.encoded(union, 7)), indices);
    }

    @Test
    void columnLength() {
        caught(FormatRules.COLUMN_LENGTH, "nodes[0].length", node(2, 0)).at(8);
        caught(FormatRules.COLUMN_LENGTH, "nodes[0].length", node(4, 0)).at(8);
    }

    static FbsValue.Table nested(long children, long[]... buffers) {
        return batch(List.of(pair(3, 0), pair(children, 0)), List.of(buffers));
    }

    private static final long[][] STRUCT_BUFFERS = {pair(0, 0), pair(0, 0), pair(0, 4)};
    private static final long[][] UNION_BUFFERS = {pair(0, 3), pair(8, 0), pair(8, 3)};
    private static final String CHILD = "nodes[1].length";

    private static FbsValue.Table sparse() {
        return schema(field("u", Type.UNION, table("Union", "typeIds", List.of(4)), INT8));
    }

    @Test
    void childLength() {
        FbsValue.Table schema = schema(struct(INT8));
        passes(schema, nested(3, STRUCT_BUFFERS));
        FbsValue.Table shorter = nested(2, STRUCT_BUFFERS);
        caught(SemanticRules.CHILD_LENGTH, CHILD, schema, shorter).at(8);
        SemanticOptions cpp = SemanticOptions.ARROW_CPP;
        caught(cpp, SemanticRules.CHILD_LENGTH, CHILD, schema, shorter).at(8);
    }

    @Test
    void childShorter() {
        FbsValue.Table schema = schema(struct(INT8));
        for (long nulls : new long[] {1, 2, 3}) {
            for (long length = 0; length < 3; length++) {
                FbsValue.Table batch =
                        batch(List.of(pair(3, nulls), pair(length, 0)), List.of(STRUCT_BUFFERS));
                Rule rule =
                        length < 3 - nulls
                                ? SemanticRules.CHILD_LENGTH
                                : SemanticRules.CHILD_SHORTER;
                caught(rule, CHILD, schema, batch).at(8);
            }
        }
    }

    @Test
    void childLonger() {
        FbsValue.Table schema = schema(struct(INT8));
        caught(SemanticRules.CHILD_LONGER, CHILD, schema, nested(4, STRUCT_BUFFERS)).at(8);
        tolerated(schema, nested(4, STRUCT_BUFFERS));
        caught(SemanticRules.CHILD_LONGER, CHILD, sparse(), nested(4, UNION_BUFFERS)).at(8);
        tolerated(sparse(), nested(4, UNION_BUFFERS));
    }

    @Test
    void unionChildShorter() {
        passes(sparse(), nested(3, UNION_BUFFERS));
        FbsValue.Table shorter = nested(2, UNION_BUFFERS);
        caught(SemanticRules.UNION_CHILD_SHORTER, CHILD, sparse(), shorter).at(8);
        FbsValue.Table dense =
                schema(
                        field(
                                "u",
                                Type.UNION,
                                table("Union", "mode", 1, "typeIds", List.of(4)),
                                INT8));
        passes(dense, nested(2, pair(0, 3), pair(8, 12), pair(24, 0), pair(24, 2)));
    }

    @Test
    void listChildLength() {
        FbsValue.Table type = table("FixedSizeList", "listSize", 5);
        FbsValue.Table schema = schema(field("l", Type.FIXED_SIZE_LIST, type, INT8));
        long[][] buffers = {pair(0, 0), pair(0, 0), pair(0, 16)};
        passes(schema, nested(15, buffers));
        passes(schema, nested(16, buffers));
        caught(SemanticRules.LIST_CHILD_LENGTH, "nodes[1].length", schema, nested(14, buffers))
                .at(8);
    }

    @Test
    void listChildShorter() {
        FbsValue.Table type = table("FixedSizeList", "listSize", 5);
        FbsValue.Table schema = schema(field("l", Type.FIXED_SIZE_LIST, type, INT8));
        long[][] buffers = {pair(0, 0), pair(0, 0), pair(0, 16)};
        for (long length : new long[] {9, 10, 14}) {
            FbsValue.Table batch = batch(List.of(pair(3, 1), pair(length, 0)), List.of(buffers));
            Rule rule =
                    length < 10
                            ? SemanticRules.LIST_CHILD_LENGTH
                            : SemanticRules.LIST_CHILD_SHORTER;
            caught(rule, CHILD, schema, batch).at(8);
        }
    }

    private static final FbsValue.Table RUNS =
            schema(
                    field(
                            "runs",
                            Type.RUN_END_ENCODED,
                            table("RunEndEncoded"),
                            required(integer("run_ends", 16)),
                            INT8));

    private static FbsValue.Table runs(long runEnds, long nulls, long values) {
        return batch(
                List.of(pair(3, 0), pair(runEnds, nulls), pair(values, 0)),
                List.of(pair(0, 1), pair(8, 8), pair(16, 0), pair(16, 4)));
    }

    @Test
    void runCount() {
        passes(RUNS, runs(1, 0, 1));
        passes(RUNS, runs(3, 0, 3));
        FbsValue.Table none = runs(0, 0, 0);
        List<long[]> nodes = List.of(pair(0, 0), pair(0, 0), pair(0, 0));
        passes(RUNS, with(none, "nodes", nodes, "length", 0));
        caught(SemanticRules.RUN_COUNT, "nodes[1].length", RUNS, runs(0, 0, 0)).at(8);
        caught(SemanticRules.RUN_COUNT, "nodes[2].length", RUNS, runs(2, 0, 1)).at(8);
    }

    @Test
    void runChildLonger() {
        Rule rule = SemanticRules.RUN_CHILD_LONGER;
        caught(rule, "nodes[1].length", RUNS, runs(4, 0, 4)).at(8);
        caught(rule, "nodes[2].length", RUNS, runs(2, 0, 3)).at(8);
        FbsValue.Table none = runs(0, 0, 2);
        List<long[]> nodes = List.of(pair(0, 0), pair(0, 0), pair(2, 0));
        caught(rule, "nodes[2].length", RUNS, with(none, "nodes", nodes, "length", 0)).at(8);
        tolerated(RUNS, runs(4, 0, 4));
        tolerated(RUNS, runs(2, 0, 3));
    }

    @Test
    void runEndNulls() {
        caught(SemanticRules.RUN_END_NULLS, "nodes[1].nullCount", RUNS, runs(2, 1, 2)).at(8);
    }

    // ---- buffers

    static FbsValue.Table data(long offset, long length) {
        return batch(NODE, List.of(pair(0, 1), pair(offset, length)));
    }

    @Test
    void negativeBufferOffset() {
        caught(FormatRules.NEGATIVE_BUFFER_OFFSET, "buffers[1].offset", data(-8, 12)).at(8);
        caught(FormatRules.NEGATIVE_BUFFER_OFFSET, "buffers[1].offset", data(-8, 0)).at(8);
        tolerated(schema(INT32), data(-8, 0));
    }

    @Test
    void negativeBufferLength() {
        caught(FormatRules.NEGATIVE_BUFFER_LENGTH, "buffers[1].length", data(8, -1)).at(8);
    }

    @Test
    void bufferOverflow() {
        FbsValue.Table batch = data(16, Long.MAX_VALUE - 15);
        caught(FormatRules.BUFFER_OVERFLOW, "buffers[1].length", batch).at(8);
    }

    @Test
    void bufferOutOfBody() {
        String path = "buffers[1].length";
        passes(schema(INT32), data(BODY - 16, 16));
        assertEquals(
                BODY + 1,
                caught(FormatRules.BUFFER_OUT_OF_BODY, path, data(BODY - 16, 17)).value());
        caught(FormatRules.BUFFER_OUT_OF_BODY, path, data(16, Long.MAX_VALUE - 16));
        caught(FormatRules.BUFFER_OUT_OF_BODY, path, data(BODY + 8, 0));
        Meant.caught(
                ANY_SIZE,
                FormatRules.BUFFER_OUT_OF_BODY,
                "header.recordBatch.buffers[0].length",
                message(schema(INT8), 0),
                message(batch(NODE, List.of(pair(0, 1), pair(0, 0))), 0));
        right(ANY_SIZE, message(schema(INT32), 0), message(data(BODY, 0), BODY));
        tolerated(schema(INT32), data(BODY + 8, 0));
    }

    @Test
    void bufferUnaligned() {
        caught(FormatRules.BUFFER_UNALIGNED, "buffers[1].offset", data(12, 12)).at(8);
        caught(FormatRules.BUFFER_UNALIGNED, "buffers[1].offset", data(12, 0)).at(8);
        tolerated(schema(INT32), data(12, 0));
    }

    static Caught strict(Rule code, String path, FbsValue.Table schema, FbsValue.Table batch) {
        right(SemanticOptions.DEFAULT, message(schema, 0), message(batch, BODY));
        return caught(SemanticOptions.STRICT, code, path, schema, batch);
    }

    @Test
    void bufferOrder() {
        FbsValue.Table overlapping = batch(NODE, List.of(pair(0, 16), pair(8, 12)));
        FbsValue.Table descending = batch(NODE, List.of(pair(16, 1), pair(0, 12)));
        String path = "buffers[1].offset";
        strict(SemanticRules.BUFFER_ORDER, path, schema(INT32), overlapping).at(8);
        strict(SemanticRules.BUFFER_ORDER, path, schema(INT32), descending);
    }

    @Test
    void compressedTooShort() {
        for (int length : new int[] {1, 7}) {
            FbsValue.Table batch = compressed(0, 0, List.of(pair(0, 9), pair(16, length)));
            caught(FormatRules.COMPRESSED_TOO_SHORT, "buffers[1].length", batch).at(8);
        }
        right(
                ANY_SIZE,
                message(schema(INT32), 0),
                message(compressed(0, 0, List.of(pair(0, 0), pair(16, 8))), BODY));
    }

    /// The prefix of the data buffer, which is in the body alone.
    static SemanticVerifier withPrefix(SemanticOptions options, long claim) {
        SemanticVerifier meaning = new SemanticVerifier(options);
        assertTrue(meaning.message(bound(bytes(message(schema(INT32), 0)))));
        MemorySegment memory = MemorySegment.ofArray(new byte[8 + BODY]);
        ValueLayout.OfLong layout =
                ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
        memory.set(layout, 8, 1);
        memory.set(layout, 8 + 16, claim);
        byte[] bytes = bytes(message(compressed(0, 0, PREFIXED), BODY));
        assertEquals(!meaning.fault().isPresent(), meaning.faultCount() == 0);
        assertEquals(meaning.message(bound(bytes), memory, 8), !meaning.fault().isPresent());
        return meaning;
    }

    @Test
    void uncompressedLength() {
        for (long claim : new long[] {-2, Long.MIN_VALUE}) {
            Fault fault = withPrefix(SemanticOptions.DEFAULT, claim).fault();
            assertEquals(FormatRules.UNCOMPRESSED_LENGTH, fault.rule());
            assertEquals("header.recordBatch.buffers[1]", fault.path());
            assertEquals(claim, fault.value());
            assertEquals("int32", fault.column());
        }
        for (long claim : new long[] {-1, 0, 12}) {
            assertFalse(withPrefix(SemanticOptions.DEFAULT, claim).fault().isPresent());
        }
    }
}
