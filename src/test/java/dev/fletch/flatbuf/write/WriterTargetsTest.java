// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.wire.Wire;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/// A buffer that has one of everything, so long that numbers are copied in bulk as well, in each kind
/// of memory: first in a part of one, then in that whole memory again, which is full of it.
class WriterTargetsTest {
    private static final String TEXT = "Größe";
    private static final byte[] UTF8 = TEXT.getBytes(StandardCharsets.UTF_8);
    private static final int[] COUNTS = {0, 1, Wire.FEW_LONGS, Wire.FEW_LONGS + 1, 300};

    private static final long[] LONGS = new Random(3).longs(400).toArray();
    private static final int[] INTS = new Random(4).ints(400).toArray();

    private final FlatBufferWriter writer = new FlatBufferWriter(Dialect.JAVA);

    // ---- the same twice

    private static byte[] official() {
        FlatBufferBuilder to = new FlatBufferBuilder();
        int text = 0;
        for (int i = 0; i < 4; i++) {
            text = to.createString(TEXT);
        }
        for (int count : COUNTS) {
            to.startVector(8, count, 8);
            for (int i = count; i > 0; i--) {
                to.addLong(LONGS[i]);
            }
            to.endVector();
            to.startVector(4, count, 4);
            for (int i = count; i > 0; i--) {
                to.addInt(INTS[i]);
            }
            to.endVector();
            to.startVector(16, count / 2, 8);
            for (int i = count / 2 * 2; i > 0; i--) {
                to.addLong(LONGS[i]);
            }
            to.endVector();
        }
        to.startVector(1, 3, 32);
        to.addByte((byte) 3);
        to.addByte((byte) 2);
        to.addByte((byte) 1);
        to.endVector();
        to.startTable(2);
        to.addInt(0, -7, 0);
        to.addOffset(1, text, 0);
        int root = to.endTable();
        to.finish(root);
        return to.sizedByteArray();
    }

    private void write() {
        Utf8Slice slice = new Utf8Slice();
        slice.wrap(MemorySegment.ofArray(UTF8), 0, UTF8.length);
        writer.createString(TEXT);
        writer.createString(new StringBuilder(TEXT));
        writer.createString(new Utf8Slice().wrap(MemorySegment.ofArray(UTF8), 0, UTF8.length));
        int text = writer.createString(slice);
        for (int count : COUNTS) {
            writer.createVector(LONGS, 1, count);
            writer.createVector(INTS, 1, count);
            writer.createStructVector(LONGS, 1, count / 2, 2);
        }
        writer.startVector(1, 3, 32);
        writer.pushInt8(3);
        writer.pushInt8(2);
        writer.pushInt8(1);
        writer.endVector();
        writer.startTable();
        writer.addInt32(0, -7, 0);
        writer.addOffset(1, text);
        int root = writer.endTable();
        writer.finish(root);
    }

    // ---- where to

    private void assertWritten(byte[] expected) {
        assertEquals(expected.length, writer.length());
        assertArrayEquals(expected, writer.toByteArray());
        long at = writer.offset();
        if (writer.target().byteSize() >= at + expected.length) {
            MemorySegment found = writer.target().asSlice(at, expected.length);
            assertArrayEquals(expected, found.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void segmentsOfAllKindsAreTargets(SegmentBacking backing) {
        byte[] expected = official();
        byte[] full = new byte[expected.length + 40];
        Arrays.fill(full, (byte) 0xEE);
        try (PlacedSegment placed = backing.place(full)) {
            writer.wrap(placed.segment(), placed.offset() + 32, expected.length);
            write();
            assertWritten(expected);
            assertEquals(placed.offset() + 32, writer.offset());
            assertTrue(placed.surroundingsIntact());
            writer.wrap(placed.segment(), placed.offset(), placed.length());
            write();
            assertWritten(expected);
            assertEquals(placed.offset() + 40, writer.offset());
            assertTrue(placed.surroundingsIntact());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableBuffers")
    void inByteBuffers(BufferBacking backing) {
        writer.wrap(MemorySegment.ofArray(new byte[7]));
        byte[] expected = official();
        byte[] full = new byte[expected.length + 40];
        Arrays.fill(full, (byte) 0xEE);
        try (PlacedBuffer placed = backing.place(full)) {
            int position = placed.buffer().position();
            for (int round = 0; round < 2; round++) {
                assertSame(writer, writer.wrap(placed.buffer()));
                write();
                byte[] content = placed.content();
                assertArrayEquals(expected, Arrays.copyOfRange(content, 40, content.length));
                assertArrayEquals(expected, writer.toByteArray());
                assertEquals(position + 40, writer.offset());
            }
        }
    }

    /// A target that grows on its way, from each kind of memory to heap memory.
    @Test
    void inMemoryThatGrows() {
        writer.growWith((bytes, _) -> MemorySegment.ofArray(new byte[(int) bytes]));
        byte[] expected = official();
        for (SegmentBacking backing : Memories.writableSegments()) {
            for (int size : new int[] {0, 50, expected.length / 3, expected.length - 1}) {
                try (PlacedSegment placed = backing.place(new byte[size])) {
                    writer.wrap(placed.segment(), placed.offset(), size);
                    write();
                    assertWritten(expected);
                    assertTrue(placed.surroundingsIntact());
                }
            }
        }
    }

    @AfterEach
    void namesItsDialect() {
        assertEquals(Dialect.JAVA, writer.dialect());
    }
}
