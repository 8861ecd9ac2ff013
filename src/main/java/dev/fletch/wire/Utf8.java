// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Decodes, compares and encodes the UTF-8 of FlatBuffers strings. Takes memory as [Wire] does: a
/// heap array, or null and a segment. Only [#decode] allocates.
public final class Utf8 {
    private Utf8() {}

    // ---- code points

    /// Number of bytes of a code point.
    public static int length(int c) {
        return c < 0x80 ? 1 : c < 0x800 ? 2 : c < Character.MIN_SUPPLEMENTARY_CODE_POINT ? 3 : 4;
    }

    /// The bytes of a code point, the first one lowest; 0 only for U+0000.
    public static long encode(int c) {
        final int last = 0x80 | c & 0x3F;
        final int third = 0x80 | c >> 6 & 0x3F;
        final int second = 0x80 | c >> 12 & 0x3F;
        return switch (length(c)) {
            case 1 -> c & 0x7F;
            case 2 -> 0xC0 | c >> 6 | last << 8;
            case 3 -> 0xE0 | c >> 12 | third << 8 | last << 16;
            default -> (0xF0 | c >> 18 | second << 8 | third << 16) | (long) last << 24;
        };
    }

    /// The code point at a char; -1 for an unpaired surrogate.
    public static int codePoint(CharSequence text, int i, int end) {
        final char c = text.charAt(i);
        if (!Character.isSurrogate(c)) {
            return c;
        }
        final boolean paired =
                Character.isHighSurrogate(c)
                        && i + 1 < end
                        && Character.isLowSurrogate(text.charAt(i + 1));
        return paired ? Character.toCodePoint(c, text.charAt(i + 1)) : -1;
    }

    // ---- reading

    /// Decodes; malformed bytes become U+FFFD, as in [String].
    public static String decode(byte[] a, MemorySegment s, long at, int length) {
        if (a != null) {
            return new String(a, (int) at, length, StandardCharsets.UTF_8);
        }
        final byte[] bytes = new byte[length];
        MemorySegment.copy(s, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// Returns whether bytes are exactly the encoding of a text. A text with an unpaired surrogate
    /// has no encoding and equals nothing.
    public static boolean equals(
            byte[] a, MemorySegment s, long at, int length, CharSequence text) {
        return equals(a, s, at, length, text, 0, text.length());
    }

    /// Returns whether bytes are exactly the encoding of a part of a text. The caller has checked
    /// both ranges.
    public static boolean equals(
            byte[] a, MemorySegment s, long at, int length, CharSequence text, int from, int to) {
        if (length < to - from) {
            return false;
        }
        final long end = at + length;
        long p = at;
        for (int i = from; i < to; i++) {
            final int c = codePoint(text, i, to);
            i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
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

    /// Number of bytes of a text's encoding.
    ///
    /// @throws IllegalArgumentException if a surrogate is unpaired: such a text has no encoding
    public static long encodedLength(CharSequence text) {
        final int chars = text.length();
        long bytes = 0;
        for (int i = 0; i < chars; i++) {
            final int c = pairedCodePoint(text, i, chars);
            i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
            bytes += length(c);
        }
        return bytes;
    }

    /// Writes a text whose encoding has the given length.
    ///
    /// @throws IllegalArgumentException if the text changed after it was measured. No byte outside
    ///     `length` is written
    public static void encode(CharSequence text, byte[] a, MemorySegment s, long at, int length) {
        final int chars = text.length();
        final long end = at + length;
        long p = at;
        for (int i = 0; i < chars; i++) {
            final int c = pairedCodePoint(text, i, chars);
            i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
            checkLength(end - p >= length(c));
            long rest = encode(c);
            do {
                Wire.setInt8(a, s, p++, (byte) rest);
                rest >>>= 8;
            } while (rest != 0);
        }
        checkLength(p == end);
    }

    private static int pairedCodePoint(CharSequence text, int i, int chars) {
        final int c = codePoint(text, i, chars);
        if (c < 0) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "unpaired surrogate: index=%d, char=%04x, length=%d",
                            i,
                            (int) text.charAt(i),
                            chars));
        }
        return c;
    }

    private static void checkLength(boolean isRight) {
        if (!isRight) {
            throw new IllegalArgumentException("text changed while it was written");
        }
    }

    // ---- ASCII

    /// Eight characters as bytes; negative if one is not ASCII.
    public static long eight(String text, int i) {
        final int c0 = text.charAt(i);
        final int c1 = text.charAt(i + 1);
        final int c2 = text.charAt(i + 2);
        final int c3 = text.charAt(i + 3);
        final int c4 = text.charAt(i + 4);
        final int c5 = text.charAt(i + 5);
        final int c6 = text.charAt(i + 6);
        final int c7 = text.charAt(i + 7);
        if ((c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) >= 0x80) {
            return -1;
        }
        final int low = c0 | c1 << 8 | c2 << 16 | c3 << 24;
        final int high = c4 | c5 << 8 | c6 << 16 | c7 << 24;
        return low | (long) high << Integer.SIZE;
    }

    /// Up to seven characters as the last bytes of a word; negative if one is not ASCII.
    public static long first(String text, int chars) {
        int all = 0;
        long word = 0;
        for (int i = chars - 1; i >= 0; i--) {
            final int c = text.charAt(i);
            all |= c;
            word = word << Byte.SIZE | c;
        }
        return all >= 0x80 ? -1 : word << Long.SIZE - chars * Byte.SIZE;
    }
}
