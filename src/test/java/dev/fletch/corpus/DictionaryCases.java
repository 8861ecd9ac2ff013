// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.dictionary;
import static dev.fletch.corpus.MeaningParts.fixedList;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.legacy;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.old;
import static dev.fletch.corpus.MeaningParts.union;
import static dev.fletch.corpus.MeaningParts.without;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.FileRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.List;

/// Inputs with dictionaries that are not there, or not what their fields expect.
final class DictionaryCases {
    private static final FbsValue.Table WORDS = encoded(UTF8, 3);

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        DictionaryCases made = new DictionaryCases();
        made.encodings();
        made.types();
        made.unused();
        made.withoutData();
        made.deltas();
        made.replaced();
        made.undefined();
        made.late();
        return made.cases;
    }

    private static HandmadeInput words() {
        return new HandmadeInput(schema(WORDS));
    }

    private static Batch texts() {
        return new Batch(2).node(2, 0, NONE, ints(0, 1, 2), text("ab"));
    }

    private static Batch indices() {
        return new Batch(2).node(2, 0, NONE, bytes(0, 1));
    }

    // ---- fields

    private static HandmadeInput indexed(int bits) {
        FbsValue.Table index = table("Int", "bitWidth", bits, "is_signed", 1);
        FbsValue.Table encoding = table("DictionaryEncoding", "id", 3, "indexType", index);
        return new HandmadeInput(schema(with(UTF8, "dictionary", encoding)))
                .dictionary(3, false, texts())
                .batch(new Batch(1).node(1, 0, NONE, new byte[Long.BYTES]));
    }

    private static DictionaryEncoding encoding(Schema schema) {
        DictionaryEncoding encoding = new DictionaryEncoding();
        schema.fields(0, new Field()).dictionary(encoding);
        return encoding;
    }

    private static HandmadeInput ofKind(int kind) {
        FbsValue.Table index = table("Int", "bitWidth", 8, "is_signed", 1);
        FbsValue.Table encoding = table("DictionaryEncoding", "id", 3, "indexType", index);
        FbsValue.Table of = with(encoding, "dictionaryKind", kind);
        return new HandmadeInput(schema(with(UTF8, "dictionary", of)))
                .dictionary(3, false, texts())
                .batch(indices());
    }

    private void encodings() {
        Rule width = MeaningRule.INDEX_WIDTH;
        cases.add(
                inBatch(width, "index-12-bits", "dictionary", "the indices have 12 bits").stream(
                        indexed(8), indexed(12)));
        cases.add(
                inBatch(width, "index-128-bits", "dictionary", "the indices have 128 bits")
                        .implies(FileRule.SCHEMA_MESSAGE_DAMAGED)
                        .file(indexed(64), indexed(128)));
        cases.add(
                inBatch(
                        width,
                        "index-24-bits-instead-of-none",
                        "dictionary",
                        "the indices have 24 bits; without an index type they would have 32")
                        .stream(
                                without(
                                        indexed(24),
                                        DictionaryCases::encoding,
                                        DictionaryEncoding.INDEX_TYPE_SLOT),
                                indexed(24)));
        Rule kind = MeaningRule.DICTIONARY_KIND;
        cases.add(
                inBatch(kind, "dictionary-kind-1", "dictionary", "the kind of a dictionary is 1")
                        .implies(FileRule.SCHEMA_MESSAGE_DAMAGED)
                        .file(ofKind(0), ofKind(1)));
        cases.add(
                inBatch(
                        kind,
                        "dictionary-kind-negative",
                        "dictionary",
                        "the kind of a dictionary is -1")
                        .stream(legacy(ofKind(0).stream()), legacy(ofKind(-1).stream())));
    }

    private void types() {
        Rule rule = MeaningRule.DICTIONARY_TYPE;
        FbsValue.Table wide = encoded(integer("n", 32), 3);
        cases.add(
                inBatch(
                                rule,
                                "dictionary-of-two-widths",
                                "dictionary",
                                "two columns have one dictionary, of int32 and of int16")
                        .implies(FileRule.SCHEMA_MESSAGE_DAMAGED)
                        .file(
                                two(wide, encoded(integer("m", 32), 3)),
                                two(wide, encoded(integer("m", 16), 3))));
        cases.add(
                ofTwo(
                        "dictionary-of-text-and-binary",
                        "two columns have one dictionary, of texts and of bytes",
                        encoded(UTF8, 3),
                        encoded(with(UTF8, "type_type", Type.BINARY), 3)));
        cases.add(
                ofTwo(
                        "dictionary-of-two-signs",
                        "two columns have one dictionary, of int8 and of uint8",
                        encoded(INT8, 3),
                        encoded(
                                with(INT8, "type", table("Int", "bitWidth", 8, "is_signed", 0)),
                                3)));
        cases.add(
                ofTwo(
                        "dictionary-of-two-names",
                        "two columns have one dictionary of structs, whose children have other"
                                + " names",
                        encoded(struct(INT8), 3),
                        encoded(struct(with(INT8, "name", "int9")), 3)));
        cases.add(
                ofTwo(
                        "dictionary-of-two-inner-dictionaries",
                        "two columns have one dictionary of structs, whose children have other"
                                + " dictionaries",
                        encoded(struct(encoded(INT8, 4)), 3),
                        encoded(struct(encoded(INT8, 5)), 3)));
        cases.add(
                ofTwo(
                        "dictionary-of-two-list-sizes",
                        "two columns have one dictionary of fixed-size lists, of 2 and of 3 items",
                        encoded(fixedList(2, INT8), 3),
                        encoded(fixedList(3, INT8), 3)));
        cases.add(
                ofTwo(
                        "dictionary-of-two-union-modes",
                        "two columns have one dictionary, of sparse and of dense unions",
                        encoded(union(0, List.of(5), INT8), 3),
                        encoded(union(1, List.of(5), INT8), 3)));
    }

    /// Two columns with an equal dictionary, and the same with another one.
    private static CorpusCase ofTwo(
            String name, String what, FbsValue.Table column, FbsValue.Table other) {
        return CorpusCase.of(MeaningRule.DICTIONARY_TYPE, name, what).layout("dictionary").stream(
                bigEndian(column, copy(column)), bigEndian(column, copy(other)));
    }

    private static HandmadeInput bigEndian(FbsValue.Table... columns) {
        return new HandmadeInput(with(schema(columns), "endianness", 1));
    }

    /// An equal table that is written apart.
    private static FbsValue.Table copy(FbsValue.Table table) {
        java.util.TreeMap<String, FbsValue> fields = new java.util.TreeMap<>();
        table.fields().forEach((name, value) -> fields.put(name, copied(value)));
        return new FbsValue.Table(table.name(), fields);
    }

    private static FbsValue copied(FbsValue value) {
        return switch (value) {
            case FbsValue.Table table -> copy(table);
            case FbsValue.Vector vector ->
                    new FbsValue.Vector(
                            vector.elements().stream().map(DictionaryCases::copied).toList());
            default -> value;
        };
    }

    private static HandmadeInput two(FbsValue.Table first, FbsValue.Table second) {
        return new HandmadeInput(schema(first, second))
                .dictionary(3, false, new Batch(1).node(1, 0, NONE, ints(7)))
                .batch(new Batch(1).node(1, 0, NONE, bytes(0)).node(1, 0, NONE, bytes(0)));
    }

    // ---- batches

    private void unused() {
        Rule rule = MeaningRule.UNUSED_DICTIONARY;
        HandmadeInput sound = words().dictionary(3, false, texts());
        cases.add(
                CorpusCase.of(rule, "dictionary-unused", "no field has the dictionary 4")
                        .layout("dictionary")
                        .stream(
                                copy(sound).dictionary(3, false, texts()),
                                copy(sound).dictionary(4, false, texts())));
        cases.add(
                CorpusCase.of(
                                rule,
                                "delta-unused",
                                "a delta is one of the dictionary 4, which no field has")
                        .layout("dictionary")
                        .file(
                                copy(sound).dictionary(3, true, texts()),
                                copy(sound).dictionary(4, true, texts())));
        Batch values = new Batch(2).node(2, 0, NONE, bytes(1, 2));
        HandmadeInput zero = new HandmadeInput(schema(encoded(INT8, 0)));
        zero.dictionary(0, false, values);
        HandmadeInput plain =
                without(zero, schema -> schema.fields(0, new Field()), Field.DICTIONARY_SLOT);
        cases.add(
                CorpusCase.of(
                        rule,
                        "dictionary-without-encoded-field",
                        "a stream without encoded fields has a dictionary")
                        .layout("dictionary")
                        .stream(legacy(zero.stream()), legacy(plain.stream())));
    }

    private void withoutData() {
        Rule rule = MeaningRule.NO_DICTIONARY_DATA;
        byte[] file = words().dictionary(3, false, texts()).file();
        cases.add(
                CorpusCase.of(
                                rule,
                                "dictionary-without-data",
                                "a dictionary batch has no record batch")
                        .layout("dictionary")
                        .file(file, dataless(file, 1)));
        byte[] stream = words().dictionary(3, false, texts()).dictionary(3, true, texts()).stream();
        cases.add(
                CorpusCase.of(
                        rule, "delta-without-data", "a delta dictionary batch has no record batch")
                        .layout("dictionary")
                        .stream(stream, dataless(stream, 2)));
    }

    private static byte[] dataless(byte[] input, int message) {
        return MeaningParts.edited(
                input,
                message,
                bytes -> {
                    DictionaryBatch dictionary = new DictionaryBatch();
                    bound(bytes).header(dictionary);
                    return without(bytes, dictionary, DictionaryBatch.DATA_SLOT);
                });
    }

    private void deltas() {
        Rule rule = MeaningRule.DELTA_WITHOUT_DICTIONARY;
        HandmadeInput definition = words().dictionary(3, false, texts());
        HandmadeInput delta = words().dictionary(3, true, texts());
        cases.add(
                inBatch(rule, "delta-first", "dictionary", "a delta precedes its dictionary")
                        .stream(
                                copy(definition).dictionary(3, true, texts()).batch(indices()),
                                copy(delta).dictionary(3, false, texts()).batch(indices())));
        cases.add(
                inBatch(
                                rule,
                                "delta-first-in-file",
                                "dictionary",
                                "a file has a delta before its dictionary")
                        .file(
                                copy(definition).dictionary(3, true, texts()).batch(indices()),
                                copy(delta).dictionary(3, false, texts()).batch(indices())));
        cases.add(
                inBatch(
                                rule,
                                "delta-alone",
                                "dictionary",
                                "a batch has a delta of its dictionary, but not the dictionary")
                        .implies(MeaningRule.DICTIONARY_UNDEFINED)
                        .file(copy(definition).batch(indices()), copy(delta).batch(indices())));
        cases.add(
                inBatch(
                        rule,
                        "delta-of-inner-dictionary-first",
                        "dictionary",
                        "a delta of a dictionary inside another one precedes it")
                        .stream(
                                legacy(inner(false, true).stream()),
                                legacy(inner(true, false).stream())));
    }

    private static HandmadeInput copy(HandmadeInput of) {
        return HandmadeInput.copy(of);
    }

    /// Lists of texts, whose dictionary has two batches.
    private static HandmadeInput inner(boolean firstIsDelta, boolean secondIsDelta) {
        return new HandmadeInput(schema(encoded(list(encoded(UTF8, 4)), 3)))
                .dictionary(4, firstIsDelta, texts())
                .dictionary(4, secondIsDelta, texts())
                .dictionary(3, false, lists())
                .batch(new Batch(1).node(1, 0, NONE, bytes(0)));
    }

    private static Batch lists() {
        return new Batch(1).node(1, 0, NONE, ints(0, 2)).node(2, 0, NONE, bytes(0, 1));
    }

    private void replaced() {
        Rule rule = MeaningRule.DICTIONARY_REPLACED;
        cases.add(
                inBatch(
                                rule,
                                "dictionary-replaced",
                                "dictionary",
                                "a file defines a dictionary twice")
                        .file(twice(words(), true), twice(words(), false)));
        HandmadeInput old = old(schema(WORDS));
        cases.add(
                inBatch(
                                rule,
                                "dictionary-replaced-behind-batch",
                                "dictionary",
                                "a file defines a dictionary again behind the batch that uses it")
                        .file(afterBatch(old, true), afterBatch(old, false)));
    }

    private static HandmadeInput twice(HandmadeInput input, boolean isDelta) {
        return input.dictionary(3, false, texts()).dictionary(3, isDelta, texts()).batch(indices());
    }

    /// A file of version 4.
    private static HandmadeInput afterBatch(HandmadeInput input, boolean isDelta) {
        FbsValue.Table first = dictionary(3, texts().table());
        FbsValue.Table second = with(first, "isDelta", isDelta ? 1 : 0);
        return copy(input)
                .addMessage(old(texts(), first), texts().body())
                .addMessage(old(indices(), indices().table()), indices().body())
                .addMessage(old(texts(), second), texts().body());
    }

    private void undefined() {
        Rule rule = MeaningRule.DICTIONARY_UNDEFINED;
        HandmadeInput two = new HandmadeInput(schema(WORDS, encoded(INT8, 4)));
        cases.add(
                inBatch(
                        rule,
                        "dictionary-undefined",
                        "dictionary",
                        "a batch of a stream precedes its dictionary")
                        .stream(
                                words().dictionary(3, false, texts()).batch(indices()),
                                words().batch(indices()).dictionary(3, false, texts())));
        cases.add(
                inBatch(
                                rule,
                                "dictionary-undefined-in-file",
                                "dictionary",
                                "a file has no dictionary for the indices of its second column")
                        .file(ofIds(3), ofIds(4)));
        cases.add(
                inBatch(
                                rule,
                                "second-dictionary-undefined",
                                "dictionary",
                                "the second of two columns has no dictionary")
                        .file(ofBoth(two, 0), ofBoth(two, 2)));
        cases.add(
                inBatch(
                                rule,
                                "dictionary-undefined-for-one-value",
                                "dictionary",
                                "a column without dictionary has a null and a value")
                        .file(ofBoth(two, 0), ofBoth(two, 1)));
    }

    /// Two columns, of which the first has the dictionary 3.
    private static HandmadeInput ofIds(long second) {
        return new HandmadeInput(schema(WORDS, encoded(UTF8, second)))
                .dictionary(3, false, texts())
                .batch(indices().node(2, 0, NONE, bytes(0, 1)));
    }

    /// Two columns, of which the second has indices without their dictionary, or nulls alone.
    private static HandmadeInput ofBoth(HandmadeInput two, int values) {
        Batch batch = indices().node(2, 2 - values, bytes((1 << values) - 1), bytes(0, 0));
        return copy(two).dictionary(3, false, texts()).batch(batch);
    }

    private void late() {
        Rule rule = MeaningRule.DICTIONARY_LATE;
        FbsValue.Table column = encoded(list(encoded(UTF8, 4)), 3);
        Batch first = new Batch(1).node(1, 0, NONE, bytes(0));
        HandmadeInput inOrder =
                new HandmadeInput(schema(column))
                        .dictionary(4, false, texts())
                        .dictionary(3, false, lists())
                        .batch(first);
        HandmadeInput late =
                new HandmadeInput(schema(column))
                        .dictionary(3, false, lists())
                        .dictionary(4, false, texts())
                        .batch(first);
        cases.add(
                inBatch(
                        rule,
                        "dictionary-late",
                        "dictionary",
                        "a dictionary in the values of another one is defined behind it")
                        .stream(inOrder, late));
        Batch none = new Batch(1).node(1, 0, NONE, ints(0, 0)).node(0, 0, NONE, NONE);
        HandmadeInput empty = new HandmadeInput(schema(column)).dictionary(3, false, none);
        cases.add(
                inBatch(
                        rule,
                        "dictionary-late-for-delta",
                        "dictionary",
                        "a dictionary in the values of a delta is defined behind it"
                                + " (apache/arrow#8617)")
                        .stream(
                                copy(empty)
                                        .dictionary(4, false, texts())
                                        .dictionary(3, true, lists())
                                        .batch(first),
                                copy(empty)
                                        .dictionary(3, true, lists())
                                        .dictionary(4, false, texts())
                                        .batch(first)));
    }
}
