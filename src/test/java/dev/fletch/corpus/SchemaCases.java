// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.edited;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.inFile;
import static dev.fletch.corpus.MeaningParts.legacy;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.old;
import static dev.fletch.corpus.MeaningParts.one;
import static dev.fletch.corpus.MeaningParts.without;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.FileRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/// Inputs with messages, schemas, footers and custom metadata that are wrong as a whole.
final class SchemaCases {
    private static final int V3_VALUE = 2;
    private static final int V5_VALUE = 4;
    private static final int V6_VALUE = 5;

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        SchemaCases made = new SchemaCases();
        made.versions();
        made.headers();
        made.schemas();
        made.largeSchemas();
        made.deepSchemas();
        made.pairs();
        return made.cases;
    }

    private static Batch numbers() {
        return new Batch(2).node(2, 0, NONE, bytes(1, 2));
    }

    // ---- versions

    /// A stream whose schema message has a version.
    private static HandmadeInput ofVersion(int version) {
        HandmadeInput input = new HandmadeInput(schema(INT8));
        return input.schemaMessage(old(message(schema(INT8), 0), version));
    }

    private static HandmadeInput batchOfVersion(int version) {
        FbsValue.Table message = message(numbers().table(), numbers().body().length);
        return new HandmadeInput(schema(INT8)).addMessage(old(message, version), numbers().body());
    }

    private void versions() {
        Rule rule = MeaningRule.UNSUPPORTED_VERSION;
        cases.add(
                CorpusCase.of(rule, "version-6-of-schema", "a schema message has version 6").stream(
                        ofVersion(V5_VALUE), ofVersion(V6_VALUE)));
        cases.add(
                CorpusCase.of(rule, "version-3-of-schema", "a schema message has version 3").stream(
                        legacy(ofVersion(V3_VALUE + 1).stream()),
                        legacy(ofVersion(V3_VALUE).stream())));
        cases.add(
                CorpusCase.of(
                        rule,
                        "version-negative-of-schema",
                        "the version of a schema message is the number -1")
                        .stream(ofVersion(V5_VALUE), ofVersion(-1)));
        FbsValue.Table absent = with(message(schema(INT8), 0), "version", null);
        cases.add(
                CorpusCase.of(
                        rule,
                        "version-absent-of-schema",
                        "a schema message has no version, which is version 1")
                        .stream(
                                ofVersion(V5_VALUE),
                                new HandmadeInput(schema(INT8)).schemaMessage(absent)));
        cases.add(
                inBatch(rule, "version-3-of-batch", "", "a record batch has version 3").stream(
                        batchOfVersion(V3_VALUE + 1), batchOfVersion(V3_VALUE)));
        cases.add(
                inBatch(rule, "version-6-of-batch", "", "a record batch of a file has version 6")
                        .file(batchOfVersion(V5_VALUE), batchOfVersion(V6_VALUE)));
        cases.add(
                inBatch(rule, "version-6-of-footer", "", "the footer of a file has version 6")
                        .file(
                                one(INT8, numbers()).footerVersion(V5_VALUE),
                                one(INT8, numbers()).footerVersion(V6_VALUE)));
    }

    // ---- headers

    private void headers() {
        FbsValue.Table sound = message(numbers().table(), numbers().body().length);
        HandmadeInput right = new HandmadeInput(schema(INT8)).addMessage(sound, numbers().body());
        byte[] stream = right.stream();
        int type = Message.HEADER_TYPE_SLOT;
        cases.add(
                CorpusCase.of(MeaningRule.NO_HEADER, "no-header", "a message has no header").stream(
                        stream,
                        edited(
                                stream,
                                1,
                                bytes -> without(bytes, bound(bytes), type, Message.HEADER_SLOT))));
        HandmadeInput first = new HandmadeInput(schema());
        cases.add(
                CorpusCase.of(
                        MeaningRule.NO_HEADER,
                        "no-header-of-first-message",
                        "the first message of a stream has no header")
                        .stream(
                                first,
                                HandmadeInput.copy(first)
                                        .edit(
                                                bytes ->
                                                        without(
                                                                bytes,
                                                                bound(bytes),
                                                                Message.HEADER_TYPE_SLOT,
                                                                Message.HEADER_SLOT),
                                                UnaryOperator.identity())));
        FbsValue.Table unknown = with(sound, "header_type", 6);
        cases.add(
                CorpusCase.of(
                        MeaningRule.UNKNOWN_HEADER,
                        "header-type-6",
                        "a message has a header of type 6, behind SparseTensor, which is 5")
                        .stream(
                                right,
                                new HandmadeInput(schema(INT8))
                                        .addMessage(unknown, numbers().body())));
        FbsValue.Table bodiless = with(message(schema(INT8), 0), "bodyLength", 0);
        HandmadeInput none = one(INT8, numbers()).schemaMessage(bodiless);
        cases.add(
                CorpusCase.of(
                        MeaningRule.SCHEMA_WITH_BODY,
                        "schema-with-body",
                        "a schema message has a body of 8 bytes")
                        .stream(
                                none,
                                one(INT8, numbers())
                                        .schemaMessage(message(schema(INT8), 8), new byte[8])));
        cases.add(
                CorpusCase.of(
                                MeaningRule.SCHEMA_WITH_BODY,
                                "schema-with-body-in-file",
                                "the schema message of a file has a body of 8 bytes")
                        .file(
                                none,
                                one(INT8, numbers())
                                        .schemaMessage(message(schema(INT8), 8), new byte[8])));
    }

    // ---- schemas

    private static HandmadeInput ordered(int endianness, Batch... batches) {
        HandmadeInput input = new HandmadeInput(with(schema(INT8), "endianness", endianness));
        List.of(batches).forEach(input::batch);
        return input;
    }

    private static HandmadeInput ofFooter(FbsValue.Table pair) {
        return new HandmadeInput(schema(INT8))
                .footer(footer -> with(footer, "custom_metadata", List.of(pair)));
    }

    private static HandmadeInput features(Integer... features) {
        FbsValue.Table schema = with(schema(INT8), "features", List.of(features));
        return new HandmadeInput(schema).batch(numbers());
    }

    private void schemas() {
        Rule endianness = MeaningRule.UNKNOWN_ENDIANNESS;
        cases.add(
                CorpusCase.of(endianness, "endianness-2", "the byte order of a schema is 2").stream(
                        ordered(1), ordered(2)));
        cases.add(
                inFile(endianness, "endianness-negative", "", "the byte order of a schema is -1")
                        .file(ordered(0, numbers()), ordered(-1, numbers())));
        cases.add(
                CorpusCase.of(
                                MeaningRule.UNKNOWN_FEATURE,
                                "feature-3",
                                "a schema has the feature 3, which is not declared")
                        .file(features(1, 2), features(1, 3)));
        cases.add(
                CorpusCase.of(
                        MeaningRule.UNKNOWN_FEATURE,
                        "feature-negative",
                        "a schema has the feature -1, which is not declared")
                        .stream(features(0), features(-1)));
        HandmadeInput noColumns = new HandmadeInput(schema()).batch(new Batch(3));
        HandmadeInput noFields = without(noColumns, schema -> schema, Schema.FIELDS_SLOT);
        cases.add(
                CorpusCase.of(
                                MeaningRule.NO_FIELDS,
                                "no-fields",
                                "a schema has no vector of fields")
                        .file(noColumns, noFields));
        cases.add(
                CorpusCase.of(
                        MeaningRule.NO_FIELDS,
                        "no-fields-of-stream",
                        "the schema of a stream has no vector of fields")
                        .stream(noColumns, noFields));
        FbsValue.Table pair = table("KeyValue", "key", "k", "value", "v");
        cases.add(
                CorpusCase.of(
                                MeaningRule.NO_KEY,
                                "no-key-of-footer",
                                "a pair in the custom metadata of a footer has no key")
                        .implies(FileRule.METADATA_IN_FOOTER)
                        .file(new HandmadeInput(schema(INT8)), ofFooter(with(pair, "key", null))));
        HandmadeInput empty = new HandmadeInput(schema());
        cases.add(
                CorpusCase.of(
                                MeaningRule.FOOTER_WITHOUT_SCHEMA,
                                "footer-without-schema",
                                "the footer of a file has no schema")
                        .file(empty, footless(empty)));
        cases.add(
                inBatch(
                                MeaningRule.FOOTER_WITHOUT_SCHEMA,
                                "footer-without-schema-with-batch",
                                "",
                                "the footer of a file with a batch has no schema")
                        .file(one(INT8, numbers()), footless(one(INT8, numbers()))));
    }

    private static HandmadeInput footless(HandmadeInput input) {
        return HandmadeInput.copy(input)
                .edit(
                        UnaryOperator.identity(),
                        bytes -> without(bytes, footer(bytes), Footer.SCHEMA_SLOT));
    }

    private static Footer footer(byte[] bytes) {
        return new Footer().wrap(MemorySegment.ofArray(bytes));
    }

    // ---- limits

    /// Columns that are one table, whose metadata is one pair, with a value of some letters.
    private static HandmadeInput shared(int columns, int pairs, int letters) {
        FbsValue.Table pair = pair("k", "x".repeat(letters));
        FbsValue.Table field = with(INT8, "custom_metadata", Collections.nCopies(pairs, pair));
        return new HandmadeInput(table("Schema", "fields", Collections.nCopies(columns, field)));
    }

    private static FbsValue.Table pair(String key, String value) {
        return table("KeyValue", "key", key, "value", value);
    }

    private void largeSchemas() {
        cases.add(
                CorpusCase.of(
                        MeaningRule.SCHEMA_TOO_LARGE,
                        "schema-of-shared-text",
                        "a hundred columns share a hundred pairs of metadata, which share a"
                                + " text")
                        .stream(shared(100, 100, LETTERS), shared(100, 100, LETTERS + 1)));
    }

    private static final int LETTERS = 1626;

    private static FbsValue.Table nested(int levels) {
        FbsValue.Table field = INT8;
        for (int i = 1; i < levels; i++) {
            field = with(struct(field), "name", "");
        }
        return field;
    }

    private static HandmadeInput deep(int levels) {
        Batch batch = new Batch(1);
        for (int i = 1; i < levels; i++) {
            batch.node(1, 0, NONE);
        }
        return one(nested(levels), batch.node(1, 0, NONE, bytes(7)));
    }

    private void deepSchemas() {
        cases.add(
                CorpusCase.of(
                        MeaningRule.NESTED_DEEPLY,
                        "fields-at-65-levels",
                        "fields are nested 65 levels deep")
                        .layout("struct")
                        .reader(CorpusCase.Reader.MAY_READ)
                        .stream(deep(64), deep(65)));
    }

    // ---- custom metadata

    private void pairs() {
        List<FbsValue.Table> pairs = List.of(pair("", ""));
        HandmadeInput ofSchema =
                new HandmadeInput(with(schema(INT8), "custom_metadata", pairs)).batch(numbers());
        HandmadeInput ofField = one(with(INT8, "custom_metadata", pairs), numbers());
        Batch below = new Batch(2).node(2, 0, NONE, ints(0, 1, 2)).node(2, 0, NONE, bytes(1, 2));
        HandmadeInput ofItems = one(list(with(INT8, "custom_metadata", pairs)), below);
        HandmadeInput ofMessage = new HandmadeInput(schema(INT8));
        FbsValue.Table named = with(message(schema(INT8), 0), "custom_metadata", pairs);
        ofMessage.schemaMessage(named).batch(numbers());
        Object[][] rules = {
            {MeaningRule.NO_KEY, "key", KeyValue.KEY_SLOT},
            {MeaningRule.NO_VALUE, "value", KeyValue.VALUE_SLOT}
        };
        for (Object[] each : rules) {
            Rule rule = (Rule) each[0];
            String name = "no-" + each[1];
            String what = "a pair in the custom metadata of a %s has no " + each[1];
            int slot = (int) each[2];
            cases.add(
                    CorpusCase.of(rule, name + "-of-schema", what.formatted("schema"))
                            .file(ofSchema, without(ofSchema, SchemaCases::pairOfSchema, slot)));
            cases.add(
                    CorpusCase.of(rule, name + "-of-field", what.formatted("field")).stream(
                            ofField, without(ofField, SchemaCases::pairOfField, slot)));
            cases.add(
                    CorpusCase.of(rule, name + "-of-items", what.formatted("list's child"))
                            .layout("list")
                            .file(ofItems, without(ofItems, SchemaCases::pairOfItems, slot)));
            HandmadeInput wrong =
                    HandmadeInput.copy(ofMessage)
                            .edit(
                                    bytes ->
                                            without(
                                                    bytes,
                                                    bound(bytes).customMetadata(0, new KeyValue()),
                                                    slot),
                                    UnaryOperator.identity());
            cases.add(
                    CorpusCase.of(rule, name + "-of-message", what.formatted("message")).stream(
                            ofMessage, wrong));
        }
    }

    private static Table pairOfSchema(Schema schema) {
        return schema.customMetadata(0, new KeyValue());
    }

    private static Table pairOfField(Schema schema) {
        return schema.fields(0, new Field()).customMetadata(0, new KeyValue());
    }

    private static Table pairOfItems(Schema schema) {
        Field items = schema.fields(0, new Field()).children(0, new Field());
        return items.customMetadata(0, new KeyValue());
    }
}
