// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Decodes, compares and encodes the UTF-8 of FlatBuffers strings. Takes memory as [Wire] does: a
/// heap array, or null and a segment. Only [#decode] allocates.
public final class Utf8 {
    private static final long FIRST_FACTOR = 0x8EBC6AF09C88C6E3L;
    private static final long SECOND_FACTOR = 0x589965CC75374CC3L;

    private Utf8() {}

    // ---- code points

    /// Number of bytes of a code point.
    private static int length(int c) {
        return c < 0x80 ? 1 : c < 0x800 ? 2 : c < Character.MIN_SUPPLEMENTARY_CODE_POINT ? 3 : 4;
    }

    /// The bytes of a code point, the first one lowest; 0 only for U+0000.
    private static long encode(int c) {
        int last = 0x80 | c & 0x3F;
        int third = 0x80 | c >> 6 & 0x3F;
        int second = 0x80 | c >> 12 & 0x3F;
        return switch (length(c)) {
            case 1 -> c & 0x7F;
            case 2 -> 0xC0 | c >> 6 | last << 8;
            case 3 -> 0xE0 | c >> 12 | third << 8 | last << 16;
            default -> (0xF0 | c >> 18 | second << 8 | third << 16) | (long) last << 24;
        };
    }

    /// The code point at a char; -1 for an unpaired surrogate.
    public static int codePoint(CharSequence text, int i, int end) {
        char c = text.charAt(i);
        if (!Character.isSurrogate(c)) {
            return c;
        }
        boolean paired =
                Character.isHighSurrogate(c)
                        && i + 1 < end
                        && Character.isLowSurrogate(text.charAt(i + 1));
        return paired ? Character.toCodePoint(c, text.charAt(i + 1)) : -1;
    }

    // ---- reading

    /// Decodes; malformed bytes become U+FFFD, as in [String].
    public static String decode(byte[] a, MemorySegment s, long position, int length) {
        if (a != null) {
            return new String(a, (int) position, length, StandardCharsets.UTF_8);
        }
        byte[] bytes = new byte[length];
        MemorySegment.copy(s, ValueLayout.JAVA_BYTE, position, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// Returns whether bytes are exactly the encoding of a text. A text with an unpaired surrogate
    /// has no encoding and equals nothing. The caller has checked the range.
    public static boolean equals(
            byte[] a, MemorySegment s, long position, int length, CharSequence text) {
        int chars = text.length();
        if (length < chars) {
            return false;
        }
        long end = position + length;
        long p = position;
        for (int i = 0, c; i < chars; i += Character.charCount(c)) {
            c = codePoint(text, i, chars);
            if (c < 0 || end - p < length(c)) {
                return false;
            }
            long rest = c < 0x80 ? c : encode(c);
            do {
                if (Wire.word8(a, s, p++) != (byte) rest) {
                    return false;
                }
                rest >>>= 8;
            } while (rest != 0);
        }
        return p == end;
    }

    // ---- writing

    /// Number of bytes of a text's encoding. If the surrogate at `i` is unpaired, there is none,
    /// and the result is `~i`, which is negative.
    public static long encodedLength(CharSequence text) {
        int chars = text.length();
        long bytes = 0;
        for (int i = 0, c; i < chars; i += Character.charCount(c)) {
            c = codePoint(text, i, chars);
            if (c < 0) {
                return ~i;
            }
            bytes += length(c);
        }
        return bytes;
    }

    /// Writes a text whose encoding has the given length.
    ///
    /// @throws IllegalArgumentException if the text changed after it was measured. No byte outside
    ///     `length` is written
    public static void encode(
            CharSequence text, byte[] a, MemorySegment s, long position, int length) {
        int chars = text.length();
        long end = position + length;
        long p = position;
        for (int i = 0, c; i < chars; i += Character.charCount(c)) {
            c = codePoint(text, i, chars);
            checkLength(c >= 0 && end - p >= length(c));
            long rest = encode(c);
            do {
                Wire.setInt8(a, s, p++, (byte) rest);
                rest >>>= 8;
            } while (rest != 0);
        }
        checkLength(p == end);
    }

    /// {@return the encoding of a text}
    ///
    /// @throws IllegalArgumentException if a surrogate is unpaired
    public static byte[] encoded(String text) {
        length(text);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// {@return number of bytes of a text's encoding}
    ///
    /// @throws IllegalArgumentException if a surrogate is unpaired
    public static long length(CharSequence text) {
        long bytes = encodedLength(text);
        if (bytes < 0) {
            throw unpaired(text, (int) ~bytes);
        }
        return bytes;
    }

    private static IllegalArgumentException unpaired(CharSequence text, int index) {
        String found =
                "index=" + index + ", char=" + HexFormat.of().toHexDigits(text.charAt(index));
        return new IllegalArgumentException(
                "unpaired surrogate: " + found + ", length=" + text.length());
    }

    private static void checkLength(boolean isRight) {
        if (!isRight) {
            throw new IllegalArgumentException("text changed while it was written");
        }
    }

    // ---- ASCII

    /// Eight characters as bytes; negative if one is not ASCII.
    public static long eight(String text, int i) {
        int c0 = text.charAt(i);
        int c1 = text.charAt(i + 1);
        int c2 = text.charAt(i + 2);
        int c3 = text.charAt(i + 3);
        int c4 = text.charAt(i + 4);
        int c5 = text.charAt(i + 5);
        int c6 = text.charAt(i + 6);
        int c7 = text.charAt(i + 7);
        if ((c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) >= 0x80) {
            return -1;
        }
        int low = c0 | c1 << 8 | c2 << 16 | c3 << 24;
        int high = c4 | c5 << 8 | c6 << 16 | c7 << 24;
        return low | (long) high << Integer.SIZE;
    }

    /// Up to seven characters as the last bytes of a word; negative if one is not ASCII.
    public static long first(String text, int chars) {
        int all = 0;
        long word = 0;
        for (int i = chars - 1; i >= 0; i--) {
            int c = text.charAt(i);
            all |= c;
            word = word << Byte.SIZE | c;
        }
        return all >= 0x80 ? -1 : word << Long.SIZE - chars * Byte.SIZE;
    }

    // ---- hashing, eight bytes at a time

    /// Hashes bytes.
    ///
    /// @param seed random where an attacker chooses the bytes
    public static int hash(byte[] a, MemorySegment s, long position, int length, long seed) {
        long hash = seed;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            hash = mix(hash, Wire.int64(a, s, position + i));
        }
        long word = 0;
        for (int shift = 0; i < length; i++, shift += Byte.SIZE) {
            word |= (Wire.word8(a, s, position + i) & 0xFFL) << shift;
        }
        return finish(hash, word, length);
    }

    /// Copies bytes, and hashes them in the same loop, as [#hash] does.
    ///
    /// @param end index behind the last byte that may be read; so may the eight bytes before it
    /// @param into has eight bytes more than those to copy, which may be overwritten
    /// @param to index of the first byte in `into`
    public static int copy(
            byte[] from, int position, int length, int end, byte[] into, int to, long seed) {
        long hash = seed;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            long word = Wire.int64(from, position + i);
            Wire.setInt64(into, null, to + i, word);
            hash = mix(hash, word);
        }
        int missing = Math.max(position + i + Long.BYTES - end, 0);
        long word = Wire.int64(from, position + i - missing) >>> missing * Byte.SIZE;
        word = Wire.lowBits(word, (length - i) * Byte.SIZE);
        Wire.setInt64(into, null, to + i, word);
        return finish(hash, word, length);
    }

    /// The hash of a text's encoding, without allocating. Arbitrary for a text with an unpaired
    /// surrogate, which has no encoding.
    public static int hash(CharSequence text, long seed) {
        long hash = seed;
        long word = 0;
        int bytes = 0;
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = codePoint(text, i, text.length());
            long rest = encode(c);
            do {
                word |= (rest & 0xFF) << (bytes << 3); // a shift counts modulo 64
                if ((++bytes & 7) == 0) {
                    hash = mix(hash, word);
                    word = 0;
                }
                rest >>>= 8;
            } while (rest != 0);
        }
        return finish(hash, word, bytes);
    }

    private static long mix(long hash, long word) {
        return fold(hash ^ word ^ FIRST_FACTOR, SECOND_FACTOR) + hash;
    }

    private static int finish(long hash, long word, int bytes) {
        return (int) fold(mix(hash, word) ^ bytes, FIRST_FACTOR);
    }

    /// Combines both halves of the 128-bit product.
    private static long fold(long a, long b) {
        return Math.unsignedMultiplyHigh(a, b) ^ a * b;
    }
}
