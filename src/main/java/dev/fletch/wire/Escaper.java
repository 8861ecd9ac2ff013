// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

/// Text from a schema or a document, made fit to be shown: what a terminal would act on, what nobody
/// sees, and what could be taken for a part of the text around it, is escaped.
///
/// The escapes are those that JSON and Java have in common.
public final class Escaper {
    /// What fits into a message.
    private static final int MESSAGE_CHARS = 120;

    /// What fits on lines of its own.
    private static final int VALUE_CHARS = 300;

    /// How much is shown of what two texts have in common, before they differ.
    private static final int COMMON_CHARS = 20;

    private static final int DELETE = 0x7F;
    private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    /// Shown as nothing, though they are letters or marks: from, to, from, to.
    private static final int[] INVISIBLE = {
        0x034F, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x2800, 0x2800, 0x3164,
        0x3164, 0xFE00, 0xFE0F, 0xFFA0, 0xFFA0, 0xE0000, 0xE0FFF
    };

    private Escaper() {}

    /// Tells whether a terminal could act on a character, or show nothing.
    ///
    /// @param c a code point, or half of a pair that has lost the other half
    /// @return whether it is escaped
    public static boolean isActive(int c) {
        if (c < DELETE) {
            return c < ' ';
        }
        if (c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER) {
            return false; // some scripts cannot be spelled without
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> isInvisible(c);
        };
    }

    private static boolean isInvisible(int c) {
        for (int i = 0; i < INVISIBLE.length; i += 2) {
            if (c >= INVISIBLE[i] && c <= INVISIBLE[i + 1]) {
                return true;
            }
        }
        return false;
    }

    /// A name as it is where that is unmistakable, else in quotes: an empty one, one with a space
    /// at an end, one that the characters around it could be taken for a part of.
    ///
    /// @param text any text
    /// @return the name; one in quotes is the only that begins with one
    public static String name(String text) {
        boolean plain =
                !text.isEmpty()
                        && !text.startsWith(" ")
                        && !text.endsWith(" ")
                        && !text.endsWith(":")
                        && !text.contains(": ")
                        && text.codePoints().noneMatch(c -> isPunctuation(c) || isActive(c));
        return plain ? text : quoted(text);
    }

    /// What stands around names.
    private static boolean isPunctuation(int c) {
        return switch (c) {
            case '=', '"', '\\', ',', '(', ')', '→' -> true;
            default -> false;
        };
    }

    /// A value at the end of a line: as it is, or in quotes where it could be taken for another
    /// one.
    ///
    /// @param text any text
    /// @return the value; one in quotes is the only that begins with one
    public static String value(String text) {
        boolean plain =
                !text.isEmpty()
                        && !text.startsWith(" ")
                        && !text.endsWith(" ")
                        && !text.startsWith("\"")
                        && text.codePoints()
                                .noneMatch(c -> c == '\\' || c == '→' || c == '…' || isActive(c));
        return plain ? text : quoted(text);
    }

    /// A value that may be a page long; its start tells what it is.
    ///
    /// @param text any text
    /// @param bytes its length in UTF-8
    /// @return as [#value], a long one cut
    public static String longValue(String text, long bytes) {
        return text.length() <= VALUE_CHARS
                ? value(text)
                : value(start(text, VALUE_CHARS)) + "… (" + bytes + " bytes)";
    }

    /// A text with what is active escaped, and everything else as it is.
    ///
    /// @param text any text, which may hold escapes already
    /// @return the text on one line
    public static String text(String text) {
        return escaped(text, false, false);
    }

    /// A text in a message, cut where it is long.
    ///
    /// @param text any text
    /// @return as [#text]
    public static String shortened(String text) {
        return text.length() <= MESSAGE_CHARS ? text(text) : text(start(text)) + length(text);
    }

    /// A name in a message, cut where it is long.
    ///
    /// @param text any text
    /// @return as [#name]
    public static String shortenedName(String text) {
        return text.length() <= MESSAGE_CHARS ? name(text) : name(start(text)) + length(text);
    }

    private static String start(String text) {
        return start(text, MESSAGE_CHARS);
    }

    private static String length(String text) {
        return "… (" + text.length() + " characters)";
    }

    /// The first characters, of which none is half of a pair.
    private static String start(String text, int chars) {
        return text.substring(0, boundary(text, Math.min(chars, text.length())));
    }

    /// The place, or the one before it where it is inside a pair.
    private static int boundary(String text, int at) {
        boolean inside =
                at > 0
                        && at < text.length()
                        && Character.isHighSurrogate(text.charAt(at - 1))
                        && Character.isLowSurrogate(text.charAt(at));
        return inside ? at - 1 : at;
    }

    // ---- two texts

    /// Two texts that differ, so that one can see it: long ones from where they differ, and what
    /// looks the same by its code points.
    ///
    /// @param before any text
    /// @param after another one
    /// @param form how each of them is shown
    /// @return `before → after`
    public static String change(String before, String after, UnaryOperator<String> form) {
        int from = 0;
        if (Math.max(before.length(), after.length()) > VALUE_CHARS) {
            int common = common(before, after);
            from = common > 2 * COMMON_CHARS ? boundary(before, common - COMMON_CHARS) : 0;
        }
        String old = window(before, from, form);
        String now = window(after, from, form);
        return lookSame(old, now)
                ? window(before, from, Escaper::byCodePoints)
                        + " → "
                        + window(after, from, Escaper::byCodePoints)
                : old + " → " + now;
    }

    private static int common(String a, String b) {
        int most = Math.min(a.length(), b.length());
        int common = 0;
        while (common < most && a.charAt(common) == b.charAt(common)) {
            common++;
        }
        return common;
    }

    private static String window(String text, int from, UnaryOperator<String> form) {
        int to = boundary(text, Math.min(text.length(), from + VALUE_CHARS));
        String shown = (from == 0 ? "" : "…") + form.apply(text.substring(from, to));
        if (from > 0) {
            return shown + (to < text.length() ? "…" : "") + " (from character " + from + ")";
        }
        return to == text.length()
                ? shown
                : shown + "… (" + text.getBytes(StandardCharsets.UTF_8).length + " bytes)";
    }

    private static boolean lookSame(String a, String b) {
        return seen(a).equals(seen(b));
    }

    private static String seen(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC).replaceAll("[\u200c\u200d]", "");
    }

    private static String byCodePoints(String text) {
        return '"' + escaped(text, true, true) + '"';
    }

    // ---- escapes

    /// A text in quotes, with quotes and backslashes escaped as well.
    ///
    /// @param text any text
    /// @return one in quotes, whatever it is
    public static String quoted(String text) {
        return '"' + escaped(text, true, false) + '"';
    }

    /// @param inQuotes whether quotes and backslashes are escaped too
    /// @param ascii whether everything is that is not ASCII
    private static String escaped(String text, boolean inQuotes, boolean ascii) {
        if (!inQuotes && isPrintableAscii(text)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints()
                .forEach(
                        c -> {
                            if (inQuotes && (c == '"' || c == '\\')) {
                                out.append('\\').append((char) c);
                            } else if (isActive(c) || ascii && c > DELETE) {
                                escape(c, out);
                            } else {
                                out.appendCodePoint(c);
                            }
                        });
        return out.toString();
    }

    private static boolean isPrintableAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) >= DELETE) {
                return false;
            }
        }
        return true;
    }

    private static void escape(int c, StringBuilder out) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                for (char unit : Character.toChars(c)) {
                    out.append(unicodeEscape(unit));
                }
            }
        }
    }

    /// The escape that JSON and Java have in common.
    ///
    /// @param c any character
    /// @return a text such as `\u001b`
    public static String unicodeEscape(char c) {
        return "\\u" + HexFormat.of().toHexDigits(c);
    }
}
