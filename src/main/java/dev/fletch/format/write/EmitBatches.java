// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.BodyCompression;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;

/// Writes the headers of record batches and dictionary batches again.
final class EmitBatches {
    private final Emission out;
    private final RecordBatch data = new RecordBatch();
    private final BodyCompression compression = new BodyCompression();
    private final long recordSlots;
    private final long dictionarySlots;
    private final long compressionSlots;

    EmitBatches(Emission out) {
        this.out = out;
        recordSlots = out.order.slots("RecordBatch");
        dictionarySlots = out.order.slots("DictionaryBatch");
        compressionSlots = out.order.slots("BodyCompression");
    }

    int of(RecordBatch from) {
        final int nodes = from.isPresent(RecordBatch.NODES_SLOT) ? nodes(from) : 0;
        final int buffers = from.isPresent(RecordBatch.BUFFERS_SLOT) ? buffers(from) : 0;
        final int codec = from.compression(compression) ? compression() : 0;
        final int counts =
                from.isPresent(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT) ? counts(from) : 0;
        out.startTable();
        for (long o = recordSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case RecordBatch.LENGTH_SLOT -> out.int64(from, slot, from.length());
                case RecordBatch.NODES_SLOT -> out.writer.addOffset(slot, nodes);
                case RecordBatch.BUFFERS_SLOT -> out.writer.addOffset(slot, buffers);
                case RecordBatch.COMPRESSION_SLOT -> out.writer.addOffset(slot, codec);
                default -> out.writer.addOffset(slot, counts);
            }
        }
        return out.endTable();
    }

    private int nodes(RecordBatch from) {
        final int count = from.nodesCount();
        final long[] numbers = out.numbers(count, FieldNode.BYTES / Long.BYTES);
        from.copyNodes(numbers, 0);
        return FieldNodeEncoder.createVector(out.writer, numbers, 0, count);
    }

    private int buffers(RecordBatch from) {
        final int count = from.buffersCount();
        final long[] numbers = out.numbers(count, Buffer.BYTES / Long.BYTES);
        from.copyBuffers(numbers, 0);
        return BufferEncoder.createVector(out.writer, numbers, 0, count);
    }

    private int counts(RecordBatch from) {
        final int count = from.variadicBufferCountsCount();
        final long[] numbers = out.numbers(count, 1);
        from.copyVariadicBufferCounts(numbers, 0);
        return out.writer.createVector(numbers, 0, count);
    }

    private int compression() {
        out.startTable();
        for (long o = compressionSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case BodyCompression.CODEC_SLOT -> out.int8(compression, slot, compression.codec());
                default -> out.int8(compression, slot, compression.method());
            }
        }
        return out.endTable();
    }

    int of(DictionaryBatch from, MetadataEdit edit) {
        final int batch = from.data(data) ? of(data) : 0;
        final long id = from.id();
        final long newId = edit.dictionaryId(id);
        out.startTable();
        for (long o = dictionarySlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case DictionaryBatch.ID_SLOT ->
                        out.changed64(from, slot, id, newId, DictionaryBatch.ID_DEFAULT);
                case DictionaryBatch.DATA_SLOT -> out.writer.addOffset(slot, batch);
                default -> out.bool(from, slot, from.isDelta());
            }
        }
        return out.endTable();
    }
}
