// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A flyweight that remembers what the vtable held of the message before reads every message as a
/// new one does: vtables that differ in a slot, in their size alone, only behind their end, or that
/// have more slots than are remembered.
class RememberedShapesTest {
    private static final int ROUNDS = CaseCount.of(40_000, 200_000);

    private static final int VTABLE = 8;
    private static final int TABLE = 40;
    private static final int[] DISTANCES = {0, 4, 8, 12, 16, 17, 24};

    /// Leads to itself, and to a length of 0.
    private static final int ZEROS = 32;

    private final Random random = new Random(31);

    @Test
    void oneFlyweightReadsAsNewOnesDo() {
        Message kept = new Message();
        int malformed = 0;
        byte[] last = message();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = random.nextInt(3) == 0 ? message() : changed(last);
            last = bytes;
            int length = bytes.length - (random.nextInt(4) == 0 ? random.nextInt(40) : 0);
            List<Object> expected = outcome(new Message(), bytes, length);
            assertEquals(expected, outcome(kept, bytes, length), "round " + round);
            malformed += expected.isEmpty() ? 1 : 0;
        }
        assertTrue(malformed > ROUNDS / 200 && malformed < ROUNDS / 2, malformed + " malformed");
    }

    private byte[] message() {
        RawBuffer buffer = new RawBuffer(TABLE + ZEROS + 8);
        for (int i = 4; i < ZEROS; i++) {
            buffer.u8(TABLE + i, random.nextInt(256));
        }
        for (int i = VTABLE; i < TABLE; i++) {
            buffer.u8(i, random.nextInt(256));
        }
        int[] slots = new int[random.nextInt(random.nextInt(4) == 0 ? 9 : 6)];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = i == 4 ? ZEROS : DISTANCES[random.nextInt(DISTANCES.length)];
        }
        return buffer.offset(0, TABLE).vtable(VTABLE, slots).table(TABLE, VTABLE).bytes();
    }

    /// The same in most of its bytes: another value of one slot, another size, other bytes behind.
    private byte[] changed(byte[] bytes) {
        byte[] copy = bytes.clone();
        switch (random.nextInt(4)) {
            case 0 -> copy[VTABLE] = (byte) (2 * random.nextInt(11));
            case 1 -> copy[VTABLE + 4 + 2 * random.nextInt(4)] = (byte) random.nextInt(40);
            case 2 -> copy[VTABLE + 12 + random.nextInt(8)] = (byte) random.nextInt(40);
            default -> copy[TABLE + 4 + random.nextInt(20)]++;
        }
        return copy;
    }

    /// What a message shows, nothing if it is malformed.
    private static List<Object> outcome(Message message, byte[] bytes, int length) {
        List<Object> shown = new ArrayList<>();
        try {
            message.wrap(MemorySegment.ofArray(bytes), 0, length);
        } catch (FlatBufferFormatException e) {
            return shown;
        }
        shown.addAll(MessageReadings.numbersOf(message));
        for (int slot = 0; slot < 8; slot++) {
            shown.add(message.isPresent(slot) ? message.position(slot) : 0);
        }
        return shown;
    }
}
