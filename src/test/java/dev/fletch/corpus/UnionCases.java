// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUE_CHILD_LENGTH;
import static dev.fletch.ValueRule.VALUE_NULL_COUNT;
import static dev.fletch.ValueRule.VALUE_TYPE_ID;
import static dev.fletch.ValueRule.VALUE_UNION_OFFSET;
import static dev.fletch.ValueRule.VALUE_UNION_ORDER;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.numbers;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.List;

/// Type ids and offsets of unions.
final class UnionCases {
    private static final FbsValue.Table OTHER = integer("int16", 16);

    private final ValueList list = new ValueList();

    static List<CorpusCase> all() {
        UnionCases made = new UnionCases();
        made.typeIds(true);
        made.typeIds(false);
        made.offsets();
        made.children();
        made.withValidity();
        return made.list.cases;
    }

    static FbsValue.Table union(boolean isDense, List<Integer> ids, FbsValue.Table... children) {
        FbsValue.Table type = table("Union", "mode", isDense ? UnionMode.DENSE : UnionMode.SPARSE);
        type = ids.isEmpty() ? type : with(type, "typeIds", ids);
        return field(name(isDense), Type.UNION, type, children);
    }

    private static String name(boolean isDense) {
        return isDense ? "dense_union" : "sparse_union";
    }

    /// Three rows: two values of the first child, and one of the second between them.
    private static Column column(boolean isDense, List<Integer> declared, int... ids) {
        FbsValue.Table field = union(isDense, declared, INT8, OTHER);
        return isDense
                ? dense(field, ids, 0, 0, 1)
                : Column.of(field, 3, 0, bytes(ids)).with(int8(3), int16(3));
    }

    private static Column dense(FbsValue.Table field, int[] ids, int... offsets) {
        return Column.of(field, ids.length, 0, bytes(ids), ints(offsets)).with(int8(2), int16(1));
    }

    private static Column int8(int rows) {
        return Column.of(INT8, rows, 0, NONE, new byte[rows]);
    }

    private static Column int16(int rows) {
        return Column.of(OTHER, rows, 0, NONE, numbers(Short.SIZE, new long[rows]));
    }

    // ---- type ids

    private void typeIds(boolean isDense) {
        String layout = name(isDense);
        String name = layout.replace('_', '-');
        List<Integer> none = List.of();
        Column sound = column(isDense, none, 0, 1, 0);
        list.add(
                VALUE_TYPE_ID,
                "type-id-past-" + name,
                layout,
                "the type id of the second row is the number of children",
                sound,
                column(isDense, none, 0, 2, 0));
        list.add(
                VALUE_TYPE_ID,
                "type-id-negative-" + name,
                layout,
                "the type id of the second row is -1",
                sound,
                column(isDense, none, 0, -1, 0));
        List<Integer> declared = List.of(5, 127);
        Column others = column(isDense, declared, 5, 127, 5);
        list.add(
                VALUE_TYPE_ID,
                "type-id-undeclared-" + name,
                layout,
                "the type id 126 of the second row is less than one of the type, but not one",
                others,
                column(isDense, declared, 5, 126, 5));
        list.add(
                VALUE_TYPE_ID,
                "type-id-is-child-" + name,
                layout,
                "the type id of the second row is the number of the child, not its type id",
                others,
                column(isDense, declared, 5, 1, 5));
    }

    // ---- offsets

    private void offsets() {
        FbsValue.Table field = union(true, List.of(), INT8, OTHER);
        int[] ids = {0, 1, 0};
        Column sound = dense(field, ids, 0, 0, 1);
        String layout = name(true);
        list.add(
                VALUE_UNION_OFFSET,
                "union-offset-past",
                layout,
                "the offset of the last row is the length of its child",
                sound,
                dense(field, ids, 0, 0, 2));
        list.add(
                VALUE_UNION_OFFSET,
                "union-offset-in-other-child",
                layout,
                "the offset of the second row is inside the first child, but not inside its own",
                sound,
                dense(field, ids, 0, 1, 1));
        list.add(
                VALUE_UNION_OFFSET,
                "union-offset-negative",
                layout,
                "the offset of the second row is -1",
                sound,
                dense(field, ids, 0, -1, 1));
        list.add(
                VALUE_UNION_OFFSET,
                "union-offset-greatest",
                layout,
                "the offset of the last row is 2^31 - 1",
                sound,
                dense(field, ids, 0, 0, Integer.MAX_VALUE));
        list.add(
                VALUE_UNION_ORDER,
                "union-offsets-descend",
                layout,
                "the offset of the last row is less than an earlier one of its child",
                dense(field, ids, 1, 0, 1),
                dense(field, ids, 1, 0, 0));
    }

    // ---- children

    private void children() {
        FbsValue.Table field = union(false, List.of(), INT8, OTHER);
        Column ids = Column.of(field, 3, 0, bytes(0, 1, 0));
        list.add(
                VALUE_CHILD_LENGTH,
                "child-short-sparse-union",
                name(false),
                "the last row is a value of the first child, which has two",
                ids.with(int8(3), int16(3)),
                ids.with(new Column(INT8, 2, to -> to.node(2, 0, NONE, new byte[3])), int16(3)),
                MeaningRule.UNION_CHILD_SHORTER);
    }

    // ---- V4: unions have a validity buffer

    private interface Change {
        Batch of(Batch batch);
    }

    private void withValidity() {
        FbsValue.Table dense = union(true, List.of(), INT8, OTHER);
        FbsValue.Table sparse = union(false, List.of(), INT8, OTHER);
        byte[] valid = bytes(0b101);
        // The null in the second row has any type id and offset.
        add(
                VALUE_TYPE_ID,
                "type-id-past-dense-union-v4",
                dense,
                "the type id of the first row, which is not null, is 2",
                to -> dense(to, valid, 1, bytes(0, 7, 0), ints(0, 9, 1)),
                to -> dense(to, valid, 1, bytes(2, 7, 0), ints(0, 9, 1)));
        add(
                VALUE_UNION_OFFSET,
                "union-offset-past-v4",
                dense,
                "the offset of the last row, which is not null, is the length of its child",
                to -> dense(to, valid, 1, bytes(0, 7, 0), ints(0, 9, 1)),
                to -> dense(to, valid, 1, bytes(0, 7, 0), ints(0, 9, 2)));
        add(
                VALUE_NULL_COUNT,
                "null-count-dense-union-v4",
                dense,
                "the null count of a union with one null is 2",
                to -> dense(to, valid, 1, bytes(0, 7, 0), ints(0, 9, 1)),
                to -> dense(to, valid, 2, bytes(0, 7, 0), ints(0, 9, 1)));
        add(
                VALUE_TYPE_ID,
                "type-id-past-sparse-union-v4",
                sparse,
                "the type id of the first row, which is not null, is 2",
                to -> sparse(to, valid, 1, bytes(0, 7, 0)),
                to -> sparse(to, valid, 1, bytes(2, 7, 0)));
        add(
                VALUE_NULL_COUNT,
                "null-count-sparse-union-v4",
                sparse,
                "the null count of a union with one null is 2",
                to -> sparse(to, valid, 1, bytes(0, 7, 0)),
                to -> sparse(to, valid, 2, bytes(0, 7, 0)));
    }

    private static Batch dense(Batch to, byte[] valid, int nulls, byte[] ids, byte[] offsets) {
        to.node(3, nulls, valid, ids, offsets);
        return children(to, 2, 1);
    }

    private static Batch sparse(Batch to, byte[] valid, int nulls, byte[] ids) {
        return children(to.node(3, nulls, valid, ids), 3, 3);
    }

    private static Batch children(Batch to, int first, int second) {
        int8(first).nodes().accept(to);
        int16(second).nodes().accept(to);
        return to;
    }

    private void add(
            Rule rule,
            String name,
            FbsValue.Table field,
            String what,
            Change sound,
            Change broken) {
        boolean isDense = name.contains("dense") || name.contains("offset");
        list.cases.add(
                CorpusCase.of(rule, name, what)
                        .layout(name(isDense))
                        .file(v4(field, sound), v4(field, broken)));
    }

    private static HandmadeInput v4(FbsValue.Table field, Change nodes) {
        return new HandmadeInput(schema(field))
                .version(MetadataVersion.V4)
                .batch(nodes.of(new Batch(3)));
    }
}
