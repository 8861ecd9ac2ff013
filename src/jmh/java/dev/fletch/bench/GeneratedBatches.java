// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;

import java.nio.ByteBuffer;

/// The reading of [FletchBatches] through the classes that flatc generates, which verify nothing. The
/// frames are taken apart by hand.
final class GeneratedBatches {
    static final int PREFIX_BYTES = 8;

    private static final int CONTINUATION = -1;
    private static final int BUFFERS_PER_COLUMN = 3;

    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final FieldNode node = new FieldNode();
    private final Buffer buffer = new Buffer();
    private final FieldNode.Vector nodes = new FieldNode.Vector();
    private final Buffer.Vector buffers = new Buffer.Vector();
    // Where the buffers of each column start; behind the last where they end.
    private int[] firstBuffer;
    private ByteBuffer stream;
    private int at;

    /// Takes a stream, at its start.
    GeneratedBatches wrap(ByteBuffer batches) {
        stream = batches;
        at = 0;
        return this;
    }

    /// Takes the number of columns, all of texts.
    void plan(int columns) {
        firstBuffer = new int[columns + 1];
        for (int i = 0; i < firstBuffer.length; i++) {
            firstBuffer[i] = i * BUFFERS_PER_COLUMN;
        }
    }

    /// Reads a prefix.
    ///
    /// @return length of the metadata
    static int length(ByteBuffer in, int start) {
        if (in.getInt(start) != CONTINUATION) {
            throw new AssertionError("no continuation word");
        }
        return in.getInt(start + Integer.BYTES);
    }

    /// Binds the next batch, behind the last one the first.
    ///
    /// @return length of its body
    private long next() {
        final int length = length(stream, at);
        stream.position(at + PREFIX_BYTES);
        Message.getRootAsMessage(stream, message);
        if (message.headerType() != MessageHeader.RecordBatch) {
            throw new AssertionError("no record batch");
        }
        message.header(batch);
        final long bodyLength = message.bodyLength();
        final int next = at + PREFIX_BYTES + length + Math.toIntExact(bodyLength);
        at = next == stream.limit() ? 0 : next;
        return bodyLength;
    }

    /// Body length and rows.
    long head() {
        return next() + batch.length();
    }

    /// All numbers.
    long numbers() {
        long sum = next() + batch.length();
        for (int i = 0, n = batch.nodesLength(); i < n; i++) {
            batch.nodes(node, i);
            sum += node.length() + node.nullCount();
        }
        for (int i = 0, n = batch.buffersLength(); i < n; i++) {
            batch.buffers(buffer, i);
            sum += buffer.offset() + buffer.length();
        }
        return sum;
    }

    /// The same by objects for the vectors, which look up each vector once and not for each element.
    long numbersByVectors() {
        long sum = next() + batch.length();
        batch.nodesVector(nodes);
        for (int i = 0, n = nodes.length(); i < n; i++) {
            nodes.get(node, i);
            sum += node.length() + node.nullCount();
        }
        batch.buffersVector(buffers);
        for (int i = 0, n = buffers.length(); i < n; i++) {
            buffers.get(buffer, i);
            sum += buffer.offset() + buffer.length();
        }
        return sum;
    }

    /// Column by column, by the numbers of their buffers.
    long columns() {
        next();
        long sum = batch.length();
        for (int i = 0, n = firstBuffer.length - 1; i < n; i++) {
            sum += column(i);
        }
        return sum;
    }

    /// The same by objects for the vectors.
    long columnsByVectors() {
        next();
        batch.nodesVector(nodes);
        batch.buffersVector(buffers);
        long sum = batch.length();
        for (int i = 0, n = firstBuffer.length - 1; i < n; i++) {
            nodes.get(node, i);
            sum += node.length() + node.nullCount();
            for (int b = firstBuffer[i], end = firstBuffer[i + 1]; b < end; b++) {
                buffers.get(buffer, b);
                sum += buffer.offset() + buffer.length();
            }
        }
        return sum;
    }

    /// Three columns: the second, the middle one, the last but one.
    long three() {
        next();
        final int n = firstBuffer.length - 1;
        return batch.length() + column(1) + column(n / 2) + column(n - 2);
    }

    private long column(int i) {
        batch.nodes(node, i);
        long sum = node.length() + node.nullCount();
        for (int b = firstBuffer[i], end = firstBuffer[i + 1]; b < end; b++) {
            batch.buffers(buffer, b);
            sum += buffer.offset() + buffer.length();
        }
        return sum;
    }
}
