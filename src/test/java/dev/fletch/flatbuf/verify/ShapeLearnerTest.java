// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.RawBuffer;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Shape;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// A buffer with the shape of a valid buffer is valid, and may differ from it in long numbers.
/// Damaged buffers, and those with strings, vectors of tables, or many parts, have no shape.
class ShapeLearnerTest {
    private static final int SMALL = 0;
    private static final int MIDDLE = 1;
    private static final int TAG = 2;
    private static final int UNION = 3;
    private static final int TEXT = 4;
    private static final int NUMBERS = 5;
    private static final int NODES = 6;
    private static final int NEXT = 7;

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
                                            InlineType.tag("Any", List.of("Leaf", "Node"))),
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
    private static final int TEXT_WORD = 120;
    private static final int SIZE = 128;

    private final VerifierEngine engine = new VerifierEngine(RULES, VerifierOptions.FLATBUFFERS);

    /// A table with all fields that a shape can have. Behind it are a vector of tables and a text,
    /// to which nothing refers.
    private static RawBuffer full() {
        RawBuffer raw = new RawBuffer(SIZE).offset(0, ROOT);
        raw.vtable(VTABLE, 4, 8, 6, 12, 0, 20, 0, 28).u16(VTABLE + 2, 32).table(ROOT, VTABLE);
        raw.u16(ROOT + 4, 77).u8(ROOT + 6, 2).i32(MIDDLE_AT, 123_456);
        raw.offset(UNION_AT, MEMBER).offset(NUMBERS_AT, NUMBERS_VECTOR).offset(NEXT_AT, INNER);
        raw.vtable(EMPTY_VTABLE).u16(EMPTY_VTABLE + 2, 4).table(MEMBER, EMPTY_VTABLE);
        raw.i32(NODES_VECTOR, 1).offset(NODES_VECTOR + 4, MEMBER);
        raw.vtable(INNER_VTABLE, 4).u16(INNER_VTABLE + 2, 8);
        raw.table(INNER, INNER_VTABLE).u16(INNER + 4, 9);
        raw.i32(NUMBERS_VECTOR, 2).i64(ELEMENTS, 5).i64(ELEMENTS + 8, 6);
        raw.i32(TEXT_WORD, 3).u8(TEXT_WORD + 4, 'x').u8(TEXT_WORD + 5, 'y');
        return raw.u8(TEXT_WORD + 6, 'z');
    }

    private static RawBuffer withField(int slot, int at, int target) {
        return full().u16(VTABLE + 4 + 2 * slot, at - ROOT).offset(at, target);
    }

    private static Shape learn(RawBuffer raw) {
        return ShapeLearner.learn(RULES, NODE, raw.bytes());
    }

    private boolean isValid(byte[] bytes) {
        return engine.verify(NODE, MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static boolean has(Shape shape, byte[] bytes) {
        MemoryRange memory = new MemoryRange();
        memory.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
        return bytes.length == shape.length() && shape.isOf(memory);
    }

    // ---- what a shape has

    @Test
    void onlyLongNumbersMayDiffer() {
        byte[] model = full().bytes();
        assertTrue(isValid(model));
        Shape shape = ShapeLearner.learn(RULES, NODE, model);
        assertEquals(3, shape.tables());
        assertEquals(engine.tablesVisited(), shape.tables());
        assertEquals(SIZE, shape.length());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(SIZE);
            for (int at = 0; at < SIZE; at++) {
                for (int bit = 0; bit < Byte.SIZE; bit++) {
                    byte[] changed = model.clone();
                    changed[at] ^= (byte) (1 << bit);
                    String what = "byte " + at + ", bit " + bit;
                    assertTrue(!has(shape, changed) || isValid(changed), what);
                    assertEquals(isFree(at), has(shape, changed), what);
                    MemorySegment heap = MemorySegment.ofArray(changed);
                    for (MemorySegment memory :
                            List.of(outside.copyFrom(heap), heap.asReadOnly())) {
                        MemoryRange range = new MemoryRange();
                        range.wrap(memory, 0, SIZE);
                        assertEquals(isFree(at), shape.isOf(range), what);
                    }
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
                || isIn(at, TEXT_AT, 4) // absent
                || isIn(at, NODES_AT, 4) // absent
                || isIn(at, INNER_VTABLE + 6, 14) // padding
                || isIn(at, NODES_VECTOR, 8) // unreferenced
                || isIn(at, INNER + 6, 2) // padding
                || at >= ELEMENTS; // elements, and an unreferenced text
    }

    /// Its words are at other positions than those of a longer one.
    @Test
    void aShortBufferHasAShape() {
        RawBuffer raw = new RawBuffer(24).offset(0, 12).vtable(4, 0, 4).u16(6, 8).table(12, 4);
        byte[] model = raw.i32(16, 5).bytes();
        assertTrue(isValid(model));
        Shape shape = ShapeLearner.learn(RULES, NODE, model);
        for (int at = 0; at < model.length; at++) {
            byte[] changed = model.clone();
            changed[at] ^= 1;
            assertEquals(at >= 16, has(shape, changed), "byte " + at);
        }
        assertFalse(has(shape, Arrays.copyOf(model, 28)));
        assertFalse(has(shape, Arrays.copyOf(model, 20)));
    }

    @Test
    void theSmallestBufferHasAShape() {
        assertNotNull(learn(new RawBuffer(12).offset(0, 8).vtable(4).table(8, 4)));
        assertNull(learn(new RawBuffer(11).offset(0, 7).vtable(3).table(7, 3)));
        assertNull(learn(new RawBuffer(0)));
    }

    // ---- what has none

    @Test
    void buffersWithStringsOrVectorsOfTablesHaveNoShape() {
        RawBuffer text = withField(TEXT, TEXT_AT, TEXT_WORD);
        RawBuffer tables = withField(NODES, NODES_AT, NODES_VECTOR);
        for (RawBuffer raw : new RawBuffer[] {text, tables, tables.i32(NODES_VECTOR, 0)}) {
            assertTrue(isValid(raw.bytes()));
            assertNull(learn(raw));
        }
        // In a table below, too.
        RawBuffer below = full().u16(INNER_VTABLE, 14).u16(INNER_VTABLE + 4, 0);
        assertNotNull(learn(below));
        below.u16(INNER_VTABLE + 4 + 2 * TEXT, 4).offset(INNER + 4, TEXT_WORD);
        assertTrue(isValid(below.bytes()));
        assertNull(learn(below));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, UNION_AT, NUMBERS_AT, NEXT_AT})
    void offsetsOutOfRangeHaveNoShape(int at) {
        assertNull(learn(full().offset(at, SIZE - 3)));
        assertNull(learn(full().i32(at, Integer.MAX_VALUE)));
        assertNull(learn(full().i32(at, -1)));
    }

    @ParameterizedTest
    @CsvSource({"0, 103", "0, 104", "2, 104", "3, 101", "5, 101", "7, 101", "7, 65535"})
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

    @Test
    void aUnionWithoutAKnownTagHasNoShape() {
        assertNotNull(learn(full().u8(ROOT + 6, 1)));
        assertNull(learn(full().u8(ROOT + 6, 0)));
        assertNull(learn(full().u8(ROOT + 6, 3)));
        assertNull(learn(full().u8(ROOT + 6, 255)));
        assertNull(learn(full().u16(VTABLE + 4 + 2 * TAG, 0)));
    }

    // ---- limits

    /// Tables in each other: by a table, or by a union.
    private static RawBuffer chain(int slot, int tables) {
        int step = slot == NEXT ? 8 : 12;
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
                case UNION -> raw.u8(at + 4, 2).offset(at + 8, at + step);
                default -> {} // nothing below
            }
        }
        return raw;
    }

    @ParameterizedTest
    @ValueSource(ints = {UNION, NEXT})
    void deepTablesHaveNoShape(int slot) {
        RawBuffer shallow = chain(slot, 4);
        assertTrue(isValid(shallow.bytes()));
        assertEquals(4, learn(shallow).tables());
        RawBuffer deep = chain(slot, 40);
        assertTrue(isValid(deep.bytes()));
        assertNull(learn(deep));
        assertNull(learn(chain(slot, 200_000)));
    }

    /// Tables far from each other, so that words do not cover two of them: a shape has ten words at
    /// the start, and six others.
    @Test
    void manyDistantPartsHaveNoShape() {
        for (int tables = 1; tables < 8; tables++) {
            RawBuffer raw = new RawBuffer(1_200).offset(0, 48);
            raw.vtable(4, 0, 0, 0, 0, 0, 0, 0, 4).u16(6, 8).vtable(32).u16(34, 4);
            for (int i = 0; i < tables; i++) {
                int at = i == 0 ? 48 : 112 + 64 * i;
                boolean isLast = i == tables - 1;
                raw.table(at, isLast ? 32 : 4);
                if (!isLast) {
                    raw.offset(at + 4, 112 + 64 * (i + 1));
                }
            }
            assertTrue(isValid(raw.bytes()));
            Shape shape = learn(raw);
            assertEquals(tables <= 1 + Shape.MOST_WORDS, shape != null, tables + " tables");
            for (int i = 1; shape != null && i < tables; i++) {
                byte[] changed = raw.bytes().clone();
                assertTrue(has(shape, changed));
                changed[112 + 64 * i] ^= 4;
                assertFalse(has(shape, changed), "table " + i);
            }
        }
    }
}
