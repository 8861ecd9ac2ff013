// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.Frames.END;
import static dev.fletch.ipc.Frames.LEGACY_END;
import static dev.fletch.ipc.Frames.batch;
import static dev.fletch.ipc.Frames.body;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.schema;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

class EncapsulatedMessageTest {
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();

    // ---- Any order ----

    /// A reader of schemas does not try first whether a message is a batch.
    @Test
    void batchesBetweenAnyNumberOfSchemasAreRead() {
        byte[] schema = Frames.frame(Frames.schema());
        byte[] batch = Frames.join(Frames.frame(Frames.batch(8)), Frames.body(8));
        byte[] dictionary = Frames.join(Frames.frame(Frames.dictionary(16)), Frames.body(16));
        for (int schemas = 0; schemas < 6; schemas++) {
            byte[] bytes = {};
            for (int i = 0; i < 3; i++) {
                for (int s = 0; s < schemas; s++) {
                    bytes = Frames.join(bytes, schema);
                }
                bytes = Frames.join(bytes, batch, batch, dictionary, batch, batch);
            }
            MemorySegment stream = MemorySegment.ofArray(bytes);
            int read = 0;
            for (long at = 0; at < bytes.length; at = frame.nextOffset(), read++) {
                assertEquals(FrameKind.MESSAGE, frame.wrap(stream, at, message));
                EncapsulatedMessage expected = new EncapsulatedMessage();
                Message own = new Message();
                expected.wrap(stream, at, own);
                assertEquals(own.headerType(), message.headerType());
                assertEquals(expected.bodyLength(), frame.bodyLength());
                assertEquals(expected.nextOffset(), frame.nextOffset());
            }
            assertEquals(3 * (schemas + 5), read);
        }
    }

    /// A frame that was bound to a message of another input, whose body is longer than this one.
    @Test
    void markerOfAShortInputIsReadAfterALongInput() {
        EncapsulatedMessage strict = new EncapsulatedMessage(ReadOptions.UNTRUSTED);
        byte[] batch = Frames.join(Frames.frame(Frames.batch(80)), Frames.body(80));
        strict.wrap(MemorySegment.ofArray(batch), 0, message);
        MemorySegment end = MemorySegment.ofArray(END);
        assertEquals(FrameKind.END_OF_STREAM, strict.wrap(end, 0, message));
    }

    // ---- Any memory ----

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void readsTheSameFromAnySegment(SegmentBacking backing) {
        for (byte[] stream : streams()) {
            try (PlacedSegment placed = backing.place(stream)) {
                Listing expected = Listing.ofStream(stream);
                assertNull(expected.failure());
                assertEquals(
                        expected,
                        Listing.ofStream(placed.segment(), placed.offset(), placed.length()));
                assertTrue(placed.surroundingsIntact());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void readsTheSameFromAnyBuffer(BufferBacking backing) {
        for (byte[] stream : streams()) {
            try (PlacedBuffer placed = backing.place(stream)) {
                assertEquals(Listing.ofStream(stream), Listing.ofStream(placed.buffer()));
            }
        }
    }

    private static List<byte[]> streams() {
        return List.of(
                Frames.stream(),
                ArrowVectorFiles.named("dictionaries").stream(),
                ArrowVectorFiles.named("legacy_framing_v4").stream());
    }

    @Test
    void positionAndLimitOfABufferStay() {
        ByteBuffer buffer = ByteBuffer.wrap(join(body(5), Frames.stream(), body(3)));
        buffer.position(5).limit(buffer.capacity() - 3);
        assertEquals(FrameKind.MESSAGE, frame.wrap(buffer, message));
        assertEquals(5, buffer.position());
        assertEquals(buffer.capacity() - 3, buffer.limit());
        assertEquals(5, frame.offset());
        assertEquals(13, frame.metadataOffset());
        assertEquals(13, frame.inputOffset(13));
    }

    @Test
    void buffersAndSegmentsMayAlternate() {
        ByteBuffer buffer = ByteBuffer.wrap(frame(schema()));
        MemorySegment segment = MemorySegment.ofArray(join(frame(batch(8)), body(8)));
        for (int i = 0; i < 3; i++) {
            frame.wrap(buffer, message);
            assertEquals(0, frame.bodyLength());
            assertEquals(buffer.limit(), frame.nextOffset());
            frame.wrap(segment, 0, message);
            assertEquals(8, frame.bodySlice().byteSize());
        }
    }

    // ---- Prefixes ----

    @Test
    void aStreamEndsInThreeWays() {
        assertEnd(FrameKind.END_OF_STREAM, 8, join(END, body(20)));
        assertEnd(FrameKind.END_OF_STREAM, 4, join(LEGACY_END, body(20)));
        assertEnd(FrameKind.END_OF_STREAM, 8, END);
        assertEnd(FrameKind.END_OF_STREAM, 4, LEGACY_END);
        assertEnd(FrameKind.END_OF_INPUT, 0, new byte[0]);
        for (int stray = 1; stray < 4; stray++) {
            assertEnd(FrameKind.END_OF_STREAM, 4, join(LEGACY_END, body(stray)));
        }
    }

    private void assertEnd(FrameKind kind, int length, byte[] bytes) {
        wrap(join(frame(schema())), 0);
        message.wrap(MemorySegment.ofArray(batch(0)));
        assertEquals(kind, wrap(join(body(8), bytes), 8));
        assertEquals(kind, frame.kind());
        assertEquals(8, frame.offset());
        assertEquals(length, frame.prefixLength());
        assertEquals(0, frame.metadataLength());
        assertEquals(0, frame.bodyLength());
        assertEquals(8 + length, frame.nextOffset());
        assertEquals(MessageHeader.RECORD_BATCH, message.headerType(), "left as it was");
    }

    @Test
    void inputEndsAtTheGivenEnd() {
        byte[] bytes = join(frame(schema()), frame(batch(0)));
        MemorySegment memory = MemorySegment.ofArray(bytes);
        int first = frame(schema()).length;
        assertEquals(FrameKind.MESSAGE, frame.wrap(memory, 0, first, message));
        assertEquals(FrameKind.END_OF_INPUT, frame.wrap(memory, first, first, message));
        assertFault(
                FrameRule.TRUNCATED_PREFIX,
                first,
                () -> frame.wrap(memory, first, first + 7, message));
        assertFault(
                FrameRule.METADATA_OUT_OF_INPUT,
                first + 4,
                () -> frame.wrap(memory, first, bytes.length - 1, message));
    }

    @Test
    void offsetsOutOfRangeThrow() {
        MemorySegment memory = MemorySegment.ofArray(frame(schema()));
        long size = memory.byteSize();
        for (long[] range :
                new long[][] {
                    {-1, size}, {size + 1, size}, {0, size + 1}, {8, 7}, {Long.MIN_VALUE, 0}
                }) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> frame.wrap(memory, range[0], range[1], message));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> frame.wrap(memory, size + 1, message));
    }

    // ---- Bodies ----

    @ParameterizedTest
    @ValueSource(longs = {17, 24, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE - 8, Long.MAX_VALUE})
    void metadataOfATruncatedBodyIsRead(long length) {
        byte[] metadata = batch(length);
        byte[] bytes = join(frame(metadata), body(16));
        assertEquals(FrameKind.MESSAGE, wrap(bytes, 0));
        assertEquals(length, frame.bodyLength());
        assertEquals(length, message.bodyLength());
        assertFalse(frame.isBodyComplete());
        long at = 8 + metadata.length;
        FletchException e = assertFault(FrameRule.BODY_OUT_OF_INPUT, at, frame::nextOffset);
        assertEquals(
                "offset %d: body does not fit the input: bodyLength=%d, remaining=16"
                        .formatted(at, length),
                e.getMessage());
        assertFault(FrameRule.BODY_OUT_OF_INPUT, at, frame::bodySlice);
    }

    // ---- Help ----

    private FrameKind wrap(byte[] bytes, long at) {
        return frame.wrap(MemorySegment.ofArray(bytes), at, message);
    }

    static FletchException assertFault(Rule fault, long offset, Executable code) {
        FletchException e = assertRule(fault, code);
        assertEquals(offset, e.offset(), e.getMessage());
        String file = e.file() == null ? "" : e.file() + ": ";
        int index = e.fault().message();
        String message = index == Fault.NO_MESSAGE ? "" : "message " + index + ": ";
        String place = file + message + "offset " + offset + ": ";
        assertEquals(place, e.getMessage().substring(0, place.length()));
        String text = e.getMessage().substring(place.length());
        String inside =
                "(metadata|footer) (does not verify: .*: code=" + fault.id() + "|is malformed: ).*";
        boolean isInside = e.getCause() instanceof FletchException;
        assertTrue(
                isInside ? text.matches(inside) : text.startsWith(fault.description() + ": "),
                text);
        assertEquals(1, e.getMessage().lines().count());
        return e;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void headerIsBoundInAnyBuffer(BufferBacking backing) {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        for (int i = 1; i < 5; i++) {
            byte[] metadata = batch(8L * i);
            try (PlacedBuffer header = backing.place(metadata)) {
                ByteBuffer buffer = header.buffer();
                int position = buffer.position();
                frame.wrapMetadata(buffer, message);
                assertEquals(8L * i, message.bodyLength());
                assertEquals(position, buffer.position());
                assertEquals(position, frame.metadataOffset());
                assertEquals(metadata.length, frame.metadataLength());
                ByteBuffer empty = buffer.duplicate().limit(position);
                assertThrows(
                        IndexOutOfBoundsException.class, () -> frame.wrapMetadata(empty, message));
            }
        }
        ByteBuffer damaged = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5});
        assertFault(StructureRule.BUFFER_TOO_SMALL, 0, () -> frame.wrapMetadata(damaged, message));
    }
}
