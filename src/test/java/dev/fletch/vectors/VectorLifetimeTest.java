// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.fletch.FletchException;
import dev.fletch.batch.Columns;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Sources;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// When memory is freed, what the allocator counts, and what writing to vectors changes.
class VectorLifetimeTest {
    private static final Columns NUMBER = Columns.named("number");
    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    @TempDir Path folder;
    private Path path;
    private byte[] bytes;

    @BeforeEach
    void write() throws IOException {
        bytes =
                ArrowVectorFiles.named("several_batches")
                        .file(); // number, text; 1, 7, 0, 64, … rows
        path = folder.resolve("several.arrow");
        Files.write(path, bytes);
    }

    private static long sum(VectorSchemaRoot root) {
        BigIntVector vector = (BigIntVector) root.getVector("number");
        long sum = 0;
        for (int i = 0; i < vector.getValueCount(); i++) {
            sum += vector.isNull(i) ? 0 : vector.get(i);
        }
        return sum;
    }

    // ---- order of closing

    @Test
    void aBatchThatWasTakenOutlivesItsReader() throws IOException {
        try (RootAllocator allocator = new RootAllocator()) {
            VectorSchemaRoot taken;
            long expected;
            try (VectorReader vectors = VectorReader.open(path, allocator, "number")) {
                vectors.load(5);
                expected = sum(vectors.root());
                taken = vectors.take();
                assertEquals(0, vectors.root().getRowCount());
                vectors.load(1);
                assertEquals(7, vectors.root().getRowCount());
            }
            assertEquals(1000, taken.getRowCount());
            assertEquals(expected, sum(taken));
            assertTrue(allocator.getAllocatedMemory() >= 8000);
            taken.close();
            assertEquals(0, allocator.getAllocatedMemory());
        }
    }

    @Test
    void rootAndReaderCanBeClosedInAnyOrderAndTwice() throws IOException {
        try (RootAllocator allocator = new RootAllocator()) {
            VectorReader vectors = VectorReader.open(path, allocator, "number");
            long open = allocator.getAllocatedMemory();
            assertTrue(vectors.loadNext());
            VectorSchemaRoot root = vectors.root();
            root.close();
            assertEquals(open, allocator.getAllocatedMemory());
            vectors.close();
            vectors.close();
            root.close();
            assertThrows(IllegalStateException.class, vectors::loadNext);
            assertThrows(IllegalStateException.class, () -> vectors.load(0));
            assertThrows(IllegalStateException.class, vectors::take);
            assertThrows(IllegalStateException.class, () -> vectors.share(allocator));
        }
    }

    /// Also one that has no batch: the mapping would stay.
    @Test
    void aReaderThatWasNeverClosedIsFoundWhenTheAllocatorIsClosed() throws IOException {
        RootAllocator allocator = new RootAllocator();
        VectorReader vectors = VectorReader.open(path, allocator, "number");
        while (vectors.loadNext()) {}
        assertTrue(allocator.getAllocatedMemory() > 0);
        assertThrows(IllegalStateException.class, allocator::close);
    }

    @Test
    void missingAllocatorIsRefused() {
        NullPointerException e =
                assertThrows(
                        NullPointerException.class, () -> VectorReader.open(path, null, "number"));
        assertEquals("allocator", e.getMessage());
    }

    /// The file system of a zip writes it anew if an entry was opened for writing, and cannot map
    /// it.
    @Test
    void aFileInAZipIsRefusedAndTheZipStaysAsItIs() throws IOException {
        Path zip = path.resolveSibling("a.zip");
        try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
            Files.write(files.getPath("a.arrow"), bytes);
        }
        byte[] before = Files.readAllBytes(zip);
        try (FileSystem files = FileSystems.newFileSystem(zip);
                RootAllocator allocator = new RootAllocator()) {
            Path entry = files.getPath("a.arrow");
            FileSystemException e =
                    assertThrows(
                            FileSystemException.class,
                            () -> VectorReader.open(entry, allocator, "number"));
            assertEquals("a.arrow: its file system cannot map files", e.getMessage());
            assertThrows(
                    FileSystemException.class,
                    () -> ArrowFile.map(entry, Arena.ofAuto(), ReadOptions.DEFAULT));
        }
        assertArrayEquals(before, Files.readAllBytes(zip));
    }

    @Test
    void memoryIsFreedByTheLastBufferAndOnce() throws Exception {
        AtomicInteger freed = new AtomicInteger();
        try (Arena arena = Arena.ofShared();
                RootAllocator allocator = new RootAllocator()) {
            VectorReader vectors = borrow(copy(arena), freed, allocator, NUMBER);
            vectors.load(5);
            ArrowBuf data = vectors.root().getVector("number").getDataBuffer();
            data.getReferenceManager().retain();
            VectorReader other = vectors.share(allocator);
            vectors.close();
            other.close();
            assertEquals(0, freed.get());
            Thread closing = new Thread(data::close);
            closing.start();
            closing.join();
            assertEquals(1, freed.get());
        }
        assertEquals(1, freed.get());
    }

    private MemorySegment copy(Arena arena) {
        return arena.allocate(bytes.length, 64).copyFrom(MemorySegment.ofArray(bytes));
    }

    private static VectorReader borrow(
            MemorySegment memory, AtomicInteger freed, RootAllocator allocator, Columns columns) {
        ArrowFile file = ArrowFile.of(memory);
        return VectorReader.borrowing(
                file, freed::incrementAndGet, allocator, columns, VectorOptions.DEFAULT);
    }

    @Test
    void memoryIsFreedIfOpeningFails() {
        AtomicInteger freed = new AtomicInteger();
        try (Arena arena = Arena.ofShared();
                RootAllocator allocator = new RootAllocator()) {
            MemorySegment memory = copy(arena);
            Columns none = Columns.named("price");
            assertThrows(FletchException.class, () -> borrow(memory, freed, allocator, none));
            assertEquals(1, freed.get());
            for (MemorySegment other : List.of(memory.asReadOnly(), MemorySegment.ofArray(bytes))) {
                int before = freed.get();
                assertThrows(
                        IllegalArgumentException.class,
                        () -> borrow(other, freed, allocator, NUMBER));
                assertEquals(before + 1, freed.get());
            }
        }
    }

    @Test
    void streamsAreClosedAlsoIfOpeningFails() throws IOException {
        byte[] stream = ArrowVectorFiles.named("several_batches").stream();
        Sources.Closing failing = new Sources.Closing(stream);
        Sources.Closing closing = new Sources.Closing(stream);
        try (RootAllocator allocator = new RootAllocator()) {
            assertThrows(
                    FletchException.class, () -> VectorReader.open(failing, allocator, "price"));
            assertTrue(failing.isClosed);
            VectorSchemaRoot taken;
            try (var vectors = VectorReader.open(closing, allocator, "number")) {
                vectors.loadNext();
                vectors.loadNext();
                taken = vectors.take();
                assertFalse(closing.isClosed);
            }
            assertTrue(closing.isClosed);
            assertEquals(7, taken.getRowCount());
            sum(taken);
            taken.close();
        }
    }

    // ---- what the allocator counts

    @Test
    void onlyTheBuffersOfChosenColumnsAreCounted() throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors = VectorReader.open(path, allocator, "number")) {
            long open = allocator.getAllocatedMemory();
            assertTrue(open <= 8, "for an open reader: " + open);
            assertFalse(vectors.isCopying());
            vectors.load(5);
            // 1000 numbers, and a validity buffer of 125 bytes with or without padding
            long counted = allocator.getAllocatedMemory() - open;
            assertTrue(counted >= 8125 && counted <= 8192, "bytes: " + counted);
            while (vectors.loadNext()) {}
            assertEquals(open, allocator.getAllocatedMemory());
        }
    }

    @Test
    void theLimitOfTheAllocatorHolds() throws IOException {
        try (RootAllocator allocator = new RootAllocator(4000)) {
            try (VectorReader vectors = VectorReader.open(path, allocator, "number")) {
                assertThrows(OutOfMemoryException.class, () -> vectors.load(5));
                assertEquals(0, vectors.root().getRowCount());
                vectors.load(4);
                assertEquals(65, vectors.root().getRowCount());
            }
        }
    }

    @Test
    void copiesOfAFileTakeTheBytesOfItsColumnsAlone() throws IOException {
        int rows = 3_000_000;
        Path large = path.resolveSibling("large");
        try (RootAllocator allocator = new RootAllocator();
                BigIntVector first = new BigIntVector("first", allocator);
                BigIntVector second = new BigIntVector("second", allocator);
                VectorSchemaRoot root = VectorSchemaRoot.of(first, second);
                var writer = new ArrowFileWriter(root, null, FileChannel.open(large, NEW))) {
            first.allocateNew(rows);
            second.allocateNew(rows);
            root.setRowCount(rows);
            writer.start();
            writer.writeBatch();
            writer.end();
        }
        long bytes = 2L * Long.BYTES * rows;
        VectorOptions copying = VectorOptions.DEFAULT.withCopies(true);
        try (RootAllocator allocator = new RootAllocator(bytes + (2 << 20));
                VectorReader vectors =
                        VectorReader.open(large, allocator, Columns.all(), copying)) {
            assertTrue(vectors.loadNext());
            assertEquals(rows, vectors.root().getRowCount());
            VectorSchemaRoot taken = vectors.take();
            taken.getVector("second").close();
            assertTrue(allocator.getAllocatedMemory() < bytes / 2 + (2 << 20));
            taken.close();
        }
    }

    // ---- writing

    @Test
    void writingToVectorsLeavesTheFileUnchanged() throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors = VectorReader.open(path, allocator, "number");
                VectorReader other = VectorReader.open(path, allocator, "number")) {
            vectors.load(5);
            BigIntVector vector = (BigIntVector) vectors.root().getVector("number");
            for (int i = 0; i < 1000; i++) {
                vector.set(i, 42);
            }
            assertArrayEquals(bytes, Files.readAllBytes(path));
            vectors.load(5); // seen by this reader, as documented
            assertEquals(42_000, sum(vectors.root()));
            try (VectorReader shared = vectors.share(allocator)) {
                shared.load(5);
                assertEquals(42_000, sum(shared.root()));
            }
            other.load(5);
            assertTrue(sum(other.root()) != 42_000);
        }
        assertArrayEquals(bytes, Files.readAllBytes(path));
    }

    @Test
    void aFileWithoutWritePermissionIsCopied() throws IOException {
        assertTrue(path.toFile().setWritable(false));
        assumeFalse(Files.isWritable(path), "this user may write any file; skipped");
        readsCopies(VectorOptions.DEFAULT);
    }

    @Test
    void readerCopiesIfAsked() throws IOException {
        readsCopies(VectorOptions.DEFAULT.withCopies(true));
    }

    private void readsCopies(VectorOptions options) throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                VectorReader mapped = VectorReader.open(path, allocator, "number");
                VectorReader copies = VectorReader.open(path, allocator, NUMBER, options)) {
            assertTrue(copies.isCopying());
            for (int i = 0; i < copies.batchCount(); i++) {
                mapped.load(i);
                copies.load(i);
                assertEquals(sum(mapped.root()), sum(copies.root()));
                if (copies.root().getRowCount() > 0) {
                    ((BigIntVector) copies.root().getVector(0)).set(0, 7);
                }
            }
        }
        assertArrayEquals(bytes, Files.readAllBytes(path));
    }

    @Test
    void anOpenedFileOfAnyMemoryIsCopied() throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                ArrowFile mapped = ArrowFile.open(path)) {
            VectorSchemaRoot taken = null;
            for (ArrowFile file : List.of(mapped, ArrowFile.of(MemorySegment.ofArray(bytes)))) {
                try (VectorReader vectors =
                        VectorReader.copying(file, allocator, NUMBER, VectorOptions.DEFAULT)) {
                    vectors.load(1);
                    if (taken != null) {
                        assertEquals(sum(taken), sum(vectors.root()));
                        taken.close();
                    }
                    taken = vectors.take();
                }
            }
            taken.close();
        }
    }

    // ---- threads

    @Test
    void severalThreadsShareAMapping() throws Exception {
        try (RootAllocator allocator = new RootAllocator();
                ExecutorService threads = Executors.newFixedThreadPool(4);
                VectorReader first = VectorReader.open(path, allocator, "number")) {
            first.load(5);
            long expected = sum(first.root());
            List<Callable<Long>> tasks = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                boolean opensItself = i % 2 == 0;
                VectorReader own =
                        opensItself
                                ? VectorReader.open(path, allocator, "number")
                                : first.share(allocator);
                tasks.add(
                        () -> {
                            try (own) {
                                long sum = 0;
                                for (int j = 0; j < 50; j++) {
                                    own.load(5);
                                    try (VectorSchemaRoot taken = own.take()) {
                                        sum += sum(taken) - expected;
                                    }
                                }
                                return sum;
                            }
                        });
            }
            for (Future<Long> each : threads.invokeAll(tasks)) {
                assertEquals(0, each.get());
            }
        }
    }

    // ---- ends

    @Test
    void afterTheLastBatchTheRootIsEmptyAndAnyBatchCanBeLoaded() throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors = VectorReader.open(path, allocator, "number")) {
            List<Integer> rows = new ArrayList<>();
            while (vectors.loadNext()) {
                rows.add(vectors.root().getRowCount());
            }
            assertEquals(List.of(1, 7, 0, 64, 65, 1000), rows);
            assertFalse(vectors.loadNext());
            assertEquals(0, vectors.root().getRowCount());
            vectors.load(3);
            assertTrue(vectors.loadNext());
            assertEquals(65, vectors.root().getRowCount());
            assertThrows(IndexOutOfBoundsException.class, () -> vectors.load(6));
            assertThrows(IndexOutOfBoundsException.class, () -> vectors.load(-1));
            assertNull(vectors.lookup(0));
            assertTrue(vectors.getDictionaryIds().isEmpty());
        }
    }
}
