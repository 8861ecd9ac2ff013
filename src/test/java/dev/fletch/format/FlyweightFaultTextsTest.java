// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.Table;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

/// What is told of bytes that lead out of their range: the offset and the value as they stand
/// there, counted as the caller counts.
class FlyweightFaultTextsTest {
    private static final int FRONT = 16;
    private static final int VTABLE = 4;
    private static final int TABLE = 24;
    private static final int BYTES = 104;

    private static void refused(String text, int at, Table root, RawBuffer buffer) {
        byte[] bytes = buffer.bytes();
        byte[] all = new byte[FRONT + bytes.length + FRONT];
        System.arraycopy(bytes, 0, all, FRONT, bytes.length);
        MemorySegment memory = MemorySegment.ofArray(all);
        FletchException e =
                assertThrows(
                        FletchException.class,
                        () -> Flyweights.wrap(root, memory, FRONT, bytes.length));
        String range = ", range=" + FRONT + ".." + (FRONT + bytes.length);
        assertEquals(text + range, e.getMessage());
        assertEquals(FRONT + at, e.offset());
    }

    /// A table of zeros behind its vtable.
    private static RawBuffer table(int... slots) {
        return new RawBuffer(BYTES).offset(0, TABLE).table(TABLE, VTABLE).vtable(VTABLE, slots);
    }

    @Test
    void aMissingRootOffsetNamesTheLength() {
        refused(
                "buffer length out of range: in=Schema, offset=16, value=3",
                0,
                new Schema(),
                new RawBuffer(3));
    }

    @Test
    void aRootOffsetOutOfRangeNamesOffsetAndValue() {
        refused(
                "offset to a table out of range: in=Schema, offset=16, value=101",
                0,
                new Schema(),
                table().i32(0, 101));
        refused(
                "offset to a table out of range: in=Message, offset=16, value=4294967295",
                0,
                new Message(),
                table().i32(0, -1));
    }

    @Test
    void aVtableOutOfRangeNamesOffsetAndValue() {
        refused(
                "vtable out of range: in=Footer, offset=40, value=14",
                TABLE,
                new Footer(),
                table().table(TABLE, -2));
        refused(
                "vtable out of range: in=Message, offset=40, value=121",
                TABLE,
                new Message(),
                table().table(TABLE, BYTES + 1));
        refused(
                "vtable size out of range: in=Schema, offset=20, value=102",
                VTABLE,
                new Schema(),
                table().u16(VTABLE, 102));
    }

    @Test
    void aSlotOutOfRangeNamesOffsetAndValue() {
        refused(
                "slot 3 out of range: in=Message, offset=40, value=73",
                TABLE,
                new Message(),
                table(0, 0, 0, 73));
    }

    @Test
    void aVectorOutOfRangeNamesOffsetAndValue() {
        refused(
                "offset out of range: in=Message, offset=48, value=69",
                TABLE + 8,
                new Message(),
                table(0, 0, 0, 0, 8).i32(TABLE + 8, 69));
        refused(
                "length out of range: in=Message, offset=52, value=4294967295",
                TABLE + 12,
                new Message(),
                table(0, 0, 0, 0, 8).offset(TABLE + 8, TABLE + 12).i32(TABLE + 12, -1));
        refused(
                "length out of range: in=Message, offset=52, value=17",
                TABLE + 12,
                new Message(),
                table(0, 0, 0, 0, 8).offset(TABLE + 8, TABLE + 12).i32(TABLE + 12, 17));
    }

    /// Elements of 24 bytes: two of them fit behind the length word, and 16 bytes of a third one.
    @Test
    void aBlockCountOutOfRangeNamesOffsetAndValue() {
        for (int slot : new int[] {Footer.DICTIONARIES_SLOT, Footer.RECORD_BATCHES_SLOT}) {
            int[] slots = new int[slot + 1];
            slots[slot] = 8;
            int at = BYTES - 4 - 2 * Block.BYTES - 16;
            RawBuffer bytes = table(slots).offset(TABLE + 8, at);
            Footer footer = new Footer().wrap(MemorySegment.ofArray(bytes.i32(at, 2).bytes()));
            assertEquals(2, footer.dictionariesCount() + footer.recordBatchesCount());
            for (int count : new int[] {3, 5, 48}) {
                refused(
                        "length out of range: in=Footer, offset=52, value=" + count,
                        at,
                        new Footer(),
                        bytes.i32(at, count));
            }
        }
    }
}
