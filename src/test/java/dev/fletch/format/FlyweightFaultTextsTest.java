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

    /// @param at position of the value in the buffer
    private static void refused(String text, int at, long value, Table root, RawBuffer buffer) {
        byte[] bytes = buffer.bytes();
        byte[] all = new byte[FRONT + bytes.length + FRONT];
        System.arraycopy(bytes, 0, all, FRONT, bytes.length);
        MemorySegment memory = MemorySegment.ofArray(all);
        FletchException e =
                assertThrows(
                        FletchException.class,
                        () -> Flyweights.wrap(root, memory, FRONT, bytes.length));
        String details = ": in=%s, offset=%d, value=%d, range=%d..%d";
        String name = root.getClass().getSimpleName();
        int end = FRONT + bytes.length;
        assertEquals(text + details.formatted(name, FRONT + at, value, FRONT, end), e.getMessage());
        assertEquals(FRONT + at, e.offset());
    }

    /// A table of zeros behind its vtable.
    private static RawBuffer table(int... slots) {
        return new RawBuffer(BYTES).offset(0, TABLE).table(TABLE, VTABLE).vtable(VTABLE, slots);
    }

    @Test
    void aMissingRootOffsetNamesTheLength() {
        refused("buffer length out of range", 0, 3, new Schema(), new RawBuffer(3));
    }

    @Test
    void aRootOffsetOutOfRangeNamesOffsetAndValue() {
        refused("offset to a table out of range", 0, 101, new Schema(), table().i32(0, 101));
        refused(
                "offset to a table out of range",
                0,
                4294967295L,
                new Message(),
                table().i32(0, -1));
    }

    @Test
    void aVtableOutOfRangeNamesOffsetAndValue() {
        refused("vtable out of range", TABLE, 14, new Footer(), table().table(TABLE, -2));
        refused("vtable out of range", TABLE, 121, new Message(), table().table(TABLE, BYTES + 1));
        refused("vtable size out of range", VTABLE, 102, new Schema(), table().u16(VTABLE, 102));
    }

    @Test
    void aSlotOutOfRangeNamesOffsetAndValue() {
        refused("slot 3 out of range", TABLE, 73, new Message(), table(0, 0, 0, 73));
    }

    @Test
    void aVectorOutOfRangeNamesOffsetAndValue() {
        refused(
                "offset out of range",
                TABLE + 8,
                69,
                new Message(),
                table(0, 0, 0, 0, 8).i32(TABLE + 8, 69));
        refused(
                "length out of range",
                TABLE + 12,
                4294967295L,
                new Message(),
                table(0, 0, 0, 0, 8).offset(TABLE + 8, TABLE + 12).i32(TABLE + 12, -1));
        refused(
                "length out of range",
                TABLE + 12,
                17,
                new Message(),
                table(0, 0, 0, 0, 8).offset(TABLE + 8, TABLE + 12).i32(TABLE + 12, 17));
    }
}
