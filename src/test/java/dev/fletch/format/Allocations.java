// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;

/// What the thread allocates, as the JVM counts it.
final class Allocations {
    private static final int REPETITIONS = 100;
    private static final int QUIET_ROUNDS = 3;
    private static final int MAX_ROUNDS = 30;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /// Fails if the work does not come to allocate nothing at all: 0 bytes in a few hundred
    /// repetitions in a row. What comes before is warm-up, in which the JVM links and compiles, and
    /// goes back on what it compiled.
    static void assertNone(String what, Runnable work) {
        assumeTrue(
                THREADS.isThreadAllocatedMemorySupported(), "this JVM does not count allocations");
        assertTrue(countedBytes(() -> keep(new byte[100])) >= 100, "allocations are not counted");
        repeat(work);
        int quiet = 0;
        long last = 0;
        for (int round = 0; round < MAX_ROUNDS && quiet < QUIET_ROUNDS; round++) {
            long bytes = countedBytes(() -> repeat(work));
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
                                + REPETITIONS
                                + " repetitions; quiet rounds");
    }

    private static void repeat(Runnable work) {
        for (int i = 0; i < REPETITIONS; i++) {
            work.run();
        }
    }

    /// Bytes that `work` allocates, those of the measurement taken off.
    static long countedBytes(Runnable work) {
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
