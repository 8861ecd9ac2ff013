// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.MetadataVersion.V4;
import static dev.fletch.format.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Fingerprint;
import dev.fletch.format.Field;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.format.Union;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The words of an index's header: that each of them is what its form says, and that each is held
/// against the schema, also where the header's own sum is right.
class IndexFormTest {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final Tree[] COLUMNS = {
        Tree.of("a", Type.INT),
        Tree.of("s", Type.STRUCT_, Tree.of("b", Type.UTF8_VIEW), Tree.of("c", Type.BINARY_VIEW)),
        Tree.union("u", 1, Tree.of("x", Type.UTF8_VIEW), Tree.of("y", Type.INT)),
    };
    private static final byte[] MESSAGE = Tree.message(COLUMNS);

    private final Schema schema = Bound.schema(MESSAGE);

    private static ColumnIndex built(Schema schema) {
        byte[] memory = new byte[(int) ColumnIndex.bytesFor(schema.fieldsCount())];
        return ColumnIndex.build(schema, V5, MemorySegment.ofArray(memory));
    }

    private static void assertFault(LayoutFault fault, Executable task) {
        assertEquals(fault, assertThrows(LayoutException.class, task).fault());
    }

    private static void sign(MemorySegment index) {
        ByteSlice header = new ByteSlice().wrap(index, 0, 128);
        index.set(LONG, 128, new Fingerprint().of(header).low());
    }

    @Test
    void numbersOfTheHeader() {
        MemorySegment index = built(schema).memory();
        BatchLayout layout = BatchLayout.compile(schema, V5);
        assertEquals(V5, index.get(INT, 12));
        assertEquals(index.byteSize(), index.get(LONG, 16));
        assertEquals(3, index.get(INT, 24));
        assertEquals(1, index.get(INT, 28));
        assertEquals(MESSAGE.length, index.get(LONG, 40));
        assertEquals(schema.position(), index.get(LONG, 48));
        assertEquals(layout.fieldCount(), index.get(INT, 88));
        assertEquals(layout.bufferCount(), index.get(INT, 92));
        assertEquals(layout.viewCount(), index.get(INT, 96));
        assertEquals(-1, index.get(INT, 100));
        assertTrue(index.get(LONG, 120) <= MESSAGE.length);
    }

    /// A header whose sum is right, and one word is not.
    @Test
    void everyWordIsHeldAgainstTheSchema() {
        for (int at : new int[] {40, 48, 72, 80}) {
            MemorySegment index = built(schema).memory();
            index.set(LONG, at, index.get(LONG, at) + 8);
            sign(index);
            assertFault(LayoutFault.STALE_INDEX, () -> ColumnIndex.openQuick(index, schema, V5));
        }
        for (int at : new int[] {40, 48, 56, 64, 120}) {
            for (long change : new long[] {8, -8, 1L << 40, Long.MIN_VALUE}) {
                MemorySegment index = built(schema).memory();
                index.set(LONG, at, index.get(LONG, at) + change);
                sign(index);
                assertFault(LayoutFault.STALE_INDEX, () -> ColumnIndex.open(index, schema, V5));
            }
        }
        for (int at : new int[] {104, 112}) {
            MemorySegment index = built(schema).memory();
            index.set(LONG, at, index.get(LONG, at) + 8);
            sign(index);
            assertFault(LayoutFault.DAMAGED_INDEX, () -> ColumnIndex.open(index, schema, V5));
        }
    }

    @Test
    void headersThatAreNone() {
        MemorySegment index = built(schema).memory();
        assertFault(
                LayoutFault.DAMAGED_INDEX,
                () -> ColumnIndex.open(index.asSlice(0, 136), schema, V5));
        assertFault(
                LayoutFault.NO_INDEX, () -> ColumnIndex.open(index.asSlice(0, 135), schema, V5));
        LayoutException e =
                assertThrows(LayoutException.class, () -> ColumnIndex.openQuick(index, schema, V4));
        assertEquals(LayoutFault.STALE_INDEX, e.fault());
        assertTrue(e.getMessage().contains("version=4, found=3"), e.getMessage());
    }

    /// Wherever in its memory the buffer stands, the index is the same.
    @Test
    void buffersAnywhereInMemory() {
        MemorySegment saved = built(schema).memory();
        for (int offset : new int[] {8, 16, 160, 1_000}) {
            Schema other = placed(MESSAGE, offset);
            ColumnIndex.open(saved, other, V5);
            ColumnIndex.openQuick(saved, other, V5);
            MemorySegment own = built(other).memory();
            for (int at : new int[] {40, 48, 56, 64, 72, 80, 120}) {
                assertEquals(saved.get(LONG, at), own.get(LONG, at), "at " + at);
            }
        }
    }

    // ---- vtables

    /// Position of every table that an index depends on.
    private static List<Long> tables(Schema schema) {
        List<Long> tables = new ArrayList<>(List.of(schema.position()));
        Union union = new Union();
        for (int i = 0; i < schema.fieldsCount(); i++) {
            Field field = schema.fields(i, new Field());
            tables.add(field.position());
            for (int c = 0; c < field.childrenCount(); c++) {
                tables.add(field.children(c, new Field()).position());
            }
            if (field.type(union)) {
                tables.add(union.position());
            }
        }
        return tables;
    }

    /// A table's vtable as a copy that it has alone, in front of everything.
    private static byte[] vtableInFront(byte[] message, int table) {
        ByteBuffer from = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        int shift = 32;
        int vtable = table - from.getInt(table);
        byte[] moved = new byte[message.length + shift];
        System.arraycopy(message, 0, moved, shift, message.length);
        System.arraycopy(message, vtable, moved, 8, from.getShort(vtable));
        ByteBuffer to = ByteBuffer.wrap(moved).order(ByteOrder.LITTLE_ENDIAN);
        to.putInt(0, from.getInt(0) + shift);
        to.putInt(table + shift, table + shift - 8);
        return moved;
    }

    /// The schema of a message that stands somewhere in its memory.
    private static Schema placed(byte[] message, int offset) {
        byte[] bytes = new byte[offset + message.length + 24];
        System.arraycopy(message, 0, bytes, offset, message.length);
        Schema schema = new Schema();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        assertTrue(new Message().wrap(memory, offset, message.length).header(schema));
        return schema;
    }

    @Test
    void vtablesOfAllTablesCount() {
        for (long table : tables(schema)) {
            byte[] moved = vtableInFront(MESSAGE, (int) table);
            Schema own = Bound.schema(moved);
            MemorySegment saved = built(own).memory();
            ColumnIndex.open(saved, own, V5);
            assertEquals(moved.length - 8, saved.get(LONG, 120), "table at " + table);
            assertEquals(saved.get(LONG, 120), built(placed(moved, 64)).memory().get(LONG, 120));
            moved[8 + 2] ^= 4; // the table's size, which nobody reads
            Schema changed = Bound.schema(moved);
            assertFault(LayoutFault.STALE_INDEX, () -> ColumnIndex.open(saved, changed, V5));
        }
    }

    /// Where all vtables are behind it, the bytes that count begin with the schema's table.
    @Test
    void vtableBehindTheSchema() {
        byte[] empty = Hostile.emptySchema();
        int table = (int) Bound.schema(empty).position();
        byte[] moved = Arrays.copyOf(empty, empty.length + 8);
        ByteBuffer bytes = ByteBuffer.wrap(moved).order(ByteOrder.LITTLE_ENDIAN);
        int vtable = table - bytes.getInt(table);
        System.arraycopy(empty, vtable, moved, empty.length, bytes.getShort(vtable));
        bytes.putInt(table, table - empty.length);
        for (int offset : new int[] {0, 64}) {
            long count = built(placed(moved, offset)).memory().get(LONG, 120);
            assertEquals(moved.length - table, count);
        }
    }

    // ---- limits

    /// Depth and number of fields that just fit, and what is told of one more, by all who walk.
    @Test
    void limitsAreExact() {
        Schema of = Bound.schema(Tree.message(COLUMNS)); // seven fields, two levels
        MemorySegment memory = built(of).memory();
        LayoutLimits right = new LayoutLimits(2, 7);
        LayoutLimits shallow = new LayoutLimits(1, 7);
        LayoutLimits few = new LayoutLimits(2, 6);
        ColumnIndex.build(of, V5, memory, right);
        assertEquals(7, BatchLayout.compile(of, V5, right).fieldCount());
        assertEquals(7, new LayoutCache(1, right).layout(of, V5).fieldCount());
        assertTold("column=1, limit=1", () -> ColumnIndex.build(of, V5, memory, shallow));
        assertTold("column=2, limit=6", () -> ColumnIndex.build(of, V5, memory, few));
        assertTold("column=1, limit=1", () -> BatchLayout.compile(of, V5, shallow));
        assertTold("column=2, limit=6", () -> BatchLayout.compile(of, V5, few));
        assertTold("column=1, limit=1", () -> new LayoutCache(1, shallow).layout(of, V5));
        assertTold("column=2, limit=6", () -> new LayoutCache(1, few).layout(of, V5));
        assertFault(LayoutFault.TOO_DEEP, () -> new LayoutCache(1, shallow).layout(of, V5));
        assertFault(LayoutFault.TOO_MANY_FIELDS, () -> new LayoutCache(1, few).layout(of, V5));
    }

    private static void assertTold(String text, Executable task) {
        LayoutException e = assertThrows(LayoutException.class, task);
        assertTrue(e.getMessage().endsWith(": " + text), e.getMessage());
    }
}
