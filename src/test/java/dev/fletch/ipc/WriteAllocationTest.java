// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.WrittenMessages.batch;
import static dev.fletch.ipc.WrittenMessages.dictionary;
import static dev.fletch.ipc.WrittenMessages.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.format.Message;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.SegmentList;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Bytes that the thread allocates per message after set-up: none.
@Isolated("counts allocations")
class WriteAllocationTest {
    private static final int REPETITIONS = 1_000;
    private static final int MESSAGES = Allocations.MOST_RUNS * REPETITIONS;
    private static final int PARTS = 12;
    private static final int BODY_BYTES = PARTS * 24;

    private final byte[] batch = batch(BODY_BYTES).toArray(ValueLayout.JAVA_BYTE);
    private final byte[] delta = dictionary(1, true, BODY_BYTES).toArray(ValueLayout.JAVA_BYTE);
    private final MemorySegment metadata = MemorySegment.ofArray(Frames.join(batch, delta));
    private final BodyLayout layout = new BodyLayout();
    private final SegmentList body = layout.body();
    private int turn;

    static List<SegmentBacking> segments() {
        return Memories.segments().stream()
                // Others have no view: see MessageWriter.
                .filter(each -> !each.name().contains("[]") || each.name().contains("byte[]"))
                .filter(each -> !each.name().contains("GiB"))
                .toList();
    }

    private static MessageWriter begun(MessageWriter writer) throws IOException {
        writer.write(schema(1));
        writer.write(dictionary(1, false, 0));
        return writer;
    }

    /// A batch and a delta with parts of one segment, elsewhere each time.
    private void write(MessageWriter writer, MemorySegment memory, long at) throws IOException {
        layout.reset();
        for (int i = 0; i < PARTS; i++) {
            layout.addBuffer(memory, at + (turn + i) % 50, 17 + i % 8);
        }
        turn++;
        writer.write(metadata, 0, batch.length, body);
        writer.write(metadata, batch.length, delta.length, body);
    }

    @ParameterizedTest
    @MethodSource("segments")
    void writingToChannelsAllocatesNothing(SegmentBacking backing) throws IOException {
        try (PlacedSegment placed = backing.place(new byte[100])) {
            for (boolean gathering : new boolean[] {false, true}) {
                WrittenSinks.Plain channel =
                        gathering ? new WrittenSinks.Gathering(150) : new WrittenSinks.Plain(150);
                MessageWriter writer = begun(MessageWriter.of(ArrowContainer.STREAM, channel));
                assertNothingAllocated(
                        () -> {
                            channel.rewind();
                            write(writer, placed.segment(), placed.offset());
                        });
            }
        }
    }

    @Test
    void writingToMemoryAllocatesNothing() throws IOException {
        MemorySegment from = MemorySegment.ofArray(new byte[100]);
        int room = 2 * MESSAGES * (BODY_BYTES + 400);
        try (Arena arena = Arena.ofConfined()) {
            for (MemorySegment target :
                    new MemorySegment[] {
                        arena.allocate(room), MemorySegment.ofArray(new byte[room])
                    }) {
                MessageWriter writer = begun(MessageWriter.of(ArrowContainer.STREAM, target, 0));
                assertNothingAllocated(() -> write(writer, from, 0));
                MessageWriter file = begun(MessageWriter.of(ArrowContainer.FILE, target, 0));
                assertNothingAllocated(() -> write(file, from, 0));
            }
        }
    }

    @Test
    void writingToOutputStreamsAllocatesNothing() throws IOException {
        MemorySegment heap = MemorySegment.ofArray(new byte[100]);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment direct = arena.allocate(100);
            MessageWriter writer =
                    begun(MessageWriter.of(ArrowContainer.STREAM, OutputStream.nullOutputStream()));
            assertNothingAllocated(() -> write(writer, heap, 0));
            assertNothingAllocated(() -> write(writer, direct, 0));
        }
    }

    @Test
    void copyingMessagesAllocatesNothing() throws IOException {
        WrittenSinks.Gathering channel = new WrittenSinks.Gathering(Integer.MAX_VALUE);
        write(
                begun(MessageWriter.of(ArrowContainer.STREAM, channel)),
                MemorySegment.ofArray(new byte[100]),
                0);
        MemorySegment input = MemorySegment.ofArray(channel.content());
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        frame.wrap(input, 0, message);
        long first = frame.nextOffset();
        MessageWriter writer = begun(MessageWriter.of(ArrowContainer.STREAM, channel));
        assertNothingAllocated(
                () -> {
                    channel.rewind();
                    for (long at = first; at < input.byteSize(); at = frame.nextOffset()) {
                        frame.wrap(input, at, message);
                        writer.copy(input, frame);
                    }
                });
    }

    /// The JDK's own channels hold on to the arenas of native memory while they write, an object
    /// for each part: that is theirs, and printed. Heap memory they copy into memory that they
    /// keep.
    @Test
    void writingToFileChannelsAllocatesNothing(@TempDir Path folder) throws IOException {
        MemorySegment heap = MemorySegment.ofArray(new byte[100]);
        try (Arena confined = Arena.ofConfined();
                FileChannel channel =
                        FileChannel.open(
                                folder.resolve("stream"),
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.WRITE)) {
            MemorySegment global = Arena.global().allocate(100);
            MemorySegment arena = confined.allocate(100);
            MessageWriter writer = begun(MessageWriter.of(ArrowContainer.STREAM, channel));
            long ofHeap = least(() -> write(writer, heap, 0));
            System.out.printf(
                    "A file channel allocates per message of %d parts, in bytes: heap %d, global"
                            + " arena %d, confined arena %d%n",
                    PARTS,
                    ofHeap / REPETITIONS / 2,
                    least(() -> write(writer, global, 0)) / REPETITIONS / 2,
                    least(() -> write(writer, arena, 0)) / REPETITIONS / 2);
            assertEquals(0, ofHeap);
        }
    }

    private static void assertNothingAllocated(Allocations.Work work) {
        Allocations.assertNone("per message", REPETITIONS, work);
    }

    private static long least(Allocations.Work work) {
        return Allocations.leastBytes(REPETITIONS, work);
    }
}
