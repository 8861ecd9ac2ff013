// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.WrittenMessages.batch;
import static dev.fletch.ipc.WrittenMessages.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Message;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.SegmentList;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Every kind of target gets the same bytes, whatever the bodies lie in.
class WriteSinksTest {
    private static final int BUFFERS = 40;

    /// A body of many buffers of odd lengths, the same bytes for every backing.
    private static byte[] content() {
        byte[] content = new byte[9_000];
        new Random(5).nextBytes(content);
        return content;
    }

    private static SegmentList parts(MemorySegment memory, long at, int alignment) {
        BodyLayout layout = new BodyLayout(alignment);
        for (int i = 0; i < BUFFERS; i++) {
            layout.addBuffer(memory, at + i * 200L, i * 5L);
        }
        return layout.body().add(memory, at + 8_000, 640);
    }

    private static void write(MessageWriter writer, SegmentList body) throws IOException {
        writer.write(schema());
        for (int i = 0; i < 3; i++) {
            writer.write(batch(body.length()), body);
            writer.write(batch(0));
        }
        writer.finish();
    }

    /// What is to be written, put together by hand.
    private static byte[] expected(int alignment) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int i = 0; i < BUFFERS; i++) {
            body.write(content(), i * 200, i * 5);
            body.writeBytes(new byte[Math.floorMod(-body.size(), alignment)]);
        }
        body.write(content(), 8_000, 640);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        frame(all, schema(), new byte[0], alignment);
        for (int i = 0; i < 3; i++) {
            frame(all, batch(body.size()), body.toByteArray(), alignment);
            frame(all, batch(0), new byte[0], alignment);
        }
        all.writeBytes(Frames.END);
        return all.toByteArray();
    }

    private static void frame(
            ByteArrayOutputStream all, MemorySegment metadata, byte[] body, int alignment) {
        byte[] bytes = metadata.toArray(ValueLayout.JAVA_BYTE);
        int padding = Math.floorMod(-(all.size() + 8 + bytes.length), alignment);
        all.writeBytes(Frames.words(-1, bytes.length + padding));
        all.writeBytes(bytes);
        all.writeBytes(new byte[padding]);
        assertEquals(0, all.size() % alignment);
        all.writeBytes(body);
    }

    private interface Writing {
        void to(MessageWriter writer) throws IOException;
    }

    private static MessageWriter writer(WritableByteChannel to) {
        return MessageWriter.of(ArrowContainer.STREAM, to);
    }

    private static MessageWriter writer(OutputStream to) {
        return MessageWriter.of(ArrowContainer.STREAM, to);
    }

    /// Channels that take few bytes at a time, too.
    private static void assertEveryTargetGets(byte[] expected, Path folder, Writing writing)
            throws IOException {
        for (int most : new int[] {Integer.MAX_VALUE, 1000, 1}) {
            for (WrittenSinks.Plain each :
                    List.of(new WrittenSinks.Plain(most), new WrittenSinks.Gathering(most))) {
                writing.to(writer(each));
                assertArrayEquals(expected, each.content());
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writing.to(writer(out));
        assertArrayEquals(expected, out.toByteArray());
        byte[] memory = new byte[expected.length];
        writing.to(MessageWriter.of(ArrowContainer.STREAM, MemorySegment.ofArray(memory), 0));
        assertArrayEquals(expected, memory);
        Path file = folder.resolve("target");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            writing.to(writer(channel));
        }
        assertArrayEquals(expected, Files.readAllBytes(file));
        try (FileOutputStream stream = new FileOutputStream(file.toFile())) {
            writing.to(writer(stream));
        }
        assertArrayEquals(expected, Files.readAllBytes(file));
        Files.delete(file);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void everyTargetGetsTheSameBytes(SegmentBacking backing, @TempDir Path folder)
            throws IOException {
        try (PlacedSegment placed = backing.place(content())) {
            for (int alignment : new int[] {8, 64}) {
                SegmentList body = parts(placed.segment(), placed.offset(), alignment);
                assertEveryTargetGets(
                        expected(alignment),
                        folder,
                        writer -> write(writer.set(it -> it.alignment(alignment)), body));
            }
        }
    }

    @Test
    void bodyInAFileGoesToEveryTarget(@TempDir Path folder) throws IOException {
        byte[] content = content();
        Path source = Files.write(folder.resolve("source"), content);
        int at = 24;
        int length = 8_000;
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        frame(expected, schema(), new byte[0], 8);
        byte[] body = Arrays.copyOfRange(content, at, at + length);
        frame(expected, batch(length), body, 8);
        frame(expected, batch(length), body, 8);
        expected.writeBytes(Frames.END);
        try (FileChannel file = FileChannel.open(source)) {
            assertEveryTargetGets(
                    expected.toByteArray(), folder, writer -> writeFrom(file, at, length, writer));
        }
    }

    private static void writeFrom(FileChannel source, long at, int length, MessageWriter writer)
            throws IOException {
        writer.write(schema());
        MemorySegment batch = batch(length);
        for (int i = 0; i < 2; i++) {
            writer.write(batch, 0, (int) batch.byteSize(), source, at);
        }
        writer.finish();
        writer.close();
    }

    @Test
    void aBodyFileThatIsTooShortThrows(@TempDir Path folder) throws IOException {
        Path source = Files.write(folder.resolve("source"), content());
        try (FileChannel file = FileChannel.open(source)) {
            MessageWriter writer = writer(new ByteArrayOutputStream());
            writer.write(schema());
            MemorySegment batch = batch(8_000);
            int length = (int) batch.byteSize();
            IOException failure =
                    assertThrows(
                            IOException.class, () -> writer.write(batch, 0, length, file, 2_000));
            assertEquals(
                    "source ends inside a body: offset=2000, length=8000", failure.getMessage());
            assertThrows(IllegalStateException.class, writer::finish);
        }
        byte[] memory = new byte[1_000];
        MessageWriter small =
                MessageWriter.of(ArrowContainer.STREAM, MemorySegment.ofArray(memory), 0);
        try (FileChannel file = FileChannel.open(source)) {
            assertThrows(TargetTooSmallException.class, () -> writeFrom(file, 0, 8_000, small));
        }
        small.finish(); // as if there had been no call
    }

    @Test
    void bodyRangesOutsideTheFileAreRefusedBeforeAnyByte(@TempDir Path folder) throws IOException {
        Path source = Files.write(folder.resolve("source"), content());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (FileChannel file = FileChannel.open(source);
                MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, out)) {
            writer.write(schema());
            int before = out.size();
            MemorySegment negative = batch(8);
            new Message().wrap(negative).setBodyLength(-8);
            MemorySegment good = batch(8);
            int length = (int) good.byteSize();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> writer.write(negative, 0, (int) negative.byteSize(), file, 0));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> writer.write(good, 0, length, file, -8));
            assertEquals(before, out.size());
            assertEquals(before, writer.position());
            writer.write(good, 0, length, file, 0); // as if there had been no call
            writer.finish();
        }
    }

    /// A message is one call where the channel can gather.
    @Test
    void aMessageIsOneGatheringWrite() throws IOException {
        WrittenSinks.Gathering channel = new WrittenSinks.Gathering(Integer.MAX_VALUE);
        write(writer(channel), parts(MemorySegment.ofArray(content()), 0, 8));
        assertEquals(7 + 1, channel.calls);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void messagesAreWrittenToMemory(SegmentBacking backing) throws IOException {
        byte[] expected = expected(8);
        SegmentList body = parts(MemorySegment.ofArray(content()), 0, 8);
        try (PlacedSegment placed = backing.place(new byte[expected.length])) {
            MessageWriter writer =
                    MessageWriter.of(ArrowContainer.STREAM, placed.segment(), placed.offset());
            write(writer, body);
            assertEquals(expected.length, writer.position());
            assertArrayEquals(expected, placed.content());
            assertTrue(placed.surroundingsIntact());
        }
    }

    /// A channel that takes nothing would be asked for ever.
    @Test
    void nonBlockingChannelsAreRefused() throws IOException {
        Pipe pipe = Pipe.open();
        try (WritableByteChannel sink = pipe.sink();
                Pipe.SourceChannel _ = pipe.source()) {
            pipe.sink().configureBlocking(false);
            MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, sink);
            writer.write(schema());
            SegmentList large =
                    new SegmentList().add(MemorySegment.ofArray(new byte[1 << 24]), 0, 1 << 24);
            assertThrows(
                    IllegalBlockingModeException.class, () -> writer.write(batch(1 << 24), large));
            assertThrows(IllegalStateException.class, writer::finish);
        }
    }

    @Test
    void outputStreamsAreFlushedAtTheEndAndClosed() throws IOException {
        int[] calls = new int[2];
        OutputStream out =
                new ByteArrayOutputStream() {
                    @Override
                    public void flush() {
                        calls[0]++;
                    }

                    @Override
                    public void close() {
                        calls[1]++;
                    }
                };
        MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, out);
        writer.write(schema());
        assertEquals(0, calls[0]);
        writer.finish();
        assertEquals(1, calls[0]);
        assertEquals(0, calls[1]);
        writer.close();
        assertEquals(1, calls[1]);
    }

    // ---- forms

    /// Also behind the magic of a file.
    @ParameterizedTest
    @ValueSource(ints = {8, 16, 64, 4096})
    void bodiesOfAFileAreAligned(int alignment) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MessageWriter writer =
                MessageWriter.of(ArrowContainer.FILE, out).set(it -> it.alignment(alignment));
        write(writer, parts(MemorySegment.ofArray(content()), 0, alignment));
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(out.toByteArray()));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        assertEquals(6, file.recordBatchCount());
        for (int i = 0; i < 6; i++) {
            file.recordBatch(i, frame, new Message());
            assertEquals(0, frame.bodyOffset() % alignment);
        }
    }

    @Test
    void bodyPartsOutOfRangeAreRefused() {
        MemorySegment memory = MemorySegment.ofBuffer(ByteBuffer.allocate(10));
        BodyLayout layout = new BodyLayout();
        SegmentList body = layout.body();
        assertThrows(IndexOutOfBoundsException.class, () -> body.add(memory, 5, 6));
        assertThrows(IndexOutOfBoundsException.class, () -> body.add(memory, 0, -1));
        assertThrows(IndexOutOfBoundsException.class, () -> layout.addBuffer(memory, -1, 2));
        assertEquals(0, layout.bufferCount());
        assertEquals(0, body.length());
        layout.addBuffer(memory, 0, 1);
        layout.addBuffer(memory, 10, 0);
        assertEquals(8, body.length());
        assertEquals(11, body.add(memory, 7, 3).length());
        assertEquals(0, layout.reset().body().length());
    }
}
