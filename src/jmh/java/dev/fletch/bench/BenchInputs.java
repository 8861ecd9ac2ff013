// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.testdata.GeneratedTables;
import dev.fletch.testdata.LargeSchemas;

import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.KeyValue;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Inputs of benchmarks: the same bytes for the same size. Messages are flatbuffers without prefix;
/// files are written once to the temporary directory and reused.
final class BenchInputs {
    /// Version of the kept files: increment it when their content changes.
    static final int FORM = 2;

    private static final int STREAM_COLUMNS = 10;
    private static final int LEAST_BATCHES = 4;
    private static final int CACHED_BYTES = 16 << 10;

    /// So many that their messages do not fit into the caches of a processor.
    static final int MANY_SHAPES = 20_480;

    private static final int BUFFER_BYTES = 8;
    private static final int NONE = 0;

    private BenchInputs() {}

    /// A schema of ten types in turn, by [LargeSchemas].
    static byte[] schema(int columns) {
        return LargeSchemas.schemaMessage(columns);
    }

    /// A schema of `Utf8` columns only, for [#batches].
    static byte[] texts(int columns) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int[] fields = new int[columns];
        for (int i = 0; i < columns; i++) {
            int name = builder.createString("column_" + i);
            int children = Field.createChildrenVector(builder, new int[0]);
            Utf8.startUtf8(builder);
            int type = Utf8.endUtf8(builder);
            fields[i] =
                    GeneratedTables.field(
                            builder, name, true, Type.Utf8, type, NONE, children, NONE);
        }
        int vector = Schema.createFieldsVector(builder, fields);
        int schema = GeneratedTables.schema(builder, Endianness.Little, vector, NONE, NONE);
        return message(builder, MessageHeader.Schema, schema, 0);
    }

    private static byte[] message(
            FlatBufferBuilder builder, byte type, int header, long bodyLength) {
        return message(builder, type, header, bodyLength, NONE);
    }

    private static byte[] message(
            FlatBufferBuilder builder, byte type, int header, long bodyLength, int metadata) {
        builder.finish(
                GeneratedTables.message(
                        builder, MetadataVersion.V5, type, header, bodyLength, metadata));
        return builder.sizedByteArray();
    }

    // ---- consecutive encapsulated batches

    /// Batches of the same shape for [#texts]: some kilobytes, at least four batches. All texts are
    /// empty.
    static byte[] batches(int columns) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < LEAST_BATCHES || out.size() < CACHED_BYTES; i++) {
            out.writeBytes(batch(1 + i, columns, textBuffers(1 + i, columns), false, false, 0));
        }
        return out.toByteArray();
    }

    /// Lengths of validity, offsets and data of each column.
    private static int[] textBuffers(int rows, int columns) {
        int[] lengths = new int[3 * columns];
        for (int i = 0; i < lengths.length; i += 3) {
            lengths[i] = (rows + Byte.SIZE - 1) / Byte.SIZE;
            lengths[i + 1] = (rows + 1) * Integer.BYTES;
            lengths[i + 2] = BUFFER_BYTES - (rows + i) % BUFFER_BYTES;
        }
        return lengths;
    }

    /// Lengths of up to eight bytes.
    private static int[] smallBuffers(int number, int count) {
        int[] lengths = new int[count];
        for (int i = 0; i < count; i++) {
            lengths[i] = BUFFER_BYTES - (number + i) % BUFFER_BYTES;
        }
        return lengths;
    }

    /// Batches of different shapes: 4 to 19 nodes, 2 buffers per node and up to 15 more, with and
    /// without compression and custom metadata.
    static byte[] shapes(int count) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int nodes = 4 + i % 16;
            int buffers = 2 * nodes + i / 16 % 16;
            int[] lengths = smallBuffers(i, buffers);
            all.add(batch(i, nodes, lengths, i / 256 % 2 == 1, i / 512 % 2 == 1, i / 1024));
        }
        Collections.shuffle(all, new Random(1));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        all.forEach(out::writeBytes);
        return out.toByteArray();
    }

    /// @param number number of rows
    /// @param lengths of the buffers, each aligned to eight bytes
    /// @param extraWords length of additional custom metadata, in words of eight bytes
    private static byte[] batch(
            int number,
            int nodes,
            int[] lengths,
            boolean compressed,
            boolean annotated,
            int extraWords) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int metadata = NONE;
        if (annotated || extraWords > 0) {
            int key = builder.createString("sequence" + "x".repeat(Long.BYTES * extraWords));
            int[] pair = {KeyValue.createKeyValue(builder, key, builder.createString("" + number))};
            metadata = Message.createCustomMetadataVector(builder, pair);
        }
        int bodyBytes = IntStream.of(lengths).map(BenchInputs::aligned).sum();
        RecordBatch.startBuffersVector(builder, lengths.length);
        int end = bodyBytes;
        for (int i = lengths.length - 1; i >= 0; i--) {
            end -= aligned(lengths[i]);
            Buffer.createBuffer(builder, end, lengths[i]);
        }
        int bufferVector = builder.endVector();
        RecordBatch.startNodesVector(builder, nodes);
        for (int i = nodes - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, number, Math.min(i, number));
        }
        int nodeVector = builder.endVector();
        int compression =
                compressed
                        ? BodyCompression.createBodyCompression(
                                builder, CompressionType.ZSTD, BodyCompressionMethod.BUFFER)
                        : NONE;
        int header =
                GeneratedTables.recordBatch(
                        builder, number, nodeVector, bufferVector, compression, NONE);
        byte[] content = message(builder, MessageHeader.RecordBatch, header, bodyBytes, metadata);
        return frame(content, bodyBytes);
    }

    private static int aligned(int length) {
        return (length + 7) & -8;
    }

    /// An encapsulated message with a body of zeros.
    static byte[] frame(byte[] metadata, int bodyBytes) {
        int length = aligned(metadata.length);
        return ByteBuffer.allocate(2 * Integer.BYTES + length + bodyBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(-1)
                .putInt(length)
                .put(metadata)
                .array();
    }

    // ---- streams

    /// A file with a stream of this many messages: a schema of ten columns, then small batches.
    static Path streamFile(int messages) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "fletch-bench");
        Path file =
                Files.createDirectories(folder)
                        .resolve("stream-%d-v%d.arrows".formatted(messages, FORM));
        if (!Files.exists(file)) {
            Path part = Files.createTempFile(folder, "stream", null);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
                writeStream(messages, out);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    /// The bytes of such a stream.
    static byte[] stream(int messages) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writeStream(messages, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void writeStream(int messages, OutputStream out) throws IOException {
        out.write(frame(texts(STREAM_COLUMNS), 0));
        for (int i = 1; i < messages; i++) {
            int rows = 1 + i % 1000;
            int[] lengths = smallBuffers(rows, 3 * STREAM_COLUMNS);
            out.write(batch(rows, STREAM_COLUMNS, lengths, false, false, 0));
        }
        out.write(frame(new byte[0], 0));
    }
}
