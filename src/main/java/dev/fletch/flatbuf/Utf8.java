// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// UTF-8 as strings of a FlatBuffer carry it. Takes memory as [Wire] does: a heap array, or null and
/// a segment.
final class Utf8 {
    private Utf8() {}

    /// Decodes; what is no UTF-8 becomes U+FFFD, as in [String].
    static String decode(byte[] a, MemorySegment s, long at, int length) {
        if (a != null) {
            return new String(a, (int) at, length, StandardCharsets.UTF_8);
        }
        final byte[] bytes = new byte[length];
        MemorySegment.copy(s, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// Tells whether bytes are exactly the encoding of a text. Allocates nothing. A text with an
    /// unpaired surrogate has no encoding and equals nothing.
    static boolean equals(byte[] a, MemorySegment s, long at, int length, CharSequence text) {
        final int chars = text.length();
        if (length < chars) {
            return false;
        }
        final long end = at + length;
        long p = at;
        for (int i = 0; i < chars; i++) {
            int c = text.charAt(i);
            if (c >= 0x80) {
                c = codePoint(text, i, c);
                if (c < 0 || p >= end || multiByte(a, s, p, end) != c) {
                    return false;
                }
                i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
                p += encodedLength(c);
            } else if (p >= end || Wire.word8(a, s, p++) != c) {
                return false;
            }
        }
        return p == end;
    }

    /// Code point that starts at a char, -1 for an unpaired surrogate.
    private static int codePoint(CharSequence text, int i, int c) {
        if (!Character.isSurrogate((char) c)) {
            return c;
        }
        final boolean paired =
                Character.isHighSurrogate((char) c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
        return paired ? Character.toCodePoint((char) c, text.charAt(i + 1)) : -1;
    }

    private static int encodedLength(int codePoint) {
        return codePoint < 0x800 ? 2 : codePoint < Character.MIN_SUPPLEMENTARY_CODE_POINT ? 3 : 4;
    }

    /// Code point whose encoding of two to four bytes starts at `p`, -1 if there is none. Only used
    /// to compare with a valid code point, whose own length then decides that none is over-long.
    private static int multiByte(byte[] a, MemorySegment s, long p, long end) {
        final int lead = Wire.word8(a, s, p) & 0xFF;
        final int more =
                lead >= 0xF8 ? -1 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : -1;
        if (more < 0 || more >= end - p) {
            return -1;
        }
        int code = lead & (0x3F >> more);
        for (int i = 1; i <= more; i++) {
            final int next = Wire.word8(a, s, p + i);
            if ((next & 0xC0) != 0x80) {
                return -1;
            }
            code = code << 6 | next & 0x3F;
        }
        return encodedLength(code) == more + 1 ? code : -1;
    }
}
