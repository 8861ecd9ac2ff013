// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The benchmark board: runs the rows of [Workloads] beside their peers, and prints them as ratios
/// within one run. `./fletch bench` starts it.
///
/// What is measured goes to standard output in the end, what it is at to standard error. Exit
/// status: 0; 1 if a side fails or two sides differ in what they read or write; 2 for wrong usage.
/// No time makes it fail.
public final class Board {
    private final BoardOptions options;
    private final List<RunResult> jvm = new ArrayList<>();
    private final List<BoardRecord.Cpp> cpp = new ArrayList<>();

    private Board(BoardOptions options) {
        this.options = options;
    }

    /// Runs it.
    ///
    /// @param arguments see [BoardOptions]
    public static void main(String[] arguments) throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.print(BoardOptions.USAGE);
            return;
        }
        if (List.of(arguments).contains("--list")) {
            Workloads.ALL.forEach(each -> System.out.println(each.id()));
            System.out.println(BoardOptions.TAIL + "\n" + BoardOptions.COLD);
            return;
        }
        final BoardOptions options;
        try {
            options = BoardOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.print("bench: " + e.getMessage() + "\n" + BoardOptions.USAGE);
            System.exit(2);
            return;
        }
        if (options.from() != null) {
            final BoardRecord record = BoardRecord.parse(Files.readString(options.from()));
            System.out.print(new BoardReport(record).print(options.markdown()));
            return;
        }
        try {
            new Board(options).run(String.join(" ", arguments));
        } catch (RunnerException | IOException | AssertionError e) {
            explain(e);
            System.exit(1);
        }
    }

    /// JMH hides what a benchmark has thrown below what it throws itself.
    private static void explain(Throwable thrown) {
        System.err.println("bench: " + thrown);
        for (Throwable each : thrown.getSuppressed()) {
            explain(each);
        }
        if (thrown.getCause() != null) {
            explain(thrown.getCause());
        }
    }

    private void run(String arguments) throws Exception {
        final long start = System.nanoTime();
        if (options.effort().isQuick()) {
            // Nothing is measured, so nothing is disturbed.
            System.setProperty("jmh.ignoreLock", "true");
            System.setProperty("fletch.bench.pollution", "60");
        }
        final boolean wantsCpp =
                options.workloads().stream().anyMatch(each -> each.task().cpp() != null);
        final Optional<Path> program = wantsCpp ? CppProgram.build() : Optional.empty();
        final String command = ("./fletch bench " + arguments).strip();
        final Map<String, String> machine = Machine.describe(command, program.isPresent());
        final JvmRuns runs = new JvmRuns(options.effort());
        for (Workload each : options.workloads()) {
            say(each.id());
            measure(each, runs, program.filter(p -> each.task().cpp() != null));
        }
        final BoardRecord record =
                BoardRecord.of(machine, options.effort().name(), jvm, cpp, tail(), cold());
        if (options.json() != null) {
            Files.writeString(options.json(), record.json());
        }
        System.out.print(new BoardReport(record).print(options.markdown()));
        say("%d seconds".formatted((System.nanoTime() - start) / 1_000_000_000));
    }

    private static void say(String what) {
        System.err.println("bench: " + what);
    }

    /// Measures a row. All sides take turns, a fork each and a process of C++, so that what slows
    /// the machine down for a minute slows all of them down.
    private void measure(Workload workload, JvmRuns runs, Optional<Path> program)
            throws RunnerException, IOException {
        final List<RunResult> forks = new ArrayList<>();
        final List<List<Double>> processes = new ArrayList<>();
        final Path folder = Files.createTempDirectory("fletch-bench");
        Path input = null;
        try {
            if (program.isPresent()) {
                input = workload.task().cpp().input().file(folder, workload.size());
            }
            for (int i = 0; i < Math.max(1, options.effort().forks()); i++) {
                forks.addAll(runs.run(workload));
                if (program.isPresent()) {
                    processes.add(cpp(program.get(), workload, input));
                }
            }
        } finally {
            if (input != null && input.startsWith(folder)) {
                Files.delete(input);
            }
            Files.delete(folder);
        }
        jvm.addAll(JvmRuns.merged(forks));
        if (program.isPresent()) {
            cpp.add(new BoardRecord.Cpp(workload, processes));
        }
    }

    /// Measures the peer in C++ in a process of its own, after making sure that it reads and writes
    /// what Fletch does.
    private List<Double> cpp(Path program, Workload workload, Path input) throws IOException {
        final CppTask task = workload.task().cpp();
        final long expected = task.checksum().of(workload.size());
        try (CppPeer peer = CppPeer.start(program, task.name(), input)) {
            final long found = peer.ask(1).checksum();
            if (found != expected) {
                throw new AssertionError(
                        "C++ differs from Fletch: workload=%s, C++=%016x, Fletch=%016x"
                                .formatted(workload.id(), found, expected));
            }
            return peer.measure(options.effort().iterations(), options.effort().milliseconds());
        }
    }

    private List<Map<String, Object>> tail() throws IOException, InterruptedException {
        final List<Map<String, Object>> sides = new ArrayList<>();
        if (options.tail()) {
            for (String side : Tail.SIDES) {
                say(BoardOptions.TAIL + ", " + side);
                sides.add(Tail.measure(side, options.effort().tailMessages()));
            }
            final Object read = sides.get(1).get("checksum");
            if (!sides.get(2).get("checksum").equals(read)
                    || !sides.get(3).get("checksum").equals(read)) {
                throw new AssertionError("the sides differ in what they read: " + sides);
            }
        }
        return sides;
    }

    private List<Map<String, Object>> cold() throws IOException, InterruptedException {
        if (!options.cold()) {
            return List.of();
        }
        say(BoardOptions.COLD);
        return Cold.measure(options.effort().coldRuns());
    }
}
