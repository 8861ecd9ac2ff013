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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Reads rows and body length of the next record batch of a stream in memory, as [NextBatch] does,
/// if every batch has a different shape: number of nodes and buffers, with or without compression
/// and custom metadata.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ChangingShapes implements Peered {
    /// Number of shapes, in a fixed random order.
    @Param({"1024"})
    public int size;

    /// Kind of memory.
    @Param({"heap", "direct", "mapped"})
    public String memory;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final FletchBatches fletch = new FletchBatches(ReadOptions.DEFAULT);
    private final GeneratedBatches generated = new GeneratedBatches();
    private byte[] stream;

    /// Prepares the stream and checks that both sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) {
        stream = BenchInputs.shapes(size);
        if (!history.equals(Setting.CLEAN)) {
            BenchMemory.useAll(this, running, BenchMemory.all(stream, history), this::take);
        }
        take(BenchMemory.of(memory, stream));
        for (int i = 0; i < size; i++) {
            if (fletch() != generated()) {
                throw new AssertionError("sides read or write different data");
            }
        }
    }

    private void take(BenchMemory placed) {
        fletch.wrap(placed.segment());
        generated.wrap(placed.buffer());
    }

    @Override
    public Path input(Path folder) throws IOException {
        return Files.write(folder.resolve("shapes"), stream);
    }

    @Override
    public int rounds() {
        return size + 1;
    }

    /// Fletch.
    @Benchmark
    public long fletch() {
        return fletch.head();
    }

    /// The generated classes.
    @Benchmark
    public long generated() {
        return generated.head();
    }
}
