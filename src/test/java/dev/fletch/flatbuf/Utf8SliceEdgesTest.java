// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Slices whose bytes are the last ones of their memory, or have others around them.
class Utf8SliceEdgesTest {
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Utf8Slice slice(byte[] bytes, int at, int length) {
        Utf8Slice slice = new Utf8Slice();
        slice.bind(bytes, null, at, length);
        return slice;
    }

    /// Texts that begin with what the slice has, and bytes that are cut off within a character:
    /// what is read behind the last byte is no memory.
    @Test
    void comparingReadsNothingBehindTheLastByte() {
        try (Arena arena = Arena.ofConfined()) {
            for (String text : List.of("éa", "éaé", "aé", "€", "a€", "🙂", "€🙂", "🙂🙂x")) {
                byte[] whole = utf8(text);
                for (int length = 0; length <= whole.length; length++) {
                    byte[] bytes = Arrays.copyOf(whole, length);
                    boolean expected = length == whole.length;
                    assertEquals(expected, slice(bytes, 0, length).contentEquals(text));
                    Utf8Slice inSegment = new Utf8Slice();
                    MemorySegment segment =
                            arena.allocate(length).copyFrom(MemorySegment.ofArray(bytes));
                    inSegment.bind(null, segment, 0, length);
                    assertEquals(expected, inSegment.contentEquals(text));
                    assertFalse(inSegment.contentEquals(text + "é"));
                    assertFalse(inSegment.contentEquals(text + "a"));
                }
            }
        }
    }

    @Test
    void surroundingBytesDoNotChangeTheHash() {
        Random random = new Random(41);
        for (int length = 0; length < 70; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            int hash = slice(bytes, 0, length).hashCode();
            for (int at = 0; at < 20; at++) {
                byte[] around = new byte[at + length + 20];
                random.nextBytes(around);
                System.arraycopy(bytes, 0, around, at, length);
                assertEquals(hash, slice(around, at, length).hashCode());
            }
        }
    }

    @Test
    void hashCodesOfSimilarNamesDiffer() {
        int names = 100_000;
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; i < names; i++) {
            byte[] name = utf8("a_column_with_a_longer_name_" + i);
            hashes.add(slice(name, 0, name.length).hashCode());
        }
        // By chance, one or two are equal.
        assertTrue(hashes.size() > names - 20, "of " + names + " only " + hashes.size());
    }
}
