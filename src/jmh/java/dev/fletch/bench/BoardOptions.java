// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The options of the command line.
///
/// @param effort how long to measure
/// @param rows the rows to measure
/// @param tail whether to time single messages
/// @param cold whether to measure the command's start
/// @param json file for all figures, null for none
/// @param markdown whether to print tables for a document
/// @param from file of figures to print without measuring; null to measure
record BoardOptions(
        Effort effort,
        List<Row> rows,
        boolean tail,
        boolean cold,
        Path json,
        boolean markdown,
        Path from) {

    static final String TAIL = "tail";
    static final String COLD = "cold";

    static final String USAGE =
            """
            usage: fletch bench [--quick | --forks N] [--workload NAME]... [--json FILE] [--markdown]
                   fletch bench --from FILE [--markdown]
              --quick          runs everything once: checks that all sides agree, times mean nothing
              --forks N        measures each side in so many JVMs, by turns; 1 to 99, default 2
              --workload NAME  only this: a task (next-numbers), a row (next-numbers/10), tail, cold
              --json FILE      writes all figures, for --from and for programs
              --markdown       prints tables for a document
              --from FILE      prints the tables of figures that --json wrote
              --list           prints the names of all rows
            """;

    /// How long to measure.
    ///
    /// @param forks JVMs for each figure; 0 for the board's own
    /// @param warmups iterations that are not counted
    /// @param iterations iterations that are counted
    /// @param milliseconds of each iteration
    /// @param tailMessages how many messages are timed one by one
    /// @param starts how many processes are started to time their start
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

    /// Reads the arguments.
    ///
    /// @throws IllegalArgumentException if one is unknown or lacks its value
    static BoardOptions parse(String... arguments) {
        Effort effort = Effort.DEFAULT;
        final Set<String> names = new LinkedHashSet<>();
        Path json = null;
        Path from = null;
        boolean markdown = false;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--quick" -> effort = Effort.QUICK;
                case "--forks" -> effort = Effort.of(forks(value(arguments, ++i)));
                case "--markdown" -> markdown = true;
                case "--workload" -> names.add(value(arguments, ++i));
                case "--json" -> json = Path.of(value(arguments, ++i));
                case "--from" -> from = Path.of(value(arguments, ++i));
                default -> throw new IllegalArgumentException("unknown option: " + arguments[i]);
            }
        }
        final boolean all = names.isEmpty();
        final boolean tail = names.remove(TAIL) || all;
        final boolean cold = names.remove(COLD) || all;
        return new BoardOptions(
                effort, all ? Rows.ALL : named(names), tail, cold, json, markdown, from);
    }

    private static int forks(String text) {
        if (!text.matches("[1-9][0-9]?")) {
            throw new IllegalArgumentException("--forks takes a number from 1 to 99: " + text);
        }
        return Integer.parseInt(text);
    }

    private static String value(String[] arguments, int index) {
        if (index == arguments.length) {
            throw new IllegalArgumentException("missing value of option: " + arguments[index - 1]);
        }
        return arguments[index];
    }

    /// In the order of the table, each once.
    private static List<Row> named(Set<String> names) {
        final Set<Row> wanted = new LinkedHashSet<>();
        names.forEach(name -> wanted.addAll(Rows.named(name)));
        return Rows.ALL.stream().filter(wanted::contains).toList();
    }
}
