// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;

/// A few columns of a wide file as vectors, next to arrow-java, which reads all of them.
class VectorMemoryTest {
    private static final int COLUMNS = 20_000;

    @Test
    void twentyOfTwentyThousandColumnsTakeAHundredthOfTheMemory() throws IOException {
        VectorMemory memory = VectorMemory.of(COLUMNS, false);
        System.out.println("20 of 20,000 columns as vectors: " + memory);
        assertTrue(memory.offHeap() * 100 <= memory.arrowOffHeap(), memory.toString());
        long all = memory.heap() + memory.offHeap();
        assertTrue(all * 100 <= memory.arrowHeap() + memory.arrowOffHeap(), memory.toString());
    }
}
