// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories.Backing;
import dev.fletch.testdata.Placed;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Numbers that are copied in one go are those that the official classes read one by one, whatever
/// memory they lie in.
class FlyweightBulkCopyTest {
    private static final byte[] BYTES = LargeSchemas.recordBatchMessage(5);

    private static void assertCopies(Message message) {
        var official = new org.apache.arrow.flatbuf.RecordBatch();
        org.apache.arrow.flatbuf.Message.getRootAsMessage(ByteBuffer.wrap(BYTES)).header(official);
        RecordBatch batch = new RecordBatch();
        assertTrue(message.header(batch));
        long[] nodes =
                IntStream.range(0, official.nodesLength())
                        .mapToObj(official::nodes)
                        .flatMapToLong(each -> LongStream.of(each.length(), each.nullCount()))
                        .toArray();
        long[] buffers =
                IntStream.range(0, official.buffersLength())
                        .mapToObj(official::buffers)
                        .flatMapToLong(each -> LongStream.of(each.offset(), each.length()))
                        .toArray();
        assertEquals(10 + 30, nodes.length + buffers.length);
        long[] found = new long[1 + nodes.length + buffers.length];
        assertEquals(nodes.length, batch.copyNodes(found, 1));
        assertEquals(buffers.length, batch.copyBuffers(found, 1 + nodes.length));
        long[] expected =
                LongStream.concat(
                                LongStream.concat(LongStream.of(0), LongStream.of(nodes)),
                                LongStream.of(buffers))
                        .toArray();
        assertArrayEquals(expected, found);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#all")
    void fromEveryMemory(Backing backing) {
        try (Placed placed = backing.place(BYTES)) {
            Message message = new Message();
            Flyweights.wrap(message, placed);
            assertCopies(message);
        }
    }
}
