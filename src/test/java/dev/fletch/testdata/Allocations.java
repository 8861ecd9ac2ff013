// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;

/// What the thread allocates, as the JVM counts it.
public final class Allocations {
    private static final int REPETITIONS = 100;
    private static final int QUIET_ROUNDS = 3;
    private static final int MAX_ROUNDS = 30;

    /// How often work is run at most, for each of its repetitions.
    public static final int MOST_RUNS = 1 + MAX_ROUNDS;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /// What is measured.
    @FunctionalInterface
    public interface Work {
        void run() throws IOException;
    }

    /// Fails if the work does not come to allocate nothing at all: 0 bytes in a few hundred
    /// repetitions in a row. What comes before is warm-up, in which the JVM links and compiles, and
    /// goes back on what it compiled.
    public static void assertNone(String what, Work work) {
        assertNone(what, REPETITIONS, work);
    }

    /// The same with more repetitions in a row.
    public static void assertNone(String what, int repetitions, Work work) {
        assumeTrue(
                THREADS.isThreadAllocatedMemorySupported(), "this JVM does not count allocations");
        assertTrue(countedBytes(() -> keep(new byte[100])) >= 100, "allocations are not counted");
        repeat(repetitions, work);
        int quiet = 0;
        long last = 0;
        for (int round = 0; round < MAX_ROUNDS && quiet < QUIET_ROUNDS; round++) {
            long bytes = countedBytes(() -> repeat(repetitions, work));
            last = bytes == 0 ? last : bytes;
            quiet = bytes == 0 ? quiet + 1 : 0;
        }
        long bytes = last;
        assertEquals(
                QUIET_ROUNDS,
                quiet,
                () ->
                        what
                                + ": "
                                + bytes
                                + " bytes in "
                                + repetitions
                                + " repetitions; quiet rounds");
    }

    private static void repeat(int repetitions, Work work) {
        try {
            for (int i = 0; i < repetitions; i++) {
                work.run();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Bytes that some repetitions of the work allocate at the least, once the JVM has compiled it.
    public static long leastBytes(int repetitions, Work work) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < MAX_ROUNDS && least != 0; round++) {
            least = Math.min(least, countedBytes(() -> repeat(repetitions, work)));
        }
        return least;
    }

    /// Bytes that `work` allocates, those of the measurement taken off.
    public static long countedBytes(Runnable work) {
        long own = measure(() -> {});
        own = Math.min(own, measure(() -> {}));
        return measure(work) - own;
    }

    private static long measure(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static Object kept;

    private static void keep(Object object) {
        kept = object;
        assertTrue(kept != null);
    }
}
