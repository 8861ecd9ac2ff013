// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.arrow.VerifiedChannel;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.ipc.ReadOptions;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Reads a stream of ten batches of ten columns with arrow-java's reader: behind a
/// [VerifiedChannel], and without it. The source is a file, or a socket of this machine.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BehindChannel {
    private static final int BATCHES = 10;
    private static final int USED_ROWS = 10;
    private static final ReadOptions OPTIONS =
            ReadOptions.UNTRUSTED.withDecompressor(new LibraryDecompressor());

    /// Rows of each batch.
    @Param({"10000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final BufferAllocator allocator = new RootAllocator();
    private final ByteBuffer memory = LeastChannel.memory();
    private Path path;
    // Null if the source is a file.
    private LoopbackSource socket;

    /// Writes the stream if it does not exist, and checks that both sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        String way = running.getBenchmark().replaceAll(".*\\.(fletch|arrow|stored|combined)", "");
        String name = way.replaceAll("File|Socket", "");
        ValueStreams values = ValueStreams.valueOf(name.toUpperCase(Locale.ROOT));
        boolean isSocket = way.endsWith("Socket");
        if (!history.equals(Setting.CLEAN)) {
            open(values.of(1, USED_ROWS), isSocket);
            byte[] small = Files.readAllBytes(path);
            BenchMemory.useAll(this, running, BenchMemory.all(small, history), this::read);
        }
        open(values.of(BATCHES, size), isSocket);
        long expected = without();
        if (expected <= (long) BATCHES * size || behind() != expected) {
            throw new AssertionError("arrow-java reads different data behind the channel");
        }
    }

    private void open(Path stream, boolean isSocket) throws IOException {
        tearDownSocket();
        path = stream;
        socket = isSocket ? LoopbackSource.of(Files.readAllBytes(stream)) : null;
    }

    /// Verifies the same bytes in other kinds of memory: the channel's are in one kind.
    private void read(BenchMemory memory) {
        try (BatchReader reader = Arrow.open(memory.segment(), OPTIONS)) {
            while (reader.next()) {
                // verified
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void tearDownSocket() throws IOException {
        if (socket != null) {
            socket.close();
        }
    }

    /// Closes socket and allocator.
    @TearDown
    public void tearDown() throws IOException {
        tearDownSocket();
        allocator.close();
    }

    private long behind() throws IOException {
        if (socket != null) {
            return sum(VerifiedChannel.of(socket.request(), OPTIONS));
        }
        try (FileChannel file = FileChannel.open(path)) {
            return sum(VerifiedChannel.of(file, OPTIONS));
        }
    }

    private long stored(boolean isRead) throws IOException {
        try (FileChannel file = FileChannel.open(path)) {
            return sum(new LeastChannel(file, isRead, memory));
        }
    }

    private long without() throws IOException {
        if (socket != null) {
            return sum(socket.request());
        }
        try (FileChannel file = FileChannel.open(path)) {
            return sum(file);
        }
    }

    /// Rows, nulls and the capacities of buffers.
    private long sum(ReadableByteChannel source) throws IOException {
        ArrowStreamReader reader =
                new ArrowStreamReader(source, allocator, CommonsCompressionFactory.INSTANCE);
        try {
            long sum = 0;
            while (reader.loadNextBatch()) {
                for (FieldVector each : reader.getVectorSchemaRoot().getFieldVectors()) {
                    sum += each.getValueCount() + each.getNullCount();
                    sum += each.getDataBuffer().capacity();
                }
            }
            return sum;
        } finally {
            reader.close(false); // a socket is used again
        }
    }

    /// With the channel: numbers, a file.
    @Benchmark
    public long fletchNumbersFile() throws IOException {
        return behind();
    }

    /// Without the channel: numbers, a file.
    @Benchmark
    public long arrowNumbersFile() throws IOException {
        return without();
    }

    /// With the channel: numbers, a socket.
    @Benchmark
    public long fletchNumbersSocket() throws IOException {
        return behind();
    }

    /// Without the channel: numbers, a socket.
    @Benchmark
    public long arrowNumbersSocket() throws IOException {
        return without();
    }

    /// With the channel: text, a file.
    @Benchmark
    public long fletchTextFile() throws IOException {
        return behind();
    }

    /// Without the channel: text, a file.
    @Benchmark
    public long arrowTextFile() throws IOException {
        return without();
    }

    /// With the channel: text, a socket.
    @Benchmark
    public long fletchTextSocket() throws IOException {
        return behind();
    }

    /// Without the channel: text, a socket.
    @Benchmark
    public long arrowTextSocket() throws IOException {
        return without();
    }

    /// With the channel: views, a file.
    @Benchmark
    public long fletchViewsFile() throws IOException {
        return behind();
    }

    /// Without the channel: views, a file.
    @Benchmark
    public long arrowViewsFile() throws IOException {
        return without();
    }

    /// With the channel: views, a socket.
    @Benchmark
    public long fletchViewsSocket() throws IOException {
        return behind();
    }

    /// Without the channel: views, a socket.
    @Benchmark
    public long arrowViewsSocket() throws IOException {
        return without();
    }

    /// With the channel: numbers and text, zstd, a file.
    @Benchmark
    public long fletchZstdFile() throws IOException {
        return behind();
    }

    /// Without the channel: numbers and text, zstd, a file.
    @Benchmark
    public long arrowZstdFile() throws IOException {
        return without();
    }

    /// With the channel: numbers and text, zstd, a socket.
    @Benchmark
    public long fletchZstdSocket() throws IOException {
        return behind();
    }

    /// Without the channel: numbers and text, zstd, a socket.
    @Benchmark
    public long arrowZstdSocket() throws IOException {
        return without();
    }

    /// With a channel that only stores each message: numbers, a file.
    @Benchmark
    public long storedNumbersFile() throws IOException {
        return stored(false);
    }

    /// With a channel that stores each message and reads it once: numbers, a file.
    @Benchmark
    public long combinedNumbersFile() throws IOException {
        return stored(true);
    }

    /// With a channel that only stores each message: text, a file.
    @Benchmark
    public long storedTextFile() throws IOException {
        return stored(false);
    }

    /// With a channel that stores each message and reads it once: text, a file.
    @Benchmark
    public long combinedTextFile() throws IOException {
        return stored(true);
    }

    /// With a channel that only stores each message: views, a file.
    @Benchmark
    public long storedViewsFile() throws IOException {
        return stored(false);
    }

    /// With a channel that stores each message and reads it once: views, a file.
    @Benchmark
    public long combinedViewsFile() throws IOException {
        return stored(true);
    }
}
