// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.command.io.Failures;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a person gets who mistypes or gives odd names. More is in `golden/commands/usage.txt`.
class UsageTest {
    @TempDir Path folder;

    /// The list of commands shows the first line of each description, which has to be a sentence.
    @Test
    void listOfCommandsHasWholeSentences() {
        Main.commandLine()
                .getSubcommands()
                .forEach(
                        (name, command) -> {
                            String[] lines = command.getCommandSpec().usageMessage().description();
                            assertTrue(lines[0].endsWith("."), name + ": " + lines[0]);
                        });
    }

    /// For each option that takes one of a few words: help, completion and what is said of a wrong
    /// word spell them the same.
    @Test
    void wrongOptionValueListsTheValidOnes() {
        int options = 0;
        for (CommandLine each : Main.commandLine().getSubcommands().values()) {
            for (OptionSpec option : each.getCommandSpec().options()) {
                if (option.type().isEnum()) {
                    String name = option.longestName();
                    String words = String.join(", ", option.completionCandidates());
                    assertWrong(
                            "fletch: Invalid value for option '%s': expected one of %s, but was 'x'\nTry '%s --help'.\n"
                                    .formatted(name, words, each.getCommandSpec().qualifiedName()),
                            each.getCommandName(),
                            name + "=x",
                            "y");
                    options++;
                }
            }
        }
        System.out.printf("Usage: %d options that take one of a few words%n", options);
        assertTrue(options > 3);
    }

    @Test
    void unknownCommandIsEscaped() {
        Run run = Cli.run("a\u001b[2J", "a", "--verify");
        assertTrue(run.err().startsWith("fletch: unknown command: 'a\\u001b[2J'\n"), run.err());
    }

    /// Others are in `golden/commands/folders.txt`, for each command.
    @Test
    void inputsThatCannotBeOpenedHaveAnObjectWithTheReason() throws IOException {
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put("a\0b", "not a file name: Nul character not allowed");
        Path locked = Files.createFile(folder.resolve("locked"));
        if (locked.toFile().setReadable(false) && !Files.isReadable(locked)) {
            reasons.put(locked.toString(), "permission denied");
        }
        reasons.forEach(
                (name, reason) -> {
                    Run run = Cli.run("ls", "--json", name, "" + TradesSample.path("trades.arrow"));
                    assertEquals(2, run.status());
                    assertTrue(run.err().endsWith(": " + reason + "\n"), run.err());
                    assertEquals(2, run.json().size());
                    assertEquals(Map.of("file", name, "error", reason), run.json().getFirst());
                });
    }

    private static void assertWrong(String err, String... args) {
        assertEquals(new Run(2, "", err), Cli.run(args));
    }

    /// A name may hold what a terminal would act on, and begin with what picocli would.
    @Test
    void inputsWithUnusualNamesAreRead() throws IOException {
        byte[] sample = Files.readAllBytes(TradesSample.path("trades.stream"));
        Path odd = Files.write(folder.resolve("a\u001b[2J\nb"), sample);
        Run run = Cli.run("count", odd.toString());
        assertEquals("800        3  " + folder + "/a\\u001b[2J\\nb", run.lines().getLast().strip());
        assertEquals(odd.toString(), file(Cli.run("count", "--json", odd.toString())));

        assertEquals(new Run(2, "", "fletch: @nothing: no such file\n"), Cli.run("ls", "@nothing"));
    }

    private static Object file(Run run) {
        return JsonTree.object(run.json().getFirst()).get("file");
    }

    /// A bug is no fault of the input's: it has no offset, and its trace only who asks for it sees.
    @Test
    void internalErrorIsReportedWithoutTrace() {
        StringWriter err = new StringWriter();
        int status = Failures.input("x", new IllegalStateException("oh"), new PrintWriter(err));
        assertEquals(2, status);
        assertEquals(
                "fletch: x: internal error: java.lang.IllegalStateException: oh",
                err.toString().lines().findFirst().orElseThrow());
        boolean debugged = System.getenv("FLETCH_DEBUG") != null;
        assertEquals(debugged, err.toString().contains("\tat "), err::toString);
    }

    @Test
    void fileShortenedWhileReadIsAnError() {
        StringWriter err = new StringWriter();
        assertEquals(2, Failures.input("x", new InternalError("fault"), new PrintWriter(err)));
        assertEquals(
                "fletch: x: could not be read to its end; it may have changed while it was read\n",
                err.toString());
    }
}
