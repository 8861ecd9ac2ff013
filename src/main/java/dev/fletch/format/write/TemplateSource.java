// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.write.Dialect;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;

/// The example of a [RecordBatchTemplate], with other numbers of rows and bytes: a message for a
/// [MetadataWriter], which is what brings it into an order.
final class TemplateSource {
    private final Message example;
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch;
    private final BodyCompression compression = new BodyCompression();
    private final FlatBufferWriter out = FlatBufferWriter.growing(Dialect.JAVA);
    private final Message copy = new Message();

    /// @throws IllegalArgumentException if the example is no batch
    TemplateSource(Message example) {
        this.example = example;
        batch = batch(example, dictionary);
    }

    /// {@return the record batch that a message has, be it in a dictionary batch}
    static RecordBatch batch(Message message) {
        return batch(message, new DictionaryBatch());
    }

    private static RecordBatch batch(Message message, DictionaryBatch dictionary) {
        final RecordBatch found = new RecordBatch();
        if (message.header(found) || message.header(dictionary) && dictionary.data(found)) {
            return found;
        }
        throw new IllegalArgumentException(
                "message has no record batch: kind="
                        + MessageHeader.NAMES.name(message.headerType()));
    }

    private boolean isDictionary() {
        return example.headerType() == MessageHeader.DICTIONARY_BATCH;
    }

    /// Returns the example with other numbers, until the next call.
    Message message(long rows, long bodyLength) {
        out.reset();
        final int data = recordBatch(rows);
        final int header = isDictionary() ? dictionaryBatch(data) : data;
        final int metadata = customMetadata();
        out.startTable();
        if (example.isPresent(Message.VERSION_SLOT)) {
            out.addInt16(Message.VERSION_SLOT, example.version());
        }
        MessageEncoder.addHeaderType(out, example.headerType());
        MessageEncoder.addHeader(out, header);
        addNumber(example, Message.BODY_LENGTH_SLOT, example.bodyLength(), bodyLength);
        MessageEncoder.addCustomMetadata(out, metadata);
        out.finish(out.endTable());
        return copy.wrap(out.segment());
    }

    private int recordBatch(long rows) {
        final int nodes = nodes();
        final int buffers = buffers();
        final int counts = variadicCounts();
        final int codec = batch.compression(compression) ? compression() : 0;
        out.startTable();
        addNumber(batch, RecordBatch.LENGTH_SLOT, batch.length(), rows);
        RecordBatchEncoder.addNodes(out, nodes);
        RecordBatchEncoder.addBuffers(out, buffers);
        RecordBatchEncoder.addCompression(out, codec);
        RecordBatchEncoder.addVariadicBufferCounts(out, counts);
        return out.endTable();
    }

    /// Adds a number where the example's producer would: unless it is 0, or else even if it is.
    private void addNumber(Table source, int slot, long old, long value) {
        final boolean forced = source.isPresent(slot) && old == 0;
        if (value != 0 || forced) {
            out.addInt64(slot, value);
        }
    }

    private int nodes() {
        if (!batch.isPresent(RecordBatch.NODES_SLOT)) {
            return 0;
        }
        final int count = batch.nodesCount();
        return FieldNodeEncoder.createVector(out, new long[2 * count], 0, count);
    }

    private int buffers() {
        if (!batch.isPresent(RecordBatch.BUFFERS_SLOT)) {
            return 0;
        }
        final int count = batch.buffersCount();
        return BufferEncoder.createVector(out, new long[2 * count], 0, count);
    }

    private int variadicCounts() {
        if (!batch.isPresent(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT)) {
            return 0;
        }
        final int count = batch.variadicBufferCountsCount();
        return out.createVector(new long[count], 0, count);
    }

    private int compression() {
        out.startTable();
        if (compression.isPresent(BodyCompression.CODEC_SLOT)) {
            out.addInt8(BodyCompression.CODEC_SLOT, compression.codec());
        }
        if (compression.isPresent(BodyCompression.METHOD_SLOT)) {
            out.addInt8(BodyCompression.METHOD_SLOT, compression.method());
        }
        return out.endTable();
    }

    private int dictionaryBatch(int data) {
        out.startTable();
        if (dictionary.isPresent(DictionaryBatch.ID_SLOT)) {
            out.addInt64(DictionaryBatch.ID_SLOT, dictionary.id());
        }
        DictionaryBatchEncoder.addData(out, data);
        if (dictionary.isPresent(DictionaryBatch.IS_DELTA_SLOT)) {
            out.addInt8(DictionaryBatch.IS_DELTA_SLOT, dictionary.isDelta() ? 1 : 0);
        }
        return out.endTable();
    }

    private int customMetadata() {
        if (!example.isPresent(Message.CUSTOM_METADATA_SLOT)) {
            return 0;
        }
        final KeyValue pair = new KeyValue();
        final Utf8Slice text = new Utf8Slice();
        final int[] pairs = new int[example.customMetadataCount()];
        for (int i = 0; i < pairs.length; i++) {
            example.customMetadata(i, pair);
            final int key = pair.key(text) ? out.createString(text) : 0;
            final int value = pair.value(text) ? out.createString(text) : 0;
            pairs[i] = KeyValueEncoder.create(out, key, value);
        }
        return out.createOffsetVector(pairs, 0, pairs.length);
    }
}
