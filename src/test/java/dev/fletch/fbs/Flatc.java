// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Runs the FlatBuffers compiler, where the machine has one.
final class Flatc {
    private static final long TIMEOUT_SECONDS = 60;

    private Flatc() {}

    /// Exit status, and what was printed to either output.
    record Result(int status, String output) {}

    /// Returns the compiler found on PATH.
    static Optional<Path> find() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(path)
                .map(folder -> Path.of(folder, "flatc"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Runs `flatc` and waits for its end; its output goes through a file in `scratch`, so that a
    /// full pipe cannot stop it.
    static Result run(Path flatc, Path scratch, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(flatc.toString()));
        command.addAll(arguments);
        Path log = scratch.resolve("flatc.log");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("flatc did not end: seconds=" + TIMEOUT_SECONDS);
        }
        return new Result(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
    }
}
