// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.batch.Columns;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// Opens a file, gets columns by name as arrow-java vectors, sums their values, and closes the
/// file. arrow-java always reads all columns of a batch.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class VectorSums {
    private static final int MANY = 20;
    private static final int USED_COLUMNS = 40;

    /// Columns of the file.
    @Param({"100", "20000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final VectorOptions known =
            VectorOptions.DEFAULT.withReadOptions(
                    VectorOptions.DEFAULT.readOptions().withKnownSchemas(new KnownSchemas()));
    private Path path;
    private List<String> one;
    private List<String> many;
    // Replaces the path in a JVM that must use all kinds of memory; else null.
    private ArrowFile instead;

    /// Writes the file if it does not exist, and checks that all sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        if (!history.equals(Setting.CLEAN)) {
            take(USED_COLUMNS);
            List<ArrowFile> all =
                    BenchMemory.all(Files.readAllBytes(path), history).stream()
                            .map(memory -> ArrowFile.of(memory.segment()))
                            .toList();
            BenchMemory.useAll(this, running, all, file -> instead = file);
            instead = null;
        }
        take(size);
        if (fletchOne() != arrowOne()
                || fletchMany() != arrowMany()
                || fletchManyKnown() != fletchMany()) {
            throw new AssertionError("sides read or write different data");
        }
    }

    /// Chooses columns evenly across the file.
    void take(int columns) throws IOException {
        path = NumbersFile.of(columns);
        one = List.of("column_" + (columns - 1));
        many = IntStream.range(0, MANY).mapToObj(i -> "column_" + i * (columns / MANY)).toList();
    }

    private double fletch(List<String> names, VectorOptions options, RootAllocator allocator)
            throws IOException {
        Columns columns = Columns.named(names.toArray(String[]::new));
        try (VectorReader vectors =
                instead == null
                        ? VectorReader.open(path, allocator, columns, options)
                        : VectorReader.copying(instead, allocator, columns, options)) {
            double sum = 0;
            while (vectors.loadNext()) {
                sum += sum(vectors.root(), names);
            }
            return sum;
        }
    }

    /// Fletch's sum, and the peak of its allocator in bytes.
    long fletchBytes(boolean isOne) throws IOException {
        try (RootAllocator allocator = new RootAllocator()) {
            fletch(isOne ? one : many, VectorOptions.DEFAULT, allocator);
            return allocator.getPeakMemoryAllocation();
        }
    }

    /// The same for arrow-java.
    long arrowBytes(boolean isOne) throws IOException {
        try (RootAllocator allocator = new RootAllocator()) {
            arrow(isOne ? one : many, allocator);
            return allocator.getPeakMemoryAllocation();
        }
    }

    private double fletch(List<String> names, VectorOptions options) throws IOException {
        try (RootAllocator allocator = new RootAllocator()) {
            return fletch(names, options, allocator);
        }
    }

    private double arrow(List<String> names, RootAllocator allocator) throws IOException {
        try (ArrowFileReader reader = new ArrowFileReader(FileChannel.open(path), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            double sum = 0;
            while (reader.loadNextBatch()) {
                sum += sum(root, names);
            }
            return sum;
        }
    }

    private double arrow(List<String> names) throws IOException {
        try (RootAllocator allocator = new RootAllocator()) {
            return arrow(names, allocator);
        }
    }

    private static double sum(VectorSchemaRoot root, List<String> names) {
        double sum = 0;
        for (String name : names) {
            Float8Vector vector = (Float8Vector) root.getVector(name);
            for (int row = 0; row < vector.getValueCount(); row++) {
                sum += vector.get(row);
            }
        }
        return sum;
    }

    /// Fletch, one column: the last.
    @Benchmark
    public double fletchOne() throws IOException {
        return fletch(one, VectorOptions.DEFAULT);
    }

    /// arrow-java.
    @Benchmark
    public double arrowOne() throws IOException {
        return arrow(one);
    }

    /// Fletch, 20 columns.
    @Benchmark
    public double fletchMany() throws IOException {
        return fletch(many, VectorOptions.DEFAULT);
    }

    /// Fletch, with a known schema.
    @Benchmark
    public double fletchManyKnown() throws IOException {
        return fletch(many, known);
    }

    /// arrow-java.
    @Benchmark
    public double arrowMany() throws IOException {
        return arrow(many);
    }
}
