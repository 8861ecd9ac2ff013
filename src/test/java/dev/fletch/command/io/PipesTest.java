// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.ThreadInput;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.SequenceInputStream;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/// Inputs and outputs that are longer than memory, or end before they should.
@Timeout(60)
class PipesTest {
    private static final long BODY_BYTES = 5L << 30;

    private static final byte[] SCHEMA = Frames.emptySchema();
    private static final byte[] GREAT_BATCH = Frames.recordBatch(10, BODY_BYTES);
    private static final byte[] LAST = Frames.join(Frames.recordBatch(20, 0), Frames.END);

    @TempDir Path folder;

    private static String listing(String file) {
        long second = SCHEMA.length;
        long third = second + GREAT_BATCH.length + BODY_BYTES;
        String message =
                "{\"index\":%d,\"offset\":%d,\"kind\":\"%s\",\"version\":\"V5\","
                        + "\"prefixLength\":8,\"metadataLength\":%d,\"bodyLength\":%d%s}";
        return "{\"file\":\"%s\",\"container\":\"stream\",\"messages\":[%s,%s,%s]}\n"
                .formatted(
                        file,
                        message.formatted(0, 0, "Schema", SCHEMA.length - 8, 0, ""),
                        message.formatted(
                                1,
                                second,
                                "RecordBatch",
                                GREAT_BATCH.length - 8,
                                BODY_BYTES,
                                ",\"rows\":10"),
                        message.formatted(2, third, "RecordBatch", 48, 0, ",\"rows\":20"));
    }

    /// A sparse file: its body is never read.
    @Test
    void mappedStreamOfFiveGigabytesIsListed() throws IOException {
        Path path = folder.resolve("great");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.write(SCHEMA);
            file.write(GREAT_BATCH);
            file.seek(file.length() + BODY_BYTES);
            file.write(LAST);
        }
        String name = path.toString();
        assertEquals(new Run(0, listing(name), ""), Cli.run("ls", "--json", name));
        assertTrue(Cli.run("count", name).lines().getLast().strip().startsWith("30 "));
        List<String> lines = Cli.run("ls", name).lines();
        assertEquals(lines.get(0).indexOf("  kind"), lines.get(3).indexOf("  RecordBatch"));
    }

    @Test
    void pipeOfFiveGigabytesIsListed() {
        InputStream pipe =
                new SequenceInputStream(
                        Collections.enumeration(
                                List.of(
                                        new ByteArrayInputStream(Frames.join(SCHEMA, GREAT_BATCH)),
                                        new Zeros(BODY_BYTES),
                                        new ByteArrayInputStream(LAST))));
        assertEquals(new Run(0, listing("-"), ""), Cli.runWithInput(pipe, "ls", "--json", "-"));
    }

    @Test
    void pipeThatEndsInABodyIsAFault() {
        InputStream pipe =
                new SequenceInputStream(
                        new ByteArrayInputStream(Frames.join(SCHEMA, GREAT_BATCH)),
                        new Zeros(BODY_BYTES - 1));
        Run run = Cli.runWithInput(pipe, "ls", "-");
        assertEquals(1, run.status());
        assertEquals(3, run.lines().size());
        assertTrue(run.err().contains("body does not fit the input"), run.err());
    }

    /// A stream that is being written: what is known of it is shown before the next message.
    ///
    /// @param first the lines of the first message
    @ParameterizedTest
    @CsvSource({"ls, 2, 3", "schema, 1, 1"})
    void messagesOfALiveStreamAreShownAtOnce(String command, int first, int all) {
        StringWriter out = new StringWriter();
        StringBuilder seen = new StringBuilder();
        InputStream slow =
                new InputStream() {
                    private final byte[] bytes = Frames.join(SCHEMA, LAST);
                    private int at;

                    @Override
                    public int read() {
                        if (at == SCHEMA.length + Long.BYTES) {
                            seen.append(out);
                        }
                        return at < bytes.length ? bytes[at++] & 0xFF : -1;
                    }

                    @Override
                    public int read(byte[] into, int from, int count) {
                        int b = read();
                        into[from] = (byte) b;
                        return b < 0 ? -1 : 1;
                    }
                };
        PrintWriter buffered = new PrintWriter(new BufferedWriter(out, 1 << 16));
        assertEquals(0, ThreadInput.with(slow, () -> Cli.run(buffered, buffered, command, "-")));
        assertEquals(first, seen.toString().lines().count(), seen::toString);
        assertEquals(all, out.toString().lines().count(), out::toString);
    }

    // ---- output

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls",
                "ls --json",
                "schema",
                "schema --json",
                "count",
                "verify",
                "columns",
                "columns --json",
                "map",
                "map --json",
                "map --totals",
                "map --html=-"
            })
    void closedOutputIsNoError(String command) {
        String call = command + " " + TradesSample.path("trades.arrow");
        assertEquals(new Run(0, "", ""), Cli.runIntoClosed(call.split(" ")));
    }

    /// What had been found until then is not forgotten.
    @ParameterizedTest
    @ValueSource(strings = {"verify", "verify --json"})
    void faultBeforeTheClosedOutputDeterminesTheStatus(String command) {
        byte[] bad = TradesSample.file();
        bad[0] = 1;
        InputStream input = new ByteArrayInputStream(bad);
        String[] call = (command + " -").split(" ");
        assertEquals(new Run(1, "", ""), ThreadInput.with(input, () -> Cli.runIntoClosed(call)));
    }

    /// So many zeros.
    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long count) {
            this.left = count;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] into, int from, int count) {
            if (left <= 0) {
                return -1;
            }
            int n = (int) Math.min(count, left);
            left -= n;
            return n;
        }
    }
}
