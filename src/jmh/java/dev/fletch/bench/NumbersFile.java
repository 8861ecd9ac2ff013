// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;

/// A file of numeric columns `column_0` and so on, for tasks that read values.
final class NumbersFile {
    static final int BATCHES = 2;
    static final int ROWS = 100;

    private NumbersFile() {}

    /// Returns the file; writes it if it does not exist.
    static Path of(int columns) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "fletch-bench-wide");
        String name = "numbers-%d-%d-%d.arrow".formatted(columns, BATCHES, ROWS);
        Path file = Files.createDirectories(folder).resolve(name);
        if (!Files.exists(file)) {
            Path part = Files.createTempFile(folder, "part", null);
            write(part, columns);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private static void write(Path file, int columns) throws IOException {
        ArrowType number = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
        List<Field> fields =
                IntStream.range(0, columns)
                        .mapToObj(i -> Field.nullable("column_" + i, number))
                        .toList();
        try (RootAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator);
                FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE);
                ArrowFileWriter writer = new ArrowFileWriter(root, null, out)) {
            writer.start();
            for (int batch = 0; batch < BATCHES; batch++) {
                for (int i = 0; i < columns; i++) {
                    Float8Vector vector = (Float8Vector) root.getVector(i);
                    vector.allocateNew(ROWS);
                    for (int row = 0; row < ROWS; row++) {
                        vector.set(row, i + row);
                    }
                }
                root.setRowCount(ROWS);
                writer.writeBatch();
            }
            writer.end();
        }
    }
}
