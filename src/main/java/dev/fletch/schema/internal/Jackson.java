// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import dev.fletch.wire.Escaper;

import java.util.regex.Pattern;

/// Messages about `jackson-core`, which is optional.
public final class Jackson {
    /// Parts of the parser's messages that do not help the author of the text: start positions and
    /// parser settings.
    private static final Pattern OWN_WORDS =
            Pattern.compile(
                    "\\s*(\\((start marker at|for |consider |not recognized |enable )"
                            + "|: enable `|\\[Source:).*$",
                    Pattern.DOTALL);

    private Jackson() {}

    /// Creates the exception for a missing `jackson-core`, with instructions for the class path and
    /// the module path.
    ///
    /// @param what would be read or written
    public static IllegalStateException missing(String what, NoClassDefFoundError cause) {
        return new IllegalStateException(
                "jackson-core is missing, required to read or write: "
                        + what
                        + "; put com.fasterxml.jackson.core:jackson-core on the class path; on the"
                        + " module path the application's module needs `requires"
                        + " com.fasterxml.jackson.core`, or the command line `--add-modules"
                        + " com.fasterxml.jackson.core`",
                cause);
    }

    /// Shortens a message of the parser, which may be null, for the author of the text.
    public static String reason(String message) {
        return Escaper.shortened(OWN_WORDS.matcher(String.valueOf(message)).replaceAll(""));
    }
}
