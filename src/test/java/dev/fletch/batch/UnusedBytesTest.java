// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.MeaningRule;
import dev.fletch.ValueRule;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.Type;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Unused bytes are those of a plain reference, for columns of all types.
@Isolated
class UnusedBytesTest {
    private static final int BODIES =
            Integer.getInteger("fletch.unused.bodies", CaseCount.of(4_000, 100_000));

    private static final ArrowType INT64 = new ArrowType.Int(64, true);

    private final UnusedBytes unused = new UnusedBytes(1 << 20);

    @Test
    void bitsAreThoseOfTheReference() {
        long usedBytes = 0;
        long unusedBytes = 0;
        Set<Integer> types = new TreeSet<>();
        for (int i = 0; i < BODIES; i++) {
            int seed = i;
            RandomBatch batch = new RandomBatch(new Random(seed));
            byte[] body = batch.body;
            BatchCursor cursor = batch.bound(MemorySegment.ofArray(body));
            boolean[] expected =
                    ReferenceUse.of(batch.schema.fields(), cursor, body, batch.schema.endianness());
            BatchLayout layout = cursor.layout();
            IntStream.range(0, layout.fieldCount()).map(layout::typeType).forEach(types::add);
            unused.find(cursor);
            byte[] cleared = body.clone();
            long nonzero = 0;
            long first = -1;
            for (int at = 0; at < body.length; at++) {
                int bits = 0;
                for (int bit = 0; bit < 8; bit++) {
                    bits |= expected[8 * at + bit] ? 1 << bit : 0;
                }
                int position = at;
                assertEquals(
                        bits,
                        unused.usedBits(at),
                        () -> "seed=" + seed + ", at=" + position + ", " + batch.schema);
                cleared[at] &= (byte) bits;
                first = cleared[at] != body[at] && nonzero == 0 ? at : first;
                nonzero += cleared[at] != body[at] ? 1 : 0;
                usedBytes += bits == 0 ? 0 : 1;
                unusedBytes += bits == 0 ? 1 : 0;
            }
            MemorySegment bytes = MemorySegment.ofArray(body);
            assertEquals(nonzero, unused.nonzero(0, bytes, 0, body.length));
            assertEquals(first, unused.firstNonzero());
            int from = body.length / 7;
            rangeIsCleared(body, cleared, from, (body.length - from) * 6 / 7);
            unused.clear(bytes);
            assertArrayEquals(cleared, body);
            assertEquals(0, unused.find(cursor).nonzero(0, bytes, 0, body.length));
        }
        CaseCount.report(
                "%,d bodies: %,d bytes with used bits, %,d without",
                BODIES, usedBytes, unusedBytes);
        assertTrue(usedBytes > 0 && unusedBytes > 0);
        assertEquals(Type.NAMES.all().size() - 1, types.size(), types::toString);
    }

    /// Of a range that begins and ends anywhere, at another offset, between bytes that stay.
    private void rangeIsCleared(byte[] body, byte[] cleared, int from, int count) {
        byte[] found = new byte[3 + count + 2];
        Arrays.fill(found, (byte) 7);
        byte[] expected = found.clone();
        System.arraycopy(body, from, found, 3, count);
        System.arraycopy(cleared, from, expected, 3, count);
        MemorySegment bytes = MemorySegment.ofArray(found);
        IntStream nonzero = IntStream.range(0, found.length).filter(i -> found[i] != expected[i]);
        assertEquals(nonzero.count(), unused.nonzero(from, bytes, 3, count));
        int first = Arrays.mismatch(found, expected);
        assertEquals(first < 0 ? -1 : first - 3, unused.firstNonzero());
        unused.clear(from, bytes, 3, count);
        assertArrayEquals(expected, found);
    }

    @Test
    void decompressedBuffersHaveTheSameBits() {
        DecompressedBuffers buffers = new DecompressedBuffers(new LibraryDecompressor(), 1 << 24);
        UnusedBytes other = new UnusedBytes(1 << 20);
        BatchCursor compressed = new BatchCursor().source(buffers);
        ByteSlice content = new ByteSlice();
        for (int seed = 0; seed < BODIES / 10; seed++) {
            RandomBatch batch = new RandomBatch(new Random(seed), seed % 5 == 0, false);
            RandomBatch.Compressed same = batch.compressed();
            BatchCursor plain = batch.bound(MemorySegment.ofArray(batch.body));
            unused.find(plain);
            BatchLayout layout = batch.layout();
            compressed.bind(layout, same.message()).body(MemorySegment.ofArray(same.body()));
            assertEquals(CompressionType.ZSTD, compressed.codec());
            ByteBuffer prefixes = ByteBuffer.wrap(same.body()).order(ByteOrder.LITTLE_ENDIAN);
            other.find(compressed);
            for (int field = 0; field < layout.fieldCount(); field++) {
                for (int i = 0; i < compressed.bufferCount(field); i++) {
                    long stored = compressed.bufferLength(field, i);
                    int prefixAt = (int) compressed.bufferOffset(field, i);
                    boolean isCompressed = stored > 0 && prefixes.getLong(prefixAt) != -1;
                    assertEquals(isCompressed, compressed.isCompressed(field, i));
                    assertEquals(
                            plain.bufferLength(field, i), compressed.uncompressedLength(field, i));
                    compressed.content(field, i, content);
                    assertEquals(stored == 0 ? 0 : stored - 8, content.length());
                    assertEquals(stored == 0 ? content.offset() : prefixAt + 8, content.offset());
                    assertEquals(unused.length(field, i), other.length(field, i));
                    for (long at = 0; at < other.length(field, i); at++) {
                        assertEquals(
                                unused.usedBits(unused.start(field, i) + at),
                                other.usedBits(other.start(field, i) + at));
                    }
                }
            }
            buffers.release();
        }
    }

    /// 100,000 views of 1 MB each: to mark each byte of each would take an hour.
    @Test
    void viewsOfTheSameBytesAreFewSteps() {
        int rows = 100_000;
        int size = 1 << 20;
        ByteBuffer body = ByteBuffer.allocate(16 * rows + size).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < rows; i++) {
            body.putInt(size - i).putInt(0).putInt(0).putInt(i);
        }
        BodyLayout parts = new BodyLayout().addNode(rows, 0).addPlaced(0, 0);
        parts.addPlaced(0, 16L * rows).addPlaced(16L * rows, size).addVariadicCount(1);
        BatchCursor cursor = bound(ArrowType.Simple.BINARY_VIEW, rows, parts, body.array());
        unusedOf(cursor, 1 << 23);
    }

    private static UnusedBytes unusedOf(BatchCursor cursor, long mostBytes) {
        return new UnusedBytes(mostBytes).find(cursor);
    }

    private static BatchCursor bound(ArrowType type, int rows, BodyLayout parts, byte[] body) {
        return bound(ArrowField.of("c", type).nullable(), rows, parts, body);
    }

    private static BatchCursor bound(ArrowField column, int rows, BodyLayout parts, byte[] body) {
        ArrowSchema schema = ArrowSchema.of(column);
        Message message = RandomBatch.message(parts.endAt(body.length), rows, body.length, false);
        BatchLayout layout = BatchLayout.compile(schema.toTable(), message.version());
        return new BatchCursor().bind(layout, message).body(MemorySegment.ofArray(body));
    }

    @Test
    void memoryIsLimited() {
        BodyLayout parts = new BodyLayout().addNode(8, 4).addPlaced(0, 1).addPlaced(8, 8000);
        byte[] body = new byte[8008];
        body[0] = 0x55;
        BatchCursor cursor = bound(new ArrowType.FixedSizeBinary(1000), 8, parts, body);
        assertEquals(0, unusedOf(cursor, 16_000).usedBits(1008));
        assertRule(MeaningRule.TOO_MUCH_MEMORY, () -> unusedOf(cursor, 7_000));
        // 1,002 words, 16 for those that are full; the ones of a batch before are replaced.
        assertRule(MeaningRule.TOO_MUCH_MEMORY, () -> unusedOf(cursor, 8_143));
        BodyLayout few = new BodyLayout().addNode(8, 4).addPlaced(0, 1).addPlaced(8, 800);
        byte[] fewBytes = Arrays.copyOf(body, 808);
        BatchCursor before = bound(new ArrowType.FixedSizeBinary(100), 8, few, fewBytes);
        assertEquals(0, unusedOf(before, 8_144).find(cursor).usedBits(1008));
    }

    @Test
    void batchesWithoutUnusedBytesTakeNoMemory() {
        BodyLayout parts = new BodyLayout().addNode(2, 0).addPlaced(0, 0).addPlaced(0, 16);
        BatchCursor cursor = bound(INT64, 2, parts, new byte[16]);
        assertEquals(0xFF, unusedOf(cursor, 0).usedBits(15));
    }

    /// A list view of 2^62 values without bytes, after one that is not used: as many bits would
    /// take years.
    @Test
    void childrenWithoutBytesTakeNoMemory() {
        long values = 1L << 62;
        ByteBuffer body = ByteBuffer.allocate(56).order(ByteOrder.LITTLE_ENDIAN);
        body.put(0, (byte) 0b110)
                .putLong(16, 5)
                .putLong(24, 9)
                .putLong(40, 3)
                .putLong(48, values - 9);
        BodyLayout parts = new BodyLayout().addNode(3, 1).addPlaced(0, 1);
        parts.addPlaced(8, 24).addPlaced(32, 24).addNode(values, values);
        ArrowField child = ArrowField.of("item", ArrowType.Simple.NULL).nullable();
        ArrowField list = ArrowField.of("c", ArrowType.Simple.LARGE_LIST_VIEW, child).nullable();
        UnusedBytes found = unusedOf(bound(list, 3, parts, body.array()), 1 << 10);
        assertEquals(0b111, found.usedBits(0));
        assertEquals(0, found.usedBits(8));
        assertEquals(0xFF, found.usedBits(16));
    }

    /// A limit above what the JVM has is a limit all the same.
    @Test
    void memoryOfTheJvmIsALimit() {
        long values = 1L << 36;
        ByteBuffer body = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        body.putLong(0, values - 9).putLong(8, 1).putLong(16, values).putLong(24, 7);
        BodyLayout parts = new BodyLayout().addNode(1, 0).addPlaced(0, 0).addPlaced(0, 8);
        parts.addPlaced(8, 8).addNode(values, 0).addNode(1, 0).addPlaced(0, 0).addPlaced(16, 8);
        parts.addNode(1, 0).addPlaced(0, 0).addPlaced(24, 8);
        ArrowField runs =
                ArrowField.of(
                        "item",
                        ArrowType.Simple.RUN_END_ENCODED,
                        ArrowField.of("run_ends", INT64),
                        ArrowField.of("values", INT64));
        ArrowField list = ArrowField.of("c", ArrowType.Simple.LARGE_LIST_VIEW, runs);
        BatchCursor cursor = bound(list, 1, parts, body.array());
        assertRule(MeaningRule.TOO_MUCH_MEMORY, () -> unusedOf(cursor, Long.MAX_VALUE));
    }

    /// Of a batch with more buffers than its schema needs.
    @Test
    void buffersOfNoFieldAreUnused() {
        BodyLayout parts = new BodyLayout().addNode(1, 0).addPlaced(0, 0).addPlaced(0, 8);
        byte[] body = new byte[24];
        Arrays.fill(body, (byte) 7);
        BatchCursor cursor = bound(INT64, 1, parts.addPlaced(8, 16), body);
        byte[] expected = Arrays.copyOf(Arrays.copyOf(body, 8), 24);
        unusedOf(cursor, 1 << 10).clear(MemorySegment.ofArray(body));
        assertArrayEquals(expected, body);
    }

    @Test
    void offsetsBehindTheDataAreFaults() {
        BodyLayout parts = new BodyLayout().addNode(1, 0).addPlaced(0, 0).addPlaced(0, 8);
        byte[] body = new byte[16];
        body[4] = 9;
        BatchCursor cursor = bound(ArrowType.Simple.BINARY, 1, parts.addPlaced(8, 8), body);
        assertRule(ValueRule.VALUE_OFFSET_RANGE, () -> unusedOf(cursor, 1 << 10));
    }

    @Test
    void nothingIsClearedBeforeABatchIsFound() {
        MemorySegment body = MemorySegment.ofArray(new byte[8]);
        assertThrows(IllegalStateException.class, () -> unused.clear(body));
        assertThrows(IllegalStateException.class, () -> unused.clear(0, body, 0, 8));
    }

    /// The sum of these numbers is 24 bytes, modulo 2^61.
    @Test
    void unsoundBuffersAreFaults() {
        BodyLayout parts = new BodyLayout().addNode(1, 0).addPlaced(16, (1L << 61) + 8);
        BatchCursor unsound = bound(INT64, 1, parts.addPlaced(8, 1 << 16), new byte[16]);
        assertRule(ValueRule.VALUE_OFFSET_RANGE, () -> unused.find(unsound));
        BodyLayout sound = new BodyLayout().addNode(1, 0).addPlaced(0, 0).addPlaced(0, 8);
        byte[] body = new byte[16];
        body[7] = 1;
        body[8] = 1;
        unused.find(bound(INT64, 1, sound, body)).clear(MemorySegment.ofArray(body));
        assertEquals(1, body[7]);
        assertEquals(0, body[8]);
    }

    @Test
    void bodiesWithOtherColumnsAreNotCleared() {
        RandomBatch batch = null;
        for (int seed = 0; batch == null || batch.schema.fields().size() < 2; seed++) {
            batch = new RandomBatch(new Random(seed));
        }
        MemorySegment body = MemorySegment.ofArray(batch.body);
        BatchLayout some = batch.layout().choose(0);
        UnusedBytes found =
                unusedOf(new BatchCursor().bind(some, batch.message).body(body), 1 << 20);
        assertThrows(IllegalArgumentException.class, () -> found.clear(body));
    }

    @Test
    void findingAndClearingAllocateNothing() {
        for (int seed = 0; seed < 5; seed++) {
            RandomBatch batch = new RandomBatch(new Random(seed));
            MemorySegment body = MemorySegment.ofArray(batch.body);
            BatchCursor cursor = batch.bound(body);
            Allocations.assertNone("unused bytes", () -> unused.find(cursor).clear(body));
        }
    }
}
