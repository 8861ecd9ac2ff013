// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.Processes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// The completion script, asked by bash itself.
class CompletionTest {
    @TempDir Path folder;
    private Path script;

    @BeforeEach
    void makeScript() throws IOException, InterruptedException {
        Processes.assumePresent("bash");
        script =
                Files.writeString(
                        folder.resolve("completion"), Cli.run("generate-completion").out());
    }

    private static String bash(String... arguments) throws IOException, InterruptedException {
        List<String> call = new ArrayList<>(List.of("bash"));
        call.addAll(List.of(arguments));
        return Processes.printed(new ProcessBuilder(call));
    }

    @Test
    void completionScriptIsValidBash() throws Exception {
        assertEquals("", bash("-n", script.toString()));
    }

    /// The value behind `=`: a word of its own to bash, and none to zsh.
    @ParameterizedTest
    @CsvSource({
        "fletch schema --format = j, json",
        "fletch schema --format =, fbs json text",
        "fletch schema --format=j, --format=json",
        "fletch schema --format=, --format=fbs --format=json --format=text",
        "fletch annotate --color = a, always auto",
        "fletch annotate --color = never --root = s, schema",
        "fletch annotate --color=never --root=s, --root=schema",
        "fletch json --to-arrow --order = flat, flatc",
        "fletch schema --json = j, ''"
    })
    void valueBehindAnEqualsSignIsCompleted(String line, String offered) throws Exception {
        assertEquals(offered, String.join(" ", new TreeSet<>(offered(line))));
    }

    @Test
    void fileBehindAnEqualsSignIsCompleted() throws Exception {
        String file = script.toString();
        String begun = file.substring(0, file.length() - 3);
        assertEquals(List.of(file), offered("fletch annotate --html = " + begun));
        assertEquals(List.of("--html=" + file), offered("fletch map --html=" + begun));
    }

    /// What breaks words at the equals sign is bash itself, at a prompt.
    @Test
    @Timeout(60)
    void promptCompletesTheValue() throws Exception {
        Processes.assumePresent("script");
        ProcessBuilder builder =
                new ProcessBuilder("script", "-qec", "bash --norc --noprofile -i", "/dev/null");
        builder.environment().put("TERM", "dumb");
        builder.environment().put("INPUTRC", "/dev/null");
        Process process = Processes.start(builder.redirectErrorStream(true));
        OutputStream keys = process.getOutputStream();
        String keyed =
                """
                source '%s'
                fletch() { echo "[$*]"; }
                fletch schema --format=j\t
                fletch json --order=fla\t
                fletch annotate --color \t\tne\t
                exit
                """
                        .formatted(script);
        keys.write(keyed.getBytes(StandardCharsets.UTF_8));
        keys.flush();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(said.contains("[schema --format=json]"), said);
        assertTrue(said.contains("[json --order=flatc]"), said);
        assertTrue(said.contains("[annotate --color never]"), said);
    }

    /// What bash would offer for the last word of a line.
    @ParameterizedTest
    @CsvSource({
        "fletch v, verify",
        "fletch ann, annotate",
        "fletch verify --s, --strict",
        "fletch schema --format f, fbs",
        "fletch json --order f, flatc",
        "fletch annotate --color n, never",
        "fletch annotate --root m, message",
        "fletch col, columns",
        "fletch columns --sort b, bytes",
        "fletch map --t, --totals"
    })
    void lastWordIsCompleted(String line, String offered) throws Exception {
        List<String> words = offered(line);
        assertTrue(words.contains(offered), words::toString);
        assertTrue(words.stream().allMatch(word -> word.startsWith(offered.substring(0, 1))));
    }

    private List<String> offered(String line) throws IOException, InterruptedException {
        String ask =
                """
                source "$1"
                compopt() { :; } # what only completion at a prompt may call
                COMP_LINE=$2
                COMP_POINT=${#COMP_LINE}
                COMP_WORDS=($2)
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                $(complete -p fletch | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
                printf '%s\\n' "${COMPREPLY[@]}"
                """;
        return bash("-c", ask, "bash", script.toString(), line).lines().map(String::strip).toList();
    }
}
