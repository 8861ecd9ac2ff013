// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.ReceivedBody;
import dev.fletch.batch.UnusedBytes;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.compression.internal.LibraryCompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.ReadOptions;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Clears the unused bytes of batches that are copied, by [UnusedBytes]. Compressed buffers are
/// decompressed, cleared, and compressed again, each behind the one before.
///
/// Belongs to one thread at a time.
public final class ClearedBatches {
    private final DecompressedBuffers buffers;
    private final UnusedBytes unused;
    private final BatchCursor cursor;
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();
    private final RecordBatchTemplate template = new RecordBatchTemplate(EmissionOrder.ARROW_CPP);
    private final ByteSlice bytes = new ByteSlice();

    private final ReceivedBody body = new ReceivedBody();

    /// @param reading has the decompressor, and the limit of the memory
    public ClearedBatches(ReadOptions reading) {
        buffers = LibraryDecompressor.buffers(reading);
        unused = new UnusedBytes(reading.decompressedBytes());
        cursor = new BatchCursor().source(buffers);
    }

    /// Clears the body of a message; only those of batches.
    ///
    /// @param layout of record batches with the fields of this one
    /// @param all its parts, replaced by the new ones
    /// @return the metadata of the new body, valid until the next message; null if it stays
    public MemorySegment clear(BatchLayout layout, Message message, SegmentList all) {
        if (!BatchCounts.find(message, dictionary, batch)) {
            return null;
        }
        boolean isDictionary = message.headerType() == MessageHeader.DICTIONARY_BATCH;
        buffers.release();
        cursor.bind(isDictionary ? layout.dictionaryLayout(dictionary.id()) : layout, message)
                .body(body.reset().add(all));
        if (!cursor.isCompressed()) {
            unused.clear(layout, message, all);
            return null;
        }
        unused.find(cursor);
        BodyLayout sizes = new BodyLayout();
        for (int field = 0; field < cursor.layout().fieldCount(); field++) {
            sizes.addNode(cursor.length(field), cursor.nullCount(field));
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                byte[] buffer = buffer(field, i);
                sizes.addBuffer(MemorySegment.ofArray(buffer), 0, buffer.length);
            }
            if (cursor.layout().has(field, BufferRole.VIEWS)) {
                sizes.addVariadicCount(cursor.variadicCount(field));
            }
        }
        all.reset().addAll(sizes.body());
        int length = template.write(message, batch, batch.length(), sizes, null);
        return template.message().asSlice(0, length);
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
