// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;

import java.util.ArrayList;
import java.util.List;

/// All that a message's accessors show, and those of its batch: numbers and places, and what is
/// thrown instead.
final class MessageReadings {
    private static final int SLOTS = 8;
    private static final int AT_EACH_END = 3;

    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();
    private final BodyCompression compression = new BodyCompression();
    private final FieldNode node = new FieldNode();
    private final Buffer buffer = new Buffer();
    private final KeyValue pair = new KeyValue();
    private final Utf8Slice text = new Utf8Slice();
    private List<Object> shown;

    /// Reads everything.
    List<Object> of(Message message) {
        shown = new ArrayList<>();
        try {
            shown.add(message.version());
            shown.add(message.headerType());
            shown.add(message.bodyLength());
            places(message);
            final boolean isDictionary = message.header(dictionary);
            final boolean isBatch = message.header(batch);
            shown.add(isDictionary);
            shown.add(isBatch);
            if (isDictionary) {
                shown.add(dictionary.id());
                shown.add(dictionary.isDelta());
                places(dictionary);
                if (dictionary.data(batch)) {
                    batch();
                }
            } else if (isBatch) {
                batch();
            }
            pairs(message);
        } catch (FlatBufferFormatException e) {
            shown.add(e.getMessage());
        }
        return shown;
    }

    private void places(Table table) {
        shown.add(table.position());
        shown.add(table.bufferLength());
        for (int slot = 0; slot < SLOTS; slot++) {
            shown.add(table.isPresent(slot));
            shown.add(table.position(slot));
        }
    }

    private void batch() {
        places(batch);
        shown.add(batch.length());
        shown.add(batch.nodesCount());
        shown.add(batch.buffersCount());
        shown.add(batch.variadicBufferCountsCount());
        for (int i = 0; i < batch.nodesCount(); i = next(i, batch.nodesCount())) {
            batch.nodes(i, node);
            shown.add(node.length());
            shown.add(node.nullCount());
            shown.add(batch.nodesLength(i));
            shown.add(batch.nodesNullCount(i));
        }
        for (int i = 0; i < batch.buffersCount(); i = next(i, batch.buffersCount())) {
            batch.buffers(i, buffer);
            shown.add(buffer.offset());
            shown.add(buffer.length());
            shown.add(batch.buffersOffset(i));
            shown.add(batch.buffersLength(i));
        }
        int views = batch.variadicBufferCountsCount();
        for (int i = 0; i < views; i = next(i, views)) {
            shown.add(batch.variadicBufferCounts(i));
        }
        if (batch.compression(compression)) {
            places(compression);
            shown.add(compression.codec());
            shown.add(compression.method());
        }
    }

    private static int next(int index, int count) {
        return index == AT_EACH_END ? Math.max(index + 1, count - AT_EACH_END) : index + 1;
    }

    private void pairs(Message message) {
        int count = message.customMetadataCount();
        shown.add(count);
        for (int i = 0; i < count; i = next(i, count)) {
            message.customMetadata(i, pair);
            places(pair);
            shown.add(pair.key(text) ? text.toString() : null);
            shown.add(pair.value(text) ? text.toString() : null);
        }
    }
}
