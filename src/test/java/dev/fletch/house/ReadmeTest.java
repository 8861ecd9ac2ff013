// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

/// Holds README to what it shows: its example is compiled and run from the very text, and its
/// commands print what it says.
class ReadmeTest {
    private static final Pattern BLOCK =
            Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    // A call of the command with all that it prints, up to the next one.
    private static final Pattern RUN =
            Pattern.compile(
                    "^\\$ (?:head -c (?<bytes>\\d+) (?<input>\\S+) \\| )?\\./fletch"
                            + " (?<arguments>.*)\\n"
                            + "(?<output>(?:(?!\\$ ).*\\n"
                            + ")+)",
                    Pattern.MULTILINE);
    private static final String SAMPLE = "src/test/resources/samples/trades.arrow";

    @TempDir Path folder;

    @Test
    void exampleIsShortCompilesAndPrintsWhatReadmeSays() throws Exception {
        final String example = blocks("java").getFirst();
        assertTrue(example.lines().count() <= 25, "the example has " + example.lines().count());
        final Path source = folder.resolve("Rows.java");
        Files.writeString(source, example);
        final String printed = java(source.toString(), sample().toString());
        assertEquals(blocks("text").getFirst(), printed);
    }

    @Test
    void whatTheSecondExampleWritesIsListedAsReadmeSays() throws Exception {
        final Path source = folder.resolve("Numbers.java");
        Files.writeString(source, blocks("java").get(1));
        final String file = folder.resolve("numbers.arrow").toString();
        java(source.toString(), file);
        assertEquals(blocks("text").get(1), java("dev.fletch.cli.Main", "ls", file));
        java("dev.fletch.cli.Main", "verify", "--strict", file);
    }

    @Test
    void commandsPrintWhatReadmeSays() throws Exception {
        int runs = 0;
        for (String block : blocks("console")) {
            final Matcher run = RUN.matcher(block);
            while (run.find()) {
                final byte[] piped = start(run.group("input"), run.group("bytes"));
                final String[] call = ("dev.fletch.cli.Main " + run.group("arguments")).split(" ");
                assertEquals(run.group("output"), run(piped, call).output());
                runs++;
            }
        }
        assertEquals(8, runs);
    }

    private static byte[] start(String file, String bytes) throws IOException {
        return file == null
                ? new byte[0]
                : Arrays.copyOf(
                        Files.readAllBytes(House.root().resolve(file)), Integer.parseInt(bytes));
    }

    @Test
    void everyFileThatReadmeNamesIsThere() throws IOException {
        final Matcher link = Pattern.compile("\\]\\((?!http)([^)#]+)\\)").matcher(readme());
        int links = 0;
        while (link.find()) {
            assertTrue(Files.exists(House.root().resolve(link.group(1))), link.group(1));
            links++;
        }
        assertTrue(links > 0);
    }

    private static Path sample() {
        return House.root().resolve(SAMPLE);
    }

    private static String readme() throws IOException {
        return Files.readString(House.root().resolve("README.md"));
    }

    private static List<String> blocks(String language) throws IOException {
        final List<String> found = new ArrayList<>();
        final Matcher block = BLOCK.matcher(readme());
        while (block.find()) {
            if (block.group(1).equals(language)) {
                found.add(block.group(2));
            }
        }
        return found;
    }

    /// What a process has printed, and what it has ended with.
    private record Run(String output, int status) {}

    private static String java(String... arguments) throws IOException, InterruptedException {
        final Run run = run(new byte[0], arguments);
        assertEquals(0, run.status(), run.output());
        return run.output();
    }

    /// Runs a class, or compiles and runs a source, in a JVM of its own with nothing but this
    /// build's class path, from the repository's folder.
    private static Run run(byte[] input, String... arguments)
            throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
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
