// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Inputs that are still written, of unknown size, or empty. What is printed of damaged ones is in
/// `golden/commands`.
class DamagedInputTest {

    @TempDir Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("input"), bytes);
    }

    /// A schema of a stream that is still written is shown before the stream ends.
    @Test
    void schemaOfALiveStreamIsPrintedAtOnce() throws IOException {
        byte[] stream = TradesSample.stream();
        int end = (int) OracleListing.list(stream).messages().getFirst().endOffset();
        StringBuilder seen = new StringBuilder();
        StringWriter out = new StringWriter();
        InputStream slow =
                new ByteArrayInputStream(stream) {
                    @Override
                    public synchronized int read(byte[] into, int from, int count) {
                        if (pos > end && seen.isEmpty()) {
                            seen.append(out);
                        }
                        return super.read(into, from, Math.min(count, 8));
                    }
                };
        PrintWriter writer = new PrintWriter(out);
        assertEquals(0, ThreadInput.with(slow, () -> Cli.run(writer, writer, "schema", "-")));
        assertTrue(seen.toString().startsWith("schema: 7 columns\n"), seen.toString());
        assertEquals(out.toString(), seen.toString());
    }

    /// Such as those of `/proc`: their size is told as 0.
    @Test
    void fileOfUnknownSizeIsRead() throws IOException {
        Path version = Path.of("/proc/version");
        assumeTrue(Files.isRegularFile(version) && Files.size(version) == 0, "no /proc here");
        byte[] bytes = Files.readAllBytes(version);
        for (String each : List.of("ls", "schema", "count", "columns", "map", "json")) {
            Run run = Cli.run(each, version.toString());
            assertTrue(run.err().contains("offset 0: neither an Arrow IPC file nor"), run.err());
        }
        assertTrue(Cli.run("annotate", version.toString()).out().contains(bytes.length + " bytes"));
        Path empty = file(new byte[0]);
        assertEquals(
                "fletch: " + empty + ": offset 0: input is empty: bytes=0\n",
                Cli.run("ls", empty.toString()).err());
    }
}
