// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.util.regex.Pattern;

/// What those have in common who read JSON by `jackson-core`, which is optional.
public final class Jackson {
    /// Where something began that has no end, and which settings would allow what is wrong: told in
    /// the parser's words, of no use to whoever wrote the text.
    private static final Pattern OWN_WORDS =
            Pattern.compile(
                    "\\s*(\\((start marker at|for |consider |not recognized |enable )"
                            + "|: enable `|\\[Source:).*$",
                    Pattern.DOTALL);

    private Jackson() {}

    /// What to throw where it is not there.
    ///
    /// @param what is read or written by it
    /// @param cause what tells of it
    /// @return an exception that says what to do, on the class path and on the module path
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

    /// What is wrong with a text.
    ///
    /// @param message what the parser says, may be null
    /// @return that without what only the parser's users understand, fit to be shown
    public static String reason(String message) {
        return Escaper.shortened(OWN_WORDS.matcher(String.valueOf(message)).replaceAll(""));
    }
}
