// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.arrow.Column;
import dev.fletch.ipc.ReadOptions;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.util.ValueVectorUtility;
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

/// Opens a stream from a file's channel, sums one of its ten columns, and closes it: as the readers
/// do by default, or with the values of all columns verified. Batches have 100 rows of numbers and
/// text.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ReadStream {
    private static final int ROWS = 100;
    private static final String SUMMED = "column_0";

    /// Batches.
    @Param({"1", "10", "100", "1000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final BufferAllocator allocator = new RootAllocator();
    private Path path;

    /// Writes the stream if it does not exist, and checks that all sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        if (!history.equals(Setting.CLEAN)) {
            path = ValueStreams.MIXED.of(1, 1);
            BenchMemory.useAll(
                    this, running, BenchMemory.all(Files.readAllBytes(path), history), this::read);
        }
        path = ValueStreams.MIXED.of(size, ROWS);
        long expected = fletchRead();
        if (fletchVerified() != expected) {
            throw new AssertionError("sides read or write different data");
        }
        // arrow-java uses other kinds of memory.
        if (BenchMemory.measuresArrow(running)
                && (arrowRead() != expected || arrowVerified() != expected)) {
            throw new AssertionError("arrow-java reads different data");
        }
    }

    /// Reads the same bytes in other kinds of memory: a channel's are in one kind.
    private void read(BenchMemory memory) {
        try (BatchReader reader = Arrow.open(memory.segment(), ReadOptions.UNTRUSTED)) {
            sum(reader, reader.column(SUMMED));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long sum(BatchReader reader, Column column) throws IOException {
        long sum = 0;
        while (reader.next()) {
            for (long row = 0, n = column.length(); row < n; row++) {
                sum += column.isNull(row) ? 0 : column.int64(row);
            }
        }
        return sum;
    }

    private long sum(boolean isVerified) throws IOException {
        try (ArrowStreamReader reader = new ArrowStreamReader(FileChannel.open(path), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            BigIntVector vector = (BigIntVector) root.getVector(SUMMED);
            long sum = 0;
            while (reader.loadNextBatch()) {
                if (isVerified) {
                    ValueVectorUtility.validateFull(root);
                }
                for (int row = 0, n = vector.getValueCount(); row < n; row++) {
                    sum += vector.isNull(row) ? 0 : vector.get(row);
                }
            }
            return sum;
        }
    }

    /// Closes the allocator.
    @TearDown
    public void tearDown() {
        allocator.close();
    }

    // ---- as the readers do by default

    /// Fletch verifies metadata, and reads one column.
    @Benchmark
    public long fletchRead() throws IOException {
        try (BatchReader reader = Arrow.open(FileChannel.open(path), ReadOptions.DEFAULT)) {
            return sum(reader, reader.column(SUMMED));
        }
    }

    /// arrow-java verifies nothing, and loads all columns.
    @Benchmark
    public long arrowRead() throws IOException {
        return sum(false);
    }

    // ---- with the values of all columns verified

    /// Fletch.
    @Benchmark
    public long fletchVerified() throws IOException {
        try (BatchReader reader = Arrow.open(FileChannel.open(path), ReadOptions.UNTRUSTED)) {
            Column summed = reader.column(SUMMED);
            for (int i = 1; i < ValueStreams.COLUMNS; i++) {
                reader.column("column_" + i);
            }
            return sum(reader, summed);
        }
    }

    /// arrow-java: `validateFull` of each batch.
    @Benchmark
    public long arrowVerified() throws IOException {
        return sum(true);
    }
}
