// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Commands print what README and the command reference say.
@Order(1) // takes long
class ReadmeTest {
    // A call of the command with all that it prints, up to the next one.
    private static final Pattern RUN =
            Pattern.compile(
                    "^\\$ (?:head -c (?<bytes>\\d+) (?<input>\\S+) \\| )?\\./fletch"
                            + " (?<arguments>.*)\\n"
                            + "(?<output>(?:(?!\\$ ).*\\n"
                            + ")+)",
                    Pattern.MULTILINE);

    @ParameterizedTest
    @CsvSource({"README.md,4", "docs/commands.md,13"})
    void commandsPrintWhatThePageSays(String page, int count) throws Exception {
        int runs = 0;
        for (String block : Examples.blocks(page, "console")) {
            final Matcher run = RUN.matcher(block);
            while (run.find()) {
                final byte[] piped = start(run.group("input"), run.group("bytes"));
                final String[] call = ("dev.fletch.cli.Main " + run.group("arguments")).split(" ");
                assertEquals(run.group("output"), run(piped, call).output());
                runs++;
            }
        }
        assertEquals(count, runs);
    }

    private static byte[] start(String file, String bytes) throws IOException {
        return file == null
                ? new byte[0]
                : Arrays.copyOf(
                        Files.readAllBytes(House.root().resolve(file)), Integer.parseInt(bytes));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "CONTRIBUTING.md",
                "docs/annotate.md",
                "docs/architecture.md",
                "docs/byte-agreement.md",
                "docs/commands.md",
                "docs/experiments.md",
                "docs/performance.md",
                "docs/verification.md"
            })
    void everyFileThatAPageLinksToIsThere(String page) throws IOException {
        final Path at = House.root().resolve(page);
        final Matcher link =
                Pattern.compile("\\]\\((?!http)([^)#]+)(?:#[^)]*)?\\)")
                        .matcher(Files.readString(at));
        while (link.find()) {
            assertTrue(Files.exists(at.resolveSibling(link.group(1))), link.group(1));
        }
    }

    @Test
    void coordinatesAreThoseOfTheBuild() throws IOException {
        final String pom = Files.readString(House.root().resolve("pom.xml"));
        final Matcher line =
                Pattern.compile("<(groupId|artifactId|version)>.*")
                        .matcher(Examples.blocks("README.md", "xml").getFirst());
        int lines = 0;
        while (line.find()) {
            assertTrue(pom.contains("\n  " + line.group() + "\n"), line.group());
            lines++;
        }
        assertEquals(3, lines);
    }

    /// What a process has printed, and what it has ended with.
    private record Run(String output, int status) {}

    /// What the command prints.
    static String fletch(String... arguments) throws IOException, InterruptedException {
        final List<String> call = new ArrayList<>(List.of("dev.fletch.cli.Main"));
        call.addAll(List.of(arguments));
        final Run run = run(new byte[0], call.toArray(String[]::new));
        assertEquals(0, run.status(), run.output());
        return run.output();
    }

    /// Runs a class in a JVM of its own with nothing but this
    /// build's class path, from the repository's folder.
    private static Run run(byte[] input, String... arguments)
            throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(arguments));
        final Process process =
                new ProcessBuilder(command)
                        .directory(House.root().toFile())
                        .redirectErrorStream(true)
                        .start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input);
        }
        final String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return new Run(printed, process.exitValue());
    }
}
