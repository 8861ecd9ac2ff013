// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;

/// UTF-8 as the JDK's strict decoder decides, on the direct way and by the index alike.
class Utf8CheckerTest {
    private static final int NUL = 1;

    private static boolean jdkAccepts(byte[] bytes, int at, int length) {
        CharBuffer decoded = CharBuffer.allocate(length);
        CoderResult result =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, at, length), decoded, true);
        return result.isUnderflow();
    }

    private static boolean directly(byte[] bytes, int at, int length) {
        Utf8Checker checker = new Utf8Checker();
        checker.reset(bytes.length);
        boolean answer = checker.isUtf8(bytes, null, 0, at, length);
        assertEquals(length, checker.bytesRead());
        return answer;
    }

    /// Uses the budget up with strings that are UTF-8, so that what follows goes by the index.
    private static Utf8Checker withIndex(byte[] bytes) {
        Utf8Checker checker = new Utf8Checker();
        checker.reset(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            assertTrue(checker.isUtf8(new byte[bytes.length], null, 0, 0, 1));
        }
        return checker;
    }

    @Test
    void byteSequencesAreDecidedAsByTheJdk() {
        int[] edges = {
            0, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xED, 0xEF,
            0xF0, 0xF4, 0xF5, 0xFF
        };
        int[] behind = {0, 0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xF0};
        int accepted = 0;
        int rejected = 0;
        for (int first = 0; first < 256; first++) {
            for (int second : edges) {
                for (int third : behind) {
                    for (int fourth : behind) {
                        byte[] bytes = {
                            (byte) first, (byte) second, (byte) third, (byte) fourth, 0
                        };
                        for (int length = 1; length <= 4; length++) {
                            boolean expected = jdkAccepts(bytes, 0, length);
                            assertEquals(expected, directly(bytes, 0, length));
                            accepted += expected ? 1 : 0;
                            rejected += expected ? 0 : 1;
                        }
                    }
                }
            }
        }
        System.out.printf("UTF-8 sequences: %d accepted, %d rejected%n", accepted, rejected);
        assertTrue(accepted > 100_000 && rejected > 500_000);
    }

    @Test
    void theIndexDecidesLikeDirectReading() {
        SplittableRandom random = new SplittableRandom(11);
        int[] counts = new int[2];
        for (int round = 0; round < 60; round++) {
            byte[] bytes = text(random, 1 + random.nextInt(300));
            Utf8Checker checker = withIndex(bytes);
            MemorySegment segment = MemorySegment.ofArray(bytes);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment copy = arena.allocate(bytes.length).copyFrom(segment);
                for (int from = 0; from < bytes.length; from++) {
                    for (int to = from + 1; to < bytes.length; to += 1 + random.nextInt(9)) {
                        if (bytes[to] != 0) {
                            continue; // the checker is asked only where a NUL stands behind
                        }
                        boolean expected = jdkAccepts(bytes, from, to - from);
                        boolean answer =
                                (to & 1) == 0
                                        ? checker.isUtf8(bytes, null, 0, from, to - from)
                                        : checker.isUtf8(null, copy, 0, from, to - from);
                        int start = from;
                        assertEquals(
                                expected,
                                answer,
                                () -> HexFormat.of().formatHex(bytes) + " from " + start);
                        assertEquals(expected, directly(bytes, from, to - from));
                        counts[expected ? 1 : 0]++;
                    }
                }
            }
        }
        System.out.printf("Strings by the index: %d accepted, %d not%n", counts[1], counts[0]);
        assertTrue(counts[0] > 1_000 && counts[1] > 1_000);
    }

    /// Characters of all lengths with a NUL here and there, and now and then a byte that is wrong.
    private static byte[] text(SplittableRandom random, int length) {
        StringBuilder text = new StringBuilder();
        String[] pieces = {"a", "\0", "Ä", "€", "🙂", "\uFFFF", "\0", "zz", "\0"};
        while (text.length() < length) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        byte[] bytes = (text + "\0").getBytes(StandardCharsets.UTF_8);
        for (int wrong = random.nextInt(4); wrong > 0; wrong--) {
            bytes[random.nextInt(bytes.length - NUL)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    /// The index of one buffer says nothing of the next, whichever is longer.
    @Test
    void malformedBytesOfAnEarlierBufferAreForgotten() {
        Utf8Checker checker = new Utf8Checker();
        for (int length : new int[] {300, 300, 64, 65, 600, 20}) {
            byte[] bytes = new byte[length];
            for (byte wrong : new byte[] {(byte) 0xFF, 'x'}) {
                Arrays.fill(bytes, 0, length - NUL, wrong);
                checker.reset(length);
                assertEquals(wrong == 'x', checker.isUtf8(bytes, null, 0, 0, length - NUL));
                assertEquals(length - NUL, checker.bytesRead());
                for (int at = 0; at < length - NUL; at++) {
                    boolean answer = checker.isUtf8(bytes, null, 0, at, length - NUL - at);
                    assertEquals(wrong == 'x', answer);
                }
            }
        }
    }

    @Test
    void stringsAreReadDirectlyUpToTheBufferSize() {
        Utf8Checker checker = new Utf8Checker();
        checker.reset(10);
        assertTrue(checker.isDirect(10));
        assertFalse(checker.isDirect(11));
        assertTrue(checker.isUtf8(new byte[10], null, 0, 0, 7));
        assertTrue(checker.isDirect(3));
        assertFalse(checker.isDirect(4));
        checker.reset(4);
        assertTrue(checker.isDirect(4));
    }

    @Test
    void stringsFromInsideACharacterAreMalformed() {
        byte[] bytes = "a🙂".getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(bytes, bytes.length + NUL);
        Utf8Checker checker = withIndex(all);
        for (int from = 0; from < bytes.length; from++) {
            boolean expected = from < 2;
            assertEquals(expected, directly(all, from, bytes.length - from), "directly " + from);
            assertEquals(
                    expected,
                    checker.isUtf8(all, null, 0, from, bytes.length - from),
                    "by the index " + from);
        }
    }
}
