// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.wire.Utf8;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Hashes and comparisons of UTF-8 texts, for looking them up: a text has the same hash as chars, as
/// bytes and as a slice. Nothing is allocated. Any number of threads may call these methods.
///
/// A text with an unpaired surrogate has no encoding: it equals nothing, and its hash means nothing.
public final class Utf8Text {
    private static final long FIRST = 0x8EBC6AF09C88C6E3L;
    private static final long SECOND = 0x589965CC75374CC3L;

    private Utf8Text() {}

    // ---- hashing

    /// Hashes the encoding of a text.
    ///
    /// Whoever does not know `seed` cannot choose texts whose hashes are equal; whoever keeps
    /// hashes must keep the seed too. The function does not change from version to version.
    ///
    /// @param text any text
    /// @param from index of the first char
    /// @param to index after the last char
    /// @param seed any number
    /// @return the hash
    /// @throws IndexOutOfBoundsException if they are not inside the text
    public static long hash(CharSequence text, int from, int to, long seed) {
        Objects.checkFromToIndex(from, to, text.length());
        long hash = seed;
        long word = 0;
        int bytes = 0;
        for (int i = from; i < to; i++) {
            final int c = Utf8.codePoint(text, i, to);
            i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
            final long encoded = Utf8.encode(c);
            for (long rest = encoded; ; ) {
                word |= (rest & 0xFF) << (bytes << 3);
                if ((++bytes & 7) == 0) {
                    hash = mix(hash, word);
                    word = 0;
                }
                rest >>>= 8;
                if (rest == 0) {
                    break;
                }
            }
        }
        return finish(hash, word, bytes);
    }

    /// Hashes bytes as [#hash(CharSequence, int, int, long)] does the text that they encode.
    ///
    /// @param bytes has the bytes
    /// @param at index of the first one
    /// @param length how many
    /// @param seed any number
    /// @return the hash
    /// @throws IndexOutOfBoundsException if they are not inside the array
    public static long hash(byte[] bytes, int at, int length, long seed) {
        Objects.checkFromIndexSize(at, length, bytes.length);
        return hash(bytes, null, at, length, seed);
    }

    /// Hashes bytes as [#hash(CharSequence, int, int, long)] does the text that they encode.
    ///
    /// @param bytes the bytes
    /// @param seed any number
    /// @return the hash
    public static long hash(Utf8Slice bytes, long seed) {
        return bytes.hash(seed);
    }

    static long hash(byte[] a, MemorySegment s, long at, int length, long seed) {
        long hash = seed;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            hash = mix(hash, Wire.int64(a, s, at + i));
        }
        long word = 0;
        for (int shift = 0; i < length; i++, shift += Byte.SIZE) {
            word |= (Wire.word8(a, s, at + i) & 0xFFL) << shift;
        }
        return finish(hash, word, length);
    }

    private static long mix(long hash, long word) {
        return fold(hash ^ word ^ FIRST, SECOND) + hash;
    }

    private static long finish(long hash, long word, int bytes) {
        return fold(mix(hash, word) ^ bytes, FIRST);
    }

    /// Both halves of the product of 128 bits together.
    private static long fold(long a, long b) {
        return Math.unsignedMultiplyHigh(a, b) ^ a * b;
    }

    // ---- encoding

    /// Encodes a text.
    ///
    /// @param text any text
    /// @param into where to
    /// @return number of bytes; -1 if the text has no encoding or it does not fit: `into` may then hold
    ///     a part of it
    public static int encode(CharSequence text, byte[] into) {
        int at = 0;
        for (int i = 0; i < text.length(); i++) {
            final int c = Utf8.codePoint(text, i, text.length());
            i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
            if (c < 0 || into.length - at < Utf8.length(c)) {
                return -1;
            }
            long rest = Utf8.encode(c);
            do {
                into[at++] = (byte) rest;
                rest >>>= 8;
            } while (rest != 0);
        }
        return at;
    }

    /// The most bytes that a text of so many chars can take.
    ///
    /// @param chars number of chars
    /// @return number of bytes
    /// @throws ArithmeticException if they are more than an `int` can tell
    public static int maxBytes(int chars) {
        return Math.multiplyExact(chars, 3);
    }

    // ---- comparing

    /// Tells whether bytes are the encoding of a part of a text.
    ///
    /// @param bytes has the bytes
    /// @param at index of the first one
    /// @param length how many
    /// @param text any text
    /// @param from index of the first char
    /// @param to index after the last char
    /// @return whether they are
    /// @throws IndexOutOfBoundsException if either is not inside what it is taken from
    public static boolean equals(
            byte[] bytes, int at, int length, CharSequence text, int from, int to) {
        Objects.checkFromIndexSize(at, length, bytes.length);
        Objects.checkFromToIndex(from, to, text.length());
        return Utf8.equals(bytes, null, at, length, text, from, to);
    }
}
