// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.FileRule.METADATA_DIFFERS;
import static dev.fletch.FileRule.METADATA_IN_FOOTER;
import static dev.fletch.FileRule.NO_SCHEMA_MESSAGE;
import static dev.fletch.FileRule.SCHEMA_DIFFERS;
import static dev.fletch.FileRule.SCHEMA_MESSAGE_DAMAGED;
import static dev.fletch.FileRule.UNFRAMED_SCHEMA;
import static dev.fletch.FileRule.VERSION_DIFFERS;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.FileRule;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.ValueRule;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.verify.messages.Meant;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Schema messages that are missing, damaged, or differ from the footer.
final class SchemaMessageCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        SchemaMessageCases made = new SchemaMessageCases();
        for (Base base : Base.values()) {
            made.missing(base);
        }
        made.damaged();
        made.schemas();
        made.metadata();
        made.metadataOfThreePairs();
        made.versions();
        return made.cases;
    }

    private void missing(Base base) {
        cases.add(
                CorpusCase.of(
                                NO_SCHEMA_MESSAGE,
                                "no-schema-message" + base.suffix,
                                "only the footer has a schema")
                        .file(base.input(), base.input().schemaMessage(null)));
        if (base != Base.LEGACY) { // whose prefix is 4 bytes
            cases.add(
                    CorpusCase.of(
                                    UNFRAMED_SCHEMA,
                                    "unframed-schema" + base.suffix,
                                    "the schema message has no prefix")
                            .file(base.input(), base.input().unframed()));
        }
        cases.add(
                CorpusCase.of(
                        FileRule.NO_LEADING_SCHEMA,
                        "no-leading-schema" + base.suffix,
                        "the stream begins with a batch")
                        .implies(
                                base == Base.NO_COLUMNS
                                        ? new Rule[0]
                                        : new Rule[] {ValueRule.VALUES_UNCHECKED})
                        .stream(base.input(), base.input().schemaMessage(null)));
    }

    // ---- damage

    private void damaged() {
        damaged(
                "root",
                "the root of the schema message is outside of it",
                bytes -> {
                    return Bodies.put(bytes, 0, 0xF0, 0xFF, 0xFF, 0x7F);
                });
        damaged(
                "name",
                "no NUL follows the name of the column",
                bytes -> {
                    return Bodies.put(bytes, indexOf(bytes, "utf8\0") + 4, 'x');
                });
        byte[] file = Base.TEXTS.input().file();
        cases.add(
                CorpusCase.of(
                                NO_SCHEMA_MESSAGE,
                                "no-schema-message-length-0",
                                "the metadata length of the schema message is 0, which ends a"
                                        + " stream")
                        .file(file, Bodies.put(file, 12, 0, 0, 0, 0)));
        cases.add(
                CorpusCase.of(
                                SCHEMA_MESSAGE_DAMAGED,
                                "schema-message-is-a-batch",
                                "the schema message has the header type of record batches")
                        .implies(
                                NO_SCHEMA_MESSAGE,
                                StructureRule.ELEMENTS_MISALIGNED,
                                ValueRule.VALUES_UNCHECKED)
                        .file(
                                Base.TEXTS.input(),
                                Base.TEXTS
                                        .input()
                                        .edit(
                                                SchemaMessageCases::asBatch,
                                                UnaryOperator.identity())));
        FbsValue.Table batch = new HandmadeInput.Batch(0).table();
        HandmadeInput none = Base.NO_COLUMNS.input();
        cases.add(
                CorpusCase.of(
                                NO_SCHEMA_MESSAGE,
                                "no-schema-message-batch",
                                "a record batch without a block is where the schema message"
                                        + " belongs")
                        .file(none, Base.NO_COLUMNS.input().schemaMessage(message(batch, 0))));
    }

    private void damaged(String name, String what, UnaryOperator<byte[]> edit) {
        cases.add(
                CorpusCase.of(SCHEMA_MESSAGE_DAMAGED, "schema-message-" + name, what)
                        .file(
                                Base.TEXTS.input(),
                                Base.TEXTS.input().edit(edit, UnaryOperator.identity())));
    }

    private static byte[] asBatch(byte[] message) {
        EditedFlatbuffer edited = new EditedFlatbuffer(message, "Message");
        return edited.u8(edited.field("header_type"), MessageHeader.RECORD_BATCH).bytes();
    }

    private static int indexOf(byte[] bytes, String text) {
        return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
    }

    // ---- differences

    private void schemas() {
        HandmadeInput texts = Base.TEXTS.input();
        cases.add(
                CorpusCase.of(
                                SCHEMA_DIFFERS,
                                "schema-differs-name",
                                "the column of the schema message is utfX, that of the footer utf8")
                        .file(
                                texts,
                                Base.TEXTS
                                        .input()
                                        .edit(
                                                SchemaMessageCases::renamed,
                                                UnaryOperator.identity())));
        cases.add(
                CorpusCase.of(
                                SCHEMA_DIFFERS,
                                "schema-differs-name-in-footer",
                                "the column of the footer is utfX, that of the schema message utf8")
                        .file(
                                texts,
                                Base.TEXTS
                                        .input()
                                        .edit(
                                                UnaryOperator.identity(),
                                                SchemaMessageCases::renamed)));
        cases.add(
                CorpusCase.of(
                                SCHEMA_DIFFERS,
                                "schema-differs-twice",
                                "a name and a pair of metadata of the schema message are not in the"
                                        + " footer")
                        .file(
                                texts,
                                Base.TEXTS
                                        .input()
                                        .schemaMessage(
                                                message(
                                                        with(
                                                                schema(
                                                                        with(
                                                                                Meant.UTF8,
                                                                                "name",
                                                                                "utfX")),
                                                                "custom_metadata",
                                                                List.of(pair("k", "v"))),
                                                        0))));
        differs("columns", "the schema message has a column more", schema(Meant.UTF8, Meant.INT8));
        differs("none", "the schema message has no columns", schema());
        differs(
                "type",
                "the column is a number in the schema message",
                schema(with(Meant.INT8, "name", "utf8")));
        differs(
                "nullable",
                "the column cannot be null in the schema message",
                schema(Meant.required(Meant.UTF8)));
        differs(
                "metadata",
                "the schema of the schema message has custom metadata",
                with(schema(Meant.UTF8), "custom_metadata", List.of(pair("k", "v"))));
    }

    private static byte[] renamed(byte[] bytes) {
        return Bodies.put(bytes, indexOf(bytes, "utf8\0") + 3, 'X');
    }

    private void differs(String name, String what, FbsValue.Table other) {
        cases.add(
                CorpusCase.of(SCHEMA_DIFFERS, "schema-differs-" + name, what)
                        .file(
                                Base.TEXTS.input(),
                                Base.TEXTS.input().schemaMessage(message(other, 0))));
    }

    private static FbsValue.Table pair(String key, String value) {
        return table("KeyValue", "key", key, "value", value);
    }

    // ---- custom metadata, and versions

    /// @param message custom metadata of the schema message
    /// @param footer that of the footer
    private static HandmadeInput pairs(List<FbsValue.Table> message, List<FbsValue.Table> footer) {
        HandmadeInput input = Base.TEXTS.input();
        if (!message.isEmpty()) {
            FbsValue.Table plain = message(input.schema(), 0);
            input.schemaMessage(with(plain, "custom_metadata", message));
        }
        return footer.isEmpty() ? input : input.footer(of -> with(of, "custom_metadata", footer));
    }

    private void metadata() {
        List<FbsValue.Table> pair = List.of(pair("key", "value"));
        HandmadeInput sound = pairs(pair, pair);
        cases.add(
                CorpusCase.of(
                                METADATA_DIFFERS,
                                "metadata-differs-value",
                                "a value in the footer is not that in the schema message")
                        .file(sound, pairs(pair, List.of(pair("key", "other")))));
        cases.add(
                CorpusCase.of(
                                METADATA_DIFFERS,
                                "metadata-differs-key",
                                "a key in the footer is not that in the schema message")
                        .file(sound, pairs(pair, List.of(pair("kez", "value")))));
        cases.add(
                CorpusCase.of(
                                METADATA_DIFFERS,
                                "metadata-only-in-message",
                                "only the schema message has custom metadata")
                        .file(sound, pairs(pair, List.of())));
        cases.add(
                CorpusCase.of(
                                METADATA_IN_FOOTER,
                                "metadata-only-in-footer",
                                "only the footer has custom metadata")
                        .file(sound, pairs(List.of(), pair)));
    }

    private void metadataOfThreePairs() {
        FbsValue.Table run = pair("run", "42");
        FbsValue.Table again = pair("run", "43");
        FbsValue.Table empty = pair("a", "");
        List<FbsValue.Table> message = List.of(run, empty, again);
        HandmadeInput reordered = pairs(message, List.of(empty, run, again));
        cases.add(
                CorpusCase.of(
                                METADATA_DIFFERS,
                                "metadata-differs-one-of-three",
                                "of three pairs, in any order, one has another value in the footer")
                        .file(reordered, pairs(message, List.of(pair("a", "b"), run, again))));
        cases.add(
                CorpusCase.of(
                                METADATA_DIFFERS,
                                "metadata-only-in-message-three",
                                "only the schema message has custom metadata, with a key twice")
                        .file(reordered, pairs(message, List.of())));
    }

    private void versions() {
        cases.add(
                CorpusCase.of(
                                VERSION_DIFFERS,
                                "version-differs-from-none",
                                "the footer is V4, and could do without a version")
                        .file(
                                Base.TEXTS.input().footer(of -> with(of, "version", null)),
                                Base.TEXTS.input().footerVersion(MetadataVersion.V4)));
        cases.add(
                CorpusCase.of(
                                VERSION_DIFFERS,
                                "version-differs-footer-v4",
                                "the footer is V4, and all messages are V5")
                        .file(
                                Base.TEXTS.input(),
                                Base.TEXTS.input().footerVersion(MetadataVersion.V4)));
        cases.add(
                CorpusCase.of(
                                VERSION_DIFFERS,
                                "version-differs-footer-v5",
                                "the footer is V5, and all messages are V4")
                        .file(Base.V4.input(), Base.V4.input().footerVersion(MetadataVersion.V5)));
    }
}
