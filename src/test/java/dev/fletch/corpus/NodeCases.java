// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.fixedList;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.leaf;
import static dev.fletch.corpus.MeaningParts.legacy;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.old;
import static dev.fletch.corpus.MeaningParts.one;
import static dev.fletch.corpus.MeaningParts.runEnds;
import static dev.fletch.corpus.MeaningParts.runs;
import static dev.fletch.corpus.MeaningParts.union;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.List;

/// Inputs with field nodes that do not suit their type or their parent.
final class NodeCases {
    private static final FbsValue.Table SPARSE = union(0, List.of(5, 6), INT8, INT8);
    private static final FbsValue.Table DENSE = union(1, List.of(5, 6), INT8, INT8);

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        NodeCases made = new NodeCases();
        made.nullCounts();
        made.structs();
        made.sparseUnions();
        made.fixedSizeLists();
        made.runEndEncoded();
        return made.cases;
    }

    // ---- null counts

    private void nullCounts() {
        FbsValue.Table nulls = leaf("n", Type.NULL, "Null");
        Rule unknown = MeaningRule.NULL_COUNT_UNKNOWN;
        String what = "the null count of a %s of type Null is -1";
        cases.add(
                inBatch(unknown, "null-count-unknown", "null", what.formatted("column"))
                        .file(
                                one(nulls, new Batch(2).node(2, 2)),
                                one(nulls, new Batch(2).node(2, -1))));
        cases.add(
                inBatch(
                        unknown,
                        "null-count-unknown-in-list",
                        "null",
                        what.formatted("list's child"))
                        .stream(
                                one(
                                        list(nulls),
                                        new Batch(1).node(1, 0, NONE, ints(0, 2)).node(2, 2)),
                                one(
                                        list(nulls),
                                        new Batch(1).node(1, 0, NONE, ints(0, 2)).node(2, -1))));
        Rule rule = MeaningRule.NULL_COUNT_WITHOUT_VALIDITY;
        cases.add(
                inBatch(rule, "nulls-of-sparse-union", "sparse_union", "a sparse union has a null")
                        .file(one(SPARSE, sparse(0, 2, 2)), one(SPARSE, sparse(1, 2, 2))));
        cases.add(
                inBatch(rule, "nulls-of-dense-union", "dense_union", "a dense union has two nulls")
                        .stream(
                                legacy(one(DENSE, dense(0)).stream()),
                                legacy(one(DENSE, dense(2)).stream())));
        cases.add(
                inBatch(
                        MeaningRule.NULL_COUNT_RANGE,
                        "nulls-more-than-unions",
                        "dense_union",
                        "two dense unions have three nulls")
                        .stream(one(DENSE, dense(0)), one(DENSE, dense(3))));
        FbsValue.Table runs = runs(runEnds(32), INT8);
        cases.add(
                inBatch(
                                rule,
                                "nulls-of-run-end-encoded",
                                "run_end_encoded",
                                "a run-end encoded column has a null")
                        .file(one(runs, ofRuns(0, 1, 1)), one(runs, ofRuns(1, 1, 1))));
        cases.add(
                inBatch(
                                rule,
                                "nulls-of-union-in-dictionary",
                                "dictionary",
                                "the unions of a dictionary have a null")
                        .file(
                                new HandmadeInput(schema(encoded(SPARSE, 3)))
                                        .dictionary(3, false, sparse(0, 2, 2)),
                                new HandmadeInput(schema(encoded(SPARSE, 3)))
                                        .dictionary(3, false, sparse(1, 2, 2))));
    }

    /// A union whose values are all of its first child.
    private static Batch sparse(long nulls, long first, long second) {
        return new Batch(2)
                .node(2, nulls, bytes(5, 5))
                .node(first, 0, NONE, bytes(1, 2, 3))
                .node(second, 0, NONE, bytes(4, 5, 6));
    }

    private static Batch dense(long nulls) {
        return new Batch(2)
                .node(2, nulls, bytes(5, 6), ints(0, 0))
                .node(1, 0, NONE, bytes(1))
                .node(1, 0, NONE, bytes(2));
    }

    // ---- structs

    /// Two structs, of which the second may be null.
    private static Batch structs(boolean hasNull, long length) {
        return new Batch(2)
                .node(2, hasNull ? 1 : 0, bytes(hasNull ? 1 : 3))
                .node(length, 0, NONE, bytes(1, 2, 3));
    }

    private void structs() {
        Rule length = MeaningRule.CHILD_LENGTH;
        FbsValue.Table struct = struct(INT8);
        cases.add(
                inBatch(length, "child-length", "struct", "the child of two structs has one value")
                        .file(one(struct, structs(false, 2)), one(struct, structs(false, 1))));
        cases.add(
                inBatch(
                        length,
                        "child-length-with-null",
                        "struct",
                        "the child of two structs, one of which is null, has no value")
                        .stream(old(struct, structs(true, 2)), old(struct, structs(true, 0))));
        cases.add(
                inBatch(length, "child-length-of-map", "map", "a map has two keys and one value")
                        .stream(map(2), map(1)));
        Batch none = new Batch(2).node(2, 0, NONE).node(2, 0, NONE).node(2, 0, NONE, bytes(1, 2));
        Batch less = new Batch(2).node(2, 0, NONE).node(1, 0, NONE).node(1, 0, NONE, bytes(1, 2));
        cases.add(
                inBatch(
                                length,
                                "child-length-of-inner-struct",
                                "struct",
                                "the struct in two structs has one value")
                        .file(one(struct(struct), none), one(struct(struct), less)));
        Rule shorter = MeaningRule.CHILD_SHORTER;
        String what = "the child of two structs, of which the second is null, has one value";
        cases.add(
                inBatch(shorter, "child-shorter", "struct", what)
                        .file(one(struct, structs(true, 2)), one(struct, structs(true, 1))));
        cases.add(
                inBatch(shorter, "child-shorter-v4", "struct", what + ", in version 4").stream(
                        old(struct, structs(true, 2)), old(struct, structs(true, 1))));
        Rule longer = MeaningRule.CHILD_LONGER;
        cases.add(
                inBatch(longer, "child-longer", "struct", "the child of two structs has 3 values")
                        .file(one(struct, structs(false, 2)), one(struct, structs(false, 3))));
    }

    private static HandmadeInput map(long values) {
        Batch batch =
                new Batch(1)
                        .node(1, 0, NONE, ints(0, 2))
                        .node(2, 0, NONE)
                        .node(2, 0, NONE, bytes(1, 2))
                        .node(values, 0, NONE, bytes(3, 4));
        FbsValue.Table key = dev.fletch.verify.messages.Meant.required(INT8);
        return one(MeaningParts.map(MeaningParts.entries(key, INT8)), batch);
    }

    // ---- unions

    private void sparseUnions() {
        cases.add(
                inBatch(
                                MeaningRule.UNION_CHILD_SHORTER,
                                "union-child-shorter",
                                "sparse_union",
                                "the second child of a sparse union of two values has one value")
                        .file(one(SPARSE, sparse(0, 2, 2)), one(SPARSE, sparse(0, 2, 1))));
        cases.add(
                inBatch(
                        MeaningRule.UNION_CHILD_SHORTER,
                        "union-child-empty",
                        "sparse_union",
                        "the second child of a sparse union of two values has no value")
                        .stream(one(SPARSE, sparse(0, 2, 2)), one(SPARSE, sparse(0, 2, 0))));
        cases.add(
                inBatch(
                        MeaningRule.CHILD_LONGER,
                        "union-child-longer",
                        "sparse_union",
                        "the first child of a sparse union of two values has three values")
                        .stream(one(SPARSE, sparse(0, 2, 2)), one(SPARSE, sparse(0, 3, 2))));
    }

    // ---- lists

    private static Batch items(long items) {
        return new Batch(2).node(2, 0, bytes(3)).node(items, 0, NONE, bytes(1, 2, 3, 4, 5));
    }

    private static Batch lists(boolean hasNull, long items) {
        return new Batch(2)
                .node(2, hasNull ? 1 : 0, bytes(hasNull ? 1 : 3))
                .node(items, 0, NONE, bytes(1, 2, 3, 4));
    }

    private void fixedSizeLists() {
        FbsValue.Table pairs = fixedList(2, INT8);
        Rule length = MeaningRule.LIST_CHILD_LENGTH;
        String what = "the child of two fixed-size lists of two items has %d items";
        cases.add(
                inBatch(length, "list-child-length", "fixed_size_list", what.formatted(3))
                        .file(one(pairs, lists(false, 4)), one(pairs, lists(false, 3))));
        cases.add(
                inBatch(
                        length,
                        "list-child-length-with-null",
                        "fixed_size_list",
                        what.formatted(1) + ", and one list is null")
                        .stream(old(pairs, lists(true, 4)), old(pairs, lists(true, 1))));
        cases.add(
                inBatch(
                        length,
                        "list-child-length-instead-of-longer",
                        "fixed_size_list",
                        what.formatted(3) + ", not 5, of which the last belongs to no list")
                        .stream(one(pairs, items(5)), one(pairs, items(3))));
        FbsValue.Table large = fixedList(Integer.MAX_VALUE, INT8);
        Batch none = new Batch(0).node(0, 0, NONE).node(0, 0, NONE, NONE);
        Batch many = new Batch(1L << 33).node(1L << 33, 0, NONE).node(0, 0, NONE, NONE);
        cases.add(
                inBatch(
                        length,
                        "list-child-length-overflows",
                        "fixed_size_list",
                        "fixed-size lists have 2^33 times 2^31 - 1 items, more than fit a"
                                + " 64-bit number, and no item")
                        .stream(one(large, none), one(large, many)));
        Rule shorter = MeaningRule.LIST_CHILD_SHORTER;
        String last = ", and the second list is null";
        cases.add(
                inBatch(shorter, "list-child-shorter", "fixed_size_list", what.formatted(2) + last)
                        .file(one(pairs, lists(true, 4)), one(pairs, lists(true, 2))));
        cases.add(
                inBatch(
                        shorter,
                        "list-child-shorter-by-one",
                        "fixed_size_list",
                        what.formatted(3) + last)
                        .stream(
                                legacy(one(pairs, lists(true, 4)).stream()),
                                legacy(one(pairs, lists(true, 3)).stream())));
    }

    // ---- run-end encoded fields

    private static Batch ofRuns(long nulls, long ends, long values) {
        return new Batch(2)
                .node(2, nulls)
                .node(ends, 0, NONE, ints(2, 4, 6))
                .node(values, 0, NONE, bytes(7, 8, 9));
    }

    private void runEndEncoded() {
        FbsValue.Table runs = runs(runEnds(32), INT8);
        String layout = "run_end_encoded";
        Rule count = MeaningRule.RUN_COUNT;
        cases.add(
                inBatch(count, "run-ends-missing", layout, "two values have no run end")
                        .file(one(runs, ofRuns(0, 1, 1)), one(runs, ofRuns(0, 0, 0))));
        cases.add(
                inBatch(count, "run-value-missing", layout, "two run ends have one run value")
                        .stream(one(runs, ofRuns(0, 2, 2)), one(runs, ofRuns(0, 2, 1))));
        FbsValue.Table wide = runs(runEnds(64), INT8);
        cases.add(
                inBatch(
                                count,
                                "run-value-missing-in-struct",
                                layout,
                                "a run end of a run-end encoded field in a struct has no run value")
                        .file(one(struct(wide), inStruct(1)), one(struct(wide), inStruct(0))));
        Rule longer = MeaningRule.RUN_CHILD_LONGER;
        cases.add(
                inBatch(longer, "run-ends-longer", layout, "two values have three run ends")
                        .file(one(runs, threeRuns(2)), one(runs, threeRuns(3))));
        cases.add(
                inBatch(longer, "run-values-longer", layout, "one run end has two run values")
                        .stream(one(runs, ofRuns(0, 1, 1)), one(runs, ofRuns(0, 1, 2))));
        cases.add(
                inBatch(longer, "run-values-of-no-runs", layout, "no run end has a run value")
                        .stream(one(runs, noRuns(0)), one(runs, noRuns(1))));
        cases.add(
                inBatch(MeaningRule.RUN_END_NULLS, "run-end-null", layout, "a run end is null")
                        .file(one(runs, nullRun(0, 1)), one(runs, nullRun(1, 0))));
    }

    private static Batch threeRuns(long ends) {
        return new Batch(2)
                .node(2, 0)
                .node(ends, 0, NONE, ints(1, 2, 3))
                .node(ends, 0, NONE, bytes(7, 8, 9));
    }

    private static Batch noRuns(long values) {
        return new Batch(0).node(0, 0).node(0, 0, NONE, NONE).node(values, 0, NONE, bytes(7));
    }

    private static Batch inStruct(long values) {
        return new Batch(2)
                .node(2, 0, NONE)
                .node(2, 0)
                .node(1, 0, NONE, longs(2))
                .node(values, 0, NONE, bytes(7));
    }

    private static Batch nullRun(long nulls, int validity) {
        return new Batch(2)
                .node(2, 0)
                .node(1, nulls, bytes(validity), ints(2))
                .node(1, 0, NONE, bytes(7));
    }
}
