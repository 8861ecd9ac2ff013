// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Type;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/// When numbers are taken from a batch, and when a body. `RandomLayoutTest` compares them, by role
/// and by index.
class CursorNumbersTest {
    private static final long BODY = 1_000;

    // ---- when numbers are taken

    private static final BatchLayout INTS =
            Bound.layout(Tree.of("a", Type.INT), Tree.of("b", Type.UTF8));

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
        cursor.bind(INTS, usual()).body(MemorySegment.ofArray(new byte[(int) BODY]));
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
            {BODY - 7, 8},
            {-1, 1},
            {0, -1},
            {Long.MAX_VALUE, 1},
            {0, BODY + 1},
            {Long.MIN_VALUE, Long.MIN_VALUE}
        };
        for (int at = 0; at < 5; at++) {
            for (long[] each : outside) {
                long[][] buffers = {
                    {Long.MIN_VALUE, 0}, {0, 40}, {-1, 0}, {Long.MAX_VALUE, 0}, {BODY, 0}
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
                                            BODY),
                            e.getMessage());
                }
            }
        }
    }

    private static void readAll(BatchCursor cursor, boolean isReceived) {
        if (isReceived) {
            cursor.body(new ReceivedBody().add(ByteBuffer.allocate((int) BODY)));
        } else {
            cursor.body(MemorySegment.ofArray(new byte[(int) BODY]));
        }
        for (int field = 0; field < INTS.fieldCount(); field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                long length = cursor.bufferLength(field, i);
                assertEquals(length, cursor.buffer(field, i, new ByteSlice()).length());
            }
        }
    }
}
