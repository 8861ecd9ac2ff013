// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

/// Text from a file, made fit for a person's terminal.
///
/// A name in a schema may hold anything: an escape sequence that clears the screen, a line break that
/// fakes a line of output, a mark that turns the writing direction around. What a terminal would act
/// on instead of showing it is written as an escape.
final class Printable {
    private static final String HEX = "0123456789abcdef";

    private Printable() {}

    /// Tells whether a terminal could act on a character instead of showing it.
    static boolean isActive(char c) {
        if (c < 0x7F) {
            return c < ' ';
        }
        if (c == '\u200C' || c == '\u200D') {
            return false; // joiners: some scripts cannot be spelled without
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> false;
        };
    }

    /// A name as it is where that is unmistakable, else in quotes: an empty one, one with a space at
    /// an end, one that the characters around it could be taken for a part of.
    static String name(String text) {
        return isPlain(text) ? text : '"' + escape(text, true) + '"';
    }

    private static boolean isPlain(String text) {
        if (text.isEmpty()
                || text.startsWith(" ")
                || text.endsWith(" ")
                || text.endsWith(":")
                || text.contains(": ")) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '=' || c == '"' || c == '\\' || isActive(c)) {
                return false;
            }
        }
        return true;
    }

    /// A text on a line of its own, with what is active escaped and everything else as it is.
    static String text(String text) {
        return escape(text, false);
    }

    /// JSON as it is on a terminal: what is active in its strings has an escape there.
    static String json(String json) {
        StringBuilder out = new StringBuilder(json.length() + 16);
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (isActive(c)) {
                out.append(unicodeEscape(c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String escape(String text, boolean quoted) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && (c == '"' || c == '\\')) {
                out.append('\\').append(c);
            } else if (isActive(c)) {
                appendEscape(c, out);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static void appendEscape(char c, StringBuilder out) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append(unicodeEscape(c));
        }
    }

    /// The escape that JSON and Java have in common, such as `\u001b`.
    static String unicodeEscape(char c) {
        return "\\u"
                + HEX.charAt(c >> 12)
                + HEX.charAt(c >> 8 & 0xF)
                + HEX.charAt(c >> 4 & 0xF)
                + HEX.charAt(c & 0xF);
    }
}
