// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;

/// Fingerprints are kept in files, so they may never become others. The numbers were worked out by
/// another program, in Python's integers of any length.
class FingerprintTest {
    private static final int ENDS = 1024;
    private static final int PIECES = 64;

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * i * 7 + i * 3 + 1);
        }
        return bytes;
    }

    private static ByteSlice slice(byte[] bytes) {
        return new ByteSlice().wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static void assertIs(String low, String high, Fingerprint fingerprint) {
        assertEquals(low, Long.toHexString(fingerprint.low()));
        assertEquals(high, Long.toHexString(fingerprint.high()));
    }

    /// With less than a word, one, a step, and what is left behind one.
    @ParameterizedTest
    @CsvSource({
        "0, 738a83efbe8581ba, a60f3794310653c2",
        "1, db50beb0d9189f1c, 86d8cecc2407f4bf",
        "8, b9a52d655c0bdb8, 32c25d727e79f402",
        "31, f940295df56a4b59, 918dae3316c91651",
        "32, 4dc8506d9ea7cfe1, fa1defa83495175c",
        "45, 8752a94094cb6fc5, c951abc1c18c4c5e",
        "6144, f43fb2a2870cf42f, 987173f4edc40c80"
    })
    void ofAllBytes(int length, String low, String high) {
        assertIs(low, high, new Fingerprint().of(slice(bytes(length))));
    }

    /// Up to 6144 bytes it is that of all, as the pieces would touch each other.
    @ParameterizedTest
    @CsvSource({
        "45, 8752a94094cb6fc5, c951abc1c18c4c5e",
        "6144, f43fb2a2870cf42f, 987173f4edc40c80",
        "6145, fdfbcc9bc4ab0009, 4ef9b43b294f4aba",
        "10000, 6ef4a162477b993d, 6165bb47558555c4",
        "100000, 89820c16f1027095, 451c483aacbb80af"
    })
    void ofASample(int length, String low, String high) {
        assertIs(low, high, new Fingerprint().sample(slice(bytes(length))));
    }

    /// Each byte of the ends and of the pieces counts, and no other.
    @Test
    void aSampleSeesItsPiecesAlone() {
        byte[] bytes = bytes(20_000);
        boolean[] isSeen = new boolean[bytes.length];
        int stride = (bytes.length - 2 * ENDS - PIECES) / 63;
        for (int i = 0; i < ENDS; i++) {
            isSeen[i] = true;
            isSeen[bytes.length - 1 - i] = true;
        }
        for (int piece = 0; piece < 64; piece++) {
            for (int i = 0; i < PIECES; i++) {
                isSeen[ENDS + piece * stride + i] = true;
            }
        }
        ByteSlice slice = slice(bytes);
        Fingerprint before = new Fingerprint().sample(slice);
        Fingerprint after = new Fingerprint();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] ^= 0x10;
            after.sample(slice);
            assertEquals(isSeen[i], after.low() != before.low(), "byte " + i);
            assertEquals(isSeen[i], after.high() != before.high(), "byte " + i);
            bytes[i] ^= 0x10;
        }
    }
}
