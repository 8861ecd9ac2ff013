// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUE_DICTIONARY_INDEX;
import static dev.fletch.ValueRule.VALUE_NOT_UTF8;
import static dev.fletch.ValueRule.VALUE_OFFSET_ORDER;
import static dev.fletch.ValueRule.VALUE_OFFSET_RANGE;
import static dev.fletch.ValueRule.VALUE_RUN_END_RANGE;
import static dev.fletch.ValueRule.VALUE_TYPE_ID;
import static dev.fletch.ValueRule.VALUE_VIEW_BUFFER;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.joined;
import static dev.fletch.corpus.Bodies.view;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.table;

import dev.fletch.Rule;
import dev.fletch.corpus.Column.Dictionary;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;

import java.util.List;

/// Wrong values in columns that are inside of another one, of each type that has children.
final class NestedCases {
    private static final long ID = 4;

    private final ValueList list = new ValueList();

    static List<CorpusCase> all() {
        NestedCases made = new NestedCases();
        for (Nest nest : Nest.values()) {
            made.inside(nest);
        }
        made.deeply();
        return made.list.cases;
    }

    private void add(
            Nest nest,
            Rule rule,
            String name,
            String of,
            String what,
            Column sound,
            Column broken) {
        String parent = nest.layout.replace('_', '-');
        list.add(
                rule,
                name + "-in-" + parent,
                nest.layout + "<" + of + ">",
                "in a " + parent.replace('-', ' ') + ", " + what,
                nest.of(sound),
                nest.of(broken));
    }

    // ---- columns of two rows

    private static Column texts(int second, int third) {
        return Column.of(UTF8, 2, 0, NONE, ints(0, second, third), text("abc"));
    }

    private static Column lists(int second, int third) {
        FbsValue.Table field = field("items", Type.LIST, table("List"), INT8);
        return Column.of(field, 2, 0, NONE, ints(0, second, third))
                .with(Column.of(INT8, 3, 0, NONE, bytes(1, 2, 3)));
    }

    private static Column views(int buffer) {
        byte[] views = joined(view("abc"), view(13, "aaaa", buffer, 0));
        return new Column(
                VIEW, 2, to -> to.variadic(1L).node(2, 0, NONE, views, text("a".repeat(13))));
    }

    private static Column indices(int last) {
        Dictionary values =
                new Dictionary(ID, false, 2, to -> to.node(2, 0, NONE, ints(0, 1, 3), text("abc")));
        return Column.of(encoded(UTF8, ID), 2, 0, NONE, bytes(0, last)).with(values);
    }

    private static Column union(int last) {
        return Column.of(UnionCases.union(false, List.of(), INT8), 2, 0, bytes(0, last))
                .with(Column.of(INT8, 2, 0, NONE, bytes(1, 2)));
    }

    private void inside(Nest nest) {
        add(
                nest,
                VALUE_OFFSET_ORDER,
                "offsets-descend-utf8",
                "utf8",
                "the third offset is smaller than the second",
                texts(2, 3),
                texts(3, 2));
        add(
                nest,
                VALUE_OFFSET_RANGE,
                "offsets-past-list",
                "list",
                "the last list ends one behind the end of its child",
                lists(2, 3),
                lists(2, 4));
        add(
                nest,
                VALUE_NOT_UTF8,
                "text-lone-byte-utf8",
                "utf8",
                "a value begins inside a character",
                Column.of(UTF8, 2, 0, NONE, ints(0, 1, 3), text("a\u00C3\u00A9")),
                Column.of(UTF8, 2, 0, NONE, ints(0, 2, 3), text("a\u00C3\u00A9")));
        add(
                nest,
                VALUE_VIEW_BUFFER,
                "view-buffer-past",
                "utf8_view",
                "the buffer of a view is the number of buffers",
                views(0),
                views(1));
        if (nest != Nest.DICTIONARY) { // see DictionaryValueCases
            add(
                    nest,
                    VALUE_DICTIONARY_INDEX,
                    "index-past",
                    "dictionary",
                    "an index is the number of values in its dictionary",
                    indices(1),
                    indices(2));
        }
        add(
                nest,
                VALUE_RUN_END_RANGE,
                "run-ends-short",
                "run_end_encoded",
                "the last run ends before the last value",
                RunCases.runs(Integer.SIZE, 4, 1, 4),
                RunCases.runs(Integer.SIZE, 4, 1, 3));
        add(
                nest,
                VALUE_TYPE_ID,
                "type-id-past",
                "sparse_union",
                "a type id is the number of children",
                union(0),
                union(1));
    }

    /// Columns on several levels.
    private void deeply() {
        Column sound = texts(2, 3);
        Column broken = texts(3, 2);
        Column deepSound = Nest.STRUCT.of(Nest.LIST_VIEW.of(Nest.MAP.of(Nest.RUNS.of(sound))));
        Column deep = Nest.STRUCT.of(Nest.LIST_VIEW.of(Nest.MAP.of(Nest.RUNS.of(broken))));
        list.add(
                VALUE_OFFSET_ORDER,
                "offsets-descend-utf8-on-level-5",
                "struct<list_view<map<run_end_encoded<utf8>>>>",
                "in runs in a map in a list view in a struct, the offsets descend",
                deepSound,
                deep);
        list.add(
                VALUE_DICTIONARY_INDEX,
                "index-past-in-two-dictionaries",
                "dictionary<list<dictionary<utf8>>>",
                "in a list in a dictionary, an index is the number of values in its dictionary",
                Nest.DICTIONARY.of(Nest.LIST.of(indices(1))),
                Nest.DICTIONARY.of(Nest.LIST.of(indices(2))));
        list.add(
                VALUE_RUN_END_RANGE,
                "run-ends-short-in-union-in-dictionary",
                "dictionary<dense_union<run_end_encoded>>",
                "in a dense union in a dictionary, the last run ends before the last value",
                Nest.DICTIONARY.of(Nest.DENSE_UNION.of(RunCases.runs(Integer.SIZE, 4, 1, 4))),
                Nest.DICTIONARY.of(Nest.DENSE_UNION.of(RunCases.runs(Integer.SIZE, 4, 1, 3))));
    }
}
