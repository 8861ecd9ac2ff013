// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowFile;

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

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Opens a file and reads its schema: every column's name, type, metadata and children. Fletch,
/// which verifies the footer, beside arrow-java's `ArrowFileReader`, and beside the classes that
/// flatc generates, which verify nothing. The benchmark `WideFile` asks such files other questions.
///
/// `polluted` means that files in heap, direct and mapped memory were read in the same JVM before.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class OpenFile {
    private static final int POLLUTING_COLUMNS = 100;

    /// Columns.
    @Param({"100", "100000"})
    public int columns;

    /// Whether all kinds of memory were seen before.
    @Param({"false", "true"})
    public boolean polluted;

    private final FletchWalk fletchWalk = new FletchWalk();
    private final GeneratedWalk generatedWalk = new GeneratedWalk();
    private Path path;
    private BufferAllocator allocator;

    /// Writes the file if it is not there, and checks that all sides read the same.
    @Setup
    public void setup() throws IOException {
        allocator = new RootAllocator();
        if (polluted) {
            path = BenchInputs.wideFile(POLLUTING_COLUMNS);
            pollute(Files.readAllBytes(path));
        }
        path = BenchInputs.wideFile(columns);
        final long expected = arrow();
        if (fletch() != expected || generated() != expected || generatedFresh() != expected) {
            throw new AssertionError("the sides differ");
        }
    }

    private void pollute(byte[] content) throws IOException {
        for (int i = 0; i < BenchMemory.POLLUTING_CALLS / POLLUTING_COLUMNS; i++) {
            final BenchMemory memory = BenchMemory.of(BenchMemory.KINDS[i % 3], content);
            if (fletch() != walked(ArrowFile.of(memory.segment()))) {
                throw new AssertionError("kinds of memory differ");
            }
        }
    }

    /// Gives back what the allocator holds.
    @TearDown
    public void tearDown() {
        allocator.close();
    }

    /// Fletch.
    @Benchmark
    public long fletch() throws IOException {
        try (ArrowFile opened = ArrowFile.open(path)) {
            return walked(opened);
        }
    }

    private long walked(ArrowFile file) {
        final Schema schema = new Schema();
        file.footer().schema(schema);
        return fletchWalk.schema(schema, Strings.ENDS);
    }

    /// The generated classes, objects used again.
    @Benchmark
    public long generated() throws IOException {
        try (Arena own = Arena.ofConfined();
                FileChannel channel = FileChannel.open(path)) {
            final WideGenerated opened = WideGenerated.of(channel, own);
            return generatedWalk.schema(opened.schema(), opened.text(), Strings.ENDS);
        }
    }

    /// The generated classes, an object for each table and string.
    @Benchmark
    public long generatedFresh() throws IOException {
        try (Arena own = Arena.ofConfined();
                FileChannel channel = FileChannel.open(path)) {
            return FreshWalk.schema(WideGenerated.of(channel, own).schema());
        }
    }

    /// arrow-java: opens, makes vectors for the schema, and tells it.
    @Benchmark
    public long arrow() throws IOException {
        try (ArrowFileReader reader = new ArrowFileReader(FileChannel.open(path), allocator)) {
            return ArrowWalk.schema(reader.getVectorSchemaRoot().getSchema());
        }
    }
}
