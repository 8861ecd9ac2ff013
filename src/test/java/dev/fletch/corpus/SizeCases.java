// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.entries;
import static dev.fletch.corpus.MeaningParts.fixedList;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.largeList;
import static dev.fletch.corpus.MeaningParts.largeListView;
import static dev.fletch.corpus.MeaningParts.leaf;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.listView;
import static dev.fletch.corpus.MeaningParts.map;
import static dev.fletch.corpus.MeaningParts.moved;
import static dev.fletch.corpus.MeaningParts.old;
import static dev.fletch.corpus.MeaningParts.one;
import static dev.fletch.corpus.MeaningParts.union;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Inputs with buffers other than data that are too small for the values of their field, by one
/// byte.
final class SizeCases {
    private static final FbsValue.Table LARGE_UTF8 = leaf("text", Type.LARGE_UTF8, "LargeUtf8");
    private static final FbsValue.Table BINARY = leaf("binary", Type.BINARY, "Binary");
    private static final FbsValue.Table LARGE_BINARY =
            leaf("binary", Type.LARGE_BINARY, "LargeBinary");
    private static final FbsValue.Table BOOL = leaf("bool", Type.BOOL, "Bool");

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        SizeCases made = new SizeCases();
        made.validity();
        made.offsets();
        made.noOffsets();
        made.sizes();
        made.typeIds();
        made.views();
        return made.cases;
    }

    private void shorter(
            Rule rule,
            String layout,
            String what,
            FbsValue.Table column,
            Supplier<Batch> batch,
            int buffer) {
        cases.add(MeaningParts.shorter(cases.size(), rule, layout, what, column, batch, buffer));
    }

    // ---- validity

    private void validity() {
        Rule rule = MeaningRule.VALIDITY_SIZE;
        String what = "a validity buffer of %s has 8 bits";
        shorter(
                rule,
                "int8",
                what.formatted("9 numbers"),
                INT8,
                () -> new Batch(9).node(9, 1, bytes(0xFE, 1), new byte[9]),
                0);
        shorter(
                rule,
                "utf8",
                what.formatted("9 texts"),
                UTF8,
                () -> new Batch(9).node(9, 1, bytes(0xFE, 1), new byte[40], NONE),
                0);
        shorter(
                rule,
                "struct",
                what.formatted("9 structs"),
                struct(INT8),
                () -> new Batch(9).node(9, 1, bytes(0xFE, 1)).node(9, 0, NONE, new byte[9]),
                0);
        shorter(
                rule,
                "list",
                what.formatted("9 items of lists"),
                list(INT8),
                () ->
                        new Batch(1)
                                .node(1, 0, NONE, ints(0, 9))
                                .node(9, 1, bytes(0xFE, 1), new byte[9]),
                2);
        shorter(
                rule,
                "fixed_size_list",
                what.formatted("9 fixed-size lists"),
                fixedList(1, INT8),
                () -> new Batch(9).node(9, 1, bytes(0xFE, 1)).node(9, 0, NONE, new byte[9]),
                0);
        shorter(
                rule,
                "list-of-bool",
                what.formatted("9 booleans in a list"),
                list(BOOL),
                () ->
                        new Batch(1)
                                .node(1, 0, NONE, ints(0, 9))
                                .node(9, 1, bytes(0xFE, 1), new byte[2]),
                2);
        HandmadeInput words = new HandmadeInput(schema(encoded(INT8, 3)));
        Batch values = new Batch(1).node(1, 0, NONE, bytes(7));
        HandmadeInput defined = words.dictionary(3, false, values);
        cases.add(
                inBatch(
                                rule,
                                "validity-size-dictionary",
                                "dictionary",
                                "indices with a null have no validity buffer")
                        .file(
                                HandmadeInput.copy(defined).batch(indices(0)),
                                HandmadeInput.copy(defined).batch(indices(-1))));
        FbsValue.Table sparse = union(0, List.of(0), INT8);
        cases.add(
                inBatch(
                        rule,
                        "validity-size-version-4-union",
                        "sparse_union",
                        "a union of version 4 has a null and no validity buffer")
                        .stream(old(sparse, oldUnion(0)), old(sparse, oldUnion(-1))));
    }

    private static Batch indices(long longer) {
        return moved(new Batch(2).node(2, 1, bytes(1), bytes(0, 0)), 0, 0, longer);
    }

    private static Batch oldUnion(long longer) {
        Batch batch = new Batch(2).node(2, 1, bytes(1), bytes(0, 0));
        return moved(batch.node(2, 0, NONE, bytes(7, 8)), 0, 0, longer);
    }

    // ---- offsets

    private void offsets() {
        Rule rule = MeaningRule.OFFSETS_SIZE;
        String four = "an offsets buffer of 2 values has 11 bytes";
        String eight = "an offsets buffer of 2 values has 23 bytes";
        shorter(rule, "utf8", four, UTF8, () -> texts(ints(0, 1, 2)), 1);
        shorter(rule, "large_utf8", eight, LARGE_UTF8, () -> texts(longs(0, 1, 2)), 1);
        shorter(rule, "binary", four, BINARY, () -> texts(ints(0, 1, 2)), 1);
        shorter(rule, "large_binary", eight, LARGE_BINARY, () -> texts(longs(0, 1, 2)), 1);
        shorter(rule, "list", four, list(INT8), () -> items(ints(0, 1, 2)), 1);
        shorter(rule, "large_list", eight, largeList(INT8), () -> items(longs(0, 1, 2)), 1);
        shorter(
                rule,
                "map",
                four,
                map(entries(required(INT8), INT8)),
                () ->
                        new Batch(2)
                                .node(2, 0, NONE, ints(0, 1, 2))
                                .node(2, 0, NONE)
                                .node(2, 0, NONE, bytes(1, 2))
                                .node(2, 0, NONE, bytes(3, 4)),
                1);
        shorter(
                rule,
                "list_view",
                "an offsets buffer of 2 list views has 7 bytes",
                listView(INT8),
                () ->
                        new Batch(2)
                                .node(2, 0, NONE, ints(0, 1), ints(1, 1))
                                .node(2, 0, NONE, bytes(1, 2)),
                1);
        shorter(
                rule,
                "large_list_view",
                "an offsets buffer of 2 large list views has 15 bytes",
                largeListView(INT8),
                () ->
                        new Batch(2)
                                .node(2, 0, NONE, longs(0, 1), longs(1, 1))
                                .node(2, 0, NONE, bytes(1, 2)),
                1);
        shorter(
                rule,
                "dense_union",
                "an offsets buffer of 2 values of a dense union has 7 bytes",
                union(1, List.of(0), INT8),
                () ->
                        new Batch(2)
                                .node(2, 0, bytes(0, 0), ints(0, 1))
                                .node(2, 0, NONE, bytes(1, 2)),
                1);
        shorter(
                rule,
                "list-of-utf8",
                "an offsets buffer of 2 texts in lists has 11 bytes",
                list(UTF8),
                () ->
                        new Batch(1)
                                .node(1, 0, NONE, ints(0, 2))
                                .node(2, 0, NONE, ints(0, 1, 2), text("ab")),
                3);
    }

    private static Batch texts(byte[] offsets) {
        return new Batch(2).node(2, 0, NONE, offsets, text("ab"));
    }

    private static Batch items(byte[] offsets) {
        return new Batch(2).node(2, 0, NONE, offsets).node(2, 0, NONE, bytes(1, 2));
    }

    private void noOffsets() {
        Rule rule = MeaningRule.NO_OFFSET;
        String what = "a column without values has no offset";
        cases.add(
                inBatch(rule, "no-offset-utf8", "utf8", what)
                        .file(one(UTF8, noTexts(ints(0), 0)), one(UTF8, noTexts(ints(0), -4))));
        cases.add(
                inBatch(rule, "no-offset-large_utf8", "large_utf8", what).stream(
                        one(LARGE_UTF8, noTexts(longs(0), 0)),
                        one(LARGE_UTF8, noTexts(longs(0), -8))));
        cases.add(
                inBatch(rule, "no-offset-list", "list", what).stream(
                        one(list(INT8), noItems(ints(0), 0)),
                        one(list(INT8), noItems(ints(0), -4))));
        cases.add(
                inBatch(
                                rule,
                                "no-offset-list-of-utf8",
                                "list",
                                "the texts of an empty list have no offset")
                        .file(one(list(UTF8), emptyList(0)), one(list(UTF8), emptyList(-4))));
        cases.add(
                inBatch(
                                rule,
                                "no-offset-of-two-columns",
                                "utf8",
                                "two columns without values have no offset")
                        .file(noRows(ints(0)), noRows()));
        cases.add(
                inBatch(
                        rule,
                        "no-offset-version-5",
                        "utf8",
                        "a column without values has no offset, in version 5, not 4")
                        .stream(old(UTF8, noTexts(ints(0), -4)), one(UTF8, noTexts(ints(0), -4))));
        cases.add(
                inBatch(
                        MeaningRule.OFFSETS_SIZE,
                        "offsets-size-of-nulls",
                        "utf8",
                        "a column of two nulls has no offsets")
                        .stream(one(UTF8, nullTexts()), one(UTF8, moved(nullTexts(), 1, 0, -12))));
        FbsValue.Table map = map(entries(required(INT8), INT8));
        cases.add(
                inBatch(rule, "no-offset-map", "map", what)
                        .file(one(map, noMaps(0)), one(map, noMaps(-4))));
        HandmadeInput words = new HandmadeInput(schema(encoded(UTF8, 3)));
        cases.add(
                inBatch(
                        rule,
                        "no-offset-dictionary",
                        "dictionary",
                        "a dictionary without values has no offset")
                        .stream(
                                HandmadeInput.copy(words).dictionary(3, false, noTexts(ints(0), 0)),
                                HandmadeInput.copy(words)
                                        .dictionary(3, false, noTexts(ints(0), -4))));
    }

    private static Batch nullTexts() {
        return new Batch(2).node(2, 2, bytes(0), ints(0, 0, 0), NONE);
    }

    /// Columns whose types have an offset for each value and no more, and two of texts.
    private static HandmadeInput noRows(byte... offsets) {
        Batch batch =
                new Batch(0)
                        .node(0, 0, NONE, NONE, NONE)
                        .node(0, 0, NONE, NONE)
                        .node(0, 0, NONE, NONE)
                        .node(0, 0, NONE, NONE)
                        .node(0, 0, NONE, offsets, NONE)
                        .node(0, 0, NONE, offsets, NONE);
        return new HandmadeInput(schema(listView(INT8), union(1, List.of(0), INT8), UTF8, UTF8))
                .batch(batch);
    }

    private static Batch noTexts(byte[] offset, long longer) {
        return moved(new Batch(0).node(0, 0, NONE, offset, NONE), 1, 0, longer);
    }

    private static Batch noItems(byte[] offset, long longer) {
        return moved(new Batch(0).node(0, 0, NONE, offset).node(0, 0, NONE, NONE), 1, 0, longer);
    }

    private static Batch emptyList(long longer) {
        Batch batch = new Batch(1).node(1, 0, NONE, ints(0, 0)).node(0, 0, NONE, ints(0), NONE);
        return moved(batch, 3, 0, longer);
    }

    private static Batch noMaps(long longer) {
        Batch batch = new Batch(0).node(0, 0, NONE, ints(0)).node(0, 0, NONE);
        return moved(batch.node(0, 0, NONE, NONE).node(0, 0, NONE, NONE), 1, 0, longer);
    }

    // ---- sizes, type ids, views

    private void sizes() {
        Rule rule = MeaningRule.SIZES_SIZE;
        shorter(
                rule,
                "list_view",
                "a sizes buffer of 2 list views has 7 bytes",
                listView(INT8),
                () ->
                        new Batch(2)
                                .node(2, 0, NONE, ints(0, 1), ints(1, 1))
                                .node(2, 0, NONE, bytes(1, 2)),
                2);
        shorter(
                rule,
                "large_list_view",
                "a sizes buffer of 2 large list views has 15 bytes",
                largeListView(INT8),
                () ->
                        new Batch(2)
                                .node(2, 0, NONE, longs(0, 1), longs(1, 1))
                                .node(2, 0, NONE, bytes(1, 2)),
                2);
    }

    private void typeIds() {
        Rule rule = MeaningRule.TYPE_IDS_SIZE;
        String what = "a type id buffer of 2 values has 1 byte";
        shorter(
                rule,
                "sparse_union",
                what,
                union(0, List.of(0), INT8),
                () -> new Batch(2).node(2, 0, bytes(0, 0)).node(2, 0, NONE, bytes(1, 2)),
                0);
        shorter(
                rule,
                "dense_union",
                what,
                union(1, List.of(0), INT8),
                () ->
                        new Batch(2)
                                .node(2, 0, bytes(0, 0), ints(0, 1))
                                .node(2, 0, NONE, bytes(1, 2)),
                0);
        FbsValue.Table sparse = union(0, List.of(0), INT8);
        cases.add(
                inBatch(rule, "type-ids-size-version-4", "sparse_union", what + ", in version 4")
                        .stream(
                                old(sparse, oldUnion(0)),
                                old(sparse, moved(oldUnion(0), 1, 0, -1))));
    }

    private void views() {
        Rule rule = MeaningRule.VIEWS_SIZE;
        String what = "a views buffer of 1 value has 15 bytes";
        FbsValue.Table binary = leaf("view", Type.BINARY_VIEW, "BinaryView");
        cases.add(
                inBatch(rule, "views-size-utf8_view", "utf8_view", what)
                        .file(view(VIEW, 0), view(VIEW, -1)));
        cases.add(
                inBatch(rule, "views-size-binary_view", "binary_view", what).stream(
                        view(binary, 0), view(binary, -1)));
    }

    private static HandmadeInput view(FbsValue.Table column, long longer) {
        Batch batch = moved(new Batch(1).node(1, 0, NONE, new byte[16]), 1, 0, longer);
        FbsValue.Table table = with(batch.table(), "variadicBufferCounts", List.of(0));
        return one(column).add(table, batch.body());
    }
}
