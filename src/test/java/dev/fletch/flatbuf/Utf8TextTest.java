// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Texts and parts of texts against the JDK's encoder; hashes against numbers that another program
/// has worked out, in Python's integers of any length: they are kept in files.
class Utf8TextTest {
    private static final Class<IndexOutOfBoundsException> OUTSIDE = IndexOutOfBoundsException.class;
    private static final List<String> STRINGS = Texts.strings();

    @ParameterizedTest
    @CsvSource({
        "'', 0, 988d34059e2367cf",
        "a, 0, 3a418d578f319107",
        "exactly8, 1, aed1e0356ed2ac51",
        "column_17, 42, 39069cfb6b6841f8",
        "日本語🙂, -1, 39521117259e1e3a"
    })
    void hashesStayAsTheyAre(String text, long seed, String hash) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long ofText = Utf8Text.hash(text, 0, text.length(), seed);
        assertEquals(hash, Long.toHexString(ofText));
        assertEquals(ofText, Utf8Text.hash(bytes, 0, bytes.length, seed));
        Utf8Slice slice = new Utf8Slice();
        slice.bind(null, MemorySegment.ofArray(bytes), 0, bytes.length);
        assertEquals(ofText, Utf8Text.hash(slice, seed));
    }

    @Test
    void hashesOfAPartAreThoseOfItsBytes() {
        for (String text : STRINGS) {
            for (int from = 0; from <= text.length(); from += 1 + text.length() / 5) {
                for (int to = from; to <= text.length(); to++) {
                    byte[] part = Texts.utf8(text.substring(from, to));
                    if (part != null) {
                        byte[] around = Arrays.copyOf(part, part.length + 1);
                        long expected = Utf8Text.hash(around, 0, part.length, to);
                        assertEquals(expected, Utf8Text.hash(text, from, to, to));
                    }
                }
            }
        }
    }

    @Test
    void encodesAsTheJdkDoesOrNotAtAll() {
        for (String text : STRINGS) {
            byte[] expected = Texts.utf8(text);
            byte[] into = new byte[Utf8Text.maxBytes(text.length())];
            int bytes = Utf8Text.encode(text, into);
            if (expected == null) {
                assertEquals(-1, bytes);
                continue;
            }
            assertArrayEquals(expected, Arrays.copyOf(into, bytes));
            byte[] exact = new byte[bytes];
            assertEquals(bytes, Utf8Text.encode(text, exact));
            assertArrayEquals(expected, exact);
            for (int room = 0; room < bytes; room++) {
                assertEquals(-1, Utf8Text.encode(text, new byte[room]));
            }
        }
        assertEquals(3, Utf8Text.maxBytes(1));
        assertThrows(ArithmeticException.class, () -> Utf8Text.maxBytes(Integer.MAX_VALUE));
    }

    @Test
    void bytesEqualATextIfAndOnlyIfTheyAreItsEncoding() {
        List<byte[]> all = Texts.byteStrings();
        List<byte[]> encoded = STRINGS.stream().map(Texts::utf8).toList();
        for (byte[] bytes : all) {
            for (int i = 0; i < encoded.size(); i++) {
                String text = STRINGS.get(i);
                boolean expected = Arrays.equals(bytes, encoded.get(i));
                if (equal(bytes, 0, bytes.length, text, 0, text.length()) != expected) {
                    assertEquals(expected, !expected, Arrays.toString(bytes) + " " + text);
                }
            }
        }
    }

    /// What is around a part plays no role, not even the other half of a surrogate pair.
    @Test
    void partsEqualWhatTheyAreByThemselves() {
        for (String text : STRINGS) {
            byte[] whole = text.getBytes(StandardCharsets.UTF_8);
            for (int from = 0; from <= text.length(); from += 1 + text.length() / 5) {
                int at = text.substring(0, from).getBytes(StandardCharsets.UTF_8).length;
                for (int to = from; to <= text.length(); to++) {
                    byte[] part = Texts.utf8(text.substring(from, to));
                    for (int length = 0; length <= whole.length - at; length++) {
                        byte[] bytes = Arrays.copyOfRange(whole, at, at + length);
                        boolean expected = Arrays.equals(part, bytes);
                        if (equal(whole, at, length, text, from, to) != expected) {
                            assertEquals(expected, !expected, text + " " + from + " " + to);
                        }
                    }
                }
            }
        }
    }

    private static boolean equal(byte[] bytes, int at, int length, String text, int from, int to) {
        return Utf8Text.equals(bytes, at, length, text, from, to);
    }

    @Test
    void whatIsOutsideIsRefused() {
        byte[] bytes = {'a', 'b', 'c'};
        assertThrows(OUTSIDE, () -> Utf8Text.hash("abc", 1, 4, 0));
        assertThrows(OUTSIDE, () -> Utf8Text.hash("abc", -1, 2, 0));
        assertThrows(OUTSIDE, () -> Utf8Text.hash(bytes, 1, 3, 0));
        assertThrows(OUTSIDE, () -> equal(bytes, 1, 3, "abc", 0, 3));
        assertThrows(OUTSIDE, () -> equal(bytes, 0, 3, "abc", 0, 4));
        assertThrows(OUTSIDE, () -> equal(bytes, 0, 3, "abc", 2, 1));
    }
}
