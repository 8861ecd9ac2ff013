// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.wire.Wire;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/// Vtables are shared if, and only if, they are equal: in any number, and with hashes that collide.
class WriterVtablesTest {
    private static final int ORDERS = 40_320; // of eight slots

    private final FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);

    /// Writes a table with all slots, in an order and of sizes that depend on a number.
    static int tableOf(FlatBufferWriter writer, int number) {
        writer.startTable();
        for (int slot : order(number)) {
            if (isWide(number, slot)) {
                writer.addNumber(slot, Short.BYTES, 1, 0);
            } else {
                writer.addNumber(slot, Byte.BYTES, 1, 0);
            }
        }
        return writer.endTable();
    }

    private static boolean isWide(int number, int slot) {
        return (number / ORDERS >>> slot & 1) != 0;
    }

    /// One of all orders of the slots.
    private static int[] order(int number) {
        List<Integer> free = new ArrayList<>(IntStream.range(0, Wire.SLOTS).boxed().toList());
        int[] order = new int[Wire.SLOTS];
        int rest = number % ORDERS;
        for (int left = Wire.SLOTS; left > 0; left--) {
            order[Wire.SLOTS - left] = free.remove(rest % left);
            rest /= left;
        }
        return order;
    }

    // ---- collisions: searched for, as hashes differ from process to process

    /// Vtables that differ in one part alone.
    private record Content(int tableBytes, long low, long high) {
        static Content differingIn(int part, Random random) {
            long slots = random.nextLong() & SMALL;
            return part == 1 ? new Content(0x7FFF, slots, 3) : new Content(0x7FFF, 2, slots);
        }

        int hash() {
            return Vtables.hash(head(), low, high);
        }

        private int head() {
            int used =
                    high != 0
                            ? 8 - Long.numberOfLeadingZeros(high) / 16
                            : 4 - Long.numberOfLeadingZeros(low) / 16;
            return tableBytes << 16 | 4 + 2 * used;
        }

        /// Where the vtable is, 0 if it is not there.
        int findIn(Vtables vtables) {
            vtables.open(0);
            for (int slot = 0; slot < 8; slot++) {
                int field = (int) ((slot < 4 ? low : high) >>> slot % 4 * 16) & 0xFFFF;
                if (field != 0) {
                    vtables.set(slot, field);
                }
            }
            return vtables.find(tableBytes);
        }
    }

    /// Four slots, each less than 0x8000.
    private static final long SMALL = 0x7FFF_7FFF_7FFF_7FFFL;

    /// Each part decides the place, so vtables of similar tables do not queue up. Of random places,
    /// 3,600 of 4,096 in 16,384 would differ. The table's size is mixed last, so its places are
    /// multiples of a random factor, and may be fewer.
    @Test
    void similarVtablesHaveDifferentHashes() {
        for (int part = 0; part < 9; part++) {
            Set<Integer> places = new HashSet<>();
            for (int i = 0; i < 4_096; i++) {
                long slots = part == 0 ? 4 : (long) i << (part - 1) % 4 * 16;
                boolean isLow = part < 5;
                int head = part == 0 ? i << 16 | 12 : 8 << 16 | 20;
                int hash = Vtables.hash(head, isLow ? slots : 4, isLow ? 4 : slots);
                places.add(hash >>> 2 & 0x3FFF);
            }
            assertTrue(
                    places.size() > (part == 0 ? 100 : 2_000),
                    "part " + part + ": " + places.size());
        }
    }

    @Test
    void vtablesWithTheSameHashAreToldApart() {
        Random random = new Random(8);
        for (int part = 1; part < 3; part++) {
            Map<Integer, Content> byHash = new HashMap<>();
            Content one = null;
            Content other = null;
            while (one == null || one.equals(other)) {
                other = Content.differingIn(part, random);
                one = byHash.put(other.hash(), other);
            }
            assertToldApart(one, other);
        }
    }

    /// Of so many sizes, most have the place of another one among the first 64 entries.
    @Test
    void tablesOfOtherSizesHaveOtherVtables() {
        Map<Integer, Content> byPlace = new HashMap<>();
        for (int size = 0; size < 1_000; size++) {
            Content other = new Content(size, 2, 3);
            Content one = byPlace.put(other.hash() >>> 2 & 63, other);
            if (one != null) {
                assertToldApart(one, other);
            }
        }
    }

    private static void assertToldApart(Content one, Content other) {
        WriterMemory memory = new WriterMemory();
        memory.wrap(MemorySegment.ofArray(new byte[500]), 0, 500);
        Vtables vtables = new Vtables(memory);
        for (int i = 0; i < 16; i++) { // all that are not hashed
            Content listed = new Content(8, i + 1, 0);
            assertEquals(0, listed.findIn(vtables));
            assertEquals(vtables.add(listed.tableBytes), listed.findIn(vtables));
        }
        assertEquals(0, one.findIn(vtables));
        int first = vtables.add(one.tableBytes);
        assertEquals(first, one.findIn(vtables));
        assertEquals(0, other.findIn(vtables));
        int second = vtables.add(other.tableBytes);
        assertNotEquals(first, second);
        assertEquals(first, one.findIn(vtables));
        assertEquals(second, other.findIn(vtables));
        vtables.clear();
        assertEquals(0, one.findIn(vtables));
        assertEquals(0, other.findIn(vtables));
    }
}
