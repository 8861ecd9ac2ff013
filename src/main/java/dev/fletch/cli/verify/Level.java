// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import java.util.Locale;

/// What kind of thing a fault is in.
public enum Level {
    /// Prefixes, sizes, bodies: where a message begins and ends.
    FRAME,
    /// The flatbuffer of a message or footer.
    STRUCTURE,
    /// What a well-formed flatbuffer says.
    MEANING,
    /// How the parts of a file or stream go together.
    FILE;

    /// As it is spelled in texts and JSON.
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }
}
