// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// The vtables of small tables, against a map and vtables made slot by slot.
class SmallVtablesTest {
    private final SmallVtables vtables = new SmallVtables();

    /// Where a small table has its fields: bytes from its end, one in each byte.
    private record Layout(long lanes, int tableBytes) {
        static Layout random(Random random) {
            int tableBytes = random.nextInt(5, 256);
            int slots = random.nextInt(9);
            long lanes = 0;
            for (int slot = 0; slot < slots; slot++) {
                long lane = random.nextInt(3) == 0 ? 0 : random.nextInt(1, tableBytes - 3);
                lanes |= lane << 8 * slot;
            }
            return new Layout(lanes, tableBytes);
        }

        /// The vtable as the format has it: its size, the table's, and where each field is.
        byte[] vtable() {
            int slots = (Long.SIZE - Long.numberOfLeadingZeros(lanes) + 7) / 8;
            ByteBuffer bytes = ByteBuffer.allocate(4 + 2 * slots).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putShort((short) bytes.capacity()).putShort((short) tableBytes);
            for (int slot = 0; slot < slots; slot++) {
                int lane = (int) (lanes >>> 8 * slot) & 0xFF;
                bytes.putShort((short) (lane == 0 ? 0 : tableBytes - lane));
            }
            return bytes.array();
        }
    }

    private static List<Layout> layouts(int count, long seed) {
        Random random = new Random(seed);
        Set<Layout> all = new HashSet<>();
        while (all.size() < count) {
            Layout each = Layout.random(random);
            all.add(each);
            // Those that differ in one of the two alone.
            all.add(new Layout(each.lanes, 255));
            all.add(new Layout(each.lanes & 0xFFFF, each.tableBytes));
        }
        return new ArrayList<>(all);
    }

    /// The vtable at a place, from its words.
    private byte[] at(int place) {
        ByteBuffer slots = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        slots.putLong(vtables.first(place)).putLong(vtables.last(place));
        int size = vtables.head(place) & 0xFFFF;
        ByteBuffer all = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        all.putInt(vtables.head(place)).put(slots.array(), 16 - (size - 4), size - 4);
        return all.array();
    }

    private int find(Layout layout) {
        return vtables.find(layout.lanes, layout.tableBytes);
    }

    private void add(Layout layout, int distance) {
        int place = find(layout);
        assertEquals(0, vtables.distance(place));
        if (!vtables.isSame(place, layout.lanes, layout.tableBytes)) {
            vtables.make(place, layout.lanes, layout.tableBytes);
        }
        assertEquals(0, vtables.distance(place), "made, and of no buffer yet");
        assertArrayEquals(layout.vtable(), at(place));
        vtables.add(place, distance);
    }

    /// One buffer after the other, of few vtables and of many, and each with some of those before.
    @Test
    void whatWasAddedToThisBufferIsFoundAndNothingElse() {
        List<Layout> all = layouts(3_000, 31);
        Random random = new Random(32);
        for (int buffer = 0; buffer < 12; buffer++) {
            int share = buffer % 3 == 2 ? 1 : 60;
            Map<Layout, Integer> added = new HashMap<>();
            for (Layout each : all) {
                if (random.nextInt(share) == 0) {
                    added.put(each, added.size() + 1);
                    add(each, added.size());
                }
            }
            for (Layout each : all) {
                int place = find(each);
                assertEquals(added.getOrDefault(each, 0), vtables.distance(place));
                if (added.containsKey(each)) {
                    assertArrayEquals(each.vtable(), at(place));
                }
            }
            vtables.clear();
            for (Layout each : all) {
                assertEquals(0, vtables.distance(find(each)));
            }
        }
    }

    @Test
    void aVtableOfTheBufferBeforeNeedNotBeMadeAgain() {
        for (Layout each : layouts(100, 33)) {
            vtables.clear();
            add(each, 4);
            vtables.clear();
            int place = find(each);
            assertEquals(0, vtables.distance(place));
            assertTrue(vtables.isSame(place, each.lanes, each.tableBytes));
            assertFalse(vtables.isSame(place, each.lanes ^ 1, each.tableBytes));
            assertFalse(vtables.isSame(place, each.lanes, each.tableBytes ^ 1));
            assertFalse(vtables.isSame(place, each.lanes, each.tableBytes ^ 0x80));
            vtables.add(place, 8);
            assertArrayEquals(each.vtable(), at(find(each)));
            assertEquals(8, vtables.distance(find(each)));
        }
    }

    // ---- lanes

    private static int[] random16(Random random, int most) {
        int[] slots = new int[8];
        int used = random.nextInt(9);
        for (int i = 0; i < used; i++) {
            slots[i] = random.nextInt(3) == 0 ? 0 : random.nextInt(most + 1);
        }
        return slots;
    }

    private static long word(int[] slots, int from) {
        long word = 0;
        for (int i = 3; i >= 0; i--) {
            word = word << 16 | slots[from + i];
        }
        return word;
    }

    @Test
    void lanesAreWhatTheSlotsAreOneByOne() {
        Random random = new Random(34);
        for (int round = 0; round < 10_000; round++) {
            int tableBytes = random.nextInt(4, round % 2 == 0 ? 0x1_0000 : 256);
            int[] slots = random16(random, tableBytes);
            long low = word(slots, 0);
            long high = word(slots, 4);
            int[] fromStart =
                    Arrays.stream(slots).map(each -> each == 0 ? 0 : tableBytes - each).toArray();
            assertEquals(word(fromStart, 0), SlotLanes.fromStart(low, tableBytes));
            assertEquals(word(fromStart, 4), SlotLanes.fromStart(high, tableBytes));
            int used = 0;
            for (int i = 0; i < slots.length; i++) {
                assertEquals(slots[i], SlotLanes.slot(low, high, i));
                used = slots[i] == 0 ? used : i + 1;
            }
            assertEquals(used, SlotLanes.used(low, high));
            if (tableBytes <= SmallVtables.MAX_TABLE_BYTES) {
                long eight = SlotLanes.narrow(low, high);
                for (int i = 0; i < slots.length; i++) {
                    assertEquals(slots[i], (int) (eight >>> 8 * i) & 0xFF);
                }
                assertEquals(low, SlotLanes.low(eight));
                assertEquals(high, SlotLanes.high(eight));
            }
        }
    }
}
