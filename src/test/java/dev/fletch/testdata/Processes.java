// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Processes that tests start. One that does not end is killed after two minutes, so that a test
/// that reads its output ends too.
public final class Processes {
    private static final int MOST_SECONDS = 120;

    private Processes() {}

    /// How a process ended.
    ///
    /// @param printed both outputs in one
    public record Ended(int status, String printed) {}

    public static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS)
                .execute(
                        () -> {
                            if (process.isAlive()) {
                                process.descendants().forEach(ProcessHandle::destroyForcibly);
                                process.destroyForcibly();
                            }
                        });
        return process;
    }

    /// Runs a process to its end, with an empty standard input if none was set.
    public static Ended run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = start(builder.redirectErrorStream(true));
        process.getOutputStream().close();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), printed);
    }

    /// Runs a process, and fails if the exit status is not 0.
    ///
    /// @return what it prints
    public static String printed(ProcessBuilder builder) throws IOException, InterruptedException {
        Ended ended = run(builder);
        assertEquals(0, ended.status(), ended.printed());
        return ended.printed();
    }

    /// Skips the calling test if a program is not on the path.
    public static void assumePresent(String program) {
        assumeTrue(isPresent(program), "needs " + program);
    }

    public static boolean isPresent(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /// Makes a named pipe; skips the calling test where that is not possible.
    public static Path pipe(Path path) throws IOException, InterruptedException {
        assumePresent("mkfifo");
        Ended made = run(new ProcessBuilder("mkfifo", path.toString()));
        assumeTrue(made.status() == 0, made.printed());
        return path;
    }
}
