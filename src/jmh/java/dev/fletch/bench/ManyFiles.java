// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
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
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// Opens small files one after another, and reads rows and body length of their batches. Fletch
/// verifies footers and messages; the generated classes and arrow-java verify nothing.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ManyFiles {
    private static final int COLUMNS = 10;

    /// Files.
    @Param({"1", "10", "100", "1000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final BufferAllocator allocator = new RootAllocator();
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private List<Path> paths;

    /// Writes the files if they do not exist, and checks that all sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        Path small = WideFile.of(COLUMNS);
        if (!history.equals(Setting.CLEAN)) {
            paths = List.of(small);
            byte[] content = Files.readAllBytes(small);
            BenchMemory.useAll(this, running, BenchMemory.all(content, history), this::read);
        }
        Path folder = Files.createDirectories(small.resolveSibling("many"));
        paths = IntStream.range(0, size).mapToObj(i -> folder.resolve(i + ".arrow")).toList();
        for (Path each : paths) {
            if (!Files.exists(each)) {
                Path part = Files.createTempFile(folder, "part", null);
                Files.write(part, Files.readAllBytes(small));
                Files.move(part, each);
            }
        }
        long expected = generated();
        if (fletch() != expected) {
            throw new AssertionError("sides read or write different data");
        }
        // arrow-java uses other kinds of memory.
        if (BenchMemory.measuresArrow(running) && arrow() != expected) {
            throw new AssertionError("arrow-java reads different data");
        }
    }

    /// Reads the same bytes in other kinds of memory: [#fletch] uses files only.
    private void read(BenchMemory memory) {
        if (sum(ArrowFile.of(memory.segment())) != new GeneratedFile(memory.buffer()).heads()) {
            throw new AssertionError("sides read or write different data");
        }
    }

    private long sum(ArrowFile file) {
        long sum = 0;
        for (int i = 0, n = file.recordBatchCount(); i < n; i++) {
            file.recordBatch(i, frame, message);
            if (!message.header(batch)) {
                throw new AssertionError("message is not a record batch");
            }
            sum += frame.bodyLength() + batch.length();
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
    public long fletch() throws IOException {
        long sum = 0;
        for (Path each : paths) {
            try (ArrowFile opened = ArrowFile.open(each)) {
                sum += sum(opened);
            }
        }
        return sum;
    }

    /// The generated classes.
    @Benchmark
    public long generated() throws IOException {
        long sum = 0;
        for (Path each : paths) {
            try (Arena own = Arena.ofConfined()) {
                sum += GeneratedFile.map(each, own).heads();
            }
        }
        return sum;
    }

    /// arrow-java, which has to load a batch to count its rows.
    @Benchmark
    public long arrow() throws IOException {
        long sum = 0;
        for (Path each : paths) {
            try (ArrowFileReader reader = new ArrowFileReader(FileChannel.open(each), allocator)) {
                VectorSchemaRoot root = reader.getVectorSchemaRoot();
                for (ArrowBlock block : reader.getRecordBlocks()) {
                    reader.loadRecordBatch(block);
                    sum += block.getBodyLength() + root.getRowCount();
                }
            }
        }
        return sum;
    }
}
