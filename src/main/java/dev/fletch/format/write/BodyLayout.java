// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/// The field nodes and buffers of a record batch, collected while its columns are written. It
/// computes the offset of each buffer and the length of the body: buffers follow each other, each
/// padded to the alignment. Where buffers are given with their memory, [#body] has their bytes.
///
/// ```java
/// layout.reset();
/// layout.addNode(rows, nullCount);
/// layout.addBuffer(validity, 0, validityBytes);
/// layout.addBuffer(values, 0, valueBytes);
/// …
/// int header = layout.createHeader(writer, rows, 0);
/// writer.finish(
///         TableEncoder.createMessage(
///                 writer,
///                 MetadataVersion.V5,
///                 MessageHeader.RECORD_BATCH,
///                 header,
///                 layout.bodyLength(),
///                 0));
/// ```
///
/// or, for repeated batches of the same shape, [RecordBatchTemplate#write]; then
/// `out.write(writer.segment(), layout.body())` with a `dev.fletch.ipc.MessageWriter`.
///
/// Nodes are not checked.
///
/// **Allocation.** None, unless a batch has more nodes or buffers than all batches before it.
///
/// **Threads.** A layout belongs to one thread at a time.
/// Methods that return a layout return this.
///
/// Source: the chapter "Recordbatch message" of Arrow's columnar format; `format/Message.fbs`.
public final class BodyLayout {
    /// Minimum alignment in bytes: the format requires multiples of 8 for bodies and buffers.
    public static final int LEAST_ALIGNMENT = 8;

    /// The alignment that the format recommends, in bytes.
    public static final int RECOMMENDED_ALIGNMENT = 64;

    static final int LARGEST_ALIGNMENT = 4 << 10;

    private static final int INITIAL = 64;

    private final int alignment;

    private long[] nodes = new long[INITIAL];
    private long[] buffers = new long[INITIAL];
    private long[] variadicCounts = new long[0];
    private int nodeCount;
    private int bufferCount;
    private int variadicCount;
    private long bodyLength;
    private final SegmentList body = new SegmentList();

    /// Creates a layout whose buffers are aligned to 8 bytes.
    public BodyLayout() {
        this(LEAST_ALIGNMENT);
    }

    /// Creates a layout.
    ///
    /// @param alignment of each buffer's offset and padded length in bytes: a power of two from 8
    ///     to 4096; the format recommends 64
    /// @throws IllegalArgumentException if `alignment` is another number
    public BodyLayout(int alignment) {
        this.alignment = checkAlignment(alignment);
    }

    /// Checks the alignment of bodies and buffers.
    ///
    /// @return `alignment`
    /// @throws IllegalArgumentException if it is not a power of two from 8 to 4096
    public static int checkAlignment(int alignment) {
        if (alignment < LEAST_ALIGNMENT
                || alignment > LARGEST_ALIGNMENT
                || Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException(
                    "alignment is not a power of two from 8 to 4096: alignment=" + alignment);
        }
        return alignment;
    }

    /// Removes all nodes, buffers and counts.
    public BodyLayout reset() {
        body.reset();
        nodeCount = 0;
        bufferCount = 0;
        variadicCount = 0;
        bodyLength = 0;
        return this;
    }

    // ---- columns, in the schema's pre-order

    /// Adds a field's node.
    ///
    /// @param length number of values
    /// @param nullCount number of nulls among them
    public BodyLayout addNode(long length, long nullCount) {
        int position = 2 * nodeCount;
        if (position == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * position); // compared before it is stored, as below
        }
        nodes[position] = length;
        nodes[position + 1] = nullCount;
        nodeCount++;
        return this;
    }

    /// Adds a buffer after the previous one.
    ///
    /// @param length of the buffer in bytes, without padding
    /// @return its offset in the body in bytes
    /// @throws IllegalArgumentException if the length is negative, or the body would be longer than
    ///     2^63 - 1 bytes
    public long addBuffer(long length) {
        long offset = bodyLength;
        if (length < 0 || length > Long.MAX_VALUE - (alignment - 1) - offset) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "buffer length out of range: buffer=%d, length=%d, offset=%d",
                            bufferCount,
                            length,
                            offset));
        }
        addPlaced(offset, length);
        bodyLength = offset + length + (alignment - 1) & -alignment;
        return offset;
    }

    /// Adds a buffer after the previous one, and its bytes to [#body].
    ///
    /// @param memory contains the buffer; any kind of memory
    /// @param offset byte offset of its first byte
    /// @param length of the buffer in bytes, without padding
    /// @return its offset in the body in bytes
    /// @throws IndexOutOfBoundsException if the buffer is not inside `memory`
    /// @throws IllegalArgumentException as for [#addBuffer(long)]
    public long addBuffer(MemorySegment memory, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        long position = addBuffer(length);
        if (length != 0) {
            body.add(memory, offset, length).addPadding((int) (bodyLength - position - length));
        }
        return position;
    }

    /// Adds a buffer at a given offset. Nothing is checked.
    ///
    /// @param offset in the body in bytes
    /// @param length of the buffer in bytes, without padding
    public BodyLayout addPlaced(long offset, long length) {
        int position = 2 * bufferCount;
        if (position == buffers.length) {
            buffers = Arrays.copyOf(buffers, 2 * position);
        }
        buffers[position] = offset;
        buffers[position + 1] = length;
        bufferCount++;
        return this;
    }

    /// Sets the length of the body, after [#addPlaced].
    ///
    /// @param bytes with all padding
    public BodyLayout endAt(long bytes) {
        bodyLength = bytes;
        return this;
    }

    /// Adds a variadic buffer count: the number of data buffers of a field of a view type.
    ///
    /// @param count number of data buffers
    public BodyLayout addVariadicCount(long count) {
        if (variadicCount == variadicCounts.length) {
            variadicCounts = Arrays.copyOf(variadicCounts, 2 * variadicCount + 2);
        }
        variadicCounts[variadicCount++] = count;
        return this;
    }

    // ---- result

    /// {@return length of the body in bytes, the last buffer's padding included}
    public long bodyLength() {
        return bodyLength;
    }

    /// {@return the bytes of the body, if all buffers were given with their memory; they are read
    /// when they are written or sent}
    public SegmentList body() {
        return body;
    }

    /// {@return number of nodes}
    int nodeCount() {
        return nodeCount;
    }

    /// {@return number of buffers}
    public int bufferCount() {
        return bufferCount;
    }

    /// {@return number of variadic buffer counts}
    int variadicCount() {
        return variadicCount;
    }

    /// The arrays, which may be longer than the counts.
    long[] nodes() {
        return nodes;
    }

    long[] buffers() {
        return buffers;
    }

    long[] variadicCounts() {
        return variadicCounts;
    }

    /// Writes the vectors of nodes, buffers and, if there are any, variadic buffer counts, and then
    /// the batch's header, with fields in the order of flatc's `createRecordBatch`.
    ///
    /// @param writer must not have an open object; its exceptions are passed on
    /// @param rows number of rows
    /// @param compression the result of [TableEncoder#createBodyCompression]; 0 if absent
    /// @return the header's distance from the buffer's end, for [TableEncoder#createMessage] or
    ///     [TableEncoder#createDictionaryBatch]
    public int createHeader(FlatBufferWriter writer, long rows, int compression) {
        int nodeVector = writer.createVector(nodes, 0, nodeCount, 2);
        int bufferVector = writer.createVector(buffers, 0, bufferCount, 2);
        int counts =
                variadicCount == 0 ? 0 : writer.createVector(variadicCounts, 0, variadicCount, 1);
        return TableEncoder.createRecordBatch(
                writer, rows, nodeVector, bufferVector, compression, counts);
    }
}
