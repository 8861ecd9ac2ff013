// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/// Streams of ten columns with values, `column_0` and so on, written by arrow-java. Each is written
/// once to the temporary directory.
enum ValueStreams {
    /// `int64` and `float64` by turns.
    NUMBERS,
    /// `utf8`.
    TEXT,
    /// `utf8view`.
    VIEWS,
    /// `int64` and `utf8` by turns.
    MIXED,
    /// The same, compressed by zstd.
    ZSTD;

    static final int COLUMNS = 10;

    private static final int MOST_BYTES = 24;
    private static final int ALPHABET = 26;

    /// Returns a stream; a tenth of its values is null, texts have 0 to 24 bytes of ASCII.
    ///
    /// @param rows of each batch
    Path of(int batches, int rows) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "fletch-bench-streams");
        String name =
                "%s-%d-%d-v%d.arrows"
                        .formatted(
                                name().toLowerCase(Locale.ROOT), batches, rows, BenchInputs.FORM);
        Path file = Files.createDirectories(folder).resolve(name);
        if (!Files.exists(file)) {
            Path part = Files.createTempFile(folder, "part", null);
            write(part, batches, rows);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private void write(Path file, int batches, int rows) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = new VectorSchemaRoot(vectors(allocator));
                FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE);
                ArrowStreamWriter writer =
                        new ArrowStreamWriter(
                                root,
                                null,
                                out,
                                IpcOption.DEFAULT,
                                this == ZSTD
                                        ? CommonsCompressionFactory.INSTANCE
                                        : NoCompressionCodec.Factory.INSTANCE,
                                this == ZSTD ? CodecType.ZSTD : CodecType.NO_COMPRESSION)) {
            Random random = new Random(1);
            for (int batch = 0; batch < batches; batch++) {
                for (FieldVector each : root.getFieldVectors()) {
                    each.allocateNew();
                    for (int row = 0; row < rows; row++) {
                        if (random.nextInt(COLUMNS) != 0) {
                            set(each, row, random);
                        }
                    }
                }
                root.setRowCount(rows);
                writer.writeBatch();
            }
        }
    }

    private List<FieldVector> vectors(BufferAllocator allocator) {
        return IntStream.range(0, COLUMNS).mapToObj(i -> vector(i, allocator)).toList();
    }

    private FieldVector vector(int column, BufferAllocator allocator) {
        String name = "column_" + column;
        boolean isEven = column % 2 == 0;
        return switch (this) {
            case NUMBERS ->
                    isEven ? new BigIntVector(name, allocator) : new Float8Vector(name, allocator);
            case TEXT -> new VarCharVector(name, allocator);
            case VIEWS -> new ViewVarCharVector(name, allocator);
            case MIXED, ZSTD ->
                    isEven ? new BigIntVector(name, allocator) : new VarCharVector(name, allocator);
        };
    }

    private static void set(FieldVector vector, int row, Random random) {
        switch (vector) {
            case BigIntVector each -> each.setSafe(row, random.nextInt());
            case Float8Vector each -> each.setSafe(row, random.nextInt() * 0.5);
            case VarCharVector each -> each.setSafe(row, text(random));
            case ViewVarCharVector each -> each.setSafe(row, text(random));
            default -> throw new AssertionError("unexpected vector: " + vector);
        }
    }

    private static byte[] text(Random random) {
        byte[] bytes = new byte[random.nextInt(MOST_BYTES + 1)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(ALPHABET));
        }
        return bytes;
    }
}
