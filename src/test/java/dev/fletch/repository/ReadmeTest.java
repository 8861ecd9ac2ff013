// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FletchProcess;
import dev.fletch.testdata.Processes;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Commands print what README and the pages say.
@Order(1) // takes long
class ReadmeTest {
    // A command with all that it prints, up to the next one.
    private static final Pattern RUN =
            Pattern.compile(
                    "^\\$ (?<command>.*)\\n(?<output>(?:(?!\\$ ).*\\n)*)", Pattern.MULTILINE);

    // Reads files of the repository alone, without anything for a shell.
    private static final Pattern READS =
            Pattern.compile(
                    "\\./fletch (?!convert|.*--html|.*--to-)[\\w-]+( --?[\\w-]+| [\\w,-]+|"
                            + " src/[\\w./-]+)* src/[\\w./-]+");

    @TempDir Path folder;

    static List<String> pagesWithCommands() throws IOException {
        List<String> pages = new ArrayList<>();
        for (String page : Examples.pages()) {
            if (!Examples.blocks(page, "console").isEmpty()) {
                pages.add(page);
            }
        }
        return pages;
    }

    @Test
    void pagesThatShowCommands() throws IOException {
        List<String> pages = pagesWithCommands();
        for (String page : List.of("README.md", "docs/tutorial.md", "docs/reference/commands.md")) {
            assertTrue(pages.contains(page), page);
        }
    }

    /// Runs the page's commands in its order, in a folder that looks like a clone. A Java program
    /// of the page lies there under its name before the commands behind it run.
    @ParameterizedTest
    @MethodSource("pagesWithCommands")
    void commandsPrintWhatThePageSays(String page) throws Exception {
        makeClone();
        int runs = 0;
        for (Examples.Block block : Examples.blocks(page)) {
            String program = Examples.nameOf(block.text());
            if (block.language().equals("java") && program != null) {
                Files.writeString(folder.resolve(program + ".java"), block.text());
            }
            Matcher run = RUN.matcher(block.text());
            while (block.language().equals("console") && run.find()) {
                String command = run.group("command");
                assertEquals(run.group("output"), shell(command), page + ": " + command);
                runs++;
            }
        }
        assertTrue(runs > 0, page);
    }

    private void makeClone() throws IOException {
        for (String each : List.of("src", "format")) {
            Files.createSymbolicLink(folder.resolve(each), Repository.root().resolve(each));
        }
        Path target = Files.createDirectory(folder.resolve("target"));
        String version = DocumentsTest.version();
        Files.createSymbolicLink(
                target.resolve("fletch-" + version + "-cli.jar"), Repository.classesFolder());
        Path launcher = folder.resolve("fletch");
        Files.writeString(launcher, "#!/bin/sh\nexec " + FletchProcess.quoted() + " \"$@\"\n");
        assertTrue(launcher.toFile().setExecutable(true));
    }

    /// What a command line prints, to both outputs. Outside the long run, most calls that write no
    /// file need no process.
    private String shell(String line) throws IOException, InterruptedException {
        if (!CaseCount.isFull() && READS.matcher(line).matches()) {
            StringWriter printed = new StringWriter();
            PrintWriter both = new PrintWriter(printed);
            Cli.run(both, both, line.substring(line.indexOf(' ') + 1).split(" "));
            return printed.toString();
        }
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", line).directory(folder.toFile());
        Path java = Path.of(System.getProperty("java.home"), "bin");
        shell.environment().merge("PATH", java.toString(), (old, first) -> first + ":" + old);
        shell.environment().put("HOME", folder.toString());
        return Processes.run(shell).printed();
    }

    @Test
    void coordinatesAreThoseOfTheBuild() throws IOException {
        String pom = Files.readString(Repository.root().resolve("pom.xml"));
        Matcher line =
                Pattern.compile("<(groupId|artifactId|version)>.*")
                        .matcher(Examples.blocks("docs/how-to/install.md", "xml").getFirst());
        int lines = 0;
        while (line.find()) {
            assertTrue(pom.contains("\n  " + line.group() + "\n"), line.group());
            lines++;
        }
        assertEquals(3, lines);
    }

    /// What the command prints, from the repository's folder.
    static String fletch(String... arguments) throws IOException, InterruptedException {
        List<String> call = FletchProcess.command();
        call.addAll(List.of(arguments));
        return Processes.printed(new ProcessBuilder(call).directory(Repository.root().toFile()));
    }
}
