// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.MetadataVersion.V4;
import static dev.fletch.format.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.BufferRole;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Type;
import dev.fletch.format.UnionMode;
import dev.fletch.format.rules.BufferShape;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The three modes of a cursor show the same numbers, and buffers by role are those by index.
class CursorModesTest {
    private static final long BODY = 1_000;

    /// All layouts of buffers, some of them below others.
    private static List<Tree> columns() {
        List<Tree> columns = new ArrayList<>();
        for (int type = Type.NULL; type <= Type.LARGE_LIST_VIEW; type++) {
            if (type != Type.UNION) {
                columns.add(Tree.of("c" + type, type));
            }
        }
        columns.add(Tree.union("sparse", UnionMode.SPARSE, Tree.of("a", Type.INT)));
        columns.add(Tree.union("dense", UnionMode.DENSE, Tree.of("b", Type.UTF8_VIEW)));
        columns.add(Tree.of("s", Type.STRUCT_, Tree.of("v", Type.BINARY_VIEW)));
        columns.add(Tree.of("last", Type.LIST, Tree.of("item", Type.INT)));
        return columns;
    }

    /// A batch of all these, with five variadic buffers.
    private static RecordBatch batch(BatchLayout layout) {
        long[] variadics = new long[layout.viewCount()];
        for (int i = 0; i < 5; i++) {
            variadics[i * 7 % variadics.length]++;
        }
        return Bound.batch(
                Tree.numberedBatch(layout.fieldCount(), layout.bufferCount() + 5, variadics));
    }

    private static List<BatchCursor> cursors() {
        return List.of(new BatchCursor(), BatchCursor.inPlace());
    }

    @ParameterizedTest
    @ValueSource(ints = {V4, V5})
    void allModesShowTheNumbersOfTheBatch(int version) {
        BatchLayout layout = BatchLayout.compile(Bound.schema(Tree.message(columns())), version);
        RecordBatch batch = batch(layout);
        FieldNode node = new FieldNode();
        Buffer buffer = new Buffer();
        for (BatchCursor cursor : cursors()) {
            cursor.bind(layout, batch, MemorySegment.ofArray(new byte[(int) BODY * 9]));
            int next = 0;
            for (int f = 0; f < layout.fieldCount(); f++) {
                cursor.field(f);
                batch.nodes(f, node);
                assertEquals(f, cursor.fieldNumber());
                assertEquals(f, cursor.nodeIndex());
                assertEquals(node.length(), cursor.length());
                assertEquals(node.nullCount(), cursor.nullCount());
                for (int i = 0; i < cursor.bufferCount(); i++) {
                    assertEquals(next, cursor.bufferIndex(i));
                    batch.buffers(next++, buffer);
                    assertEquals(buffer.offset(), cursor.bufferOffset(i));
                    assertEquals(buffer.length(), cursor.bufferLength(i));
                    BufferRole role = cursor.role(i);
                    assertTrue(cursor.has(role));
                    if (role != BufferRole.VARIADIC) {
                        assertEquals(i, cursor.index(role));
                        assertEquals(buffer.offset(), cursor.bufferOffset(role));
                        assertEquals(buffer.length(), cursor.bufferLength(role));
                    }
                }
                rolesAre(cursor, layout, f);
            }
            assertEquals(batch.buffersCount(), next);
            assertEquals(0, cursor.extraBuffers());
        }
    }

    private static void rolesAre(BatchCursor cursor, BatchLayout layout, int field) {
        for (BufferRole role : BufferRole.values()) {
            boolean expected =
                    role == BufferRole.VARIADIC && layout.shape(field) == BufferShape.VIEW;
            for (int i = 0; i < layout.bufferCount(field); i++) {
                expected |= layout.role(field, i) == role;
            }
            assertEquals(expected, cursor.has(role), role + " of " + layout.pathString(field));
            if (!expected || role == BufferRole.VARIADIC) {
                IllegalArgumentException e =
                        assertThrows(
                                IllegalArgumentException.class, () -> cursor.bufferOffset(role));
                assertTrue(e.getMessage().contains("role=" + role.text()), e.getMessage());
                assertThrows(IllegalArgumentException.class, () -> cursor.isAbsent(role));
                assertThrows(
                        IllegalArgumentException.class, () -> cursor.buffer(role, new ByteSlice()));
            }
        }
    }

    /// The plan of one column, in front of which others have variadic buffers.
    @Test
    void aColumnHasTheSameNumbersAsInItsBatch() {
        var schema = Bound.schema(Tree.message(columns()));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        RecordBatch batch = batch(layout);
        BatchCursor whole = new BatchCursor().bind(layout, batch);
        ColumnScan scan = new ColumnScan().wrap(schema, V5);
        ColumnLayout column = new ColumnLayout();
        for (BatchCursor cursor : cursors()) {
            for (int c = 0; c < layout.columnCount(); c++) {
                assertTrue(scan.find(layout.nameString(layout.columnField(c)), column));
                cursor.bind(column, batch);
                for (int f = 0; f < column.fieldCount(); f++) {
                    cursor.field(f);
                    whole.field(layout.columnField(c) + f);
                    assertEquals(whole.nodeIndex(), cursor.nodeIndex());
                    assertEquals(whole.length(), cursor.length());
                    assertEquals(whole.nullCount(), cursor.nullCount());
                    assertEquals(whole.bufferCount(), cursor.bufferCount());
                    for (int i = 0; i < whole.bufferCount(); i++) {
                        assertEquals(whole.bufferIndex(i), cursor.bufferIndex(i));
                        assertEquals(whole.bufferOffset(i), cursor.bufferOffset(i));
                        assertEquals(whole.bufferLength(i), cursor.bufferLength(i));
                    }
                }
                assertThrows(IndexOutOfBoundsException.class, () -> cursor.column(1));
            }
        }
    }

    // ---- when numbers are taken

    private static final BatchLayout INTS =
            BatchLayout.compile(
                    Bound.schema(Tree.message(Tree.of("a", Type.INT), Tree.of("b", Type.UTF8))),
                    V5);

    private static RecordBatch ints(long[]... buffers) {
        return Bound.batch(Tree.batch(new long[][] {{5, 0}, {0, 0}}, buffers, new long[0], BODY));
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
    void numbersAreCopiedWhenBoundOrReadInPlace() {
        RecordBatch batch = usual();
        BatchCursor copied = new BatchCursor().bind(INTS, batch).column(0);
        BatchCursor inPlace = BatchCursor.inPlace().bind(INTS, batch).column(0);
        batch.nodes(0, new FieldNode()).set(7, 8);
        batch.buffers(1, new Buffer()).set(9, 10);
        for (BatchCursor cursor : List.of(copied, inPlace)) {
            assertEquals(5, cursor.length());
            assertEquals(40, cursor.bufferLength(BufferRole.DATA));
            cursor.column(0);
        }
        assertEquals(5, copied.length());
        assertEquals(0, copied.bufferOffset(BufferRole.DATA));
        assertEquals(7, inPlace.length());
        assertEquals(8, inPlace.nullCount());
        assertEquals(9, inPlace.bufferOffset(BufferRole.DATA));
        assertEquals(10, inPlace.bufferLength(1));
    }

    @Test
    void absentBuffersAreReported() {
        for (BatchCursor cursor : cursors()) {
            cursor.bind(INTS, usual()).column(0);
            assertTrue(cursor.isAbsent(BufferRole.VALIDITY));
            assertFalse(cursor.isAbsent(BufferRole.DATA));
            cursor.column(1);
            assertTrue(cursor.isAbsent(BufferRole.VALIDITY));
            assertTrue(cursor.isAbsent(BufferRole.OFFSETS)); // no values, so no offsets
            assertFalse(cursor.isAbsent(BufferRole.DATA)); // empty, and there
        }
    }

    @Test
    void withoutABodyOnlyNumbersAreShown() {
        ByteSlice slice = new ByteSlice();
        for (BatchCursor cursor : cursors()) {
            cursor.bind(INTS, usual(), MemorySegment.ofArray(new byte[(int) BODY])).column(0);
            assertEquals(40, cursor.buffer(BufferRole.DATA, slice).length());
            cursor.bind(INTS, usual()).column(0);
            assertEquals(5, cursor.length());
            assertEquals(40, cursor.bufferLength(BufferRole.DATA));
            for (var read :
                    List.<org.junit.jupiter.api.function.Executable>of(
                            () -> cursor.buffer(BufferRole.DATA, slice),
                            () -> cursor.buffer(1, slice),
                            () -> cursor.content(1, slice),
                            () -> cursor.uncompressedLength(1))) {
                IllegalStateException e = assertThrows(IllegalStateException.class, read);
                assertEquals("cursor is bound without a body", e.getMessage());
            }
        }
    }

    // ---- after a failure

    @Test
    void anUnboundCursorShowsNothing() {
        for (BatchCursor cursor : cursors()) {
            assertEquals(0, cursor.rowCount());
            assertShowsNoField(cursor);
        }
    }

    /// Neither at a field nor bound, whatever was bound before.
    @Test
    void aFailedBindLeavesTheCursorUnbound() {
        BatchLayout nested = BatchLayout.compile(Bound.schema(Tree.message(columns())), V5);
        for (BatchCursor cursor : cursors()) {
            cursor.bind(nested, batch(nested)).column(3);
            assertThrows(LayoutException.class, () -> cursor.bind(nested, usual()));
            assertEquals(0, cursor.rowCount());
            assertShowsNoField(cursor);
            cursor.bind(nested, batch(nested));
            assertThrows(IndexOutOfBoundsException.class, () -> cursor.column(1_000));
            assertThrows(IndexOutOfBoundsException.class, () -> cursor.column(-1));
        }
    }

    private static void assertShowsNoField(BatchCursor cursor) {
        for (int i : new int[] {-1, 0, 1, 1_000}) {
            assertThrows(IllegalStateException.class, () -> cursor.column(i));
            assertThrows(IllegalStateException.class, () -> cursor.field(i));
        }
        assertThrows(IllegalStateException.class, cursor::length);
        assertThrows(IllegalStateException.class, cursor::nullCount);
        assertThrows(IllegalStateException.class, cursor::bufferCount);
        ByteSlice slice = new ByteSlice();
        for (BufferRole role : BufferRole.values()) {
            assertThrows(IllegalStateException.class, () -> cursor.has(role));
            assertThrows(IllegalStateException.class, () -> cursor.isAbsent(role));
            assertThrows(IllegalStateException.class, () -> cursor.index(role));
            assertThrows(IllegalStateException.class, () -> cursor.bufferOffset(role));
            assertThrows(IllegalStateException.class, () -> cursor.bufferLength(role));
            assertThrows(IllegalStateException.class, () -> cursor.buffer(role, slice));
        }
    }

    // ---- checked

    @Test
    void bufferOutsideTheBodyIsFound() {
        MemorySegment body = MemorySegment.ofArray(new byte[(int) BODY]);
        long[][] outside = {
            {BODY - 7, 8},
            {-1, 1},
            {0, -1},
            {Long.MAX_VALUE, 1},
            {0, BODY + 1},
            {Long.MIN_VALUE, Long.MIN_VALUE}
        };
        for (int at = 0; at < 5; at++) {
            for (long[] each : outside) {
                long[][] buffers = {{0, 0}, {0, 40}, {40, 8}, {Long.MAX_VALUE, 0}, {BODY, 0}};
                for (BatchCursor cursor : cursors()) {
                    requireInside(cursor.bind(INTS, ints(buffers), body));
                }
                buffers[at] = each;
                RecordBatch batch = ints(buffers);
                for (BatchCursor cursor : cursors()) {
                    cursor.bind(INTS, batch, body);
                    LayoutException e =
                            assertThrows(LayoutException.class, () -> requireInside(cursor));
                    assertEquals(Bound.ruleOf(each), e.rule());
                    String where = "column=" + (at < 2 ? "a" : "b") + ", buffer=" + at + ", ";
                    assertTrue(e.getMessage().contains(where), e.getMessage());
                }
            }
        }
    }

    private static void requireInside(BatchCursor cursor) {
        for (int field = 0; field < INTS.fieldCount(); field++) {
            cursor.field(field);
            for (int i = 0; i < cursor.bufferCount(); i++) {
                cursor.requireInside(i, BODY);
            }
        }
    }

    /// A body that comes after its message: the numbers stay as they were, whatever becomes of the
    /// message.
    @Test
    void theBodyMayBeBoundLater() {
        BatchLayout layout = BatchLayout.compile(Bound.schema(Tree.message(columns())), V5);
        byte[] bytes = new byte[(int) BODY * 9];
        new Random(3).nextBytes(bytes);
        MemorySegment body = MemorySegment.ofArray(bytes);
        BatchCursor expected = new BatchCursor().bind(layout, batch(layout), body);
        ByteSlice one = new ByteSlice();
        ByteSlice other = new ByteSlice();
        for (BatchCursor cursor : List.of(new BatchCursor(), BatchCursor.inPlace())) {
            assertThrows(IllegalStateException.class, () -> cursor.body(body));
            RecordBatch message = batch(layout);
            cursor.bind(layout, message);
            cursor.field(0);
            cursor.body(body);
            assertThrows(IllegalStateException.class, cursor::length);
            for (int f = 0; f < layout.fieldCount(); f++) {
                cursor.field(f);
                expected.field(f);
                for (int i = 0; i < cursor.bufferCount(); i++) {
                    assertArrayEquals(
                            expected.buffer(i, one).toByteArray(),
                            cursor.buffer(i, other).toByteArray());
                }
            }
        }
    }
}
