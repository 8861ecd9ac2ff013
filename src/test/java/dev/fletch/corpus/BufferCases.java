// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.compression;
import static dev.fletch.corpus.MeaningParts.dictionary;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.legacy;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.lz4;
import static dev.fletch.corpus.MeaningParts.moved;
import static dev.fletch.corpus.MeaningParts.old;
import static dev.fletch.corpus.MeaningParts.one;
import static dev.fletch.corpus.MeaningParts.prefixed;
import static dev.fletch.corpus.MeaningParts.replace;
import static dev.fletch.corpus.MeaningParts.withoutInBatch;
import static dev.fletch.corpus.MeaningParts.zstd;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/// Inputs with buffers that are not in their body, or are compressed wrongly.
final class BufferCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        BufferCases made = new BufferCases();
        made.negative();
        made.outOfBody();
        made.places();
        made.codecs();
        made.prefixes();
        made.frames();
        return made.cases;
    }

    /// Two numbers, whose bytes fill the body.
    private static Batch numbers() {
        return new Batch(2).node(2, 0, NONE, ints(7, 7));
    }

    private static Batch texts() {
        return new Batch(1).node(1, 0, NONE, ints(0, 8), text("in body."));
    }

    // ---- offsets and lengths

    private void negative() {
        Rule offset = MeaningRule.NEGATIVE_BUFFER_OFFSET;
        cases.add(
                inBatch(
                                offset,
                                "buffer-offset-negative-data",
                                "int32",
                                "the data buffer of a column begins 8 bytes before the body")
                        .file(one(INT32, numbers()), one(INT32, moved(numbers(), 1, -8, 0))));
        cases.add(
                inBatch(
                        offset,
                        "buffer-offset-negative-empty",
                        "int32",
                        "an empty validity buffer begins 8 bytes before the body")
                        .stream(one(INT32, numbers()), one(INT32, moved(numbers(), 0, -8, 0))));
        cases.add(
                inBatch(
                        offset,
                        "buffer-offset-smallest",
                        "utf8",
                        "the offsets buffer of a column begins at -9223372036854775808")
                        .stream(
                                old(UTF8, texts()),
                                old(UTF8, moved(texts(), 1, Long.MIN_VALUE, 0))));
        Rule length = MeaningRule.NEGATIVE_BUFFER_LENGTH;
        cases.add(
                inBatch(
                                length,
                                "buffer-length-negative-validity",
                                "int32",
                                "the length of a validity buffer is -1")
                        .file(one(INT32, numbers()), one(INT32, moved(numbers(), 0, 0, -1))));
        Batch none = new Batch(0).node(0, 0, NONE, ints(0), NONE);
        Batch less = new Batch(0).node(0, 0, NONE, ints(0), NONE);
        cases.add(
                inBatch(
                        length,
                        "buffer-length-negative-data",
                        "utf8",
                        "the length of a data buffer is -1, in a batch without rows")
                        .stream(one(UTF8, none), one(UTF8, moved(less, 2, 0, -1))));
        Rule overflow = MeaningRule.BUFFER_OVERFLOW;
        Batch second = numbers().node(2, 0, NONE, ints(8, 8));
        Batch wide = numbers().node(2, 0, NONE, ints(8, 8));
        HandmadeInput two = new HandmadeInput(schema(INT32, INT32));
        cases.add(
                inBatch(
                                overflow,
                                "buffer-end-2-to-the-63",
                                "int32",
                                "offset and length of a buffer are 2^63 together")
                        .file(
                                HandmadeInput.copy(two).batch(second),
                                HandmadeInput.copy(two)
                                        .batch(moved(wide, 3, 0, Long.MAX_VALUE - 15))));
        Batch widest = numbers().node(2, 0, NONE, ints(8, 8));
        cases.add(
                inBatch(
                        MeaningRule.BUFFER_OUT_OF_BODY,
                        "buffer-end-2-to-the-63-minus-1",
                        "int32",
                        "offset and length of a buffer are 2^63 - 1 together")
                        .stream(
                                HandmadeInput.copy(two).batch(second),
                                HandmadeInput.copy(two)
                                        .batch(moved(widest, 3, 0, Long.MAX_VALUE - 16))));
        cases.add(
                inBatch(
                        overflow,
                        "buffer-offset-near-2-to-the-63",
                        "int32",
                        "a buffer of 8 bytes begins 8 bytes before 2^63")
                        .stream(
                                legacy(one(INT32, numbers()).stream()),
                                legacy(
                                        one(INT32, moved(numbers(), 1, Long.MAX_VALUE - 7, 0))
                                                .stream())));
    }

    private void outOfBody() {
        Rule rule = MeaningRule.BUFFER_OUT_OF_BODY;
        cases.add(
                inBatch(
                                rule,
                                "buffer-ends-behind-body-data",
                                "int32",
                                "a data buffer ends one byte behind the body")
                        .file(one(INT32, numbers()), one(INT32, moved(numbers(), 1, 0, 1))));
        cases.add(
                inBatch(
                        rule,
                        "buffer-begins-behind-body-empty",
                        "utf8",
                        "an empty data buffer begins 8 bytes behind the body")
                        .stream(empty(0), empty(8)));
        cases.add(
                inBatch(
                        rule,
                        "buffer-ends-behind-body-texts",
                        "utf8",
                        "the data buffer of texts ends 8 bytes behind the body")
                        .stream(one(UTF8, texts()), one(UTF8, moved(texts(), 2, 0, 8))));
        cases.add(
                inBatch(
                                rule,
                                "buffer-out-of-no-body",
                                "int32",
                                "a buffer has 1 byte, and the batch no body")
                        .file(one(INT32, noRows(0)), one(INT32, noRows(1))));
        HandmadeInput words = new HandmadeInput(schema(encoded(INT32, 3)));
        cases.add(
                inBatch(
                                rule,
                                "buffer-ends-behind-body-dictionary",
                                "dictionary",
                                "a buffer of a dictionary ends one byte behind the body")
                        .file(
                                HandmadeInput.copy(words).dictionary(3, false, numbers()),
                                HandmadeInput.copy(words)
                                        .dictionary(3, false, moved(numbers(), 1, 0, 1))));
        Batch view = view();
        cases.add(
                inBatch(
                                rule,
                                "buffer-ends-behind-body-variadic",
                                "utf8_view",
                                "a variadic buffer ends 8 bytes behind the body")
                        .file(ofView(view, 0), ofView(view(), 8)));
        cases.add(
                inBatch(
                        rule,
                        "buffer-ends-behind-body-items",
                        "list",
                        "a buffer of a list's child ends one byte behind the body")
                        .stream(one(list(INT8), items(0)), one(list(INT8), items(1))));
    }

    private static HandmadeInput empty(long by) {
        Batch batch = new Batch(1).node(1, 0, NONE, ints(0, 0), NONE);
        return one(UTF8, moved(batch, 2, by, 0));
    }

    private static Batch noRows(long length) {
        return moved(new Batch(0).node(0, 0, NONE, NONE), 1, 0, length);
    }

    private static Batch view() {
        byte[] view = MeaningParts.concat(ints(16), text("long"), ints(0, 0));
        return new Batch(1).node(1, 0, NONE, view, text("long and longer."));
    }

    private static HandmadeInput ofView(Batch batch, long longer) {
        FbsValue.Table table = moved(batch, 2, 0, longer).table();
        return one(VIEW).add(with(table, "variadicBufferCounts", List.of(1)), batch.body());
    }

    private static Batch items(long longer) {
        Batch batch = new Batch(1).node(1, 0, NONE, ints(0, 8));
        return moved(batch.node(8, 0, NONE, new byte[8]), 3, 0, longer);
    }

    // ---- alignment and order

    /// Three equal numbers, of which two are read.
    private static Batch three(long by) {
        return moved(new Batch(2).node(2, 0, NONE, ints(7, 7, 7)), 1, by, -4);
    }

    private void places() {
        Rule unaligned = MeaningRule.BUFFER_UNALIGNED;
        cases.add(
                inBatch(
                                unaligned,
                                "buffer-at-4",
                                "int32",
                                "a buffer of four-byte numbers begins at 4")
                        .file(one(INT32, three(0)), one(INT32, three(4))));
        Batch bytes = moved(new Batch(2).node(2, 0, NONE, bytes(7, 7, 7)), 1, 0, -1);
        Batch odd = moved(new Batch(2).node(2, 0, NONE, bytes(7, 7, 7)), 1, 1, -1);
        cases.add(
                inBatch(unaligned, "buffer-at-1", "int8", "a buffer of bytes begins at 1").stream(
                        one(INT8, bytes), one(INT8, odd)));
        cases.add(
                inBatch(
                        unaligned,
                        "buffer-at-4-empty",
                        "int32",
                        "an empty validity buffer begins at 4")
                        .stream(old(INT32, numbers()), old(INT32, moved(numbers(), 0, 4, 0))));
        Rule order = MeaningRule.BUFFER_ORDER;
        HandmadeInput two = new HandmadeInput(schema(INT32, INT32));
        cases.add(
                inBatch(
                                order,
                                "buffers-shared",
                                "int32",
                                "two columns of equal values share their buffer")
                        .file(
                                HandmadeInput.copy(two).batch(equal(0, 0)),
                                HandmadeInput.copy(two).batch(equal(0, -8))));
        cases.add(
                inBatch(
                        order,
                        "buffers-descend",
                        "int32",
                        "the buffer of the first column is behind that of the second")
                        .stream(
                                HandmadeInput.copy(two).batch(equal(0, 0)),
                                HandmadeInput.copy(two).batch(equal(8, -8))));
    }

    private static Batch equal(long first, long second) {
        Batch batch = numbers().node(2, 0, NONE, ints(7, 7));
        return moved(moved(batch, 1, first, 0), 3, second, 0);
    }

    // ---- compression

    /// @param codec 0 for LZ4, 1 for Zstandard
    private static HandmadeInput compressed(
            FbsValue.Table column, int codec, int method, Batch batch) {
        FbsValue.Table how = compression(codec, method);
        return one(column).add(with(batch.table(), "compression", how), batch.body());
    }

    private static Batch raw() {
        return new Batch(2).node(2, 0, NONE, prefixed(-1, ints(7, 7)));
    }

    private void codecs() {
        Rule codec = MeaningRule.UNKNOWN_CODEC;
        cases.add(
                inBatch(codec, "codec-2", "int32", "a batch is compressed by codec 2")
                        .file(compressed(INT32, 1, 0, raw()), compressed(INT32, 2, 0, raw())));
        cases.add(
                inBatch(codec, "codec-negative", "int32", "a batch is compressed by codec -1")
                        .stream(compressed(INT32, 0, 0, raw()), compressed(INT32, -1, 0, raw())));
        cases.add(
                inBatch(
                                MeaningRule.UNKNOWN_METHOD,
                                "compression-method-1",
                                "int32",
                                "a batch is compressed by method 1")
                        .file(compressed(INT32, 0, 0, raw()), compressed(INT32, 0, 1, raw())));
        HandmadeInput words = new HandmadeInput(schema(encoded(INT32, 3)));
        FbsValue.Table sound = with(raw().table(), "compression", compression(1, 0));
        FbsValue.Table wrong = with(raw().table(), "compression", compression(1, -1));
        cases.add(
                inBatch(
                        MeaningRule.UNKNOWN_METHOD,
                        "compression-method-negative",
                        "dictionary",
                        "a dictionary is compressed by method -1")
                        .stream(
                                HandmadeInput.copy(words).add(dictionary(3, sound), raw().body()),
                                HandmadeInput.copy(words).add(dictionary(3, wrong), raw().body())));
        Rule name = MeaningRule.UNKNOWN_CODEC_NAME;
        String what = "the custom metadata of a batch of version 4 names the codec ";
        cases.add(
                inBatch(name, "codec-name-lzo", "int32", what + "lzo_unframed").stream(
                        named("uncompressed"), named("lzo_unframed")));
        cases.add(
                inBatch(name, "codec-name-zst", "int32", what + "zst1-no-size")
                        .file(named("Uncompressed"), named("zst1-no-size")));
        Rule place = MeaningRule.CODEC_IN_METADATA;
        String only = "only the custom metadata of a batch of version 4 names its codec, ";
        byte[] stream = named(stated(0), "lz4").stream();
        cases.add(
                inBatch(place, "codec-in-metadata", "int32", only + "lz4").stream(
                        stream, withoutInBatch(stream, RecordBatch.COMPRESSION_SLOT)));
        byte[] file = named(stated(1), "ZSTD").file();
        cases.add(
                inBatch(place, "codec-in-metadata-of-file", "int32", only + "zstd")
                        .file(file, withoutInBatch(file, RecordBatch.COMPRESSION_SLOT)));
    }

    private static FbsValue.Table stated(int codec) {
        return with(raw().table(), "compression", compression(codec, 0));
    }

    private static HandmadeInput named(String codec) {
        return named(raw().table(), codec);
    }

    private static HandmadeInput named(FbsValue.Table batch, String codec) {
        FbsValue.Table pair = table("KeyValue", "key", BatchCodec.KEY, "value", codec);
        FbsValue.Table message = old(raw(), batch);
        return old(schema(INT32))
                .addMessage(with(message, "custom_metadata", List.of(pair)), raw().body());
    }

    private void prefixes() {
        Rule rule = MeaningRule.COMPRESSED_TOO_SHORT;
        cases.add(
                inBatch(
                                rule,
                                "compressed-buffer-of-7-bytes",
                                "int32",
                                "a compressed buffer has 7 bytes, too few for its uncompressed"
                                        + " length")
                        .file(
                                compressed(INT32, 0, 0, ofPrefix(0)),
                                compressed(INT32, 0, 0, ofPrefix(-1))));
        cases.add(
                inBatch(
                        rule,
                        "compressed-buffer-of-1-byte",
                        "int32",
                        "a compressed buffer has 1 byte, too few for its uncompressed" + " length")
                        .stream(
                                compressed(INT32, 1, 0, ofPrefix(0)),
                                compressed(INT32, 1, 0, ofPrefix(-7))));
        Rule length = MeaningRule.UNCOMPRESSED_LENGTH;
        cases.add(
                inBatch(
                                length,
                                "uncompressed-length-negative",
                                "int32",
                                "the uncompressed length of a buffer is -2")
                        .file(
                                compressed(INT32, 0, 0, raw()),
                                compressed(INT32, 0, 0, ofLength(-2, ints(7, 7)))));
        cases.add(
                inBatch(
                        length,
                        "uncompressed-length-smallest",
                        "int32",
                        "the uncompressed length of a buffer is -9223372036854775808")
                        .stream(
                                compressed(INT32, 1, 0, raw()),
                                compressed(INT32, 1, 0, ofLength(Long.MIN_VALUE, ints(7, 7)))));
        cases.add(
                inBatch(
                                length,
                                "uncompressed-length-of-lz4",
                                "int32",
                                "the uncompressed length of a buffer of LZ4 is 2^62")
                        .file(ofLz4(8), ofLz4(1L << 62)));
        cases.add(
                inBatch(
                        length,
                        "uncompressed-length-of-zstd",
                        "int32",
                        "the uncompressed length of a buffer of Zstandard is 2^62")
                        .stream(ofZstd(8), ofZstd(1L << 62)));
        String more =
                "the uncompressed length of a buffer of %s is one more than %d times its bytes";
        cases.add(
                inBatch(
                                length,
                                "uncompressed-length-above-limit-of-lz4",
                                "int32",
                                more.formatted("LZ4", 256))
                        .file(ofLz4(8), ofLz4(256 * 23 + 1)));
        cases.add(
                inBatch(
                        length,
                        "uncompressed-length-above-limit-of-zstd",
                        "int32",
                        more.formatted("Zstandard", 32_768))
                        .stream(ofZstd(8), ofZstd(32_768 * 17 + 1)));
    }

    /// A buffer without values.
    private static Batch ofPrefix(long longer) {
        return moved(new Batch(0).node(0, 0, NONE, longs(-1)), 1, 0, longer);
    }

    private static Batch ofLength(long length, byte[] bytes) {
        return new Batch(2).node(2, 0, NONE, prefixed(length, bytes));
    }

    private static HandmadeInput ofLz4(long length) {
        return compressed(INT32, 0, 0, ofLength(length, lz4(ints(7, 7))));
    }

    /// @param behind bytes that follow the frame
    private static HandmadeInput ofLz4(byte... behind) {
        byte[] all = Bodies.joined(lz4(ints(7, 7)), behind);
        return compressed(INT32, 0, 0, ofLength(8, all));
    }

    private static HandmadeInput ofZstd(long length) {
        return compressed(INT32, 1, 0, ofLength(length, zstd(ints(7, 7))));
    }

    // ---- compressed bytes

    private void frames() {
        Rule rule = MeaningRule.DECOMPRESSION;
        byte[] lz4 = ofLz4(8).file();
        String most = "the uncompressed length of a buffer of %s is %d times its bytes";
        cases.add(
                CorpusCase.of(rule, "length-at-limit-of-lz4", most.formatted("LZ4", 256))
                        .layout("int32")
                        .file(ofLz4(8), ofLz4(256 * 23)));
        cases.add(
                CorpusCase.of(rule, "length-at-limit-of-zstd", most.formatted("Zstandard", 32_768))
                        .layout("int32")
                        .stream(ofZstd(8), ofZstd(32_768 * 17)));
        cases.add(
                CorpusCase.of(
                                rule,
                                "lz4-frame-magic",
                                "a compressed buffer does not begin with the magic of LZ4 frames")
                        .layout("int32")
                        .file(lz4, replace(lz4, bytes(4, 0x22, 0x4D), bytes(5, 0x22, 0x4D))));
        cases.add(
                CorpusCase.of(
                                rule,
                                "lz4-byte-behind-frame",
                                "a byte of a compressed buffer is behind its LZ4 frame")
                        .layout("int32")
                        .file(ofLz4(8), ofLz4(new byte[1])));
        byte[] zstd = ofZstd(8).stream();
        cases.add(
                CorpusCase.of(
                        rule,
                        "zstd-block-type-3",
                        "a block of a Zstandard frame has the reserved type 3")
                        .layout("int32")
                        .stream(zstd, replace(zstd, bytes(0x20, 8, 65), bytes(0x20, 8, 71))));
        cases.add(
                CorpusCase.of(
                                rule,
                                "zstd-length-differs",
                                "a Zstandard frame has 8 bytes, by its prefix 9")
                        .layout("int32")
                        .file(ofZstd(8), ofZstd(9)));
        cases.add(
                CorpusCase.of(
                        rule, "lz4-length-differs", "an LZ4 frame has 8 bytes, by its prefix 9")
                        .layout("int32")
                        .stream(ofLz4(8), ofLz4(9)));
        cases.add(
                CorpusCase.of(
                                rule,
                                "lz4-block-too-long",
                                "the block of an LZ4 frame of texts is longer than the buffer")
                        .layout("utf8")
                        .file(
                                compressed(UTF8, 0, 0, compressedTexts(2)),
                                compressed(UTF8, 0, 0, compressedTexts(200))));
        cases.add(
                CorpusCase.of(
                                rule,
                                "lz4-frame-followed-by-1",
                                "a zero is behind an LZ4 frame in its buffer")
                        .layout("utf8")
                        .file(
                                new HandmadeInput(schema(UTF8)).batch(behindFrame(0)),
                                new HandmadeInput(schema(UTF8)).batch(behindFrame(1))));
        cases.add(
                CorpusCase.of(
                        rule,
                        "lz4-frame-followed-by-2-in-dictionary",
                        "two zeros are behind an LZ4 frame in a buffer of a dictionary")
                        .implies(ValueRule.VALUES_UNCHECKED)
                        .layout("dictionary")
                        .stream(behindFrameOfDictionary(0), behindFrameOfDictionary(2)));
    }

    /// A compressed text, with bytes behind the frame.
    private static Batch behindFrame(int count) {
        byte[] frame = Bodies.lz4(text("ab"));
        byte[] longer = Arrays.copyOf(frame, frame.length + count);
        return new Batch(1)
                .compressed(CompressionType.LZ4_FRAME, UnaryOperator.identity())
                .node(1, 0, NONE, prefixed(-1, ints(0, 2)), longer);
    }

    private static HandmadeInput behindFrameOfDictionary(int count) {
        return new HandmadeInput(schema(encoded(UTF8, 3)))
                .dictionary(3, false, behindFrame(count))
                .batch(new Batch(1).node(1, 0, NONE, bytes(0)));
    }

    /// @param length of the block of text, as the frame says
    private static Batch compressedTexts(int length) {
        byte[] text = lz4(text("ab"));
        text[7] = (byte) length;
        return new Batch(1).node(1, 0, NONE, prefixed(-1, ints(0, 2)), prefixed(2, text));
    }
}
