// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Type;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;

/// What a cursor shows of a batch, when it takes numbers and a body, and what it says of batches
/// that do not fit, also where variadic buffers and unknown types leave more than one answer.
/// `RandomLayoutTest` compares numbers, by role and by index.
class BatchCursorTest {
    private static final int BODY_BYTES = 1_000;
    private static final MemorySegment BODY = MemorySegment.ofArray(new byte[BODY_BYTES]);

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

    private static Tree view(String name) {
        return Tree.of(name, Type.UTF8_VIEW);
    }

    private static RecordBatch batch(int nodes, int buffers, long... variadics) {
        return Bound.batch(Tree.numberedBatch(nodes, buffers, variadics));
    }

    /// The layout of one column, found by its name.
    private static BatchLayout column(int number, Tree... columns) {
        Schema schema = Bound.schema(Tree.message(columns));
        Columns named = Columns.named(columns[number].name());
        BatchLayout column = BatchLayout.compile(schema, V5, Limits.DEFAULT, named);
        assertEquals(number, column.schemaColumn(0));
        return column;
    }

    private static void assertRefused(Rule fault, String text, Runnable task) {
        FletchException e = assertRule(fault, task::run);
        assertEquals(text, e.getMessage());
    }

    /// A schema whose columns have no buffer at all.
    @Test
    void columnsWithoutBuffersAreBound() {
        BatchLayout column = column(1, Tree.of("a", Type.NULL), Tree.of("b", Type.NULL));
        BatchCursor cursor = new BatchCursor().bind(column, batch(2, 0)).body(BODY);
        assertEquals(0, cursor.bufferCount(0));
        column.requireExact(batch(2, 0));
        cursor.bind(column, batch(2, 1)).body(BODY);
        assertThrows(FletchException.class, () -> column.requireExact(batch(2, 1)));
    }

    /// Not the count that is as large as all that is left is out of range, but the next one.
    @Test
    void theFirstCountOfOtherColumnsThatIsTooLargeIsReported() {
        BatchCursor cursor = new BatchCursor();
        String what = "variadic buffer count is out of range: ";
        BatchLayout last = column(3, view("a"), view("b"), view("c"), view("d"));
        assertRefused(
                MeaningRule.VARIADIC_COUNT_RANGE,
                what + "variadicBufferCount=2, count=-7, before=3, buffers=10",
                () -> cursor.bind(last, batch(4, 10, 0, 3, -7, 0)).body(BODY));
        assertRefused(
                MeaningRule.VARIADIC_COUNT_RANGE,
                what + "variadicBufferCount=2, count=1, before=10, buffers=10",
                () -> cursor.bind(last, batch(4, 10, 3, 7, 1, 0)).body(BODY));
    }

    /// A batch that is not compressed has no prefixes.
    @Test
    void uncompressedBuffersAreTheirContent() {
        long[][] buffers = {{0, 1}, {8, 12}};
        RecordBatch batch = Bound.batch(Tree.batch(new long[][] {{3, 0}}, buffers, null, 24));
        BatchCursor cursor =
                new BatchCursor().bind(Bound.layout(Tree.of("a", Type.INT)), batch).body(BODY);
        ByteSlice slice = new ByteSlice();
        assertSame(slice, cursor.content(0, 1, slice));
        assertEquals(8, slice.offset());
        assertEquals(12, slice.length());
        assertEquals(12, cursor.uncompressedLength(0, 1));
    }

    @Test
    void buffersMayReachTheEdgesOfTheBody() {
        for (long[] each : new long[][] {{0, 100}, {99, 1}, {0, 1}, {100, 0}, {0, 0}, {101, 0}}) {
            RecordBatch batch =
                    Bound.batch(
                            Tree.batch(
                                    new long[][] {{3, 0}}, new long[][] {{0, 0}, each}, null, 100));
            BatchCursor cursor = new BatchCursor();
            cursor.bind(Bound.layout(Tree.of("a", Type.INT)), batch).body(BODY, 50, 100);
            ByteSlice slice = cursor.buffer(0, 1, new ByteSlice());
            assertEquals(50 + Math.min(100, each[0]), slice.offset());
            assertEquals(each[1], slice.length());
        }
    }

    /// Of two columns, one is a list and the other unknown: two fields can be located, as of two
    /// columns without children.
    @Test
    void onlyColumnsHaveTheRowsOfTheBatch() {
        Tree list = Tree.of("l", Type.LIST, Tree.of("item", Type.INT));
        BatchLayout layout = Bound.layout(list, Tree.of("u", 100));
        long[][] nodes = {{1, 0}, {10, 0}, {1, 0}};
        long[][] buffers = {{0, 0}, {0, 16}, {16, 0}, {16, 80}};
        BatchCursor cursor = new BatchCursor();
        RecordBatch batch = Bound.batch(Tree.batch(nodes, buffers, null, 96));
        assertEquals(1, batch.length());
        cursor.bind(layout, batch).requireSound(96);
        nodes[0][0] = 4;
        cursor.bind(layout, Bound.batch(Tree.batch(nodes, buffers, null, 96)));
        assertRule(MeaningRule.COLUMN_LENGTH, () -> cursor.requireSound(96));
    }

    // ---- when numbers are taken

    private static final BatchLayout INTS =
            Bound.layout(Tree.of("a", Type.INT), Tree.of("b", Type.UTF8));

    private static RecordBatch ints(long[]... buffers) {
        return Bound.batch(
                Tree.batch(new long[][] {{5, 0}, {0, 0}}, buffers, new long[0], BODY_BYTES));
    }

    private static RecordBatch usual() {
        return ints(
                new long[] {0, 0},
                new long[] {0, 40},
                new long[] {40, 0},
                new long[] {40, 0},
                new long[] {40, 0});
    }

    @Test
    void numbersAreCopiedWhenBound() {
        RecordBatch batch = usual();
        BatchCursor copied = new BatchCursor().bind(INTS, batch);
        batch.nodes(0, new FieldNode()).set(7, 8);
        batch.buffers(1, new Buffer()).set(9, 10);
        assertEquals(5, copied.length(0));
        assertEquals(0, copied.bufferOffset(0, BufferRole.DATA));
        assertEquals(40, copied.bufferLength(0, BufferRole.DATA));
    }

    @Test
    void absentBuffersAreReported() {
        BatchCursor cursor = new BatchCursor();
        cursor.bind(INTS, usual());
        assertTrue(cursor.isAbsent(0, BufferRole.VALIDITY));
        assertFalse(cursor.isAbsent(0, BufferRole.DATA));
        assertTrue(cursor.isAbsent(1, BufferRole.VALIDITY));
        assertTrue(cursor.isAbsent(1, BufferRole.OFFSETS)); // no values, so no offsets
        assertFalse(cursor.isAbsent(1, BufferRole.DATA)); // empty, and there
    }

    @Test
    void withoutABodyOnlyNumbersAreShown() {
        ByteSlice slice = new ByteSlice();
        BatchCursor cursor = new BatchCursor();
        cursor.bind(INTS, usual()).body(BODY);
        assertEquals(40, cursor.buffer(0, BufferRole.DATA, slice).length());
        cursor.bind(INTS, usual());
        assertEquals(5, cursor.length(0));
        assertEquals(40, cursor.bufferLength(0, BufferRole.DATA));
        for (var read :
                List.<org.junit.jupiter.api.function.Executable>of(
                        () -> cursor.buffer(0, BufferRole.DATA, slice),
                        () -> cursor.buffer(0, 1, slice),
                        () -> cursor.content(0, 1, slice),
                        () -> cursor.uncompressedLength(0, 1))) {
            IllegalStateException e = assertThrows(IllegalStateException.class, read);
            assertEquals("cursor is bound without a body", e.getMessage());
        }
    }

    // ---- checked

    @Test
    void bufferOutsideTheBodyIsFound() {
        long[][] outside = {
            {BODY_BYTES - 7, 8},
            {-1, 1},
            {0, -1},
            {Long.MAX_VALUE, 1},
            {0, BODY_BYTES + 1},
            {Long.MIN_VALUE, Long.MIN_VALUE}
        };
        for (int at = 0; at < 5; at++) {
            for (long[] each : outside) {
                long[][] buffers = {
                    {Long.MIN_VALUE, 0}, {0, 40}, {-1, 0}, {Long.MAX_VALUE, 0}, {BODY_BYTES, 0}
                };
                for (boolean isReceived : new boolean[] {false, true}) {
                    BatchCursor cursor = new BatchCursor();
                    readAll(cursor.bind(INTS, ints(buffers)), isReceived);
                    long[][] wrong = buffers.clone();
                    wrong[at] = each;
                    cursor.bind(INTS, ints(wrong));
                    FletchException e =
                            assertThrows(FletchException.class, () -> readAll(cursor, isReceived));
                    assertEquals(Bound.ruleOf(each), e.rule());
                    assertEquals(
                            "%s: column=%s, buffer=%d, offset=%d, length=%d, body=%d"
                                    .formatted(
                                            e.rule().description(),
                                            at < 2 ? "a" : "b",
                                            at,
                                            each[0],
                                            each[1],
                                            BODY_BYTES),
                            e.getMessage());
                }
            }
        }
    }

    private static void readAll(BatchCursor cursor, boolean isReceived) {
        if (isReceived) {
            cursor.body(new ReceivedBody().add(ByteBuffer.allocate(BODY_BYTES)));
        } else {
            cursor.body(BODY);
        }
        for (int field = 0; field < INTS.fieldCount(); field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                long length = cursor.bufferLength(field, i);
                assertEquals(length, cursor.buffer(field, i, new ByteSlice()).length());
            }
        }
    }
}
