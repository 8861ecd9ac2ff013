// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Properties of the terminal that an output is connected to: colours and width.
public final class Terminal {
    /// When to use colours.
    public enum Color {
        AUTO,
        ALWAYS,
        NEVER
    }

    /// File descriptor of standard output.
    public static final int OUTPUT = 1;

    /// File descriptor of standard error.
    public static final int ERROR = 2;

    /// The width of an output that is no terminal: no limit.
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final int LEAST_WIDTH = 40;
    // The first character that may be two columns wide.
    private static final int FIRST_WIDE = 0x1100;
    private static final int PATIENCE_SECONDS = 2;

    private static final class Output {
        static final int WIDTH = width(OUTPUT);
    }

    private Terminal() {}

    /// Whether to use colours. `AUTO` uses them on a terminal, unless `NO_COLOR` is set and not
    /// empty or `TERM` is `dumb`.
    public static boolean isColored(Color wanted) {
        return isColored(wanted, isTerminal(OUTPUT), System.getenv());
    }

    public static boolean isColored(
            Color wanted, boolean isTerminal, Map<String, String> environment) {
        return switch (wanted) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO ->
                    isTerminal
                            && environment.getOrDefault("NO_COLOR", "").isEmpty()
                            && !"dumb".equals(environment.get("TERM"));
        };
    }

    /// The [#width(int)] of standard output when it is first needed.
    public static int outputWidth() {
        return Output.WIDTH;
    }

    /// The width of the output with a descriptor, in characters; [#UNLIMITED] if it is no terminal.
    public static int width(int file) {
        return isTerminal(file) ? width(System.getenv("COLUMNS"), size()) : UNLIMITED;
    }

    /// @param columns value of the environment variable `COLUMNS`, or null
    /// @param size output of `stty size`, rows and columns, or null
    public static int width(String columns, String size) {
        for (String each :
                new String[] {columns, size == null ? null : size.replaceFirst("^\\d+ ", "")}) {
            if (each != null && each.strip().matches("[1-9]\\d{0,4}")) {
                return Math.max(LEAST_WIDTH, Integer.parseInt(each.strip()));
            }
        }
        return UNLIMITED;
    }

    /// Cuts a text to a width. Counts wide characters in excess rather than too low.
    ///
    /// @param columns the maximum width, in columns of a terminal
    public static String cut(String text, int columns) {
        int taken = 0;
        for (int position = 0;
                position < text.length();
                position = text.offsetByCodePoints(position, 1)) {
            taken += text.codePointAt(position) < FIRST_WIDE ? 1 : 2;
            if (taken > columns) {
                return text.substring(0, position);
            }
        }
        return text;
    }

    /// The end of a text that fits a width: see [#cut].
    public static String end(String text, int columns) {
        int from = text.length();
        for (int taken = 0; from > 0; ) {
            int position = text.offsetByCodePoints(from, -1);
            taken += text.codePointAt(position) < FIRST_WIDE ? 1 : 2;
            if (taken > columns) {
                break;
            }
            from = position;
        }
        return text.substring(from);
    }

    /// Whether an output's descriptor is a terminal. Without `/proc`, only standard output can be
    /// recognized.
    public static boolean isTerminal(int file) {
        try {
            String output = Files.readSymbolicLink(Path.of("/proc/self/fd/" + file)).toString();
            return output.startsWith("/dev/pts/") || output.startsWith("/dev/tty");
        } catch (IOException | RuntimeException _) {
            return file == OUTPUT && System.console() != null && System.console().isTerminal();
        }
    }

    private static String size() {
        try {
            Process stty =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(Path.of("/dev/tty").toFile())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return null;
            }
            return new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException _) {
            return null;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
