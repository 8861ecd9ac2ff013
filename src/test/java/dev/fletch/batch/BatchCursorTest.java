// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.MeaningRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Type;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What a cursor shows of one column, and what it says of batches that don't fit.
class BatchCursorTest {
    private static final BatchLayout LAYOUT =
            Bound.layout(
                    Tree.of("price", Type.INT),
                    Tree.of("s", Type.STRUCT_, Tree.of("v", Type.UTF8_VIEW)),
                    Tree.of("last", Type.INT));

    private static final long[][] NODES = {{5, 1}, {5, 0}, {5, 2}, {5, 0}};

    private static RecordBatch batch(long[][] nodes, long[][] buffers, long... variadics) {
        return Bound.batch(Tree.batch(nodes, buffers, variadics, 100));
    }

    /// `price` has the first two buffers, `s` one, `v` two and three, `last` two.
    private static long[][] buffers() {
        long[][] buffers = new long[10][];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = new long[] {8L * i, i + 1};
        }
        return buffers;
    }

    private static MemorySegment body(int bytes) {
        byte[] body = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            body[i] = (byte) i;
        }
        return MemorySegment.ofArray(body);
    }

    @Test
    void slicesAreBytesOfTheBody() {
        MemorySegment memory = body(120);
        BatchCursor cursor =
                new BatchCursor().bind(LAYOUT, batch(NODES, buffers(), 3)).body(memory, 16, 100);
        ByteSlice slice = new ByteSlice();
        assertEquals(1, cursor.bufferCount(1));
        assertEquals(2, cursor.nullCount(2));
        assertEquals(5, cursor.bufferCount(2));
        assertEquals(3, cursor.variadicCount(2));
        assertEquals(BufferRole.VIEWS, cursor.role(2, 1));
        assertEquals(BufferRole.VARIADIC, cursor.role(2, 2));
        assertEquals(BufferRole.VARIADIC, cursor.role(2, 4));
        assertThrows(IndexOutOfBoundsException.class, () -> cursor.role(2, 5));
        assertThrows(IndexOutOfBoundsException.class, () -> cursor.buffer(2, 5, slice));
        assertThrows(IndexOutOfBoundsException.class, () -> cursor.buffer(2, -1, slice));
        for (int i = 0; i < 5; i++) {
            int index = cursor.bufferIndex(2, i);
            assertEquals(3 + i, index);
            cursor.buffer(2, i, slice);
            assertEquals(index + 1, slice.length());
            assertEquals(16 + 8 * index, slice.offset());
            assertEquals(16 + 8 * index, slice.int8(0));
            assertArrayEquals(
                    memory.asSlice(slice.offset(), slice.length()).toArray(ValueLayout.JAVA_BYTE),
                    slice.asSlice().toArray(ValueLayout.JAVA_BYTE));
        }
        assertEquals(8, cursor.bufferIndex(3, 0));
        assertEquals(1, cursor.rowCount());
        assertFalse(cursor.isCompressed());
        // The same cursor, another count.
        cursor.bind(LAYOUT, batch(NODES, buffers(), 0)).body(memory);
        assertEquals(5, cursor.bufferIndex(3, 0));
    }

    // ---- Batches that don't fit

    @Test
    void partsWithoutAFieldAreIgnored() {
        long[][] moreNodes = {{5, 1}, {5, 0}, {5, 2}, {0, 0}, {0, 0}};
        RecordBatch batch = batch(moreNodes, buffers(), 3, 9, 9);
        BatchCursor cursor = new BatchCursor().bind(LAYOUT, batch).body(body(100));
        assertEquals(2, cursor.nullCount(2));
        assertRule(MeaningRule.NODE_COUNT, () -> LAYOUT.requireExact(batch));
    }

    @Test
    void bodiesOutsideTheirMemoryAreRefused() {
        BatchCursor cursor = new BatchCursor();
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> cursor.bind(LAYOUT, batch(NODES, buffers(), 3)).body(body(100), 1, 100));
        assertThrows(IllegalStateException.class, () -> cursor.length(0));
    }
}
