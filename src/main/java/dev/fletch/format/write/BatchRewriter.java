// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.write.BufferTarget;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Writes messages of record batches and dictionary batches like given ones, with other numbers of
/// rows, nodes, buffers, variadic buffer counts, body length and, if wanted, custom metadata.
/// Everything else is kept: compression, version, a dictionary's id. A codec that custom metadata
/// names becomes one of the compression: see [BatchCodec].
///
/// ```java
/// rewriter.start(message, batch, batch.length(), counts, null);
/// rewriter.node(0, batch.length(), 0);
/// …
/// int length = rewriter.end(memory, at, bodyLength);
/// ```
///
/// A message like the last one is written by a copy and a few stores, as by a
/// [RecordBatchTemplate]. Others are encoded by a [MetadataWriter], as is each message that keeps
/// custom metadata of its own.
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
    private final MetadataEdit edit = new MetadataEdit();
    private final Change.Number bodyLength;
    private final Change.Number length;
    // Whether all messages are like the same one.
    private final boolean hasExample;
    private final Change.Numbers nodes = new Change.Numbers();
    private final Change.Numbers buffers = new Change.Numbers();
    private final Change.Numbers variadicCounts = new Change.Numbers();
    private final Change.Pairs given = new Change.Pairs(null);

    // What was encoded last.
    private final BatchForm form = new BatchForm();
    private final Message written = new Message();
    private final RecordBatch writtenBatch = new RecordBatch();
    private final DictionaryBatch writtenDictionary = new DictionaryBatch();
    private final BodyCompression writtenCompression = new BodyCompression();
    private boolean isRepeatable;
    private CustomMetadata metadata;
    private int metadataChanges;
    private boolean isCompressed;

    private MemorySegment own = MemorySegment.ofArray(new byte[0]);

    // Of the message to write.
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch likeBatch = new RecordBatch();
    private final BatchCodec codec = new BatchCodec();

    /// Creates a rewriter.
    ///
    /// @param order the producer whose byte layout to write
    public BatchRewriter(EmissionOrder order) {
        this(order, null, null);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.NODES_SLOT, nodes);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.BUFFERS_SLOT, buffers);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT, variadicCounts);
    }

    /// Creates a rewriter of messages with the counts and the metadata of an example, if that is not
    /// null. Numbers that it stores though they are 0 are always stored.
    BatchRewriter(EmissionOrder order, Message example, RecordBatch batch) {
        hasExample = example != null;
        length =
                new Change.Number(
                        0,
                        hasExample
                                && batch.isPresent(RecordBatch.LENGTH_SLOT)
                                && batch.length() == 0);
        bodyLength =
                new Change.Number(
                        0,
                        hasExample
                                && example.isPresent(Message.BODY_LENGTH_SLOT)
                                && example.bodyLength() == 0);
        buffer = new FlatBufferWriter(order.dialect());
        writer = new MetadataWriter(order, buffer);
        edit.set(TableOrder.MESSAGE, Message.BODY_LENGTH_SLOT, bodyLength);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.LENGTH_SLOT, length);
    }

    /// Binds a record batch to that of a message, or of its dictionary batch.
    ///
    /// @param dictionary bound to the dictionary batch, if the message has one
    static RecordBatch bind(Message message, DictionaryBatch dictionary, RecordBatch into) {
        if (message.header(into) || message.header(dictionary) && dictionary.data(into)) {
            return into;
        }
        throw new IllegalArgumentException(
                "message has no record batch: kind="
                        + MessageHeader.NAMES.name(message.headerType()));
    }

    /// Encodes a message with rows and a body.
    byte[] encoded(Message like, BodyLayout numbers) {
        encode(like, 1, numbers, null);
        return buffer.toByteArray();
    }

    // ---- number by number

    /// Starts a message. Then give each of its nodes and buffers, and call [#end].
    ///
    /// @param like bound to a message with a record batch or a dictionary batch
    /// @param batch bound to its record batch, or to the record batch of its dictionary batch
    /// @param rows number of rows
    /// @param counts has as many nodes and buffers, the variadic buffer counts, and a length of the
    ///     body that is 0 only if that of the message will be 0; other numbers are ignored
    /// @param pairs the custom metadata; null to keep that of `like`
    public void start(
            Message like, RecordBatch batch, long rows, BodyLayout counts, CustomMetadata pairs) {
        prepare(like, batch, rows, counts, pairs);
        form.begin(rows, counts.variadicCounts(), pairs);
    }

    /// Gives a node.
    ///
    /// @param index from 0 to the number of nodes - 1
    /// @param length number of values
    /// @param nullCount number of nulls among them
    public void node(int index, long length, long nullCount) {
        form.node(index, length, nullCount);
    }

    /// Gives a buffer.
    ///
    /// @param index from 0 to the number of buffers - 1
    /// @param offset in the body in bytes
    /// @param length of the buffer in bytes, without padding
    public void buffer(int index, long offset, long length) {
        form.buffer(index, offset, length);
    }

    /// Writes the message that was started.
    ///
    /// @param memory writable memory of any kind, which does not overlap the message it is like
    /// @param at byte offset for the message
    /// @param bodyLength length of the body in bytes, padding included
    /// @return the message's length in bytes
    /// @throws IndexOutOfBoundsException if `at` is not inside `memory`
    /// @throws IllegalArgumentException if `memory` is read-only
    /// @throws TargetTooSmallException if the message does not fit between `at` and the end
    public int end(MemorySegment memory, long at, long bodyLength) {
        target.wrap(memory, at, form.length);
        return form.end(target, bodyLength);
    }

    /// [#end(MemorySegment, long, long)] in memory of this rewriter, which grows as needed: see
    /// [#own].
    public int end(long bodyLength) {
        growOwn();
        return end(own, 0, bodyLength);
    }

    private void growOwn() {
        if (own.byteSize() < form.length) {
            own = MemorySegment.ofArray(new byte[form.length + (form.length >> 1)]);
        }
    }

    /// {@return memory with the message that was last written there at its start}
    public MemorySegment own() {
        return own;
    }

    // ---- all numbers at once

    /// Writes a message: see [#start] and [#end].
    int write(
            MemorySegment memory,
            long at,
            Message like,
            RecordBatch batch,
            long rows,
            BodyLayout numbers,
            CustomMetadata pairs) {
        prepare(like, batch, rows, numbers, pairs);
        target.wrap(memory, at, form.length);
        return form.put(target, rows, numbers, pairs);
    }

    /// Writes a message to memory of this rewriter: see [#own].
    ///
    /// @param numbers the nodes, buffers, variadic buffer counts and body length
    /// @return the message's length in bytes
    public int write(
            Message like, RecordBatch batch, long rows, BodyLayout numbers, CustomMetadata pairs) {
        prepare(like, batch, rows, numbers, pairs);
        growOwn();
        target.wrap(own, 0, form.length);
        return form.put(target, rows, numbers, pairs);
    }

    /// The same from a buffer's position on, which does not change.
    int write(
            ByteBuffer into,
            Message like,
            RecordBatch batch,
            long rows,
            BodyLayout numbers,
            CustomMetadata pairs) {
        prepare(like, batch, rows, numbers, pairs);
        target.wrap(into, form.length);
        return form.put(target, rows, numbers, pairs);
    }

    /// Encodes a message, unless the form of the last one fits it.
    private void prepare(
            Message like, RecordBatch batch, long rows, BodyLayout numbers, CustomMetadata pairs) {
        if (!isRepeatable || !isLikeLast(like, batch, rows, numbers, pairs)) {
            encode(like, rows, numbers, pairs);
        }
    }

    private boolean isLikeLast(
            Message like, RecordBatch batch, long rows, BodyLayout numbers, CustomMetadata pairs) {
        return form.hasCounts(numbers)
                && like.headerType() == written.headerType()
                && like.version() == written.version()
                && pairs == metadata
                && (pairs == null
                        ? hasExample || like.customMetadataCount() == 0
                        : pairs.changes() == metadataChanges)
                // Zeros are omitted.
                && (rows == 0) == (writtenBatch.length() == 0)
                && (numbers.bodyLength() == 0) == (written.bodyLength() == 0)
                && hasLastCompression(batch)
                && (like.headerType() != MessageHeader.DICTIONARY_BATCH || isLastDictionary(like));
    }

    private boolean hasLastCompression(RecordBatch batch) {
        if (!codec.read(batch)) {
            return !isCompressed;
        }
        return isCompressed
                && codec.codec() == writtenCompression.codec()
                && codec.method() == writtenCompression.method();
    }

    private boolean isLastDictionary(Message like) {
        return like.header(dictionary)
                && dictionary.id() == writtenDictionary.id()
                && dictionary.isDelta() == writtenDictionary.isDelta();
    }

    private void encode(Message like, long rows, BodyLayout numbers, CustomMetadata pairs) {
        isRepeatable = false;
        codec.read(bind(like, dictionary, likeBatch));
        codec.check(FletchException::raise);
        edit.moveCodec(like, codec);
        metadata = pairs;
        if (pairs != null) {
            given.by = pairs;
            edit.set(TableOrder.MESSAGE, Message.CUSTOM_METADATA_SLOT, given);
        }
        metadataChanges = pairs == null ? 0 : pairs.changes();
        length.value = rows;
        bodyLength.value = numbers.bodyLength();
        nodes.set(numbers.nodes(), 0, numbers.nodeCount());
        buffers.set(numbers.buffers(), 0, numbers.bufferCount());
        int counts = numbers.variadicCount();
        variadicCounts.set(numbers.variadicCounts(), 0, counts == 0 ? -1 : counts);
        buffer.reset();
        writer.message(like, edit);
        written.wrap(buffer.target(), buffer.offset(), buffer.length());
        bind(written, writtenDictionary, writtenBatch);
        isCompressed = writtenBatch.compression(writtenCompression);
        form.learn(written, writtenBatch, buffer);
        isRepeatable = hasExample || pairs != null || written.customMetadataCount() == 0;
    }
}
