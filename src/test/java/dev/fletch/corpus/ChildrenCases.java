// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.entries;
import static dev.fletch.corpus.MeaningParts.fixedList;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.inFile;
import static dev.fletch.corpus.MeaningParts.largeList;
import static dev.fletch.corpus.MeaningParts.largeListView;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.listView;
import static dev.fletch.corpus.MeaningParts.map;
import static dev.fletch.corpus.MeaningParts.one;
import static dev.fletch.corpus.MeaningParts.recounted;
import static dev.fletch.corpus.MeaningParts.runEnds;
import static dev.fletch.corpus.MeaningParts.runs;
import static dev.fletch.corpus.MeaningParts.union;
import static dev.fletch.corpus.MeaningParts.without;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.Union;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Inputs with fields whose children do not suit their type.
final class ChildrenCases {
    // Where the children of the schema's first column are.
    private static final Function<Schema, Field> COLUMN = schema -> schema.fields(0, new Field());

    private static final Function<Schema, Union> TYPE =
            schema -> {
                Union type = new Union();
                COLUMN.apply(schema).type(type);
                return type;
            };

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        ChildrenCases made = new ChildrenCases();
        made.lists();
        made.maps();
        made.runEndEncoded();
        made.unions();
        made.typeIds();
        return made.cases;
    }

    // ---- lists

    private void lists() {
        Batch texts = new Batch(2).node(2, 0, NONE, ints(0, 1, 2), text("ab"));
        HandmadeInput leaf = one(with(UTF8, "children", List.of(INT8)), texts);
        cases.add(
                inFile(MeaningRule.LEAF_CHILDREN, "children-of-utf8", "utf8", "a text has a child")
                        .file(recounted(leaf, COLUMN, 0), leaf));
        FbsValue.Table old = with(INT8, "children", List.of(INT8));
        Batch numbers = new Batch(2).node(2, 0, NONE, bytes(1, 2));
        HandmadeInput number = MeaningParts.old(old, numbers);
        cases.add(
                inBatch(
                        MeaningRule.LEAF_CHILDREN,
                        "children-of-int8",
                        "int8",
                        "an integer has a child")
                        .stream(recounted(number, COLUMN, 0), number));
        Batch items = new Batch(2).node(2, 0, NONE, ints(0, 1, 2)).node(2, 0, NONE, bytes(1, 2));
        Batch large = new Batch(2).node(2, 0, NONE, longs(0, 1, 2)).node(2, 0, NONE, bytes(1, 2));
        Batch views = new Batch(1).node(1, 0, NONE, ints(0), ints(2)).node(2, 0, NONE, bytes(1, 2));
        Batch largeViews =
                new Batch(1).node(1, 0, NONE, longs(0), longs(2)).node(2, 0, NONE, bytes(1, 2));
        Batch fixed = new Batch(1).node(1, 0, NONE).node(2, 0, NONE, bytes(1, 2));
        twoItems("list", list(INT8, INT8), items);
        noItems("large_list", largeList(INT8), large);
        twoItems("list_view", listView(INT8, INT8), views);
        noItems("large_list_view", largeListView(INT8), largeViews);
        twoItems("fixed_size_list", fixedList(2, INT8, INT8), fixed);
        noItems("fixed_size_list", fixedList(2, INT8), fixed);
    }

    private void twoItems(String layout, FbsValue.Table column, Batch batch) {
        HandmadeInput input = one(column, batch);
        cases.add(
                inFile(
                                MeaningRule.LIST_CHILDREN,
                                "two-children-of-" + layout,
                                layout,
                                "a list has two children")
                        .file(recounted(input, COLUMN, 1), input));
    }

    private void noItems(String layout, FbsValue.Table column, Batch batch) {
        HandmadeInput input = one(column, batch);
        cases.add(
                inBatch(
                        MeaningRule.LIST_CHILDREN,
                        "no-child-of-" + layout,
                        layout,
                        "a list has no child")
                        .stream(input, recounted(input, COLUMN, 0)));
    }

    // ---- maps

    private static final FbsValue.Table KEY = required(UTF8);

    private static Batch pairs() {
        return new Batch(1)
                .node(1, 0, NONE, ints(0, 2))
                .node(2, 0, NONE)
                .node(2, 0, NONE, ints(0, 1, 2), text("ab"))
                .node(2, 0, NONE, bytes(1, 2));
    }

    private void maps() {
        HandmadeInput two = one(map(entries(KEY, INT8), INT8), pairs());
        cases.add(
                inFile(
                                MeaningRule.MAP_CHILDREN,
                                "two-children-of-map",
                                "map",
                                "a map has two children")
                        .file(recounted(two, COLUMN, 1), two));
        HandmadeInput sound = one(map(entries(KEY, INT8)), pairs());
        cases.add(
                inBatch(MeaningRule.MAP_CHILDREN, "no-child-of-map", "map", "a map has no entries")
                        .stream(sound, recounted(sound, COLUMN, 0)));
        Function<Schema, Field> entries = schema -> COLUMN.apply(schema).children(0, new Field());
        FbsValue.Table asList = with(entries(KEY, INT8), "type_type", Type.LIST);
        FbsValue.Table asText = with(entries(KEY, INT8), "type_type", Type.UTF8);
        Rule type = MeaningRule.MAP_ENTRIES_TYPE;
        cases.add(
                inBatch(type, "map-entries-are-lists", "map", "the entries of a map are lists")
                        .stream(sound, recounted(one(map(asList), pairs()), entries, 1)));
        cases.add(
                inFile(type, "map-entries-are-texts", "map", "the entries of a map are texts")
                        .file(sound, recounted(one(map(asText), pairs()), entries, 0)));
        HandmadeInput encoded = new HandmadeInput(schema(map(encoded(entries(KEY, INT8), 1))));
        cases.add(
                CorpusCase.of(
                        type,
                        "map-entries-are-encoded",
                        "the entries of a map are encoded by a dictionary")
                        .layout("map")
                        .stream(without(encoded, entries, Field.DICTIONARY_SLOT), encoded));
        FbsValue.Table nullable = with(entries(KEY, INT8), "nullable", 1);
        cases.add(
                inBatch(
                                MeaningRule.MAP_ENTRIES_NULLABLE,
                                "map-entries-nullable",
                                "map",
                                "the entries of a map are nullable")
                        .file(sound, one(map(nullable), pairs())));
        cases.add(
                inBatch(
                        MeaningRule.MAP_KEY_NULLABLE,
                        "map-key-nullable",
                        "map",
                        "the key of a map is nullable")
                        .stream(sound, one(map(entries(UTF8, INT8)), pairs())));
        HandmadeInput three = one(map(entries(KEY, INT8, INT32)), pairs());
        Rule count = MeaningRule.MAP_ENTRIES_CHILDREN;
        cases.add(
                inFile(
                                count,
                                "map-entries-with-three-children",
                                "map",
                                "the entries of a map have three children")
                        .file(recounted(three, entries, 2), three));
        cases.add(
                inBatch(
                        count,
                        "map-entries-without-value",
                        "map",
                        "the entries of a map have no value")
                        .stream(sound, recounted(sound, entries, 1)));
    }

    // ---- run-end encoded fields

    private static Batch oneRun(byte[] ends) {
        return new Batch(2).node(2, 0).node(1, 0, NONE, ends).node(1, 0, NONE, bytes(7));
    }

    private void runEndEncoded() {
        Rule count = MeaningRule.RUN_END_CHILDREN;
        HandmadeInput three = one(runs(runEnds(32), INT8, INT8), oneRun(ints(2)));
        cases.add(
                inFile(
                                count,
                                "run-end-encoded-with-three-children",
                                "run_end_encoded",
                                "a run-end encoded field has three children")
                        .file(recounted(three, COLUMN, 2), three));
        HandmadeInput two = one(runs(runEnds(64), INT8), oneRun(longs(2)));
        cases.add(
                inBatch(
                        count,
                        "run-end-encoded-without-values",
                        "run_end_encoded",
                        "a run-end encoded field has run ends only")
                        .stream(two, recounted(two, COLUMN, 1)));
        Rule type = MeaningRule.RUN_ENDS_TYPE;
        HandmadeInput small = one(runs(runEnds(16), INT8), oneRun(bytes(2, 0)));
        HandmadeInput smaller = one(runs(runEnds(8), INT8), oneRun(bytes(2, 0)));
        cases.add(
                inFile(type, "run-ends-int8", "run_end_encoded", "run ends are of type int8")
                        .file(small, smaller));
        FbsValue.Table unsigned =
                with(runEnds(32), "type", table("Int", "bitWidth", 32, "is_signed", 0));
        cases.add(
                inBatch(type, "run-ends-uint32", "run_end_encoded", "run ends are of type uint32")
                        .stream(
                                one(runs(runEnds(32), INT8), oneRun(ints(2))),
                                one(runs(unsigned, INT8), oneRun(ints(2)))));
        cases.add(
                CorpusCase.of(type, "run-ends-are-texts", "run ends are texts")
                        .layout("run_end_encoded")
                        .stream(
                                new HandmadeInput(schema(runs(runEnds(32), INT8))),
                                new HandmadeInput(schema(runs(required(UTF8), INT8)))));
        FbsValue.Table ends = encoded(runEnds(32), 1);
        HandmadeInput encoded = new HandmadeInput(schema(runs(ends, INT8)));
        cases.add(
                CorpusCase.of(type, "run-ends-encoded", "run ends are encoded by a dictionary")
                        .layout("run_end_encoded")
                        .stream(
                                without(
                                        encoded,
                                        schema -> COLUMN.apply(schema).children(0, new Field()),
                                        Field.DICTIONARY_SLOT),
                                encoded));
        FbsValue.Table nullable = integer("run_ends", 32);
        cases.add(
                inBatch(
                                MeaningRule.RUN_ENDS_NULLABLE,
                                "run-ends-nullable",
                                "run_end_encoded",
                                "run ends are nullable")
                        .file(
                                one(runs(runEnds(32), INT8), oneRun(ints(2))),
                                one(runs(nullable, INT8), oneRun(ints(2)))));
        FbsValue.Table inner = list(runs(nullable, VIEW));
        FbsValue.Table sound = list(runs(runEnds(32), VIEW));
        cases.add(
                CorpusCase.of(
                        MeaningRule.RUN_ENDS_NULLABLE,
                        "run-ends-nullable-in-list",
                        "run ends below a list are nullable")
                        .layout("run_end_encoded")
                        .stream(
                                new HandmadeInput(with(schema(sound), "endianness", 1)),
                                new HandmadeInput(with(schema(inner), "endianness", 1))));
    }

    // ---- unions

    private static FbsValue.Table[] fields(int count) {
        return Collections.nCopies(count, INT8).toArray(FbsValue.Table[]::new);
    }

    private void unions() {
        FbsValue.Table implicit = with(union(0, List.of(), fields(129)), "type", table("Union"));
        HandmadeInput many = new HandmadeInput(schema(implicit));
        cases.add(
                CorpusCase.of(
                        MeaningRule.UNION_CHILDREN,
                        "union-of-129",
                        "a union has 129 children, and its type ids are implicit")
                        .layout("sparse_union")
                        .stream(recounted(many, COLUMN, 128), many));
        Rule count = MeaningRule.UNION_TYPE_IDS;
        Batch dense =
                new Batch(1)
                        .node(1, 0, bytes(1), ints(0))
                        .node(0, 0, NONE, NONE)
                        .node(1, 0, NONE, bytes(7));
        HandmadeInput sound = one(union(1, List.of(0, 1), INT8, INT8), dense);
        cases.add(
                inBatch(
                        count,
                        "union-without-a-type-id",
                        "dense_union",
                        "a union has two children and one type id")
                        .stream(sound, recounted(sound, TYPE, Union.TYPE_IDS_SLOT, 1)));
        HandmadeInput three = one(union(1, List.of(0, 1), INT8, INT8, INT8), dense);
        cases.add(
                inFile(
                                count,
                                "union-with-a-child-without-type-id",
                                "dense_union",
                                "a union has three children and two type ids")
                        .file(recounted(three, COLUMN, 2), three));
        HandmadeInput two = one(union(1, List.of(0, 1, 2), INT8, INT8), dense);
        cases.add(
                inBatch(
                        count,
                        "union-with-a-type-id-too-many",
                        "dense_union",
                        "a union has two children and three type ids")
                        .stream(recounted(two, TYPE, Union.TYPE_IDS_SLOT, 2), two));
        HandmadeInput none = new HandmadeInput(schema(union(0, List.of(), INT8)));
        cases.add(
                CorpusCase.of(
                        count,
                        "union-with-empty-type-ids",
                        "a union has a child and an empty vector of type ids")
                        .layout("sparse_union")
                        .stream(recounted(none, COLUMN, 0), none));
    }

    private void typeIds() {
        Batch first =
                new Batch(1)
                        .node(1, 0, bytes(5))
                        .node(1, 0, NONE, bytes(7))
                        .node(1, 0, NONE, bytes(8));
        Rule range = MeaningRule.UNION_TYPE_ID_RANGE;
        cases.add(
                inFile(range, "union-type-id-128", "sparse_union", "a type id of a union is 128")
                        .file(
                                one(union(0, List.of(5, 127), INT8, INT8), first),
                                one(union(0, List.of(5, 128), INT8, INT8), first)));
        cases.add(
                inBatch(
                        range,
                        "union-type-id-negative",
                        "sparse_union",
                        "a type id of a union is -1")
                        .stream(
                                one(union(0, List.of(5, 0), INT8, INT8), first),
                                one(union(0, List.of(5, -1), INT8, INT8), first)));
        cases.add(
                inBatch(
                        range,
                        "union-type-id-261",
                        "sparse_union",
                        "a type id of a union is 261, which a byte holds as 5")
                        .stream(
                                MeaningParts.old(union(0, List.of(5), INT8), oldUnion()),
                                MeaningParts.old(union(0, List.of(261), INT8), oldUnion())));
        Rule repeated = MeaningRule.UNION_TYPE_ID_REPEATED;
        cases.add(
                inBatch(
                        repeated,
                        "union-type-id-repeated",
                        "sparse_union",
                        "two children of a union have the type id 5")
                        .stream(
                                one(union(0, List.of(5, 4), INT8, INT8), first),
                                one(union(0, List.of(5, 5), INT8, INT8), first)));
        List<Integer> ids = IntStream.range(0, 128).mapToObj(i -> 127 - i).toList();
        List<Integer> twice = new ArrayList<>(ids);
        twice.set(127, 127);
        cases.add(ofAll(repeated, "repeats its first one", "repeated", ids, twice));
        List<Integer> above = new ArrayList<>(ids);
        above.set(0, 128);
        cases.add(ofAll(range, "begins with 128", "behind-127", ids, above));
        cases.add(
                inFile(
                                repeated,
                                "union-type-id-repeated-in-order-of-descent",
                                "dense_union",
                                "type ids of a union descend, and the last one is that of the first"
                                        + " child")
                        .file(descending(9, 5, 3), descending(9, 5, 9)));
    }

    /// A union of 128 children, whose type ids are not in ascending order.
    private static CorpusCase ofAll(
            Rule rule, String what, String name, List<Integer> right, List<Integer> wrong) {
        return CorpusCase.of(
                rule,
                "union-of-128-type-id-" + name,
                "a union has 128 descending type ids, and " + what)
                .layout("dense_union")
                .stream(
                        new HandmadeInput(schema(union(1, right, fields(128)))),
                        new HandmadeInput(schema(union(1, wrong, fields(128)))));
    }

    private static HandmadeInput descending(int... ids) {
        Batch batch = new Batch(2).node(2, 0, bytes(5, 9), ints(0, 0)).node(1, 0, NONE, bytes(7));
        batch.node(1, 0, NONE, bytes(8)).node(0, 0, NONE, NONE);
        List<Integer> all = IntStream.of(ids).boxed().toList();
        return one(union(1, all, INT8, INT8, INT8), batch);
    }

    /// A union of version 4 has a validity buffer.
    private static Batch oldUnion() {
        return new Batch(1).node(1, 0, NONE, bytes(5)).node(1, 0, NONE, bytes(7));
    }
}
