// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.BufferRole.DATA;
import static dev.fletch.format.ids.BufferRole.OFFSETS;
import static dev.fletch.format.ids.BufferRole.TYPE_IDS;
import static dev.fletch.format.ids.BufferRole.VALIDITY;
import static dev.fletch.format.ids.BufferRole.VARIADIC;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Field;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.SegmentBytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// Batches from buffers: what follows from the schema, and what is refused.
class BatchBuilderTest {
    private static final ArrowType LONG = new ArrowType.Int(64, true);
    private static final ArrowType TEXT = ArrowType.Simple.UTF8;

    /// Fields: id 0, name 1, tags 2 with item 3.
    private static final BatchLayout LAYOUT =
            Bound.layout(
                    ArrowField.of("id", LONG),
                    ArrowField.of("name", TEXT),
                    ArrowField.of("tags", ArrowType.Simple.LIST, ArrowField.of("item", LONG)));

    private final BatchBuilder batch = new BatchBuilder(LAYOUT);
    private final Message message = new Message();
    private final RecordBatch header = new RecordBatch();

    private static MemorySegment longs(long... values) {
        return MemorySegment.ofArray(values);
    }

    private static MemorySegment ints(int... values) {
        return MemorySegment.ofArray(values);
    }

    static MemorySegment bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return MemorySegment.ofArray(bytes);
    }

    /// Three rows, the second name is null.
    private void fill(BatchBuilder builder) {
        builder.begin(3)
                .buffer(0, DATA, longs(7, 8, 9))
                .buffer(1, OFFSETS, ints(0, 1, 1, 3))
                .buffer(1, DATA, bytes('a', 'b', 'c'))
                .buffer(1, VALIDITY, bytes(0b101))
                .buffer(2, OFFSETS, ints(0, 2, 2, 4))
                .buffer(3, DATA, longs(1, 2, 3, 4));
    }

    private byte[] encoded(BatchBuilder builder) {
        int length = builder.encode();
        assertTrue(new Verifier().message(builder.message(), 0, length, message));
        assertEquals(message.bodyLength(), builder.body().length());
        return SegmentBytes.of(builder.body());
    }

    private void assertNodes(long... lengthsAndNulls) {
        assertTrue(message.header(header));
        long[] found = new long[2 * header.nodesCount()];
        header.copyNodes(found, 0);
        assertArrayEquals(lengthsAndNulls, found);
    }

    private void assertBuffers(long... offsetsAndLengths) {
        long[] found = new long[2 * header.buffersCount()];
        header.copyBuffers(found, 0);
        assertArrayEquals(offsetsAndLengths, found);
    }

    // ---- what follows from the schema

    @Test
    void nodesAndBuffersAreInTheOrderOfTheSchema() {
        fill(batch);
        byte[] body = encoded(batch);
        assertNodes(3, 0, 3, 1, 3, 0, 4, 0);
        assertBuffers(0, 0, 0, 24, 24, 1, 32, 16, 48, 3, 56, 0, 56, 16, 72, 0, 72, 32);
        assertEquals(3, header.length());
        ByteSlice names = new ByteSlice();
        BatchCursor cursor =
                new BatchCursor().bind(LAYOUT, message).body(MemorySegment.ofArray(body));
        assertEquals("abc", new String(cursor.bytes(1, names).toByteArray()));
        assertTrue(cursor.validity(1, names));
        assertFalse(names.bit(1));
    }

    @Test
    void nullsAreCountedIfTheirNumberIsNotGiven() {
        BatchBuilder longs = new BatchBuilder(Bound.layout(ArrowField.of("a", LONG)));
        for (int rows : new int[] {1, 7, 8, 9, 63, 64, 65, 200}) {
            byte[] bits = new byte[rows / 8 + 9];
            Random random = new Random(rows);
            random.nextBytes(bits);
            int nulls = 0;
            for (int i = 0; i < rows; i++) {
                nulls += (bits[8 + i / 8] >> i % 8 & 1) ^ 1;
            }
            longs.begin(rows)
                    .buffer(0, DATA, longs(new long[rows]))
                    .buffer(0, VALIDITY, MemorySegment.ofArray(bits), 8, (rows + 7) / 8);
            encoded(longs);
            assertNodes(rows, nulls);
        }
        longs.begin(2).buffer(0, DATA, longs(1, 2)).buffer(0, VALIDITY, bytes(0)).nullCount(0, 1);
        encoded(longs);
        assertNodes(2, 1); // as given
    }

    @Test
    void listChildrenMayBeLongerThanTheLastOffset() {
        fill(batch);
        batch.length(3, 6).buffer(3, DATA, longs(1, 2, 3, 4, 5, 6));
        encoded(batch);
        assertNodes(3, 0, 3, 1, 3, 0, 6, 0);
    }

    @Test
    void emptyBatchesNeedNoBuffers() {
        batch.begin(0);
        assertEquals(0, encoded(batch).length);
        assertNodes(0, 0, 0, 0, 0, 0, 0, 0);
        assertBuffers(new long[18]);
    }

    @Test
    void offsetsInBigEndianAreRead() {
        BatchLayout big =
                BatchLayout.compile(
                        ArrowSchema.of(ArrowField.of("name", TEXT))
                                .withEndianness(ByteOrder.BIG_ENDIAN)
                                .toTable(),
                        MetadataVersion.V5);
        BatchBuilder builder = new BatchBuilder(big);
        MemorySegment offsets = MemorySegment.ofBuffer(ByteBuffer.allocate(8).putInt(4, 2));
        builder.begin(1).buffer(0, OFFSETS, offsets).buffer(0, DATA, bytes(1));
        refused("buffer is too short: column=name, buffer=data, length=1, needed=2", builder);
        builder.buffer(0, DATA, bytes(1, 2));
        encoded(builder);
    }

    @Test
    void dictionariesHaveTheirOwnLayout() {
        ArrowField encoded =
                ArrowField.of("d", TEXT).withDictionary(DictionaryInfo.implicit(5, false));
        BatchBuilder builder = new BatchBuilder(Bound.layout(encoded));
        DictionaryBatch dictionary = new DictionaryBatch();
        for (boolean isDelta : new boolean[] {false, true, true}) {
            builder.beginDictionary(5, 1, isDelta)
                    .buffer(0, OFFSETS, ints(0, 2))
                    .buffer(0, DATA, bytes('o', 'k'));
            encoded(builder);
            assertTrue(message.header(dictionary));
            assertEquals(5, dictionary.id());
            assertEquals(isDelta, dictionary.isDelta());
            assertTrue(dictionary.data(header));
            assertEquals(1, header.length());
            builder.begin(2).buffer(0, DATA, ints(0, 0));
            encoded(builder);
            assertNodes(2, 0);
        }
        assertThrows(IllegalArgumentException.class, () -> builder.beginDictionary(6, 1, false));
    }

    @Test
    void compressionIsThatOfTheNextBatch() {
        BodyCompression compression = new BodyCompression();
        fill(batch);
        batch.compression(CompressionType.ZSTD).buffer(0, DATA, longs(1));
        refused("buffer is too short: column=id", batch);
        batch.buffer(0, DATA, longs(1, 2, 3));
        encoded(batch);
        assertTrue(message.header(header));
        assertFalse(header.compression(compression));
        fill(batch);
        batch.length(3, 4)
                .nullCount(1, 1)
                .buffer(1, VALIDITY, longs(1))
                .buffer(1, DATA, longs(1))
                .compression(BatchBuilder.NOT_COMPRESSED);
        encoded(batch);
        assertTrue(message.header(header));
        assertTrue(header.compression(compression));
        fill(batch);
        encoded(batch);
        assertTrue(message.header(header));
        assertFalse(header.compression(compression));
        unfit("codec is unknown: codec=300", () -> batch.compression(300));
    }

    @Test
    void compressedBuffersAreNotChecked() {
        BatchBuilder builder = new BatchBuilder(LAYOUT).compression(CompressionType.ZSTD);
        builder.begin(3).buffer(1, VALIDITY, bytes(1, 2, 3, 4, 5, 6, 7, 8, 9));
        refused("buffer is missing: column=id, buffer=data, length=0, needed=8", builder);
        builder.buffer(0, DATA, longs(1)).buffer(1, OFFSETS, longs(1)).buffer(2, OFFSETS, longs(1));
        refused("null count is missing: column=name, call nullCount", builder);
        builder.nullCount(1, 2);
        refused("length is missing: column=tags.item", builder);
        builder.length(3, 4).buffer(3, DATA, bytes(1, 2, 3));
        refused("buffer is too short: column=tags.item, buffer=data, length=3, needed=8", builder);
        builder.buffer(3, DATA, longs(1));
        encoded(builder);
        assertNodes(3, 0, 3, 2, 3, 0, 4, 0);
        BodyCompression compression = new BodyCompression();
        assertTrue(header.compression(compression));
        assertEquals(CompressionType.ZSTD, compression.codec());
    }

    @Test
    void metadataIsThatOfOneBatch() {
        CustomMetadata metadata = new CustomMetadata("sequence");
        KeyValue pair = new KeyValue();
        for (int i = 0; i < 120; i += 7) {
            fill(batch);
            batch.metadata(metadata.set(0, Integer.toString(i)));
            encoded(batch);
            assertNodes(3, 0, 3, 1, 3, 0, 4, 0);
            assertEquals(1, message.customMetadataCount());
            assertEquals("sequence", message.customMetadata(0, pair).keyString());
            assertEquals(Integer.toString(i), pair.valueString());
            fill(batch);
            encoded(batch);
            assertEquals(0, message.customMetadataCount());
        }
    }

    // ---- memory

    @Test
    void buffersOfAllKindsOfMemoryAreTaken() {
        fill(batch);
        byte[] expected = encoded(batch);
        for (var backing : Memories.segments()) {
            byte[] offsets = ints(0, 1, 1, 3).toArray(ValueLayout.JAVA_BYTE);
            byte[] bits = {0b101};
            try (PlacedSegment placed = backing.place(offsets);
                    PlacedSegment valid = backing.place(bits)) {
                fill(batch);
                batch.buffer(1, OFFSETS, placed.segment(), placed.offset(), 16)
                        .buffer(1, VALIDITY, valid.segment(), valid.offset(), 1);
                assertArrayEquals(expected, encoded(batch));
            }
        }
    }

    @Test
    void nothingIsAllocatedPerBatch() {
        MemorySegment ids = longs(7, 8, 9);
        MemorySegment offsets = ints(0, 1, 1, 3);
        MemorySegment text = bytes('a', 'b', 'c');
        MemorySegment bits = bytes(0b101);
        CustomMetadata metadata = new CustomMetadata("a");
        byte[] value = {1, 2, 3};
        Allocations.assertNone(
                "building batches",
                () -> {
                    batch.begin(3)
                            .metadata(metadata.set(0, value))
                            .buffer(0, DATA, ids)
                            .buffer(1, OFFSETS, offsets)
                            .buffer(1, DATA, text)
                            .buffer(1, VALIDITY, bits)
                            .buffer(2, OFFSETS, offsets)
                            .buffer(3, DATA, ids);
                    batch.encode();
                });
    }

    // ---- what is refused

    private static void refused(String start, BatchBuilder builder) {
        IllegalStateException e = assertThrows(IllegalStateException.class, builder::encode);
        assertTrue(e.getMessage().startsWith(start), e.getMessage());
    }

    private static void unfit(String start, Executable work) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, work);
        assertTrue(e.getMessage().startsWith(start), e.getMessage());
    }

    @Test
    void missingAndShortBuffersAreRefused() {
        batch.begin(3);
        refused("buffer is missing: column=id, buffer=data, length=0, needed=24, values=3", batch);
        batch.buffer(0, DATA, longs(1, 2));
        refused("buffer is too short: column=id, buffer=data, length=16, needed=24", batch);
        batch.buffer(0, DATA, longs(1, 2, 3));
        refused("buffer is missing: column=name, buffer=offsets", batch);
        batch.buffer(1, OFFSETS, ints(0, 1, 1));
        refused("buffer is too short: column=name, buffer=offsets, length=12, needed=16", batch);
        batch.buffer(1, OFFSETS, ints(0, 1, 1, 3));
        refused("buffer is missing: column=name, buffer=data, length=0, needed=3", batch);
        batch.buffer(1, DATA, bytes(1, 2));
        refused("buffer is too short: column=name, buffer=data, length=2, needed=3", batch);
        batch.buffer(1, OFFSETS, ints(0, 1, 1, -3));
        refused("last offset is negative: column=name, offset=-3", batch);
        batch.buffer(1, OFFSETS, ints(0, 1, 1, 2));
        refused("buffer is missing: column=tags, buffer=offsets", batch);
        batch.buffer(2, OFFSETS, ints(0, 1, 1, 3));
        refused("buffer is missing: column=tags.item, buffer=data, length=0, needed=24", batch);
        batch.buffer(3, DATA, longs(1, 2, 3));
        byte[] first = encoded(batch);
        assertArrayEquals(first, encoded(batch)); // until the next begin
    }

    @Test
    void listSizesThatNoListHasAreRefused() {
        ArrowField lists =
                ArrowField.of(
                        "f",
                        new ArrowType.FixedSizeList(4),
                        ArrowField.of("item", ArrowType.Simple.NULL));
        for (int size : new int[] {-1, -2, Integer.MIN_VALUE}) {
            Schema schema = ArrowSchema.of(lists).toTable();
            FixedSizeList type = new FixedSizeList();
            assertTrue(schema.fields(0, new Field()).type(type));
            type.setListSize(size);
            BatchBuilder wrong = new BatchBuilder(BatchLayout.compile(schema, MetadataVersion.V5));
            refused("list size is wrong: column=f, listSize=" + size, wrong.begin(3));
        }
        BatchBuilder huge = new BatchBuilder(Bound.layout(lists));
        refused("list size is wrong: column=f, listSize=4", huge.begin(1L << 62));
    }

    @Test
    void wrongNullsAreRefused() {
        fill(batch);
        batch.nullCount(0, 1);
        refused("null count is wrong: column=id, nulls=1, values=3, validity=0", batch);
        fill(batch);
        batch.nullCount(1, 4);
        refused("null count is wrong: column=name, nulls=4, values=3, validity=1", batch);
        batch.begin(9).buffer(0, DATA, longs(new long[9])).buffer(0, VALIDITY, bytes(1));
        refused("buffer is too short: column=id, buffer=validity, length=1, needed=2", batch);
    }

    @Test
    void wrongLengthsAreRefused() {
        fill(batch);
        batch.length(0, 2);
        refused("length is wrong: column=id, length=2, needed=3", batch);
        fill(batch);
        batch.length(3, 3);
        refused("length is wrong: column=tags.item, length=3, needed=4", batch);
        BatchBuilder union =
                new BatchBuilder(
                        Bound.layout(
                                ArrowField.of(
                                        "u", ArrowType.Union.dense(0), ArrowField.of("x", LONG))));
        union.begin(1).buffer(0, TYPE_IDS, bytes(0)).buffer(0, OFFSETS, ints(0));
        refused("length is missing: column=u.x", union);
        union.length(1, 1).buffer(1, DATA, longs(1));
        encoded(union);
    }

    @Test
    void runsHaveEndsAndAsManyValues() {
        BatchBuilder runs =
                new BatchBuilder(
                        Bound.layout(
                                ArrowField.of(
                                        "r",
                                        ArrowType.Simple.RUN_END_ENCODED,
                                        ArrowField.of("run_ends", new ArrowType.Int(32, true)),
                                        ArrowField.of("values", LONG).nullable())));
        runs.begin(10).buffer(1, DATA, ints(4, 10)).buffer(2, DATA, longs(1, 2));
        refused("length is missing: column=r.run_ends, call length", runs);
        encoded(runs.length(1, 2));
        assertNodes(10, 0, 2, 0, 2, 0);
        refused("length is wrong: column=r.values, length=1, needed=2", runs.length(2, 1));
        refused("length is wrong: column=r.run_ends, length=0", runs.length(1, 0).length(2, 0));
        refused(
                "length is wrong: column=r.run_ends, length=11, needed=1 to 10",
                runs.length(1, 11).length(2, 11));
        runs.begin(10).length(1, 2).buffer(1, DATA, ints(4, 10)).buffer(2, DATA, longs(1, 2));
        refused("null count is wrong: column=r.run_ends", runs.buffer(1, VALIDITY, bytes(1)));
        encoded(runs.begin(0));
        assertNodes(0, 0, 0, 0, 0, 0);
    }

    @Test
    void memoryThatCannotBeReadIsRefusedWithItsColumn() {
        for (BufferRole role : new BufferRole[] {OFFSETS, DATA, VALIDITY}) {
            fill(batch);
            try (Arena arena = Arena.ofConfined()) {
                batch.buffer(1, role, arena.allocate(16));
            }
            refused(
                    "memory of a buffer was freed, or belongs to another thread: column=name",
                    batch);
        }
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertThrows(IllegalStateException.class, () -> batch.buffer(0, DATA, longs(1)));
        assertThrows(IllegalStateException.class, () -> batch.nullCount(0, 1));
        assertThrows(IllegalStateException.class, () -> batch.length(-1, 1));
        assertThrows(IllegalStateException.class, () -> batch.metadata(null));
        assertThrows(IllegalStateException.class, batch::encode);
        unfit("count is negative: count=-1", () -> batch.begin(-1));
        fill(batch);
        unfit("count is negative: count=-1", () -> batch.nullCount(0, -1));
        unfit("count is negative: count=-2", () -> batch.length(0, -2));
        unfit(
                "type has no buffer with this role: column=id",
                () -> batch.buffer(0, OFFSETS, ints(1)));
        unfit("type has no buffer", () -> batch.buffer(0, VARIADIC, ints(1)));
        for (int field : new int[] {-1, 4}) {
            assertThrows(
                    IndexOutOfBoundsException.class, () -> batch.buffer(field, DATA, longs(1)));
            assertThrows(IndexOutOfBoundsException.class, () -> batch.length(field, 1));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> batch.buffer(0, DATA, longs(1), 1, 8));
        encoded(batch);
    }

    @Test
    void unknownTypesAreRefused() {
        BatchLayout unknown = Bound.layout(Tree.of("a", Type.INT), Tree.of("u", 100));
        FletchException e = assertThrows(FletchException.class, () -> new BatchBuilder(unknown));
        assertTrue(e.getMessage().contains("column=u"), e.getMessage());
    }
}
