// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.remote.errors.RangeException;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangeReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

class RangeReaderTest {
    private static final int KIB = 1 << 10;

    private final byte[] bytes = new byte[1_000_000];
    private final CountingSource source = new CountingSource(bytes);
    private final RangeReader reader = new RangeReader(source, RangeOptions.DEFAULT);

    RangeReaderTest() {
        new Random(20).nextBytes(bytes);
    }

    /// Reads ranges and checks their bytes.
    private void read(RangeReader by, ByteRange... ranges) throws IOException {
        List<MemorySegment> into = new ArrayList<>();
        for (ByteRange range : ranges) {
            into.add(MemorySegment.ofArray(new byte[(int) range.length()]));
        }
        by.read(List.of(ranges), into);
        for (int i = 0; i < ranges.length; i++) {
            assertArrayEquals(
                    Arrays.copyOfRange(bytes, (int) ranges[i].offset(), (int) ranges[i].end()),
                    into.get(i).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    // ---- merging

    @ParameterizedTest
    @CsvSource({"0, 1", "65535, 1", "65536, 2", "65537, 2"})
    void rangesLessThan64KibApartAreOneRequest(int gap, int requests) throws IOException {
        read(reader, new ByteRange(110 + gap, 50), new ByteRange(100, 10));
        assertEquals(requests, source.reads.size());
        assertEquals(requests == 1 ? 60 + gap : 60, source.bytesRead());
    }

    @Test
    void mergingNeverBuildsALongerRequest() throws IOException {
        var small = new RangeReader(source, SmallRanges.OF.requestBytes(1_000).options());
        read(small, new ByteRange(0, 500), new ByteRange(600, 400), new ByteRange(1_001, 10));
        assertEquals(
                List.of(new ByteRange(0, 1_000), new ByteRange(1_001, 10)), sorted(source.reads));
    }

    @Test
    void longRangesAreSplit() throws IOException {
        var small = new RangeReader(source, SmallRanges.OF.requestBytes(1_000).options());
        read(small, new ByteRange(7, 2_500));
        assertEquals(
                List.of(
                        new ByteRange(7, 1_000),
                        new ByteRange(1_007, 1_000),
                        new ByteRange(2_007, 500)),
                sorted(source.reads));
    }

    private static List<ByteRange> sorted(List<ByteRange> ranges) {
        return ranges.stream().sorted((a, b) -> Long.compare(a.offset(), b.offset())).toList();
    }

    @Test
    void randomRangesAreReadOnce() throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 100; round++) {
            CountingSource each = new CountingSource(bytes);
            RangeOptions options =
                    SmallRanges.OF
                            .mergeBytes(random.nextInt(3_000))
                            .requestBytes(1 + random.nextInt(10_000))
                            .requestsInFlight(1 + random.nextInt(5))
                            .options();
            ByteRange[] ranges = new ByteRange[random.nextInt(20)];
            for (int i = 0; i < ranges.length; i++) {
                ranges[i] = new ByteRange(random.nextInt(50_000), random.nextInt(5_000));
            }
            read(new RangeReader(each, options), ranges);
            assertEquals(0, each.readTwice());
            assertTrue(each.mostInFlight.get() <= options.requestsInFlight());
            for (ByteRange read : each.reads) {
                assertTrue(read.length() <= options.requestBytes());
            }
        }
    }

    @Test
    void emptyRangesAreNotRequested() throws IOException {
        read(reader);
        read(reader, new ByteRange(1_000_000, 0));
        assertEquals(0, source.reads.size());
    }

    // ---- several at a time

    @Test
    void atMostEightRequestsAreInFlight() throws IOException {
        CountDownLatch eight = new CountDownLatch(8);
        var slow =
                new CountingSource(
                        MemorySegment.ofArray(bytes),
                        range -> {
                            eight.countDown();
                            await(eight);
                        });
        ByteRange[] ranges = new ByteRange[12];
        for (int i = 0; i < ranges.length; i++) {
            ranges[i] = new ByteRange(i * 70_000L, 10);
        }
        read(new RangeReader(slow, RangeOptions.DEFAULT), ranges);
        assertEquals(0, eight.getCount());
        assertEquals(8, slow.mostInFlight.get());
        assertEquals(12, slow.reads.size());
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            assertTrue(latch.await(10, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    @Test
    void memoryOfTheCallersThreadIsReadInto() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(300 * KIB);
            reader.read(List.of(new ByteRange(9, 300 * KIB)), List.of(memory));
            assertEquals(-1, memory.mismatch(MemorySegment.ofArray(bytes).asSlice(9, 300 * KIB)));
        }
    }

    @Test
    void memoryIsBoundedByTheRequestsInFlight() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment large = arena.allocate(100 << 20);
            RangeOptions options =
                    SmallRanges.OF.requestBytes(1 << 20).requestsInFlight(4).options();
            var counting = new CountingSource(large, range -> {});
            var many = new RangeReader(counting, options);
            long[] received = new long[1];
            var threads =
                    (com.sun.management.ThreadMXBean)
                            java.lang.management.ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            many.read(
                    List.of(new ByteRange(0, 100 << 20)),
                    (range, at, part) -> received[0] += part.byteSize());
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertEquals(100 << 20, received[0]);
            assertEquals(100, counting.reads.size());
            assertTrue(allocated < 5 << 20, "allocated=" + allocated);
        }
    }

    // ---- failures

    @Test
    void rangesOutsideOfTheObjectAreNotRequested() {
        var failure =
                assertThrows(
                        RangeException.class,
                        () -> read(reader, new ByteRange(0, 1), new ByteRange(999_990, 11)));
        assertEquals(
                "memory: bytes 999990 to 1000000: range is not inside the object: size=1000000",
                failure.getMessage());
        assertEquals(0, source.reads.size());
    }

    @Test
    void wrongSegmentsAreRefused() {
        var one = List.of(new ByteRange(0, 10));
        assertThrows(IllegalArgumentException.class, () -> reader.read(one, List.of()));
        assertThrows(
                IllegalArgumentException.class,
                () -> reader.read(one, List.of(MemorySegment.ofArray(new byte[9]))));
        assertEquals(0, source.reads.size());
    }

    @Test
    void firstFailureStopsTheOthersAndIsThrown() {
        AtomicInteger interrupted = new AtomicInteger();
        CountDownLatch others = new CountDownLatch(3);
        var failing =
                new CountingSource(
                        MemorySegment.ofArray(bytes),
                        range -> {
                            if (range.offset() == 70_000) {
                                await(others);
                                throw new IOException("broken");
                            }
                            others.countDown();
                            try {
                                Thread.sleep(10_000);
                            } catch (InterruptedException e) {
                                interrupted.incrementAndGet();
                                throw new InterruptedIOException();
                            }
                        });
        ByteRange[] ranges = new ByteRange[10];
        for (int i = 0; i < ranges.length; i++) {
            ranges[i] = new ByteRange(i * 70_000L, 10);
        }
        var four = new RangeReader(failing, SmallRanges.OF.requestsInFlight(4).options());
        var failure = assertThrows(RangeException.class, () -> read(four, ranges));
        assertEquals(
                "memory: bytes 70000 to 70009: java.io.IOException: broken", failure.getMessage());
        assertEquals(3, interrupted.get());
        assertEquals(4, failing.reads.size());
        assertEquals(0, failing.inFlight.get());
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void exceptionOfTheReceiverIsThrown() {
        IOException own = new IOException("own");
        var failure =
                assertThrows(
                        IOException.class,
                        () ->
                                reader.read(
                                        List.of(new ByteRange(0, 10)),
                                        (range, at, part) -> {
                                            throw own;
                                        }));
        assertSame(own, failure);
    }

    @Test
    void interruptEndsTheCallAndIsKept() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        var slow =
                new CountingSource(
                        MemorySegment.ofArray(bytes),
                        range -> {
                            started.countDown();
                            try {
                                Thread.sleep(10_000);
                            } catch (InterruptedException e) {
                                throw new InterruptedIOException();
                            }
                        });
        AtomicReference<String> found = new AtomicReference<>();
        Thread thread =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        read(
                                                new RangeReader(slow, RangeOptions.DEFAULT),
                                                new ByteRange(0, 10));
                                    } catch (IOException e) {
                                        found.set(e + " " + Thread.currentThread().isInterrupted());
                                    }
                                });
        assertTrue(started.await(5, TimeUnit.SECONDS));
        thread.interrupt();
        thread.join(5_000);
        assertEquals("java.io.InterruptedIOException: memory: interrupted true", found.get());
        assertEquals(0, slow.inFlight.get());
    }
}
