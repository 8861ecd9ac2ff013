// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.PlacedSegment;

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

/// Custom metadata of written batches, compared with messages that the encoders write in full and a
/// [MetadataWriter] brings into a producer's order.
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
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        int batch = layout.createHeader(writer, rows, 0);
        int[] strings =
                texts.stream()
                        .mapToInt(each -> writer.createString(each, 0, each.length))
                        .toArray();
        int[] pairs = new int[texts.size() / 2];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = TableEncoder.createKeyValue(writer, strings[2 * i], strings[2 * i + 1]);
        }
        int metadata = pairs.length == 0 ? 0 : writer.createOffsetVector(pairs, 0, pairs.length);
        int version = MetadataVersion.V5;
        int kind = MessageHeader.RECORD_BATCH;
        writer.finish(
                TableEncoder.createMessage(
                        writer, version, kind, batch, layout.bodyLength(), metadata));
        return new RewriteRig(order).message(writer.toByteArray());
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
        CustomMetadata[] objects = {new CustomMetadata(), new CustomMetadata()};
        List<List<byte[]>> textsOf = List.of(new ArrayList<>(), new ArrayList<>());
        int sameLengths = 0;
        for (int i = 0; i < 4_000; i++) {
            long rows = random.nextInt(3) == 0 ? 0 : random.nextInt(100);
            BodyLayout layout = layout(random.nextInt(2) * random.nextInt(100));
            int turn = random.nextInt(objects.length);
            CustomMetadata metadata = objects[turn];
            List<byte[]> texts = textsOf.get(turn);
            int change = random.nextInt(10);
            if (change == 0) { // all new
                metadata = new CustomMetadata();
                objects[turn] = metadata;
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
                    written(template, rows, layout, metadata.count() == 0 ? null : metadata),
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
        CustomMetadata other = new CustomMetadata("b").set(0, "2");
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
                    template.write(memory, 100, 7, layout, null);
                    template.write(memory, 100, 7, layout, other);
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
