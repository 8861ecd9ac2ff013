// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.arrow.Column;
import dev.fletch.ipc.ReadOptions;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
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
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Opens a file, sums its last column, and closes it. Fletch maps the file, and verifies the
/// metadata; arrow-java loads all columns of each batch.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ReadColumn {
    private static final int USED_COLUMNS = 10;

    /// Columns of the file.
    @Param({"10", "1000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final BufferAllocator allocator = new RootAllocator();
    private Path path;
    private String summed;

    /// Writes the file if it does not exist, and checks that both sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        if (!history.equals(Setting.CLEAN)) {
            take(USED_COLUMNS);
            byte[] small = Files.readAllBytes(path);
            BenchMemory.useAll(this, running, BenchMemory.all(small, history), this::read);
        }
        take(size);
        if (fletch() == 0) {
            throw new AssertionError("nothing is read");
        }
        // arrow-java uses other kinds of memory.
        if (BenchMemory.measuresArrow(running) && arrow() != fletch()) {
            throw new AssertionError("arrow-java reads different data");
        }
    }

    private void take(int columns) throws IOException {
        path = NumbersFile.of(columns);
        summed = "column_" + (columns - 1);
    }

    /// Reads the same bytes in other kinds of memory: [#fletch] uses mapped files only.
    private void read(BenchMemory memory) {
        try (BatchReader reader = Arrow.open(memory.segment(), ReadOptions.DEFAULT)) {
            sum(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private double sum(BatchReader reader) throws IOException {
        Column column = reader.column(summed);
        double sum = 0;
        while (reader.next()) {
            for (long row = 0, n = column.length(); row < n; row++) {
                sum += column.isNull(row) ? 0 : column.float64(row);
            }
        }
        return sum;
    }

    /// Closes the allocator.
    @TearDown
    public void tearDown() {
        allocator.close();
    }

    /// Fletch.
    @Benchmark
    public double fletch() throws IOException {
        try (BatchReader reader = Arrow.open(path)) {
            return sum(reader);
        }
    }

    /// arrow-java.
    @Benchmark
    public double arrow() throws IOException {
        try (ArrowFileReader reader = new ArrowFileReader(FileChannel.open(path), allocator)) {
            Float8Vector vector = (Float8Vector) reader.getVectorSchemaRoot().getVector(summed);
            double sum = 0;
            while (reader.loadNextBatch()) {
                for (int row = 0, n = vector.getValueCount(); row < n; row++) {
                    sum += vector.isNull(row) ? 0 : vector.get(row);
                }
            }
            return sum;
        }
    }
}
