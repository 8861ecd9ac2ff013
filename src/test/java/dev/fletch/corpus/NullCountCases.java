// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUE_NULL_COUNT;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.joined;
import static dev.fletch.corpus.Bodies.view;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;

import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;

import java.util.List;
import java.util.function.IntFunction;

/// Null counts that are not the number of nulls.
final class NullCountCases {
    private static final byte[] VALID = bytes(0b101);

    private final ValueList list = new ValueList();

    static List<CorpusCase> all() {
        NullCountCases made = new NullCountCases();
        made.layouts();
        made.bits();
        return made.list.cases;
    }

    private void layouts() {
        add("int8", nulls -> Column.of(INT8, 3, nulls, VALID, bytes(1, 2, 3)));
        FbsValue.Table bool = field("bool", Type.BOOL, table("Bool"));
        add("bool", nulls -> Column.of(bool, 3, nulls, VALID, bytes(1)));
        add("utf8", nulls -> Column.of(UTF8, 3, nulls, VALID, ints(0, 1, 1, 2), text("ab")));
        byte[] views = joined(view("a"), view(""), view("b"));
        add(
                "utf8_view",
                nulls -> new Column(VIEW, 3, to -> to.variadic(0L).node(3, nulls, VALID, views)));
        Column child = Column.of(INT8, 3, 0, NONE, bytes(1, 2, 3));
        add("struct", nulls -> Column.of(struct(INT8), 3, nulls, VALID).with(child));
        FbsValue.Table lists = field("list", Type.LIST, table("List"), INT8);
        byte[] offsets = ints(0, 1, 1, 3);
        add("list", nulls -> Column.of(lists, 3, nulls, VALID, offsets).with(child));
        FbsValue.Table listViews = field("list_view", Type.LIST_VIEW, table("ListView"), INT8);
        byte[] sizes = ints(3, 0, 3);
        byte[] zeros = ints(0, 0, 0);
        add("list_view", nulls -> Column.of(listViews, 3, nulls, VALID, zeros, sizes).with(child));
        FbsValue.Table single = table("FixedSizeList", "listSize", 1);
        FbsValue.Table fixed = field("fixed", Type.FIXED_SIZE_LIST, single, INT8);
        add("fixed_size_list", nulls -> Column.of(fixed, 3, nulls, VALID).with(child));
    }

    private void add(String layout, IntFunction<Column> column) {
        String name = layout.replace('_', '-');
        list.add(
                VALUE_NULL_COUNT,
                "null-count-more-" + name,
                layout,
                "the null count of a column with one null is 2",
                column.apply(1),
                column.apply(2));
        list.add(
                VALUE_NULL_COUNT,
                "null-count-zero-" + name,
                layout,
                "the null count of a column with one null is 0",
                column.apply(1),
                column.apply(0));
    }

    /// Bits behind the last value count for nothing.
    private void bits() {
        list.add(
                VALUE_NULL_COUNT,
                "null-count-of-padding",
                "int8",
                "a bit of a value is not set, rather than one behind the last value",
                Column.of(INT8, 3, 1, bytes(0b11111101), bytes(1, 2, 3)),
                Column.of(INT8, 3, 1, bytes(0b11111100), bytes(1, 2, 3)));
        list.add(
                VALUE_NULL_COUNT,
                "null-count-second-byte",
                "int8",
                "the ninth value is null, but not counted",
                Column.of(INT8, 9, 0, bytes(0xFF, 1), new byte[9]),
                Column.of(INT8, 9, 0, bytes(0xFF, 0), new byte[9]));
        list.add(
                VALUE_NULL_COUNT,
                "null-count-of-none",
                "int8",
                "all values are valid, but one is counted as null",
                Column.of(INT8, 3, 0, bytes(0b111), bytes(1, 2, 3)),
                Column.of(INT8, 3, 1, bytes(0b111), bytes(1, 2, 3)));
        Column child = Column.of(INT8, 3, 1, VALID, bytes(1, 2, 3));
        Column wrong = Column.of(INT8, 3, 3, VALID, bytes(1, 2, 3));
        list.add(
                VALUE_NULL_COUNT,
                "null-count-in-struct",
                "struct<int8>",
                "the null count of a child with one null is 3",
                Column.of(struct(INT8), 3, 0, NONE).with(child),
                Column.of(struct(INT8), 3, 0, NONE).with(wrong));
    }
}
