// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.management.ManagementFactory;

/// What a few columns of a wide file take as vectors, beside arrow-java, which reads all of them.
class VectorMemoryTest {
    private static final int COLUMNS = 20_000;

    private interface Task {
        double run() throws IOException;
    }

    @Test
    void twentyOfTwentyThousandColumnsTakeAHundredthOfTheMemory() throws IOException {
        VectorSums sums = new VectorSums();
        sums.take(COLUMNS);
        long offHeap = sums.fletchBytes(false);
        long arrowOffHeap = sums.arrowBytes(false);
        long heap = heap(sums::fletchMany);
        long arrowHeap = heap(sums::arrowMany);
        System.out.printf(
                "20 of 20,000 columns as vectors: %,d bytes off-heap (arrow-java %,d), %,d on the"
                        + " heap (arrow-java %,d); 1 column: %,d off-heap, %,d on the heap%n",
                offHeap,
                arrowOffHeap,
                heap,
                arrowHeap,
                sums.fletchBytes(true),
                heap(sums::fletchOne));
        assertTrue(offHeap * 100 <= arrowOffHeap, offHeap + " of " + arrowOffHeap);
        assertTrue((offHeap + heap) * 100 <= arrowOffHeap + arrowHeap, heap + " of " + arrowHeap);
    }

    /// Bytes that this thread allocates, the second time.
    private static long heap(Task task) throws IOException {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        task.run();
        long before = threads.getCurrentThreadAllocatedBytes();
        task.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
