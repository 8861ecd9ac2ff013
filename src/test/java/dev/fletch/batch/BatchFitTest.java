// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

/// Whether a batch has what a layout speaks of, where variadic buffers and types that are unknown
/// leave more than one answer: by one cursor for several batches, and several plans of one batch.
class BatchFitTest {
    private static final MemorySegment BODY = MemorySegment.ofArray(new byte[1_000]);

    private static Tree number(String name) {
        return Tree.of(name, Type.INT);
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
        BatchCursor cursor = new BatchCursor().bind(Bound.layout(number("a")), batch).body(BODY);
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
            cursor.bind(Bound.layout(number("a")), batch).body(BODY, 50, 100);
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
}
