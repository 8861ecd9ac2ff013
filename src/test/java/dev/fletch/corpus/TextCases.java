// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUE_NOT_UTF8;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.numbers;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.table;

import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;

import java.util.List;

/// Text that is not UTF-8.
final class TextCases {
    private static final FbsValue.Table LARGE =
            field("large_utf8", Type.LARGE_UTF8, table("LargeUtf8"));

    private final ValueList list = new ValueList();

    static List<CorpusCase> all() {
        TextCases made = new TextCases();
        for (boolean isLarge : new boolean[] {false, true}) {
            made.characters(isLarge);
            made.boundaries(isLarge);
        }
        return made.list.cases;
    }

    /// @param data in hexadecimal digits, behind and before a letter
    private static Column column(boolean isLarge, String data) {
        byte[] all = Bodies.hex("61" + data + "7a");
        return Column.of(isLarge ? LARGE : UTF8, 1, 0, NONE, offsets(isLarge, 0, all.length), all);
    }

    private static byte[] offsets(boolean isLarge, long... offsets) {
        return numbers(isLarge ? Long.SIZE : Integer.SIZE, offsets);
    }

    private void add(boolean isLarge, String name, String what, String sound, String broken) {
        add(isLarge, name, what, column(isLarge, sound), column(isLarge, broken));
    }

    private void add(boolean isLarge, String name, String what, Column sound, Column broken) {
        String layout = isLarge ? "large_utf8" : "utf8";
        String full = "text-" + name + "-" + layout.replace('_', '-');
        list.add(VALUE_NOT_UTF8, full, layout, what, sound, broken);
    }

    private void characters(boolean isLarge) {
        add(isLarge, "overlong-2", "a character of 7 bits has two bytes", "c280", "c180");
        add(isLarge, "overlong-3", "a character of 11 bits has three bytes", "e0a080", "e09f80");
        add(isLarge, "overlong-4", "a character of 16 bits has four bytes", "f0908080", "f08f8080");
        add(isLarge, "surrogate", "a surrogate, U+D800, is a character", "ed9fbf", "eda080");
        add(isLarge, "above-unicode", "a character is above U+10FFFF", "f48fbfbf", "f4908080");
        add(isLarge, "byte-ff", "a byte is FF, which no character has", "7f", "ff");
        add(isLarge, "lone-byte", "a byte continues no character", "c3a9", "61a9");
        add(isLarge, "cut-inside", "a character lacks its last byte", "e282ac", "e28261");
    }

    private void boundaries(boolean isLarge) {
        FbsValue.Table field = isLarge ? LARGE : UTF8;
        byte[] data = Bodies.hex("c3a9c3a9");
        add(
                isLarge,
                "split",
                "an offset is inside a character: neither of two values is UTF-8",
                Column.of(field, 2, 0, NONE, offsets(isLarge, 0, 2, 4), data),
                Column.of(field, 2, 0, NONE, offsets(isLarge, 0, 3, 4), data));
        add(
                isLarge,
                "cut-at-end",
                "the last value ends inside a character",
                Column.of(field, 2, 0, NONE, offsets(isLarge, 0, 2, 4), data),
                Column.of(field, 2, 0, NONE, offsets(isLarge, 0, 2, 3), data));
        byte[] other = Bodies.hex("61ff62");
        add(
                isLarge,
                "beside-null",
                "a wrong byte belongs to a value, no more to the null behind it",
                Column.of(field, 2, 1, bytes(0b01), offsets(isLarge, 0, 1, 3), other),
                Column.of(field, 2, 1, bytes(0b01), offsets(isLarge, 0, 2, 3), other));
    }
}
