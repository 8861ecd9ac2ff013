// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/// What all texts of a schema have in common: FlatBuffers store them as UTF-8.
final class Texts {
    private Texts() {}

    /// Refuses what has no encoding, and would become something else in the bytes.
    ///
    /// @param text null passes
    static void check(String parameter, String text) {
        if (text != null && hasLoneSurrogate(text)) {
            throw new InvalidSchemaException(
                    "text must have an encoding in UTF-8, half of a surrogate pair has none",
                    null,
                    parameter,
                    text);
        }
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    /// The first byte that is no UTF-8.
    ///
    /// @return its index; the number of bytes if there is none
    static int malformedAt(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        decoder.decode(in, CharBuffer.allocate(bytes.length), true);
        return in.position();
    }

    /// Length of the encoding in UTF-8, of a text that has one.
    static long encodedLength(String text) {
        return text.codePoints()
                .mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
                .sum();
    }
}
