// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUE_DICTIONARY_INDEX;
import static dev.fletch.ValueRule.VALUE_NOT_UTF8;
import static dev.fletch.ValueRule.VALUE_NULL_COUNT;
import static dev.fletch.ValueRule.VALUE_OFFSET_ORDER;
import static dev.fletch.ValueRule.VALUE_OFFSET_RANGE;
import static dev.fletch.ValueRule.VALUE_VIEW_BUFFER;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.numbers;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.Rule;
import dev.fletch.corpus.Column.Dictionary;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.List;
import java.util.function.Consumer;

/// Indices outside of dictionaries, and wrong values in dictionaries.
final class DictionaryValueCases {
    private static final long ID = 7;

    private final ValueList list = new ValueList();

    static List<CorpusCase> all() {
        DictionaryValueCases made = new DictionaryValueCases();
        for (int bits = Byte.SIZE; bits <= Long.SIZE; bits *= 2) {
            made.indices(bits, true);
            made.indices(bits, false);
        }
        made.lengths();
        made.replaced();
        made.values();
        made.nested();
        return made.list.cases;
    }

    // ---- indices

    private static FbsValue.Table indexed(int bits, boolean isSigned) {
        FbsValue.Table index = table("Int", "bitWidth", bits, "is_signed", isSigned ? 1 : 0);
        return with(UTF8, "dictionary", table("DictionaryEncoding", "id", ID, "indexType", index));
    }

    /// A dictionary of texts of one character.
    private static Consumer<Batch> texts(int count) {
        int[] offsets = new int[count + 1];
        for (int i = 0; i <= count; i++) {
            offsets[i] = i;
        }
        return to -> to.node(count, 0, NONE, ints(offsets), text("abcdefgh".substring(0, count)));
    }

    private static Column column(int bits, boolean isSigned, long... indices) {
        int rows = indices.length;
        return Column.of(indexed(bits, isSigned), rows, 0, NONE, numbers(bits, indices))
                .with(new Dictionary(ID, false, 3, texts(3)));
    }

    private void indices(int bits, boolean isSigned) {
        String layout = "dictionary<" + (isSigned ? "int" : "uint") + bits + ", utf8>";
        String name = (isSigned ? "int" : "uint") + bits;
        Column sound = column(bits, isSigned, 0, 2);
        list.add(
                VALUE_DICTIONARY_INDEX,
                "index-past-" + name,
                layout,
                "the second index is the number of values in the dictionary",
                sound,
                column(bits, isSigned, 0, 3));
        list.add(
                VALUE_DICTIONARY_INDEX,
                (isSigned ? "index-negative-" : "index-greatest-") + name,
                layout,
                isSigned ? "the second index is -1" : "the second index is the greatest number",
                sound,
                column(bits, isSigned, 0, -1));
        long highest = 1L << bits - 1;
        list.add(
                VALUE_DICTIONARY_INDEX,
                "index-high-bit-" + name,
                layout,
                "the second index is right but for its highest bit",
                sound,
                column(bits, isSigned, 0, highest | 2));
    }

    // ---- dictionaries

    /// A column of two rows over a dictionary of two values, and more batches.
    private static Column over(byte[] indices, Dictionary... more) {
        Dictionary[] all = new Dictionary[more.length + 1];
        all[0] = new Dictionary(ID, false, 2, texts(2));
        System.arraycopy(more, 0, all, 1, more.length);
        return Column.of(indexed(8, true), 2, 0, NONE, indices).with(all);
    }

    private void lengths() {
        String layout = "dictionary<int8, utf8>";
        Dictionary delta = new Dictionary(ID, true, 1, texts(1));
        list.add(
                VALUE_DICTIONARY_INDEX,
                "index-past-delta",
                layout,
                "the second index is the number of values of the dictionary and its delta",
                over(bytes(0, 2), delta),
                over(bytes(0, 3), delta));
        list.add(
                VALUE_DICTIONARY_INDEX,
                "index-past-two-deltas",
                layout,
                "the second index is the number of values of the dictionary and two deltas",
                over(bytes(0, 3), delta, delta),
                over(bytes(0, 4), delta, delta));
        Dictionary empty = new Dictionary(ID, true, 0, to -> to.node(0, 0, NONE, ints(0), NONE));
        list.add(
                VALUE_DICTIONARY_INDEX,
                "index-past-empty-delta",
                layout,
                "the second index is the number of values of the dictionary, whose delta is empty",
                over(bytes(0, 1), empty),
                over(bytes(0, 2), empty));
        Dictionary none = new Dictionary(ID, false, 0, to -> to.node(0, 0, NONE, ints(0), NONE));
        Column nulls = Column.of(indexed(8, true), 2, 2, bytes(0), bytes(0, 9)).with(none);
        list.add(
                VALUE_DICTIONARY_INDEX,
                "index-into-empty-dictionary",
                layout,
                "the first row is not null, but its dictionary has no values",
                nulls,
                Column.of(indexed(8, true), 2, 1, bytes(1), bytes(0, 9)).with(none));
    }

    private void replaced() {
        FbsValue.Table field = indexed(8, true);
        String layout = "dictionary<int8, utf8>";
        list.cases.add(
                CorpusCase.of(
                        VALUE_DICTIONARY_INDEX,
                        "index-past-replaced-dictionary",
                        "the last index fits the dictionary before, but not the one that"
                                + " replaces it")
                        .layout(layout)
                        .stream(replaced(field, 1), replaced(field, 2)));
        list.cases.add(
                CorpusCase.of(
                        VALUE_DICTIONARY_INDEX,
                        "index-before-delta",
                        "the first batch has an index that only the delta behind it defines")
                        .layout(layout)
                        .stream(beforeDelta(field, 1), beforeDelta(field, 2)));
    }

    private static Batch rows(int... indices) {
        return new Batch(indices.length).node(indices.length, 0, NONE, bytes(indices));
    }

    private static Batch dictionary(int values) {
        Batch batch = new Batch(values);
        texts(values).accept(batch);
        return batch;
    }

    private static HandmadeInput replaced(FbsValue.Table field, int last) {
        return new HandmadeInput(schema(field))
                .dictionary(ID, false, dictionary(3))
                .batch(rows(0, 2))
                .dictionary(ID, false, dictionary(2))
                .batch(rows(0, last));
    }

    private static HandmadeInput beforeDelta(FbsValue.Table field, int last) {
        return new HandmadeInput(schema(field))
                .dictionary(ID, false, dictionary(2))
                .batch(rows(0, last))
                .dictionary(ID, true, dictionary(1))
                .batch(rows(0, 2));
    }

    // ---- values of dictionaries

    private void values() {
        String layout = "dictionary<int8, utf8>";
        texts(
                VALUE_OFFSET_ORDER,
                "offsets-descend",
                "descend",
                ints(0, 2, 3),
                ints(0, 3, 2),
                "abc");
        texts(
                VALUE_OFFSET_RANGE,
                "offsets-past",
                "end behind the data",
                ints(0, 2, 3),
                ints(0, 2, 4));
        Column sound = over(bytes(0, 1));
        list.add(
                VALUE_NOT_UTF8,
                "text-in-dictionary",
                layout,
                "a value of the dictionary is not UTF-8",
                sound,
                over(false, "a\u00FF"));
        list.add(
                VALUE_NOT_UTF8,
                "text-in-delta",
                layout,
                "a value of the delta is not UTF-8",
                over(true, "ab"),
                over(true, "a\u00FF"));
        Dictionary nulls = new Dictionary(ID, false, 2, to -> nullable(to, 1));
        list.add(
                VALUE_NULL_COUNT,
                "null-count-in-dictionary",
                layout,
                "the null count of a dictionary with one null is 2",
                Column.of(indexed(8, true), 2, 0, NONE, bytes(0, 1)).with(nulls),
                Column.of(indexed(8, true), 2, 0, NONE, bytes(0, 1))
                        .with(new Dictionary(ID, false, 2, to -> nullable(to, 2))));
        FbsValue.Table views = encoded(VIEW, ID);
        list.add(
                VALUE_VIEW_BUFFER,
                "view-buffer-past-in-dictionary",
                "dictionary<int8, utf8_view>",
                "the buffer of a view in the dictionary is the number of buffers",
                Column.of(views, 1, 0, NONE, bytes(0)).with(view(0)),
                Column.of(views, 1, 0, NONE, bytes(0)).with(view(1)));
        FbsValue.Table lists = encoded(field("list", Type.LIST, table("List"), INT8), ID);
        list.add(
                VALUE_OFFSET_RANGE,
                "offsets-past-list-in-dictionary",
                "dictionary<int8, list>",
                "the last list of the dictionary ends one behind the end of the child",
                Column.of(lists, 1, 0, NONE, bytes(0)).with(lists(3)),
                Column.of(lists, 1, 0, NONE, bytes(0)).with(lists(4)));
    }

    private void texts(
            Rule rule, String name, String what, byte[] sound, byte[] broken, String... data) {
        byte[] all = text(data.length == 0 ? "abc" : data[0]);
        for (boolean isDelta : new boolean[] {false, true}) {
            list.add(
                    rule,
                    name + (isDelta ? "-in-delta" : "-in-dictionary"),
                    "dictionary<int8, utf8>",
                    "the offsets of " + (isDelta ? "the delta " : "the dictionary ") + what,
                    over(isDelta, sound, all),
                    over(isDelta, broken, all));
        }
    }

    private static Column over(boolean isDelta, byte[] offsets, byte[] data) {
        Dictionary batch = new Dictionary(ID, isDelta, 2, to -> to.node(2, 0, NONE, offsets, data));
        return isDelta
                ? over(bytes(0, 3), batch)
                : Column.of(indexed(8, true), 2, 0, NONE, bytes(0, 1)).with(batch);
    }

    private static Column over(boolean isDelta, String data) {
        return over(isDelta, ints(0, 1, 2), text(data));
    }

    private static void nullable(Batch to, int nulls) {
        to.node(2, nulls, bytes(0b01), ints(0, 1, 1), text("a"));
    }

    private static Dictionary view(int buffer) {
        byte[] view = Bodies.view(13, "aaaa", buffer, 0);
        return new Dictionary(
                ID, false, 1, to -> to.variadic(1L).node(1, 0, NONE, view, text("a".repeat(13))));
    }

    private static Dictionary lists(int end) {
        return new Dictionary(
                ID,
                false,
                1,
                to -> to.node(1, 0, NONE, ints(0, end)).node(3, 0, NONE, bytes(1, 2, 3)));
    }

    // ---- dictionaries in dictionaries

    private static Column nested(Dictionary inner, int index) {
        FbsValue.Table field = encoded(struct(encoded(UTF8, ID + 1)), ID);
        Dictionary outer =
                new Dictionary(
                        ID, false, 2, to -> to.node(2, 0, NONE).node(2, 0, NONE, bytes(0, index)));
        return Column.of(field, 1, 0, NONE, bytes(1)).with(inner, outer);
    }

    private void nested() {
        String layout = "dictionary<int8, struct<dictionary<int8, utf8>>>";
        Dictionary inner = new Dictionary(ID + 1, false, 2, texts(2));
        list.add(
                VALUE_DICTIONARY_INDEX,
                "index-past-in-dictionary",
                layout,
                "an index in the outer dictionary is the number of values of the inner one",
                nested(inner, 1),
                nested(inner, 2));
        Dictionary broken =
                new Dictionary(
                        ID + 1, false, 2, to -> to.node(2, 0, NONE, ints(0, 2, 1), text("ab")));
        list.add(
                VALUE_OFFSET_ORDER,
                "offsets-descend-in-inner-dictionary",
                layout,
                "the offsets of the inner dictionary descend",
                nested(inner, 1),
                nested(broken, 1));
    }
}
