// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUE_NOT_UTF8;
import static dev.fletch.ValueRule.VALUE_VIEW_BUFFER;
import static dev.fletch.ValueRule.VALUE_VIEW_LENGTH;
import static dev.fletch.ValueRule.VALUE_VIEW_PADDING;
import static dev.fletch.ValueRule.VALUE_VIEW_PREFIX;
import static dev.fletch.ValueRule.VALUE_VIEW_RANGE;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.joined;
import static dev.fletch.corpus.Bodies.view;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.table;

import dev.fletch.Rule;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.List;

/// Views of text and binary that do not fit their buffers.
final class ViewCases {
    private static final FbsValue.Table BINARY =
            field("binary_view", Type.BINARY_VIEW, table("BinaryView"));
    private static final byte[] SHORT = view("abc");
    private static final byte[] LONG = view(13, "aaaa", 0, 1);

    private final ValueList list = new ValueList();

    // The layout of the cases that are made.
    private FbsValue.Table field;
    private String layout;

    static List<CorpusCase> all() {
        ViewCases made = new ViewCases();
        for (boolean isText : new boolean[] {true, false}) {
            made.field = isText ? VIEW : BINARY;
            made.layout = isText ? "utf8_view" : "binary_view";
            made.lengths();
            made.buffers();
            made.ranges();
            made.prefixes();
            made.padding();
        }
        made.texts();
        return made.list.cases;
    }

    /// A short value, and one that must be the last 13 of 14 bytes, or of 14 other ones.
    private Column column(byte[] first, byte[] second, String... variadic) {
        byte[][] buffers = new byte[2 + variadic.length][];
        buffers[0] = NONE;
        buffers[1] = joined(first, second);
        for (int i = 0; i < variadic.length; i++) {
            buffers[2 + i] = text(variadic[i]);
        }
        return new Column(field, 2, to -> to.variadic((long) variadic.length).node(2, 0, buffers));
    }

    private Column column(byte[] first, byte[] second) {
        return column(first, second, "a".repeat(14));
    }

    private void add(Rule rule, String name, String what, Column sound, Column broken) {
        list.add(rule, name + "-" + layout.replace('_', '-'), layout, what, sound, broken);
    }

    private void lengths() {
        add(
                VALUE_VIEW_LENGTH,
                "view-length-negative",
                "the length of a short view has the highest bit set",
                column(SHORT, LONG),
                column(view(Integer.MIN_VALUE | 3, "abc"), LONG));
        add(
                VALUE_VIEW_LENGTH,
                "view-length-minus-one",
                "the length of a long view is -1",
                column(SHORT, LONG),
                column(SHORT, view(-1, "aaaa", 0, 1)));
    }

    private void buffers() {
        add(
                VALUE_VIEW_BUFFER,
                "view-buffer-past",
                "the buffer of the second view is the number of buffers, which is 1",
                column(SHORT, LONG),
                column(SHORT, view(13, "aaaa", 1, 1)));
        add(
                VALUE_VIEW_BUFFER,
                "view-buffer-past-of-two",
                "the buffer of the second view is the number of buffers, which is 2",
                column(SHORT, view(13, "aaaa", 1, 1), "x", "a".repeat(14)),
                column(SHORT, view(13, "aaaa", 2, 1), "x", "a".repeat(14)));
        add(
                VALUE_VIEW_BUFFER,
                "view-buffer-negative",
                "the buffer of the second view is -1",
                column(SHORT, LONG),
                column(SHORT, view(13, "aaaa", -1, 1)));
        add(
                VALUE_VIEW_BUFFER,
                "view-buffer-none",
                "a view of 13 bytes needs a buffer, and there is none",
                new Column(field, 1, to -> none(to, 12)),
                new Column(field, 1, to -> none(to, 13)));
    }

    private static void none(Batch to, int length) {
        to.variadic(0L).node(1, 0, NONE, view(length, "aaaa", 0, 0));
    }

    private void ranges() {
        Column sound = column(SHORT, LONG);
        add(
                VALUE_VIEW_RANGE,
                "view-offset-past",
                "the second view ends one byte behind the end of its buffer",
                sound,
                column(SHORT, view(13, "aaaa", 0, 2)));
        add(
                VALUE_VIEW_RANGE,
                "view-length-past",
                "the second view is one byte longer than the rest of its buffer",
                sound,
                column(SHORT, view(14, "aaaa", 0, 1)));
        add(
                VALUE_VIEW_RANGE,
                "view-offset-negative",
                "the offset of the second view is -1",
                sound,
                column(SHORT, view(13, "aaaa", 0, -1)));
        add(
                VALUE_VIEW_RANGE,
                "view-offset-overflows",
                "the sum of offset and length of the second view is greater than 2^31 - 1",
                sound,
                column(SHORT, view(13, "aaaa", 0, Integer.MAX_VALUE)));
        add(
                VALUE_VIEW_RANGE,
                "view-in-shorter-buffer",
                "the second view is inside the first buffer, but refers to the shorter second one",
                column(SHORT, LONG, "a".repeat(14), "a".repeat(13)),
                column(SHORT, view(13, "aaaa", 1, 1), "a".repeat(14), "a".repeat(13)));
    }

    private void prefixes() {
        for (int i = 0; i < 4; i += 3) {
            String wrong = i == 0 ? "baaa" : "aaab";
            add(
                    VALUE_VIEW_PREFIX,
                    i == 0 ? "view-prefix-first" : "view-prefix-last",
                    "the "
                            + (i == 0 ? "first" : "last")
                            + " byte of a prefix is not that of its"
                            + " value",
                    column(SHORT, LONG),
                    column(SHORT, view(13, wrong, 0, 1)));
        }
    }

    private void padding() {
        Column sound = column(SHORT, view(11, "abcdefghijk"));
        add(
                VALUE_VIEW_PADDING,
                "view-padding-behind-3",
                "the byte behind a value of 3 bytes is not 0",
                sound,
                column(view(3, "abcd"), view(11, "abcdefghijk")));
        add(
                VALUE_VIEW_PADDING,
                "view-padding-behind-11",
                "the byte behind a value of 11 bytes, the last one of its view, is not 0",
                sound,
                column(SHORT, view(11, "abcdefghijkl")));
        add(
                VALUE_VIEW_PADDING,
                "view-padding-last",
                "the last byte of the view of a value of 3 bytes is not 0",
                sound,
                column(view(3, "abc\0\0\0\0\0\0\0\0d"), view(11, "abcdefghijk")));
        add(
                VALUE_VIEW_PADDING,
                "view-padding-of-empty",
                "a byte of the view of an empty value is not 0",
                column(view(""), LONG),
                column(view(0, "a"), LONG));
    }

    // ---- text

    private void texts() {
        field = VIEW;
        layout = "utf8_view";
        add(
                VALUE_NOT_UTF8,
                "text-lone-byte",
                "a short value has a byte that continues no character",
                column(view("a\u00C3\u00A9"), LONG),
                column(view("a\u0043\u00A9"), LONG));
        add(
                VALUE_NOT_UTF8,
                "text-cut-at-12",
                "a value of 12 bytes ends inside a character",
                column(view("abcdefghij\u00C3\u00A9"), LONG),
                column(view("abcdefghijk\u00C3"), LONG));
        String buffer = "\u00C3\u00A9" + "a".repeat(12) + "\u00C3\u00A9";
        byte[] sound = view(14, "aaaa", 0, 2);
        add(
                VALUE_NOT_UTF8,
                "text-begins-inside-character",
                "a long value begins with the second byte of a character",
                column(SHORT, sound, buffer),
                column(SHORT, view(15, "\u00A9aaa", 0, 1), buffer));
        add(
                VALUE_NOT_UTF8,
                "text-ends-inside-character",
                "a long value ends with the first byte of a character",
                column(SHORT, sound, buffer),
                column(SHORT, view(13, "aaaa", 0, 2), buffer));
        add(
                VALUE_NOT_UTF8,
                "text-in-buffer",
                "a byte of a long value is not UTF-8",
                column(SHORT, LONG, "a".repeat(14)),
                column(SHORT, LONG, "a".repeat(13) + "\u00FF"));
        byte[] validity = bytes(0b01);
        field = BINARY;
        layout = "binary_view";
        Column sharing =
                new Column(
                        field,
                        2,
                        to -> to.variadic(1L).node(2, 1, validity, joined(LONG, LONG), aaaa()));
        add(
                VALUE_VIEW_RANGE,
                "view-of-value-beside-null",
                "the value in front of a null ends one byte behind the end of its buffer",
                sharing,
                new Column(
                        field,
                        2,
                        to ->
                                to.variadic(1L)
                                        .node(
                                                2,
                                                1,
                                                validity,
                                                joined(view(13, "aaaa", 0, 2), LONG),
                                                aaaa())));
    }

    private static byte[] aaaa() {
        return text("a".repeat(14));
    }
}
