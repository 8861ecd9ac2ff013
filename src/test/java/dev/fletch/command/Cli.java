// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import dev.fletch.command.io.StandardOutput;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;

/// Runs the command inside the test's own process.
public final class Cli {
    /// The commands that take any number of inputs.
    public static final List<String> INPUT_COMMANDS =
            List.of("ls", "schema", "count", "columns", "verify", "map", "annotate", "ext", "json");

    private static final List<String> HELP = List.of("help", "--help", "-h");

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
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = run(new PrintWriter(out), new PrintWriter(err), args);
        return new Run(status, out.toString(), err.toString());
    }

    /// Runs it as a process does. Help has the usual width, whatever terminal the tests have.
    ///
    /// @return the status
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return HELP.stream().anyMatch(Arrays.asList(args)::contains)
                ? Main.commandLine().setOut(out).setErr(err).execute(args)
                : Main.run(args, out, err);
    }

    /// Runs it with a closed pipe as standard output.
    public static Run runIntoClosed(String... args) {
        OutputStream closed =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                };
        StringWriter err = new StringWriter();
        int status = run(StandardOutput.loud(closed), new PrintWriter(err), args);
        return new Run(status, "", err.toString());
    }

    public static Run runWithInput(byte[] input, String... args) {
        return runWithInput(new ByteArrayInputStream(input), args);
    }

    public static Run runWithInput(InputStream input, String... args) {
        return ThreadInput.with(input, () -> run(args));
    }
}
