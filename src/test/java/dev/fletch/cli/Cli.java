// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/// Runs the command inside the test's own process.
final class Cli {
    private Cli() {}

    /// What a run ended with, and what it wrote.
    record Run(int status, String out, String err) {
        /// The lines of standard output.
        List<String> lines() {
            return out.lines().toList();
        }

        /// Standard output as JSON, a value per line.
        List<Object> json() {
            return out.lines().map(JsonTree::parse).toList();
        }
    }

    static Run run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status =
                Main.commandLine()
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(args);
        return new Run(status, out.toString(), err.toString());
    }

    static Run runWithInput(byte[] input, String... args) {
        return runWithInput(new ByteArrayInputStream(input), args);
    }

    static Run runWithInput(InputStream input, String... args) {
        InputStream before = System.in;
        System.setIn(input);
        try {
            return run(args);
        } finally {
            System.setIn(before);
        }
    }
}
