// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUE_OFFSET_ORDER;
import static dev.fletch.ValueRule.VALUE_OFFSET_RANGE;
import static dev.fletch.ValueRule.VALUE_SIZE_RANGE;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.numbers;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;

import java.util.List;

/// Offsets and sizes that do not fit data or child.
final class OffsetCases {
    private static final FbsValue.Table ENTRIES =
            required(struct(required(with(INT8, "name", "key")), with(INT8, "name", "value")));

    /// A layout with offsets.
    ///
    /// @param children none for text and binary
    private record Variable(String name, FbsValue.Table field, int bits, int children) {}

    private static final List<Variable> ALL =
            List.of(
                    new Variable("utf8", UTF8, 32, 0),
                    plain("large_utf8", Type.LARGE_UTF8, "LargeUtf8", 64),
                    plain("binary", Type.BINARY, "Binary", 32),
                    plain("large_binary", Type.LARGE_BINARY, "LargeBinary", 64),
                    list("list", Type.LIST, "List", 32),
                    list("large_list", Type.LARGE_LIST, "LargeList", 64),
                    new Variable("map", field("map", Type.MAP, table("Map"), ENTRIES), 32, 3));

    private static final List<Variable> VIEWS =
            List.of(
                    list("list_view", Type.LIST_VIEW, "ListView", 32),
                    list("large_list_view", Type.LARGE_LIST_VIEW, "LargeListView", 64));

    private final ValueList list = new ValueList();

    static List<CorpusCase> all() {
        OffsetCases made = new OffsetCases();
        ALL.forEach(made::offsets);
        made.slicesAndNulls();
        VIEWS.forEach(made::listViews);
        return made.list.cases;
    }

    private static Variable plain(String name, int type, String table, int bits) {
        return new Variable(name, field(name, type, table(table)), bits, 0);
    }

    private static Variable list(String name, int type, String table, int bits) {
        return new Variable(name, field(name, type, table(table), INT8), bits, 1);
    }

    // ---- columns over three bytes or child values

    private static Column column(Variable of, long... offsets) {
        return column(of, NONE, 0, offsets);
    }

    private static Column column(Variable of, byte[] validity, int nulls, long... offsets) {
        byte[] numbers = numbers(of.bits, offsets);
        int rows = offsets.length - 1;
        if (of.children == 0) {
            return Column.of(of.field, rows, nulls, validity, numbers, text("abc"));
        }
        Column column = Column.of(of.field, rows, nulls, validity, numbers);
        Column values = Column.of(INT8, 3, 0, NONE, bytes(1, 2, 3));
        return of.children == 1
                ? column.with(values)
                : column.with(Column.of(ENTRIES, 3, 0, NONE), values, values);
    }

    private void offsets(Variable of) {
        String name = of.name.replace('_', '-');
        Column sound = column(of, 0, 2, 3);
        list.add(
                of.name.equals("utf8") ? Form.FILE : Form.of(sound),
                VALUE_OFFSET_ORDER,
                "offsets-descend-" + name,
                of.name,
                "the third offset is smaller than the second",
                sound,
                column(of, 0, 3, 2));
        list.add(
                VALUE_OFFSET_ORDER,
                "offsets-negative-" + name,
                of.name,
                "the first offset is negative",
                sound,
                column(of, -1, 2, 3));
        String end = of.children == 0 ? "the data" : "the child";
        list.add(
                VALUE_OFFSET_RANGE,
                "offsets-past-" + name,
                of.name,
                "the last offset is one behind the end of " + end,
                sound,
                column(of, 0, 2, 4));
        if (of.bits == Long.SIZE) {
            list.add(
                    VALUE_OFFSET_RANGE,
                    "offsets-wrap-" + name,
                    of.name,
                    "the last offset is 2^32 too great, and right in its lower 32 bits",
                    sound,
                    column(of, 0, 2, (1L << 32) + 3));
            list.add(
                    VALUE_OFFSET_RANGE,
                    "offsets-greatest-" + name,
                    of.name,
                    "the last offset is the greatest number of 64 bits",
                    sound,
                    column(of, 0, 2, Long.MAX_VALUE));
        }
    }

    /// Columns whose first offset is not 0, and with a null.
    private void slicesAndNulls() {
        for (Variable of : ALL) {
            String name = of.name.replace('_', '-');
            list.add(
                    VALUE_OFFSET_RANGE,
                    "offsets-sliced-past-" + name,
                    of.name,
                    "the first offset is 1, and the last as many bytes or values too great",
                    column(of, 1, 2, 3),
                    column(of, 1, 2, 4));
            byte[] validity = bytes(0b101);
            list.add(
                    VALUE_OFFSET_ORDER,
                    "offsets-of-null-descend-" + name,
                    of.name,
                    "the null in the second row begins behind its end",
                    column(of, validity, 1, 0, 1, 1, 3),
                    column(of, validity, 1, 0, 2, 1, 3));
        }
    }

    // ---- list views

    private static Column views(Variable of, byte[] validity, long[] offsets, long[] sizes) {
        int nulls = validity.length;
        byte[] numbers = numbers(of.bits, offsets);
        return Column.of(of.field, 2, nulls, validity, numbers, numbers(of.bits, sizes))
                .with(Column.of(INT8, 3, 0, NONE, bytes(1, 2, 3)));
    }

    private static Column views(Variable of, long[] offsets, long... sizes) {
        return views(of, NONE, offsets, sizes);
    }

    private static long[] offsets(long... offsets) {
        return offsets;
    }

    private void listViews(Variable of) {
        String name = of.name.replace('_', '-');
        Column empty = views(of, offsets(0, 3), 3, 0);
        list.add(
                VALUE_OFFSET_RANGE,
                "offset-past-" + name,
                of.name,
                "an empty list begins one behind the end of the child",
                empty,
                views(of, offsets(0, 4), 3, 0));
        list.add(
                VALUE_OFFSET_RANGE,
                "offset-negative-" + name,
                of.name,
                "the second offset is negative",
                empty,
                views(of, offsets(0, -1), 3, 0));
        Column sound = views(of, offsets(0, 1), 3, 2);
        list.add(
                VALUE_SIZE_RANGE,
                "size-past-" + name,
                of.name,
                "the second list ends one behind the end of the child",
                sound,
                views(of, offsets(0, 1), 3, 3));
        list.add(
                VALUE_SIZE_RANGE,
                "size-negative-" + name,
                of.name,
                "the second size is negative",
                sound,
                views(of, offsets(0, 1), 3, -1));
        long most = of.bits == Long.SIZE ? Long.MAX_VALUE : Integer.MAX_VALUE;
        list.add(
                VALUE_SIZE_RANGE,
                "size-overflows-" + name,
                of.name,
                "the sum of the second offset and size is greater than the greatest number",
                sound,
                views(of, offsets(0, 1), 3, most));
        list.add(
                VALUE_SIZE_RANGE,
                "size-of-null-past-" + name,
                of.name,
                "the null in the second row ends one behind the end of the child",
                views(of, bytes(1), offsets(0, 1), offsets(3, 2)),
                views(of, bytes(1), offsets(0, 1), offsets(3, 3)));
    }
}
