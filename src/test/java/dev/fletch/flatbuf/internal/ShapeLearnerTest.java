// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.format.RawBuffer;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Shape;
import dev.fletch.wire.Wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// A buffer with the shape of a valid buffer is valid, and may differ from it in long numbers and
/// texts. Damaged buffers, and those with many parts, have no shape.
class ShapeLearnerTest {
    private static final int SMALL = 0;
    private static final int MIDDLE = 1;
    private static final int TAG = 2;
    private static final int UNION = 3;
    private static final int TEXT = 4;
    private static final int NUMBERS = 5;
    private static final int NODES = 6;
    private static final int NEXT = 7;
    private static final int ABSENT = 8;

    /// One table with a field of each kind.
    private static final DeclaredTables RULES =
            new DeclaredTables(
                    List.of(
                            TableDeclaration.of(
                                    "Node",
                                    FieldDeclaration.scalar(
                                            SMALL, "small", InlineType.number("short", 2)),
                                    FieldDeclaration.scalar(
                                            MIDDLE, "middle", InlineType.number("int", 4)),
                                    FieldDeclaration.unionTag(
                                            TAG,
                                            "tag",
                                            InlineType.tag("Any", List.of("NONE", "Leaf", "Node"))),
                                    FieldDeclaration.union(
                                            UNION, "any", TAG, List.of("Leaf", "Node")),
                                    FieldDeclaration.string(TEXT, "text"),
                                    FieldDeclaration.vector(
                                            NUMBERS, "numbers", InlineType.number("long", 8)),
                                    FieldDeclaration.tables(NODES, "nodes", "Node"),
                                    FieldDeclaration.table(NEXT, "next", "Node")),
                            TableDeclaration.of("Leaf")));

    private static final int NODE = RULES.kind("Node");

    // Positions in the buffer of #full.
    private static final int VTABLE = 4;
    private static final int ROOT = 24;
    private static final int MIDDLE_AT = ROOT + 8;
    private static final int UNION_AT = ROOT + 12;
    private static final int TEXT_AT = ROOT + 16;
    private static final int NUMBERS_AT = ROOT + 20;
    private static final int NODES_AT = ROOT + 24;
    private static final int NEXT_AT = ROOT + 28;
    private static final int EMPTY_VTABLE = 56;
    private static final int INNER_VTABLE = 60;
    private static final int MEMBER = 80;
    private static final int NODES_VECTOR = 84;
    private static final int INNER = 92;
    private static final int NUMBERS_VECTOR = 100;
    private static final int ELEMENTS = 104;

    private static final int INNER_TEXT = 120;
    private static final int ROOT_TEXT = 128;
    private static final int SIZE = 136;

    private final VerifierEngine engine = new VerifierEngine(RULES, Checks.FLATBUFFERS);

    /// A table with all fields, one of them a vector with another table. A text ends it.
    private static RawBuffer full() {
        RawBuffer raw = new RawBuffer(SIZE).offset(0, ROOT);
        raw.vtable(VTABLE, 4, 8, 6, 12, 16, 20, 24, 28).u16(VTABLE + 2, 32).table(ROOT, VTABLE);
        raw.u16(ROOT + 4, 77).u8(ROOT + 6, 2).i32(MIDDLE_AT, 123_456);
        raw.offset(UNION_AT, MEMBER).offset(TEXT_AT, ROOT_TEXT).offset(NUMBERS_AT, NUMBERS_VECTOR);
        raw.offset(NODES_AT, NODES_VECTOR).offset(NEXT_AT, MEMBER);
        raw.vtable(EMPTY_VTABLE).u16(EMPTY_VTABLE + 2, 4).table(MEMBER, EMPTY_VTABLE);
        raw.i32(NODES_VECTOR, 1).offset(NODES_VECTOR + 4, INNER);
        raw.vtable(INNER_VTABLE, 0, 0, 0, 0, 4).u16(INNER_VTABLE + 2, 8);
        raw.table(INNER, INNER_VTABLE).offset(INNER + 4, INNER_TEXT);
        raw.i32(NUMBERS_VECTOR, 2).i64(ELEMENTS, 5).i64(ELEMENTS + 8, 6);
        return text(text(raw, INNER_TEXT, "abc"), ROOT_TEXT, "xyz");
    }

    private static RawBuffer text(RawBuffer raw, int at, String text) {
        raw.i32(at, text.length());
        for (int i = 0; i < text.length(); i++) {
            raw.u8(at + 4 + i, text.charAt(i));
        }
        return raw;
    }

    private static Shape learn(RawBuffer raw) {
        return ShapeLearner.learn(RULES, NODE, ABSENT, raw.bytes());
    }

    private boolean isValid(byte[] bytes) {
        return engine.verify(NODE, MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static boolean has(Shape shape, byte[] bytes) {
        return numberIn(shape, bytes) == 0;
    }

    private static long numberIn(Shape shape, byte[] bytes) {
        MemoryRange memory = new MemoryRange();
        memory.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
        return shape.numberIn(memory);
    }

    // ---- what a shape has

    @Test
    void onlyLongNumbersAndTextsMayDiffer() {
        byte[] model = full().bytes();
        assertTrue(isValid(model));
        Shape shape = ShapeLearner.learn(RULES, NODE, ABSENT, model);
        assertTrue(shape.hasStrings());
        for (int at = 0; at < SIZE; at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] changed = model.clone();
                changed[at] ^= (byte) (1 << bit);
                String what = "byte " + at + ", bit " + bit;
                assertTrue(!has(shape, changed) || isValid(changed), what);
                if (!isIn(at, INNER_TEXT, 4) && !isIn(at, ROOT_TEXT, 4)) {
                    assertEquals(isFree(at), has(shape, changed), what);
                }
            }
        }
    }

    private static boolean isIn(int at, int start, int bytes) {
        return at >= start && at < start + bytes;
    }

    private static boolean isFree(int at) {
        return isIn(at, MIDDLE_AT, 4)
                || isIn(at, ROOT + 7, 1) // padding
                || isIn(at, INNER_VTABLE + 14, 6) // padding
                || isIn(at, ELEMENTS, 16)
                || isIn(at, INNER_TEXT + 4, 3)
                || isIn(at, ROOT_TEXT + 4, 3);
    }

    /// The eight bytes at a field, of which the first four may differ.
    @Test
    void comparingReadsANumber() {
        Shape shape = ShapeLearner.learn(RULES, NODE, MIDDLE, full().bytes());
        for (int number : new int[] {0, 1, -1, Integer.MIN_VALUE}) {
            byte[] bytes = full().i32(MIDDLE_AT, number).bytes();
            assertEquals(Wire.int64(bytes, MIDDLE_AT), numberIn(shape, bytes));
            bytes[ROOT + 4]++;
            assertEquals(Shape.OTHER, numberIn(shape, bytes));
        }
    }

    @Test
    void theTerminatorOfAStringIsInTheBuffer() {
        Shape shape = learn(full());
        byte[] wide = new byte[SIZE + 8]; // zeros follow the buffer
        for (int length = 0; length < 6; length++) {
            byte[] bytes = full().i32(ROOT_TEXT, length).u8(SIZE - 1, length < 4 ? 0 : 'x').bytes();
            System.arraycopy(bytes, 0, wide, 0, SIZE);
            MemoryRange memory = new MemoryRange();
            memory.wrap(MemorySegment.ofArray(wide), 0, SIZE);
            boolean isValid = engine.verify(NODE, MemorySegment.ofArray(wide), 0, SIZE);
            assertEquals(length == 3, isValid);
            assertEquals(isValid ? 0 : Shape.OTHER, shape.numberIn(memory));
        }
    }

    @Test
    void theSmallestBufferHasAShape() {
        assertNotNull(learn(new RawBuffer(12).offset(0, 8).vtable(4).table(8, 4)));
        assertFalse(learn(new RawBuffer(12).offset(0, 8).vtable(4).table(8, 4)).hasStrings());
        assertNull(learn(new RawBuffer(11).offset(0, 7).vtable(3).table(7, 3)));
        assertNull(learn(new RawBuffer(0)));
    }

    // ---- what has none

    @ParameterizedTest
    @ValueSource(ints = {0, UNION_AT, TEXT_AT, NUMBERS_AT, NODES_AT, NEXT_AT, INNER + 4})
    void offsetsOutOfRangeHaveNoShape(int at) {
        assertNull(learn(full().offset(at, SIZE - 3)));
        assertNull(learn(full().i32(at, Integer.MAX_VALUE)));
        assertNull(learn(full().i32(at, -1)));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 111",
        "0, 112",
        "2, 112",
        "3, 109",
        "4, 109",
        "5, 109",
        "6, 109",
        "7, 109",
        "7, 65535"
    })
    void fieldsOutOfRangeHaveNoShape(int slot, int distance) {
        assertNull(learn(full().u16(VTABLE + 4 + 2 * slot, distance)));
    }

    @ParameterizedTest
    @ValueSource(ints = {ROOT, MEMBER, INNER})
    void vtablesOutOfRangeHaveNoShape(int table) {
        assertNull(learn(full().i32(table, table + 1)));
        assertNull(learn(full().table(table, SIZE - 3)));
        assertNull(learn(full().table(table, SIZE - 4))); // the size there is 0x7978
        int empty = SIZE - 8; // the size there is 3, and the vtable ends inside
        assertNotNull(learn(full().table(MEMBER, empty)));
        assertNull(learn(full().u16(table == INNER ? INNER_VTABLE : VTABLE, SIZE)));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 17, 1 << 30, -1, Integer.MIN_VALUE})
    void vectorCountsOutOfRangeHaveNoShape(int count) {
        assertNull(learn(full().i32(NODES_VECTOR, count)));
    }

    @Test
    void aUnionWithoutAKnownTagHasNoShape() {
        assertNotNull(learn(full().u8(ROOT + 6, 1)));
        assertNull(learn(full().u8(ROOT + 6, 0)));
        assertNull(learn(full().u8(ROOT + 6, 3)));
        assertNull(learn(full().u8(ROOT + 6, 255)));
        assertNull(learn(full().u16(VTABLE + 4 + 2 * TAG, 0)));
    }

    // ---- limits

    /// Tables in each other: by a table, by a vector of one table, or by a union.
    private static RawBuffer chain(int slot, int tables) {
        int step = slot == NEXT ? 8 : slot == NODES ? 16 : 12;
        int first = 48;
        RawBuffer raw = new RawBuffer(first + step * tables).offset(0, first);
        int[] slots = new int[8];
        slots[slot] = slot == UNION ? 8 : 4;
        slots[TAG] = slot == UNION ? 4 : 0;
        raw.vtable(4, slots).u16(6, step).vtable(32).u16(34, 4);
        for (int i = 0; i < tables; i++) {
            int at = first + step * i;
            boolean isLast = i == tables - 1;
            raw.table(at, isLast ? 32 : 4);
            switch (isLast ? -1 : slot) {
                case NEXT -> raw.offset(at + 4, at + step);
                case NODES -> raw.offset(at + 4, at + 8).i32(at + 8, 1).offset(at + 12, at + step);
                case UNION -> raw.u8(at + 4, 2).offset(at + 8, at + step);
                default -> {} // nothing below
            }
        }
        return raw;
    }

    @ParameterizedTest
    @ValueSource(ints = {UNION, NODES, NEXT})
    void deepTablesHaveNoShape(int slot) {
        RawBuffer shallow = chain(slot, 4);
        assertTrue(isValid(shallow.bytes()));
        assertNotNull(learn(shallow));
        RawBuffer deep = chain(slot, 40);
        assertTrue(isValid(deep.bytes()));
        assertNull(learn(deep));
        assertNull(learn(chain(slot, 200_000)));
    }

    /// All elements are one table with a text; below it is another one with the same text.
    private static RawBuffer shared(int elements) {
        int vector = 68;
        int node = vector + 4 + 4 * elements;
        RawBuffer raw = new RawBuffer(node + 32).offset(0, 60);
        raw.vtable(4, 0, 0, 0, 0, 0, 0, 4).u16(6, 8).table(60, 4).offset(64, vector);
        raw.vtable(24, 0, 0, 0, 0, 4, 0, 0, 8).u16(26, 12).table(node, 24);
        raw.offset(node + 4, node + 20).offset(node + 8, node + 12);
        raw.vtable(44, 0, 0, 0, 0, 4).u16(46, 8).table(node + 12, 44);
        raw.offset(node + 16, node + 20).i32(vector, elements);
        for (int i = 0; i < elements; i++) {
            raw.offset(vector + 4 + 4 * i, node);
        }
        return text(raw, node + 20, "abc");
    }

    @Test
    void manyStringsHaveNoShape() {
        for (int elements : new int[] {1, 5, 8, 9, 12, 16}) {
            RawBuffer raw = shared(elements);
            assertTrue(isValid(raw.bytes()));
            assertEquals(elements <= 8, learn(raw) != null, elements + " elements");
        }
        assertNull(learn(shared(1_000_000)));
    }

    @Test
    void manyTablesHaveNoShape() {
        for (int tables : new int[] {1, 4, 14, 16}) {
            int vector = 32;
            RawBuffer raw = new RawBuffer(1_200).offset(0, 24);
            raw.vtable(4, 0, 0, 0, 0, 0, 0, 4).u16(6, 8).table(24, 4).offset(28, vector);
            raw.i32(vector, tables);
            for (int i = 0; i < tables; i++) {
                int at = 112 + 64 * i;
                raw.offset(vector + 4 + 4 * i, at).vtable(at + 32).u16(at + 34, 4);
                raw.table(at, at + 32);
            }
            assertTrue(isValid(raw.bytes()));
            assertEquals(tables <= 4, learn(raw) != null, tables + " tables");
        }
    }
}
