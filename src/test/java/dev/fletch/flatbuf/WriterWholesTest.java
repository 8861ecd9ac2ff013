// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;

/// A table that is written as a whole is what writing its fields one by one gives; that agrees with the
/// official builders in [WriterAgreesTest].
class WriterWholesTest {
    private static final int SEEDS = CaseCount.of(800, 3_000);

    private static final int FIELDS = 9;
    private static final int TABLES = 30;

    /// Bytes in front of a target, more than a table takes.
    private static final int BEFORE = 100;

    /// One table: its slots, and its fields' values in the order of the arguments.
    private record Table(int form, int[] slots, long[] values) {
        static Table random(Random random, int[] objects, int known) {
            int form = random.nextInt(3);
            int[] slots = new int[FIELDS];
            long[] values = new long[FIELDS];
            Arrays.fill(slots, -1);
            int[] free = random.ints(0, 8).distinct().limit(8).toArray();
            int given = 0;
            for (int i = 0; i < FIELDS; i++) {
                boolean inForm = form == 0 || (form == 1 ? i >= 4 : i == 0 || i == 6 || i == 7);
                if (inForm && given < 8 && random.nextInt(4) != 0) {
                    slots[i] = free[given++];
                    boolean isOffset = i >= 1 && i <= 5;
                    values[i] = isOffset ? object(random, objects, known) : number(random, i);
                }
            }
            return new Table(form, slots, values);
        }

        private static int object(Random random, int[] objects, int known) {
            return random.nextInt(3) == 0 ? 0 : objects[random.nextInt(known)];
        }

        private static long number(Random random, int field) {
            return switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> field == 0 ? 1L << 40 : 1 << 16; // its lowest bits are 0
                default -> random.nextInt();
            };
        }

        private int value(int field) {
            return (int) values[field];
        }

        int whole(FlatBufferWriter writer) {
            long packed = FlatBufferWriter.slots(slots);
            return switch (form) {
                case 0 ->
                        writer.createTable(
                                packed, values[0], value(1), value(2), value(3), value(4), value(5),
                                value(6), value(7), value(8));
                case 1 ->
                        writer.createTable(
                                packed, value(4), value(5), value(6), value(7), value(8));
                default -> writer.createTable(packed, value(0), value(6), value(7));
            };
        }

        int byFields(FlatBufferWriter writer) {
            writer.startTable();
            for (int i = 0; i < FIELDS; i++) {
                if (slots[i] < 0) {
                    continue;
                }
                if (i == 0 && form == 0) {
                    writer.addInt64(slots[i], values[i], 0);
                } else if (i == 0) {
                    writer.addInt32(slots[i], value(i), 0);
                } else if (i <= 5) {
                    writer.addOffset(slots[i], value(i));
                } else if (i == 6) {
                    writer.addInt16(slots[i], value(i), 0);
                } else {
                    writer.addInt8(slots[i], value(i), 0);
                }
            }
            return writer.endTable();
        }
    }

    /// Writes tables in between strings, and tables that leave the buffer at 2 mod 4.
    private static byte[] write(FlatBufferWriter writer, long seed, boolean whole) {
        Random random = new Random(seed);
        writer.reset().forceDefaults(random.nextInt(5) == 0);
        int[] objects = new int[2 * TABLES];
        objects[0] = writer.createString("x".repeat(random.nextInt(20)));
        int known = 1;
        for (int i = 0; i < TABLES; i++) {
            if (random.nextInt(4) == 0) {
                writer.startTable();
                writer.addInt16(2 * random.nextInt(8), random.nextInt(), 0);
                objects[known++] = writer.endTable();
            }
            Table table = Table.random(random, objects, known);
            int at = whole ? table.whole(writer) : table.byFields(writer);
            assertVtable(writer, at);
            objects[known++] = at;
        }
        writer.finish(objects[known - 1]);
        return writer.toByteArray();
    }

    private static void assertVtable(FlatBufferWriter writer, int table) {
        int vtable = table + writer.get32(table);
        assertTrue((writer.get16(vtable) & 0xFFFF) >= Wire.VTABLE_HEAD_BYTES);
    }

    @ParameterizedTest
    @EnumSource
    void aWholeTableIsItsFields(Dialect dialect) {
        try (Arena arena = Arena.ofConfined()) {
            FlatBufferWriter whole = new FlatBufferWriter(dialect);
            FlatBufferWriter single = FlatBufferWriter.growing(dialect);
            for (int seed = 0; seed < SEEDS; seed++) {
                MemorySegment target =
                        seed % 2 == 0
                                ? arena.allocate(1 << 13)
                                : MemorySegment.ofArray(new byte[1 << 13]);
                target.fill((byte) 0xEE); // padding is written, too
                whole.wrap(target);
                assertArrayEquals(
                        write(single, seed, false), write(whole, seed, true), "seed " + seed);
                // Again, with all vtables known from before.
                assertArrayEquals(write(single, seed, false), write(whole, seed, true));
            }
        }
    }

    /// Whatever the target's size, the same is missing, and nothing before the target is touched.
    @Test
    void aTargetIsTooSmallForBothAlike() {
        FlatBufferWriter whole = new FlatBufferWriter(Dialect.JAVA);
        FlatBufferWriter single = new FlatBufferWriter(Dialect.JAVA);
        int bytes = write(FlatBufferWriter.growing(Dialect.JAVA), 7, false).length;
        LongFunction<byte[]> memory = size -> new byte[(int) size + BEFORE];
        for (int size = 0; size < bytes; size++) {
            byte[] target = memory.apply(size);
            whole.wrap(MemorySegment.ofArray(target), BEFORE, size);
            single.wrap(MemorySegment.ofArray(memory.apply(size)), BEFORE, size);
            String expected =
                    assertThrows(TargetTooSmallException.class, () -> write(single, 7, false))
                            .getMessage();
            assertEquals(
                    expected,
                    assertThrows(TargetTooSmallException.class, () -> write(whole, 7, true))
                            .getMessage());
            assertArrayEquals(new byte[BEFORE], Arrays.copyOf(target, BEFORE));
        }
    }

    /// Offsets that lead nowhere are refused as those of single fields are.
    @Test
    void offsetsAreCheckedAlike() {
        int[] wrong = {-4, Integer.MIN_VALUE, Integer.MAX_VALUE, 1, 2, 6, 404};
        for (int field = 1; field <= 5; field++) {
            for (int object : wrong) {
                for (int form = 0; form < (field < 4 ? 1 : 2); form++) {
                    int[] slots = new int[FIELDS];
                    Arrays.fill(slots, -1);
                    slots[field] = 3;
                    long[] values = new long[FIELDS];
                    values[field] = object;
                    Table table = new Table(form, slots, values);
                    FlatBufferWriter writer = FlatBufferWriter.growing(Dialect.JAVA);
                    writer.createVector(new int[99], 0, 99);
                    String expected =
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> table.byFields(writer))
                                    .getMessage();
                    writer.reset().createVector(new int[99], 0, 99);
                    assertEquals(
                            expected,
                            assertThrows(IllegalArgumentException.class, () -> table.whole(writer))
                                    .getMessage());
                }
            }
        }
    }

    /// Nothing is written, and what is open goes on.
    @Test
    void wholesAreRefusedWhileAnythingIsOpen() {
        long slots = FlatBufferWriter.slots(0, -1, -1, -1, -1, -1, 1, 2);
        FlatBufferWriter writer = FlatBufferWriter.growing(Dialect.JAVA);
        List<Executable> wholes =
                List.of(
                        () -> writer.createTable(slots, 1, 0, 0, 0, 0, 0, 1, 1, 0),
                        () -> writer.createTable(slots, 0, 0, 1, 1, 0),
                        () -> writer.createTable(slots, 1, 1, 1));
        for (Executable whole : wholes) {
            writer.reset().startTable();
            assertRefused(writer, " while a table is open", whole);
            int table = writer.endTable();
            writer.startVector(4, 1, 4);
            assertRefused(writer, " while a vector is open", whole);
            writer.pushInt32(1);
            writer.endVector();
            writer.finish(table);
            byte[] expected = writer.toByteArray();
            assertRefused(
                    writer, " after the buffer was finished: call reset or wrap first", whole);
            assertArrayEquals(expected, writer.toByteArray());
        }
    }

    private static void assertRefused(FlatBufferWriter writer, String why, Executable whole) {
        int size = writer.size();
        assertEquals(
                "startTable is not possible" + why,
                assertThrows(IllegalStateException.class, whole).getMessage());
        assertEquals(size, writer.size());
    }

    @Test
    void slotsAreThoseThatFit() {
        assertThrows(IndexOutOfBoundsException.class, () -> FlatBufferWriter.slots(8));
        assertThrows(IndexOutOfBoundsException.class, () -> FlatBufferWriter.slots(new int[10]));
        for (int given = 0; given < FIELDS; given++) {
            int[] slots = new int[FIELDS];
            Arrays.fill(slots, given, FIELDS, -1);
            assertEquals(
                    FlatBufferWriter.slots(slots),
                    FlatBufferWriter.slots(Arrays.copyOf(slots, given)));
        }
    }
}
