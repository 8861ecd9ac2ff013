// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
    // First and last characters of the ranges that are two columns wide: East Asian and emoji.
    private static final int[] WIDE = {
        0x1100, 0x115F, 0x2E80, 0x303E, 0x3041, 0xA4CF, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE30,
        0xFE6F, 0xFF00, 0xFF60, 0xFFE0, 0xFFE6, 0x1F300, 0x1FAFF, 0x20000, 0x3FFFD
    };
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

    /// The width of a text, in columns of a terminal.
    public static int columns(String text) {
        return text.codePoints().map(Terminal::columns).sum();
    }

    private static int columns(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
            default -> {
                int place = Arrays.binarySearch(WIDE, c);
                yield place >= 0 || place % 2 == 0 ? 2 : 1; // -2: behind the first, before the last
            }
        };
    }

    /// A text of at most this width: of a longer one, the start and `…`.
    public static String shortened(String text, int columns) {
        return columns(text) <= columns ? text : cut(text, columns - 1) + "…";
    }

    /// The start of a text that fits a width.
    ///
    /// @param columns the maximum width, in columns of a terminal
    public static String cut(String text, int columns) {
        int taken = 0;
        for (int position = 0;
                position < text.length();
                position = text.offsetByCodePoints(position, 1)) {
            taken += columns(text.codePointAt(position));
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
            taken += columns(text.codePointAt(position));
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
