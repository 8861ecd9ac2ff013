// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// Sums a nullable `float64` column of a mapped file; a random tenth of the values is null. The
/// column's buffers are already located; all sides use the same loop.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class SumValues implements Peered {
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int USED_ROWS = 1_000;

    /// Rows.
    @Param({"1000000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final BufferAllocator allocator = new RootAllocator();
    private final ByteSlice values = new ByteSlice();
    private final ByteSlice valid = new ByteSlice();
    private Path path;
    private ArrowFile file;
    private long rows;
    private MemorySegment valueBytes;
    private MemorySegment validBytes;
    private ArrowFileReader reader;
    private Float8Vector vector;

    /// Writes the file if it does not exist, and checks that all sides get the same sum.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        path = write(size, allocator);
        file = ArrowFile.open(path);
        if (!history.equals(Setting.CLEAN)) {
            byte[] small = Files.readAllBytes(write(USED_ROWS, allocator));
            BenchMemory.useAll(
                    this,
                    running,
                    BenchMemory.all(small, history).stream()
                            .map(each -> ArrowFile.of(each.segment()))
                            .toList(),
                    this::take);
        }
        take(file);
        double expected = segmentSum();
        if (fletchSum() != expected) {
            throw new AssertionError("sides read or write different data");
        }
        if (BenchMemory.measuresArrow(running)) {
            reader = new ArrowFileReader(FileChannel.open(path), allocator);
            reader.loadNextBatch();
            vector = (Float8Vector) reader.getVectorSchemaRoot().getVector(0);
            if (arrowSum() != expected) {
                throw new AssertionError("arrow-java reads different data");
            }
        }
    }

    private void take(ArrowFile opened) {
        Schema schema = new Schema();
        opened.footer().schema(schema);
        BatchLayout layout = BatchLayout.compile(schema, opened.footer().version());
        Message message = new Message();
        EncapsulatedMessage frame = new EncapsulatedMessage();
        opened.recordBatch(0, frame, message);
        BatchCursor cursor = new BatchCursor().bind(layout, message).body(frame.bodySlice());
        int field = layout.field("value");
        cursor.values(field, ValueType.FLOAT64, values);
        cursor.validity(field, valid);
        rows = cursor.length(field);
        valueBytes = cursor.buffer(field, BufferRole.DATA, new ByteSlice()).asSlice();
        validBytes = cursor.buffer(field, BufferRole.VALIDITY, new ByteSlice()).asSlice();
    }

    private static Path write(int rows, BufferAllocator allocator) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "fletch-bench-sum");
        Path file =
                Files.createDirectories(folder)
                        .resolve("sum-" + rows + "-v" + BenchInputs.FORM + ".arrow");
        if (Files.exists(file)) {
            return file;
        }
        Random random = new Random(1);
        try (Float8Vector vector = new Float8Vector("value", allocator);
                VectorSchemaRoot root = VectorSchemaRoot.of(vector);
                FileChannel out =
                        FileChannel.open(
                                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                ArrowFileWriter writer = new ArrowFileWriter(root, null, out)) {
            vector.allocateNew(rows);
            for (int i = 0; i < rows; i++) {
                if (random.nextInt(10) == 0) {
                    vector.setNull(i);
                } else {
                    vector.set(i, i * 0.5);
                }
            }
            root.setRowCount(rows);
            writer.writeBatch();
        }
        return file;
    }

    /// Unmaps.
    @TearDown
    public void tearDown() throws IOException {
        if (reader != null) {
            reader.close();
        }
        file.close();
        allocator.close();
    }

    @Override
    public Path input(Path folder) {
        return path;
    }

    /// Fletch.
    @Benchmark
    public double fletchSum() {
        double sum = 0;
        for (long row = 0; row < rows; row++) {
            if (valid.bit(row)) {
                sum += values.float64At(row);
            }
        }
        return sum;
    }

    /// By hand on a `MemorySegment`.
    @Benchmark
    public double segmentSum() {
        double sum = 0;
        for (long row = 0; row < rows; row++) {
            if ((validBytes.get(ValueLayout.JAVA_BYTE, row >> 3) >> (row & 7) & 1) != 0) {
                sum += valueBytes.getAtIndex(DOUBLE, row);
            }
        }
        return sum;
    }

    /// arrow-java's vector, whose values are in the allocator's memory.
    @Benchmark
    public double arrowSum() {
        double sum = 0;
        int count = vector.getValueCount();
        for (int row = 0; row < count; row++) {
            if (!vector.isNull(row)) {
                sum += vector.get(row);
            }
        }
        return sum;
    }
}
