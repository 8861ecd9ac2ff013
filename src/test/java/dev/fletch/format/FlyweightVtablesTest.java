// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.Table;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Vtables of any length, wherever they lie: also those of a later format, with more slots than it
/// has today, and those that end with the range. The bytes are put together by hand.
class FlyweightVtablesTest {
    private static final int TABLE = 32;
    private static final int ZEROS = TABLE + 16 * 13;
    private static final int AROUND = 24;

    /// What each field has: as an offset it leads to a word of zeros, which no other field has.
    private static final int LEAD = 8;

    private final Random random = new Random(5);

    /// Distances of fields of which all are in the table; 0 for some.
    private int[] slots(int count) {
        int[] slots = new int[count];
        for (int i = 0; i < count; i++) {
            slots[i] = random.nextInt(3) == 0 ? 0 : 8 + 16 * i + random.nextInt(4);
        }
        return slots;
    }

    /// A table at [#TABLE] whose vtable is the last in the range, or in front of it.
    ///
    /// @param size of the vtable, of which half a slot is not read
    private static byte[] bytes(boolean isLast, int size, int[] slots) {
        int vtable = isLast ? ZEROS : 4;
        RawBuffer buffer = new RawBuffer(ZEROS + 4 + 2 * slots.length);
        for (int slot : slots) {
            buffer.i32(TABLE + slot, LEAD);
        }
        buffer.offset(0, TABLE).table(TABLE, vtable).vtable(vtable, slots).u16(vtable, size);
        return Arrays.copyOf(buffer.bytes(), ZEROS + (isLast ? Math.max(2, size & -2) : 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Message", "Schema", "Footer", "Tensor", "SparseTensor"})
    void everySlotOfAVtableOfAnyLengthIsRead(String root) {
        Table kept = Flyweights.freshTable(root);
        try (Arena arena = Arena.ofConfined()) {
            for (int round = 0; round < 500; round++) {
                int count = round % 12;
                int[] slots = slots(count);
                int half = random.nextInt(2);
                int size = count == 0 ? random.nextInt(6) : 4 + 2 * count + half;
                boolean isLast = random.nextBoolean();
                byte[] bytes = bytes(isLast, size, slots);
                byte[] around = new byte[bytes.length + 2 * AROUND];
                Arrays.fill(around, (byte) 0x7F);
                System.arraycopy(bytes, 0, around, AROUND, bytes.length);
                MemorySegment heap = MemorySegment.ofArray(around);
                MemorySegment memory =
                        round % 2 == 0 ? heap : arena.allocate(around.length).copyFrom(heap);
                Flyweights.wrap(kept, memory, AROUND, bytes.length);
                assertSeen(slots, AROUND, kept);
                assertSeen(slots, 0, Flyweights.wrap(Flyweights.freshTable(root), bytes));
                for (int less = 1; isLast && less <= Math.max(2, size & -2); less++) {
                    assertRefused(kept, memory, AROUND, bytes.length - less);
                }
            }
        }
    }

    private static void assertSeen(int[] slots, int start, Table table) {
        assertEquals(start + TABLE, table.position());
        for (int slot = 0; slot < 8; slot++) {
            int distance = slot < slots.length ? slots[slot] : 0;
            String what = table.getClass() + " " + slot + " of " + Arrays.toString(slots);
            assertEquals(distance != 0, table.isPresent(slot), what);
            assertEquals(start + TABLE + distance, table.position(slot), what);
            int target = distance == 0 ? 0 : distance + LEAD;
            assertEquals(start + TABLE + target, table.targetPosition(slot), what);
        }
    }

    /// Offsets to a table, and of a table to its vtable, around both ends of the range and of the
    /// memory: refused as malformed, and nothing is read there.
    @ParameterizedTest
    @ValueSource(strings = {"Message", "Schema", "Footer"})
    void offsetsPastTheEdgesAreRefused(String root) {
        byte[] right = bytes(false, 12, new int[4]);
        Table table = Flyweights.freshTable(root);
        for (int around : List.of(0, AROUND)) {
            byte[] bytes = new byte[right.length + 2 * around];
            System.arraycopy(right, 0, bytes, around, right.length);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            RawBuffer raw = new RawBuffer(4);
            for (int at = right.length - 3; at < right.length + 9; at++) {
                put(bytes, around, raw.i32(0, at));
                assertRefused(table, memory, around, right.length);
                assertRefused(Flyweights.freshTable(root), memory, around, right.length);
            }
            put(bytes, around, raw.i32(0, TABLE));
            for (int vtable = -9; vtable < 0; vtable++) {
                put(bytes, around + TABLE, raw.i32(0, TABLE - vtable));
                assertRefused(table, memory, around, right.length);
            }
            for (int vtable = right.length - 1; vtable < right.length + 9; vtable++) {
                put(bytes, around + TABLE, raw.i32(0, TABLE - vtable));
                assertRefused(table, memory, around, right.length);
            }
            put(bytes, around + TABLE, raw.i32(0, TABLE - 4));
            Flyweights.wrap(table, memory, around, right.length);
            assertEquals(around + TABLE, table.position());
        }
    }

    private static void put(byte[] bytes, int at, RawBuffer word) {
        System.arraycopy(word.bytes(), 0, bytes, at, 4);
    }

    private static void assertRefused(Table table, MemorySegment memory, int from, int length) {
        assertThrows(FletchException.class, () -> Flyweights.wrap(table, memory, from, length));
    }
}
