// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import java.util.ArrayList;
import java.util.List;

/// Cuts a `.fbs` text into words, numbers, quoted strings and single-character symbols; comments
/// and white space fall away.
final class FbsLexer {
    enum Kind {
        WORD,
        NUMBER,
        QUOTED,
        SYMBOL,
        END
    }

    /// A piece of the text. The text of a quoted string comes without its quotes.
    record Token(Kind kind, String text, int line) {
        boolean is(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }

        String describe() {
            return kind == Kind.END ? "end of file" : "'" + text + "'";
        }
    }

    private static final String SYMBOLS = "{}()[]:;,=.";

    private final String file;
    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int position;
    private int line = 1;

    private FbsLexer(String file, String text) {
        this.file = file;
        this.text = text;
    }

    /// Returns the tokens of `text`, the last of which is an END.
    static List<Token> tokens(String file, String text) {
        FbsLexer lexer = new FbsLexer(file, text);
        while (lexer.position < text.length()) {
            lexer.next();
        }
        lexer.tokens.add(new Token(Kind.END, "", lexer.line));
        return List.copyOf(lexer.tokens);
    }

    private void next() {
        char c = text.charAt(position);
        if (c == '\n') {
            line++;
            position++;
        } else if (Character.isWhitespace(c)) {
            position++;
        } else if (text.startsWith("//", position)) {
            skipTo(text.indexOf('\n', position), text.length());
        } else if (text.startsWith("/*", position)) {
            skipBlockComment();
        } else if (c == '"') {
            quoted();
        } else if (isWordStart(c)) {
            take(Kind.WORD, endOfRun());
        } else if (isDigit(c) || c == '-' || c == '+') {
            take(Kind.NUMBER, endOfRun());
        } else if (SYMBOLS.indexOf(c) >= 0) {
            take(Kind.SYMBOL, position + 1);
        } else {
            throw new FbsException(file, line, "unexpected character '" + c + "'");
        }
    }

    private void take(Kind kind, int end) {
        tokens.add(new Token(kind, text.substring(position, end), line));
        position = end;
    }

    private void quoted() {
        int end = text.indexOf('"', position + 1);
        int lineEnd = text.indexOf('\n', position);
        if (end < 0 || (lineEnd >= 0 && lineEnd < end)) {
            throw new FbsException(file, line, "string without a closing quote");
        }
        tokens.add(new Token(Kind.QUOTED, text.substring(position + 1, end), line));
        position = end + 1;
    }

    private void skipBlockComment() {
        int end = text.indexOf("*/", position + 2);
        if (end < 0) {
            throw new FbsException(file, line, "comment without an end");
        }
        line += (int) text.substring(position, end).chars().filter(c -> c == '\n').count();
        position = end + 2;
    }

    private void skipTo(int index, int otherwise) {
        position = index < 0 ? otherwise : index;
    }

    private int endOfRun() {
        int end = position + 1;
        while (end < text.length()
                && (isWordStart(text.charAt(end)) || isDigit(text.charAt(end)))) {
            end++;
        }
        return end;
    }

    private static boolean isWordStart(char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
