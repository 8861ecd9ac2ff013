// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.ipc.ReadOptions;

import jdk.jfr.Recording;

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

import java.util.concurrent.TimeUnit;

/// Reads what [ChangingShapes] reads, without and with a recording of the Flight Recorder, whose
/// event for messages that were not recognized is off or on. No message is recognized.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RecordedShapes {
    /// Number of shapes, in a fixed random order.
    @Param({"64"})
    public int size;

    /// Kind of memory.
    @Param({"heap", "direct", "mapped"})
    public String memory;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final FletchBatches fletch = new FletchBatches(ReadOptions.DEFAULT);
    // Null without a recording.
    private Recording recording;

    /// Prepares the stream and starts the recording.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) {
        if (!running.getBenchmark().endsWith("fletch")) {
            recording = new Recording();
            recording.setToDisk(false);
            recording.enable("jdk.GarbageCollection");
            if (running.getBenchmark().endsWith("On")) {
                recording.enable("dev.fletch.MessageNotRecognized");
            }
            recording.start();
        }
        byte[] stream = BenchInputs.shapes(size);
        if (!history.equals(Setting.CLEAN)) {
            BenchMemory.useAll(this, running, BenchMemory.all(stream, history), this::take);
        }
        take(BenchMemory.of(memory, stream));
    }

    private void take(BenchMemory placed) {
        fletch.wrap(placed.segment());
    }

    /// Ends the recording.
    @TearDown
    public void end() {
        if (recording != null) {
            recording.close();
        }
    }

    /// Fletch without a recording.
    @Benchmark
    public long fletch() {
        return fletch.head();
    }

    /// Fletch, while there is a recording of other events.
    @Benchmark
    public long recordingOff() {
        return fletch.head();
    }

    /// Fletch, while each message is recorded.
    @Benchmark
    public long recordingOn() {
        return fletch.head();
    }
}
