// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.BufferTarget;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;

import java.lang.foreign.MemorySegment;

/// Writes messages of record batches and dictionary batches like given ones, with other nodes,
/// buffers, variadic buffer counts and body length. Everything else is kept: the number of rows,
/// compression, version, custom metadata, a dictionary's id.
///
/// ```java
/// int length = rewriter.write(memory, at, message, batch, numbers);
/// ```
///
/// A message without custom metadata, and otherwise like the last one, is written by a copy and a
/// few stores, as by a [RecordBatchTemplate]. Others are encoded by a [MetadataWriter].
///
/// **Allocation.** Only for longer messages than before.
///
/// **Errors.** Those of [MetadataWriter], and a [TargetTooSmallException]; nothing is written then.
///
/// **Threads.** Belongs to one thread at a time.
///
/// Source: `format/Message.fbs`, tables `Message`, `RecordBatch` and `DictionaryBatch`.
public final class BatchRewriter {
    private final FlatBufferWriter buffer;
    private final MetadataWriter writer;
    private final BufferTarget target = new BufferTarget();
    private final boolean keepsMetadata;

    private final MetadataEdit edit = new MetadataEdit();
    private final Change.Number bodyLength = new Change.Number(0);
    private final Change.Numbers nodes = new Change.Numbers();
    private final Change.Numbers buffers = new Change.Numbers();
    private final Change.Numbers variadicCounts = new Change.Numbers();

    // What was encoded last.
    private final BatchForm form = new BatchForm();
    private final Message written = new Message();
    private final RecordBatch writtenBatch = new RecordBatch();
    private final DictionaryBatch writtenDictionary = new DictionaryBatch();
    private final BodyCompression writtenCompression = new BodyCompression();
    private boolean isRepeatable;
    private boolean isCompressed;

    // Of the message to write.
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final BodyCompression compression = new BodyCompression();

    /// Creates a rewriter.
    ///
    /// @param order the producer whose byte layout to write
    /// @param keepsMetadata whether to keep custom metadata of messages
    public BatchRewriter(EmissionOrder order, boolean keepsMetadata) {
        this.keepsMetadata = keepsMetadata;
        buffer = new FlatBufferWriter(order.dialect());
        writer = new MetadataWriter(order, buffer);
        edit.set(TableOrder.MESSAGE, Message.BODY_LENGTH_SLOT, bodyLength);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.NODES_SLOT, nodes);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.BUFFERS_SLOT, buffers);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT, variadicCounts);
        if (!keepsMetadata) {
            edit.set(TableOrder.MESSAGE, Message.CUSTOM_METADATA_SLOT, new Change.Drop());
        }
    }

    /// Writes a message.
    ///
    /// @param memory writable memory of any kind, which does not overlap `like`
    /// @param at byte offset for the message
    /// @param like bound to a message with a record batch or a dictionary batch
    /// @param batch bound to its record batch, or to the record batch of its dictionary batch
    /// @param numbers the nodes, buffers, variadic buffer counts and body length
    /// @return the message's length in bytes
    /// @throws IndexOutOfBoundsException if `at` is not inside `memory`
    /// @throws IllegalArgumentException if `memory` is read-only
    /// @throws TargetTooSmallException if the message does not fit between `at` and the end
    public int write(
            MemorySegment memory, long at, Message like, RecordBatch batch, BodyLayout numbers) {
        if (!isRepeatable || !isLikeLast(like, batch, numbers)) {
            encode(like, batch, numbers);
        }
        target.wrap(memory, at, form.length);
        return form.put(
                target,
                batch.length(),
                numbers.bodyLength(),
                numbers.nodes(),
                numbers.buffers(),
                numbers.variadicCounts());
    }

    private boolean isLikeLast(Message like, RecordBatch batch, BodyLayout numbers) {
        return form.hasCounts(numbers.nodeCount(), numbers.bufferCount(), numbers.variadicCount())
                && like.headerType() == written.headerType()
                && like.version() == written.version()
                && !(keepsMetadata && like.customMetadataCount() != 0)
                // Zeros are omitted.
                && (batch.length() == 0) == (writtenBatch.length() == 0)
                && (numbers.bodyLength() == 0) == (written.bodyLength() == 0)
                && hasLastCompression(batch)
                && (like.headerType() != MessageHeader.DICTIONARY_BATCH || isLastDictionary(like));
    }

    private boolean hasLastCompression(RecordBatch batch) {
        if (!batch.compression(compression)) {
            return !isCompressed;
        }
        return isCompressed
                && compression.codec() == writtenCompression.codec()
                && compression.method() == writtenCompression.method();
    }

    private boolean isLastDictionary(Message like) {
        return like.header(dictionary)
                && dictionary.id() == writtenDictionary.id()
                && dictionary.isDelta() == writtenDictionary.isDelta();
    }

    private void encode(Message like, RecordBatch batch, BodyLayout numbers) {
        isRepeatable = false;
        bodyLength.value = numbers.bodyLength();
        nodes.set(numbers.nodes(), 0, numbers.nodeCount());
        buffers.set(numbers.buffers(), 0, numbers.bufferCount());
        int counts = numbers.variadicCount();
        variadicCounts.set(numbers.variadicCounts(), 0, counts == 0 ? -1 : counts);
        buffer.reset();
        writer.message(like, edit);
        written.wrap(buffer.target(), buffer.offset(), buffer.length());
        if (!written.header(writtenBatch)
                && !(written.header(writtenDictionary) && writtenDictionary.data(writtenBatch))) {
            throw RecordBatchTemplate.noBatch(like);
        }
        isCompressed = writtenBatch.compression(writtenCompression);
        form.learn(written, writtenBatch, buffer.target(), buffer.offset(), buffer.length());
        isRepeatable = written.customMetadataCount() == 0;
    }
}
