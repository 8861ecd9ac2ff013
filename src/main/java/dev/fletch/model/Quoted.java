// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

/// Text from a schema, made fit to be shown: what a terminal would act on, or what could be taken
/// for a part of the text around it, is escaped.
final class Quoted {
    private static final int SHOWN_CHARS = 120;
    private static final int DELETE = 0x7F;

    private Quoted() {}

    /// A name as it is where that is unmistakable, else in quotes: an empty one, one with a space
    /// at an end, one that the characters around it could be taken for a part of.
    static String name(String text) {
        return isPlain(text) ? text : '"' + escaped(text, true) + '"';
    }

    /// Names joined by dots; in quotes where nothing would be seen, or the rest of a line be taken
    /// for a part of it.
    static String path(String text) {
        return name(text);
    }

    /// A text with what is active escaped, and everything else as it is.
    static String text(String text) {
        return escaped(text, false);
    }

    /// A text on a line, cut where it is long.
    static String shortened(String text) {
        if (text.length() <= SHOWN_CHARS) {
            return text(text);
        }
        return text(start(text, SHOWN_CHARS)) + "… (" + text.length() + " characters)";
    }

    /// The first characters, of which none is half of a pair.
    static String start(String text, int chars) {
        boolean halved = Character.isHighSurrogate(text.charAt(chars - 1));
        return text.substring(0, halved ? chars - 1 : chars);
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

    /// Tells whether a terminal could act on a character instead of showing it.
    private static boolean isActive(char c) {
        if (c < DELETE) {
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

    private static String escaped(String text, boolean quoted) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && (c == '"' || c == '\\')) {
                out.append('\\').append(c);
            } else if (isActive(c)) {
                out.append(escape(c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String escape(char c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> "\\u%04x".formatted((int) c);
        };
    }
}
