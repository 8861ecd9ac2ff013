// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.StructureRule.*;
import static dev.fletch.corpus.FlatbufferBase.SCHEMA;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;

import java.util.List;
import java.util.function.Consumer;

/// Flatbuffers with a wrong string.
final class StringCases {
    private static final String NAME = "header.fields[0].name";
    private static final String VALUE = "schema.custom_metadata[0].value";
    private static final FbsValue.Table TIMESTAMP =
            field("timestamp", Type.TIMESTAMP, table("Timestamp", "unit", 1, "timezone", "UTC+1"));

    private final FlatbufferList list = new FlatbufferList();

    private StringCases() {}

    static List<CorpusCase> all() {
        StringCases made = new StringCases();
        made.places();
        made.lengths();
        made.ofBatch();
        made.terminators();
        made.characters();
        return made.list.cases;
    }

    private void places() {
        list.add(
                FlatbufferBase.schemaStream(),
                STRING_MISALIGNED,
                "string-misaligned-name",
                "a name begins at 2 mod 4",
                each -> each.add32(each.field(NAME), 2));
        list.add(
                FlatbufferBase.footer(),
                STRING_MISALIGNED,
                "string-misaligned-value",
                "a value of the footer's schema begins at an odd position",
                each -> each.add32(each.field(VALUE), 1));
        list.add(
                FlatbufferBase.footer(schema(with(UTF8, "name", "")), _ -> {}),
                STRING_OUT_OF_RANGE,
                "string-3-bytes-name",
                "an empty name begins 3 bytes before the footer's end",
                each -> {
                    each.lead("schema.fields[0].name", each.append(new byte[8]));
                    each.cut(3);
                },
                each -> each.cut(2));
    }

    /// Lets a name be the last in the flatbuffer.
    private static void nameAtEnd(EditedFlatbuffer flatbuffer) {
        byte[] name = bytes(11, 0, 0, 0, 'e', 'l', 'e', 'v', 'e', 'n', ' ', 'b', 'y', 't', 'e', 0);
        flatbuffer.lead(NAME, flatbuffer.append(name));
    }

    private void lengths() {
        length(
                STRING_UNTERMINATED,
                "string-ends-with-flatbuffer",
                "the flatbuffer ends with the name",
                StringCases::nameAtEnd,
                12);
        length(
                STRING_LENGTH_OUT_OF_RANGE,
                "string-length-behind-end",
                "a name ends 1 byte behind the flatbuffer",
                StringCases::nameAtEnd,
                13);
        length(
                STRING_LENGTH_OUT_OF_RANGE,
                "string-length-2-31-minus-2",
                "the length of a name is 2^31 - 2",
                _ -> {},
                Integer.MAX_VALUE - 1);
        length(
                STRING_TOO_LONG,
                "string-length-2-31-minus-1",
                "the length of a name is 2^31 - 1",
                _ -> {},
                Integer.MAX_VALUE);
        length(STRING_TOO_LONG, "string-length-minus-1", "a name's length is -1", _ -> {}, -1);
        // Its end, 4 + 2^32 - 4 bytes further, is 0 in 32 bits.
        length(STRING_TOO_LONG, "string-length-minus-4", "a name's length is -4", _ -> {}, -4);
        list.add(
                FlatbufferBase.footer(),
                STRING_LENGTH_OUT_OF_RANGE,
                "string-length-footer",
                "the length of a value is that of the footer",
                each -> each.i32(each.target(VALUE), each.size()));
    }

    /// Strings of a batch are those of its message's custom metadata.
    private void ofBatch() {
        String path = "custom_metadata[0].value";
        list.add(
                FlatbufferBase.batchWithMetadata(),
                STRING_LENGTH_OUT_OF_RANGE,
                "string-length-batch",
                "a value of a batch's custom metadata has 65536 bytes",
                each -> each.i32(each.target(path), 1 << 16));
        list.add(
                FlatbufferBase.batchWithMetadata(),
                OFFSET_ZERO,
                "offset-zero-batch-metadata",
                "a value of a batch's custom metadata is at offset 0",
                each -> each.i32(each.field(path), 0));
        // A batch has no values without its schema.
        list.cases.add(
                FlatbufferBase.schemaBeforeBatch()
                        .toCase(
                                CorpusCase.of(
                                                STRING_UNTERMINATED,
                                                "string-unterminated-before-batch",
                                                "no NUL follows a name, and a batch follows the"
                                                        + " schema")
                                        .implies(ValueRule.VALUES_UNCHECKED),
                                each -> each.u8(end(each, NAME), '!')));
    }

    private void length(
            Rule rule, String name, String what, Consumer<EditedFlatbuffer> both, int length) {
        list.add(
                FlatbufferBase.schemaStream(),
                rule,
                name,
                what,
                both,
                each -> each.i32(each.target(NAME), length));
    }

    private void terminators() {
        list.add(
                FlatbufferBase.schemaStream(),
                STRING_UNTERMINATED,
                "string-unterminated-name",
                "no NUL follows a name",
                each -> each.u8(end(each, NAME), '!'));
        list.add(
                FlatbufferBase.footer(),
                STRING_UNTERMINATED,
                "string-unterminated-value",
                "a value is 1 byte shorter than up to its NUL",
                each -> each.add32(each.target(VALUE), -1));
    }

    private static int end(EditedFlatbuffer flatbuffer, String path) {
        int at = flatbuffer.target(path);
        return at + Integer.BYTES + flatbuffer.i32(at);
    }

    private void characters() {
        characters(
                "overlong",
                "a NUL in two bytes, as in modified UTF-8",
                FlatbufferBase.schemaStream(),
                NAME,
                0xC0,
                0x80);
        characters(
                "surrogate",
                "a surrogate, as in CESU-8",
                FlatbufferBase.schemaStream(),
                NAME,
                0xED,
                0xA0,
                0x80);
        characters(
                "behind-10ffff",
                "a character above U+10FFFF",
                FlatbufferBase.bare(SCHEMA),
                "fields[0].name",
                0xF4,
                0x90,
                0x80,
                0x80);
        characters(
                "latin-1",
                "a character of ISO 8859-1",
                FlatbufferBase.schemaStream(schema(TIMESTAMP)),
                "header.fields[0].type.timezone",
                0xE9);
        characters(
                "value",
                "a byte FF",
                FlatbufferBase.schemaStream(),
                "header.custom_metadata[0].value",
                0xFF);
        list.add(
                FlatbufferBase.schemaStream(),
                STRING_NOT_UTF8,
                "string-not-utf8-cut",
                "a name ends inside a character",
                each -> each.u8(end(each, NAME) - 2, 0xC3).u8(end(each, NAME) - 1, 0xA4),
                each -> {
                    int last = end(each, NAME) - 1;
                    each.u8(last, 0).add32(each.target(NAME), -1);
                });
    }

    /// Replaces the first bytes of a string.
    private void characters(
            String name, String found, FlatbufferBase base, String path, int... characters) {
        list.add(
                base,
                STRING_NOT_UTF8,
                "string-not-utf8-" + name,
                "a string has " + found,
                each -> {
                    int at = each.target(path) + Integer.BYTES;
                    for (int i = 0; i < characters.length; i++) {
                        each.u8(at + i, characters[i]);
                    }
                });
    }
}
