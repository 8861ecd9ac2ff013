// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Bodies in several buffers, and metadata without a prefix in a buffer of its own.
@Isolated("counts allocations")
class ReceivedBodyTest {
    private final ReceivedBody body = new ReceivedBody();
    private final ByteSlice slice = new ByteSlice();

    private static byte[] numbered(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    /// Every range of every way to cut a few bytes.
    @Test
    void everyRangeIsReadAcrossPieces() {
        byte[] bytes = numbered(6);
        for (int cuts = 0; cuts < 1 << 5; cuts++) {
            body.reset();
            int from = 0;
            for (int i = 1; i <= 6; i++) {
                if (i == 6 || (cuts >> i - 1 & 1) != 0) {
                    body.add(ByteBuffer.wrap(bytes, from, i - from));
                    body.add(ByteBuffer.wrap(bytes, i, 0)); // nothing
                    from = i;
                }
            }
            assertEquals(6, body.length());
            for (int start = 0; start <= 6; start++) {
                for (int end = start; end <= 6; end++) {
                    byte[] expected = Arrays.copyOfRange(bytes, start, end);
                    body.slice(start, end - start, slice);
                    assertArrayEquals(expected, slice.toByteArray());
                    int inner = end - start < 2 ? 0 : cuts >> start & (1 << end - start - 1) - 1;
                    boolean isCopy = slice.asSlice().heapBase().orElseThrow() != bytes;
                    assertTrue(end == start || isCopy == (inner != 0));
                }
            }
            assertArrayEquals(bytes, body.copy().toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void piecesInEveryMemoryAreRead(BufferBacking backing) {
        byte[] bytes = numbered(100);
        try (PlacedBuffer first = backing.place(Arrays.copyOf(bytes, 60));
                PlacedBuffer second = backing.place(Arrays.copyOfRange(bytes, 60, 100))) {
            int position = first.buffer().position();
            body.add(first.buffer()).add(second.buffer());
            assertEquals(position, first.buffer().position());
            for (int[] range : new int[][] {{0, 60}, {60, 40}, {3, 57}, {59, 2}, {0, 100}}) {
                byte[] expected = Arrays.copyOfRange(bytes, range[0], range[0] + range[1]);
                body.slice(range[0], range[1], slice);
                assertArrayEquals(expected, slice.toByteArray());
                assertEquals(expected[0], slice.int8(0));
            }
        }
    }

    @Test
    void rangesOutsideTheBodyAreRefused() {
        body.add(ByteBuffer.allocate(10)).add(ByteBuffer.allocate(10));
        for (long[] range :
                new long[][] {{0, 21}, {20, 1}, {-1, 1}, {1, -1}, {1, Long.MAX_VALUE}}) {
            assertThrows(
                    IndexOutOfBoundsException.class, () -> body.slice(range[0], range[1], slice));
        }
        assertEquals(0, new ReceivedBody().slice(0, 0, slice).length());
        assertEquals(0, new ReceivedBody().copy().byteSize());
    }

    @Test
    void nothingIsAllocatedForTheSamePieces() {
        ByteBuffer[] pieces = new ByteBuffer[20];
        Arrays.setAll(pieces, i -> i % 2 == 0 ? ByteBuffer.allocate(64) : direct(64));
        ByteSlice[] slices = {new ByteSlice(), new ByteSlice()};
        Allocations.assertNone(
                "per body",
                () -> {
                    body.reset();
                    for (ByteBuffer each : pieces) {
                        body.add(each);
                    }
                    body.slice(64, 64, slices[0]);
                    body.slice(129, 63, slices[1]);
                });
        assertEquals(63, slices[1].length());
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    /// Every buffer of every column, in pieces of any sizes, has the bytes that it has in one
    /// piece.
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 100, 5_000, 1 << 20})
    void columnsAreReadAcrossPieces(int most) throws IOException {
        ByteBuffer stream = ByteBuffer.wrap(Files.readAllBytes(TradesSample.path("trades.stream")));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        RecordBatch batch = new RecordBatch();
        BatchCursor whole = new BatchCursor();
        BatchCursor cursor = new BatchCursor();
        BatchLayout layout = null;
        int buffers = 0;
        while (frame.wrap(stream, message) == FrameKind.MESSAGE) {
            Schema schema = new Schema();
            if (message.header(schema)) {
                layout = BatchLayout.compile(schema, message.version());
            }
            if (message.header(batch)) {
                ByteBuffer header =
                        stream.slice((int) frame.metadataOffset(), frame.metadataLength());
                receive(stream.slice((int) frame.bodyOffset(), (int) frame.bodyLength()), most);
                whole.bind(layout, batch).body(frame.bodySlice());
                new EncapsulatedMessage().wrapMetadata(header, message);
                cursor.bind(layout, message).body(body);
                for (int field = 0; field < layout.fieldCount(); field++) {
                    for (int i = 0; i < cursor.bufferCount(field); i++) {
                        assertArrayEquals(
                                whole.buffer(field, i, new ByteSlice()).toByteArray(),
                                cursor.buffer(field, i, slice).toByteArray());
                        buffers++;
                    }
                }
                cursor.values(layout.field("size"), ValueType.INT64, slice);
                assertArrayEquals(
                        whole.values(layout.field("size"), ValueType.INT64, new ByteSlice())
                                .toByteArray(),
                        slice.toByteArray());
                assertRefusesShortBody(cursor, layout, message);
            }
            stream.position((int) frame.nextOffset());
        }
        assertEquals(3 * 21, buffers);
    }

    private void receive(ByteBuffer all, int most) {
        Random random = new Random(most);
        List<ByteBuffer> pieces = new ArrayList<>();
        body.reset();
        for (int at = 0; at < all.capacity(); ) {
            int size = Math.min(all.capacity() - at, 1 + random.nextInt(most));
            pieces.add(all.slice(at, size));
            at += size;
        }
        pieces.forEach(body::add);
    }

    private static void assertRefusesShortBody(
            BatchCursor cursor, BatchLayout layout, Message message) {
        int bytes = (int) message.bodyLength();
        ReceivedBody cut = new ReceivedBody().add(ByteBuffer.allocate(bytes - 1));
        FletchException e =
                assertThrows(FletchException.class, () -> cursor.bind(layout, message).body(cut));
        assertEquals(
                "body is incomplete: received=" + (bytes - 1) + ", bodyLength=" + bytes,
                e.getMessage());
        cut.add(ByteBuffer.allocate(1));
        cut.add(ByteBuffer.allocate(1));
        cursor.bind(layout, message).body(cut);
    }
}
