// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// Encodes texts as UTF-8 where they are to lie, without allocating. Takes memory as [Wire] does: a
/// heap array, or null and a segment.
public final class Utf8Encoder {
    private Utf8Encoder() {}

    /// Writes a text all of whose characters take one byte. Returns false if one does not; what was
    /// written is of no use then.
    public static boolean encodeAscii(
            CharSequence text, byte[] a, MemorySegment s, long at, int chars) {
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

    /// Up to seven characters as the last bytes of a word, negative if one takes more than one byte.
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

    /// Number of bytes that a text takes.
    ///
    /// @throws IllegalArgumentException if a surrogate is unpaired: such a text has no encoding
    public static long encodedLength(CharSequence text) {
        final int chars = text.length();
        long bytes = 0;
        for (int i = 0; i < chars; i++) {
            final int c = codePoint(text, i, chars);
            i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
            bytes += Utf8.length(c);
        }
        return bytes;
    }

    private static int codePoint(CharSequence text, int i, int chars) {
        final int c = Utf8.codePoint(text, i, chars);
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

    /// Writes a text whose encoding has this length.
    ///
    /// @throws IllegalArgumentException if it has not: it was changed since it was measured. No byte
    ///     outside `length` has been written then.
    public static void encode(CharSequence text, byte[] a, MemorySegment s, long at, int length) {
        final int chars = text.length();
        final long end = at + length;
        long p = at;
        for (int i = 0; i < chars; i++) {
            final int c = codePoint(text, i, chars);
            i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
            checkLength(end - p >= Utf8.length(c));
            long rest = Utf8.encode(c);
            do {
                Wire.setInt8(a, s, p++, (byte) rest);
                rest >>>= 8;
            } while (rest != 0);
        }
        checkLength(p == end);
    }

    private static void checkLength(boolean isRight) {
        if (!isRight) {
            throw new IllegalArgumentException("text was changed while it was written");
        }
    }
}
