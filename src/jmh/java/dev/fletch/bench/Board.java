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

/// The benchmark board: measures the rows of [Rows] and their peers, and prints time ratios of one
/// run. Started by `./fletch bench`.
///
/// Prints tables to standard output, and progress to standard error. Exit status: 0; 1 if a side
/// fails or two sides read or write different data; 2 for wrong usage. Times never cause a failure.
public final class Board {
    private final BoardOptions options;
    private final List<RunResult> jvm = new ArrayList<>();
    private final List<BoardRecord.Cpp> cpp = new ArrayList<>();
    private final List<Map<String, Object>> memory = new ArrayList<>();

    private Board(BoardOptions options) {
        this.options = options;
    }

    /// Runs the board.
    ///
    /// @param arguments see [BoardOptions]
    public static void main(String[] arguments) throws Exception {
        if (List.of(arguments).contains("--list")) {
            Rows.ALL.forEach(each -> System.out.println(each.id()));
            System.out.println(
                    String.join("\n", BoardOptions.TAIL, BoardOptions.COLD, BoardOptions.COMMANDS));
            return;
        }
        BoardOptions options;
        try {
            options = BoardOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage() + "; see ./fletch bench --help");
            System.exit(2);
            return;
        }
        if (!options.from().isEmpty()) {
            print(options);
            return;
        }
        try {
            new Board(options).run(String.join(" ", arguments));
        } catch (RunnerException | IOException | IllegalStateException | AssertionError e) {
            explain(e);
            System.exit(1);
        }
    }

    /// Prints recorded figures, or writes them into the pages.
    private static void print(BoardOptions options) throws IOException {
        List<BoardRecord> records = new ArrayList<>();
        for (Path each : options.from()) {
            records.add(BoardRecord.parse(Files.readString(each)));
        }
        if (options.pages()) {
            Path root = Path.of(System.getProperty("basedir", "."));
            new BoardPages(records).write(root).forEach(System.out::println);
            return;
        }
        for (BoardRecord each : records) {
            System.out.print(new BoardReport(each).print(options.markdown()));
        }
    }

    /// Prints all causes: JMH wraps the exception of a benchmark.
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
        long start = System.nanoTime();
        if (options.effort().isQuick()) {
            // Nothing is measured, so a concurrent run does no harm.
            System.setProperty("jmh.ignoreLock", "true");
            System.setProperty("fletch.bench.calls", "60");
        }
        Optional<Path> program =
                options.rows().stream().anyMatch(Row::hasCpp)
                        ? CppProgram.build()
                        : Optional.empty();
        String command = ("./fletch bench " + arguments).strip();
        Map<String, String> machine = Machine.describe(command, program.isPresent());
        machine.put("effort", options.effort().text());
        JvmRuns runs = new JvmRuns(options.effort());
        if (!options.effort().isQuick()) {
            say("about %,d minutes".formatted(runs.seconds(options.rows()) / 60 + 1));
        }
        for (Row each : options.rows()) {
            say(each.id());
            measure(each, runs, program.filter(p -> each.hasCpp()));
        }
        BoardRecord record =
                BoardRecord.of(
                        machine, options.effort().isQuick(), jvm, cpp, memory, tail(), cold());
        if (options.json() != null) {
            Files.writeString(options.json(), record.json());
        }
        System.out.print(new BoardReport(record).print(options.markdown()));
        say("%d seconds".formatted((System.nanoTime() - start) / 1_000_000_000));
    }

    private static void say(String what) {
        System.err.println("bench: " + what);
    }

    /// Measures a row. JVMs of the sides and C++ processes alternate, so that disturbances of the
    /// machine affect all sides.
    private void measure(Row row, JvmRuns runs, Optional<Path> program)
            throws RunnerException, IOException {
        List<RunResult> forks = new ArrayList<>();
        List<List<Double>> processes = new ArrayList<>();
        Optional<CppTask> task =
                program.isPresent() ? Optional.of(CppTask.of(row)) : Optional.empty();
        for (int i = 0; i < Math.max(1, options.effort().forks()); i++) {
            forks.addAll(runs.run(row));
            if (task.isPresent()) {
                processes.add(task.get().measure(program.get(), options.effort()));
            }
        }
        jvm.addAll(JvmRuns.merged(forks));
        if (VectorMemory.measures(row)) {
            memory.add(VectorMemory.figures(row));
        }
        if (task.isPresent()) {
            cpp.add(new BoardRecord.Cpp(row, processes));
        }
    }

    private List<Map<String, Object>> tail() throws IOException, InterruptedException {
        if (!options.tail()) {
            return List.of();
        }
        say(BoardOptions.TAIL);
        return Tail.measure(options.effort());
    }

    private List<Map<String, Object>> cold() throws IOException, InterruptedException {
        List<Map<String, Object>> all = new ArrayList<>();
        if (options.cold()) {
            say(BoardOptions.COLD);
            all.addAll(Cold.measure(Cold.starts(), options.effort().starts()));
        }
        if (options.commands()) {
            say(BoardOptions.COMMANDS);
            List<Cold.Way> ways = Commands.of(options.effort().isQuick());
            all.addAll(Cold.measure(ways, Math.ceilDiv(options.effort().starts(), 2)));
        }
        return all;
    }
}
