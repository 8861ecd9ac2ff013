// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.testdata.Goldens;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Measures the command as a process, from start to end, including launcher and JVM: `./fletch ls`,
/// `schema` and `count` on the sample, alternately with an empty Java program, and `ls` also
/// without the launcher's AOT cache; and the ways of [Commands].
final class Cold {
    private static final String SAMPLE = "src/test/resources/samples/trades.arrow";
    private static final double MICROSECONDS = 1e3;

    private Cold() {}

    /// One way to start a process.
    ///
    /// @param name for the table
    /// @param cache whether the launcher uses its AOT cache
    /// @param expected part of the output
    record Way(String name, String cache, String expected, List<String> command) {
        static Way fletch(String name, String cache, String expected, List<String> arguments) {
            List<String> command = new ArrayList<>();
            command.add(Goldens.repositoryRoot().resolve("fletch").toString());
            command.addAll(arguments);
            return new Way(name, cache, expected, command);
        }

        static Way empty() {
            return new Way(
                    "empty Java program",
                    "no",
                    "",
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-cp",
                            System.getProperty("java.class.path").split(File.pathSeparator)[0],
                            Empty.class.getName()));
        }
    }

    /// The start of the command.
    static List<Way> starts() {
        return List.of(
                Way.empty(),
                Way.fletch("ls", "yes", "RecordBatch", List.of("ls", SAMPLE)),
                Way.fletch("schema", "yes", "price", List.of("schema", SAMPLE)),
                Way.fletch("count", "yes", "800", List.of("count", SAMPLE)),
                Way.fletch("ls without cache", "no", "RecordBatch", List.of("ls", SAMPLE)));
    }

    /// Figures by name, in microseconds.
    static List<Map<String, Object>> measure(List<Way> ways, int runs)
            throws IOException, InterruptedException {
        long[][] times = new long[ways.size()][runs];
        // The first run builds what is missing.
        for (int run = -1; run < runs; run++) {
            for (int i = 0; i < times.length; i++) {
                long time = start(ways.get(i));
                if (run >= 0) {
                    times[i][run] = time;
                }
            }
        }
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < times.length; i++) {
            all.add(figures(ways.get(i).name, times[i]));
        }
        return all;
    }

    private static Map<String, Object> figures(String way, long[] times) {
        Arrays.sort(times);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("way", way);
        figures.put("runs", (long) times.length);
        figures.put("least", times[0]);
        figures.put("median", times[times.length / 2]);
        figures.put("most", times[times.length - 1]);
        return figures;
    }

    private static long start(Way way) throws IOException, InterruptedException {
        Path printed = Files.createTempFile("fletch-bench", ".txt");
        try {
            ProcessBuilder command =
                    new ProcessBuilder(way.command)
                            .directory(Goldens.repositoryRoot().toFile())
                            .redirectOutput(printed.toFile())
                            .redirectError(ProcessBuilder.Redirect.INHERIT);
            command.environment().put("FLETCH_CACHE", way.cache);
            long start = System.nanoTime();
            int status = command.start().waitFor();
            long time = System.nanoTime() - start;
            if (status != 0 || !Files.readString(printed).contains(way.expected)) {
                throw new IOException("command failed: status=" + status);
            }
            return Math.round(time / MICROSECONDS);
        } finally {
            Files.delete(printed);
        }
    }

    /// The least that a Java process can take.
    static final class Empty {
        private Empty() {}

        public static void main(String[] args) {}
    }
}
