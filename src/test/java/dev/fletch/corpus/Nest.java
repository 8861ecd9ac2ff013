// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.numbers;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.corpus.Column.Dictionary;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// What a column may be inside of: all its rows are in the rows of a parent.
enum Nest {
    STRUCT("struct"),
    LIST("list"),
    LARGE_LIST("large_list"),
    LIST_VIEW("list_view"),
    LARGE_LIST_VIEW("large_list_view"),
    FIXED_SIZE_LIST("fixed_size_list"),
    MAP("map"),
    SPARSE_UNION("sparse_union"),
    DENSE_UNION("dense_union"),
    RUNS("run_end_encoded"),
    DICTIONARY("dictionary");

    private static final long ID = 9;

    final String layout;

    Nest(String layout) {
        this.layout = layout;
    }

    /// A column with another one inside.
    Column of(Column child) {
        Column parent =
                switch (this) {
                    case STRUCT -> Column.of(struct(child.field()), child.rows(), 0, NONE);
                    case LIST -> list(Type.LIST, "List", child, ints(0, (int) child.rows()));
                    case LARGE_LIST ->
                            list(Type.LARGE_LIST, "LargeList", child, longs(0, child.rows()));
                    case LIST_VIEW ->
                            list(Type.LIST_VIEW, "ListView", child, ints(0), size(32, child));
                    case LARGE_LIST_VIEW ->
                            list(
                                    Type.LARGE_LIST_VIEW,
                                    "LargeListView",
                                    child,
                                    longs(0),
                                    size(64, child));
                    case FIXED_SIZE_LIST -> fixed(child);
                    case MAP -> map(child);
                    case SPARSE_UNION, DENSE_UNION -> union(child);
                    case RUNS -> runs(child);
                    case DICTIONARY -> {
                        FbsValue.Table field = encoded(child.field(), ID);
                        yield Column.of(field, 1, 0, NONE, bytes((int) child.rows() - 1));
                    }
                };
        List<Dictionary> dictionaries = new ArrayList<>(child.dictionaries());
        if (this == DICTIONARY) {
            dictionaries.add(new Dictionary(ID, child));
        } else {
            parent = parent.with(child);
        }
        return parent.with(dictionaries.toArray(Dictionary[]::new));
    }

    private static byte[] size(int bits, Column child) {
        return numbers(bits, child.rows());
    }

    private static Column list(int type, String name, Column child, byte[]... numbers) {
        byte[][] buffers = new byte[1 + numbers.length][];
        buffers[0] = NONE;
        System.arraycopy(numbers, 0, buffers, 1, numbers.length);
        return Column.of(field("list", type, table(name), child.field()), 1, 0, buffers);
    }

    private static Column fixed(Column child) {
        FbsValue.Table type = table("FixedSizeList", "listSize", child.rows());
        return Column.of(field("fixed", Type.FIXED_SIZE_LIST, type, child.field()), 1, 0, NONE);
    }

    private static Column map(Column child) {
        FbsValue.Table key = required(with(INT8, "name", "key"));
        FbsValue.Table entries = required(struct(key, child.field()));
        int rows = (int) child.rows();
        return Column.of(field("map", Type.MAP, table("Map"), entries), 1, 0, NONE, ints(0, rows))
                .with(
                        Column.of(entries, rows, 0, NONE),
                        Column.of(key, rows, 0, NONE, new byte[rows]));
    }

    private Column union(Column child) {
        int rows = (int) child.rows();
        boolean isDense = this == DENSE_UNION;
        FbsValue.Table field = UnionCases.union(isDense, List.of(), child.field());
        byte[] offsets = numbers(Integer.SIZE, LongStream.range(0, child.rows()).toArray());
        return isDense
                ? Column.of(field, rows, 0, new byte[rows], offsets)
                : Column.of(field, rows, 0, new byte[rows]);
    }

    private static Column runs(Column child) {
        long[] ends = LongStream.rangeClosed(1, child.rows()).toArray();
        FbsValue.Table field = RunCases.runField(Short.SIZE, child.field());
        return new Column(field, child.rows(), to -> to.node(child.rows(), 0))
                .with(Column.of(INT8, child.rows(), 0, NONE, numbers(Short.SIZE, ends)));
    }
}
