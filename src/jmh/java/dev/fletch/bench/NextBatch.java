// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.ipc.ReadOptions;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Reads the next record batch of a stream in memory: decodes the prefix, binds message and header,
/// and reads parts of it. Fletch verifies each message, its default. The generated classes and
/// arrow-java verify nothing.
///
/// The stream has batches of the same shape, read cyclically: some tens of kilobytes, at least four
/// batches.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class NextBatch implements Peered {
    private static final int USED_COLUMNS = 10;

    /// More than the number of batches in the stream.
    private static final int ROUNDS = 40;

    /// Columns, all `Utf8`: n columns have n nodes and 3n buffers.
    @Param({"5", "10", "50", "1000"})
    public int size;

    /// Kind of memory.
    @Param({"heap", "direct", "mapped"})
    public String memory;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final FletchBatches fletch = new FletchBatches(ReadOptions.DEFAULT);
    private final GeneratedBatches generated = new GeneratedBatches();
    private final ArrowBatches arrow = new ArrowBatches();
    private byte[] stream;
    private BenchMemory placed;

    /// Prepares the stream and checks that all sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        if (!history.equals(Setting.CLEAN)) {
            plan(USED_COLUMNS);
            BenchMemory.useAll(this, running, BenchMemory.all(stream, history), this::take);
        }
        plan(size);
        take(BenchMemory.of(memory, stream));
        check();
        take(placed);
        // arrow-java uses other kinds of memory.
        if (BenchMemory.measuresArrow(running)) {
            arrow.plan(size);
            checkArrow();
            take(placed);
        }
    }

    private void plan(int columns) {
        stream = BenchInputs.batches(columns);
        fletch.plan(BenchMemory.of(memory, BenchInputs.texts(columns)).segment());
        generated.plan(columns);
    }

    private void take(BenchMemory given) {
        placed = given;
        fletch.wrap(placed.segment());
        generated.wrap(placed.buffer());
        arrow.wrap(placed.buffer());
    }

    private void check() {
        if (fletchHead() != generatedHead()
                || fletchNumbers() != generatedNumbers()
                || fletchNumbers() != vectorsNumbers()
                || fletchColumns() != generatedColumns()
                || fletchColumns() != vectorsColumns()
                || fletchRoles() != generatedRoles()
                || fletchThree() != generatedThree()
                || fletchFirst() != generatedFirst()) {
            throw new AssertionError("sides read or write different data");
        }
    }

    private void checkArrow() throws IOException {
        for (int i = 0; i < ROUNDS; i++) {
            if (arrowHead() != fletchHead()
                    || arrowNumbers() != fletchNumbers()
                    || arrowColumns() != fletch.lengths()) {
                throw new AssertionError("arrow-java reads different data");
            }
        }
    }

    /// Frees the vectors.
    @TearDown
    public void tearDown() {
        arrow.close();
    }

    @Override
    public Path input(Path folder) throws IOException {
        return Files.write(folder.resolve("batches"), stream);
    }

    @Override
    public int rounds() {
        return ROUNDS;
    }

    // ---- rows and body length only

    /// Fletch.
    @Benchmark
    public long fletchHead() {
        return fletch.head();
    }

    /// The generated classes.
    @Benchmark
    public long generatedHead() {
        return generated.head();
    }

    /// arrow-java: deserializes the batch.
    @Benchmark
    public long arrowHead() throws IOException {
        return arrow.head();
    }

    // ---- all numbers

    /// Fletch.
    @Benchmark
    public long fletchNumbers() {
        return fletch.numbers();
    }

    /// The generated classes.
    @Benchmark
    public long generatedNumbers() {
        return generated.numbers();
    }

    /// arrow-java: deserializes the batch.
    @Benchmark
    public long arrowNumbers() throws IOException {
        return arrow.numbers();
    }

    /// The generated classes, by objects for the vectors.
    @Benchmark
    public long vectorsNumbers() {
        return generated.numbersByVectors();
    }

    // ---- column by column

    /// Fletch.
    @Benchmark
    public long fletchColumns() {
        return fletch.columns();
    }

    /// The generated classes.
    @Benchmark
    public long generatedColumns() {
        return generated.columns();
    }

    /// arrow-java: loads the batch into vectors.
    @Benchmark
    public long arrowColumns() throws IOException {
        return arrow.columns();
    }

    /// The generated classes, by objects for the vectors.
    @Benchmark
    public long vectorsColumns() {
        return generated.columnsByVectors();
    }

    // ---- column by column, buffers by their roles

    /// Fletch.
    @Benchmark
    public long fletchRoles() {
        return fletch.roles();
    }

    /// The generated classes, which have no roles: same as [#generatedColumns()].
    @Benchmark
    public long generatedRoles() {
        return generated.columns();
    }

    // ---- three columns, by a layout of these

    /// Fletch.
    @Benchmark
    public long fletchThree() {
        return fletch.three();
    }

    /// The generated classes.
    @Benchmark
    public long generatedThree() {
        return generated.three();
    }

    // ---- the first batch of a reader: rows and body length

    /// Fletch, with new objects.
    @Benchmark
    public long fletchFirst() {
        return new FletchBatches(ReadOptions.DEFAULT).wrap(placed.segment()).head();
    }

    /// The generated classes, with new objects.
    @Benchmark
    public long generatedFirst() {
        return new GeneratedBatches().wrap(placed.buffer()).head();
    }
}
