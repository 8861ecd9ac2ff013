// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.BufferTarget;
import dev.fletch.format.write.MetadataEdit.Change;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The message of a record batch or dictionary batch whose shape repeats: encoded once, then
/// written by a copy and a few stores. Variable are the number of rows, the nodes, the buffers, the
/// variadic buffer counts, the body's length and, if wanted, the custom metadata. Everything else
/// is that of an example: compression, version, a dictionary's id.
///
/// ```java
/// RecordBatchTemplate template = RecordBatchTemplate.of(EmissionOrder.ARROW_JAVA, message);
/// …
/// int length = template.write(memory, at, rows, layout, null);
/// ```
///
/// **Other examples.** Each message may have an example of its own, with other counts than the
/// message: for batches that are forwarded in part. A codec that its custom metadata names becomes
/// one of the compression: see [BatchCodec].
///
/// ```java
/// template.start(message, batch, batch.length(), counts, null);
/// template.node(0, batch.length(), 0);
/// …
/// int length = template.end(memory, at, bodyLength);
/// ```
///
/// **Bytes.** Those of a [MetadataWriter] for the same numbers. A number of rows and a body length
/// of 0 are omitted, unless the template's example stores them. The message is encoded anew where
/// one of them becomes 0 or is no more, where it is not like the last one, and where it keeps
/// custom metadata of an example of its own.
///
/// In memory, the nodes follow the buffers, as a [MetadataWriter] writes from the end:
///
/// ```text
///   │ root, vtables, tables, variadic buffer counts │ buffers │ gap │ nodes │ … │
/// ```
///
/// **Allocation.** Only for longer messages than before, and for a few views when the segment or
/// byte buffer differs from the previous one.
///
/// **Errors.** Those of [MetadataWriter]. Counts other than the template's throw an
/// [IllegalArgumentException], a target that is too small throws a [TargetTooSmallException];
/// nothing is written then. The numbers are not checked. A template without an example of its own
/// throws an [IllegalStateException] where one is needed.
///
/// **Threads.** A template belongs to one thread at a time.
///
/// Source: `format/Message.fbs`, tables `Message`, `RecordBatch` and `DictionaryBatch`.
public final class RecordBatchTemplate {
    /// Up to this length, one copy is faster than one for each piece. It saves 10 ns for 3 columns.
    private static final int SHORT_BYTES = 1 << 10;

    // Null if each message has an example of its own.
    private final Message example;
    private final RecordBatch exampleBatch;
    private final int maxLength;

    private final FlatBufferWriter encoder;
    private final MetadataWriter writer;
    private final BufferTarget target = new BufferTarget();
    private final MetadataEdit edit = new MetadataEdit();
    private final Change.Number bodyLength;
    private final Change.Number rowCount;
    private final Change.Numbers nodes = new Change.Numbers();
    private final Change.Numbers buffers = new Change.Numbers();
    private final Change.Numbers variadicCounts = new Change.Numbers();
    private final Change.Pairs pairs = new Change.Pairs(null);

    // Of the message to write.
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch likeBatch = new RecordBatch();
    private final BatchCodec codec = new BatchCodec();

    // What was encoded last.
    private final Message written = new Message();
    private final RecordBatch writtenBatch = new RecordBatch();
    private final DictionaryBatch writtenDictionary = new DictionaryBatch();
    private final BodyCompression writtenCompression = new BodyCompression();
    private boolean isRepeatable;
    private CustomMetadata metadata;
    private int metadataChanges;
    private boolean isCompressed;
    private byte[] bytes = {};
    private int length;
    private int nodeCount;
    private int bufferCount;
    private int variadicCount;
    // Indexes of the two numbers; 0 if the message omits them.
    private int rowCountAt;
    private int bodyLengthAt;
    // Indexes of the vectors' elements; undefined if there are none.
    private int nodesAt;
    private int buffersAt;
    private int variadicCountsAt;
    // Indexes of the values of custom metadata.
    private int[] valuesAt = {};
    private final KeyValue pair = new KeyValue();

    private MemorySegment own = MemorySegment.ofArray(new byte[0]);

    // ---- creating

    /// Creates a template for messages that have examples of their own.
    ///
    /// @param order the producer whose byte layout to write
    public RecordBatchTemplate(EmissionOrder order) {
        this(order, null);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.NODES_SLOT, nodes);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.BUFFERS_SLOT, buffers);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT, variadicCounts);
    }

    private RecordBatchTemplate(EmissionOrder order, Message given) {
        encoder = order.newWriter();
        writer = new MetadataWriter(order, encoder);
        RecordBatch batch = given == null ? null : batch(given);
        // Numbers that the example stores though they are 0 are always stored.
        boolean storesRows =
                batch != null && batch.isPresent(RecordBatch.LENGTH_SLOT) && batch.length() == 0;
        boolean storesBody =
                given != null
                        && given.isPresent(Message.BODY_LENGTH_SLOT)
                        && given.bodyLength() == 0;
        rowCount = new Change.Number(0, storesRows);
        bodyLength = new Change.Number(0, storesBody);
        edit.set(TableOrder.MESSAGE, Message.BODY_LENGTH_SLOT, bodyLength);
        edit.set(TableOrder.RECORD_BATCH, RecordBatch.LENGTH_SLOT, rowCount);
        if (given == null) {
            example = null;
            exampleBatch = null;
            maxLength = 0;
            return;
        }
        BodyLayout any =
                layout(batch.nodesCount(), batch.buffersCount(), batch.variadicBufferCountsCount());
        any.endAt(BodyLayout.LEAST_ALIGNMENT);
        encode(given, 1, any, null);
        byte[] longest = encoder.toByteArray();
        maxLength = longest.length;
        example = new Message().wrap(MemorySegment.ofArray(longest));
        exampleBatch = batch(example);
        isRepeatable = true;
    }

    /// Creates a template from a message that was read, in a producer's order. Its numbers of rows,
    /// nodes, buffers and body do not matter, only the number of nodes and buffers. If the message
    /// stores a number that is 0, the template always stores it.
    ///
    /// @param example a record batch or a dictionary batch
    /// @throws IllegalArgumentException if the example is another kind of message, or not bound
    /// @throws FletchException if it exceeds the limits of a [MetadataWriter], or its bytes point
    ///     out of their range
    /// @throws IllegalStateException if the example is outdated
    public static RecordBatchTemplate of(EmissionOrder order, Message example) {
        return new RecordBatchTemplate(order, Objects.requireNonNull(example, "example"));
    }

    /// Creates a template for record batches of a shape, without compression and metadata.
    ///
    /// @param version version of the format, one of [MetadataVersion]
    /// @param nodes number of nodes: one per field, nested ones included
    /// @param buffers number of buffers
    /// @param variadicCounts number of fields of a view type; if 0, the vector is absent
    /// @throws IllegalArgumentException if the version is unknown, a number is negative, or the
    ///     message would be longer than [Limits#metadataBytes()] of [Limits#DEFAULT]
    public static RecordBatchTemplate of(
            EmissionOrder order, int version, int nodes, int buffers, int variadicCounts) {
        String counts = counts(nodes, buffers, variadicCounts);
        if (!MetadataVersion.NAMES.isKnown(version) || (nodes | buffers | variadicCounts) < 0) {
            throw new IllegalArgumentException(
                    "invalid record batch: version=" + version + ", " + counts);
        }
        long bytes =
                (long) FieldNode.BYTES * nodes
                        + (long) Buffer.BYTES * buffers
                        + (long) Long.BYTES * variadicCounts;
        if (bytes > Limits.DEFAULT.metadataBytes()) {
            String limit = ", bytes=" + bytes + ", limit=" + Limits.DEFAULT.metadataBytes();
            throw new IllegalArgumentException("record batch too large: " + counts + limit);
        }
        FlatBufferWriter writer = order.newWriter();
        int header = layout(nodes, buffers, variadicCounts).createHeader(writer, 0, 0);
        writer.finish(
                TableEncoder.createMessage(
                        writer, version, MessageHeader.RECORD_BATCH, header, 0, 0));
        return of(order, new Message().wrap(writer.segment()));
    }

    private static String counts(int nodes, int buffers, int variadic) {
        return "nodes=" + nodes + ", buffers=" + buffers + ", variadicCounts=" + variadic;
    }

    private static BodyLayout layout(int nodes, int buffers, int variadicCounts) {
        BodyLayout layout = new BodyLayout();
        for (int i = 0; i < nodes; i++) {
            layout.addNode(0, 0);
        }
        for (int i = 0; i < buffers; i++) {
            layout.addBuffer(0);
        }
        for (int i = 0; i < variadicCounts; i++) {
            layout.addVariadicCount(0);
        }
        return layout;
    }

    private static RecordBatch batch(Message message) {
        return bind(message, new DictionaryBatch(), new RecordBatch());
    }

    /// Binds a record batch to that of a message, or of its dictionary batch.
    ///
    /// @param dictionary bound to the dictionary batch, if the message has one
    private static RecordBatch bind(Message message, DictionaryBatch dictionary, RecordBatch into) {
        if (BatchCounts.find(message, dictionary, into)) {
            return into;
        }
        throw new IllegalArgumentException(
                "message has no record batch: kind="
                        + MessageHeader.NAMES.name(message.headerType()));
    }

    /// {@return length in bytes of the longest message without other custom metadata; 0 without an
    /// example}
    public int maxLength() {
        return maxLength;
    }

    // ---- writing all numbers at once

    /// Writes a message. If keys and lengths of values of custom metadata are those of the last
    /// one, only the values are written anew; otherwise the message is encoded.
    ///
    /// @param memory writable memory of any kind
    /// @param position byte offset for the message
    /// @param rows number of rows
    /// @param layout the nodes, buffers, variadic buffer counts and body length
    /// @param pairs the custom metadata; null to keep the example's
    /// @return the message's length in bytes
    /// @throws IndexOutOfBoundsException if `position` is not inside `memory`
    /// @throws IllegalArgumentException if the counts are wrong, or `memory` is read-only
    /// @throws TargetTooSmallException if the message does not fit between `position` and the end
    public int write(
            MemorySegment memory,
            long position,
            long rows,
            BodyLayout layout,
            CustomMetadata pairs) {
        checkCounts(layout);
        prepare(example, exampleBatch, rows, layout, pairs);
        target.wrap(memory, position, length);
        return put(rows, layout, pairs);
    }

    /// [#write(MemorySegment, long, long, BodyLayout, CustomMetadata)] from a buffer's position on,
    /// which does not change.
    public int write(ByteBuffer buffer, long rows, BodyLayout layout, CustomMetadata pairs) {
        checkCounts(layout);
        prepare(example, exampleBatch, rows, layout, pairs);
        target.wrap(buffer, length);
        return put(rows, layout, pairs);
    }

    /// Writes a message like another to memory of this template: see [#own].
    ///
    /// @param like bound to a message with a record batch or a dictionary batch
    /// @param batch bound to its record batch, or to the record batch of its dictionary batch
    /// @param numbers the nodes, buffers, variadic buffer counts and body length
    /// @param pairs the custom metadata; null to keep that of `like`
    /// @return the message's length in bytes
    public int write(
            Message like, RecordBatch batch, long rows, BodyLayout numbers, CustomMetadata pairs) {
        prepare(like, batch, rows, numbers, pairs);
        growOwn();
        target.wrap(own, 0, length);
        return put(rows, numbers, pairs);
    }

    private void checkCounts(BodyLayout layout) {
        if (exampleBatch == null) {
            throw new IllegalStateException("template has no example");
        }
        int nodes = exampleBatch.nodesCount();
        int buffers = exampleBatch.buffersCount();
        int variadic = exampleBatch.variadicBufferCountsCount();
        if (layout.nodeCount() != nodes
                || layout.bufferCount() != buffers
                || layout.variadicCount() != variadic) {
            throw new IllegalArgumentException(
                    "wrong counts: "
                            + counts(
                                    layout.nodeCount(),
                                    layout.bufferCount(),
                                    layout.variadicCount())
                            + ", expected "
                            + counts(nodes, buffers, variadic));
        }
    }

    /// Writes a message to the target. A short one is completed here and then copied. Of a long
    /// one, nodes and buffers are copied to the target directly.
    private int put(long rows, BodyLayout numbers, CustomMetadata values) {
        begin(rows, numbers.variadicCounts(), values);
        if (length <= SHORT_BYTES || nodeCount == 0 || bufferCount == 0) {
            // Not by BufferTarget: its checks take 10 of 30 ns.
            Wire.setInt64s(bytes, nodesAt, numbers.nodes(), 0, 2 * nodeCount);
            Wire.setInt64s(bytes, buffersAt, numbers.buffers(), 0, 2 * bufferCount);
            return finish(numbers.bodyLength());
        }
        int buffersEnd = buffersAt + bufferCount * Buffer.BYTES;
        int nodesEnd = nodesAt + nodeCount * FieldNode.BYTES;
        setBodyLength(numbers.bodyLength());
        target.putBytes(0, bytes, 0, buffersAt);
        target.putInt64s(buffersAt, numbers.buffers(), 0, 2 * bufferCount);
        target.putBytes(buffersEnd, bytes, buffersEnd, nodesAt - buffersEnd);
        target.putInt64s(nodesAt, numbers.nodes(), 0, 2 * nodeCount);
        target.putBytes(nodesEnd, bytes, nodesEnd, length - nodesEnd);
        return length;
    }

    // ---- writing number by number

    /// Starts a message like another. Then give each of its nodes and buffers, and call [#end].
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
        begin(rows, counts.variadicCounts(), pairs);
    }

    /// Gives a node.
    ///
    /// @param index from 0 to the number of nodes - 1
    /// @param values number of values
    /// @param nullCount number of nulls among them
    public void node(int index, long values, long nullCount) {
        int position = nodesAt + FieldNode.BYTES * Objects.checkIndex(index, nodeCount);
        Wire.setInt64(bytes, null, position, values);
        Wire.setInt64(bytes, null, position + FieldNode.NULL_COUNT_AT, nullCount);
    }

    /// Gives a buffer.
    ///
    /// @param index from 0 to the number of buffers - 1
    /// @param offset in the body in bytes
    /// @param size length of the buffer in bytes, without padding
    public void buffer(int index, long offset, long size) {
        int position = buffersAt + Buffer.BYTES * Objects.checkIndex(index, bufferCount);
        Wire.setInt64(bytes, null, position, offset);
        Wire.setInt64(bytes, null, position + Buffer.LENGTH_AT, size);
    }

    /// Writes the message that was started.
    ///
    /// @param memory writable memory of any kind, which does not overlap the message it is like
    /// @param position byte offset for the message
    /// @param bodyBytes length of the body in bytes, padding included
    /// @return the message's length in bytes
    /// @throws IndexOutOfBoundsException if `position` is not inside `memory`
    /// @throws IllegalArgumentException if `memory` is read-only
    /// @throws TargetTooSmallException if the message does not fit between `position` and the end
    public int end(MemorySegment memory, long position, long bodyBytes) {
        target.wrap(memory, position, length);
        return finish(bodyBytes);
    }

    /// [#end(MemorySegment, long, long)] in memory of this template, which grows as needed: see
    /// [#own].
    public int end(long bodyBytes) {
        growOwn();
        return end(own, 0, bodyBytes);
    }

    private void growOwn() {
        if (own.byteSize() < length) {
            own = MemorySegment.ofArray(new byte[length + (length >> 1)]);
        }
    }

    /// {@return memory with the message that was last written there at its start}
    public MemorySegment message() {
        return own;
    }

    /// Stores all but the nodes, the buffers and the length of the body.
    ///
    /// @param values custom metadata with values of the lengths that were encoded; null if there is
    ///     none, or it stays
    private void begin(long rows, long[] counts, CustomMetadata values) {
        if (rowCountAt != 0) {
            Wire.setInt64(bytes, null, rowCountAt, rows);
        }
        Wire.setInt64s(bytes, variadicCountsAt, counts, 0, variadicCount);
        for (int i = 0; values != null && i < values.count(); i++) {
            int value = 2 * i + 1;
            System.arraycopy(values.text(value), 0, bytes, valuesAt[i], values.length(value));
        }
    }

    /// Writes the message to the target, and returns its length.
    private int finish(long bodyBytes) {
        setBodyLength(bodyBytes);
        target.putBytes(0, bytes, 0, length);
        return length;
    }

    private void setBodyLength(long bodyBytes) {
        if (bodyLengthAt != 0) {
            Wire.setInt64(bytes, null, bodyLengthAt, bodyBytes);
        }
    }

    // ---- encoding

    /// Encodes a message, unless the last one is like it.
    private void prepare(
            Message like, RecordBatch batch, long rows, BodyLayout numbers, CustomMetadata given) {
        if (!isRepeatable || !isLikeLast(like, batch, rows, numbers, given)) {
            encode(like, rows, numbers, given);
        }
    }

    private boolean isLikeLast(
            Message like, RecordBatch batch, long rows, BodyLayout numbers, CustomMetadata given) {
        return nodeCount == numbers.nodeCount()
                && bufferCount == numbers.bufferCount()
                && variadicCount == numbers.variadicCount()
                && like.headerType() == written.headerType()
                && like.version() == written.version()
                && given == metadata
                && (given == null
                        ? example != null || like.customMetadataCount() == 0
                        : given.changes() == metadataChanges)
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

    private void encode(Message like, long rows, BodyLayout numbers, CustomMetadata given) {
        isRepeatable = false;
        codec.read(bind(like, dictionary, likeBatch));
        if (codec.isNamed()) {
            codec.check(FletchException::raise); // others are copied
        }
        edit.moveCodec(like, codec);
        metadata = given;
        if (given != null) {
            pairs.by = given;
            edit.set(TableOrder.MESSAGE, Message.CUSTOM_METADATA_SLOT, pairs);
        }
        metadataChanges = given == null ? 0 : given.changes();
        rowCount.value = rows;
        bodyLength.value = numbers.bodyLength();
        nodes.set(numbers.nodes(), 0, numbers.nodeCount());
        buffers.set(numbers.buffers(), 0, numbers.bufferCount());
        int counts = numbers.variadicCount();
        variadicCounts.set(numbers.variadicCounts(), 0, counts == 0 ? -1 : counts);
        encoder.reset();
        writer.message(like, edit);
        written.wrap(encoder.target(), encoder.offset(), encoder.length());
        bind(written, writtenDictionary, writtenBatch);
        isCompressed = writtenBatch.compression(writtenCompression);
        learn();
        isRepeatable = example != null || given != null || written.customMetadataCount() == 0;
    }

    /// Copies the encoded message, and finds the parts that differ in other messages.
    private void learn() {
        long start = encoder.offset();
        length = encoder.length();
        if (bytes.length < length) {
            bytes = new byte[length];
        }
        MemorySegment.copy(encoder.target(), ValueLayout.JAVA_BYTE, start, bytes, 0, length);
        bodyLengthAt = fieldAt(written, Message.BODY_LENGTH_SLOT, start);
        rowCountAt = fieldAt(writtenBatch, RecordBatch.LENGTH_SLOT, start);
        nodeCount = writtenBatch.nodesCount();
        bufferCount = writtenBatch.buffersCount();
        variadicCount = writtenBatch.variadicBufferCountsCount();
        nodesAt = elementsAt(writtenBatch, RecordBatch.NODES_SLOT, start);
        buffersAt = elementsAt(writtenBatch, RecordBatch.BUFFERS_SLOT, start);
        variadicCountsAt = elementsAt(writtenBatch, RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT, start);
        int count = written.customMetadataCount();
        if (valuesAt.length < count) {
            valuesAt = new int[count];
        }
        for (int i = 0; i < count; i++) {
            written.customMetadata(i, pair);
            valuesAt[i] = elementsAt(pair, KeyValue.VALUE_SLOT, start);
        }
    }

    private static int fieldAt(Table table, int slot, long start) {
        return table.isPresent(slot) ? (int) (table.position(slot) - start) : 0;
    }

    private static int elementsAt(Table table, int slot, long start) {
        return (int) (table.targetPosition(slot) - start) + Integer.BYTES;
    }
}
