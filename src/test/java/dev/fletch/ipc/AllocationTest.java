// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.Frames.batch;
import static dev.fletch.ipc.Frames.body;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.schema;
import static dev.fletch.ipc.Frames.words;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.format.Field;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.Sources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Bytes that the thread allocates: none per message after set-up, and none for what a size claims.
@Isolated("counts allocations")
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int REPETITIONS = 1_000;
    private static final ReadOptions STRICT =
            ReadOptions.DEFAULT.withChecks(Checks.STRICT.enabled()).with(Check.LITTLE_ENDIAN, true);

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();

    // ---- None per message ----

    /// Also with options that look at more: every schema's byte order, and strict checks.
    @Test
    void readingAStreamInMemoryAllocatesNothing() throws IOException {
        byte[] stream = ArrowVectorFiles.named("dictionaries").stream();
        MemorySegment heap = MemorySegment.ofArray(stream);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(stream.length).copyFrom(heap);
            for (EncapsulatedMessage each : List.of(frame, new EncapsulatedMessage(STRICT))) {
                assertNothingAllocated(() -> walk(each, heap));
                assertNothingAllocated(() -> walk(each, copy));
            }
        }
    }

    private void walk(EncapsulatedMessage by, MemorySegment stream) {
        for (long at = 0; by.wrap(stream, at, message) == FrameKind.MESSAGE; at = by.nextOffset()) {
            message.version();
        }
    }

    @Test
    void readingAStreamInAByteBufferAllocatesNothing() throws IOException {
        byte[] stream = ArrowVectorFiles.named("dictionaries").stream();
        ByteBuffer heap = ByteBuffer.wrap(stream);
        ByteBuffer direct = ByteBuffer.allocateDirect(stream.length).put(stream).flip();
        for (ByteBuffer buffer : new ByteBuffer[] {heap, direct, heap.asReadOnlyBuffer()}) {
            assertNothingAllocated(
                    () -> {
                        buffer.rewind();
                        while (frame.wrap(buffer, message) == FrameKind.MESSAGE) {
                            buffer.position((int) frame.nextOffset());
                        }
                    });
        }
    }

    @Test
    void readingAMappedFileAllocatesNothing(@TempDir Path folder) throws IOException {
        byte[] bytes = ArrowVectorFiles.named("dictionaries").file();
        Path path = Files.write(folder.resolve("file"), bytes);
        try (ArrowFile file = ArrowFile.open(path)) {
            assertNothingAllocated(
                    () -> {
                        for (int i = 0; i < file.messageCount(); i++) {
                            file.message(i, frame, message);
                        }
                        for (int i = file.recordBatchCount(); --i >= 0; ) {
                            file.recordBatch(i, frame, message);
                        }
                    });
        }
    }

    @Test
    void readingColumnsOneByOneAllocatesNothing() throws IOException {
        byte[] file = ArrowVectorFiles.named("dictionaries").file();
        ArrowFile touched =
                ArrowFile.of(MemorySegment.ofArray(file), STRICT.withLevel(Level.TOUCHED));
        Schema schema = new Schema();
        Field field = new Field();
        assertTrue(touched.footer().schema(schema));
        assertNothingAllocated(
                () -> {
                    for (int i = 0; i < schema.fieldsCount(); i++) {
                        touched.verified(schema.fields(i, field));
                    }
                    for (int i = 0; i < touched.messageCount(); i++) {
                        touched.message(i, frame, message);
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void readingAStreamFromAChannelAllocatesNothing(SegmentBacking backing) throws IOException {
        byte[] batches = join(frame(schema()), frame(batch(100_000)), body(100_000));
        MessageReader reader = MessageReader.of(new Sources.Endless(batches), ReadOptions.DEFAULT);
        assertNothingAllocated(
                () -> {
                    reader.next(message); // the schema; before it, a batch is skipped
                    reader.next(message);
                });
        try (PlacedSegment into = backing.place(new byte[100_000])) {
            assertNothingAllocated(
                    () -> {
                        reader.next(message);
                        reader.next(message);
                        reader.readBody(into.segment(), into.offset());
                    });
        }
    }

    @Test
    void readingAStreamFromAFileAllocatesNothing(@TempDir Path folder) throws IOException {
        byte[] one = join(frame(schema()), frame(batch(1_000)), body(1_000));
        byte[][] many = new byte[Allocations.MOST_RUNS * REPETITIONS][];
        Arrays.fill(many, one);
        Path path = Files.write(folder.resolve("stream"), join(many));
        try (MessageReader reader = MessageReader.of(FileChannel.open(path), ReadOptions.DEFAULT)) {
            assertNothingAllocated(() -> reader.next(message));
        }
    }

    /// The same buffer is filled again and again, and cuts messages in many ways.
    @Test
    void decodingAStreamInPiecesAllocatesNothing() {
        byte[] stream = join(frame(schema()), frame(batch(1_000)), body(1_000), frame(batch(8)));
        byte[] messages = join(stream, body(8));
        for (int size : new int[] {1, 7, 200, 999, messages.length}) {
            ByteBuffer heap = ByteBuffer.allocate(size);
            ByteBuffer direct = ByteBuffer.allocateDirect(size);
            for (ByteBuffer buffer : new ByteBuffer[] {heap, direct}) {
                MessageDecoder decoder = new MessageDecoder(ReadOptions.DEFAULT);
                int[] at = {0};
                assertNothingAllocated(
                        () -> {
                            buffer.clear();
                            for (int i = 0; i < size; i += messages.length) {
                                int count = Math.min(buffer.remaining(), messages.length - at[0]);
                                buffer.put(messages, at[0], count);
                                at[0] = (at[0] + count) % messages.length;
                            }
                            buffer.flip();
                            while (decoder.next(buffer, message) != FrameKind.NEED_MORE) {
                                message.version();
                            }
                        });
                assertTrue(decoder.frame().offset() > 0);
            }
        }
    }

    private static void assertNothingAllocated(Allocations.Work work) {
        Allocations.assertNone("per message", REPETITIONS, work);
    }

    // ---- None for a claim ----

    @ParameterizedTest
    @ValueSource(ints = {(256 << 20) - 8, 256 << 20, (256 << 20) + 8, Integer.MAX_VALUE})
    void hostileSizeAllocatesNothingBig(int size) {
        byte[] hostile = join(words(-1, size), body(10));
        for (long limit : new long[] {Limits.DEFAULT.metadataBytes(), Integer.MAX_VALUE}) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            MessageReader reader =
                    MessageReader.of(
                            new ByteArrayInputStream(hostile),
                            ReadOptions.DEFAULT.withLimits(
                                    Limits.DEFAULT.withMetadataBytes(limit)));
            assertThrows(FletchException.class, () -> reader.next(message));
            long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertTrue(bytes < 1 << 20, "bytes=" + bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 1 << 20})
    void decoderGrowsNoFasterThanBytesArrive(int most) {
        byte[] hostile = join(words(-1, 200 << 20), body(1 << 20));
        ByteBuffer input = ByteBuffer.wrap(hostile);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        MessageDecoder decoder = new MessageDecoder(ReadOptions.DEFAULT);
        for (int at = 0; at < hostile.length; at = input.position()) {
            input.limit(Math.min(hostile.length, at + most));
            decoder.next(input, message);
        }
        assertThrows(FletchException.class, decoder::finish);
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes < 5 << 20, "bytes=" + bytes);
    }

    @Test
    void bufferGrowsNoFasterThanBytesArrive() {
        int arrived = 1 << 20;
        byte[] hostile = join(words(-1, 200 << 20), body(arrived));
        long before = THREADS.getCurrentThreadAllocatedBytes();
        MessageReader reader = Frames.reader(hostile);
        assertThrows(FletchException.class, () -> reader.next(message));
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes < 5 * arrived, "bytes=" + bytes);
    }
}
