// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// Encodes texts as UTF-8 where they are to lie, without allocating. Takes memory as [Wire] does: a
/// heap array, or null and a segment.
final class Utf8Encoder {
    private Utf8Encoder() {}

    /// Writes a text all of whose characters take one byte. Returns false if one does not; what was
    /// written is of no use then.
    static boolean encodeAscii(CharSequence text, byte[] a, MemorySegment s, long at, int chars) {
        int all = 0; // looked at once, behind the loop: so that the loop is a plain copy
        if (a != null) {
            final int from = (int) at;
            for (int i = 0; i < chars; i++) {
                final int c = text.charAt(i);
                a[from + i] = (byte) c;
                all |= c;
            }
        } else {
            for (int i = 0; i < chars; i++) {
                final int c = text.charAt(i);
                Wire.setInt8(null, s, at + i, (byte) c);
                all |= c;
            }
        }
        return all < 0x80;
    }

    /// Eight characters as bytes, negative if one takes more than one byte.
    static long eight(String text, int i) {
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

    /// Up to seven characters as the last bytes of a word, negative if one takes more than one byte.
    static long first(String text, int chars) {
        int all = 0;
        long word = 0;
        for (int i = chars - 1; i >= 0; i--) {
            final int c = text.charAt(i);
            all |= c;
            word = word << Byte.SIZE | c;
        }
        return all >= 0x80 ? -1 : word << Long.SIZE - chars * Byte.SIZE;
    }

    /// Number of bytes that a text takes.
    ///
    /// @throws IllegalArgumentException if a surrogate is unpaired: such a text has no encoding
    static long encodedLength(CharSequence text) {
        final int chars = text.length();
        long bytes = 0;
        for (int i = 0; i < chars; i++) {
            final int c = text.charAt(i);
            if (Character.isSurrogate((char) c)) {
                supplementary(text, i, chars);
                i++;
                bytes += 4;
            } else {
                bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            }
        }
        return bytes;
    }

    /// Code point of a pair of surrogates.
    private static int supplementary(CharSequence text, int i, int chars) {
        final char high = text.charAt(i);
        final char low = i + 1 < chars ? text.charAt(i + 1) : 0;
        if (!Character.isSurrogatePair(high, low)) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "unpaired surrogate: index=%d, char=%04x, length=%d",
                            i,
                            (int) high,
                            chars));
        }
        return Character.toCodePoint(high, low);
    }

    /// Writes a text whose encoding has this length.
    ///
    /// @throws IllegalArgumentException if it has not: it was changed since it was measured. No byte
    ///     outside `length` has been written then.
    static void encode(CharSequence text, byte[] a, MemorySegment s, long at, int length) {
        final int chars = text.length();
        final long end = at + length;
        long p = at;
        for (int i = 0; i < chars; i++) {
            final int c = text.charAt(i);
            if (c < 0x80) {
                checkRoom(end - p, 1);
                Wire.setInt8(a, s, p++, (byte) c);
            } else if (c < 0x800) {
                checkRoom(end - p, 2);
                Wire.setInt8(a, s, p++, (byte) (0xC0 | c >> 6));
                Wire.setInt8(a, s, p++, tail(c, 0));
            } else if (!Character.isSurrogate((char) c)) {
                checkRoom(end - p, 3);
                Wire.setInt8(a, s, p++, (byte) (0xE0 | c >> 12));
                Wire.setInt8(a, s, p++, tail(c, 6));
                Wire.setInt8(a, s, p++, tail(c, 0));
            } else {
                final int code = supplementary(text, i++, chars);
                checkRoom(end - p, 4);
                Wire.setInt8(a, s, p++, (byte) (0xF0 | code >> 18));
                Wire.setInt8(a, s, p++, tail(code, 12));
                Wire.setInt8(a, s, p++, tail(code, 6));
                Wire.setInt8(a, s, p++, tail(code, 0));
            }
        }
        checkRoom(p - end, 0);
    }

    private static byte tail(int code, int shift) {
        return (byte) (0x80 | code >> shift & 0x3F);
    }

    private static void checkRoom(long room, int needed) {
        if (room < needed) {
            throw new IllegalArgumentException("text was changed while it was written");
        }
    }
}
