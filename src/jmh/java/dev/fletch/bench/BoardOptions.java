// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The options of the command line.
///
/// @param effort duration of the measurement
/// @param rows the rows to measure
/// @param tail whether to measure latencies of single messages
/// @param cold whether to measure the start of the command
/// @param commands whether to measure the command on large inputs
/// @param json file to write all figures to; null for none
/// @param markdown whether to print Markdown tables
/// @param from files of figures to print; empty to measure
/// @param pages whether to write the figures into the pages of the repository
record BoardOptions(
        Effort effort,
        List<Row> rows,
        boolean tail,
        boolean cold,
        boolean commands,
        Path json,
        boolean markdown,
        List<Path> from,
        boolean pages) {

    static final String TAIL = "tail";
    static final String COLD = "cold";
    static final String COMMANDS = "commands";

    /// The duration of a measurement.
    ///
    /// @param forks number of JVMs per figure; 0 to measure in the board's own JVM
    /// @param warmups number of iterations that are discarded
    /// @param iterations number of measured iterations
    /// @param milliseconds duration of an iteration
    /// @param tailMessages number of messages timed individually
    /// @param starts number of processes started to measure start-up
    record Effort(
            int forks,
            int warmups,
            int iterations,
            long milliseconds,
            int tailMessages,
            int starts) {
        static final Effort QUICK = new Effort(0, 1, 1, 10, 20_000, 1);
        static final Effort DEFAULT = of(2);

        static Effort of(int forks) {
            return new Effort(forks, 9, 4, 100, 10_000_000, 10);
        }

        boolean isQuick() {
            return forks == 0;
        }

        /// For the record.
        String text() {
            return isQuick()
                    ? "quick"
                    : "forks=%d, warmups=%d, iterations=%d, milliseconds=%d"
                            .formatted(forks, warmups, iterations, milliseconds);
        }
    }

    /// Parses the arguments.
    ///
    /// @throws IllegalArgumentException if one is unknown or lacks its value
    static BoardOptions parse(String... arguments) {
        Effort effort = Effort.DEFAULT;
        Set<String> names = new LinkedHashSet<>();
        Path json = null;
        List<Path> from = new ArrayList<>();
        boolean pages = false;
        boolean markdown = false;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--quick" -> effort = Effort.QUICK;
                case "--forks" -> effort = Effort.of(forks(value(arguments, ++i)));
                case "--markdown" -> markdown = true;
                case "--workload" -> names.add(value(arguments, ++i));
                case "--json" -> json = Path.of(value(arguments, ++i));
                case "--from" -> from.add(Path.of(value(arguments, ++i)));
                case "--pages" -> pages = true;
                default -> throw new IllegalArgumentException("unknown option: " + arguments[i]);
            }
        }
        if (pages && from.isEmpty()) {
            throw new IllegalArgumentException("--pages requires --from");
        }
        boolean all = names.isEmpty();
        boolean commands = names.remove(COMMANDS) || all && effort.isQuick();
        boolean tail = names.remove(TAIL) || all;
        boolean cold = names.remove(COLD) || all;
        return new BoardOptions(
                effort,
                all ? Rows.ALL : named(names),
                tail,
                cold,
                commands,
                json,
                markdown,
                from,
                pages);
    }

    private static int forks(String text) {
        if (!text.matches("[1-9][0-9]?")) {
            throw new IllegalArgumentException("--forks must be from 1 to 99: " + text);
        }
        return Integer.parseInt(text);
    }

    private static String value(String[] arguments, int index) {
        if (index == arguments.length) {
            throw new IllegalArgumentException("missing value of option: " + arguments[index - 1]);
        }
        return arguments[index];
    }

    /// The named rows in the order of the table, without duplicates.
    private static List<Row> named(Set<String> names) {
        Set<Row> wanted = new LinkedHashSet<>();
        names.forEach(name -> wanted.addAll(Rows.named(name)));
        return Rows.ALL.stream().filter(wanted::contains).toList();
    }
}
