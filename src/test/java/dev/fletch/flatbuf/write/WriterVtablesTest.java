// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/// Vtables are shared if, and only if, they are equal: in any number, and with hashes that collide.
class WriterVtablesTest {
    private final FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);

    /// The official builder's time is quadratic, so fewer of them.
    @Test
    void manyVtablesGiveTheOfficialBytes() {
        FlatBufferBuilder official = new FlatBufferBuilder();
        int last = 0;
        for (int i = 0; i < 6000; i++) {
            int subset = i * 37 % 2500;
            last = tableOf(writer, subset);
            official.startTable(20);
            for (int slot = 0; slot < 20; slot++) {
                if ((subset >>> slot & 1) != 0) {
                    official.addByte(slot, (byte) 1, 0);
                }
            }
            assertEquals(official.endTable(), last);
        }
        official.finish(last);
        writer.finish(last);
        assertArrayEquals(official.sizedByteArray(), writer.toByteArray());
    }

    /// Writes a table that has the slots of a subset.
    static int tableOf(FlatBufferWriter writer, int subset) {
        writer.startTable();
        for (int slot = 0; slot < 20; slot++) {
            if ((subset >>> slot & 1) != 0) {
                writer.addInt8(slot, 1, 0);
            }
        }
        return writer.endTable();
    }

    // ---- collisions: searched for, as hashes differ from process to process

    /// Vtables that differ in one part alone.
    private record Content(int tableBytes, long low, long high) {
        static Content differingIn(int part, Random random) {
            return switch (part) {
                case 0 -> new Content(random.nextInt(0x8000), 2, 3);
                case 1 -> new Content(0x7FFF, random.nextLong() & SMALL, 3);
                default -> new Content(0x7FFF, 2, random.nextLong() & SMALL);
            };
        }

        int hash() {
            return (int) (Vtables.sum(head(), low, high) >>> 32);
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
                long sum = Vtables.sum(head, isLow ? slots : 4, isLow ? 4 : slots);
                places.add((int) (sum >>> 34) & 0x3FFF);
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

    @Test
    void tablesOfOtherSizesHaveOtherVtables() {
        Random random = new Random(9);
        for (int i = 0; i < 1_000; i++) {
            Content one = Content.differingIn(0, random);
            assertToldApart(one, new Content(one.tableBytes ^ 1 << i % 15, 2, 3));
        }
    }

    private static void assertToldApart(Content one, Content other) {
        WriterMemory memory = new WriterMemory();
        memory.wrap(MemorySegment.ofArray(new byte[100]), 0, 100);
        Vtables vtables = new Vtables(memory);
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

    /// Tables that differ behind the eighth slot alone: in the order of their fields.
    @Test
    void slotsBehindTheEighthAreCompared() {
        Random random = new Random(9);
        List<Integer> order = new ArrayList<>(IntStream.range(8, 20).boxed().toList());
        Map<Integer, List<Integer>> byHash = new HashMap<>();
        List<Integer> one = null;
        while (one == null || one.equals(order)) {
            Collections.shuffle(order, random);
            one = byHash.put((int) (sumOf(order) >>> 32), List.copyOf(order));
        }
        FlatBufferBuilder official = new FlatBufferBuilder();
        int root = 0;
        for (List<Integer> each : List.of(one, order, one, order)) {
            writer.startTable();
            each.forEach(slot -> writer.addInt8(slot, 1, 0));
            root = writer.endTable();
            official.startTable(20);
            each.forEach(slot -> official.addByte(slot, (byte) 1, 0));
            assertEquals(official.endTable(), root);
        }
        assertNotEquals(one, order);
        writer.finish(root);
        official.finish(root);
        assertArrayEquals(official.sizedByteArray(), writer.toByteArray());
    }

    /// As the writer hashes a table of one-byte fields that are added in this order.
    private static long sumOf(List<Integer> order) {
        int tableBytes = 4 + order.size();
        int vtableBytes = 4 + 2 * 20;
        long sum = Vtables.sum(tableBytes << 16 | vtableBytes, 0, 0);
        for (int slot = 8; slot < 20; slot++) {
            sum = Vtables.mix(sum, tableBytes - 1 - order.indexOf(slot));
        }
        return sum;
    }
}
