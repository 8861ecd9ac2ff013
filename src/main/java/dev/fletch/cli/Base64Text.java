// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Bytes that were written as base64: in the standard alphabet or the one of URLs, with or without
/// padding, line breaks and spaces.
///
/// @param bytes what the text says, as far as it is base64
/// @param faultAt offset in the text of the first character that is none; -1 if there is none
record Base64Text(byte[] bytes, long faultAt) {
    /// Longer texts are not looked at.
    static final long MAX_CHARACTERS = 1L << 30;

    // A text that stops to be base64 in its first characters is something else.
    private static final int LEAST_CHARACTERS = 16;
    private static final int BITS = 6;
    private static final int PADDING = -2;
    private static final int SPACE = -3;
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

    /// Decodes a text.
    ///
    /// @return null if it is no base64
    static Base64Text decode(MemorySegment text) {
        long length = text.byteSize();
        if (length > MAX_CHARACTERS || length == 0) {
            return null;
        }
        byte[] bytes = new byte[(int) Math.min(length, 1 << 16)];
        int count = 0;
        int bits = 0;
        int word = 0;
        boolean isPadded = false;
        long fault = -1;
        for (long at = 0; at < length && fault < 0; at++) {
            int digit = DIGITS[Byte.toUnsignedInt(text.get(ValueLayout.JAVA_BYTE, at))];
            if (digit == PADDING) {
                isPadded = true;
            } else if (digit >= 0 && !isPadded) {
                word = word << BITS | digit;
                bits += BITS;
                if (bits >= Byte.SIZE) {
                    bits -= Byte.SIZE;
                    if (count == bytes.length) {
                        bytes = Arrays.copyOf(bytes, 2 * count);
                    }
                    bytes[count++] = (byte) (word >>> bits);
                }
            } else if (digit != SPACE) {
                fault = at;
            }
        }
        boolean isNone = count == 0 || fault >= 0 && fault < LEAST_CHARACTERS;
        return isNone ? null : new Base64Text(Arrays.copyOf(bytes, count), fault);
    }
}
