// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Positions are 64 bits wide: what lies beyond 2 GiB or 4 GiB of a mapped file reads the same, and
/// so does what a single buffer of more than 2 GiB leads to.
class WidePositionsTest {
    private static final long GIB = 1L << 30;

    /// Nothing but a hole, for the tests to write to.
    private static PlacedSegment file;

    private static MemorySegment memory;

    @BeforeAll
    static void mapASparseFile() {
        file = sparseFile();
        memory = file.segment();
        assertTrue(memory.byteSize() > 5 * GIB, "size=" + memory.byteSize());
    }

    private static PlacedSegment sparseFile() {
        return Memories.segments().stream()
                .filter(each -> each.name().contains("beyond 4 GiB"))
                .findFirst()
                .orElseThrow()
                .place(new byte[8]);
    }

    @AfterAll
    static void close() {
        if (file != null) {
            file.close();
        }
    }

    private static void put(long at, byte[] bytes) {
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, at, bytes.length);
    }

    /// Before, across, and behind the limits of 31 and 32 bits.
    @ParameterizedTest
    @ValueSource(
            longs = {
                GIB,
                2 * GIB - 8,
                2 * GIB - 500,
                2 * GIB,
                2 * GIB + 8,
                3 * GIB + 1,
                4 * GIB - 4,
                4 * GIB - 501,
                4 * GIB,
                4 * GIB + 1,
                5 * GIB - 65_536
            })
    void messagesReadTheSameBeyondFourGiB(long at) {
        byte[] schema = LargeSchemas.schemaMessage(30);
        byte[] batch = LargeSchemas.recordBatchMessage(30);
        AccessorComparer comparer = new AccessorComparer();
        put(at, schema);
        comparer.compare("Message", memory, at, schema);
        put(at, batch);
        comparer.compare("Message", memory, at, batch);
        for (TablePath path : TablePath.all().toList()) {
            byte[] bytes = path.random(9);
            put(at, bytes);
            comparer.compare(path.root(), memory, at, bytes);
        }
        put(at, schema);
        int rootOffset = ByteBuffer.wrap(schema).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
        Message message = new Message().wrap(memory, at, schema.length);
        assertEquals(at + rootOffset, message.position());
    }

    /// A fault far behind tells its place in the segment.
    @Test
    void faultsHavePositionsBeyondFourGiB() {
        long at = 4 * GIB + 24;
        put(at, new byte[] {-1, -1, -1, 0x7F, 0, 0, 0, 0});
        FletchException fault =
                assertThrows(FletchException.class, () -> new Schema().wrap(memory, at, 8));
        assertEquals(at, fault.offset(), "where the offset stands, not where it leads");
    }

    /// Wrong numbers near the start, as reading all would take seconds.
    @Test
    void moreNumbersThanTwoGibibytesAreChecked() {
        long count = (2 * GIB + 16) / Integer.BYTES;
        try (PlacedSegment zeros = sparseFile()) {
            ByteSlice numbers = new ByteSlice().wrap(zeros.segment(), 0, count * Integer.BYTES);
            for (long wrong : new long[] {1_000, count - 2}) {
                zeros.segment().set(ValueLayout.JAVA_INT, wrong * Integer.BYTES, 2);
                long first = Math.max(0, wrong - 1_000_000);
                long more = count - first;
                assertFalse(numbers.areUpTo(first, more, Integer.BYTES, 1));
                assertFalse(numbers.areAscending(first, more, Integer.BYTES));
                zeros.segment().set(ValueLayout.JAVA_INT, wrong * Integer.BYTES, 0);
                long some = Math.min(more, 2_000_000);
                assertTrue(numbers.areUpTo(first, some, Integer.BYTES, 1));
                assertTrue(numbers.areAscending(first, some, Integer.BYTES));
            }
        }
    }

    /// Offsets are unsigned: a root, a vector and an element each almost 4 GiB or more than 2 GiB
    /// away, and a vtable almost 2 GiB before its table.
    @Test
    void offsetsBeyondTwoGibibytesAreFollowed() {
        long start = 8;
        long vtable = 2 * GIB + 100;
        long table = 4 * GIB - 200;
        put(start, new RawBuffer(4).i32(0, (int) (table - start)).bytes());
        put(vtable, new RawBuffer(16).vtable(0, 12, 4).bytes());
        put(table, new RawBuffer(16).i32(0, (int) (table - vtable)).u16(12, 1).bytes());
        Schema schema = new Schema();
        // First with an offset that is too far, then with one that is not.
        put(table + 4, new RawBuffer(4).i32(0, -8).bytes());
        assertThrows(FletchException.class, () -> schema.wrap(memory, start, 5 * GIB));
        long vector = table + 4 + 2 * GIB / 2;
        put(table + 4, new RawBuffer(4).i32(0, (int) (vector - table - 4)).bytes());
        put(vector, new RawBuffer(8).i32(0, 1).i32(4, 12).bytes());
        long field = vector + 16;
        put(field, new RawBuffer(8).i32(0, -16).bytes());
        put(field + 16, new RawBuffer(8).vtable(0, 0, 4).bytes());
        put(field + 4, new byte[] {1});
        schema.wrap(memory, start, memory.byteSize() - start);
        assertEquals(table, schema.position());
        assertEquals(1, schema.endianness());
        assertEquals(1, schema.fieldsCount());
        Field child = schema.fields(0, new Field());
        assertEquals(field, child.position());
        assertTrue(child.nullable());
    }

    /// An element whose own offset is more than 2^31.
    @Test
    void anElementMayLieBeyondTwoGibibytes() {
        long start = 16;
        RawBuffer head = new RawBuffer(48).offset(0, 16).table(16, 4).vtable(4, 0, 4);
        long far = start + 28 + 3 * GIB;
        put(start, head.offset(20, 24).i32(24, 1).i32(28, (int) (3 * GIB)).bytes());
        put(far, new RawBuffer(16).i32(0, -4).u16(4, 8).u16(8, 0).u16(10, 12).u8(12, 1).bytes());
        Schema schema = new Schema().wrap(memory, start, 4 * GIB);
        Field field = schema.fields(0, new Field());
        assertEquals(far, field.position());
        assertTrue(field.nullable());
        assertThrows(
                FletchException.class,
                () -> new Schema().wrap(memory, start, 3 * GIB).fields(0, field));
    }

    @Test
    void theLastElementOfALargeVectorIsFound() {
        long start = GIB / 2;
        RawBuffer head = new RawBuffer(48).offset(0, 24).vtable(8, 0, 0, 0, 4).table(24, 8);
        put(start, head.offset(28, 32).i32(32, (int) (GIB / 24) - 2).bytes());
        Footer footer = new Footer().wrap(memory, start, GIB);
        assertEquals(GIB / 24 - 2, footer.recordBatchesCount());
        Block last = footer.recordBatches(footer.recordBatchesCount() - 1, new Block());
        assertEquals(start + 36 + 24 * (GIB / 24 - 3), last.position());
        assertEquals(0, last.metaDataLength());
    }
}
