// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.EncapsulatedMessageTest.assertFault;
import static dev.fletch.ipc.Frames.END;
import static dev.fletch.ipc.Frames.LEGACY_END;
import static dev.fletch.ipc.Frames.batch;
import static dev.fletch.ipc.Frames.body;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.legacyFrame;
import static dev.fletch.ipc.Frames.schema;
import static dev.fletch.ipc.Frames.words;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.RealInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;

/// A decoder finds in any pieces what a reader finds in the same stream.
class MessageDecoderTest {
    private static final byte[] STREAM = Frames.stream();

    private final MessageDecoder decoder = new MessageDecoder(ReadOptions.DEFAULT);
    private final Message message = new Message();

    // ---- the same as a reader

    /// Checks that pieces of bodies have the bytes of the stream, follow each other, and are
    /// complete.
    private static final class Bodies {
        private final byte[] stream;
        private long at;
        private int complete;

        Bodies(byte[] stream) {
            this.stream = stream;
        }

        void add(MessageDecoder decoder) {
            EncapsulatedMessage frame = decoder.frame();
            ByteBuffer piece = decoder.body();
            int from = (int) (frame.bodyOffset() + at);
            ByteBuffer same = ByteBuffer.wrap(stream, from, piece.remaining());
            at += piece.remaining();
            assertEquals(same, piece);
            assertEquals(frame.bodyLength() - at, decoder.bodyLeft());
            if (decoder.bodyLeft() == 0) {
                complete++;
                at = 0;
            }
        }
    }

    /// Feeds one buffer after the other.
    private static void assertSameAsReader(byte[] stream, Iterator<ByteBuffer> pieces) {
        Bodies bodies = new Bodies(stream);
        Listing found =
                Listing.ofDecoder(
                        new MessageDecoder(ReadOptions.DEFAULT),
                        () -> pieces.hasNext() ? pieces.next() : null,
                        bodies::add);
        assertEquals(Listing.ofReader(Frames.reader(stream)), found);
        assertEquals(Listing.ofStream(stream), found);
        if (found.failure() == null) {
            assertEquals(found.messages().size(), bodies.complete);
        }
    }

    /// Views of the stream, each of its own.
    private static Iterator<ByteBuffer> pieces(byte[] stream, IntSupplier sizes) {
        List<ByteBuffer> pieces = new ArrayList<>();
        for (int at = 0; at < stream.length; ) {
            int size = Math.min(sizes.getAsInt(), stream.length - at);
            pieces.add(ByteBuffer.wrap(stream, at, size));
            at += size;
        }
        return pieces.iterator();
    }

    private static List<byte[]> smallStreams() {
        return List.of(
                STREAM,
                join(legacyFrame(schema()), legacyFrame(batch(8)), body(8), LEGACY_END),
                join(frame(schema()), legacyFrame(batch(3)), body(3), frame(batch(0))),
                END,
                LEGACY_END,
                new byte[0],
                join(frame(schema()), words(-1, -8)),
                join(frame(schema()), words(16, 0, 0, 0, 0)),
                ArrowVectorFiles.named("legacy_framing_v4").stream());
    }

    @Test
    void aCutAtAnyByteMakesNoDifference() {
        for (byte[] stream : smallStreams()) {
            for (int cut = 0; cut <= stream.length; cut++) {
                ByteBuffer first = ByteBuffer.wrap(stream, 0, cut);
                ByteBuffer second = ByteBuffer.wrap(stream, cut, stream.length - cut);
                assertSameAsReader(stream, List.of(first, second).iterator());
            }
        }
    }

    @Test
    void aStreamThatEndsAtAnyByteEndsAsInAReader() {
        for (byte[] stream : smallStreams()) {
            for (int end = 0; end < stream.length; end++) {
                byte[] cut = Arrays.copyOf(stream, end);
                assertSameAsReader(cut, List.of(ByteBuffer.wrap(cut)).iterator());
                assertSameAsReader(cut, pieces(cut, () -> 3));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void anyBufferIsReadByteByByteAndInPieces(BufferBacking backing) {
        for (byte[] stream : smallStreams()) {
            for (int most : new int[] {1, 2, 7, 64, 333, 1 << 20}) {
                try (PlacedBuffer placed = backing.place(stream)) {
                    assertSameAsReader(stream, steps(placed.buffer(), most));
                }
            }
        }
    }

    /// The same buffer each time, whose limit moves on.
    private static Iterator<ByteBuffer> steps(ByteBuffer all, int most) {
        int end = all.limit();
        all.limit(all.position());
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return all.position() < end;
            }

            @Override
            public ByteBuffer next() {
                return all.limit(Math.min(end, all.position() + most));
            }
        };
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.RealInput#all")
    void realInputsInPieces(RealInput input) {
        byte[] bytes = input.bytes();
        if (!OracleListing.isFile(bytes)) {
            assertSameInRandomPieces(bytes);
        } else { // messages follow the magic
            byte[] messages = Arrays.copyOfRange(bytes, 8, bytes.length);
            Random random = new Random(messages.length);
            assertSameAsReader(messages, pieces(messages, () -> 1 + random.nextInt(5_000)));
        }
    }

    private static void assertSameInRandomPieces(byte[] stream) {
        Random random = new Random(stream.length);
        int rounds = stream.length < 10_000 ? CaseCount.of(20, 200) : 1;
        for (int i = 0; i < rounds; i++) {
            for (int most : new int[] {10, 100, 1_000, 100_000}) {
                assertSameAsReader(stream, pieces(stream, () -> random.nextInt(most + 1)));
            }
        }
        ByteBuffer direct = ByteBuffer.allocateDirect(stream.length).put(stream).flip();
        assertSameAsReader(stream, steps(direct.asReadOnlyBuffer(), 4_096));
    }

    @Test
    void largeMetadataIsGathered() {
        byte[] large = Frames.padded(LargeSchemas.schemaMessage(1_000), 8);
        byte[] stream = join(frame(schema()), frame(large), frame(schema()), END);
        for (int most : new int[] {1, 999, 8_192}) {
            assertSameAsReader(stream, pieces(stream, () -> most));
        }
    }

    // ---- where it stops

    @Test
    void eventsOfAStream() {
        ByteBuffer input = ByteBuffer.wrap(join(STREAM, body(5)));
        List<FrameKind> events = new ArrayList<>();
        FrameKind event;
        do {
            event = decoder.next(input, message);
            events.add(event);
        } while (event != FrameKind.END_OF_STREAM);
        assertEquals(
                List.of(
                        FrameKind.MESSAGE, // the schema
                        FrameKind.BODY,
                        FrameKind.MESSAGE,
                        FrameKind.BODY,
                        FrameKind.MESSAGE, // without a body
                        FrameKind.BODY,
                        FrameKind.END_OF_STREAM),
                events);
        assertEquals(STREAM.length, input.position());
        for (int i = 0; i < 2; i++) {
            assertEquals(FrameKind.NEED_MORE, decoder.next(input, message));
            assertEquals(STREAM.length, input.position());
        }
        assertEquals(STREAM.length, decoder.frame().nextOffset());
        assertEquals(FrameKind.END_OF_STREAM, decoder.finish());
        assertEquals(0, decoder.bytesNeeded());
    }

    @Test
    void anEmptyBodyNeedsNoMoreBytes() {
        byte[] stream = frame(batch(0));
        ByteBuffer input = ByteBuffer.wrap(stream);
        assertEquals(FrameKind.MESSAGE, decoder.next(input, message));
        assertEquals(0, decoder.bytesNeeded());
        assertEquals(FrameKind.BODY, decoder.next(input, message));
        assertEquals(0, decoder.body().remaining());
        assertEquals(0, decoder.bodyLeft());
        assertEquals(FrameKind.NEED_MORE, decoder.next(input, message));
        assertEquals(4, decoder.bytesNeeded());
        assertEquals(FrameKind.END_OF_INPUT, decoder.finish());
        assertEquals(FrameKind.END_OF_INPUT, decoder.frame().kind());
        assertEquals(stream.length, decoder.frame().offset());
    }

    @Test
    void aStreamMayFinishBeforeItsEmptyBodyWasTaken() {
        byte[] stream = frame(batch(0));
        decoder.next(ByteBuffer.wrap(stream), message);
        assertEquals(FrameKind.END_OF_INPUT, decoder.finish());
        assertEquals(stream.length, decoder.frame().offset());
    }

    /// A source that gives just what is needed is asked a few times per message.
    @Test
    void bytesNeededLeadFromEventToEvent() {
        byte[] metadata = batch(16);
        byte[] stream = join(frame(metadata), body(16), legacyFrame(schema()), END);
        List<Long> needed = new ArrayList<>();
        int at = 0;
        FrameKind event = FrameKind.NEED_MORE;
        while (event != FrameKind.END_OF_STREAM) {
            ByteBuffer nothing = ByteBuffer.wrap(stream, at, 0);
            event = decoder.next(nothing, message);
            if (event == FrameKind.BODY) { // of 0 bytes
                event = decoder.next(nothing, message);
            }
            assertEquals(FrameKind.NEED_MORE, event);
            int size = (int) decoder.bytesNeeded();
            needed.add((long) size);
            ByteBuffer input = ByteBuffer.wrap(stream, at, size);
            at += size;
            while (input.hasRemaining()) {
                event = decoder.next(input, message);
            }
        }
        long old = schema().length + 4L;
        assertEquals(List.of(4L, 4L, (long) metadata.length, 16L, 4L, old, 4L, 4L), needed);
    }

    @Test
    void bodiesLargerThanAnyBufferComeInPieces() {
        byte[] stream = frame(batch(1L << 40));
        decoder.next(ByteBuffer.wrap(stream), message);
        assertEquals(1L << 40, decoder.bodyLeft());
        ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
        for (long left = 1L << 40; left > (1L << 40) - (1L << 35); ) {
            assertEquals(FrameKind.BODY, decoder.next(buffer.clear(), message));
            left -= buffer.capacity();
            assertEquals(left, decoder.bodyLeft());
            assertEquals(FrameKind.NEED_MORE, decoder.next(buffer, message));
            assertEquals(left, decoder.bytesNeeded());
        }
        assertFault(FrameRule.BODY_OUT_OF_INPUT, stream.length, decoder::finish);
    }

    @Test
    void metadataInOneBufferIsBoundThere() {
        byte[] bytes = frame(batch(0));
        assertSame(bytes, memoryOfMessage(ByteBuffer.wrap(bytes)));
        decoder.next(ByteBuffer.wrap(new byte[0]), message); // takes the empty body
        assertEquals(FrameKind.NEED_MORE, decoder.next(ByteBuffer.wrap(bytes, 0, 8), message));
        assertSame(bytes, memoryOfMessage(ByteBuffer.wrap(bytes, 8, bytes.length - 8)));
        decoder.next(ByteBuffer.wrap(new byte[0]), message);
        assertEquals(FrameKind.NEED_MORE, decoder.next(ByteBuffer.wrap(bytes, 0, 9), message));
        assertNotEquals(bytes, memoryOfMessage(ByteBuffer.wrap(bytes, 9, bytes.length - 9)));
    }

    private Object memoryOfMessage(ByteBuffer input) {
        assertEquals(FrameKind.MESSAGE, decoder.next(input, message));
        return new ByteSlice().wrapBufferOf(message).asSlice().heapBase().orElseThrow();
    }

    /// Metadata that was gathered outlives the buffers, and so may those who read the body late.
    @Test
    void gatheredMetadataOutlivesTheBuffers() {
        byte[] stream = join(frame(batch(100)), body(100));
        ByteBuffer buffer = ByteBuffer.allocate(16);
        RecordBatch header = new RecordBatch();
        for (int at = 0; at < stream.length; at += 16) {
            buffer.clear().put(stream, at, Math.min(16, stream.length - at)).flip();
            while (decoder.next(buffer, message) != FrameKind.NEED_MORE) {
                assertTrue(message.header(header));
                assertEquals(5, header.length());
            }
        }
        assertEquals(0, decoder.bodyLeft());
        assertEquals(5, header.length());
    }

    @Test
    void aPieceIsAViewOfTheBuffer() {
        ByteBuffer input = ByteBuffer.wrap(join(frame(batch(16)), body(16)));
        assertThrows(IllegalStateException.class, decoder::body);
        decoder.next(input, message);
        assertThrows(IllegalStateException.class, decoder::body);
        int at = input.position();
        decoder.next(input, message);
        ByteBuffer piece = decoder.body();
        assertEquals(at, piece.position());
        assertEquals(at + 16, piece.limit());
        piece.getLong(); // reading from it changes nothing
        assertEquals(0, decoder.bodyLeft());
        assertEquals(at + 16, input.position());
        input.put(at + 9, (byte) 77);
        assertEquals(77, piece.get(at + 9));
        decoder.next(input, message);
        assertThrows(IllegalStateException.class, decoder::body);
    }

    // ---- failures

    @Test
    void aFailedDecoderNeedsAResetAndCountsMessagesAgain() {
        byte[] first = join(frame(schema()), frame(batch(8)), body(8));
        byte[] stream = join(first, words(-1, -1));
        for (int most : new int[] {1, 13, 1_000}) {
            Iterator<ByteBuffer> pieces = pieces(stream, () -> most);
            FletchException e =
                    assertFault(
                            FrameRule.NEGATIVE_METADATA_LENGTH,
                            first.length + 4,
                            () -> {
                                while (pieces.hasNext()) {
                                    ByteBuffer each = pieces.next();
                                    while (decoder.next(each, message) != FrameKind.NEED_MORE) {
                                        assertNotNull(decoder.frame().kind());
                                    }
                                }
                            });
            assertEquals(2, e.fault().message());
            assertEquals(2, decoder.frame().index());
            ByteBuffer more = ByteBuffer.wrap(STREAM);
            assertThrows(IllegalStateException.class, () -> decoder.next(more, message));
            assertThrows(IllegalStateException.class, decoder::finish);
            assertThrows(IllegalStateException.class, decoder::body);
            assertEquals(0, decoder.bytesNeeded());
            assertEquals(0, more.position());
            decoder.reset();
            assertNull(decoder.frame().kind());
            assertEquals(FrameKind.MESSAGE, decoder.next(more, message));
            assertEquals(0, decoder.frame().offset());
            decoder.reset();
        }
    }

    private static MessageDecoder limited(long metadataBytes) {
        return new MessageDecoder(
                ReadOptions.DEFAULT.withLimits(Limits.DEFAULT.withMetadataBytes(metadataBytes)));
    }

    @Test
    void metadataAboveTheLimitIsRefusedByItsPrefix() {
        byte[] metadata = schema();
        assertEquals(
                FrameKind.MESSAGE,
                limited(metadata.length).next(ByteBuffer.wrap(frame(metadata)), message));
        MessageDecoder narrow = limited(metadata.length - 1);
        ByteBuffer prefix = ByteBuffer.wrap(frame(metadata), 0, 8);
        assertFault(FrameRule.METADATA_OVER_LIMIT, 4, () -> narrow.next(prefix, message));
        for (int size : new int[] {(256 << 20) + 1, Integer.MAX_VALUE}) {
            ByteBuffer hostile = ByteBuffer.wrap(words(-1, size));
            MessageDecoder other = new MessageDecoder(ReadOptions.DEFAULT);
            assertFault(FrameRule.METADATA_OVER_LIMIT, 4, () -> other.next(hostile, message));
        }
    }

    @Test
    void nullIsRefusedWithoutHarm() {
        ByteBuffer input = ByteBuffer.wrap(STREAM);
        assertThrows(NullPointerException.class, () -> decoder.next(null, message));
        assertThrows(NullPointerException.class, () -> decoder.next(input, null));
        assertEquals(FrameKind.MESSAGE, decoder.next(input, message));
    }

    // ---- options and counters

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 1 << 20})
    void schemasAreRecognizedAsByAReader(int most) throws IOException {
        byte[] stream = new byte[0];
        for (int i = 0; i < 20; i++) {
            stream = join(stream, frame(schema()), frame(batch(8L * i)), body(8 * i));
        }
        ReadOptions options = ReadOptions.DEFAULT.withKnownSchemas(new KnownSchemas());
        MessageDecoder counting = new MessageDecoder(options);
        Iterator<ByteBuffer> pieces = pieces(stream, () -> most);
        Listing.ofDecoder(counting, () -> pieces.hasNext() ? pieces.next() : null, d -> {});
        MessageReader reader =
                MessageReader.of(
                        new ByteArrayInputStream(stream),
                        options.withKnownSchemas(new KnownSchemas()));
        while (reader.next(message) == FrameKind.MESSAGE) {
            assertNotNull(reader.frame());
        }
        EncapsulatedMessage expected = reader.frame();
        assertTrue(expected.checks.schemasRecognized > 10);
        EncapsulatedMessage found = counting.frame();
        assertEquals(expected.checks.schemasRecognized, found.checks.schemasRecognized);
        assertEquals(expected.checks.schemasParsed, found.checks.schemasParsed);
        assertNotNull(found.knownSchema());
        assertNull(counting.reset().frame().knownSchema());
    }

    // ---- as users do it

    @Test
    void severalStreamsInOneBufferFollowEachOther() {
        ByteBuffer input = ByteBuffer.wrap(join(STREAM, STREAM, STREAM));
        for (int i = 1; i <= 3; i++) {
            int messages = 0;
            FrameKind event;
            while ((event = decoder.next(input, message)) != FrameKind.END_OF_STREAM) {
                messages += event == FrameKind.MESSAGE ? 1 : 0;
            }
            assertEquals(3, messages);
            assertEquals(i * STREAM.length, input.position());
            decoder.reset();
        }
        assertArrayEquals(join(STREAM, STREAM, STREAM), input.array());
    }
}
