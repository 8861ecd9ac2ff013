// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FletchProcess;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// Streams from a pipe that are longer than memory: each command runs in a process with little of
/// it.
@Timeout(600)
class LongPipesTest {
    private static final int HEAP_MEGABYTES = 48;
    private static final int BATCHES = CaseCount.of(500_000, 10_000_000);
    private static final long ZEROS = CaseCount.of(1L << 28, 10L << 30);

    // More than the memory, and less than the length.
    private static final int LONG_BYTES = CaseCount.of(96 << 20, 256 << 20);
    private static final int LONG_METADATA = 1 << 30;

    private static final int BATCHES_PER_PIECE = 1_000;
    private static final int PIECE_BYTES = 1 << 20;

    private interface Feed {
        void write(OutputStream pipe) throws IOException;
    }

    @ParameterizedTest
    @ValueSource(strings = {"count", "verify"})
    void manyEmptyBatchesAreReadInBoundedMemory(String command) throws Exception {
        byte[] batch = Frames.recordBatch(0, 0);
        byte[] piece =
                Frames.join(Collections.nCopies(BATCHES_PER_PIECE, batch).toArray(byte[][]::new));
        String out =
                run(
                        command,
                        0,
                        pipe -> {
                            pipe.write(Frames.emptySchema());
                            for (int i = 0; i < BATCHES; i += BATCHES_PER_PIECE) {
                                pipe.write(piece);
                            }
                            pipe.write(Frames.END);
                        });
        String messages =
                command.equals("count") ? "" + BATCHES : "messages=" + (BATCHES + 1) + ",";
        assertTrue(out.contains(messages), out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"count", "verify"})
    void zerosBehindAStreamAreReadInBoundedMemory(String command) throws Exception {
        byte[] zeros = new byte[PIECE_BYTES];
        String out =
                run(
                        command,
                        0,
                        pipe -> {
                            pipe.write(Frames.emptySchema());
                            pipe.write(Frames.recordBatch(0, 0));
                            pipe.write(Frames.END);
                            for (long i = 0; i < ZEROS; i += PIECE_BYTES) {
                                pipe.write(zeros);
                            }
                        });
        assertTrue(out.contains("bytes=" + ZEROS), out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"count", "verify"})
    void metadataThatIsLongerThanMemoryIsReadInBoundedMemory(String command) throws Exception {
        byte[] piece = new byte[PIECE_BYTES];
        Arrays.fill(piece, (byte) 1);
        ByteBuffer prefix = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        prefix.putInt(-1).putInt(LONG_METADATA);
        String out =
                run(
                        command,
                        1,
                        pipe -> {
                            pipe.write(Frames.emptySchema());
                            pipe.write(prefix.array());
                            for (int i = 0; i < LONG_BYTES; i += PIECE_BYTES) {
                                pipe.write(piece);
                            }
                        });
        String sizes = "metadataLength=" + LONG_METADATA + ", remaining=" + LONG_BYTES;
        assertTrue(out.contains(sizes), out);
    }

    /// Runs a command with a stream as standard input.
    ///
    /// @return what it wrote
    private static String run(String command, int status, Feed input) throws Exception {
        List<String> call = FletchProcess.command("-Xmx" + HEAP_MEGABYTES + "m");
        call.addAll(List.of(command, "-"));
        Process process = new ProcessBuilder(call).redirectErrorStream(true).start();
        try (OutputStream pipe = process.getOutputStream()) {
            input.write(pipe);
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(status, process.waitFor(), out);
        return out;
    }
}
