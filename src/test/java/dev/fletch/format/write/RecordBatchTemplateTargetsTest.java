// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Message;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.TemplateShape.Numbers;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.Backing;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.Placed;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/// Templates over every kind of memory: where they write, what they refuse, what they allocate.
class RecordBatchTemplateTargetsTest {
    private static final TemplateShape SHAPE =
            new TemplateShape(MetadataVersion.V5, 12, 35, 2, 1, 1, -1, false);

    private final RecordBatchTemplate template =
            RecordBatchTemplate.of(EmissionOrder.ARROW_JAVA, example(new Random(1)));
    private final Random random = new Random(11);
    private int turn;

    private Numbers numbers(boolean rows, boolean body) {
        Numbers any = SHAPE.numbers(random);
        return new Numbers(rows ? 5 : 0, body ? 640 : 0, any.nodes(), any.buffers(), any.counts());
    }

    private static Message example(Random random) {
        byte[] message = SHAPE.encoded(SHAPE.numbers(random));
        return new Message().wrap(MemorySegment.ofArray(message));
    }

    private static byte[] expected(Numbers numbers) {
        return new RewriteRig(EmissionOrder.ARROW_JAVA).message(SHAPE.encoded(numbers));
    }

    private int write(MemorySegment memory, long at, Numbers numbers) {
        return template.write(memory, at, numbers.rows(), numbers.layout(), null);
    }

    private int write(Placed placed, Numbers numbers) {
        return switch (placed) {
            case PlacedSegment in -> write(in.segment(), in.offset(), numbers);
            case PlacedBuffer in -> write(in.buffer(), numbers);
        };
    }

    private int write(ByteBuffer buffer, Numbers numbers) {
        return template.write(buffer, numbers.rows(), numbers.layout(), null);
    }

    // ---- where

    /// One kind of memory after the other, and back.
    @Test
    void memoryHoldsTheMessageAndNothingElse() {
        for (int form = 0; form < 4; form++) {
            Numbers numbers = numbers((form & 1) != 0, (form & 2) != 0);
            byte[] expected = expected(numbers);
            for (Backing backing : Memories.writable()) {
                if (backing.name().contains("GiB")) {
                    continue; // not everywhere
                }
                try (Placed placed = backing.place(new byte[expected.length])) {
                    for (int i = 0; i < 2; i++) { // a buffer's position stays where it is
                        assertEquals(expected.length, write(placed, numbers), backing.name());
                    }
                    assertArrayEquals(expected, placed.content(), backing.name());
                    assertTrue(placed.surroundingsIntact(), backing.name());
                }
            }
        }
    }

    // ---- what is refused

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void tooSmallATargetIsLeftAlone(SegmentBacking backing) {
        Numbers numbers = numbers(true, true);
        int needed = expected(numbers).length;
        for (int bytes = 0; bytes < needed; bytes += bytes < 80 ? 1 : 61) {
            int room = bytes;
            byte[] before = new byte[bytes];
            Arrays.fill(before, (byte) 0x5A);
            try (PlacedSegment placed = backing.place(before)) {
                MemorySegment part = placed.segment().asSlice(0, placed.offset() + room);
                TargetTooSmallException e =
                        assertThrows(
                                TargetTooSmallException.class,
                                () -> write(part, placed.offset(), numbers));
                assertEquals(needed - room, e.missingBytes());
                assertArrayEquals(before, placed.content());
                assertTrue(placed.surroundingsIntact());
            }
        }
    }

    @Test
    void theLimitOfABufferIsTheEndOfTheTarget() {
        Numbers numbers = numbers(true, true);
        int needed = expected(numbers).length;
        byte[] memory = new byte[needed + 10];
        ByteBuffer buffer = ByteBuffer.wrap(memory, 3, needed - 1);
        TargetTooSmallException e =
                assertThrows(TargetTooSmallException.class, () -> write(buffer, numbers));
        assertEquals(1, e.missingBytes());
        assertArrayEquals(new byte[needed + 10], memory);
        assertEquals(needed, write(buffer.limit(3 + needed), numbers));
    }

    @Test
    void offsetsOutsideAreRefused() {
        byte[] content = new byte[10_000];
        MemorySegment memory = MemorySegment.ofArray(content);
        Numbers numbers = numbers(true, true);
        for (long at : new long[] {-1, 10_001, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThrows(
                    IndexOutOfBoundsException.class, () -> write(memory, at, numbers), "at=" + at);
        }
        assertThrows(TargetTooSmallException.class, () -> write(memory, 10_000, numbers));
        assertArrayEquals(new byte[10_000], content);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#readOnly")
    void readOnlyMemoryIsRefused(Backing backing) {
        byte[] content = new byte[4096];
        try (Placed placed = backing.place(content)) {
            for (int i = 0; i < 2; i++) {
                assertThrows(
                        IllegalArgumentException.class, () -> write(placed, numbers(true, true)));
            }
            assertArrayEquals(content, placed.content());
        }
    }

    @Test
    void otherCountsAreRefusedBeforeAnythingIsWritten() {
        Numbers fine = numbers(true, true);
        byte[] memory = new byte[4096];
        for (int wrong = 0; wrong < 6; wrong++) {
            int more = wrong % 2 == 0 ? 1 : -1;
            long[] nodes = longs(fine.nodes().length + (wrong / 2 == 0 ? 2 * more : 0));
            long[] buffers = longs(fine.buffers().length + (wrong / 2 == 1 ? 2 * more : 0));
            long[] counts = longs(fine.counts().length + (wrong / 2 == 2 ? more : 0));
            Numbers other = new Numbers(1, 8, nodes, buffers, counts);
            IllegalArgumentException e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> write(MemorySegment.ofArray(memory), 0, other));
            String text =
                    "wrong counts: nodes=%d, buffers=%d, variadicCounts=%d,"
                            + " expected nodes=12, buffers=35, variadicCounts=2";
            assertEquals(
                    text.formatted(nodes.length / 2, buffers.length / 2, counts.length),
                    e.getMessage());
            assertThrows(
                    IllegalArgumentException.class, () -> write(ByteBuffer.wrap(memory), other));
        }
        assertArrayEquals(new byte[4096], memory);
    }

    @Test
    void shapeOfMoreBytesThanAMessageMayHaveIsRefused() {
        assertEquals(
                "record batch too large: nodes=2147483647, buffers=2, variadicCounts=1,"
                        + " bytes=34359738392, limit=268435456",
                assertThrows(
                                IllegalArgumentException.class,
                                () ->
                                        RecordBatchTemplate.of(
                                                EmissionOrder.ARROW_CPP,
                                                MetadataVersion.V5,
                                                Integer.MAX_VALUE,
                                                2,
                                                1))
                        .getMessage());
    }

    private static long[] longs(int count) {
        long[] longs = new long[count];
        Arrays.fill(longs, -1);
        return longs;
    }

    @Test
    void onlyBatchesHaveTemplates() {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        int schema = TableEncoder.createSchema(writer, Endianness.LITTLE, 0, 0, 0);
        writer.finish(
                TableEncoder.createMessage(
                        writer, MetadataVersion.V5, MessageHeader.SCHEMA, schema, 0, 0));
        Message message = new Message().wrap(writer.segment());
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> RecordBatchTemplate.of(EmissionOrder.FLATC, message));
        assertEquals("message has no record batch: kind=Schema", e.getMessage());
    }

    // ---- allocation

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writable")
    void writingAllocatesNothing(Backing backing) {
        Numbers[] numbers = {
            numbers(true, true), numbers(false, true), numbers(true, false), numbers(false, false)
        };
        BodyLayout[] layouts = Stream.of(numbers).map(Numbers::layout).toArray(BodyLayout[]::new);
        try (Placed placed = backing.place(new byte[4096])) {
            Allocations.assertNone(
                    backing.name(),
                    () -> {
                        int now = turn++ & 3;
                        switch (placed) {
                            case PlacedSegment in ->
                                    template.write(
                                            in.segment(),
                                            in.offset(),
                                            numbers[now].rows(),
                                            layouts[now],
                                            null);
                            case PlacedBuffer in ->
                                    template.write(
                                            in.buffer(), numbers[now].rows(), layouts[now], null);
                        }
                    });
        }
    }
}
