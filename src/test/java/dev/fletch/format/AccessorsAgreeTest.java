// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.OracleFile.Flatbuffer;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.RealInput;
import dev.fletch.testdata.Row;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// Every accessor of every table reads what flatc's generated class reads from the same bytes: in
/// real files and in random tables, whatever memory they lie in.
class AccessorsAgreeTest {
    private static final int SEEDS = CaseCount.of(100, 2_000);
    private static final int SEEDS_PER_BACKING = CaseCount.of(2, 100);

    // ---- real files

    /// What was found in real files.
    private static final class Found {
        private final AccessorComparer comparer = new AccessorComparer();
        private int schemas;
        private int messages;
        private int footers;

        void compareAll(MemorySegment memory, byte[] content) {
            for (Flatbuffer each : OracleListing.list(content).flatbuffers()) {
                String root = each.isFooter() ? each.kind() : "Message";
                comparer.compare(root, memory, each.offset(), each.bytes());
                schemas += each.kind().equals("Schema") ? 1 : 0;
                footers += each.isFooter() ? 1 : 0;
                messages += each.isFooter() ? 0 : 1;
            }
        }

        void print(String what, int files) {
            System.out.printf(
                    "Accessors against the generated classes, %s: %d files, %d messages (%d"
                            + " schemas), %d footers, %d tables, %d accessor calls%n",
                    what, files, messages, schemas, footers, comparer.tables(), comparer.calls());
        }
    }

    @Test
    void accessorsAgreeOnMappedFiles(@TempDir Path folder) throws IOException {
        Found found = new Found();
        List<RealInput> inputs = RealInput.listed();
        for (int i = 0; i < inputs.size(); i++) {
            byte[] content = inputs.get(i).bytes();
            Path path = Files.write(folder.resolve("" + i), content);
            try (Arena arena = Arena.ofConfined();
                    FileChannel channel = FileChannel.open(path)) {
                MemorySegment file = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
                found.compareAll(file, content);
            }
        }
        found.print("mapped files", inputs.size());
        assertTrue(found.schemas > 0 && found.footers > 0);
    }

    @Test
    void accessorsAgreeOnAFutureVersion() {
        Found found = new Found();
        byte[] bytes = Goldens.read(Goldens.forwardCompatibility());
        found.compareAll(MemorySegment.ofArray(bytes), bytes);
        assertEquals(1, found.schemas);
    }

    // ---- random tables

    @Test
    void accessorsAgreeOnRandomTables() {
        AccessorComparer comparer = new AccessorComparer();
        int buffers = 0;
        for (TablePath path : PATHS) {
            for (long seed = 0; seed < SEEDS; seed++) {
                byte[] bytes = path.random(seed);
                try {
                    comparer.compare(path.root(), MemorySegment.ofArray(bytes), 0, bytes);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError(path + " seed=" + seed, e);
                }
                buffers++;
            }
        }
        System.out.printf(
                "Accessors against the generated classes, random: %d kinds of tables, %d buffers,"
                        + " %d tables, %d accessor calls%n",
                PATHS.size(), buffers, comparer.tables(), comparer.calls());
    }

    private static final List<TablePath> PATHS = TablePath.all().toList();

    /// Random buffers one behind the other, as in a file; several of each path.
    private static final Row ROW =
            Row.of(
                    LongStream.range(SEEDS, SEEDS + SEEDS_PER_BACKING)
                            .boxed()
                            .flatMap(seed -> PATHS.stream().map(path -> path.random(seed)))
                            .toArray(byte[][]::new));

    private static String root(int part) {
        return PATHS.get(part % PATHS.size()).root();
    }

    private static byte[] part(int part) {
        int from = ROW.offset(part);
        return Arrays.copyOfRange(ROW.bytes(), from, from + ROW.length(part));
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void accessorsAgreeInEverySegment(SegmentBacking backing) {
        AccessorComparer comparer = new AccessorComparer();
        try (PlacedSegment placed = backing.place(ROW.bytes())) {
            for (int i = 0; i < ROW.count(); i++) {
                long at = placed.offset() + ROW.offset(i);
                comparer.compare(root(i), placed.segment(), at, part(i));
            }
            assertArrayEquals(ROW.bytes(), placed.content());
            assertTrue(placed.surroundingsIntact());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void accessorsAgreeInEveryByteBuffer(BufferBacking backing) {
        AccessorComparer comparer = new AccessorComparer();
        try (PlacedBuffer placed = backing.place(ROW.bytes())) {
            ByteBuffer buffer = placed.buffer();
            int first = buffer.position();
            int end = buffer.limit();
            for (int i = 0; i < ROW.count(); i++) {
                int at = first + ROW.offset(i);
                buffer.limit(at + ROW.length(i)).position(at);
                comparer.compare(root(i), buffer, part(i));
                assertEquals(at, buffer.position());
                assertEquals(at + ROW.length(i), buffer.limit());
            }
            buffer.limit(end).position(first);
            assertArrayEquals(ROW.bytes(), placed.content());
        }
    }
}
