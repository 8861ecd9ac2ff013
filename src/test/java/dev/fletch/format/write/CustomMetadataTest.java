// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.GeneratedTables;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.PlacedSegment;

import org.apache.arrow.flatbuf.MessageHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Custom metadata of written batches, compared with messages that flatc's generated classes encode
/// and a [MetadataWriter] brings into a producer's order.
class CustomMetadataTest {
    private final byte[] target = new byte[8 << 10];
    private final Random random = new Random(42);

    private RecordBatchTemplate template(EmissionOrder order) {
        return RecordBatchTemplate.of(order, MetadataVersion.V5, 2, 3, 0);
    }

    private static BodyLayout layout(int length) {
        BodyLayout layout = new BodyLayout().addNode(7, 0).addNode(7, 2);
        layout.addBuffer(0);
        layout.addBuffer(length);
        layout.addBuffer(length);
        return layout;
    }

    private byte[] written(
            RecordBatchTemplate template, long rows, BodyLayout layout, CustomMetadata metadata) {
        MemorySegment memory = MemorySegment.ofArray(target);
        int length = template.write(memory, 8, rows, layout, metadata);
        return Arrays.copyOfRange(target, 8, 8 + length);
    }

    private static byte[] expected(
            EmissionOrder order, long rows, BodyLayout layout, List<byte[]> texts) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        long[] buffers = layout.buffers();
        long[] nodes = layout.nodes();
        org.apache.arrow.flatbuf.RecordBatch.startBuffersVector(builder, 3);
        for (int i = 2; i >= 0; i--) {
            org.apache.arrow.flatbuf.Buffer.createBuffer(
                    builder, buffers[2 * i], buffers[2 * i + 1]);
        }
        int bufferVector = builder.endVector();
        org.apache.arrow.flatbuf.RecordBatch.startNodesVector(builder, 2);
        for (int i = 1; i >= 0; i--) {
            org.apache.arrow.flatbuf.FieldNode.createFieldNode(
                    builder, nodes[2 * i], nodes[2 * i + 1]);
        }
        int nodeVector = builder.endVector();
        int batch = GeneratedTables.recordBatch(builder, rows, nodeVector, bufferVector, 0, 0);
        int[] pairs = new int[texts.size() / 2];
        for (int i = 0; i < pairs.length; i++) {
            int key = builder.createByteVector(texts.get(2 * i));
            int value = builder.createByteVector(texts.get(2 * i + 1));
            pairs[i] = org.apache.arrow.flatbuf.KeyValue.createKeyValue(builder, key, value);
        }
        int metadata =
                pairs.length == 0
                        ? 0
                        : org.apache.arrow.flatbuf.Message.createCustomMetadataVector(
                                builder, pairs);
        builder.finish(
                GeneratedTables.message(
                        builder,
                        (short) MetadataVersion.V5,
                        MessageHeader.RecordBatch,
                        batch,
                        layout.bodyLength(),
                        metadata));
        return new RewriteRig(order).message(builder.sizedByteArray());
    }

    private byte[] text(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @EnumSource
    void bytesAreThoseOfEveryOrder(EmissionOrder order) {
        RecordBatchTemplate template = template(order);
        CustomMetadata metadata = new CustomMetadata();
        List<byte[]> texts = new ArrayList<>();
        int sameLengths = 0;
        for (int i = 0; i < 4_000; i++) {
            long rows = random.nextInt(3) == 0 ? 0 : random.nextInt(100);
            BodyLayout layout = layout(random.nextInt(2) * random.nextInt(100));
            int change = random.nextInt(10);
            if (change == 0) { // all new
                metadata = new CustomMetadata();
                texts.clear();
                for (int pairs = random.nextInt(5); pairs > 0; pairs--) {
                    byte[] key = text(20);
                    metadata.add(key);
                    texts.add(key);
                    texts.add(new byte[0]);
                }
            } else {
                for (int pair = 0; pair < metadata.count(); pair++) {
                    byte[] value = text(40);
                    if (change > 3) { // other bytes of the same length
                        value = new byte[texts.get(2 * pair + 1).length];
                        random.nextBytes(value);
                        sameLengths++;
                    }
                    texts.set(2 * pair + 1, value);
                    set(metadata, pair, value);
                }
            }
            assertArrayEquals(
                    expected(order, rows, layout, texts),
                    written(template, rows, layout, metadata),
                    "message " + i);
        }
        assertTrue(sameLengths > 1_000);
        System.out.printf("Custom metadata, %s: 4000 messages%n", order);
    }

    private void set(CustomMetadata metadata, int pair, byte[] value) {
        if (random.nextBoolean()) {
            metadata.set(pair, value);
        } else {
            MemorySegment longer = MemorySegment.ofArray(new byte[value.length + 9]);
            MemorySegment.copy(MemorySegment.ofArray(value), 0, longer, 5, value.length);
            metadata.set(pair, longer, 5, value.length);
        }
    }

    @Test
    void twoObjectsAreNotMixedUp() {
        RecordBatchTemplate template = template(EmissionOrder.ARROW_CPP);
        CustomMetadata one = new CustomMetadata("a").set(0, "1");
        CustomMetadata two = new CustomMetadata("b").set(0, "2");
        KeyValue pair = new KeyValue();
        for (int i = 0; i < 4; i++) {
            CustomMetadata metadata = i % 2 == 0 ? one : two;
            byte[] bytes = written(template, 7, layout(8), metadata);
            Message message = new Message().wrap(MemorySegment.ofArray(bytes));
            assertEquals(1, message.customMetadataCount());
            assertEquals(i % 2 == 0 ? "a" : "b", message.customMetadata(0, pair).keyString());
            assertEquals(i % 2 == 0 ? "1" : "2", pair.valueString());
        }
    }

    @Test
    void messagesWithoutMetadataStayAsTheyAre() {
        for (EmissionOrder order : EmissionOrder.values()) {
            RecordBatchTemplate template = template(order);
            MemorySegment memory = MemorySegment.ofArray(target);
            written(template, 7, layout(8), new CustomMetadata("a").set(0, "long value"));
            int length = template.write(memory, 0, 7, layout(8), null);
            assertArrayEquals(
                    expected(order, 7, layout(8), List.of()), Arrays.copyOf(target, length));
        }
    }

    @Test
    void allKindsOfMemoryReceiveMetadata() {
        CustomMetadata metadata = new CustomMetadata("sequence", "trace");
        byte[] trace = "0123456789".getBytes(StandardCharsets.UTF_8);
        List<byte[]> texts =
                List.of("sequence".getBytes(), "17".getBytes(), "trace".getBytes(), trace);
        byte[] expected = expected(EmissionOrder.ARROW_JAVA, 7, layout(8), texts);
        for (var backing : Memories.writableSegments()) {
            try (PlacedSegment into = backing.place(new byte[2_000]);
                    PlacedSegment value = backing.place(trace)) {
                metadata.set(0, "17").set(1, value.segment(), value.offset(), trace.length);
                for (int turn = 0; turn < 3; turn++) {
                    template(EmissionOrder.ARROW_JAVA)
                            .write(into.segment(), into.offset(), 7, layout(8), metadata);
                    assertArrayEquals(expected, Arrays.copyOf(into.content(), expected.length));
                }
            }
        }
    }

    @Test
    void aSmallTargetStaysUnchanged() {
        RecordBatchTemplate template = template(EmissionOrder.ARROW_JAVA);
        CustomMetadata metadata = new CustomMetadata("a").set(0, "value");
        int length = written(template, 7, layout(8), metadata).length;
        byte[] small = new byte[length - 1];
        assertThrows(
                TargetTooSmallException.class,
                () -> template.write(MemorySegment.ofArray(small), 0, 7, layout(8), metadata));
        assertArrayEquals(new byte[length - 1], small);
    }

    @Test
    void valuesOfBytesAllocateNothing() {
        RecordBatchTemplate template = template(EmissionOrder.ARROW_CPP);
        CustomMetadata metadata = new CustomMetadata("sequence", "trace");
        MemorySegment memory = MemorySegment.ofArray(target);
        BodyLayout layout = layout(8);
        byte[][] digits = {new byte[] {'0', '1', '2'}, new byte[] {'3'}};
        int[] turn = {0};
        Allocations.assertNone(
                "writing metadata",
                () -> {
                    metadata.set(0, digits[turn[0]++ % 2]);
                    metadata.set(1, memory, 0, turn[0] % 7);
                    template.write(memory, 100, 7, layout, metadata);
                });
    }

    @Test
    void objectsInTurnAllocateNothing() {
        RecordBatchTemplate template = template(EmissionOrder.ARROW_CPP);
        CustomMetadata one = new CustomMetadata("a").set(0, "1");
        CustomMetadata two = new CustomMetadata("b").set(0, "2");
        MemorySegment memory = MemorySegment.ofArray(target);
        BodyLayout layout = layout(8);
        Allocations.assertNone(
                "metadata in turn",
                () -> {
                    template.write(memory, 0, 7, layout, one);
                    template.write(memory, 0, 7, layout, null);
                    template.write(memory, 0, 7, layout, two);
                });
    }

    @Test
    void aValueThatCannotBeReadChangesNothing() {
        CustomMetadata metadata = new CustomMetadata("a").set(0, "hello world");
        MemorySegment freed;
        try (Arena arena = Arena.ofConfined()) {
            freed = arena.allocate(100);
        }
        RecordBatchTemplate template = template(EmissionOrder.ARROW_JAVA);
        byte[] before = written(template, 7, layout(8), metadata);
        for (int length : new int[] {5, 11, 40, 100}) {
            assertThrows(IllegalStateException.class, () -> metadata.set(0, freed, 0, length));
            assertArrayEquals(before, written(template, 7, layout(8), metadata));
        }
    }

    @Test
    void textsWithoutEncodingAreRefused() {
        CustomMetadata metadata = new CustomMetadata("a").set(0, "\uD83D\uDE00");
        for (String text : new String[] {"\uD83D", "a\uDE00", "\uDE00\uD83D"}) {
            assertThrows(IllegalArgumentException.class, () -> metadata.set(0, text));
            assertThrows(IllegalArgumentException.class, () -> metadata.add(text));
        }
        assertEquals(1, metadata.count());
        assertArrayEquals(
                "\uD83D\uDE00".getBytes(StandardCharsets.UTF_8), metadata.value(0), "as before");
    }

    @Test
    void wrongPairsAndRangesAreRefused() {
        CustomMetadata metadata = new CustomMetadata("a");
        byte[] value = new byte[4];
        assertThrows(IndexOutOfBoundsException.class, () -> metadata.set(1, value));
        assertThrows(IndexOutOfBoundsException.class, () -> metadata.set(-1, value));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> metadata.set(0, MemorySegment.ofArray(value), 1, 4));
    }
}
