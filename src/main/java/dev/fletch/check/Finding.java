// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;
import dev.fletch.wire.Escaper;
import dev.fletch.wire.FaultText;

import java.util.Locale;

/// An error, deviation or note of `fletch verify`.
///
/// @param rule the broken rule
/// @param message index of the message as in `fletch ls`; [#NO_MESSAGE] if in no message
/// @param path path of the field in the metadata; null if not in metadata
/// @param offset offset in the input, in bytes
/// @param text the message
public record Finding(Rule rule, int message, String path, long offset, String text) {
    /// The index of findings outside messages.
    public static final int NO_MESSAGE = -1;

    /// Creates a finding whose text is the rule's description and the details.
    ///
    /// @param details values as `name=value`; may be empty
    public static Finding of(Rule rule, int message, String path, long offset, String details) {
        String text = rule.description() + (details.isEmpty() ? "" : ": " + details);
        return new Finding(rule, message, path, offset, text);
    }

    /// One line, without the input's name.
    public String line() {
        String prefix = rule.severity() == Severity.ERROR ? "" : severity() + ": ";
        if (message != NO_MESSAGE) {
            prefix += "message " + message + ": ";
        } else if (rule.level() == Level.STRUCTURE || rule.level() == Level.MEANING) {
            prefix += "footer: ";
        }
        return prefix + what();
    }

    /// The line without severity and message index.
    public String what() {
        String place = FaultText.place(rule.id(), offset, path);
        return rule.level().title() + ": " + place + ": " + text;
    }

    /// Returns this finding as a JSON object on one line, with the keys of `fletch verify --json`.
    /// Active characters are escaped.
    ///
    /// @return such as
    ///     `{"level":"frame","severity":"error","code":"truncated-prefix","message":3,"path":null,…}`
    public String toJson() {
        return "{\"level\":"
                + Escaper.quoted(rule.level().title())
                + ",\"severity\":"
                + Escaper.quoted(severity())
                + ",\"code\":"
                + Escaper.quoted(rule.id())
                + ",\"message\":"
                + (message == NO_MESSAGE ? "null" : message)
                + ",\"path\":"
                + (path == null ? "null" : Escaper.quoted(path))
                + ",\"offset\":"
                + offset
                + ",\"text\":"
                + Escaper.quoted(text)
                + "}";
    }

    /// The severity's name in text and JSON.
    public String severity() {
        return rule.severity().name().toLowerCase(Locale.ROOT);
    }
}
