// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.ArrowBuffer;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageMetadataResult;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Reads the batches of [FletchBatches] with arrow-java, from a channel over the same bytes, as its
/// readers do: metadata and bodies are copied, and nothing is verified. Frees each batch.
final class ArrowBatches implements AutoCloseable {
    private static final int BUFFERS_PER_COLUMN = 3;

    private final BufferAllocator allocator = new RootAllocator();
    private VectorSchemaRoot root;
    private VectorLoader loader;
    private List<VarCharVector> vectors;
    private ByteBuffer stream;
    private ReadChannel in;
    private long bodyLength;

    /// Sets a stream, at its start.
    ArrowBatches wrap(ByteBuffer batches) {
        stream = batches.duplicate().rewind();
        in = new ReadChannel(new MemoryChannel(stream));
        return this;
    }

    /// Creates the vectors for [#columns].
    ///
    /// @param columns all `Utf8`
    void plan(int columns) {
        if (root != null) {
            root.close();
        }
        List<Field> fields =
                IntStream.range(0, columns)
                        .mapToObj(i -> Field.nullable("column_" + i, ArrowType.Utf8.INSTANCE))
                        .toList();
        root = VectorSchemaRoot.create(new Schema(fields), allocator);
        loader = new VectorLoader(root);
        vectors = new ArrayList<>();
        for (FieldVector each : root.getFieldVectors()) {
            vectors.add((VarCharVector) each);
        }
    }

    /// Deserializes the next batch; after the last one, the first.
    private ArrowRecordBatch next() throws IOException {
        if (!stream.hasRemaining()) {
            stream.rewind();
        }
        MessageMetadataResult message = MessageSerializer.readMessage(in);
        bodyLength = message.getMessageBodyLength();
        ArrowBuf body = MessageSerializer.readMessageBody(in, bodyLength, allocator);
        return MessageSerializer.deserializeRecordBatch(message, body);
    }

    /// Body length and rows.
    long head() throws IOException {
        try (ArrowRecordBatch batch = next()) {
            return bodyLength + batch.getLength();
        }
    }

    /// All numbers.
    long numbers() throws IOException {
        try (ArrowRecordBatch batch = next()) {
            long sum = bodyLength + batch.getLength();
            for (ArrowFieldNode node : batch.getNodes()) {
                sum += node.getLength() + node.getNullCount();
            }
            for (ArrowBuffer buffer : batch.getBuffersLayout()) {
                sum += buffer.getOffset() + buffer.getSize();
            }
            return sum;
        }
    }

    /// Column by column, loaded into vectors: lengths only, as vectors do not know where in the
    /// body their buffers were. Equal to [FletchBatches#lengths].
    long columns() throws IOException {
        try (ArrowRecordBatch batch = next()) {
            loader.load(batch);
        }
        long sum = root.getRowCount();
        for (VarCharVector each : vectors) {
            sum += each.getValueCount();
            sum += each.getOffsetBuffer().capacity() + each.getDataBuffer().capacity();
        }
        return sum;
    }

    /// Serializes the message of some columns of the next batch.
    ByteBuffer project(int[] columns) throws IOException {
        try (ArrowRecordBatch batch = next()) {
            List<ArrowFieldNode> nodes = new ArrayList<>(columns.length);
            List<ArrowBuf> buffers = new ArrayList<>(BUFFERS_PER_COLUMN * columns.length);
            for (int column : columns) {
                nodes.add(batch.getNodes().get(column));
                int first = BUFFERS_PER_COLUMN * column;
                buffers.addAll(batch.getBuffers().subList(first, first + BUFFERS_PER_COLUMN));
            }
            try (ArrowRecordBatch chosen =
                    new ArrowRecordBatch(batch.getLength(), nodes, buffers)) {
                return MessageSerializer.serializeMetadata(chosen, IpcOption.DEFAULT);
            }
        }
    }

    @Override
    public void close() {
        if (root != null) {
            root.close();
        }
        allocator.close();
    }
}
