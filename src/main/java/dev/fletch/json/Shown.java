// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

/// Text from a document, made fit for a message: on one line, of a length that can be read, and
/// without what a terminal would act on.
final class Shown {
    private static final int MAX_CHARS = 120;

    private Shown() {}

    static String text(String text) {
        boolean cut = text.length() > MAX_CHARS;
        StringBuilder out = new StringBuilder();
        text.codePoints().limit(MAX_CHARS).forEach(c -> append(c, out));
        return cut ? out.append('…').toString() : out.toString();
    }

    private static void append(int c, StringBuilder out) {
        switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    out.append("\\u%04x".formatted(c));
            default -> out.appendCodePoint(c);
        }
    }
}
