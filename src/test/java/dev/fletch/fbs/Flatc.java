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

/// Runs the FlatBuffers compiler and other tools, where the machine has them.
public final class Flatc {
    private static final long TIMEOUT_SECONDS = 120;

    private Flatc() {}

    /// Exit status, and what was printed to either output.
    public record Result(int status, String output) {}

    /// Returns the FlatBuffers compiler found on PATH.
    public static Optional<Path> find() {
        return find("flatc");
    }

    /// Returns a tool found on PATH.
    public static Optional<Path> find(String tool) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(path)
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Runs a tool and waits for its end; its output goes through a file in `scratch`, so that a
    /// full pipe cannot stop it.
    public static Result run(Path tool, Path scratch, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(tool.toString()));
        command.addAll(arguments);
        Path log = scratch.resolve(tool.getFileName() + ".log");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(
                    "%s did not end: seconds=%d".formatted(tool.getFileName(), TIMEOUT_SECONDS));
        }
        return new Result(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
    }
}
