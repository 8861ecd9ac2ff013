// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Bytes decoded from base64 text: in the standard or the URL-safe alphabet, with or without
/// padding, line breaks and spaces. A byte order mark, a key and quotes may surround the text.
///
/// @param bytes the decoded bytes, up to the end of valid base64
/// @param faultAt offset in the text of the first invalid character; -1 if there is none
/// @param faultByte offset of the first affected byte; the number of bytes if there is no fault
public record Base64Text(byte[] bytes, long faultAt, int faultByte) {
    /// Longer texts are not decoded.
    private static final long MAX_CHARACTERS = 1L << 30;

    // A text with an invalid character before this index is not base64.
    private static final int LEAST_CHARACTERS = 16;
    private static final int BITS = 6;
    private static final int PADDING = -2;
    private static final int SPACE = -3;
    private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";
    private static final byte[] DIGITS = digits();

    private static byte[] digits() {
        byte[] digits = new byte[256];
        Arrays.fill(digits, (byte) -1);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            digits[alphabet.charAt(i)] = (byte) i;
        }
        digits['-'] = digits['+'];
        digits['_'] = digits['/'];
        digits['='] = PADDING;
        for (char space : " \t\r\n".toCharArray()) {
            digits[space] = SPACE;
        }
        return digits;
    }

    /// Returns the start of a text, after a byte order mark.
    public static long start(MemorySegment text) {
        return Range.startsWith(text, 0, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
    }

    /// The range of the base64 in a text.
    private record Range(long from, long to) {
        static Range of(MemorySegment text, String key) {
            long from = start(text);
            long to = text.byteSize();
            while (to > from && isSpace(text, to - 1)) {
                to--;
            }
            while (from < to && isSpace(text, from)) {
                from++;
            }
            if (startsWith(text, from, key)) {
                from += key.length();
                while (from < to && (isSpace(text, from) || "=:".indexOf(at(text, from)) >= 0)) {
                    from++;
                }
            }
            boolean isQuoted =
                    to - from >= 2
                            && "\"'".indexOf(at(text, from)) >= 0
                            && at(text, from) == at(text, to - 1);
            return isQuoted ? new Range(from + 1, to - 1) : new Range(from, to);
        }

        private static int at(MemorySegment text, long at) {
            return Byte.toUnsignedInt(text.get(ValueLayout.JAVA_BYTE, at));
        }

        private static boolean isSpace(MemorySegment text, long at) {
            return DIGITS[at(text, at)] == SPACE;
        }

        private static boolean startsWith(MemorySegment text, long from, String start) {
            boolean is = text.byteSize() - from >= start.length();
            for (int i = 0; is && i < start.length(); i++) {
                is = at(text, from + i) == start.charAt(i);
            }
            return is;
        }
    }

    /// Decodes a text that may be base64.
    ///
    /// @param key optional key before the base64
    /// @return null if the text is not base64
    public static Base64Text detect(MemorySegment text, String key) {
        if (text.byteSize() > MAX_CHARACTERS) {
            return null;
        }
        Base64Text decoded = decode(text, key);
        boolean isNone =
                decoded.bytes.length == 0
                        || decoded.faultAt >= 0
                                && decoded.faultAt - Range.of(text, key).from < LEAST_CHARACTERS;
        return isNone ? null : decoded;
    }

    /// Decodes a base64 text. The first invalid character reads as six zero bits, so that later
    /// bytes keep their offsets. At a second one, the result ends before the first.
    ///
    /// @param text at most 2<sup>30</sup> characters, a byte each
    /// @param key optional key before the base64
    public static Base64Text decode(MemorySegment text, String key) {
        Range range = Range.of(text, key);
        byte[] bytes = new byte[(int) Math.min(range.to - range.from + 1, 1 << 16)];
        int count = 0;
        int sound = 0;
        int bits = 0;
        int word = 0;
        boolean isPadded = false;
        long fault = -1;
        for (long at = range.from; at < range.to; at++) {
            int digit = DIGITS[Range.at(text, at)];
            if (digit == SPACE) {
                continue;
            }
            if (digit == PADDING) {
                isPadded = true;
                continue;
            }
            if (digit < 0 || isPadded) {
                if (fault >= 0 || isPadded) {
                    count = fault >= 0 ? sound : count;
                    sound = count;
                    fault = fault >= 0 ? fault : at;
                    break;
                }
                fault = at;
                sound = count;
                digit = 0;
            }
            word = word << BITS | digit;
            bits += BITS;
            if (bits >= Byte.SIZE) {
                bits -= Byte.SIZE;
                if (count == bytes.length) {
                    bytes = Arrays.copyOf(bytes, 2 * count);
                }
                bytes[count++] = (byte) (word >>> bits);
            }
        }
        return new Base64Text(Arrays.copyOf(bytes, count), fault, fault < 0 ? count : sound);
    }
}
