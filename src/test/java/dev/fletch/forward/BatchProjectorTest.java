// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.forward;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.SegmentList;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.SegmentBytes;
import dev.fletch.verify.messages.Meant;

import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/// The messages and ranges that are written for chosen columns, and what is refused.
class BatchProjectorTest {
    private static final ArrowType LONGS = new ArrowType.Int(64, true);
    private static final long BODY = 512;

    private static Field field(String name, ArrowType type, Field... children) {
        return new Field(name, FieldType.nullable(type), List.of(children));
    }

    private static Field encoded(String name, long id) {
        return new Field(
                name,
                new FieldType(
                        true, ArrowType.Utf8.INSTANCE, new DictionaryEncoding(id, false, null)),
                null);
    }

    /// Nodes: a 0, s 1, s.x 2, s.v 3, t 4, d 5. Buffers: a 0, s 2, s.x 3, s.v 5, t 7, d 10.
    private static final Schema SCHEMA =
            new Schema(
                    List.of(
                            field("a", LONGS),
                            field(
                                    "s",
                                    ArrowType.Struct.INSTANCE,
                                    field("x", LONGS),
                                    field("v", ArrowType.Utf8View.INSTANCE)),
                            field("t", ArrowType.Utf8.INSTANCE),
                            encoded("d", 7)),
                    Map.of("origin", "here"));

    private static final BatchLayout LAYOUT = layout(SCHEMA);

    /// The message as arrow-java writes it, without prefix and padding.
    private static byte[] message(Schema schema) {
        ByteBuffer bytes = MessageSerializer.serializeMetadata(schema, new IpcOption());
        byte[] message = new byte[bytes.remaining()];
        bytes.get(message);
        return message;
    }

    private static BatchLayout layout(Schema schema) {
        return layout(message(schema));
    }

    private static BatchLayout layout(byte[] message) {
        var header = new dev.fletch.format.Schema();
        new Message().wrap(MemorySegment.ofArray(message)).header(header);
        return BatchLayout.compile(header, MetadataVersion.V5);
    }

    /// A layout of columns of which one has a type that does not exist yet.
    private static BatchLayout layout(List<Field> columns, int unknown) {
        List<Field> others = new ArrayList<>(columns);
        Field column = columns.get(unknown);
        FieldType large = new FieldType(true, ArrowType.LargeUtf8.INSTANCE, column.getDictionary());
        others.set(unknown, new Field(column.getName(), large, null));
        byte[] message = message(new Schema(columns));
        message[Arrays.mismatch(message, message(new Schema(others)))] = 100; // the type
        return layout(message);
    }

    /// A batch of three rows, whose buffers follow each other, 16 bytes apart. One view buffer.
    private static final class Source {
        final long[][] nodes = {{3, 1}, {3, 0}, {3, 2}, {3, 0}, {3, 3}, {3, 0}};
        final long[][] buffers = new long[13][];
        long[] counts = {1};
        long bodyLength = BODY;
        long rows = 3;
        boolean isCompressed;
        boolean hasMetadata;

        Source() {
            for (int i = 0; i < buffers.length; i++) {
                buffers[i] = new long[] {16 * i, i % 3 == 0 ? 1 : 16};
            }
        }

        Message message() {
            return finish(batch());
        }

        Message dictionary(long id, boolean isDelta) {
            return finish(
                    Meant.table(
                            "DictionaryBatch",
                            "id",
                            id,
                            "data",
                            batch(),
                            "isDelta",
                            isDelta ? 1 : 0));
        }

        private Message finish(FbsValue.Table header) {
            FbsValue.Table message = Meant.message(header, bodyLength);
            FbsValue.Table pair = Meant.table("KeyValue", "key", "k", "value", "v");
            return Meant.bound(
                    Meant.bytes(
                            Meant.with(
                                    message,
                                    "custom_metadata",
                                    hasMetadata ? List.of(pair) : null)));
        }

        private FbsValue.Table batch() {
            return Meant.with(
                    Meant.batch(List.of(nodes), List.of(buffers)),
                    "length",
                    rows,
                    "compression",
                    isCompressed
                            ? Meant.table("BodyCompression", "codec", CompressionType.ZSTD)
                            : null,
                    "variadicBufferCounts",
                    LongStream.of(counts).boxed().toList());
        }
    }

    private final MemorySegment target = MemorySegment.ofArray(new byte[4_000]);
    private final Message written = new Message();
    private final RecordBatch batch = new RecordBatch();

    private static BatchProjector projector(String... paths) {
        return BatchProjector.of(LAYOUT, paths);
    }

    private void write(BatchProjector projector, Message message) {
        int length = projector.write(message, target, 8);
        assertTrue(new Verifier().message(target, 8, length, written));
        assertTrue(written.header(batch));
        assertEquals(projector.bodyLength(), written.bodyLength());
    }

    private static void assertRanges(BatchProjector projector, long[]... expected) {
        long[][] found = new long[projector.rangeCount()][];
        for (int i = 0; i < found.length; i++) {
            found[i] =
                    new long[] {
                        projector.rangeOffset(i),
                        projector.rangeLength(i),
                        projector.rangePadding(i)
                    };
        }
        assertEquals(Arrays.deepToString(expected), Arrays.deepToString(found));
    }

    private void assertBuffers(long... offsetsAndLengths) {
        long[] found = new long[2 * batch.buffersCount()];
        batch.copyBuffers(found, 0);
        assertArrayEquals(offsetsAndLengths, found);
    }

    private void assertNodes(long... lengthsAndNulls) {
        long[] found = new long[2 * batch.nodesCount()];
        batch.copyNodes(found, 0);
        assertArrayEquals(lengthsAndNulls, found);
    }

    // ---- what is written

    @Test
    void chosenNodesAndBuffersAreInTheOrderOfTheProjection() {
        BatchProjector projector = projector("t", "a");
        write(projector, new Source().message());
        assertEquals(3, batch.length());
        assertNodes(3, 3, 3, 1);
        assertBuffers(0, 16, 16, 1, 24, 16, 40, 1, 48, 16);
        assertRanges(
                projector,
                new long[] {128, 17, 7}, // two neighbours
                new long[] {160, 16, 0},
                new long[] {0, 1, 7},
                new long[] {16, 16, 0});
        assertEquals(64, projector.bodyLength());
        assertEquals(0, batch.variadicBufferCountsCount());
    }

    @Test
    void viewsKeepTheirVariadicBuffers() {
        Source source = new Source();
        BatchProjector projector = projector("s.v");
        write(projector, source.message());
        assertNodes(3, 0, 3, 0);
        assertEquals(1, batch.variadicBufferCountsCount());
        assertEquals(1, batch.variadicBufferCounts(0));
        assertBuffers(0, 16, 16, 16, 32, 1, 40, 16);
        source.counts = new long[] {0};
        write(projector, source.message());
        assertEquals(0, batch.variadicBufferCounts(0));
        assertBuffers(0, 16, 16, 16, 32, 1);
    }

    @Test
    void neighboursWithoutPaddingAreOneRange() {
        Source source = new Source();
        for (long[] each : source.buffers) {
            each[1] = 16;
        }
        BatchProjector projector = projector("a", "s", "d", "t");
        write(projector, source.message());
        assertRanges(
                projector,
                new long[] {0, 128, 0},
                new long[] {176, 32, 0},
                new long[] {128, 48, 0});
    }

    @Test
    void emptyBuffersHaveNoRange() {
        Source source = new Source();
        source.buffers[0] = new long[] {Long.MAX_VALUE, 0};
        source.buffers[1] = new long[] {-1, 0};
        BatchProjector projector = projector("a");
        write(projector, source.message());
        assertRanges(projector);
        assertBuffers(0, 0, 0, 0);
        assertEquals(0, projector.bodyLength());
    }

    @Test
    void anAlignmentOf64BytesIsKept() {
        Source source = new Source();
        source.buffers[0] = new long[] {64, 1};
        source.buffers[1] = new long[] {192, 24};
        BatchProjector projector = projector("a");
        write(projector, source.message());
        assertBuffers(0, 1, 64, 24);
        assertRanges(projector, new long[] {64, 1, 63}, new long[] {192, 24, 40});
        assertEquals(128, projector.bodyLength());
        source.buffers[1][0] += 8;
        write(projector, source.message());
        assertBuffers(0, 1, 8, 24);
    }

    @Test
    void noColumnsAreABatchOfRows() {
        BatchProjector projector = projector();
        write(projector, new Source().message());
        assertEquals(3, batch.length());
        assertEquals(0, batch.nodesCount() + batch.buffersCount());
    }

    @Test
    void paddingIsNeverBytesOfTheSource() {
        byte[] bytes = new byte[(int) BODY];
        Arrays.fill(bytes, (byte) 0x5A);
        BatchProjector projector = projector("t", "a");
        write(projector, new Source().message());
        SegmentList body = projector.body(MemorySegment.ofArray(bytes), 0, new SegmentList());
        assertEquals(projector.bodyLength(), body.length());
        byte[] sent = SegmentBytes.of(body);
        int[] ends = {16, 17, 24, 40, 41, 48, 64};
        for (int i = 0, at = 0; i < ends.length; at = ends[i++]) {
            for (int p = at; p < ends[i]; p++) {
                boolean isPadding = p >= 17 && p < 24 || p >= 41 && p < 48;
                assertEquals(isPadding ? 0 : 0x5A, sent[p], "at " + p);
            }
        }
    }

    private static byte[] metadata(Message message) {
        return new dev.fletch.flatbuf.ByteSlice().wrapBufferOf(message).toByteArray();
    }

    // ---- what is kept

    @Test
    void compressionAndMetadataAreKept() {
        Source source = new Source();
        BodyCompression compression = new BodyCompression();
        KeyValue pair = new KeyValue();
        Utf8Slice text = new Utf8Slice();
        BatchProjector keeping = projector("a");
        BatchProjector dropping =
                new BatchProjector(LAYOUT.choose(LAYOUT.field("a")), EmissionOrder.ARROW_CPP)
                        .metadata(new CustomMetadata());
        for (int i = 0; i < 16; i++) {
            source.isCompressed = (i & 1) != 0;
            source.hasMetadata = (i & 2) != 0;
            source.rows = (i & 4) != 0 ? 0 : 3;
            source.nodes[0] = new long[] {source.rows, 0};
            write(keeping, source.message());
            assertEquals(source.rows, batch.length());
            assertEquals(source.isCompressed, batch.compression(compression));
            assertEquals(source.hasMetadata ? 1 : 0, written.customMetadataCount());
            if (source.hasMetadata) {
                assertTrue(written.customMetadata(0, pair).value(text));
                assertEquals("v", text.toString());
            }
            assertBuffers(0, 1, 8, 16);
            write(dropping, source.message());
            assertEquals(0, written.customMetadataCount());
            assertEquals(source.isCompressed, batch.compression(compression));
        }
    }

    @Test
    void metadataOfMessagesIsReplaced() {
        Source source = new Source();
        KeyValue pair = new KeyValue();
        CustomMetadata metadata = new CustomMetadata("sequence");
        BatchProjector projector = projector("a").metadata(metadata);
        for (int i = 0; i < 200; i += 7) {
            source.hasMetadata = i % 2 == 0;
            metadata.set(0, Integer.toString(i));
            write(projector, source.message());
            assertEquals(1, written.customMetadataCount());
            assertEquals("sequence", written.customMetadata(0, pair).keyString());
            assertEquals(Integer.toString(i), pair.valueString());
            assertBuffers(0, 1, 8, 16);
        }
        write(projector.metadata(null), source.message());
        assertEquals(1, written.customMetadataCount());
        assertEquals("v", written.customMetadata(0, pair).valueString());
    }

    @Test
    void onlyNeededDictionariesAreWritten() {
        Source source = new Source();
        BatchProjector without = projector("a");
        assertEquals(0, without.write(source.dictionary(7, false), target, 8));
        assertEquals(0, without.rangeCount());
        assertEquals(0, without.bodyLength());
        BatchProjector with = projector("d", "a");
        DictionaryBatch dictionary = new DictionaryBatch();
        for (boolean isDelta : new boolean[] {false, true, true, false}) {
            int length = with.write(source.dictionary(7, isDelta), target, 8);
            assertTrue(written.wrap(target, 8, length).header(dictionary));
            assertEquals(7, dictionary.id());
            assertEquals(isDelta, dictionary.isDelta());
            assertTrue(dictionary.data(batch));
            assertNodes(3, 1);
            assertBuffers(0, 1, 8, 16, 24, 16);
            write(with, source.message());
        }
        assertEquals(0, with.write(source.dictionary(8, false), target, 8));
        assertNotNull(BatchProjector.of(LAYOUT, "d").layout().dictionaryLayout(7));
        assertNull(BatchProjector.of(LAYOUT, "a").layout().dictionaryLayout(7));
    }

    // ---- memory

    @Test
    void allKindsOfMemoryAreReadAndWritten() {
        byte[] message = metadata(new Source().message());
        BatchProjector projector = projector("t", "s.v");
        write(projector, new Source().message());
        byte[] expected = metadata(written);
        int pairs = 0;
        for (var from : Memories.segments()) {
            for (var to : Memories.writableSegments()) {
                try (PlacedSegment source = from.place(message);
                        PlacedSegment into = to.place(new byte[1_000])) {
                    Message bound =
                            new Message().wrap(source.segment(), source.offset(), message.length);
                    int length = projector.write(bound, into.segment(), into.offset());
                    assertArrayEquals(
                            expected,
                            metadata(new Message().wrap(into.segment(), into.offset(), length)));
                    pairs++;
                }
            }
        }
        assertTrue(pairs > 20, "pairs=" + pairs);
    }

    @Test
    void nothingIsAllocated() {
        Source source = new Source();
        Message plain = source.message();
        source.hasMetadata = true;
        Message annotated = source.message();
        SegmentList parts = new SegmentList();
        MemorySegment body = MemorySegment.ofArray(new byte[(int) BODY]);
        for (String[] paths : new String[][] {{"a"}, {"t", "s.v"}}) {
            BatchProjector projector = projector(paths);
            Allocations.assertNone(
                    "projecting",
                    () -> {
                        projector.write(plain, target, 8);
                        projector.body(body, 0, parts);
                        projector.write(annotated, target, 8);
                    });
        }
    }

    @Test
    void aSmallTargetStaysUnchanged() {
        BatchProjector projector = projector("a");
        int length = projector.write(new Source().message(), target, 0);
        byte[] small = new byte[length + 3];
        assertEquals(
                length, projector.write(new Source().message(), MemorySegment.ofArray(small), 3));
        byte[] before = new byte[length + 2];
        assertThrows(
                TargetTooSmallException.class,
                () -> projector.write(new Source().message(), MemorySegment.ofArray(before), 3));
        assertArrayEquals(new byte[length + 2], before);
    }

    // ---- what is refused

    private void assertRefused(Rule rule, String column, Source source, String... paths) {
        BatchProjector projector = projector(paths);
        target.fill((byte) 1);
        byte[] before = target.toArray(ValueLayout.JAVA_BYTE);
        FletchException e = assertRule(rule, () -> projector.write(source.message(), target, 8));
        assertTrue(e.getMessage().contains("column=" + column + ", "), e.getMessage());
        assertEquals(-1, target.mismatch(MemorySegment.ofArray(before)));
        assertEquals(0, projector.rangeCount());
        // The projector can be used again.
        write(projector, new Source().message());
    }

    /// arrow-js writes -1 for a column of nulls.
    @Test
    void anUnknownNullCountIsForwardedOnlyForNulls() {
        BatchLayout layout =
                layout(new Schema(List.of(field("n", ArrowType.Null.INSTANCE), field("a", LONGS))));
        BatchProjector projector = new BatchProjector(layout);
        Source source = new Source();
        source.nodes[0] = new long[] {3, -1};
        write(projector, source.message());
        assertNodes(3, -1, 3, 0);
        for (long[] wrong : new long[][] {{3, -2}, {3, 4}, {3, Long.MIN_VALUE}}) {
            source.nodes[0] = wrong;
            assertRule(
                    MeaningRule.NULL_COUNT_RANGE,
                    () -> projector.write(source.message(), target, 8));
        }
        source.nodes[0] = new long[] {3, 3};
        source.nodes[1] = new long[] {3, -1};
        assertThrows(FletchException.class, () -> projector.write(source.message(), target, 8));
    }

    @Test
    void columnsOfUnknownTypesAreRefused() {
        BatchLayout layout = layout(SCHEMA.getFields(), 2);
        for (String known : new String[] {"a", "s", "s.v"}) {
            BatchProjector.of(layout, known);
        }
        for (String unknown : new String[] {"t", "d"}) { // d has its buffers behind those of t
            FletchException e =
                    assertThrows(FletchException.class, () -> BatchProjector.of(layout, unknown));
            assertTrue(e.getMessage().contains("column=" + unknown), e.getMessage());
        }
        assertThrows(FletchException.class, () -> new BatchProjector(layout));
        BatchLayout encoded = layout(SCHEMA.getFields(), 3);
        BatchProjector.of(encoded, "t");
        assertThrows(FletchException.class, () -> BatchProjector.of(encoded, "d"));
    }

    @Test
    void aBodyShorterThanItsBuffersIsRefused() {
        Source source = new Source();
        source.bodyLength = 16;
        assertRefused(MeaningRule.BUFFER_OUT_OF_BODY, "t", source, "t", "a");
        for (long negative : new long[] {-8, -1, Long.MIN_VALUE}) {
            source.bodyLength = negative;
            assertRefused(MeaningRule.BUFFER_OUT_OF_BODY, "t", source, "t");
        }
    }

    /// Padding would make the written body longer than 2^63 - 1 bytes.
    @Test
    void aBufferOfNearlyAllBytesThereCanBeIsRefused() {
        Source source = new Source();
        source.bodyLength = Long.MAX_VALUE;
        write(projector("t", "a"), source.message());
        source.buffers[9] = new long[] {1_000, Long.MAX_VALUE - 1_000};
        assertRefused(MeaningRule.BUFFER_OUT_OF_BODY, "t", source, "t", "a");
        source.buffers[9][1] -= 1_000;
        write(projector("t", "a"), source.message());
    }

    @Test
    void buffersThatShareBytesAreRefused() {
        long[][] shared = {{0, 1}, {0, 100}, {15, 2}, {31, 1}, {16, 16}, {20, 4}};
        for (long[] each : shared) {
            Source source = new Source();
            source.buffers[9] = each;
            assertRefused(MeaningRule.SHARED_BYTES, "t", source, "a", "t");
            assertRefused(MeaningRule.SHARED_BYTES, "a", source, "t", "a");
            write(projector("t"), source.message()); // only with a hidden column
        }
        Source apart = new Source();
        apart.buffers[9] = new long[] {1, 15};
        write(projector("a", "t"), apart.message());
        assertBuffers(0, 1, 8, 16, 24, 16, 40, 15, 56, 16);
    }
}
