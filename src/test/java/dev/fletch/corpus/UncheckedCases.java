// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUES_UNCHECKED;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.corpus.CorpusCase.Reader;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.List;

/// Values that Fletch does not check.
final class UncheckedCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        UncheckedCases made = new UncheckedCases();
        made.bigEndian();
        made.dictionaries();
        made.version();
        return made.cases;
    }

    private static HandmadeInput numbers(FbsValue.Table schema) {
        return new HandmadeInput(schema).batch(new Batch(2).node(2, 0, NONE, bytes(1, 2)));
    }

    private void bigEndian() {
        // Numbers of 8 bits are the same in both orders.
        FbsValue.Table schema = schema(INT8);
        cases.add(
                CorpusCase.of(VALUES_UNCHECKED, "unchecked-big-endian", "the values are big-endian")
                        .layout("int8")
                        .file(
                                numbers(schema),
                                numbers(with(schema, "endianness", Endianness.BIG))));
        HandmadeInput[] texts = {texts(Endianness.LITTLE), texts(Endianness.BIG)};
        cases.add(
                CorpusCase.of(
                        VALUES_UNCHECKED,
                        "unchecked-big-endian-utf8",
                        "the offsets of texts are big-endian")
                        .layout("utf8")
                        .stream(texts[0], texts[1]));
    }

    private static HandmadeInput texts(int endianness) {
        boolean isLittle = endianness == Endianness.LITTLE;
        byte[] offsets = isLittle ? ints(0, 1, 2) : ints(0, 1 << 24, 2 << 24);
        FbsValue.Table schema =
                isLittle ? schema(UTF8) : with(schema(UTF8), "endianness", endianness);
        return new HandmadeInput(schema).batch(new Batch(2).node(2, 0, NONE, offsets, text("ab")));
    }

    private void dictionaries() {
        HandmadeInput sound =
                new HandmadeInput(schema(encoded(UTF8, 3)))
                        .dictionary(3, false, new Batch(1).node(1, 0, NONE, ints(0, 1), text("a")));
        HandmadeInput broken = new HandmadeInput(schema(encoded(UTF8, 3)));
        for (HandmadeInput each : List.of(sound, broken)) {
            each.batch(new Batch(1).node(1, 0, NONE, bytes(0)));
        }
        cases.add(
                CorpusCase.of(
                        VALUES_UNCHECKED,
                        "unchecked-index-without-dictionary",
                        "the index has no dictionary, so it cannot be checked")
                        .layout("dictionary<int8, utf8>")
                        .implies(MeaningRule.DICTIONARY_UNDEFINED)
                        .reader(Reader.MUST_REFUSE)
                        .stream(sound, broken));
    }

    /// Unions have a validity buffer in V4, and the layout is that of the first batch.
    private void version() {
        FbsValue.Table schema = schema(UnionCases.union(false, List.of(), INT8));
        byte[] id = bytes(0);
        HandmadeInput sound = new HandmadeInput(schema);
        HandmadeInput other = new HandmadeInput(schema);
        for (HandmadeInput each : List.of(sound, other)) {
            each.batch(value(new Batch(1).node(1, 0, id)));
        }
        sound.batch(value(new Batch(1).node(1, 0, id)));
        Batch batch = value(new Batch(1).node(1, 0, NONE, id));
        FbsValue.Table message = message(batch.table(), batch.body().length);
        other.addMessage(with(message, "version", MetadataVersion.V4), batch.body());
        cases.add(
                CorpusCase.of(
                        VALUES_UNCHECKED,
                        "unchecked-other-version",
                        "the second batch has another metadata version than the first")
                        .layout("sparse_union")
                        .stream(sound, other));
    }

    private static Batch value(Batch union) {
        return union.node(1, 0, NONE, bytes(3));
    }
}
