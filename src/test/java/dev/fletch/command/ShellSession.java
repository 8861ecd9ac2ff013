// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs statements of a shell in a folder of its own, `$W`, behind the lines of a file. Shows
/// standard output (`>`), standard error (`!`), and a status other than 0 (`=`). Nothing of the
/// environment is there but the path, and what the test adds.
public final class ShellSession implements Transcript.Session {
    private final Path folder;
    private final byte[] functions;
    private final Map<String, String> environment;

    /// @param temporary has a folder of each session
    /// @param functions name of the file in `golden`
    public ShellSession(Path temporary, String functions, Map<String, String> environment) {
        try {
            folder = Files.createTempDirectory(temporary.toRealPath(), "session");
            Files.createDirectories(folder.resolve("home"));
            Path file = Path.of("src/test/resources/golden", functions);
            this.functions = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.environment = environment;
    }

    @Override
    public List<String> run(String statement) throws Exception {
        Path script = Files.write(folder.resolve("script"), functions);
        Files.writeString(script, statement, java.nio.file.StandardOpenOption.APPEND);
        Path out = folder.resolve("stdout");
        Path err = folder.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString());
        String path = builder.environment().get("PATH");
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment()
                .putAll(Map.of("PATH", path, "W", "" + folder, "HOME", folder + "/home"));
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        process.getOutputStream().close();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the statement hangs");
        List<String> lines = new ArrayList<>();
        shown(out).forEach(each -> lines.add("> " + each));
        shown(err).forEach(each -> lines.add("! " + each));
        if (process.exitValue() != 0) {
            lines.add("= status " + process.exitValue());
        }
        return lines;
    }

    /// The lines of an output; bytes that are not UTF-8 are shown as U+FFFD.
    private List<String> shown(Path output) throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .replace(folder + "/home/", "@")
                .replace(folder + "/", "@")
                .lines()
                .toList();
    }
}
