// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.wire.Utf8;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Hashes of names.
class NameIndexTest {
    private static final List<String> TEXTS =
            List.of("", "a", "exactly8", "nine9nine", "Größe", "日本語", "🙂🙂🙂", "a\0b\0", "\0");

    @Test
    void textsHaveTheHashOfTheirBytes() {
        for (String text : TEXTS) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            byte[] around = ("x" + text + "yz").getBytes(StandardCharsets.UTF_8);
            for (long seed : new long[] {0, -1, 42, Long.MIN_VALUE}) {
                int hash = Utf8.hash(text, seed);
                assertEquals(hash, Utf8.hash(utf8, null, 0, utf8.length, seed), text);
                assertEquals(hash, Utf8.hash(around, null, 1, utf8.length, seed), text);
                assertNotEquals(hash, Utf8.hash(text + "\0", seed));
                assertNotEquals(hash, Utf8.hash(text, seed + 1));
            }
        }
    }

    /// Also at the very end of the bytes, and with other bytes behind them.
    @Test
    void copiedTextsHaveTheSameHash() {
        for (String text : TEXTS) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            for (int behind = 0; behind < 10; behind++) {
                byte[] from = new byte[8 + utf8.length + behind];
                Arrays.fill(from, (byte) -1);
                System.arraycopy(utf8, 0, from, 8, utf8.length);
                byte[] into = new byte[3 + utf8.length + 8];
                int hash = Utf8.copy(from, 8, utf8.length, from.length, into, 3, 42);
                assertEquals(Utf8.hash(text, 42), hash, text);
                assertArrayEquals(utf8, Arrays.copyOfRange(into, 3, 3 + utf8.length), text);
            }
        }
    }

    /// The low halves of numbers that another program worked out.
    @Test
    void hashesArePinned() {
        assertEquals(0x9e2367cf, Utf8.hash("", 0));
        assertEquals(0x8f319107, Utf8.hash("a", 0));
        assertEquals(0x6ed2ac51, Utf8.hash("exactly8", 1));
        assertEquals(0x6b6841f8, Utf8.hash("column_17", 42));
        assertEquals(0x259e1e3a, Utf8.hash("日本語🙂", -1));
    }

    /// The lowest bits choose a bucket, so they alone must spread names that are nearly the same.
    @Test
    void similarNamesHaveDifferentHashes() {
        int[] buckets = new int[1 << 14];
        int most = 0;
        for (int i = 0; i < buckets.length; i++) {
            int bucket = Utf8.hash("column_" + i, 7) & buckets.length - 1;
            most = Math.max(most, ++buckets[bucket]);
        }
        assertTrue(most < 12, "most in a bucket: " + most);
    }
}
