// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.dictionary;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.leaf;
import static dev.fletch.corpus.MeaningParts.legacy;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.old;
import static dev.fletch.corpus.MeaningParts.one;
import static dev.fletch.corpus.MeaningParts.recount;
import static dev.fletch.corpus.MeaningParts.recountedInBatch;
import static dev.fletch.corpus.MeaningParts.union;
import static dev.fletch.corpus.MeaningParts.withoutInBatch;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.List;

/// Inputs with batches that do not have the rows, nodes and buffers of their schema.
final class BatchCases {
    private static final FbsValue.Table BINARY_VIEW = leaf("view", Type.BINARY_VIEW, "BinaryView");

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        BatchCases made = new BatchCases();
        made.rows();
        made.nodes();
        made.buffers();
        made.variadicCounts();
        made.variadicRanges();
        return made.cases;
    }

    private static Batch numbers() {
        return new Batch(2).node(2, 0, NONE, bytes(1, 2));
    }

    private static Batch texts() {
        return new Batch(2).node(2, 0, NONE, ints(0, 1, 2), text("ab"));
    }

    // ---- rows

    private void rows() {
        Rule rule = MeaningRule.NEGATIVE_ROWS;
        HandmadeInput none = new HandmadeInput(schema());
        cases.add(
                CorpusCase.of(rule, "rows-negative", "a batch without columns has -1 rows")
                        .file(copy(none).batch(new Batch(0)), copy(none).batch(new Batch(-1))));
        cases.add(
                CorpusCase.of(
                        rule,
                        "rows-smallest",
                        "a batch without columns has -9223372036854775808 rows")
                        .stream(
                                legacy(copy(none).batch(new Batch(0)).stream()),
                                legacy(copy(none).batch(new Batch(Long.MIN_VALUE)).stream())));
        rule = MeaningRule.COLUMN_LENGTH;
        cases.add(
                inBatch(rule, "column-longer", "int8", "a column has 3 values, its batch 2 rows")
                        .file(one(INT8, ofRows(2, 2)), one(INT8, ofRows(2, 3))));
        cases.add(
                inBatch(rule, "column-shorter", "int8", "a column has 1 value, its batch 2 rows")
                        .stream(old(INT8, ofRows(2, 2)), old(INT8, ofRows(2, 1))));
        cases.add(
                inBatch(rule, "column-of-no-rows", "utf8", "a column has 1 value, its batch no row")
                        .file(one(UTF8, ofTexts(0)), one(UTF8, ofTexts(1))));
        cases.add(
                inBatch(
                        rule,
                        "second-column-longer",
                        "struct",
                        "the second column and its child have 3 values, its batch 2 rows")
                        .stream(twoColumns(2), twoColumns(3)));
        rule = MeaningRule.NEGATIVE_LENGTH;
        cases.add(
                inBatch(rule, "length-negative", "int8", "a column has -1 values")
                        .file(one(INT8, ofRows(0, 0)), one(INT8, ofRows(0, -1))));
        cases.add(
                inBatch(
                        rule,
                        "length-negative-of-items",
                        "list",
                        "the child of a list has -1 values")
                        .stream(one(list(INT8), ofItems(0, 0)), one(list(INT8), ofItems(-1, 0))));
        HandmadeInput words = new HandmadeInput(schema(encoded(INT8, 3)));
        cases.add(
                inBatch(
                                rule,
                                "length-negative-of-dictionary",
                                "dictionary",
                                "the values of a dictionary have length -1")
                        .file(
                                copy(words).dictionary(3, false, ofRows(0, 0)),
                                copy(words).dictionary(3, false, ofRows(0, -1))));
        nulls();
    }

    private static HandmadeInput copy(HandmadeInput of) {
        return HandmadeInput.copy(of);
    }

    private static Batch ofRows(long rows, long length) {
        return new Batch(rows).node(length, 0, NONE, bytes(1, 2, 3));
    }

    private static Batch ofTexts(long length) {
        return new Batch(0).node(length, 0, NONE, ints(0, 0), NONE);
    }

    private static Batch ofItems(long length, long nulls) {
        return new Batch(1).node(1, 0, NONE, ints(0, 0)).node(length, nulls, bytes(0), NONE);
    }

    private static HandmadeInput twoColumns(long length) {
        Batch batch = numbers().node(length, 0, NONE).node(length, 0, NONE, bytes(1, 2, 3));
        return new HandmadeInput(schema(INT8, struct(INT8))).batch(batch);
    }

    private static Batch ofNulls(long nulls) {
        return new Batch(2).node(2, nulls, bytes(0), bytes(0, 0));
    }

    private void nulls() {
        Rule rule = MeaningRule.NULL_COUNT_RANGE;
        cases.add(
                inBatch(rule, "nulls-more-than-values", "int8", "a column of 2 values has 3 nulls")
                        .file(one(INT8, ofNulls(2)), one(INT8, ofNulls(3))));
        Batch all = new Batch(2).node(2, 0, bytes(3), bytes(0, 0));
        Batch less = new Batch(2).node(2, -1, bytes(3), bytes(0, 0));
        cases.add(
                inBatch(rule, "nulls-negative", "int8", "a column has -1 nulls").stream(
                        legacy(one(INT8, all).stream()), legacy(one(INT8, less).stream())));
        cases.add(
                inBatch(
                                rule,
                                "nulls-of-no-items",
                                "list",
                                "the child of a list has no values and one null")
                        .file(one(list(INT8), ofItems(0, 0)), one(list(INT8), ofItems(0, 1))));
        HandmadeInput words = new HandmadeInput(schema(encoded(INT8, 3)));
        cases.add(
                inBatch(
                        rule,
                        "nulls-of-dictionary",
                        "dictionary",
                        "the values of a dictionary have more nulls than values")
                        .stream(
                                copy(words).dictionary(3, false, ofNulls(2)),
                                copy(words).dictionary(3, false, ofNulls(3))));
        FbsValue.Table nulls = leaf("n", Type.NULL, "Null");
        cases.add(
                inBatch(
                                rule,
                                "nulls-of-null-type",
                                "null",
                                "a column of type Null has 2 values and 3 nulls")
                        .file(
                                one(nulls, new Batch(2).node(2, 2)),
                                one(nulls, new Batch(2).node(2, 3))));
    }

    // ---- nodes

    private void nodes() {
        Rule rule = MeaningRule.NODE_COUNT;
        HandmadeInput two = new HandmadeInput(schema(INT8, INT8));
        byte[] both = two.batch(numbers().node(2, 0, NONE, bytes(3, 4))).file();
        cases.add(
                inBatch(rule, "node-missing", "int8", "a batch of two columns has one field node")
                        .file(both, recount(both, pair(2, 0), 2, 1)));
        byte[] more = edited(one(INT8), numbers(), "nodes", List.of(pair(2, 0), pair(2, 0)));
        cases.add(
                inBatch(rule, "node-too-many", "int8", "a batch of one column has two field nodes")
                        .stream(recount(more, pair(2, 0), 2, 1), more));
        byte[] below =
                old(struct(INT8), new Batch(2).node(2, 0, NONE).node(2, 0, NONE, bytes(1, 2)))
                        .stream();
        cases.add(
                inBatch(
                        rule,
                        "node-of-child-missing",
                        "struct",
                        "a batch has no field node for the child of a struct")
                        .stream(below, recount(below, pair(2, 0), 2, 1)));
        byte[] words =
                new HandmadeInput(schema(encoded(struct(INT8), 3)))
                        .dictionary(
                                3,
                                false,
                                new Batch(2).node(2, 0, NONE).node(2, 0, NONE, bytes(1, 2)))
                        .file();
        cases.add(
                inBatch(
                                rule,
                                "node-of-dictionary-missing",
                                "dictionary",
                                "a dictionary of structs has no field node for their child")
                        .file(words, recount(words, pair(2, 0), 2, 1)));
        byte[] some = one(INT8, numbers()).stream();
        cases.add(
                inBatch(rule, "nodes-absent", "int8", "a batch of one column has no field nodes")
                        .stream(some, withoutInBatch(some, RecordBatch.NODES_SLOT)));
        byte[] noColumns =
                edited(new HandmadeInput(schema()), new Batch(1), "nodes", List.of(pair(1, 0)));
        cases.add(
                CorpusCase.of(
                        rule, "node-without-column", "a batch without columns has a field node")
                        .stream(recount(noColumns, pair(1, 0), 1, 0), noColumns));
    }

    private static byte[] edited(HandmadeInput input, Batch batch, Object... namesAndValues) {
        return input.add(with(batch.table(), namesAndValues), batch.body()).stream();
    }

    // ---- buffers

    private void buffers() {
        Rule rule = MeaningRule.BUFFER_COUNT;
        byte[] texts = one(UTF8, texts()).file();
        cases.add(
                inBatch(rule, "buffer-missing", "utf8", "a column of texts has two buffers")
                        .file(texts, recount(texts, pair(0, 0), 3, 2)));
        byte[] three = one(INT8, new Batch(2).node(2, 0, NONE, bytes(1, 2), NONE)).stream();
        cases.add(
                inBatch(rule, "buffer-too-many", "int8", "a column of integers has three buffers")
                        .stream(recount(three, pair(0, 0), 3, 2), three));
        FbsValue.Table nulls = leaf("n", Type.NULL, "Null");
        byte[] one = one(nulls, new Batch(2).node(2, 2, NONE)).file();
        cases.add(
                inBatch(rule, "buffer-of-null-type", "null", "a column of type Null has a buffer")
                        .file(recount(one, pair(0, 0), 1, 0), one));
        FbsValue.Table sparse = union(0, List.of(0), INT8);
        Batch withValidity = new Batch(1).node(1, 0, NONE, bytes(0)).node(1, 0, NONE, bytes(7));
        FbsValue.Table message = old(withValidity, withValidity.table());
        cases.add(
                inBatch(
                        rule,
                        "buffer-of-version-4-union",
                        "sparse_union",
                        "a union of version 5 has a validity buffer, as in version 4")
                        .stream(
                                old(schema(sparse)).addMessage(message, withValidity.body()),
                                old(schema(sparse))
                                        .addMessage(old(message, 4), withValidity.body())));
        byte[] list =
                one(
                        list(INT8),
                        new Batch(1).node(1, 0, NONE, ints(0, 2)).node(2, 0, NONE, bytes(1, 2)))
                        .stream();
        cases.add(
                inBatch(
                        rule,
                        "buffer-of-child-missing",
                        "list",
                        "the child of a list has one buffer")
                        .stream(list, recount(list, pair(0, 0), 4, 3)));
        FbsValue.Table wide = leaf("v", Type.LIST_VIEW, "ListView");
        byte[] views =
                one(
                                with(wide, "children", List.of(INT8)),
                                new Batch(1)
                                        .node(1, 0, NONE, ints(0), ints(2))
                                        .node(2, 0, NONE, bytes(1, 2)))
                        .file();
        cases.add(
                inBatch(
                                rule,
                                "buffer-of-list-view-missing",
                                "list_view",
                                "a list view and its child have four buffers")
                        .file(views, recount(views, pair(0, 0), 5, 4)));
    }

    // ---- variadic buffers

    private static final byte[] LONG_VIEW = MeaningParts.concat(ints(13), text("long"), ints(0, 0));
    private static final byte[] LONG = text("long and more");

    /// A text in a variadic buffer.
    private static Batch view() {
        return new Batch(1).node(1, 0, NONE, LONG_VIEW, LONG);
    }

    private static HandmadeInput views(FbsValue.Table column, Batch batch, long... counts) {
        return one(column).add(counted(batch, counts), batch.body());
    }

    private static FbsValue.Table counted(Batch batch, long... counts) {
        List<Long> all = new ArrayList<>();
        for (long each : counts) {
            all.add(each);
        }
        return with(batch.table(), "variadicBufferCounts", all);
    }

    private void variadicCounts() {
        Rule rule = MeaningRule.VARIADIC_COUNTS;
        int counts = RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT;
        Batch inline = new Batch(1).node(1, 0, NONE, new byte[16]);
        byte[] ofText = views(VIEW, inline, 0).file();
        cases.add(
                inBatch(
                                rule,
                                "variadic-counts-absent",
                                "utf8_view",
                                "a batch with a column of views has no variadic buffer counts")
                        .file(ofText, withoutInBatch(ofText, counts)));
        HandmadeInput ofVersion4 = old(schema(BINARY_VIEW));
        ofVersion4.addMessage(old(inline, counted(inline, 0)), inline.body());
        byte[] ofBytes = ofVersion4.stream();
        cases.add(
                inBatch(
                        rule,
                        "variadic-counts-empty",
                        "binary_view",
                        "the variadic buffer counts of a batch with views are empty")
                        .stream(ofBytes, recountedInBatch(ofBytes, counts, 0)));
        byte[] tooMany = legacy(views(VIEW, view(), 1, 0).stream());
        cases.add(
                inBatch(
                        rule,
                        "variadic-counts-too-many",
                        "utf8_view",
                        "a batch with one column of views has two variadic buffer counts")
                        .stream(recount(tooMany, pair(1, 0), 2, 1), tooMany));
        Batch both = view().node(1, 0, NONE, new byte[16]);
        HandmadeInput two = new HandmadeInput(schema(VIEW, struct(VIEW)));
        Batch below = view().node(1, 0, NONE).node(1, 0, NONE, new byte[16]);
        byte[] bothCounts = copy(two).add(counted(below, 1, 0), below.body()).file();
        cases.add(
                inBatch(
                                rule,
                                "variadic-count-of-child-missing",
                                "utf8_view",
                                "a batch with views in a column and in a struct has one variadic"
                                        + " buffer count")
                        .file(bothCounts, recount(bothCounts, pair(1, 0), 2, 1)));
        byte[] excess = views(INT8, numbers(), 0).stream();
        cases.add(
                inBatch(
                        rule,
                        "variadic-count-without-views",
                        "int8",
                        "a batch without views has a variadic buffer count")
                        .stream(withoutInBatch(excess, counts), excess));
        HandmadeInput words = new HandmadeInput(schema(encoded(VIEW, 3)));
        byte[] ofWords = words.add(dictionary(3, counted(inline, 0)), inline.body()).file();
        cases.add(
                inBatch(
                                rule,
                                "variadic-counts-of-dictionary-absent",
                                "dictionary",
                                "a dictionary of views has no variadic buffer counts")
                        .file(ofWords, withoutInBatch(ofWords, counts)));
        HandmadeInput pairs = new HandmadeInput(schema(VIEW, BINARY_VIEW));
        cases.add(
                inBatch(
                                MeaningRule.BUFFER_COUNT,
                                "variadic-buffer-missing",
                                "binary_view",
                                "the second of two columns of views counts a variadic buffer that"
                                        + " the file does not have (CVE-2026-25087 is about such"
                                        + " files)")
                        .file(
                                copy(pairs).add(counted(both, 1, 0), both.body()),
                                copy(pairs).add(counted(both, 1, 1), both.body())));
        cases.add(
                inBatch(
                        MeaningRule.BUFFER_COUNT,
                        "variadic-buffer-not-counted",
                        "utf8_view",
                        "a column of views counts no variadic buffer, but there is one")
                        .stream(views(VIEW, view(), 1), views(VIEW, view(), 0)));
    }

    private void variadicRanges() {
        Rule rule = MeaningRule.VARIADIC_COUNT_RANGE;
        Batch inline = new Batch(1).node(1, 0, NONE, new byte[16]);
        cases.add(
                inBatch(
                                rule,
                                "variadic-count-negative",
                                "utf8_view",
                                "a variadic buffer count is -1")
                        .file(views(VIEW, inline, 0), views(VIEW, inline, -1)));
        cases.add(
                inBatch(
                        rule,
                        "variadic-count-above-buffers",
                        "binary_view",
                        "a variadic buffer count is 4 in a batch of 3 buffers")
                        .stream(views(BINARY_VIEW, view(), 1), views(BINARY_VIEW, view(), 4)));
        cases.add(
                inBatch(
                                rule,
                                "variadic-count-2-to-the-62",
                                "utf8_view",
                                "a variadic buffer count is 2^62, for which a reader may reserve"
                                        + " memory (apache/arrow#48900)")
                        .file(views(VIEW, inline, 0), views(VIEW, inline, 1L << 62)));
        HandmadeInput pairs = new HandmadeInput(schema(VIEW, VIEW));
        Batch both = view().node(1, 0, NONE, LONG_VIEW, LONG);
        cases.add(
                inBatch(
                                rule,
                                "variadic-counts-above-buffers-together",
                                "utf8_view",
                                "two variadic buffer counts are 4 and 5 in a batch of 6 buffers")
                        .file(
                                copy(pairs).add(counted(both, 1, 1), both.body()),
                                copy(pairs).add(counted(both, 4, 5), both.body())));
        cases.add(
                inBatch(
                        MeaningRule.BUFFER_COUNT,
                        "variadic-count-of-all-buffers",
                        "utf8_view",
                        "two variadic buffer counts are 1 and 5 in a batch of 6 buffers")
                        .stream(
                                copy(pairs).add(counted(both, 1, 1), both.body()),
                                copy(pairs).add(counted(both, 1, 5), both.body())));
    }
}
