// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The tokens of a statement of `cases/*.txt`: words, numbers, quoted texts, single marks and `=>`.
final class CaseScanner {
    private static final Pattern TOKEN =
            Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|=>|-?\\d+(?![\\w-])|\\w(?:[\\w-]*\\w)?|\\S");

    private static final Pattern NUMBER = Pattern.compile("-?\\d+");

    private final List<String> tokens;
    private int next;

    CaseScanner(String statement) {
        tokens = TOKEN.matcher(statement).results().map(MatchResult::group).toList();
    }

    boolean isAtEnd() {
        return next == tokens.size();
    }

    /// The next token; empty at the end.
    String peek() {
        return isAtEnd() ? "" : tokens.get(next);
    }

    String take() {
        if (isAtEnd()) {
            throw wrong("a token");
        }
        return tokens.get(next++);
    }

    /// Takes the next token if it is this one.
    boolean takes(String token) {
        boolean isNext = peek().equals(token);
        next += isNext ? 1 : 0;
        return isNext;
    }

    void expect(String token) {
        if (!takes(token)) {
            throw wrong(token);
        }
    }

    boolean isNumber() {
        return NUMBER.matcher(peek()).matches();
    }

    long number() {
        if (!isNumber()) {
            throw wrong("a number");
        }
        return Long.parseLong(take());
    }

    boolean isText() {
        return peek().startsWith("\"");
    }

    /// A quoted text, in which `\x0A` and `\u202e` are characters and a backslash precedes any other
    /// mark.
    String text() {
        if (!isText()) {
            throw wrong("a text");
        }
        String quoted = take();
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < quoted.length() - 1; i++) {
            char mark = quoted.charAt(i);
            char kind = mark == '\\' ? quoted.charAt(i + 1) : 0;
            if (kind == 'x' || kind == 'u') {
                int digits = kind == 'x' ? 2 : 4;
                mark = (char) Integer.parseInt(quoted, i + 2, i + 2 + digits, 16);
                i += 1 + digits;
            } else if (mark == '\\') {
                mark = quoted.charAt(++i);
            }
            text.append(mark);
        }
        return text.toString();
    }

    IllegalArgumentException wrong(String expected) {
        String before = String.join(" ", tokens.subList(Math.max(0, next - 8), next));
        return new IllegalArgumentException(
                "expected " + expected + ", found '" + peek() + "' behind: " + before);
    }
}
