// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

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

    /// One line, without the input's name.
    public String line() {
        StringBuilder line = new StringBuilder();
        if (rule.severity() != Severity.ERROR) {
            line.append(severity()).append(": ");
        }
        if (message != NO_MESSAGE) {
            line.append("message ").append(message).append(": ");
        } else if (rule.level() == Level.STRUCTURE || rule.level() == Level.MEANING) {
            line.append("footer: ");
        }
        return line.append(what()).toString();
    }

    /// The line without severity and message index.
    public String what() {
        StringBuilder line = new StringBuilder();
        line.append(rule.level().title()).append(": ").append(rule.id());
        line.append(": offset=").append(offset);
        if (path != null) {
            line.append(", path=").append(path);
        }
        return line.append(": ").append(text).toString();
    }

    /// The severity's name in text and JSON.
    public String severity() {
        return rule.severity().name().toLowerCase(Locale.ROOT);
    }
}
