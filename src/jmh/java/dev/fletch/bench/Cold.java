// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.testdata.Goldens;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Measures the command as a process: `./fletch ls` on the sample, from start to end, including launcher and
/// JVM; alternately with and without the launcher's class archive.
final class Cold {
    private static final String SAMPLE = "src/test/resources/samples/trades.arrow";
    private static final double MICROSECONDS = 1e3;

    private Cold() {}

    /// Figures by name, in microseconds.
    static List<Map<String, Object>> measure(int runs) throws IOException, InterruptedException {
        final Path launcher = Goldens.repositoryRoot().resolve("fletch");
        // Builds the command if necessary.
        start(launcher, "yes");
        final long[] with = new long[runs];
        final long[] without = new long[runs];
        for (int i = 0; i < runs; i++) {
            with[i] = start(launcher, "yes");
            without[i] = start(launcher, "no");
        }
        return List.of(figures("with archive", with), figures("without archive", without));
    }

    private static Map<String, Object> figures(String way, long[] times) {
        Arrays.sort(times);
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("way", way);
        figures.put("runs", (long) times.length);
        figures.put("least", times[0]);
        figures.put("median", times[times.length / 2]);
        figures.put("most", times[times.length - 1]);
        return figures;
    }

    private static long start(Path launcher, String archive)
            throws IOException, InterruptedException {
        final Path printed = Files.createTempFile("fletch-bench", ".txt");
        try {
            final ProcessBuilder command =
                    new ProcessBuilder(launcher.toString(), "ls", SAMPLE)
                            .directory(launcher.getParent().toFile())
                            .redirectOutput(printed.toFile())
                            .redirectError(ProcessBuilder.Redirect.INHERIT);
            command.environment().put("FLETCH_ARCHIVE", archive);
            final long start = System.nanoTime();
            final int status = command.start().waitFor();
            final long time = System.nanoTime() - start;
            if (status != 0 || !Files.readString(printed).contains("RecordBatch")) {
                throw new IOException("command failed: status=" + status);
            }
            return Math.round(time / MICROSECONDS);
        } finally {
            Files.delete(printed);
        }
    }
}
