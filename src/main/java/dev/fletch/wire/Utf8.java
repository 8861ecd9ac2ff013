// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// UTF-8 as strings of a FlatBuffer carry it. Takes memory as [Wire] does: a heap array, or null and
/// a segment.
public final class Utf8 {
    private Utf8() {}

    /// Decodes; what is no UTF-8 becomes U+FFFD, as in [String].
    public static String decode(byte[] a, MemorySegment s, long at, int length) {
        if (a != null) {
            return new String(a, (int) at, length, StandardCharsets.UTF_8);
        }
        final byte[] bytes = new byte[length];
        MemorySegment.copy(s, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// Tells whether bytes are exactly the encoding of a text. Allocates nothing. A text with an
    /// unpaired surrogate has no encoding and equals nothing.
    public static boolean equals(
            byte[] a, MemorySegment s, long at, int length, CharSequence text) {
        return equals(a, s, at, length, text, 0, text.length());
    }

    /// Number of bytes of a code point.
    public static int length(int c) {
        return c < 0x80 ? 1 : c < 0x800 ? 2 : c < Character.MIN_SUPPLEMENTARY_CODE_POINT ? 3 : 4;
    }

    /// The bytes of a code point, the first one lowest; only that of U+0000 is 0.
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

    /// Code point that starts at a char, -1 for an unpaired surrogate.
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

    /// Tells whether bytes are exactly the encoding of a part of a text. Both ranges are inside.
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
}
