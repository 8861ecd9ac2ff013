// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.testdata.LargeSchemas;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// What the benchmarks read: always the same bytes for the same size. Messages are bare
/// flatbuffers; files are made once, in the temporary folder, and used again.
final class BenchInputs {
    private static final int STREAM_COLUMNS = 10;
    private static final int STREAM_BODY_BYTES = 256;
    private static final int BUFFER_BYTES = 8;
    private static final int NONE = 0;

    private BenchInputs() {}

    /// A schema of ten types in turn, by [LargeSchemas].
    static byte[] schema(int columns) {
        return LargeSchemas.schemaMessage(columns);
    }

    /// The name of the last column of [#schema].
    static String lastColumn(int columns) {
        return "column_" + (columns - 1);
    }

    /// A batch of this many nodes, and three buffers for each.
    static byte[] recordBatch(int columns) {
        return LargeSchemas.recordBatchMessage(columns);
    }

    /// A schema of texts only, which [#recordBatch] fits.
    static byte[] texts(int columns) {
        final FlatBufferBuilder builder = new FlatBufferBuilder();
        final int[] fields = new int[columns];
        for (int i = 0; i < columns; i++) {
            final int name = builder.createString("column_" + i);
            final int children = Field.createChildrenVector(builder, new int[0]);
            Utf8.startUtf8(builder);
            final int type = Utf8.endUtf8(builder);
            fields[i] =
                    Field.createField(builder, name, true, Type.Utf8, type, NONE, children, NONE);
        }
        final int vector = Schema.createFieldsVector(builder, fields);
        final int schema = Schema.createSchema(builder, Endianness.Little, vector, NONE, NONE);
        return message(builder, MessageHeader.Schema, schema, 0);
    }

    private static byte[] message(
            FlatBufferBuilder builder, byte type, int header, long bodyLength) {
        builder.finish(
                Message.createMessage(builder, MetadataVersion.V5, type, header, bodyLength, NONE));
        return builder.sizedByteArray();
    }

    /// An Arrow file of very many columns.
    static Path wideFile(int columns) throws IOException {
        return WideFileGenerator.file(columns);
    }

    // ---- streams

    /// A file with a stream of this many messages: a schema of ten columns, then batches of some
    /// rows each with a body of a few bytes.
    static Path streamFile(int messages) throws IOException {
        final Path folder = Path.of(System.getProperty("java.io.tmpdir"), "fletch-bench");
        final Path file = Files.createDirectories(folder).resolve("stream-" + messages + ".arrows");
        if (!Files.exists(file)) {
            final Path part = Files.createTempFile(folder, "stream", null);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
                writeStream(messages, out);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    /// The bytes of such a stream.
    static byte[] stream(int messages) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writeStream(messages, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void writeStream(int messages, OutputStream out) throws IOException {
        writeFrame(texts(STREAM_COLUMNS), 0, out);
        for (int i = 1; i < messages; i++) {
            writeFrame(streamBatch(i % 1000), STREAM_BODY_BYTES, out);
        }
        out.write(prefix(0));
    }

    private static void writeFrame(byte[] metadata, int bodyBytes, OutputStream out)
            throws IOException {
        final int length = (metadata.length + 7) & -8;
        out.write(prefix(length));
        out.write(metadata);
        out.write(new byte[length - metadata.length + bodyBytes]);
    }

    private static byte[] prefix(int length) {
        return ByteBuffer.allocate(2 * Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(-1)
                .putInt(length)
                .array();
    }

    private static byte[] streamBatch(int rows) {
        final FlatBufferBuilder builder = new FlatBufferBuilder();
        final int count = 3 * STREAM_COLUMNS;
        RecordBatch.startBuffersVector(builder, count);
        for (int i = count - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, (long) i * BUFFER_BYTES, BUFFER_BYTES);
        }
        final int buffers = builder.endVector();
        RecordBatch.startNodesVector(builder, STREAM_COLUMNS);
        for (int i = STREAM_COLUMNS - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, rows, i);
        }
        final int nodes = builder.endVector();
        final int batch = RecordBatch.createRecordBatch(builder, rows, nodes, buffers, NONE, NONE);
        return message(builder, MessageHeader.RecordBatch, batch, STREAM_BODY_BYTES);
    }
}
