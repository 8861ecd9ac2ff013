// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.remote.errors.RangeException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// All sources of ranges behave the same.
class RangeSourceContractTest {
    private static final int SIZE = 300_000;

    @TempDir Path folder;

    private final byte[] object = new byte[SIZE];

    enum Kind {
        FILE,
        MEMORY,
        SHORT_READS,
        HTTP
    }

    private FaultyServer server;

    /// Opens a source of the object, which may have a server.
    private RangeSource open(Kind kind) throws IOException {
        new Random(20).nextBytes(object);
        return switch (kind) {
            case FILE -> {
                Path path = Files.write(folder.resolve("object"), object);
                RangeSource source = RangeSource.open(path);
                assertEquals(path.toString(), source.name());
                yield source;
            }
            case MEMORY -> RangeSource.of(new MemoryChannel(object, SIZE), "memory");
            case SHORT_READS -> RangeSource.of(new MemoryChannel(object, 1_777), "memory");
            case HTTP -> {
                server = new FaultyServer(object);
                yield RangeSource.http(server.link("/object"));
            }
        };
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private static byte[] read(RangeSource source, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        source.read(from, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private byte[] expected(long from, int length) {
        return Arrays.copyOfRange(object, (int) from, (int) from + length);
    }

    @ParameterizedTest
    @EnumSource
    void rangesAreRead(Kind kind) throws IOException {
        try (RangeSource source = open(kind)) {
            assertEquals(SIZE, source.size());
            for (int[] range :
                    new int[][] {
                        {0, 1}, {0, SIZE}, {SIZE - 1, 1}, {SIZE, 0}, {0, 0}, {777, 99_999}
                    }) {
                assertArrayEquals(expected(range[0], range[1]), read(source, range[0], range[1]));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyMemoryIsReadIntoAndNothingBesideIt(Kind kind) throws IOException {
        try (RangeSource source = open(kind);
                Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            for (MemorySegment memory :
                    List.of(
                            MemorySegment.ofArray(new byte[4_008]),
                            MemorySegment.ofArray(new long[501]),
                            MemorySegment.ofArray(new short[2_004]),
                            confined.allocate(4_008),
                            shared.allocate(4_008))) {
                source.read(55, memory.asSlice(4, 4_000));
                byte[] all = memory.toArray(ValueLayout.JAVA_BYTE);
                assertArrayEquals(expected(55, 4_000), Arrays.copyOfRange(all, 4, 4_004));
                assertEquals(0, all[3] | all[4_004]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void endIsRead(Kind kind) throws IOException {
        for (int most : new int[] {1, 1_000, SIZE - 1, SIZE, SIZE + 1, Integer.MAX_VALUE}) {
            try (RangeSource source = open(kind)) {
                int length = Math.min(most, SIZE);
                assertArrayEquals(expected(SIZE - length, length), source.readEnd(most));
                assertEquals(SIZE, source.size());
            }
            stop();
        }
    }

    @ParameterizedTest
    @EnumSource
    void rangesOutsideAreRefused(Kind kind) throws IOException {
        try (RangeSource source = open(kind)) {
            for (long offset : new long[] {-1, SIZE - 9, SIZE + 1, Long.MAX_VALUE}) {
                var failure = assertThrows(RangeException.class, () -> read(source, offset, 10));
                String range =
                        offset < 0 ? "last 10 bytes" : "bytes " + offset + " to " + (offset + 9);
                assertEquals(
                        source.name()
                                + ": "
                                + range
                                + ": range is not inside the object: size="
                                + SIZE,
                        failure.getMessage());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void threadsReadAtTheSameTime(Kind kind) throws Exception {
        try (RangeSource source = open(kind);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<byte[]>> results = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                long from = i * 10_000L;
                results.add(threads.submit(() -> read(source, from, 20_000)));
            }
            for (int i = 0; i < 16; i++) {
                assertArrayEquals(expected(i * 10_000L, 20_000), results.get(i).get());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void closedSourceIsAnError(Kind kind) throws IOException {
        RangeSource source = open(kind);
        source.size();
        source.close();
        var failure = assertThrows(RangeException.class, () -> read(source, 3, 2));
        assertTrue(
                failure.getMessage().startsWith(source.name() + ": bytes 3 to 4: "),
                failure.getMessage());
    }

    @Test
    void channelThatShrinksIsAnError() throws IOException {
        Path path = Files.write(folder.resolve("shrinks"), new byte[1_000]);
        try (FileChannel channel =
                        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                RangeSource source = RangeSource.of(channel, "file")) {
            channel.truncate(600);
            var failure = assertThrows(RangeException.class, () -> read(source, 500, 200));
            assertEquals(
                    "file: bytes 500 to 699: channel ends at 600, size was 1000",
                    failure.getMessage());
        }
        MemoryChannel memory = new MemoryChannel(new byte[1_000], 7);
        RangeSource source = RangeSource.of(memory, "memory");
        memory.truncate(0);
        assertThrows(RangeException.class, () -> read(source, 0, 1));
    }
}
