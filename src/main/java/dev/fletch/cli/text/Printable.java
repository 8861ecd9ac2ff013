// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.text;

import dev.fletch.wire.Escaper;

/// Text from a file, made fit for a person's terminal.
///
/// A name in a schema may hold anything: an escape sequence that clears the screen, a line break that
/// fakes a line of output, a mark that turns the writing direction around. What a terminal would act
/// on instead of showing it is written as an escape.
public final class Printable {
    private Printable() {}

    /// Tells whether a terminal could act on a character instead of showing it. Half of a surrogate
    /// pair is such a character where the other half is missing.
    public static boolean isActive(char c) {
        return Escaper.isActive(c);
    }

    /// A name as it is where that is unmistakable, else in quotes: an empty one, one with a space at
    /// an end, one that the characters around it could be taken for a part of.
    public static String name(String text) {
        return Escaper.name(text);
    }

    /// A text on a line of its own, with what is active escaped and everything else as it is.
    public static String text(String text) {
        return Escaper.text(text);
    }

    /// A text in quotes: with quotes and backslashes escaped as well, it has one end.
    public static String quoted(String text) {
        return Escaper.quoted(text);
    }

    /// JSON as it is on a terminal: what is active in its strings has an escape there.
    public static String json(String json) {
        return Escaper.text(json);
    }

    /// The escape that JSON and Java have in common, such as `\u001b`.
    public static String unicodeEscape(char c) {
        return Escaper.unicodeEscape(c);
    }
}
