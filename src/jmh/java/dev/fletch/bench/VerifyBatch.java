// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReceiver;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
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
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Receives a batch of ten columns and verifies all of it: structure, meaning and values.
/// arrow-java validates vectors that are loaded already.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class VerifyBatch {
    private static final int USED_ROWS = 10;

    /// Rows.
    @Param({"1000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final BufferAllocator allocator = new RootAllocator();
    private BatchReceiver receiver;
    private MemorySegment header;
    private MemorySegment body;
    private ArrowStreamReader reader;
    private VectorSchemaRoot root;

    /// Writes the stream if it does not exist, and checks that both sides accept the same rows.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        String way = running.getBenchmark().replaceAll(".*\\.(fletch|arrow)", "");
        ValueStreams values = ValueStreams.valueOf(way.toUpperCase(Locale.ROOT));
        if (!history.equals(Setting.CLEAN)) {
            byte[] small = Files.readAllBytes(values.of(1, USED_ROWS));
            BenchMemory.useAll(this, running, BenchMemory.all(small, history), this::take);
        }
        Path path = values.of(1, size);
        take(BenchMemory.of("mapped", Files.readAllBytes(path)));
        // arrow-java uses other kinds of memory.
        if (BenchMemory.measuresArrow(running)) {
            reader = new ArrowStreamReader(FileChannel.open(path), allocator);
            root = reader.getVectorSchemaRoot();
            reader.loadNextBatch();
        }
        if (verify() != size || root != null && validate() != size) {
            throw new AssertionError("sides read different data");
        }
    }

    private void take(BenchMemory stream) {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        receiver = Arrow.receive(ReadOptions.UNTRUSTED);
        long at = 0;
        while (frame.wrap(stream.segment(), at, message) == FrameKind.MESSAGE) {
            header = stream.segment().asSlice(frame.metadataOffset(), frame.metadataLength());
            body = stream.segment().asSlice(frame.bodyOffset(), frame.bodyLength());
            receiver.receive(header, body);
            at = frame.nextOffset();
        }
    }

    /// Closes arrow-java's reader and allocator.
    @TearDown
    public void tearDown() throws IOException {
        if (reader != null) {
            reader.close();
        }
        allocator.close();
    }

    private long verify() {
        if (!receiver.receive(header, body)) {
            throw new AssertionError("message is not a record batch");
        }
        return receiver.rowCount();
    }

    private int validate() {
        ValueVectorUtility.validateFull(root);
        return root.getRowCount();
    }

    /// Fletch: numbers.
    @Benchmark
    public long fletchNumbers() {
        return verify();
    }

    /// Fletch: text.
    @Benchmark
    public long fletchText() {
        return verify();
    }

    /// Fletch: five columns of numbers and five of text.
    @Benchmark
    public long fletchMixed() {
        return verify();
    }

    /// arrow-java: numbers.
    @Benchmark
    public int arrowNumbers() {
        return validate();
    }

    /// arrow-java: text.
    @Benchmark
    public int arrowText() {
        return validate();
    }

    /// arrow-java: five columns of numbers and five of text.
    @Benchmark
    public int arrowMixed() {
        return validate();
    }
}
