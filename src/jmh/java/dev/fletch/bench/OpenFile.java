// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.Limits;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.ReadOptions;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Maps a file, walks its schema or gets its layout, and unmaps the file. Fletch verifies the
/// footer, the generated classes verify nothing.
///
/// `touch` maps the file and reads one word per cache line of its footer.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class OpenFile implements Peered {
    private static final int USED_COLUMNS = 20;
    private static final int TAIL_BYTES = 10;
    private static final int CACHE_LINE_BYTES = 64;

    /// Columns.
    @Param({"1000", "100000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final BufferAllocator allocator = new RootAllocator();
    private final Schema schema = new Schema();
    private final FletchWalk walk = new FletchWalk();
    private final ReadOptions known = ReadOptions.DEFAULT.withKnownSchemas(new KnownSchemas());
    private final GeneratedWalk genWalk = new GeneratedWalk();
    private Path path;

    /// Writes the file if it does not exist, and checks that all sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        if (!history.equals(Setting.CLEAN)) {
            path = WideFile.of(USED_COLUMNS);
            List<BenchMemory> all = BenchMemory.all(Files.readAllBytes(path), history);
            BenchMemory.useAll(this, running, all, this::read);
        }
        path = WideFile.of(size);
        if (fletch() != generated() || touch() == 0) {
            throw new AssertionError("sides read or write different data");
        }
        // arrow-java uses other kinds of memory, and the generated classes too.
        if (BenchMemory.measuresArrow(running) && arrow() != generated()) {
            throw new AssertionError("arrow-java reads different data");
        }
        for (int i = 0; i < 2; i++) { // it is learned when it is seen twice
            fletchKnown();
        }
    }

    /// Reads the same bytes in other kinds of memory: [#fletch] and the others use mapped files
    /// only.
    private void read(BenchMemory memory) {
        layout(ArrowFile.of(memory.segment(), known));
        GeneratedFile file = new GeneratedFile(memory.buffer());
        if (walk.schema(schema) != genWalk.schema(file.schema(), file.text())) {
            throw new AssertionError("sides read or write different data");
        }
    }

    private BatchLayout layout(ArrowFile file) {
        file.footer().schema(schema);
        return BatchLayout.of(file.knownSchema(), schema, MetadataVersion.V5, Limits.DEFAULT);
    }

    /// Closes the allocator.
    @TearDown
    public void tearDown() {
        allocator.close();
    }

    @Override
    public Path input(Path folder) {
        return path;
    }

    /// Fletch.
    @Benchmark
    public long fletch() throws IOException {
        try (ArrowFile opened = ArrowFile.open(path)) {
            opened.footer().schema(schema);
            return walk.schema(schema);
        }
    }

    /// The generated classes.
    @Benchmark
    public long generated() throws IOException {
        try (Arena own = Arena.ofConfined()) {
            GeneratedFile mapped = GeneratedFile.map(path, own);
            return genWalk.schema(mapped.schema(), mapped.text());
        }
    }

    /// arrow-java: opens the file, creates vectors for the schema, and walks it.
    @Benchmark
    public long arrow() throws IOException {
        try (ArrowFileReader reader = new ArrowFileReader(FileChannel.open(path), allocator)) {
            return ArrowWalk.schema(reader.getVectorSchemaRoot().getSchema());
        }
    }

    /// Fletch, which compiles a layout.
    @Benchmark
    public int fletchKnown() throws IOException {
        try (ArrowFile opened = ArrowFile.open(path, known)) {
            return layout(opened).bufferCount();
        }
    }

    /// Maps the file and touches its footer.
    @Benchmark
    public long touch() throws IOException {
        try (Arena own = Arena.ofConfined();
                FileChannel channel = FileChannel.open(path)) {
            MemorySegment file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), own);
            long end = file.byteSize() - TAIL_BYTES;
            long sum = 0;
            for (long at = end - file.get(ValueLayout.JAVA_INT_UNALIGNED, end);
                    at < end;
                    at += CACHE_LINE_BYTES) {
                sum |= file.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            }
            return sum;
        }
    }
}
