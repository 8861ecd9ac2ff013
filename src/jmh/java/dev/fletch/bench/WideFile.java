// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.testdata.GeneratedTables;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Arrow files of many columns: `int64`, `utf8`, `float64`, `list<item: int64>`, `bool` in
/// rotation, with some record batches of one row, and eight bytes per buffer. Each file is written
/// once to the temporary directory.
final class WideFile {
    static final int BATCHES = 4;
    static final long ROWS = 1;

    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.UTF_8);
    private static final int BUFFER_BYTES = 8;

    private WideFile() {}

    /// The file with this number of columns, `column_0` and so on.
    static Path of(int columns) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "fletch-bench-wide");
        Path file =
                Files.createDirectories(folder)
                        .resolve("wide-%d-v%d.arrow".formatted(columns, BenchInputs.FORM));
        if (!Files.exists(file)) {
            Path part = Files.createTempFile(folder, "wide", null);
            write(columns, part);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    private static void write(int columns, Path path) throws IOException {
        Schema schema = new Schema(IntStream.range(0, columns).mapToObj(i -> column(i)).toList());
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
                WriteChannel out = new WriteChannel(channel)) {
            out.write(MAGIC);
            out.align();
            MessageSerializer.serialize(out, schema);
            List<ArrowBlock> blocks = new ArrayList<>();
            for (int i = 0; i < BATCHES; i++) {
                blocks.add(batch(out, schema));
            }
            out.writeIntLittleEndian(-1);
            out.writeIntLittleEndian(0);
            long start = out.getCurrentPosition();
            out.write(new ArrowFooter(schema, List.of(), blocks), false);
            out.writeIntLittleEndian((int) (out.getCurrentPosition() - start));
            out.write(MAGIC);
        }
    }

    private static Field column(int index) {
        String name = "column_" + index;
        ArrowType number = new ArrowType.Int(64, true);
        return switch (index % 5) {
            case 0 -> Field.nullable(name, number);
            case 1 -> Field.nullable(name, ArrowType.Utf8.INSTANCE);
            case 2 ->
                    Field.nullable(
                            name, new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
            case 3 ->
                    new Field(
                            name,
                            org.apache.arrow.vector.types.pojo.FieldType.nullable(
                                    ArrowType.List.INSTANCE),
                            List.of(Field.nullable("item", number)));
            default -> Field.nullable(name, ArrowType.Bool.INSTANCE);
        };
    }

    private static ArrowBlock batch(WriteChannel out, Schema schema) throws IOException {
        int nodes = count(schema.getFields(), false);
        int buffers = count(schema.getFields(), true);
        long bodyLength = (long) buffers * BUFFER_BYTES;
        FlatBufferBuilder builder = new FlatBufferBuilder(1 << 20);
        RecordBatch.startBuffersVector(builder, buffers);
        for (int i = buffers - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, (long) i * BUFFER_BYTES, BUFFER_BYTES);
        }
        int buffersAt = builder.endVector();
        RecordBatch.startNodesVector(builder, nodes);
        for (int i = nodes - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, ROWS, 1);
        }
        int nodesAt = builder.endVector();
        int batch = GeneratedTables.recordBatch(builder, ROWS, nodesAt, buffersAt, 0, 0);
        builder.finish(
                GeneratedTables.message(builder, MessageHeader.RecordBatch, batch, bodyLength));
        ByteBuffer metadata = builder.dataBuffer();
        long start = out.getCurrentPosition();
        int size = (metadata.remaining() + 7) & -8;
        out.writeIntLittleEndian(-1);
        out.writeIntLittleEndian(size);
        out.write(metadata);
        out.align();
        int length = (int) (out.getCurrentPosition() - start);
        out.write(new byte[(int) bodyLength]);
        return new ArrowBlock(start, length, bodyLength);
    }

    private static int count(List<Field> fields, boolean buffers) {
        int sum = 0;
        for (Field each : fields) {
            sum += buffers ? TypeLayout.getTypeBufferCount(each.getType()) : 1;
            sum += count(each.getChildren(), buffers);
        }
        return sum;
    }
}
