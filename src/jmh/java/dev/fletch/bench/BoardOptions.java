// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What the command line asks for.
///
/// @param effort how long to measure
/// @param workloads the rows to measure
/// @param tail whether to measure the tail of latency
/// @param cold whether to measure the command's start
/// @param json where to put all figures, null for nowhere
/// @param markdown whether to print for a document
/// @param from figures that were recorded, to be shown without measuring; null to measure
record BoardOptions(
        Effort effort,
        List<Workload> workloads,
        boolean tail,
        boolean cold,
        Path json,
        boolean markdown,
        Path from) {

    static final String TAIL = "tail";
    static final String COLD = "cold";

    static final String USAGE =
            """
            usage: fletch bench [--quick | --full] [--workload NAME]... [--json FILE] [--markdown]
                   fletch bench --from FILE [--markdown]
              --quick          a smoke run: everything once, the times mean nothing
              --full           for figures to be published: three forks of each side, by turns
              --workload NAME  only this: a task (read-batch), a row (read-batch/10), tail, cold
              --json FILE      all figures, for --from and for programs
              --markdown       the tables for a document
              --from FILE      the tables of figures that --json recorded
              --list           the names of all rows
            """;

    /// How long to measure.
    ///
    /// @param name for the table
    /// @param forks JVMs for each figure; 0 for the board's own
    /// @param warmups iterations that are not counted
    /// @param iterations iterations that are
    /// @param milliseconds of each iteration
    /// @param tailMessages how many messages to decode for the tail
    /// @param coldRuns how often to start the command
    record Effort(
            String name,
            int forks,
            int warmups,
            int iterations,
            long milliseconds,
            int tailMessages,
            int coldRuns) {
        static final Effort QUICK = new Effort("quick", 0, 1, 1, 10, 20_000, 1);
        static final Effort DEFAULT = new Effort("default", 1, 4, 5, 300, 10_000_000, 20);
        static final Effort FULL = new Effort("full", 3, 4, 5, 300, 10_000_000, 20);

        boolean isQuick() {
            return forks == 0;
        }
    }

    /// Reads the arguments.
    ///
    /// @throws IllegalArgumentException if there is one that nobody knows
    static BoardOptions parse(String... arguments) {
        Effort effort = Effort.DEFAULT;
        final Set<String> names = new LinkedHashSet<>();
        Path json = null;
        Path from = null;
        boolean markdown = false;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--quick" -> effort = Effort.QUICK;
                case "--full" -> effort = Effort.FULL;
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
                effort, all ? Workloads.ALL : named(names), tail, cold, json, markdown, from);
    }

    private static String value(String[] arguments, int index) {
        if (index == arguments.length) {
            throw new IllegalArgumentException("nothing behind " + arguments[index - 1]);
        }
        return arguments[index];
    }

    /// In the order of the table, each once.
    private static List<Workload> named(Set<String> names) {
        final Set<Workload> wanted = new LinkedHashSet<>();
        names.forEach(name -> wanted.addAll(Workloads.named(name)));
        final List<Workload> rows = new ArrayList<>(Workloads.ALL);
        rows.retainAll(wanted);
        return rows;
    }
}
