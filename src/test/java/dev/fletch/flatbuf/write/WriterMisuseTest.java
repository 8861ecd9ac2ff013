// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.Utf8Slice;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Calls that are out of order are refused, each by an error that says what is wrong.
class WriterMisuseTest {
    private static final String TABLE = "a table is open";
    private static final String STRUCT = "a struct is open";
    private static final String VECTOR = "a vector is open";
    private static final String NOTHING = "no object is open";
    private static final String FINISHED = "finished; call reset or wrap first";

    private final FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);

    private static void refused(
            Class<? extends RuntimeException> type, String message, Executable call) {
        assertEquals(message, assertThrows(type, call).getMessage());
    }

    private static void illegalState(String message, Executable call) {
        refused(IllegalStateException.class, message, call);
    }

    private static void outOfOrder(String name, String state, Executable call) {
        illegalState("call out of order: call=" + name + ", state=" + state, call);
    }

    private static void badArgument(String message, Executable call) {
        refused(IllegalArgumentException.class, message, call);
    }

    private static void noObject(int offset, int last, Executable call) {
        String text = "no object begins at offset: offset=%d, last=%d, alignment=4";
        badArgument(text.formatted(offset, last), call);
    }

    /// Whatever went wrong before, a writer that begins anew writes what it should.
    private void assertUsable() {
        byte[] expected = WriterOfficial.write(WriterScripts.random(5));
        assertArrayEquals(expected, WriterReplay.write(writer.reset(), WriterScripts.random(5)));
    }

    @Test
    void nestedObjectsAreRefused() {
        writer.startTable();
        outOfOrder("startTable", TABLE, writer::startTable);
        outOfOrder("startVector", TABLE, () -> writer.startVector(4, 1, 4));
        outOfOrder("startVector", TABLE, () -> writer.createVector(new long[1], 0, 1, 1));
        outOfOrder("startVector", TABLE, () -> writer.createVector(new long[999], 0, 999, 1));
        outOfOrder("startVector", TABLE, () -> writer.createOffsetVector(new int[] {-1}, 0, 1));
        outOfOrder("createString", TABLE, () -> writer.createString("x"));
        outOfOrder("createString", TABLE, () -> writer.createString(new Utf8Slice()));
        outOfOrder("createString", TABLE, () -> writer.createString(new byte[1], 0, 1));
        outOfOrder("align", TABLE, () -> writer.align(8));
        outOfOrder("endVector", TABLE, writer::endVector);
        outOfOrder("endStruct", TABLE, () -> writer.endStruct(0));
        outOfOrder("push", TABLE, () -> writer.pushNumber(Long.BYTES, 1));
        outOfOrder("finish", TABLE, () -> writer.finish(4));
        writer.startStruct(8, 8);
        outOfOrder("startStruct", STRUCT, () -> writer.startStruct(8, 8));
        outOfOrder("endTable", STRUCT, writer::endTable);
        outOfOrder("add", STRUCT, () -> writer.addNumber(1, Byte.BYTES, 1, 0));
        assertUsable();
        writer.reset().startVector(4, 1, 4);
        outOfOrder("startVector", VECTOR, () -> writer.startVector(4, 1, 4));
        outOfOrder("startTable", VECTOR, writer::startTable);
        outOfOrder("add", VECTOR, () -> writer.addNumber(1, Byte.BYTES, 1, 0));
        assertUsable();
    }

    @Test
    void endingWithoutAStartIsRefused() {
        outOfOrder("endTable", NOTHING, writer::endTable);
        outOfOrder("endVector", NOTHING, writer::endVector);
        outOfOrder("endStruct", NOTHING, () -> writer.endStruct(0));
        outOfOrder("startStruct", NOTHING, () -> writer.startStruct(8, 8));
        outOfOrder("add", NOTHING, () -> writer.addNumber(0, Integer.BYTES, 7, 0));
        outOfOrder("add", NOTHING, () -> writer.addNumber(0, Integer.BYTES, 0, 0));
        outOfOrder("add", NOTHING, () -> writer.addOffset(0, 0));
        outOfOrder("push", NOTHING, () -> writer.pushNumber(Integer.BYTES, 1));
        assertUsable();
    }

    @Test
    void tablesHaveEightSlots() {
        writer.startTable();
        assertThrows(IndexOutOfBoundsException.class, () -> writer.addNumber(-1, Byte.BYTES, 1, 0));
        for (int value = 0; value < 2; value++) { // the default, too
            int number = value;
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> writer.addNumber(8, Byte.BYTES, number, 0));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> writer.addOffset(8, 0));
        writer.addNumber(7, Byte.BYTES, 1, 0);
        writer.finish(writer.endTable());
        FlatBufferBuilder official = new FlatBufferBuilder();
        official.startTable(8);
        official.addByte(7, (byte) 1, 0);
        official.finish(official.endTable());
        assertArrayEquals(official.sizedByteArray(), writer.toByteArray());
    }

    @Test
    void structsNeedFreeSlots() {
        writer.startTable();
        writer.addNumber(0, Byte.BYTES, 1, 0);
        writer.startStruct(4, 4);
        writer.pushPadding(4);
        illegalState("slot is already set: slot=0", () -> writer.endStruct(0));
        assertUsable();
    }

    @Test
    void numbersHaveOneTwoFourOrEightBytes() {
        for (int bytes : new int[] {0, 3, 5, 6, 16, -8, Integer.MIN_VALUE}) {
            String message = "not a size of numbers: bytes=" + bytes;
            writer.reset().startVector(8, 2, 8);
            badArgument(message, () -> writer.pushNumber(bytes, 0));
            writer.reset().startTable();
            badArgument(message, () -> writer.addNumber(0, bytes, 1, 0));
            writer.addNumber(0, Byte.BYTES, 1, 0); // the refused call has left no trace
        }
        assertUsable();
    }

    @Test
    void aFinishedBufferCannotBeWritten() {
        writer.startTable();
        int root = writer.endTable();
        for (Executable read :
                new Executable[] {
                    writer::offset, writer::length, writer::segment, writer::toByteArray
                }) {
            assertThrows(IllegalStateException.class, read);
        }
        outOfOrder("length", NOTHING, writer::length);
        badArgument("offset out of the written bytes: offset=0, size=8", () -> writer.finish(0));
        badArgument("offset out of the written bytes: offset=9, size=8", () -> writer.finish(9));
        writer.finish(root);
        assertEquals(12, writer.length());
        outOfOrder("finish", FINISHED, () -> writer.finish(root));
        outOfOrder("startTable", FINISHED, writer::startTable);
        outOfOrder("createString", FINISHED, () -> writer.createString("x"));
        assertEquals(12, writer.length());
        assertUsable();
    }

    @Test
    void offsetsToUnwrittenBytesAreRefused() {
        writer.createString("x");
        int size = writer.size();
        writer.startTable();
        badArgument(
                "offset out of the written bytes: offset=" + (size + 1) + ", size=" + size,
                () -> writer.addOffset(0, size + 1));
        badArgument(
                "offset out of the written bytes: offset=-1, size=" + size,
                () -> writer.addOffset(1, -1));
        assertUsable();
        writer.reset();
        assertThrows(
                IllegalArgumentException.class,
                () -> writer.createOffsetVector(new int[] {0}, 0, 1));
        assertUsable();
    }

    /// Objects begin at multiples of 4 from the end, and before what is open.
    @Test
    void offsetsToNoObjectAreRefused() {
        int text = writer.createString("abc");
        for (int wrong = 1; wrong < text; wrong++) {
            int offset = wrong;
            if (wrong % 4 != 0) {
                noObject(wrong, 8, () -> writer.finish(offset));
            }
        }
        writer.startTable();
        writer.addNumber(0, Long.BYTES, 7, 0);
        int inside = writer.size();
        noObject(inside, 8, () -> writer.addOffset(1, inside));
        noObject(2, 8, () -> writer.addOffset(1, 2));
        writer.addOffset(1, text); // the refused calls have left no trace
        int table = writer.endTable();
        writer.startVector(4, 1, 4);
        outOfOrder("add", VECTOR, () -> writer.addOffset(0, table));
        writer.pushNumber(4, 1);
        writer.endVector();
        writer.finish(table);
        assertUsable();
    }

    @Test
    void aVectorNeedsItsAnnouncedElements() {
        writer.startVector(8, 2, 8);
        writer.pushNumber(Long.BYTES, 1);
        illegalState("too few bytes pushed: missing=8, state=a vector is open", writer::endVector);
        writer.pushNumber(Integer.BYTES, 1);
        illegalState(
                "too many bytes pushed: left=4, pushed=8, state=a vector is open",
                () -> writer.pushNumber(Long.BYTES, 1));
        writer.pushPadding(4);
        illegalState(
                "too many bytes pushed: left=0, pushed=1, state=a vector is open",
                () -> writer.pushNumber(Byte.BYTES, 1));
        writer.endVector();
        writer.startTable();
        writer.startStruct(16, 8);
        writer.pushNumber(Long.BYTES, 1);
        illegalState(
                "too few bytes pushed: missing=8, state=a struct is open",
                () -> writer.endStruct(0));
        assertUsable();
    }

    @Test
    void elementsAndPaddingMayHaveNoBytes() {
        writer.startVector(4, 2, 4);
        writer.pushNumber(Integer.BYTES, 2);
        writer.pushPadding(0);
        writer.pushNumber(Integer.BYTES, 1);
        writer.finish(writer.endVector());
        byte[] padded = writer.toByteArray();
        writer.reset().finish(writer.createVector(new int[] {1, 2}, 0, 2));
        assertArrayEquals(writer.toByteArray(), padded);
        writer.reset().finish(writer.createVector(new long[0], 0, 0, 0));
        byte[] empty = writer.toByteArray();
        writer.reset().finish(writer.createVector(new long[0], 0, 0, 1));
        assertArrayEquals(writer.toByteArray(), empty);
        writer.reset().startVector(0, 0, 8);
        writer.finish(writer.endVector());
        assertArrayEquals(writer.toByteArray(), empty);
    }

    @Test
    void invalidSizesAreRefused() {
        badArgument(
                "negative vector size: elementBytes=-1, elements=1",
                () -> writer.startVector(-1, 1, 1));
        badArgument(
                "negative vector size: elementBytes=1, elements=-1",
                () -> writer.startVector(1, -1, 1));
        badArgument(
                "negative vector size: elementBytes=-16, elements=-1",
                () -> writer.createVector(new long[2], 0, -1, -2));
        badArgument(
                "negative vector size: elementBytes=0, elements=-1",
                () -> writer.createVector(new long[2], 0, -1, 0));
        badArgument(
                "negative vector size: elementBytes=-8, elements=0",
                () -> writer.createVector(new long[2], 0, 0, -1));
        for (int alignment : new int[] {0, 3, -8, Integer.MIN_VALUE}) {
            badArgument(
                    "alignment is not a power of two: alignment=" + alignment,
                    () -> writer.startVector(1, 1, alignment));
            badArgument(
                    "alignment is not a power of two: alignment=" + alignment,
                    () -> writer.align(alignment));
        }
        writer.startTable();
        badArgument("struct size not positive: bytes=0", () -> writer.startStruct(0, 1));
        badArgument("struct size not positive: bytes=-8", () -> writer.startStruct(-8, 1));
        badArgument("alignment is not a power of two: alignment=6", () -> writer.startStruct(8, 6));
        assertUsable();
        writer.reset();
        illegalState(
                "buffer too large: written=0, more=17179869180, limit=2147483646",
                () -> writer.startVector(8, Integer.MAX_VALUE, 8));
        assertUsable();
        Class<IndexOutOfBoundsException> range = IndexOutOfBoundsException.class;
        assertThrows(range, () -> writer.reset().createVector(new long[3], 2, 2, 1));
        assertThrows(range, () -> writer.createVector(new int[3], -1, 2));
        assertThrows(range, () -> writer.createVector(new long[3], 0, 2, 2));
        assertThrows(range, () -> writer.createVector(new long[3], 0, 1 << 30, 1 << 30));
        assertThrows(range, () -> writer.createOffsetVector(new int[3], 0, 4));
        assertThrows(range, () -> writer.wrap(MemorySegment.ofArray(new byte[3]), 1, 3));
        assertEquals(0, new FlatBufferWriter().size());
    }

    @Test
    void tablesOver64KiBAreRefused() {
        for (int bytes : new int[] {65531, 65532}) {
            writer.reset().startTable();
            writer.startStruct(bytes, 1);
            writer.pushPadding(bytes);
            writer.endStruct(0);
            if (bytes == 65531) {
                writer.addNumber(1, Byte.BYTES, 1, 0); // 65536 with the way to the vtable
            }
            illegalState("table is too large: bytes=65536, limit=65535", writer::endTable);
        }
        writer.reset().startTable();
        writer.startStruct(65528, 1);
        writer.pushPadding(65528);
        writer.endStruct(0);
        writer.finish(writer.endTable());
        assertUsable();
    }

    @Test
    void readOnlyTargetsAreRefused() {
        MemorySegment heap = MemorySegment.ofArray(new byte[8]).asReadOnly();
        ByteBuffer buffer = ByteBuffer.allocateDirect(8).asReadOnlyBuffer();
        badArgument("target is read-only", () -> writer.wrap(heap));
        badArgument("target is read-only", () -> writer.wrap(buffer));
        assertUsable();
        badArgument(
                "target is read-only",
                () ->
                        new FlatBufferWriter()
                                .alignEmptyVectors(true)
                                .growWith(
                                        (bytes, _) ->
                                                MemorySegment.ofArray(new byte[(int) bytes])
                                                        .asReadOnly())
                                .createString("x"));
    }

    @Test
    void freedMemoryIsRefused() {
        FlatBufferWriter other = new FlatBufferWriter().alignEmptyVectors(true);
        try (Arena arena = Arena.ofConfined()) {
            other.wrap(arena.allocate(64));
            other.createString("x");
        }
        assertThrows(IllegalStateException.class, () -> other.createString("y"));
        other.wrap(MemorySegment.ofArray(new byte[64])).createString("z");
    }

    /// What the official builders leave open when defaults are forced: an absent child.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAbsentOffsetIsNeverWritten(boolean aligns) {
        FlatBufferWriter forced =
                new FlatBufferWriter().alignEmptyVectors(aligns).forceDefaults(true);
        forced.startTable();
        forced.addOffset(0, 0);
        forced.finish(forced.endTable());
        writer.startTable();
        writer.finish(writer.endTable());
        assertArrayEquals(writer.toByteArray(), forced.toByteArray());
        FlatBufferBuilder official = new FlatBufferBuilder().forceDefaults(true);
        official.startTable(1);
        official.addOffset(0, 0, 0);
        official.finish(official.endTable());
        assertTrue(
                !Arrays.equals(forced.toByteArray(), official.sizedByteArray()),
                "flatbuffers-java has learnt it: the exception can go");
    }
}
