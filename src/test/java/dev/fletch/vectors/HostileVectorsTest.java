// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.FletchException;
import dev.fletch.batch.Columns;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.AllValues;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BoundsChecking;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// Damaged files and streams: they are refused, or all values can be read without that arrow-java's
/// checks of each access find anything. Nothing leaks.
class HostileVectorsTest {
    private static final int CASES = CaseCount.of(400, 8_000);

    /// From one length of a truncated input to the next.
    private static final int STEP = CaseCount.of(7, 1);

    private static final long LIMIT = 64 << 20;
    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        2,
        7,
        8,
        12,
        13,
        127,
        128,
        -128,
        255,
        1000,
        65536,
        1 << 20,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 32,
        1L << 40,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private static final VectorOptions OPTIONS =
            VectorOptions.DEFAULT.withCodecs(CommonsCompressionFactory.INSTANCE);

    private static int refused;
    private static int read;

    @Test
    void damagedFilesAndStreamsAreRefusedOrReadable() throws IOException {
        List<byte[]> seeds =
                Stream.of(
                                "all_types",
                                "nested_views_unions_runs",
                                "list_views",
                                "run_end_encoded",
                                "views",
                                "texts",
                                "dense_unions",
                                "sparse_unions",
                                "dictionary_nested",
                                "dictionaries",
                                "maps",
                                "zstd",
                                "lz4")
                        .map(ArrowVectorFiles::named)
                        .flatMap(each -> Stream.of(each.file(), each.stream()))
                        .toList();
        Random random = new Random(22);
        for (int i = 0; i < CASES; i++) {
            byte[] bytes = seeds.get(i % seeds.size()).clone();
            for (int j = random.nextInt(3); j >= 0; j--) {
                damage(bytes, random);
            }
            VectorOptions options = OPTIONS.withCopies(random.nextInt(4) == 0);
            boolean isUntrusted = random.nextInt(4) == 0;
            attempt(
                    bytes,
                    i % 2 == 0,
                    isUntrusted ? options.withReadOptions(ReadOptions.UNTRUSTED) : options,
                    "case " + i);
        }
        assertTrue(refused > CASES / 100 && read > CASES / 10, refused + " " + read);
    }

    /// arrow-java may throw anything then, also when values are read.
    @Test
    void nothingLeaksWithoutChecksOfValues() throws IOException {
        assumeTrue(BoundsChecking.BOUNDS_CHECKING_ENABLED, "arrow-java checks nothing; skipped");
        Random random = new Random(7);
        byte[] seed = ArrowVectorFiles.named("all_types").file();
        int failed = 0;
        for (int i = 0; i < CASES / 10; i++) {
            byte[] bytes = seed.clone();
            damage(bytes, random);
            try (BufferAllocator allocator = new RootAllocator(LIMIT)) {
                try (VectorReader vectors =
                        open(bytes, true, allocator, OPTIONS.withChecksValues(false))) {
                    while (vectors.loadNext()) {}
                } catch (RuntimeException | AssertionError e) {
                    failed++;
                }
                assertEquals(0, allocator.getAllocatedMemory(), "case " + i);
            }
        }
        assertTrue(failed > 0, "failed: " + failed);
    }

    /// Words that are aligned are offsets, lengths and indexes.
    private static void damage(byte[] bytes, Random random) {
        int width = 1 << random.nextInt(4);
        int at = random.nextInt(bytes.length / width) * width;
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long number =
                random.nextInt(4) == 0
                        ? random.nextLong()
                        : NUMBERS[random.nextInt(NUMBERS.length)];
        switch (width) {
            case 1 -> buffer.put(at, (byte) number);
            case 2 -> buffer.putShort(at, (short) number);
            case 4 -> buffer.putInt(at, (int) number);
            default -> buffer.putLong(at, number);
        }
    }

    @Test
    void everyTruncationIsRefusedOrReadable() throws IOException {
        ArrowCase each = ArrowVectorFiles.named("dictionary_int8");
        byte[] stream = each.stream();
        byte[] file = each.file();
        for (int length = 0; length < Math.max(stream.length, file.length); length += STEP) {
            attempt(
                    java.util.Arrays.copyOf(file, Math.min(length, file.length)),
                    true,
                    "file " + length);
            attempt(
                    java.util.Arrays.copyOf(stream, Math.min(length, stream.length)),
                    false,
                    "stream " + length);
        }
    }

    @Test
    void fuzzInputsAreRejectedOrReadable() throws IOException {
        int found = 0;
        Path inputs = Goldens.repositoryRoot().resolve("src/test/resources/dev/fletch/fuzz");
        try (Stream<Path> files = Files.walk(inputs)) {
            for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
                byte[] bytes = Files.readAllBytes(each);
                attempt(bytes, true, each.toString());
                attempt(bytes, false, each.toString());
                found++;
            }
        }
        System.out.printf("Vectors of fuzz inputs: %d inputs%n", found);
        assertTrue(found > 20);
    }

    private static void attempt(byte[] bytes, boolean isFile, String name) throws IOException {
        attempt(bytes, isFile, OPTIONS, name);
    }

    private static void attempt(byte[] bytes, boolean isFile, VectorOptions options, String name)
            throws IOException {
        try (BufferAllocator allocator = new RootAllocator(LIMIT)) {
            try (VectorReader vectors = open(bytes, isFile, allocator, options)) {
                while (vectors.loadNext()) {
                    vectors.root().getFieldVectors().forEach(AllValues::read);
                    for (long id : vectors.getDictionaryIds()) {
                        AllValues.read(vectors.lookup(id).getVector());
                    }
                }
                read++;
            } catch (FletchException | OutOfMemoryException e) {
                refused++;
            } catch (RuntimeException | Error e) {
                throw new AssertionError(name, e);
            }
            assertEquals(0, allocator.getAllocatedMemory(), name);
        }
    }

    private static VectorReader open(
            byte[] bytes, boolean isFile, BufferAllocator allocator, VectorOptions options)
            throws IOException {
        if (!isFile) {
            return VectorReader.open(
                    new ByteArrayInputStream(bytes), allocator, Columns.all(), options);
        }
        Arena arena = Arena.ofShared();
        MemorySegment memory =
                arena.allocate(Math.max(1, bytes.length), 64).asSlice(0, bytes.length);
        memory.copyFrom(MemorySegment.ofArray(bytes));
        ArrowFile file;
        try {
            file = ArrowFile.of(memory, ReadOptions.DEFAULT.withLevel(Level.TOUCHED));
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
        return VectorReader.borrowing(file, arena::close, allocator, Columns.all(), options);
    }

    @AfterAll
    static void printCounts() {
        System.out.printf("Hostile vectors: %d refused, %d read to the end%n", refused, read);
    }
}
