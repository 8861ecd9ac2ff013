// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

/// Escapes text from a schema or a document for display: characters that a terminal would act on or
/// not show, and characters that could be confused with the surrounding text. Uses the escapes
/// common to JSON and Java. All methods accept any text.
public final class Escaper {
    /// Length limit of a text in a message.
    private static final int MESSAGE_CHARS = 120;

    /// Length limit of a value on its own lines.
    private static final int VALUE_CHARS = 300;

    /// Length limit of a path, see [#end].
    public static final int PATH_CHARS = 500;

    /// Number of common characters shown before the first difference of two texts.
    private static final int COMMON_CHARS = 20;

    private static final int DELETE = 0x7F;
    private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    /// Letters and marks without a glyph: from, to, from, to.
    private static final int[] INVISIBLE = {
        0x034F, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x2800, 0x2800, 0x3164,
        0x3164, 0xFE00, 0xFE0F, 0xFFA0, 0xFFA0, 0xE0000, 0xE0FFF
    };

    private Escaper() {}

    // ---- names and values

    /// A name, in quotes if it could be confused with its surroundings: an empty one, one with a
    /// space at an end, one with punctuation used around names.
    public static String name(String text) {
        boolean plain = isPlain(text, "=\"\\,()→") && !text.endsWith(":") && !text.contains(": ");
        return plain ? text : quoted(text);
    }

    /// A value at the end of a line, in quotes if it could be confused with another value.
    public static String value(String text) {
        return isPlain(text, "\\→…") && !text.startsWith("\"") ? text : quoted(text);
    }

    private static boolean isPlain(String text, String delimiters) {
        return !text.isEmpty()
                && !text.startsWith(" ")
                && !text.endsWith(" ")
                && text.codePoints().noneMatch(c -> delimiters.indexOf(c) >= 0 || isActive(c));
    }

    /// [#value], shortened if long.
    ///
    /// @param bytes its length in UTF-8
    public static String longValue(String text, long bytes) {
        return text.length() <= VALUE_CHARS
                ? value(text)
                : value(start(text, VALUE_CHARS)) + "… (" + bytes + " bytes)";
    }

    /// A text on one line, with active characters escaped. The text may contain escapes.
    public static String text(String text) {
        return escaped(text, false, false);
    }

    /// [#text] for a message, shortened if long.
    public static String shortened(String text) {
        return shortened(text, Escaper::text);
    }

    /// [#name] for a message, shortened if long.
    public static String shortenedName(String text) {
        return shortened(text, Escaper::name);
    }

    private static String shortened(String text, UnaryOperator<String> form) {
        return text.length() <= MESSAGE_CHARS
                ? form.apply(text)
                : form.apply(start(text, MESSAGE_CHARS)) + "… (" + text.length() + " characters)";
    }

    /// A path; of a longer one than [#PATH_CHARS], the end. Not escaped.
    public static String end(String path) {
        int from = path.length() - PATH_CHARS;
        return from <= 0 ? path : "…" + path.substring(boundary(path, from));
    }

    /// The first characters, without half a surrogate pair.
    private static String start(String text, int chars) {
        return text.substring(0, boundary(text, Math.min(chars, text.length())));
    }

    /// The index, or the previous one if it is inside a surrogate pair.
    private static int boundary(String text, int position) {
        boolean inside =
                position > 0
                        && position < text.length()
                        && Character.isHighSurrogate(text.charAt(position - 1))
                        && Character.isLowSurrogate(text.charAt(position));
        return inside ? position - 1 : position;
    }

    // ---- two texts

    /// Two different texts, as `before → after`: long ones from their first difference, and those
    /// that look the same by their code points.
    ///
    /// @param form escapes each of them
    public static String change(String before, String after, UnaryOperator<String> form) {
        int from = 0;
        if (Math.max(before.length(), after.length()) > VALUE_CHARS) {
            int common = CharBuffer.wrap(before).mismatch(CharBuffer.wrap(after));
            from = common > 2 * COMMON_CHARS ? boundary(before, common - COMMON_CHARS) : 0;
        }
        String old = window(before, from, form);
        String now = window(after, from, form);
        if (!seen(old).equals(seen(now))) {
            return old + " → " + now;
        }
        UnaryOperator<String> codePoints = text -> '"' + escaped(text, true, true) + '"';
        return window(before, from, codePoints) + " → " + window(after, from, codePoints);
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

    /// The visible form of a text, to compare what a person sees.
    private static String seen(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC).replaceAll("[\u200c\u200d]", "");
    }

    // ---- escapes

    /// Returns whether a terminal could act on a character, or show nothing.
    ///
    /// @param c a code point, or an unpaired surrogate
    public static boolean isActive(int c) {
        if (c < DELETE) {
            return c < ' ';
        }
        if (c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER) {
            return false; // required by some scripts
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

    /// A text in quotes, with quotes and backslashes escaped as well.
    public static String quoted(String text) {
        return '"' + escaped(text, true, false) + '"';
    }

    /// @param inQuotes whether quotes and backslashes are escaped too
    /// @param ascii whether all characters that are not ASCII are escaped
    private static String escaped(String text, boolean inQuotes, boolean ascii) {
        if (!inQuotes && text.chars().allMatch(c -> c >= ' ' && c < DELETE)) {
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

    /// The escape of a character that JSON and Java have in common, such as `\u001b`.
    public static String unicodeEscape(char c) {
        return "\\u" + HexFormat.of().toHexDigits(c);
    }
}
