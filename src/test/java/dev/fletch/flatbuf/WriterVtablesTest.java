// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.flatbuffers.FlatBufferBuilder;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/// Vtables are shared if, and only if, they are equal: in any number, and with hashes that collide.
class WriterVtablesTest {
    private final FlatBufferWriter writer = FlatBufferWriter.growing(Dialect.JAVA);

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
                writer.addInt8(slot, 1);
            }
        }
        return writer.endTable();
    }

    // ---- collisions: searched for, as hashes differ from process to process

    /// Contents that differ in one part alone.
    private record Content(int head, long low, long high) {
        static Content differingIn(int part, Random random) {
            return switch (part) {
                case 0 -> new Content(random.nextInt(), 2, 3);
                case 1 -> new Content(1, random.nextLong(), 3);
                default -> new Content(1, 2, random.nextLong());
            };
        }

        long hash() {
            return VtableIndex.hash(head, low, high);
        }
    }

    @Test
    void contentsWithTheSameHashAreToldApart() {
        Random random = new Random(8);
        for (int part = 0; part < 3; part++) {
            Map<Integer, Content> byHash = new HashMap<>();
            Content one = null;
            Content other = null;
            while (one == null || one.equals(other)) {
                other = Content.differingIn(part, random);
                one = byHash.put((int) other.hash(), other);
            }
            VtableIndex index = new VtableIndex();
            int place = index.find(one.hash(), one.head(), one.low(), one.high());
            index.add(place, one.hash(), one.head(), one.low(), one.high(), 77);
            assertEquals(77, distance(index, one));
            assertEquals(0, distance(index, other));
            place = index.find(other.hash(), other.head(), other.low(), other.high());
            index.add(place, other.hash(), other.head(), other.low(), other.high(), 88);
            assertEquals(77, distance(index, one));
            assertEquals(88, distance(index, other));
            index.clear();
            assertEquals(0, distance(index, one));
            assertEquals(0, distance(index, other));
        }
    }

    /// Vtables that differ behind the eighth slot alone, as the writer looks for them: from one to
    /// the next, around the end of the array, past others, and in a larger array.
    @Test
    void vtablesOfOneHashFollowEachOther() {
        VtableIndex index = new VtableIndex();
        for (int round = 0; round < 3; round++) {
            index.add(index.find(62, 1, 2, 4), 62, 1, 2, 4, 1_000);
            for (int distance = 1; distance <= 200; distance++) {
                int place = index.find(63, 1, 2, 3);
                for (int before = 1; before < distance; before++) {
                    assertEquals(before, index.distance(place));
                    place = index.findNext(place, 63, 1, 2, 3);
                }
                assertEquals(0, index.distance(place));
                index.add(place, 63, 1, 2, 3, distance);
                assertEquals(0, index.distance(index.find(62, 1, 2, 3)));
                assertEquals(1_000, index.distance(index.find(62, 1, 2, 4)));
            }
            index.clear();
            assertEquals(0, index.distance(index.find(63, 1, 2, 3)));
        }
    }

    private static int distance(VtableIndex index, Content content) {
        return index.distance(
                index.find(content.hash(), content.head(), content.low(), content.high()));
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
            one = byHash.put((int) hashOf(order), List.copyOf(order));
        }
        FlatBufferBuilder official = new FlatBufferBuilder();
        int root = 0;
        for (List<Integer> each : List.of(one, order, one, order)) {
            writer.startTable();
            each.forEach(slot -> writer.addInt8(slot, 1));
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
    private static long hashOf(List<Integer> order) {
        int tableBytes = 4 + order.size();
        int vtableBytes = 4 + 2 * 20;
        long hash = VtableIndex.hash(tableBytes << 16 | vtableBytes, 0, 0);
        for (int slot = 8; slot < 20; slot++) {
            hash = VtableIndex.mix(hash, tableBytes - 1 - order.indexOf(slot));
        }
        return hash;
    }
}
