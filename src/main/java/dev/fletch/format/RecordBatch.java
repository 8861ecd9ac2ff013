// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;

import java.lang.foreign.MemorySegment;

/// Header of a batch of rows: where each column's parts lie in the body.
///
/// Nodes and buffers are flattened in the schema's pre-order: a parent before its children.
///
/// [Message#header(RecordBatch)] and [DictionaryBatch#data] bind it, as often as wanted.
/// Errors, lifetime and threads: see [Table].
///
/// Source: `format/Message.fbs`, table `RecordBatch`.
public final class RecordBatch extends Table {
    /// Slot of `length`.
    public static final int LENGTH_SLOT = 0;

    /// Slot of `nodes`.
    public static final int NODES_SLOT = 1;

    /// Slot of `buffers`.
    public static final int BUFFERS_SLOT = 2;

    /// Slot of `compression`.
    public static final int COMPRESSION_SLOT = 3;

    /// Slot of `variadicBufferCounts`.
    public static final int VARIADIC_BUFFER_COUNTS_SLOT = 4;

    static final long LENGTH_DEFAULT = 0;

    /// The fields' sizes in bytes, slot 0 in the lowest byte.
    static final long SIZES = 0x404040408L;

    private long length;
    private long nodesAt;
    private int nodesCount;
    private long buffersAt;
    private int buffersCount;
    private long compressionAt;
    private long variadicBufferCountsAt;
    private int variadicBufferCountsCount;

    /// Creates a flyweight that is bound to nothing.
    public RecordBatch() {}

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        openAlike(a, s, reference, SIZES);
        length = int64(a, s, LENGTH_SLOT, LENGTH_DEFAULT);
        nodesAt = target(a, s, NODES_SLOT);
        nodesCount = count(a, s, nodesAt, 4);
        buffersAt = target(a, s, BUFFERS_SLOT);
        buffersCount = count(a, s, buffersAt, 4);
        compressionAt = field(COMPRESSION_SLOT);
        variadicBufferCountsAt = target(a, s, VARIADIC_BUFFER_COUNTS_SLOT);
        variadicBufferCountsCount = count(a, s, variadicBufferCountsAt, 3);
    }

    /// {@return number of rows; 0 if absent}
    public long length() {
        return length;
    }

    /// Sets `length` in place; nothing else changes.
    ///
    /// @param value the new value
    /// @throws IllegalStateException if the field is absent: see [#isPresent]
    /// @throws IllegalArgumentException if the memory is read-only
    public void setLength(long value) {
        length = setInt64(LENGTH_SLOT, value);
    }

    /// {@return number of field nodes, one per field of the schema in pre-order; 0 if the vector is
    /// absent}
    public int nodesCount() {
        return nodesCount;
    }

    /// Binds to one of the field nodes.
    ///
    /// @param index from 0 to [#nodesCount()] - 1
    /// @param into bound to it
    /// @return `into`
    /// @throws IndexOutOfBoundsException if there is no such element
    public FieldNode nodes(int index, FieldNode into) {
        into.decode(this, nodesAt, index, nodesCount);
        return into;
    }

    /// Copies all field nodes in one go, two numbers each: length and null count.
    ///
    /// @param into where to
    /// @param at index of the first number in `into`
    /// @return how many numbers were copied: 2 for each
    /// @throws IndexOutOfBoundsException if they don't fit
    public int copyNodes(long[] into, int at) {
        return copyLongs(nodesAt, nodesCount, 2, into, at);
    }

    /// Reads the number of values of one of the field nodes.
    ///
    /// @param index from 0 to [#nodesCount()] - 1
    /// @return its length
    /// @throws IndexOutOfBoundsException if there is no such element
    public long nodesLength(int index) {
        return int64Member(nodesAt, index, nodesCount, FieldNode.LENGTH_AT);
    }

    /// Reads the number of nulls of one of the field nodes.
    ///
    /// @param index from 0 to [#nodesCount()] - 1
    /// @return its null count
    /// @throws IndexOutOfBoundsException if there is no such element
    public long nodesNullCount(int index) {
        return int64Member(nodesAt, index, nodesCount, FieldNode.NULL_COUNT_AT);
    }

    /// {@return number of buffers: for each field in pre-order as many as its type's layout has; 0 if
    /// the vector is absent}
    public int buffersCount() {
        return buffersCount;
    }

    /// Binds to one of the buffers.
    ///
    /// @param index from 0 to [#buffersCount()] - 1
    /// @param into bound to it
    /// @return `into`
    /// @throws IndexOutOfBoundsException if there is no such element
    public Buffer buffers(int index, Buffer into) {
        into.decode(this, buffersAt, index, buffersCount);
        return into;
    }

    /// Copies all buffers in one go, two numbers each: offset and length.
    ///
    /// @param into where to
    /// @param at index of the first number in `into`
    /// @return how many numbers were copied: 2 for each
    /// @throws IndexOutOfBoundsException if they don't fit
    public int copyBuffers(long[] into, int at) {
        return copyLongs(buffersAt, buffersCount, 2, into, at);
    }

    /// Reads where one of the buffers begins.
    ///
    /// @param index from 0 to [#buffersCount()] - 1
    /// @return distance in bytes from the start of the body
    /// @throws IndexOutOfBoundsException if there is no such element
    public long buffersOffset(int index) {
        return int64Member(buffersAt, index, buffersCount, Buffer.OFFSET_AT);
    }

    /// Reads how long one of the buffers is.
    ///
    /// @param index from 0 to [#buffersCount()] - 1
    /// @return number of bytes, without the padding after them
    /// @throws IndexOutOfBoundsException if there is no such element
    public long buffersLength(int index) {
        return int64Member(buffersAt, index, buffersCount, Buffer.LENGTH_AT);
    }

    /// Binds to the compression of the buffers, which is absent where they are not compressed.
    ///
    /// @param into bound to it
    /// @return false if it is absent; `into` is then left as it was
    public boolean compression(BodyCompression into) {
        if (compressionAt == 0) {
            return false;
        }
        bind(into, this, compressionAt);
        return true;
    }

    /// {@return number of variadic buffer counts, one per field of a view type in pre-order; 0 if the
    /// vector is absent or empty}
    public int variadicBufferCountsCount() {
        return variadicBufferCountsCount;
    }

    /// Reads a variadic buffer count: how many data buffers one field of a view type has.
    ///
    /// @param index from 0 to [#variadicBufferCountsCount()] - 1
    /// @return the count
    /// @throws IndexOutOfBoundsException if there is no such element
    public long variadicBufferCounts(int index) {
        return int64Element(variadicBufferCountsAt, index, variadicBufferCountsCount);
    }

    /// Sets one of the variadic buffer counts in place; nothing else changes.
    ///
    /// @param index from 0 to [#variadicBufferCountsCount()] - 1
    /// @param value the new value
    /// @throws IndexOutOfBoundsException if there is no such element
    /// @throws IllegalArgumentException if the memory is read-only
    public void setVariadicBufferCounts(int index, long value) {
        setInt64Element(variadicBufferCountsAt, index, variadicBufferCountsCount, value);
    }

    /// Copies all variadic buffer counts in one go.
    ///
    /// @param into where to
    /// @param at index of the first number in `into`
    /// @return how many numbers were copied
    /// @throws IndexOutOfBoundsException if they don't fit
    public int copyVariadicBufferCounts(long[] into, int at) {
        return copyLongs(variadicBufferCountsAt, variadicBufferCountsCount, 1, into, at);
    }
}
