// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/// Bytes decoded from base64 text, in the standard or the URL-safe alphabet, with spaces and line
/// breaks anywhere. Padding at the end may be missing, or too long; bits that do not fill a byte
/// are ignored. Around it:
///
/// - a byte order mark;
/// - a key, and anything before it: `KEY=…`, `KEY: …`, `{"KEY": "…", …}`;
/// - quotes, of which the last may be missing; after a key, anything may follow the last one;
/// - at the end, `)`, `]`, `}`, `,` and `;`;
/// - Python's literals: `b'…'`, `b"…"`, and several of them in a row, as `pprint` breaks long ones;
/// - escapes: `\n`, `\r`, `\t`, `\/`, `\x3d`, `\u003d`, also with more than one backslash.
///
/// The digits are decoded by the JDK. Its decoder alone does not do: it takes one alphabet at a
/// time; it skips invalid characters, as the decoder for MIME does, or throws at the first without
/// its offset; it does not decode what follows one; and it does not know what is around the digits.
///
/// @param bytes the decoded bytes, up to the end of valid base64
/// @param faultAt offset in the text of the first invalid character; -1 if there is none
/// @param faultByte offset of the first affected byte; the number of bytes if there is no fault
public record Base64Text(byte[] bytes, long faultAt, int faultByte) {
    /// Longer texts are not decoded.
    private static final long MAX_CHARACTERS = 1L << 30;

    // A text with an invalid character before this index is not base64.
    private static final int LEAST_CHARACTERS = 16;
    private static final int ZERO_BITS = 'A';
    private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

    /// Returns the start of a text, after a byte order mark.
    public static long start(MemorySegment text) {
        long limit = Math.min(text.byteSize(), BYTE_ORDER_MARK.length());
        return latin1(text, 0, limit).equals(BYTE_ORDER_MARK) ? limit : 0;
    }

    private static String latin1(MemorySegment text, long from, long length) {
        byte[] bytes = text.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Reads the characters of the base64 in a text, without what is around it.
    private static final class Characters {
        private static final int END = -1;
        private static final String SPACES = " \t\r\n";
        private static final String QUOTES = "\"'";
        private static final String AFTER = ")]},;";
        // The key is searched for in the first bytes only, as any text may be given.
        private static final long MAX_LEAD = 1 << 20;

        private final MemorySegment text;
        // Without spaces and brackets at the end.
        private final long end;
        private final boolean hasKey;
        // Offset of the first character.
        final long first;
        // Offset of the last character that was returned.
        long last;
        private long position;
        // Of the current literal; 0 for none.
        private int quote;

        Characters(MemorySegment text, String key) {
            this.text = text;
            position = start(text);
            long to = text.byteSize();
            while (to > position && (isSpace(to - 1) || AFTER.indexOf(byteAt(to - 1)) >= 0)) {
                to--;
            }
            end = to;
            int found =
                    latin1(text, position, Math.min(end - position, MAX_LEAD + key.length()))
                            .indexOf(key);
            hasKey = found >= 0;
            if (hasKey) {
                position += found + key.length();
                position += isOneOf(QUOTES) ? 1 : 0;
            }
            while (position < end
                    && (isSpace(position) || isOneOf("([") || hasKey && isOneOf("=:"))) {
                position++;
            }
            open();
            first = position;
        }

        /// Begins a literal, if there is one.
        private boolean open() {
            boolean isBytes =
                    position + 1 < end
                            && byteAt(position) == 'b'
                            && QUOTES.indexOf(byteAt(position + 1)) >= 0;
            position += isBytes ? 1 : 0;
            quote = isOneOf(QUOTES) ? byteAt(position++) : 0;
            return quote != 0;
        }

        /// Returns the next character, or [#END].
        int next() {
            while (position < end) {
                last = position;
                int character = byteAt(position++);
                if (character == '\\') {
                    return escaped();
                }
                if (quote == 0 || character != quote) {
                    return character;
                }
                while (position < end && isSpace(position)) {
                    position++;
                }
                if (!open()) {
                    boolean isEnd = hasKey || position == end;
                    last = position;
                    position = end;
                    return isEnd ? END : '\\'; // which is not base64
                }
            }
            return END;
        }

        private int escaped() {
            while (position < end && byteAt(position) == '\\') {
                position++;
            }
            if (position == end) {
                return '\\';
            }
            int kind = byteAt(position++);
            return switch (kind) {
                case 'n', 'r', 't', '\n', '\r' -> ' ';
                case '/' -> '/';
                case 'x' -> hexadecimal(2);
                case 'u' -> hexadecimal(4);
                default -> '\\';
            };
        }

        private int hexadecimal(int digits) {
            int value = 0;
            for (int i = 0; i < digits; i++) {
                int digit = position < end ? Character.digit(byteAt(position), 16) : -1;
                if (digit < 0) {
                    return '\\';
                }
                value = value << 4 | digit;
                position++;
            }
            return value <= 0xFF ? value : '\\';
        }

        private int byteAt(long index) {
            return Byte.toUnsignedInt(text.get(ValueLayout.JAVA_BYTE, index));
        }

        private boolean isOneOf(String characters) {
            return position < end && characters.indexOf(byteAt(position)) >= 0;
        }

        private boolean isSpace(long index) {
            return SPACES.indexOf(byteAt(index)) >= 0;
        }
    }

    /// Decodes a text that may be base64.
    ///
    /// @param key key that may precede the base64
    /// @return null if the text is not base64
    public static Base64Text detect(MemorySegment text, String key) {
        if (text.byteSize() > MAX_CHARACTERS) {
            return null;
        }
        Base64Text decoded = decode(text, key);
        boolean isNone =
                decoded.bytes.length == 0
                        || decoded.faultAt >= 0
                                && decoded.faultAt - new Characters(text, key).first
                                        < LEAST_CHARACTERS;
        return isNone ? null : decoded;
    }

    /// Decodes a base64 text. The first invalid character reads as six zero bits, so that later
    /// bytes keep their offsets. At a second one, the result ends before the first.
    ///
    /// @param text at most 2<sup>30</sup> characters, a byte each
    /// @param key key that may precede the base64
    public static Base64Text decode(MemorySegment text, String key) {
        Characters characters = new Characters(text, key);
        byte[] digits = new byte[(int) Math.min(text.byteSize(), 1 << 16)];
        int count = 0;
        int sound = 0; // number of digits before the fault
        long fault = -1;
        boolean isPadded = false;
        for (int next = characters.next(); next != Characters.END; next = characters.next()) {
            if (next == '=' || Characters.SPACES.indexOf(next) >= 0) {
                isPadded |= next == '=';
                continue;
            }
            int digit = isPadded ? -1 : digit(next);
            if (digit < 0) {
                if (fault >= 0) {
                    count = sound;
                    break;
                }
                fault = characters.last;
                sound = count;
                if (isPadded) {
                    break;
                }
                digit = ZERO_BITS;
            }
            if (count == digits.length) {
                digits = Arrays.copyOf(digits, 2 * count + 1);
            }
            digits[count++] = (byte) digit;
        }
        // A single digit at the end has no complete byte.
        byte[] complete = Arrays.copyOf(digits, count - (count % 4 == 1 ? 1 : 0));
        byte[] bytes = Base64.getDecoder().decode(complete);
        return new Base64Text(bytes, fault, fault < 0 ? bytes.length : (int) (sound * 6L / 8));
    }

    /// The digit of the standard alphabet; -1 if the character is none of either alphabet.
    private static int digit(int character) {
        return switch (character) {
            case '+', '-' -> '+';
            case '/', '_' -> '/';
            default -> character < 0x80 && Character.isLetterOrDigit(character) ? character : -1;
        };
    }
}
