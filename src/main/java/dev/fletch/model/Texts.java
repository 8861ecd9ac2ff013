// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

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
                    escapedSurrogates(text));
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

    private static String escapedSurrogates(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints()
                .forEach(
                        c -> {
                            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                                out.append("\\u%04x".formatted(c));
                            } else {
                                out.appendCodePoint(c);
                            }
                        });
        return out.toString();
    }

    /// Length of the encoding in UTF-8, of a text that has one.
    static long encodedLength(String text) {
        return text.codePoints()
                .mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
                .sum();
    }
}
