// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.util.regex.Pattern;

/// Messages for readers of JSON by `jackson-core`, which is optional.
public final class Jackson {
    /// Parts of the parser's messages that do not help the author of the text: start positions and
    /// the parser's settings.
    private static final Pattern OWN_WORDS =
            Pattern.compile(
                    "\\s*(\\((start marker at|for |consider |not recognized |enable )"
                            + "|: enable `|\\[Source:).*$",
                    Pattern.DOTALL);

    private Jackson() {}

    /// Makes the exception for a missing `jackson-core`. It says what to do, on the class path and on the
    /// module path.
    ///
    /// @param what is read or written by it
    public static IllegalStateException missing(String what, NoClassDefFoundError cause) {
        return new IllegalStateException(
                "jackson-core is not there, by which is read or written: "
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
