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
import java.util.concurrent.TimeUnit;

/// Reads all numbers of the next batch of ten columns, as [NextBatch] does, on several threads at
/// once. Each has a stream and a reader of its own.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class OnThreads {
    private static final int COLUMNS = 10;

    /// Threads, for the title: JMH starts them.
    @Param({"1"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final FletchBatches fletch = new FletchBatches(ReadOptions.DEFAULT);
    private final GeneratedBatches generated = new GeneratedBatches();
    private final ArrowBatches arrow = new ArrowBatches();

    /// Prepares the stream of this thread and checks that all sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        byte[] stream = BenchInputs.batches(COLUMNS);
        if (!history.equals(Setting.CLEAN)) {
            BenchMemory.useAll(this, running, BenchMemory.all(stream, history), this::take);
        }
        BenchMemory mapped = BenchMemory.of("mapped", stream);
        take(mapped);
        if (fletch() != generated()) {
            throw new AssertionError("sides read or write different data");
        }
        take(mapped);
        // arrow-java uses other kinds of memory.
        if (BenchMemory.measuresArrow(running) && arrow() != fletch()) {
            throw new AssertionError("arrow-java reads different data");
        }
        take(mapped);
    }

    private void take(BenchMemory placed) {
        fletch.wrap(placed.segment());
        generated.wrap(placed.buffer());
        arrow.wrap(placed.buffer());
    }

    /// Frees arrow-java's memory.
    @TearDown
    public void tearDown() {
        arrow.close();
    }

    /// Fletch.
    @Benchmark
    public long fletch() {
        return fletch.numbers();
    }

    /// The generated classes.
    @Benchmark
    public long generated() {
        return generated.numbers();
    }

    /// arrow-java.
    @Benchmark
    public long arrow() throws IOException {
        return arrow.numbers();
    }
}
