// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Strings where they lie, held against [String] and its bytes, in every kind of memory.
class Utf8SliceTest {
    private static final List<String> STRINGS = Texts.strings();
    private static final List<byte[]> BYTES = Texts.byteStrings();
    private static final byte[] CONTENT = Texts.schema(BYTES);

    /// What each of [#STRINGS] is in UTF-8, null for those that are nothing in it.
    private static final List<byte[]> ENCODED = STRINGS.stream().map(Texts::utf8).toList();

    /// Runs a test with the slices of one memory; slice `i` has the bytes `BYTES.get(i)`.
    private static void overAllMemories(Consumer<Schema> test) {
        for (SegmentBacking backing : Memories.segments()) {
            if (backing.name().contains("GiB")) {
                continue; // Where it cannot be had it would skip the rest.
            }
            try (PlacedSegment placed = backing.place(CONTENT)) {
                MemorySegment memory = placed.segment();
                test.accept(new Schema().wrap(memory, placed.offset(), placed.length()));
            } catch (AssertionError e) {
                throw new AssertionError("in a segment: " + backing, e);
            }
        }
        for (BufferBacking backing : Memories.buffers()) {
            try (PlacedBuffer placed = backing.place(CONTENT)) {
                test.accept(new Schema().wrap(placed.buffer()));
            } catch (AssertionError e) {
                throw new AssertionError("in a byte buffer: " + backing, e);
            }
        }
    }

    private static void overAllSlices(BiConsumer<Utf8Slice, byte[]> test) {
        overAllMemories(
                schema -> {
                    for (int i = 0; i < BYTES.size(); i++) {
                        test.accept(slice(schema, i), BYTES.get(i).clone());
                    }
                });
    }

    private static Utf8Slice slice(Schema schema, int index) {
        Utf8Slice slice = new Utf8Slice();
        assertTrue(schema.customMetadata(index, new KeyValue()).key(slice));
        return slice;
    }

    private static Utf8Slice[] slices(Schema schema) {
        Utf8Slice[] slices = new Utf8Slice[BYTES.size()];
        Arrays.setAll(slices, i -> slice(schema, i));
        return slices;
    }

    /// A slice equals a text if and only if its bytes are the text's encoding. A text with an
    /// unpaired surrogate has none, and bytes that are no UTF-8 are nobody's.
    @Test
    void aSliceEqualsExactlyTheTextThatItEncodes() {
        overAllMemories(
                schema -> {
                    Utf8Slice[] slices = slices(schema);
                    for (int i = 0; i < slices.length; i++) {
                        for (int k = 0; k < STRINGS.size(); k++) {
                            boolean expected = Arrays.equals(BYTES.get(i), ENCODED.get(k));
                            if (slices[i].contentEquals(STRINGS.get(k)) != expected) {
                                assertEquals(expected, !expected, describe(i, k));
                            }
                        }
                    }
                });
    }

    private static String describe(int bytes, int text) {
        return HexFormat.of().formatHex(BYTES.get(bytes))
                + " with the text "
                + STRINGS.get(text).codePoints().mapToObj(Integer::toHexString).toList();
    }

    /// The comparison of a flyweight's own string is the same.
    @Test
    void fieldsEqualWhatTheirSlicesEqual() {
        Schema schema = new Schema().wrap(MemorySegment.ofArray(CONTENT));
        KeyValue pair = new KeyValue();
        for (int i = 0; i < BYTES.size(); i++) {
            schema.customMetadata(i, pair);
            for (int k = 0; k < STRINGS.size(); k++) {
                boolean expected = Arrays.equals(BYTES.get(i), ENCODED.get(k));
                if (pair.keyEquals(STRINGS.get(k)) != expected) {
                    assertEquals(expected, !expected, describe(i, k));
                }
            }
            assertEquals(BYTES.get(i).length, pair.keyLength());
            assertEquals(new String(BYTES.get(i), StandardCharsets.UTF_8), pair.keyString());
        }
    }

    @Test
    void anyCharSequenceIsCompared() {
        Schema schema = new Schema().wrap(MemorySegment.ofArray(CONTENT));
        for (int i = 0; i < BYTES.size(); i++) {
            String text = new String(BYTES.get(i), StandardCharsets.UTF_8);
            boolean expected = Arrays.equals(BYTES.get(i), text.getBytes(StandardCharsets.UTF_8));
            Utf8Slice slice = slice(schema, i);
            assertEquals(expected, slice.contentEquals(text));
            assertEquals(expected, slice.contentEquals(new StringBuilder(text)));
            CharBuffer inside = CharBuffer.wrap("<" + text + ">", 1, 1 + text.length());
            assertEquals(expected, slice.contentEquals(inside));
        }
    }

    @Test
    void bytesAndTextAreThoseOfTheBuffer() {
        overAllSlices(
                (slice, bytes) -> {
                    assertEquals(bytes.length, slice.length());
                    assertArrayEquals(bytes, slice.toByteArray());
                    for (int k = 0; k < bytes.length; k++) {
                        assertEquals(bytes[k], slice.byteAt(k));
                    }
                    assertEquals(new String(bytes, StandardCharsets.UTF_8), slice.toString());
                    assertTrue(slice.contentEquals(bytes, 0, bytes.length));
                });
    }

    @Test
    void indexesOutsideAreRefused() {
        overAllSlices(
                (slice, bytes) -> {
                    for (int index : new int[] {-1, bytes.length, 1 << 30, Integer.MIN_VALUE}) {
                        assertThrows(IndexOutOfBoundsException.class, () -> slice.byteAt(index));
                    }
                });
    }

    /// Bytes that differ in one place, or in length, are not equal.
    @Test
    void aSliceEqualsOnlyItsOwnBytes() {
        overAllSlices(
                (slice, bytes) -> {
                    for (int k = 0; k < bytes.length; k++) {
                        bytes[k] ^= 1;
                        assertFalse(slice.contentEquals(bytes, 0, bytes.length));
                        bytes[k] ^= 1;
                    }
                    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
                    assertFalse(slice.contentEquals(longer, 0, bytes.length + 1));
                    if (bytes.length > 0) {
                        assertFalse(slice.contentEquals(bytes, 0, bytes.length - 1));
                    }
                });
    }

    /// Slices of different memory are equal, and have the same hash, just when their bytes are.
    @Test
    void equalityAndHashAreThoseOfTheBytesInAnyMemory() {
        Utf8Slice[] inArray = slices(new Schema().wrap(MemorySegment.ofArray(CONTENT)));
        Set<String> contents = new HashSet<>();
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; i < inArray.length; i++) {
            contents.add(Arrays.toString(BYTES.get(i)));
            hashes.add(inArray[i].hashCode());
        }
        assertTrue(hashes.size() >= contents.size() - 1, "hashes collide: " + hashes.size());
        overAllMemories(
                schema -> {
                    Utf8Slice[] slices = slices(schema);
                    for (int i = 0; i < slices.length; i++) {
                        assertEquals(inArray[i].hashCode(), slices[i].hashCode());
                        for (int k = 0; k < slices.length; k++) {
                            boolean same = Arrays.equals(BYTES.get(i), BYTES.get(k));
                            if (same != slices[i].equals(inArray[k])
                                    || same != inArray[k].equals(slices[i])) {
                                assertEquals(same, !same, i + " with " + k);
                            }
                        }
                    }
                });
        assertNotEquals(inArray[0], BYTES.get(0));
        assertFalse(inArray[0].equals(null));
    }

    @Test
    void bytesAreCopiedToArrays() {
        overAllSlices(
                (slice, bytes) -> {
                    byte[] into = new byte[bytes.length + 5];
                    Arrays.fill(into, (byte) 0x77);
                    byte[] expected = into.clone();
                    System.arraycopy(bytes, 0, expected, 3, bytes.length);
                    assertEquals(bytes.length, slice.copyTo(into, 3));
                    assertArrayEquals(expected, into);
                    for (int at : new int[] {-1, 6, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                        assertThrows(IndexOutOfBoundsException.class, () -> slice.copyTo(into, at));
                    }
                    assertArrayEquals(expected, into);
                });
    }

    @Test
    void bytesAreCopiedToSegments() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment[] targets = {
                arena.allocate(300),
                MemorySegment.ofArray(new byte[300]),
                MemorySegment.ofArray(new long[40]).asSlice(7)
            };
            overAllMemories(
                    schema -> {
                        for (int i = 0; i < BYTES.size(); i++) {
                            assertCopies(slice(schema, i), BYTES.get(i), targets[i % 3]);
                        }
                    });
        }
    }

    private static void assertCopies(Utf8Slice slice, byte[] bytes, MemorySegment into) {
        into.fill((byte) 0x77);
        assertEquals(bytes.length, slice.copyTo(into, 5));
        byte[] expected = new byte[(int) into.byteSize()];
        Arrays.fill(expected, (byte) 0x77);
        System.arraycopy(bytes, 0, expected, 5, bytes.length);
        assertArrayEquals(expected, into.toArray(ValueLayout.JAVA_BYTE));
        for (long at : new long[] {-1, into.byteSize() - bytes.length + 1, Long.MAX_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> slice.copyTo(into, at));
        }
        assertArrayEquals(expected, into.toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void aNewSliceIsEmpty() {
        Utf8Slice slice = new Utf8Slice();
        assertEquals(0, slice.length());
        assertEquals("", slice.toString());
        assertTrue(slice.contentEquals(""));
        assertFalse(slice.contentEquals("a"));
        assertTrue(slice.contentEquals(new byte[0], 0, 0));
        assertEquals(0, slice.toByteArray().length);
        assertEquals(0, slice.copyTo(new byte[0], 0));
        assertEquals(0, slice.copyTo(MemorySegment.NULL, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> slice.byteAt(0));
        assertEquals(new Utf8Slice(), slice);
        overAllMemories(
                schema -> {
                    Utf8Slice empty = slice(schema, 0);
                    assertEquals(0, empty.length());
                    assertEquals(slice, empty);
                    assertEquals(slice.hashCode(), empty.hashCode());
                });
    }

    /// It goes on to show the same bytes when its flyweight is bound to others.
    @Test
    void aSliceOutlivesItsFlyweight() {
        Schema schema = new Schema().wrap(MemorySegment.ofArray(CONTENT));
        KeyValue pair = schema.customMetadata(5, new KeyValue());
        Utf8Slice slice = new Utf8Slice();
        assertTrue(pair.key(slice));
        schema.customMetadata(9, pair);
        schema.wrap(MemorySegment.ofArray(Texts.schema(List.of())));
        assertArrayEquals(BYTES.get(5), slice.toByteArray());
    }

    @Test
    void anAbsentStringLeavesTheSliceUnchanged() {
        Schema schema = new Schema().wrap(MemorySegment.ofArray(CONTENT));
        KeyValue pair = schema.customMetadata(5, new KeyValue());
        Utf8Slice slice = new Utf8Slice();
        assertTrue(pair.key(slice));
        assertFalse(pair.value(slice));
        assertArrayEquals(BYTES.get(5), slice.toByteArray());
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void changedBytesAreSeen(SegmentBacking backing) {
        try (PlacedSegment placed = backing.place(Texts.schema(List.of(new byte[] {'a', 'b'})))) {
            MemorySegment memory = placed.segment();
            Schema schema = new Schema().wrap(memory, placed.offset(), placed.length());
            Utf8Slice slice = slice(schema, 0);
            byte[] content = placed.content();
            long at =
                    placed.offset()
                            + new String(content, StandardCharsets.ISO_8859_1).indexOf("ab");
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) 'x');
            assertEquals("xb", slice.toString());
        }
    }
}
