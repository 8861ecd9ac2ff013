// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.EncapsulatedMessageTest.assertFault;
import static dev.fletch.ipc.Frames.END;
import static dev.fletch.ipc.Frames.batch;
import static dev.fletch.ipc.Frames.body;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.reader;
import static dev.fletch.ipc.Frames.schema;
import static dev.fletch.ipc.Frames.words;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.Sources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

class MessageReaderTest {
    private static final byte[] STREAM = Frames.stream();

    private final Message message = new Message();

    // ---- Sources ----

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 8, 100, 1 << 20})
    void shortReadsMakeNoDifference(int most) {
        for (String name : new String[] {"dictionaries", "legacy_framing_v4", "lz4"}) {
            byte[] stream = ArrowVectorFiles.named(name).stream();
            Listing expected = Listing.ofStream(stream);
            MessageReader ofChannel =
                    MessageReader.of(new Sources.Dripping(stream, most), ReadOptions.DEFAULT);
            MessageReader ofStream =
                    MessageReader.of(Sources.dripping(stream, most), ReadOptions.DEFAULT);
            assertEquals(expected, Listing.ofReader(ofChannel));
            assertEquals(expected, Listing.ofReader(ofStream));
        }
    }

    @Test
    void skippingABodyTellsWhetherItIsComplete() throws IOException {
        byte[] stream = join(frame(schema()), frame(batch(16)), body(16), frame(batch(8)), body(8));
        MessageReader reader = reader(Arrays.copyOf(stream, stream.length - 1));
        reader.skipBody(); // there is none
        for (long bodyLength : new long[] {0, 16}) {
            assertEquals(FrameKind.MESSAGE, reader.next(message));
            assertEquals(bodyLength, message.bodyLength());
            reader.skipBody();
            reader.skipBody();
        }
        assertEquals(FrameKind.MESSAGE, reader.next(message));
        assertFault(FrameRule.BODY_OUT_OF_INPUT, stream.length - 8, reader::skipBody);
        assertThrows(IllegalStateException.class, () -> reader.next(message));
    }

    @Test
    void messageWithoutAPrefixIsBound() {
        MemorySegment batch = MemorySegment.ofArray(batch(16));
        MemorySegment all = MemorySegment.ofArray(new byte[8 + (int) batch.byteSize()]);
        all.asSlice(8).copyFrom(batch);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        frame.wrapMetadata(all, 8, (int) batch.byteSize(), message);
        assertEquals(16, message.bodyLength());
        assertEquals(8, frame.metadataOffset());
        assertEquals(all.byteSize(), frame.bodyOffset());
        assertFalse(frame.isBodyComplete()); // it is elsewhere
        assertThrows(IndexOutOfBoundsException.class, () -> frame.wrapMetadata(all, 8, 0, message));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> frame.wrapMetadata(all, 16, (int) batch.byteSize(), message));
    }

    @Test
    void bodiesAreJumpedOverWhereTheChannelCanSeek(@TempDir Path folder) throws IOException {
        byte[] stream = join(frame(schema()), frame(batch(100_000)), body(100_000), END);
        Path path = Files.write(folder.resolve("stream"), stream);
        try (Sources.Seeking channel = new Sources.Seeking(Files.newByteChannel(path));
                MessageReader reader = MessageReader.of(channel, ReadOptions.DEFAULT)) {
            assertEquals(Listing.ofStream(stream), Listing.ofReader(reader));
            assertEquals(stream.length - 100_000, channel.bytesRead);
        }
        try (FileInputStream in = new FileInputStream(path.toFile());
                MessageReader reader = MessageReader.of(in, ReadOptions.DEFAULT)) {
            assertEquals(Listing.ofStream(stream), Listing.ofReader(reader));
        }
    }

    @Test
    void bodyBehindTheEndOfAFileIsCutOffAsAnyOther(@TempDir Path folder) throws IOException {
        for (int there : new int[] {0, 50, 99_999}) {
            byte[] stream = join(frame(schema()), frame(batch(100_000)), body(there));
            Path path = Files.write(folder.resolve("stream"), stream);
            try (MessageReader reader =
                    MessageReader.of(Files.newByteChannel(path), ReadOptions.DEFAULT)) {
                assertEquals(Listing.ofStream(stream), Listing.ofReader(reader));
            }
        }
    }

    @Test
    void pipesAreRead() throws IOException {
        Pipe pipe = Pipe.open();
        try (MessageReader reader = MessageReader.of(pipe.source(), ReadOptions.DEFAULT)) {
            try (Pipe.SinkChannel sink = pipe.sink()) {
                sink.write(ByteBuffer.wrap(STREAM));
            }
            assertEquals(Listing.ofStream(STREAM), Listing.ofReader(reader));
        }
    }

    @Test
    void channelThatDoesNotBlockIsRefused() throws IOException {
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel sink = pipe.sink();
                MessageReader reader = MessageReader.of(pipe.source(), ReadOptions.DEFAULT)) {
            pipe.source().configureBlocking(false);
            assertTrue(sink.isOpen());
            assertThrows(IllegalBlockingModeException.class, () -> reader.next(message));
        }
    }

    @Test
    void streamThatReadsNothingIsRefused() {
        InputStream idle =
                new InputStream() {
                    @Override
                    public int read() {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public int read(byte[] into, int at, int length) {
                        return 0;
                    }
                };
        assertThrows(
                IOException.class, () -> MessageReader.of(idle, ReadOptions.DEFAULT).next(message));
    }

    @Test
    void nothingBehindTheEndIsRead() throws IOException {
        Sources.Dripping twice = new Sources.Dripping(join(STREAM, STREAM), 1000);
        MessageReader first = MessageReader.of(twice, ReadOptions.DEFAULT);
        while (first.next(message) == FrameKind.MESSAGE) {
            assertTrue(first.frame().isBodyComplete());
        }
        assertEquals(STREAM.length, twice.position);
        assertEquals(STREAM.length, first.frame().nextOffset());
        assertEquals(
                Listing.ofStream(STREAM),
                Listing.ofReader(MessageReader.of(twice, ReadOptions.DEFAULT)));
    }

    @Test
    void readingAtTheEndReturnsTheEndAgain() throws IOException {
        MessageReader marked = reader(join(END, STREAM));
        MessageReader empty = reader(new byte[0]);
        for (int i = 0; i < 3; i++) {
            assertEquals(FrameKind.END_OF_STREAM, marked.next(message));
            assertEquals(FrameKind.END_OF_INPUT, empty.next(message));
            assertEquals(0, empty.frame().offset());
        }
    }

    @Test
    void closingClosesTheSource() throws IOException {
        Sources.Dripping channel = new Sources.Dripping(STREAM, 10);
        MessageReader.of(channel, ReadOptions.DEFAULT).close();
        assertTrue(channel.closed);
    }

    // ---- Failures ----

    @Test
    void aReaderThatHasFailedReadsNoMore() {
        MessageReader reader = reader(join(words(-1, -1), STREAM));
        assertFault(FrameRule.NEGATIVE_METADATA_LENGTH, 4, () -> reader.next(message));
        assertThrows(IllegalStateException.class, () -> reader.next(message));
        MemorySegment into = MemorySegment.ofArray(new byte[100]);
        assertThrows(IllegalStateException.class, () -> reader.readBody(into, 0));
    }

    @Test
    void failuresOfTheSourceAreThrown() throws IOException {
        byte[] cut = Arrays.copyOf(STREAM, frame(schema()).length + 20);
        MessageReader reader = MessageReader.of(Sources.failingAfter(cut), ReadOptions.DEFAULT);
        assertEquals(FrameKind.MESSAGE, reader.next(message));
        IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> reader.next(message));
        assertEquals("broken source", e.getMessage());
        e = assertThrows(IllegalStateException.class, () -> reader.next(message));
        assertTrue(e.getMessage().contains("offset=" + cut.length), e.getMessage());
    }

    @Test
    void metadataAboveTheLimitIsNotRead() throws IOException {
        byte[] metadata = schema();
        byte[] stream = frame(metadata);
        assertEquals(
                FrameKind.MESSAGE,
                MessageReader.of(new ByteArrayInputStream(stream), limited(metadata.length))
                        .next(message));
        Sources.Dripping channel = new Sources.Dripping(stream, 100);
        MessageReader reader = MessageReader.of(channel, limited(metadata.length - 1));
        FletchException e =
                assertFault(FrameRule.METADATA_OVER_LIMIT, 4, () -> reader.next(message));
        assertEquals(
                "message 0: offset 4: metadata length is above the reader's limit: metadataLength="
                        + metadata.length
                        + ", limit="
                        + (metadata.length - 1),
                e.getMessage());
        assertEquals(8, channel.position);
    }

    private static ReadOptions limited(long metadataBytes) {
        return ReadOptions.DEFAULT.withLimits(Limits.DEFAULT.withMetadataBytes(metadataBytes));
    }

    // ---- Bodies ----

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void bodyIsReadIntoAnySegment(SegmentBacking backing) throws IOException {
        byte[] body = body(200_000);
        byte[] stream = join(frame(batch(body.length)), body, frame(batch(0)), END);
        for (MessageReader reader :
                List.of(
                        MessageReader.of(new Sources.Dripping(stream, 70_001), ReadOptions.DEFAULT),
                        reader(stream))) {
            try (PlacedSegment placed = backing.place(new byte[body.length])) {
                assertEquals(FrameKind.MESSAGE, reader.next(message));
                reader.readBody(placed.segment(), placed.offset());
                assertArrayEquals(body, placed.content());
                assertTrue(placed.surroundingsIntact());
                assertEquals(MessageHeader.RECORD_BATCH, message.headerType());
                assertEquals(FrameKind.MESSAGE, reader.next(message));
                reader.readBody(placed.segment(), placed.offset());
                assertEquals(FrameKind.END_OF_STREAM, reader.next(message));
            }
        }
    }

    @Test
    void metadataOutlivesItsBody() throws IOException {
        byte[] body = body(100_000);
        MessageReader reader = reader(join(frame(batch(body.length)), body));
        reader.next(message);
        RecordBatch header = new RecordBatch();
        reader.readBody(MemorySegment.ofArray(new byte[body.length]), 0);
        assertTrue(message.header(header));
        assertEquals(5, header.length());
    }

    @Test
    void bodyThatDoesNotFitTheSegmentCanStillBeRead() throws IOException {
        MessageReader reader = reader(join(frame(batch(16)), body(16)));
        MemorySegment into = MemorySegment.ofArray(new byte[16]);
        assertThrows(IllegalStateException.class, () -> reader.readBody(into, 0));
        reader.next(message);
        assertThrows(IndexOutOfBoundsException.class, () -> reader.readBody(into, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> reader.readBody(into, -1));
        assertThrows(IllegalArgumentException.class, () -> reader.readBody(into.asReadOnly(), 0));
        reader.readBody(into, 0);
        assertEquals(-1, into.mismatch(MemorySegment.ofArray(body(16))));
        assertThrows(IllegalStateException.class, () -> reader.readBody(into, 0));
        assertEquals(FrameKind.END_OF_INPUT, reader.next(message));
    }

    @Test
    void bodyThatIsCutOffIsRefusedWhereItEnds() throws IOException {
        byte[] metadata = batch(16);
        byte[] cut = join(frame(metadata), body(15));
        MemorySegment into = MemorySegment.ofArray(new byte[16]);
        for (boolean read : new boolean[] {true, false}) {
            MessageReader reader = reader(cut);
            assertEquals(FrameKind.MESSAGE, reader.next(message));
            FletchException e =
                    assertFault(
                            FrameRule.BODY_OUT_OF_INPUT,
                            8 + metadata.length,
                            () -> {
                                if (read) {
                                    reader.readBody(into, 0);
                                }
                                reader.next(message);
                            });
            assertTrue(e.getMessage().endsWith("bodyLength=16, remaining=15"), e.getMessage());
        }
    }

    @Test
    void theBodyOfAStreamCannotBeSliced() throws IOException {
        MessageReader reader = reader(STREAM);
        reader.next(message);
        assertThrows(IllegalStateException.class, reader.frame()::bodySlice);
    }
}
