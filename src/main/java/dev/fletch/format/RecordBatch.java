// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.tables.BufferShape;

import java.lang.foreign.MemorySegment;

/// Header of a message with a batch of rows: the position of each column's buffers in the body.
///
/// Nodes and buffers are in the schema's depth-first pre-order: a parent before its children.
///
/// [Message#header(RecordBatch)] and [DictionaryBatch#data] bind it.
///
/// Source: `format/Message.fbs`, table `RecordBatch`.
public final class RecordBatch extends Table {
    public static final int LENGTH_SLOT = 0;
    public static final int NODES_SLOT = 1;
    public static final int BUFFERS_SLOT = 2;
    public static final int COMPRESSION_SLOT = 3;
    public static final int VARIADIC_BUFFER_COUNTS_SLOT = 4;

    static final long SIZES = sizes(8, 4, 4, 4, 4);

    private long length;
    private long nodesDistance;
    private int nodesCount;
    private long buffersDistance;
    private int buffersCount;
    private long variadicBufferCountsDistance;
    private int variadicBufferCountsCount;

    // The custom metadata of a V4 message, which may name the codec: see BatchCodec.
    private long pairsDistance;
    private int pairsCount;

    // The parts of the message that this was bound to; null if this was decoded alone.
    private MessageParts parts;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        parts = null;
        pairsCount = 0;
        open(a, s, reference, SIZES);
        readNumbers(a, s);
        long nodes = target(a, s, NODES_SLOT);
        nodesDistance = distance(nodes);
        nodesCount = count(a, s, nodes, 16);
        long buffers = target(a, s, BUFFERS_SLOT);
        buffersDistance = distance(buffers);
        buffersCount = count(a, s, buffers, 16);
        long variadicBufferCounts = target(a, s, VARIADIC_BUFFER_COUNTS_SLOT);
        variadicBufferCountsDistance = distance(variadicBufferCounts);
        variadicBufferCountsCount = count(a, s, variadicBufferCounts, 8);
    }

    /// Binds to the batch of a message that was verified and decoded in one step.
    void bindTo(Table from, MessageParts found) {
        moveTo(from, found.batch); // first: throws if the message is outdated
        if (parts != found || !found.isFixed) {
            parts = found;
            takeSlots(found.batchSlots, found.batchSlots4);
            nodesDistance = found.nodes;
            nodesCount = found.nodesCount;
            buffersDistance = found.buffers;
            buffersCount = found.buffersCount;
            variadicBufferCountsDistance = found.variadicCounts;
            variadicBufferCountsCount = found.variadicCountsCount;
            pairsDistance = (long) found.message + found.customMetadata - found.batch;
            pairsCount = found.version == MetadataVersion.V4 ? found.customMetadataCount : 0;
        }
        readNumbers(array(), segment());
    }

    /// Keeps where the custom metadata of the message is, after decoding.
    void keepPairs(long vector, int count) {
        pairsDistance = distance(vector);
        pairsCount = count;
    }

    int pairsCount() {
        return pairsCount;
    }

    KeyValue pair(int index, KeyValue into) {
        bind(into, this, element(at(pairsDistance), index, pairsCount));
        return into;
    }

    /// Reads the numbers of 32 and 64 bits, in which batches of a shape differ.
    private void readNumbers(byte[] a, MemorySegment s) {
        length = int64(a, s, LENGTH_SLOT, 0);
    }

    /// {@return number of rows; 0 if absent}
    public long length() {
        return length;
    }

    public void setLength(long value) {
        length = setInt64(LENGTH_SLOT, value);
    }

    /// {@return number of field nodes, one per field of the schema in pre-order; 0 if the vector is
    /// absent}
    public int nodesCount() {
        return nodesCount;
    }

    /// {@return `into`, bound to one of the field nodes}
    public FieldNode nodes(int index, FieldNode into) {
        into.decode(this, at(nodesDistance), index, nodesCount);
        return into;
    }

    /// Copies all field nodes with one copy, two numbers each: length and null count.
    public int copyNodes(long[] into, int position) {
        return copyLongs(at(nodesDistance), nodesCount, 2, into, position);
    }

    /// Copies chosen field nodes, two numbers each: length and null count.
    ///
    /// @param chosen has the indexes of the elements
    /// @param first index in `chosen` of the first one
    /// @param count number of elements
    /// @return number of numbers that were copied
    public int copyNodes(int[] chosen, int first, int count, long[] into, int position) {
        return gatherPairs(at(nodesDistance), chosen, first, count, nodesCount, into, position);
    }

    /// {@return number of values of a field node}
    public long nodesLength(int index) {
        return int64Member(at(nodesDistance), index, nodesCount, FieldNode.LENGTH_AT);
    }

    /// {@return number of nulls of a field node}
    public long nodesNullCount(int index) {
        return int64Member(at(nodesDistance), index, nodesCount, FieldNode.NULL_COUNT_AT);
    }

    /// {@return number of buffers: for each field in pre-order as many as in its type's layout; 0
    /// if the vector is absent}
    public int buffersCount() {
        return buffersCount;
    }

    /// {@return `into`, bound to one of the buffers}
    public Buffer buffers(int index, Buffer into) {
        into.decode(this, at(buffersDistance), index, buffersCount);
        return into;
    }

    /// Copies all buffers with one copy, two numbers each: offset and length.
    public int copyBuffers(long[] into, int position) {
        return copyLongs(at(buffersDistance), buffersCount, 2, into, position);
    }

    /// Copies chosen buffers, as `copyNodes` does with nodes; two numbers each: offset and length.
    public int copyBuffers(int[] chosen, int first, int count, long[] into, int position) {
        return gatherPairs(at(buffersDistance), chosen, first, count, buffersCount, into, position);
    }

    /// Copies some field nodes and some buffers, two numbers each. All of them with one copy if one
    /// vector follows the other, as all known writers write them: for ten columns in half of the
    /// time.
    ///
    /// @param into gets the buffers at position `2 * nodes + 1`; has as much room behind them
    /// @return position in `into` of the first node: 0, or one number after the buffers
    public int copyParts(int firstNode, int nodes, int firstBuffer, int buffers, long[] into) {
        long distance = buffersDistance - nodesDistance;
        boolean areAll = nodes == nodesCount && buffers == buffersCount;
        int before = BufferShape.firstPosition(nodes);
        if (areAll && nodes != 0 && buffers != 0 && firstNode == 0 && firstBuffer == 0) {
            if (distance == 2L * Long.BYTES * nodes + Long.BYTES) {
                copyLongs(at(nodesDistance), before + 2 * buffers, 1, into, 0);
                return 0;
            }
            if (-distance == 2L * Long.BYTES * buffers + Long.BYTES) {
                copyLongs(at(buffersDistance), 2 * buffers + before, 1, into, before);
                return before + 2 * buffers + 1;
            }
        }
        copyPairs(at(nodesDistance), firstNode, nodes, nodesCount, into, 0);
        copyPairs(at(buffersDistance), firstBuffer, buffers, buffersCount, into, before);
        return 0;
    }

    /// {@return distance in bytes of a buffer from the start of the body}
    public long buffersOffset(int index) {
        return int64Member(at(buffersDistance), index, buffersCount, Buffer.OFFSET_AT);
    }

    /// {@return number of bytes of a buffer, excluding the padding after them}
    public long buffersLength(int index) {
        return int64Member(at(buffersDistance), index, buffersCount, Buffer.LENGTH_AT);
    }

    /// Binds to the compression of the buffers, which is absent if they are not compressed. Arrow
    /// 0.17 named the codec elsewhere: see [BatchCodec].
    public boolean compression(BodyCompression into) {
        return bindPresent(into, field(COMPRESSION_SLOT));
    }

    /// {@return number of variadic buffer counts, one per field of a view type in pre-order; 0 if
    /// the vector is absent or empty}
    public int variadicBufferCountsCount() {
        return variadicBufferCountsCount;
    }

    /// {@return a variadic buffer count: the number of data buffers of one field of a view type}
    public long variadicBufferCounts(int index) {
        return int64Element(at(variadicBufferCountsDistance), index, variadicBufferCountsCount);
    }

    public void setVariadicBufferCounts(int index, long value) {
        setInt64Element(at(variadicBufferCountsDistance), index, variadicBufferCountsCount, value);
    }

    public int copyVariadicBufferCounts(long[] into, int position) {
        return copyLongs(
                at(variadicBufferCountsDistance), variadicBufferCountsCount, 1, into, position);
    }
}
