// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.testdata.Allocations;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

/// Buffers' lengths become offsets and a body's length.
class WriteBodyLayoutTest {
    @ParameterizedTest
    @ValueSource(ints = {8, 16, 64, 4096})
    void buffersAreAlignedAndAdjacent(int alignment) {
        Random random = new Random(alignment);
        BodyLayout layout = new BodyLayout(alignment);
        for (int round = 0; round < 50; round++) {
            layout.reset();
            long end = 0;
            int buffers = random.nextInt(200);
            for (int i = 0; i < buffers; i++) {
                long length = random.nextInt(3) == 0 ? 0 : random.nextLong(3L << 30);
                long offset = (end + alignment - 1) / alignment * alignment;
                assertEquals(offset, layout.addBuffer(length));
                assertEquals(offset, layout.buffers()[2 * i]);
                assertEquals(length, layout.buffers()[2 * i + 1]);
                end = offset + length;
            }
            assertEquals(buffers, layout.bufferCount());
            assertEquals((end + alignment - 1) / alignment * alignment, layout.bodyLength());
        }
    }

    @Test
    void theHeaderHasNodesBuffersAndCounts() {
        BodyLayout layout = new BodyLayout();
        long[] lengths = {9, 1, 0, 8, 17, 5};
        for (int counts = 0; counts < 3; counts++) {
            layout.reset().addNode(4, 1).addNode(7, 0);
            for (int i = 1; i <= 4; i++) {
                layout.addBuffer(lengths[i]);
            }
            for (int i = 0; i < counts; i++) {
                layout.addVariadicCount(10 + i);
            }
            FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true).reset();
            int compression = TableEncoder.createBodyCompression(writer, CompressionType.ZSTD, 0);
            int header = layout.createHeader(writer, 4, compression);
            writer.finish(TableEncoder.createMessage(writer, 4, 3, header, layout.bodyLength(), 0));
            Message message = new Message().wrap(writer.segment());
            RecordBatch batch = new RecordBatch();
            message.header(batch);
            assertEquals(40, message.bodyLength());
            assertEquals(4, batch.length());
            long[] found = new long[8];
            assertEquals(4, batch.copyNodes(found, 0));
            assertArrayEquals(new long[] {4, 1, 7, 0, 0, 0, 0, 0}, found);
            assertEquals(8, batch.copyBuffers(found, 0));
            assertArrayEquals(new long[] {0, 1, 8, 0, 8, 8, 16, 17}, found);
            assertEquals(counts != 0, batch.isPresent(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT));
            assertEquals(counts, batch.variadicBufferCountsCount());
            assertEquals(counts, layout.variadicCount());
            assertEquals(2, layout.nodeCount());
            BodyCompression codec = new BodyCompression();
            assertEquals(true, batch.compression(codec));
            assertEquals(CompressionType.ZSTD, codec.codec());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64})
    void theLongestBodyIsTheLastMultipleOfItsAlignment(int alignment) {
        long last = Long.MAX_VALUE - (alignment - 1);
        for (long before : new long[] {0, 1, alignment + 1}) {
            BodyLayout layout = new BodyLayout(alignment);
            layout.addBuffer(before);
            long offset = layout.bodyLength();
            assertThrows(IllegalArgumentException.class, () -> layout.addBuffer(last - offset + 1));
            assertEquals(offset, layout.addBuffer(last - offset));
            assertEquals(last, layout.bodyLength());
        }
    }

    @Test
    void lengthsThatDoNotFitAreRefused() {
        BodyLayout layout = new BodyLayout();
        layout.addBuffer(1L << 62);
        for (long wrong : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62}) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> layout.addBuffer(wrong));
            assertEquals(
                    "buffer length out of range: buffer=1, length="
                            + wrong
                            + ", offset="
                            + (1L << 62),
                    e.getMessage());
        }
        assertEquals(1, layout.bufferCount());
        assertEquals(1L << 62, layout.bodyLength());
        for (int wrong : new int[] {0, 4, 7, 12, -8, Integer.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> new BodyLayout(wrong));
        }
    }

    @Test
    void nothingIsAllocatedAfterTheFirstTime() {
        BodyLayout layout = new BodyLayout();
        Allocations.assertNone(
                "layout",
                () -> {
                    layout.reset();
                    for (int i = 0; i < 300; i++) {
                        layout.addNode(i, 0).addVariadicCount(i).addBuffer(i);
                    }
                });
    }
}
