// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;

import dev.fletch.FletchException;
import dev.fletch.examples.RingReader;
import dev.fletch.examples.RingWriter;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The example of a ring in shared memory, with two threads and at all sizes at which messages meet
/// its end.
@Timeout(120)
@Isolated("counts allocations")
class RingExampleTest {
    private static final int DATA = 128;
    private static final int MAX_BATCH_BYTES = 8 + 584 + 21_040;
    private static final int ROWS = 800;

    private static byte[] stream;

    @TempDir Path folder;

    @BeforeAll
    static void read() throws IOException {
        stream = Files.readAllBytes(TradesSample.path("trades.stream"));
    }

    private MemorySegment map(long bytes, Arena arena) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        folder.resolve("ring"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        }
    }

    /// The sample's messages, each with its frame.
    private static List<MemorySegment> messages() {
        MemorySegment all = MemorySegment.ofArray(stream);
        return OracleListing.list(stream).messages().stream()
                .map(each -> all.asSlice(each.offset(), each.endOffset() - each.offset()))
                .toList();
    }

    /// Sizes at which messages meet the ring's end in many ways.
    @ParameterizedTest
    @CsvSource({"43264", "43272", "50000", "65536", "1000000"})
    void aReaderGetsTheMessagesOfAWriter(int size) throws Exception {
        int laps = CaseCount.of(80, 400);
        int bytes = DATA + size / 8 * 8;
        assertTrue(size >= 2 * MAX_BATCH_BYTES);
        try (Arena arena = Arena.ofShared();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            MemorySegment mine = map(bytes, arena);
            MemorySegment others = map(bytes, arena);
            Future<?> written = thread.submit(() -> write(laps, others));
            RingReader reader = new RingReader();
            long rows = 0;
            while (rows < (long) laps * ROWS) {
                long more = reader.poll(mine);
                rows += more;
                if (more == 0) {
                    assertTrue(!written.isDone() || written.get() == null);
                    Thread.onSpinWait();
                }
            }
            written.get();
            assertEquals((long) laps * ROWS, rows + reader.poll(mine));
        }
    }

    private static void write(int laps, MemorySegment ring) {
        List<MemorySegment> messages = messages();
        for (int i = 0; i < laps; i++) {
            for (MemorySegment each : messages) {
                while (!RingWriter.offer(each, ring)) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /// A full ring is refused, and what was there before stays.
    @Test
    void aFullRingRefusesMessages() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ring = map(DATA + 43_264, arena);
            RingReader reader = new RingReader();
            MemorySegment batch = messages().get(3);
            assertTrue(RingWriter.offer(batch, ring));
            assertTrue(RingWriter.offer(batch, ring));
            assertEquals(false, RingWriter.offer(batch, ring));
            assertEquals(800, reader.poll(ring));
            assertTrue(RingWriter.offer(batch, ring));
            assertEquals(400, reader.poll(ring));
            assertEquals(0, reader.poll(ring));
        }
    }

    @Test
    void readerOfTheRingAllocatesNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ring = map(DATA + 65_536, arena);
            RingReader reader = new RingReader();
            List<MemorySegment> messages = messages();
            long allocated = Long.MAX_VALUE;
            // The first rounds are those of a JVM that still compiles.
            for (int round = 0; round < 20 && allocated > 0; round++) {
                allocated = 0;
                for (int i = 0; i < 1_000; i++) {
                    assertTrue(RingWriter.offer(messages.get(i % messages.size()), ring));
                    long before = threads.getCurrentThreadAllocatedBytes();
                    long rows = reader.poll(ring);
                    allocated += threads.getCurrentThreadAllocatedBytes() - before;
                    assertEquals(List.of(0, 0, 250, 400, 150).get(i % 5).longValue(), rows);
                }
            }
            assertEquals(0, allocated);
        }
    }

    @Test
    void readerOfTheRingRefusesWhatDoesNotVerify() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ring = map(DATA + 65_536, arena);
            byte[] damaged = messages().get(2).toArray(ValueLayout.JAVA_BYTE);
            Arrays.fill(damaged, 8, 16, (byte) 0x7f);
            assertTrue(RingWriter.offer(MemorySegment.ofArray(damaged), ring));
            RingReader reader = new RingReader();
            assertThrows(FletchException.class, () -> reader.poll(ring));
        }
    }
}
