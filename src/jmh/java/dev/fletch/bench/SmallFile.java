// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.format.Block;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FileIndex;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Opens a small file and reads rows and body length of all its batches: map, verify, bind, close.
/// Fletch verifies footer and messages, the generated classes verify nothing.
///
/// `channel` reads the file's last bytes into a reused buffer, and the headers that are not among
/// them one by one.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class SmallFile implements Peered {
    private static final int USED_COLUMNS = 20;
    private static final int TAIL_BYTES = 16 << 10;

    /// Columns.
    @Param({"10", "1000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final Part end = new Part();
    private final Part header = new Part();
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
        long expected = generated();
        if (fletch() != expected || channel() != expected) {
            throw new AssertionError("sides read or write different data");
        }
    }

    /// Reads the same bytes in other kinds of memory: [#fletch] and the others use files only.
    private void read(BenchMemory memory) {
        if (sum(ArrowFile.of(memory.segment())) != new GeneratedFile(memory.buffer()).heads()) {
            throw new AssertionError("sides read or write different data");
        }
    }

    @Override
    public Path input(Path folder) {
        return path;
    }

    private long sum(ArrowFile file) {
        long sum = 0;
        for (int i = 0, n = file.recordBatchCount(); i < n; i++) {
            file.recordBatch(i, frame, message);
            sum += head();
        }
        return sum;
    }

    private long head() {
        if (!message.header(batch)) {
            throw new AssertionError("message is not a record batch");
        }
        return frame.bodyLength() + batch.length();
    }

    /// Fletch.
    @Benchmark
    public long fletch() throws IOException {
        try (ArrowFile opened = ArrowFile.open(path)) {
            return sum(opened);
        }
    }

    /// The generated classes.
    @Benchmark
    public long generated() throws IOException {
        try (Arena own = Arena.ofConfined()) {
            return GeneratedFile.map(path, own).heads();
        }
    }

    /// Fletch, which reads the end of the file instead of mapping it.
    @Benchmark
    public long channel() throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            long bytes = channel.size();
            end.read(channel, Math.max(0, bytes - TAIL_BYTES), bytes);
            int needed = FileIndex.TAIL_BYTES + FileIndex.footerLength(end.segment(), bytes, null);
            if (needed > bytes - end.from) {
                end.read(channel, bytes - needed, bytes);
            }
            FileIndex index = FileIndex.of(end.segment(), bytes, ReadOptions.DEFAULT, null);
            long sum = 0;
            for (int i = 0, n = index.count(MessageHeader.RECORD_BATCH); i < n; i++) {
                Block block = index.block(MessageHeader.RECORD_BATCH, i);
                long at = block.offset();
                Part holder = at >= end.from ? end : header;
                if (holder == header) {
                    header.read(channel, at, at + index.headerLength(block));
                }
                index.open(
                        MessageHeader.RECORD_BATCH,
                        i,
                        holder.segment(),
                        holder.from,
                        frame,
                        message);
                sum += head();
            }
            return sum;
        }
    }

    /// A part of a file, in a buffer that is reused.
    private static final class Part {
        private ByteBuffer bytes = ByteBuffer.allocateDirect(TAIL_BYTES);
        private MemorySegment all = MemorySegment.ofBuffer(bytes);
        long from;

        void read(FileChannel channel, long start, long behind) throws IOException {
            int length = (int) (behind - start);
            if (length > bytes.capacity()) {
                bytes = ByteBuffer.allocateDirect(length);
                all = MemorySegment.ofBuffer(bytes);
            }
            from = start;
            bytes.clear().limit(length);
            while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) > 0) {
                // until all is read
            }
        }

        MemorySegment segment() {
            return bytes.position() == bytes.capacity() ? all : all.asSlice(0, bytes.position());
        }
    }
}
