// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// `fletch head` of endless streams and many columns. What it prints is in
/// `golden/commands/head.txt`, the values themselves are those of `RowValuesAgreeTest`, and damaged
/// inputs are those of `DamageConsumersTest`.
class HeadCommandTest {
    private static final Path TRADES = Path.of("src/test/resources/samples/trades.arrow");

    @TempDir Path folder;

    @Test
    void aStreamWithoutEndIsReadNoFurtherThanNeeded() throws IOException {
        byte[] stream = Files.readAllBytes(TRADES.resolveSibling("trades.stream"));
        InputStream endless =
                new InputStream() {
                    private final InputStream first = new ByteArrayInputStream(stream);
                    private int read;

                    @Override
                    public int read() throws IOException {
                        if (++read > stream.length - 8) {
                            throw new AssertionError("read to the end");
                        }
                        return first.read();
                    }
                };
        Cli.Run run = Cli.runWithInput(endless, "head", "--rows", "3", "--json", "-");
        assertEquals(0, run.status(), run.err());
        assertEquals(3, run.json().size());
    }

    @Test
    void columnsOfManyAreChosenInTime() throws IOException {
        FbsValue.Table[] fields =
                IntStream.range(0, 100_000)
                        .mapToObj(i -> Meant.utf8("c" + i))
                        .toArray(FbsValue.Table[]::new);
        byte[] stream = Frames.schemaStream(Meant.schema(fields));
        String file = Files.write(folder.resolve("many"), stream).toString();
        for (String columns : List.of("*,c*", "!c1*")) {
            Cli.Run run =
                    assertTimeoutPreemptively(
                            Duration.ofSeconds(10),
                            () -> Cli.run("head", "--json", "--columns", columns, file));
            assertEquals(new Cli.Run(0, "", ""), run);
        }
    }
}
