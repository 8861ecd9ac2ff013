// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The completion script, asked by bash itself.
class CompletionTest {
    @TempDir Path folder;
    private Path script;

    @BeforeEach
    void makeScript() throws IOException, InterruptedException {
        assumeTrue(
                new ProcessBuilder("sh", "-c", "command -v bash").start().waitFor() == 0,
                "needs bash");
        script =
                Files.writeString(
                        folder.resolve("completion"), Cli.run("generate-completion").out());
    }

    private static String bash(String... arguments) throws IOException, InterruptedException {
        final List<String> call = new ArrayList<>(List.of("bash"));
        call.addAll(List.of(arguments));
        final Process process = new ProcessBuilder(call).redirectErrorStream(true).start();
        final String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        return said;
    }

    @Test
    void scriptIsBash() throws Exception {
        assertEquals("", bash("-n", script.toString()));
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
        "fletch map --t, --totals"
    })
    void lastWordIsCompleted(String line, String offered) throws Exception {
        final String ask =
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
        final List<String> words =
                bash("-c", ask, "bash", script.toString(), line)
                        .lines()
                        .map(String::strip)
                        .toList();
        assertTrue(words.contains(offered), words::toString);
        assertTrue(words.stream().allMatch(word -> word.startsWith(offered.substring(0, 1))));
    }
}
