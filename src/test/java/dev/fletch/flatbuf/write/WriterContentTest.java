// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.Texts;
import dev.fletch.flatbuf.Utf8Slice;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Texts that make trouble, in any memory, and numbers near their defaults.
class WriterContentTest {
    private final FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);

    // ---- texts

    @Test
    void textsAreWrittenAsTheOfficialBuilderDoesOrRefusedLikeThere() {
        int refused = 0;
        try (Arena arena = Arena.ofConfined()) {
            FlatBufferWriter direct = new FlatBufferWriter();
            MemorySegment memory = arena.allocate(512);
            for (String text : Texts.strings()) {
                FlatBufferBuilder official = new FlatBufferBuilder();
                if (Texts.utf8(text) == null) {
                    assertThrows(IllegalArgumentException.class, () -> official.createString(text));
                    assertRefused(text);
                    refused++;
                    continue;
                }
                official.finish(official.createString(text));
                writer.reset();
                writer.finish(writer.createString(text));
                assertArrayEquals(official.sizedByteArray(), writer.toByteArray());
                direct.wrap(memory);
                direct.finish(direct.createString(new StringBuilder(text)));
                assertArrayEquals(official.sizedByteArray(), direct.toByteArray());
            }
        }
        assertTrue(refused > 100, () -> "texts without an encoding");
    }

    private void assertRefused(String text) {
        writer.reset();
        IllegalArgumentException fault =
                assertThrows(IllegalArgumentException.class, () -> writer.createString(text));
        assertTrue(fault.getMessage().startsWith("unpaired surrogate: index="), fault::getMessage);
        assertEquals(0, writer.size(), "nothing is written");
    }

    @Test
    void theFaultNamesTheSurrogate() {
        IllegalArgumentException fault =
                assertThrows(
                        IllegalArgumentException.class, () -> writer.createString("a🙂\uDC00b"));
        assertEquals("unpaired surrogate: index=3, char=dc00, length=5", fault.getMessage());
    }

    /// A text that is another one when it is read again can do no harm.
    @Test
    void aTextThatChangesIsRefused() {
        for (String second : new String[] {"", "a", "ab€", "abcd", "€€€€", "🙂🙂", "éé"}) {
            byte[] memory = new byte[64];
            FlatBufferWriter small = new FlatBufferWriter().alignEmptyVectors(true);
            small.wrap(MemorySegment.ofArray(memory), 20, 20);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> small.createString(new Changing("aé€", second)));
            for (int i = 0; i < memory.length; i++) {
                assertTrue(memory[i] == 0 || (i >= 20 && i < 40));
            }
        }
    }

    /// Is another text from the second time on that it is asked for its length: measured, written.
    private static final class Changing implements CharSequence {
        private final String first;
        private final String second;
        private int reads;

        Changing(String first, String second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public int length() {
            return (reads++ < 1 ? first : second).length();
        }

        @Override
        public char charAt(int index) {
            return (reads <= 1 ? first : second).charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return first.subSequence(start, end);
        }
    }

    @Test
    void aSliceOfAnotherMessageIsCopied() {
        FlatBufferBuilder official = new FlatBufferBuilder();
        official.finish(official.createString("Größe"));
        byte[] utf8 = Texts.utf8("Größe");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(32);
            from.asSlice(7, utf8.length).copyFrom(MemorySegment.ofArray(utf8));
            MemorySegment into = arena.allocate(64);
            for (MemorySegment target :
                    new MemorySegment[] {
                        into,
                        MemorySegment.ofArray(new byte[64]),
                        MemorySegment.ofArray(new long[8])
                    }) {
                Utf8Slice slice = new Utf8Slice();
                slice.wrap(from, 7, utf8.length);
                FlatBufferWriter copying =
                        new FlatBufferWriter().alignEmptyVectors(true).wrap(target);
                copying.finish(copying.createString(slice));
                assertArrayEquals(official.sizedByteArray(), copying.toByteArray());
                slice.wrap(MemorySegment.ofArray(utf8), 0, utf8.length);
                copying.reset();
                copying.finish(copying.createString(slice));
                assertArrayEquals(official.sizedByteArray(), copying.toByteArray());
            }
        }
    }

    @Test
    void aRangeOfBytesIsCopied() {
        byte[] bytes = Texts.utf8("-Größe-");
        assertEquals(12, writer.createString(bytes, 1, bytes.length - 2));
        writer.finish(12);
        FlatBufferBuilder official = new FlatBufferBuilder();
        official.finish(official.createString("Größe"));
        assertArrayEquals(official.sizedByteArray(), writer.toByteArray());
    }

    // ---- numbers

    /// Of vectors that are copied to the target at once, and of those that are not.
    @Test
    void vectorsOfLongsAlignTheBuffer() {
        for (int longs : new int[] {1, 128, 129, 1_000}) {
            FlatBufferBuilder official = new FlatBufferBuilder();
            official.startTable(1);
            official.addShort(0, (short) 1, 0);
            official.endTable();
            official.startVector(Long.BYTES, longs, Long.BYTES);
            for (int i = longs; i > 0; i--) {
                official.addLong(0);
            }
            int vector = official.endVector();
            official.createString("abcdefg");
            official.finish(vector);
            FlatBufferWriter grown = new FlatBufferWriter();
            grown.startTable();
            grown.addNumber(0, Short.BYTES, 1, 0);
            grown.endTable();
            grown.createVector(new long[longs], 0, longs, 1);
            grown.createString("abcdefg");
            grown.finish(vector);
            assertArrayEquals(official.sizedByteArray(), grown.toByteArray());
        }
    }

    @Test
    void vectorsMayBeAlignedMoreThanTheirElements() {
        FlatBufferBuilder official = new FlatBufferBuilder();
        official.createString("x");
        official.startVector(1, 3, 32);
        writer.createString("x");
        writer.startVector(1, 3, 32);
        for (int i = 3; i > 0; i--) {
            official.addByte((byte) i);
            writer.pushNumber(Byte.BYTES, i);
        }
        official.finish(official.endVector());
        writer.finish(writer.endVector());
        assertArrayEquals(official.sizedByteArray(), writer.toByteArray());
    }

    /// Only what is written counts: a number is the default if its lowest bits are.
    @Test
    void theLowestBitsDecideWhetherANumberIsTheDefault() {
        writer.startTable();
        writer.addNumber(0, Byte.BYTES, 0x100, 0);
        writer.addNumber(1, Byte.BYTES, 0xFF, -1);
        writer.addNumber(2, Short.BYTES, 0x10000, 0);
        writer.addNumber(3, Short.BYTES, -1, 0xFFFF);
        writer.addNumber(4, Byte.BYTES, 1, 1);
        writer.addNumber(5, Byte.BYTES, 0, 0);
        writer.endTable();
        assertEquals(8, writer.size(), "an empty table and its vtable");
        writer.startTable();
        writer.addNumber(0, Byte.BYTES, 0x1FF, 0);
        writer.addNumber(1, Short.BYTES, 0x1FFFE, 0);
        writer.addNumber(2, Byte.BYTES, 0, 1);
        writer.finish(writer.endTable());
        FlatBufferBuilder official = new FlatBufferBuilder();
        official.startTable(0);
        official.endTable();
        official.startTable(3);
        official.addByte(0, (byte) 0xFF, 0);
        official.addShort(1, (short) 0xFFFE, 0);
        official.addBoolean(2, false, true);
        official.finish(official.endTable());
        assertArrayEquals(official.sizedByteArray(), writer.toByteArray());
    }

    /// Also in used memory, if the struct has more bytes than its alignment needs.
    @Test
    void paddingAfterAStructIsZero() {
        for (int more = 1; more < Long.BYTES; more++) {
            byte[] used = new byte[512];
            Arrays.fill(used, (byte) -1);
            assertArrayEquals(tableWithStruct(new byte[512], more), tableWithStruct(used, more));
        }
    }

    private byte[] tableWithStruct(byte[] target, int more) {
        writer.wrap(MemorySegment.ofArray(target));
        writer.startTable();
        writer.startStruct(Long.BYTES + more, 1);
        writer.pushPadding(more);
        writer.pushNumber(Long.BYTES, 1);
        writer.endStruct(0);
        writer.addNumber(1, Long.BYTES, 2, 0);
        writer.finish(writer.endTable());
        return writer.toByteArray();
    }
}
