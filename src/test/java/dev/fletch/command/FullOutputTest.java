// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.io.StandardOutput;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;

/// Output that takes nothing, as a full disk: one line on standard error, and status 2.
class FullOutputTest {
    private static final class Full extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "--version",
                "help",
                "ls --help",
                "annotate --version",
                "generate-completion",
                "annotate FILE",
                "ls FILE"
            })
    void fullDiskIsOneError(String line) {
        String file = TradesSample.path("trades.stream").toString();
        StringWriter err = new StringWriter();
        PrintWriter out = StandardOutput.loud(new Full());
        int status =
                Cli.run(out, new PrintWriter(err, true), line.replace("FILE", file).split(" "));
        out.flush(); // as the command does at its end
        assertEquals("fletch: standard output: No space left on device\n", err.toString());
        assertEquals(2, status);
    }
}
