// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.FileRule.*;
import static dev.fletch.FrameRule.*;
import static dev.fletch.StructureRule.OFFSET_ZERO;
import static dev.fletch.StructureRule.VECTOR_COUNT_OUT_OF_RANGE;
import static dev.fletch.corpus.FlatbufferBase.NONE;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.corpus.CorpusCase.Draft;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Inputs whose messages do not follow each other.
final class FrameCases {
    private static final int PREFIX = 8;
    // Of the body length in the first batch, from the start of the message.
    private static final int BODY_LENGTH = 40;
    private static final int DICTIONARY = 7;
    private static final FbsValue.Table SCHEMA = schema(UTF8);
    private static final int FIRST_BATCH = end(new HandmadeInput(SCHEMA));

    private final List<CorpusCase> cases = new ArrayList<>();

    private FrameCases() {}

    static List<CorpusCase> all() {
        FrameCases made = new FrameCases();
        made.prefixes();
        made.metadataLengths();
        made.alignment();
        made.bodiesOutOfInput();
        made.wrongBodyLengths();
        made.wrongBodyLengthsInFiles();
        made.longBodies();
        made.overlaps();
        made.overlapsByMetadata();
        made.ends();
        made.unreachable();
        return made.cases;
    }

    private static Draft of(Rule rule, String name, String what) {
        return CorpusCase.of(rule, name, what);
    }

    // ---- inputs

    private static Batch texts() {
        return FlatbufferBase.texts();
    }

    private static Batch numbers() {
        return new Batch(2).node(2, 0, NONE, bytes(1, 2));
    }

    private static HandmadeInput input() {
        return new HandmadeInput(SCHEMA).batch(texts());
    }

    /// Bytes of all messages of a stream.
    private static int end(HandmadeInput messages) {
        return messages.marker().stream().length;
    }

    private static FbsValue.Table withBody(FbsValue.Table header, long bodyLength) {
        return with(message(header, 0), "bodyLength", bodyLength);
    }

    private static HandmadeInput encodedTexts() {
        return new HandmadeInput(schema(encoded(UTF8, DICTIONARY)));
    }

    /// A dictionary of one text.
    private static Batch values() {
        return new Batch(1).node(1, 0, NONE, ints(0, 1), text("a"));
    }

    /// The message of this dictionary.
    private static FbsValue.Table dictionary(long bodyLength) {
        FbsValue.Table header =
                table("DictionaryBatch", "id", DICTIONARY, "data", values().table());
        return withBody(with(header, "isDelta", 0), bodyLength);
    }

    private static byte[] edit(byte[] sound, int at, int word) {
        byte[] edited = sound.clone();
        ByteBuffer.wrap(edited).order(ByteOrder.LITTLE_ENDIAN).putInt(at, word);
        return edited;
    }

    private static int word(byte[] of, int at) {
        return ByteBuffer.wrap(of).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
    }

    private static byte[] cut(byte[] sound, int count) {
        return Arrays.copyOf(sound, sound.length - count);
    }

    // ---- prefixes

    private void prefixes() {
        byte[] stream = input().stream();
        for (int left : new int[] {2, 4, 7}) {
            cases.add(
                    of(
                            TRUNCATED_PREFIX,
                            "prefix-" + left + "-bytes",
                            "the stream ends after " + left + " bytes of a prefix")
                            .stream(stream, cut(stream, PREFIX - left)));
        }
        cases.add(
                of(
                        TRUNCATED_PREFIX,
                        "prefix-3-bytes-of-first",
                        "the stream has 3 bytes, of a continuation word")
                        .stream(stream, Arrays.copyOf(stream, 3)));
        byte[] legacy = new HandmadeInput(SCHEMA).legacy().batch(texts()).stream();
        cases.add(
                of(
                        TRUNCATED_PREFIX,
                        "prefix-3-bytes-legacy",
                        "the stream ends after 3 bytes of a prefix without continuation word")
                        .stream(legacy, cut(legacy, 1)));
        byte[] file = input().file();
        byte[] two = input().batch(texts()).stream();
        cases.add(
                of(
                        NEGATIVE_METADATA_LENGTH,
                        "negative-metadata-length",
                        "the metadata length of the first batch is negative")
                        .stream(two, edit(two, FIRST_BATCH + 4, -word(two, FIRST_BATCH + 4))));
        cases.add(
                of(
                                NEGATIVE_METADATA_LENGTH,
                                "negative-metadata-length-file",
                                "the metadata length of a batch is -2^31")
                        .file(file, edit(file, PREFIX + FIRST_BATCH + 4, Integer.MIN_VALUE)));
        cases.add(
                of(
                        NEGATIVE_METADATA_LENGTH,
                        "continuation-word-wrong",
                        "a continuation word is FFFFFFFE, so that it is a negative length")
                        .stream(two, edit(two, FIRST_BATCH, -2)));
    }

    private void metadataLengths() {
        byte[] alone = new HandmadeInput(SCHEMA).marker().stream();
        cases.add(
                of(
                        METADATA_OUT_OF_INPUT,
                        "metadata-8-bytes-behind-end",
                        "the metadata of the schema ends 8 bytes behind the stream")
                        .stream(alone, edit(alone, 4, alone.length - PREFIX + 8)));
        byte[] noColumns = new HandmadeInput(schema()).batch(new Batch(3)).marker().stream();
        int batch = end(new HandmadeInput(schema()));
        cases.add(
                of(
                        METADATA_OUT_OF_INPUT,
                        "metadata-1-byte-behind-end",
                        "the metadata of the last batch ends 1 byte behind the stream")
                        .implies(METADATA_UNALIGNED)
                        .stream(
                                noColumns,
                                edit(noColumns, batch + 4, word(noColumns, batch + 4) + 1)));
        byte[] legacy = new HandmadeInput(SCHEMA).legacy().marker().stream();
        cases.add(
                of(
                        METADATA_OUT_OF_INPUT,
                        "metadata-4-bytes-behind-end-legacy",
                        "the metadata of the schema, whose prefix has no continuation word, ends 4"
                                + " bytes behind the stream")
                        .implies(METADATA_UNALIGNED)
                        .stream(legacy, edit(legacy, 0, legacy.length)));
        byte[] two = input().batch(texts()).stream();
        cases.add(
                of(
                        METADATA_OUT_OF_INPUT,
                        "metadata-2-31-minus-8",
                        "the metadata length of the first batch is 2^31 - 8")
                        .stream(two, edit(two, FIRST_BATCH + 4, Integer.MAX_VALUE - 7)));
        byte[] file = input().file();
        cases.add(
                of(
                                METADATA_OUT_OF_INPUT,
                                "metadata-out-of-file",
                                "the metadata length of a batch is that of the file")
                        .file(file, edit(file, PREFIX + FIRST_BATCH + 4, file.length + 7 & -8)));
        byte[] twoInFile = input().batch(texts()).file();
        int length = word(twoInFile, PREFIX + FIRST_BATCH + 4);
        cases.add(
                of(
                                METADATA_UNALIGNED,
                                "metadata-4-bytes-less-in-file",
                                "the metadata length of the first of two batches is 4 less than in"
                                        + " its block")
                        .implies(BLOCK_METADATA_LENGTH, VECTOR_COUNT_OUT_OF_RANGE)
                        .file(twoInFile, edit(twoInFile, PREFIX + FIRST_BATCH + 4, length - 4)));
        cases.add(
                of(
                                BLOCK_WITHOUT_MESSAGE,
                                "metadata-length-0-in-file",
                                "the metadata length of a batch with a block is 0, as in an"
                                        + " end-of-stream marker")
                        .file(file, edit(file, PREFIX + FIRST_BATCH + 4, 0)));
    }

    private void alignment() {
        cases.add(
                of(
                        METADATA_UNALIGNED,
                        "metadata-4-mod-8",
                        "metadata lengths are 4 mod 8, so bodies are not aligned")
                        .stream(input(), input().padding(4)));
        cases.add(
                of(
                        METADATA_UNALIGNED,
                        "metadata-4-mod-8-legacy",
                        "prefix of 4 bytes and metadata are 4 mod 8")
                        .stream(input().legacy(), input().legacy().padding(4)));
        Batch batch = texts();
        cases.add(
                of(BODY_UNALIGNED, "body-19-bytes", "the body length of a batch is not padded: 19")
                        .stream(
                                input(),
                                new HandmadeInput(SCHEMA)
                                        .add(batch.table(), Arrays.copyOf(batch.body(), 19))));
        Batch numbers = numbers();
        FbsValue.Table v4 = with(withBody(numbers.table(), 8), "version", 3);
        FbsValue.Table schema = schema(INT8);
        cases.add(
                of(BODY_UNALIGNED, "body-2-bytes-v4", "the body length of a batch is not padded: 2")
                        .stream(
                                new HandmadeInput(schema)
                                        .schemaMessage(with(message(schema, 0), "version", 3))
                                        .addMessage(v4, numbers.body())
                                        .addMessage(v4, numbers.body()),
                                new HandmadeInput(schema)
                                        .schemaMessage(with(message(schema, 0), "version", 3))
                                        .addMessage(
                                                with(v4, "bodyLength", 2),
                                                Arrays.copyOf(numbers.body(), 2))
                                        .addMessage(v4, numbers.body())));
    }

    // ---- body lengths

    /// A stream without marker whose last batch has a body.
    private static HandmadeInput lastBatch(FbsValue.Table schema, Batch batch, long bodyLength) {
        return new HandmadeInput(schema)
                .addMessage(withBody(batch.table(), bodyLength), batch.body())
                .marker();
    }

    private void bodiesOutOfInput() {
        Batch batch = texts();
        int size = batch.body().length;
        cases.add(
                of(
                        BODY_OUT_OF_INPUT,
                        "body-8-bytes-behind-end",
                        "the body of the last batch ends 8 bytes behind the stream")
                        .implies(ValueRule.VALUES_UNCHECKED)
                        .stream(
                                lastBatch(SCHEMA, batch, size),
                                lastBatch(SCHEMA, batch, size + 8)));
        Batch noColumns = new Batch(3).add(new byte[8]);
        cases.add(
                of(
                        BODY_OUT_OF_INPUT,
                        "body-of-no-columns",
                        "the body of a batch without columns ends 8 bytes behind the stream")
                        .stream(
                                lastBatch(schema(), noColumns, 8),
                                lastBatch(schema(), noColumns, 16)));
        byte[] stream = input().marker().stream();
        cases.add(
                of(
                        BODY_OUT_OF_INPUT,
                        "body-cut",
                        "the last 8 bytes of the stream, and of a body, are missing")
                        .implies(ValueRule.VALUES_UNCHECKED)
                        .stream(stream, cut(stream, 8)));
        Batch compressed = Base.texts(new Batch(2).compressed(CompressionType.ZSTD, Bodies::zstd));
        byte[] packed = new HandmadeInput(SCHEMA).batch(compressed).marker().stream();
        int body = packed.length - compressed.body().length;
        cases.add(
                of(
                        BODY_OUT_OF_INPUT,
                        "body-cut-compressed",
                        "the stream ends behind 9 bytes of a compressed body")
                        .implies(ValueRule.VALUES_UNCHECKED)
                        .stream(packed, Arrays.copyOf(packed, body + 9)));
        FbsValue.Table huge = withBody(batch.table(), 1L << 62);
        cases.add(
                of(
                        BODY_OUT_OF_INPUT,
                        "body-2-62-bytes",
                        "the body length of the first of two batches is 2^62")
                        .implies(BODY_LONGER, ValueRule.VALUES_UNCHECKED)
                        .stream(
                                input().batch(texts()),
                                new HandmadeInput(SCHEMA)
                                        .addMessage(huge, batch.body())
                                        .batch(texts())));
        HandmadeInput sound = encodedTexts().dictionary(DICTIONARY, false, values()).marker();
        long behind = values().body().length + 8;
        HandmadeInput broken =
                encodedTexts().addMessage(dictionary(behind), values().body()).marker();
        cases.add(
                of(
                        BODY_OUT_OF_INPUT,
                        "body-of-dictionary",
                        "the body of a dictionary ends 8 bytes behind the stream")
                        .implies(ValueRule.VALUES_UNCHECKED)
                        .stream(sound, broken));
    }

    private void wrongBodyLengths() {
        Batch batch = texts();
        FbsValue.Table message = withBody(batch.table(), -8);
        cases.add(
                of(
                        NEGATIVE_BODY_LENGTH,
                        "negative-body-length",
                        "the body length of the first of two batches is -8")
                        .implies(ValueRule.VALUES_UNCHECKED)
                        .stream(
                                input().batch(texts()),
                                new HandmadeInput(SCHEMA)
                                        .addMessage(message, batch.body())
                                        .batch(texts())));
        HandmadeInput noColumns = new HandmadeInput(schema());
        FbsValue.Table empty = new Batch(3).table();
        cases.add(
                of(
                        NEGATIVE_BODY_LENGTH,
                        "negative-body-length-no-columns",
                        "the body length of a batch without columns is -2^63")
                        .stream(
                                noColumns.addMessage(withBody(empty, 0), NONE).batch(new Batch(3)),
                                new HandmadeInput(schema())
                                        .addMessage(withBody(empty, Long.MIN_VALUE), NONE)
                                        .batch(new Batch(3))));
        cases.add(
                of(
                        NEGATIVE_BODY_LENGTH,
                        "negative-body-length-schema",
                        "the body length of a schema is -2^63")
                        .stream(
                                new HandmadeInput(schema())
                                        .schemaMessage(withBody(schema(), 0))
                                        .marker(),
                                new HandmadeInput(schema())
                                        .schemaMessage(withBody(schema(), Long.MIN_VALUE))
                                        .marker()));
    }

    /// In a file, a block has the length, too.
    private void wrongBodyLengthsInFiles() {
        byte[] file = input().file();
        int at = PREFIX + FIRST_BATCH + BODY_LENGTH;
        cases.add(
                of(
                                BODY_OUT_OF_INPUT,
                                "body-out-of-file",
                                "the body length of a batch is 2^24, in a file of few bytes")
                        .implies(BLOCK_BODY_LENGTH, BODY_LONGER, ValueRule.VALUES_UNCHECKED)
                        .file(file, edit(file, at, 1 << 24)));
        cases.add(
                of(
                                NEGATIVE_BODY_LENGTH,
                                "negative-body-length-file",
                                "the body length of a batch in a file is negative")
                        .implies(ValueRule.VALUES_UNCHECKED)
                        .file(file, edit(file, at + 4, Integer.MIN_VALUE)));
    }

    private void longBodies() {
        Batch batch = new Batch(1).node(1, 0, NONE, ints(0, 8), text("8 bytes."));
        cases.add(
                of(
                        BODY_LONGER,
                        "body-64-bytes-longer",
                        "the body of a batch ends 64 bytes behind its last buffer, not 56")
                        .stream(withBodyOf(batch, 72), withBodyOf(batch, 80)));
        cases.add(
                of(
                                BODY_LONGER,
                                "body-64-bytes-longer-file",
                                "the body of a batch in a file ends 64 bytes behind its last"
                                        + " buffer, not 56")
                        .file(withBodyOf(batch, 72), withBodyOf(batch, 80)));
    }

    private static HandmadeInput withBodyOf(Batch batch, int bytes) {
        return new HandmadeInput(schema(UTF8))
                .addMessage(withBody(batch.table(), bytes), Arrays.copyOf(batch.body(), bytes));
    }

    private void overlaps() {
        Batch batch = texts();
        long size = batch.body().length;
        cases.add(
                of(
                        MESSAGE_OVERLAP,
                        "overlap-8-bytes",
                        "the body of a batch ends 8 bytes behind the start of the next")
                        .stream(
                                input().batch(texts()),
                                new HandmadeInput(SCHEMA)
                                        .addMessage(withBody(batch.table(), size + 8), batch.body())
                                        .batch(texts())));
        cases.add(
                of(
                        MESSAGE_OVERLAP,
                        "overlap-dictionary-64-bytes",
                        "the body of a dictionary ends 64 bytes behind the start of the"
                                + " next batch")
                        .implies(BODY_LONGER)
                        .stream(
                                encodedTexts()
                                        .dictionary(DICTIONARY, false, values())
                                        .batch(indices()),
                                encodedTexts()
                                        .addMessage(dictionary(16 + 64), values().body())
                                        .batch(indices())));
    }

    /// As if the metadata had the body's bytes, too: then the body is that of the next message.
    private void overlapsByMetadata() {
        FbsValue.Table schema = schema(INT8);
        byte[] stream = new HandmadeInput(schema).batch(numbers()).batch(numbers()).stream();
        int at = end(new HandmadeInput(schema)) + 4;
        cases.add(
                of(
                        MESSAGE_OVERLAP,
                        "overlap-by-metadata-length",
                        "the metadata length of a batch is larger by its body, so that its"
                                + " body begins with the next batch")
                        .stream(stream, edit(stream, at, word(stream, at) + 8)));
    }

    private static Batch indices() {
        return new Batch(2).node(2, 0, NONE, bytes(0, 0));
    }

    // ---- ends

    private void ends() {
        byte[] stream = input().batch(texts()).stream();
        int second = end(input());
        cases.add(
                of(
                        END_BETWEEN_MESSAGES,
                        "end-marker-before-batch",
                        "a batch follows an end-of-stream marker")
                        .stream(
                                stream,
                                inserted(stream, second, bytes(-1, -1, -1, -1, 0, 0, 0, 0))));
        cases.add(
                of(
                        END_BETWEEN_MESSAGES,
                        "metadata-length-0",
                        "the metadata length of the first of two batches is 0, as in an"
                                + " end-of-stream marker")
                        .stream(stream, edit(stream, FIRST_BATCH + 4, 0)));
        for (int zeros : new int[] {4, 8, 40}) {
            cases.add(
                    of(
                            END_BETWEEN_MESSAGES,
                            "zeros-" + zeros + "-bytes",
                            zeros
                                    + " zeros, which readers take for an end-of-stream marker, are"
                                    + " between two batches")
                            .stream(stream, inserted(stream, second, new byte[zeros])));
        }
        cases.add(
                of(
                        END_BETWEEN_MESSAGES,
                        "continuation-0",
                        "the continuation word of the second batch is 0, as an end-of-stream"
                                + " marker is")
                        .implies(METADATA_UNALIGNED)
                        .stream(stream, edit(stream, second, 0)));
        byte[] legacy = input().batch(texts()).legacy().stream();
        int at = new HandmadeInput(SCHEMA).batch(texts()).legacy().marker().stream().length;
        cases.add(
                of(
                        END_BETWEEN_MESSAGES,
                        "zeros-64-bytes-legacy",
                        "64 zeros, more than any alignment pads, are between two batches"
                                + " without continuation words")
                        .stream(legacy, inserted(legacy, at, new byte[64])));
    }

    private static byte[] inserted(byte[] sound, int at, byte[] added) {
        byte[] all = Arrays.copyOf(sound, sound.length + added.length);
        System.arraycopy(added, 0, all, at, added.length);
        System.arraycopy(sound, at, all, at + added.length, sound.length - at);
        return all;
    }

    /// The body length of the last message is lost, with it the way to what follows.
    private void unreachable() {
        Batch batch = texts();
        FbsValue.Table message = withBody(batch.table(), -8);
        cases.add(
                of(
                        REST_UNREACHABLE,
                        "rest-behind-negative-body-length",
                        "a body follows metadata with the body length -8")
                        .implies(NEGATIVE_BODY_LENGTH, ValueRule.VALUES_UNCHECKED)
                        .stream(
                                input(),
                                new HandmadeInput(SCHEMA)
                                        .marker()
                                        .addMessage(
                                                with(message, "bodyLength", -8), batch.body())));
        int metadata = FIRST_BATCH + PREFIX;
        byte[] stream = input().stream();
        cases.add(
                of(
                        REST_UNREACHABLE,
                        "rest-behind-root-offset-0",
                        "a body follows metadata whose root offset is 0")
                        .implies(OFFSET_ZERO)
                        .stream(stream, Arrays.copyOf(edit(stream, metadata, 0), end(input()))));
    }
}
