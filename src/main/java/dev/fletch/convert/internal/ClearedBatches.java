// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.UnusedBytes;
import dev.fletch.compression.LibraryCompressor;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/// Batches without unused bytes, by [UnusedBytes]. Metadata is written anew. Compressed buffers are
/// decompressed, cleared, and compressed again, each behind the one before.
final class ClearedBatches {
    private final IntFunction<BatchLayout> layoutOf;
    private final Map<Integer, BatchLayout> layouts = new HashMap<>();
    private final DecompressedBuffers buffers;
    private final UnusedBytes unused;
    private final BatchCursor cursor = new BatchCursor();
    private final Message message = new Message();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();
    private final FlatBufferWriter metadata =
            new FlatBufferWriter(EmissionOrder.ARROW_CPP.dialect());
    private final RecordBatchTemplate template = new RecordBatchTemplate(EmissionOrder.ARROW_CPP);
    private final ByteSlice bytes = new ByteSlice();

    /// @param layoutOf the layout of the written batches of a version
    ClearedBatches(IntFunction<BatchLayout> layoutOf, ReadOptions reading) {
        this.layoutOf = layoutOf;
        buffers =
                new DecompressedBuffers(
                        LibraryDecompressor.of(reading), reading.decompressedBytes());
        unused = new UnusedBytes(reading.decompressedBytes());
    }

    /// Clears a message.
    ///
    /// @param of its metadata
    /// @param body its body, replaced by the new one
    /// @return the new metadata
    MemorySegment clear(MemorySegment of, SegmentList body) {
        message.wrap(of);
        boolean isDictionary = message.header(dictionary) && dictionary.data(batch);
        if (!isDictionary && !message.header(batch)) {
            return rewritten(of);
        }
        BatchLayout all = layouts.computeIfAbsent(message.version(), layoutOf::apply);
        MemorySegment copy = copy(body);
        cursor.source(null)
                .bind(isDictionary ? all.dictionaryLayout(dictionary.id()) : all, message)
                .body(copy);
        if (cursor.isCompressed()) {
            return compressed(body);
        }
        unused.find(cursor).clear(copy);
        body.reset().add(copy, 0, copy.byteSize());
        return rewritten(of);
    }

    /// Metadata without the bytes that belong to no table.
    MemorySegment rewritten(MemorySegment of) {
        new MetadataWriter(EmissionOrder.ARROW_CPP, metadata.reset()).message(message.wrap(of));
        return metadata.segment();
    }

    private static MemorySegment copy(SegmentList body) {
        if (body.length() > Wire.LONGEST_ARRAY) {
            throw new IllegalArgumentException(
                    "body is too long to clear: length="
                            + body.length()
                            + ", limit="
                            + Wire.LONGEST_ARRAY);
        }
        MemorySegment copy = MemorySegment.ofArray(new byte[(int) body.length()]);
        long at = 0;
        for (int i = 0; i < body.count(); i++) {
            MemorySegment.copy(body.segment(i), body.offset(i), copy, at, body.bytes(i));
            at += body.bytes(i);
        }
        return copy;
    }

    private MemorySegment compressed(SegmentList body) {
        buffers.release();
        unused.find(cursor.source(buffers));
        BodyLayout parts = new BodyLayout();
        for (int field = 0; field < cursor.layout().fieldCount(); field++) {
            parts.addNode(cursor.length(field), cursor.nullCount(field));
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                byte[] buffer = buffer(field, i);
                parts.addBuffer(MemorySegment.ofArray(buffer), 0, buffer.length);
            }
            if (cursor.layout().has(field, BufferRole.VIEWS)) {
                parts.addVariadicCount(cursor.variadicCount(field));
            }
        }
        body.reset().addAll(parts.body());
        int length = template.write(message, batch, batch.length(), parts, null);
        return rewritten(template.own().asSlice(0, length));
    }

    private byte[] buffer(int field, int buffer) {
        if (unused.length(field, buffer) == 0) {
            byte[] empty = cursor.buffer(field, buffer, bytes).toByteArray();
            return Arrays.copyOf(empty, Math.min(empty.length, Long.BYTES)); // a prefix at most
        }
        boolean isStored = !cursor.isCompressed(field, buffer);
        byte[] plain = cursor.decompressed(field, buffer, bytes).toByteArray();
        unused.clear(unused.start(field, buffer), MemorySegment.ofArray(plain), 0, plain.length);
        byte[] packed = isStored ? plain : LibraryCompressor.compress(cursor.codec(), plain);
        return CompressedBuffer.withPrefix(
                isStored ? CompressedBuffer.STORED : plain.length, packed);
    }
}
