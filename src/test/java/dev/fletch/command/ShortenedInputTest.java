// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.input.InputBytes;
import dev.fletch.ipc.ArrowFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/// A file that loses its end while a command is at work on it: one line and status 2.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
class ShortenedInputTest {
    private static final Path SAMPLE = Path.of("src/test/resources/samples/trades.arrow");

    @TempDir Path folder;

    /// The second input is asked for when the first one is mapped and its footer has been read: it
    /// shortens it then.
    @ParameterizedTest
    @ValueSource(strings = {"diff", "diff --bytes"})
    void fileShortenedDuringADiffIsAnError(String command) throws IOException {
        Path file = Files.write(folder.resolve("shortened.arrow"), largeSample());
        AtomicBoolean done = new AtomicBoolean();
        try (InputStream second =
                new FilterInputStream(Files.newInputStream(SAMPLE)) {
                    @Override
                    public int read(byte[] into, int at, int count) throws IOException {
                        shorten(file, done);
                        return super.read(into, at, count);
                    }
                }) {
            Cli.Run run = Cli.runWithInput(second, (command + " " + file + " -").split(" "));
            assertTrue(done.get());
            assertEquals(2, run.status());
            assertEquals("", run.out());
            assertEquals(
                    "fletch: "
                            + file
                            + ": could not be read to its end; it may have changed while it was"
                            + " read\n",
                    run.err());
        }
    }

    /// The sample with zeros before its footer, so that it is mapped, not copied.
    private static byte[] largeSample() throws IOException {
        byte[] sample = Files.readAllBytes(SAMPLE);
        int footer = (int) ArrowFile.of(MemorySegment.ofArray(sample)).footerOffset();
        ByteBuffer large = ByteBuffer.allocate(sample.length + (64 << 10));
        large.put(sample, 0, footer);
        large.put(
                large.capacity() - (sample.length - footer),
                sample,
                footer,
                sample.length - footer);
        return large.array();
    }

    /// As [MemorySegment#mismatch], which is the oracle.
    @Test
    void mismatchIsThatOfTheJvm() {
        Random random = new Random(5);
        int[] sizes = {0, 1, 7, 8, 100, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 200_000};
        try (Arena arena = Arena.ofConfined()) {
            for (int size : sizes) {
                for (int other : sizes) {
                    MemorySegment a = arena.allocate(size);
                    MemorySegment b = MemorySegment.ofArray(new byte[other]);
                    assertEquals(a.mismatch(b), InputBytes.mismatch(a, b));
                    int common = Math.min(size, other);
                    if (common > 0) {
                        int at = random.nextInt(common);
                        b.set(java.lang.foreign.ValueLayout.JAVA_BYTE, at, (byte) 1);
                        assertEquals(at, InputBytes.mismatch(a, b));
                        assertEquals(at, InputBytes.mismatch(b, a));
                    }
                }
            }
        }
    }

    private static void shorten(Path file, AtomicBoolean done) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
            done.set(true);
        }
    }
}
