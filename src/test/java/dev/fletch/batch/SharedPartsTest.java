// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.wire.SharedParts;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/// Parts of a buffer that are shared: each is new as long as all of them together might share
/// nothing, and from then on known once it was new.
class SharedPartsTest {
    private final SharedParts parts = new SharedParts();

    private void assertNew(long place, long size, int value) {
        assertEquals(SharedParts.NEW, parts.find(place, size));
        assertEquals(value, parts.keep(place, value));
    }

    @Test
    void partsAreNewUntilTheyMustBeShared() {
        parts.begin(10);
        assertNew(8, 4, 1);
        assertNew(8, 6, 2);
        // Now something has to be shared.
        assertNew(8, 4, 3);
        assertEquals(3, parts.find(8, 4));
        assertNew(12, 6, 4);
        assertEquals(3, parts.find(8, 4));
        assertEquals(4, parts.find(12, 6));
        assertNew(14, 6, 5); // overlaps
        assertEquals(3, parts.find(8, 4));
    }

    /// A part that is too large for what is left before sharing shows takes nothing from it.
    @Test
    void aPartThatDoesNotFitTakesNoRoom() {
        parts.begin(10);
        assertNew(8, 8, 1);
        assertNew(20, 3, 2);
        assertNew(30, 2, 3);
        assertEquals(2, parts.find(20, 3));
        assertNew(30, 2, 4);
        assertEquals(4, parts.find(30, 2));
    }

    @Test
    void beginForgetsAllParts() {
        for (int round = 0; round < 3; round++) {
            parts.begin(1);
            assertNew(8, 1, 10 + round);
            assertNew(8, 1, 20 + round);
            assertEquals(20 + round, parts.find(8, 1));
        }
        parts.begin(0);
        assertNew(8, 1, 30);
        assertEquals(30, parts.find(8, 1));
    }

    /// As many as it grows to, at places of all distances.
    @Test
    void manyPartsAreFound() {
        Random random = new Random(5);
        for (int count : new int[] {31, 32, 33, 64, 5_000}) {
            parts.begin(2L * count);
            assertNew(1, 2L * count, 0);
            Map<Long, Integer> kept = new HashMap<>();
            while (kept.size() < count) {
                long place =
                        kept.size() % 2 == 0 ? 4 + 4L * kept.size() : random.nextLong(1L << 50);
                if (place != 0 && !kept.containsKey(place)) {
                    assertNew(place, 2, kept.size());
                    kept.put(place, kept.size());
                }
                kept.entrySet().stream()
                        .limit(3)
                        .forEach(
                                each ->
                                        assertEquals(
                                                each.getValue(), parts.find(each.getKey(), 2)));
            }
            kept.forEach((place, value) -> assertEquals(value, parts.find(place, 2)));
            assertEquals(SharedParts.NEW, parts.find(3, 1));
        }
    }
}
