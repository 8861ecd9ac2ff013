// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import picocli.CommandLine;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;

/// Runs the command inside the test's own process.
public final class Cli {
    /// The commands that take any number of inputs.
    public static final List<String> INPUT_COMMANDS =
            List.of("ls", "schema", "count", "columns", "verify", "map", "annotate", "ext", "json");

    private Cli() {}

    /// What a run ended with, and what it wrote.
    public record Run(int status, String out, String err) {
        /// The lines of standard output.
        public List<String> lines() {
            return out.lines().toList();
        }

        /// Standard output as JSON, a value per line.
        public List<Object> json() {
            return out.lines().map(JsonTree::parse).toList();
        }
    }

    public static Run run(String... args) {
        return run(Main.commandLine(), args);
    }

    private static Run run(CommandLine command, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status =
                command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
        return new Run(status, out.toString(), err.toString());
    }

    /// Runs one subcommand that is put together without the others. That takes a tenth of the time,
    /// which is most of a short run: for tests with thousands of them.
    public static Run runAlone(String... args) {
        String[] behind = Arrays.copyOfRange(args, 1, args.length);
        return run(Main.ready(new CommandLine(Main.subcommand(args[0]))), behind);
    }

    public static Run runAloneWithInput(byte[] input, String... args) {
        return ThreadInput.with(new ByteArrayInputStream(input), () -> runAlone(args));
    }

    public static Run runWithInput(byte[] input, String... args) {
        return runWithInput(new ByteArrayInputStream(input), args);
    }

    public static Run runWithInput(InputStream input, String... args) {
        return ThreadInput.with(input, () -> run(args));
    }
}
