// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.ids.BodyCompressionMethod;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.wire.Escaper;

/// The codec of a batch's buffers.
///
/// It is that of [RecordBatch#compression]. Arrow 0.17 wrote none, and named the codec in the
/// custom metadata of the message: the value of [#KEY] is `lz4` (or `lz4_frame`), `zstd` or
/// `uncompressed`, in upper or lower case. The first such pair counts, only in messages of
/// [dev.fletch.format.ids.MetadataVersion#V4], and only if the batch has no compression. Prefixes
/// of buffers are the same in both cases.
///
/// Source: `BodyCompression` in `format/Message.fbs`; the key is that of Arrow C++ 0.17.
///
/// Reading allocates nothing after the first batch. Belongs to one thread at a time.
public final class BatchCodec {
    /// The key of custom metadata by which Arrow 0.17 names a codec.
    public static final String KEY = "ARROW:experimental_compression";

    private static final int UNKNOWN = Integer.MIN_VALUE; // no codec that a batch can store
    private static final int NOT_NAMED = -1;

    private final BodyCompression compression = new BodyCompression();
    private final KeyValue pair = new KeyValue();
    private final Utf8Slice value = new Utf8Slice();

    private int codec;
    private int method;
    // The index of the pair that names the codec.
    private int named = NOT_NAMED;

    /// Creates a reader of codecs.
    public BatchCodec() {}

    /// Reads the codec of a batch.
    ///
    /// @param batch bound to the header of a message, or to the data of its dictionary batch
    /// @return whether the buffers are compressed
    public boolean read(RecordBatch batch) {
        named = NOT_NAMED;
        codec = 0;
        method = BodyCompressionMethod.BUFFER;
        if (batch.compression(compression)) {
            codec = compression.codec();
            method = compression.method();
            return true;
        }
        return batch.pairsCount() != 0 && readName(batch);
    }

    private boolean readName(RecordBatch batch) {
        for (int i = 0; i < batch.pairsCount(); i++) {
            if (batch.pair(i, pair).keyEquals(KEY)) {
                return readValue(i);
            }
        }
        return false;
    }

    private boolean readValue(int index) {
        boolean isPresent = pair.value(value);
        if (isPresent && isValue("uncompressed")) {
            return false;
        }
        named = index;
        codec = UNKNOWN;
        if (isPresent && (isValue("lz4") || isValue("lz4_frame"))) {
            codec = CompressionType.LZ4_FRAME;
        } else if (isPresent && isValue("zstd")) {
            codec = CompressionType.ZSTD;
        }
        return true;
    }

    private boolean isValue(String name) {
        boolean isEqual = value.length() == name.length();
        for (int i = 0; isEqual && i < name.length(); i++) {
            int c = value.byteAt(i);
            isEqual = (c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c) == name.charAt(i);
        }
        return isEqual;
    }

    /// {@return the codec of the last batch: one of [CompressionType], or an unknown number; 0 if
    /// it is not compressed}
    public int codec() {
        return codec;
    }

    /// {@return the method of the last batch: one of [BodyCompressionMethod], or an unknown number}
    public int method() {
        return method;
    }

    /// {@return whether the codec of the last batch is the one that custom metadata names}
    public boolean isNamed() {
        return named != NOT_NAMED;
    }

    /// Checks that the last batch's codec and method, if it is compressed, are known. The batch must
    /// still be bound.
    ///
    /// @param sink receives the faults [MeaningRule#UNKNOWN_CODEC] and
    ///     [MeaningRule#UNKNOWN_METHOD], whose path is that in the batch; if the codec [#isNamed],
    ///     [MeaningRule#UNKNOWN_CODEC_NAME], whose path is that in the message. Positions are in the
    ///     memory of the message
    /// @return whether to continue
    public boolean check(FaultSink sink) {
        if (codec == UNKNOWN) {
            return sink.broken(fault(MeaningRule.UNKNOWN_CODEC_NAME));
        }
        return (CompressionType.NAMES.isKnown(codec)
                        || sink.add(
                                Fault.of(
                                                MeaningRule.UNKNOWN_CODEC,
                                                compression.position(BodyCompression.CODEC_SLOT),
                                                codec)
                                        .at("compression.codec")))
                && (BodyCompressionMethod.NAMES.isKnown(method)
                        || sink.add(
                                Fault.of(
                                                MeaningRule.UNKNOWN_METHOD,
                                                compression.position(BodyCompression.METHOD_SLOT),
                                                method)
                                        .at("compression.method")));
    }

    /// Checks that the last batch's codec is not the one that custom metadata names. Other readers
    /// than Arrow C++ do not find it there, and read the compressed bytes as values.
    ///
    /// @param sink receives the fault [MeaningRule#CODEC_IN_METADATA], with a position as for
    ///     [#check]
    public boolean checkPlace(FaultSink sink) {
        return !isNamed() || sink.broken(fault(MeaningRule.CODEC_IN_METADATA));
    }

    private Fault fault(Rule rule) {
        long position = pair.targetPosition(KeyValue.VALUE_SLOT);
        String name = pair.valueString();
        String shown = name == null ? "absent" : Escaper.shortenedName(name);
        return Fault.of(rule, position, pair.valueLength())
                .at("customMetadata", named, "value")
                .because("key=" + KEY + ", value=" + shown);
    }
}
