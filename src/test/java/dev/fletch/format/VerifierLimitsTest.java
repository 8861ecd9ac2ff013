// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static dev.fletch.format.Verdicts.ARROW;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Depth and number of tables at their limits, and the work that hostile buffers can cause, told by
/// counts and not by a clock.
class VerifierLimitsTest {
    private static final int FIELDS = 40;

    /// Bytes behind the length words of overlapping strings.
    private static final int TAIL = 1 << 20;

    /// A schema whose fields lie one in the other, `levels` deep, so that there is one table more.
    private static byte[] nested(int levels) {
        return bomb(levels, 1);
    }

    /// The same, where each vector has `width` elements, all of which are the same field.
    private static byte[] bomb(int levels, int width) {
        int level = 12 + 4 * width;
        RawBuffer raw = new RawBuffer(FIELDS + 12 + 4 * width + levels * level);
        raw.offset(0, FIELDS).vtable(4, 0, 4).u16(6, 8).vtable(12, 0, 0, 0, 0, 0, 4).u16(14, 8);
        raw.vtable(28).u16(30, 4);
        int table = FIELDS;
        raw.table(table, levels == 0 ? 28 : 4);
        for (int i = 0; i < levels; i++) {
            int vector = table + 8;
            int next = vector + 4 + 4 * width;
            raw.offset(table + 4, vector).i32(vector, width);
            for (int k = 0; k < width; k++) {
                raw.offset(vector + 4 + 4 * k, next);
            }
            raw.table(next, i + 1 < levels ? 12 : 28);
            table = next;
        }
        return raw.bytes();
    }

    private static boolean verify(Verifier verifier, byte[] bytes) {
        return verifier.verify(Verifier.Root.SCHEMA, MemorySegment.ofArray(bytes));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 64, 127, 128, 129, 1000})
    void depthAtTheLimitPassesAndOneMoreFails(int limit) {
        Verifier verifier = new Verifier(ARROW.withLimits(ARROW.limits().withDepth(limit)));
        for (int depth = Math.max(limit - 1, 1); depth <= limit + 1; depth++) {
            boolean verdict = verify(verifier, nested(depth - 1));
            assertEquals(depth <= limit, verdict, "depth " + depth);
            if (!verdict) {
                assertEquals(StructureRules.DEPTH_LIMIT, verifier.fault().rule());
                assertEquals(depth, verifier.fault().value());
                assertTrue(verifier.fault().position() >= FIELDS);
            }
        }
    }

    @Test
    void thePresetsDepths() {
        assertTrue(verify(new Verifier(), nested(127)));
        assertFalse(verify(new Verifier(), nested(128)));
        assertTrue(verify(new Verifier(VerifierOptions.FLATBUFFERS), nested(63)));
        assertFalse(verify(new Verifier(VerifierOptions.FLATBUFFERS), nested(64)));
        assertTrue(verify(new Verifier(VerifierOptions.STRICT), nested(127)));
        assertFalse(verify(new Verifier(VerifierOptions.STRICT), nested(128)));
    }

    /// A leaf is a level, too: here a type, which is never entered if all is well.
    @Test
    void depthCountsLeaves() {
        byte[] message = LargeSchemas.schemaMessage(1);
        MemorySegment segment = MemorySegment.ofArray(message);
        assertTrue(
                new Verifier(ARROW.withLimits(ARROW.limits().withDepth(4)))
                        .verify(Verifier.Root.MESSAGE, segment));
        Verifier verifier = new Verifier(ARROW.withLimits(ARROW.limits().withDepth(3)));
        assertFalse(verifier.verify(Verifier.Root.MESSAGE, segment));
        assertEquals(StructureRules.DEPTH_LIMIT, verifier.fault().rule());
        assertEquals("header.schema.fields[0].type", verifier.fault().path());
        // The fault is where the offset stands that leads a level too far.
        Schema schema = new Schema();
        assertTrue(new Message().wrap(segment).header(schema));
        int field = (int) schema.fields(0, new Field()).position();
        ByteBuffer raw = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        int slot = field - raw.getInt(field) + 4 + 2 * Field.TYPE_SLOT;
        assertEquals(field + raw.getShort(slot), verifier.fault().position());
    }

    @Test
    void aMillionLevelsTakeNoJavaStack() throws InterruptedException {
        int levels = 1_000_000;
        byte[] bytes = nested(levels);
        for (int limit : new int[] {levels + 1, Integer.MAX_VALUE}) {
            Verifier verifier = new Verifier(ARROW.withLimits(ARROW.limits().withDepth(limit)));
            boolean[] verdict = new boolean[1];
            Thread small =
                    new Thread(null, () -> verdict[0] = verify(verifier, bytes), "small", 1 << 18);
            small.start();
            small.join();
            assertTrue(verdict[0], () -> verifier.fault().toString());
            assertEquals(levels + 1L, verifier.tablesVisited());
        }
        assertFalse(
                verify(new Verifier(ARROW.withLimits(ARROW.limits().withDepth(levels))), bytes));
    }

    @Test
    void tablesAtTheLimitPassAndOneMoreFails() {
        byte[] bytes = bomb(3, 5); // 1 + 5 + 25 + 125
        long tables = 156;
        for (long limit = tables - 1; limit <= tables + 1; limit++) {
            Verifier verifier = new Verifier(ARROW.withLimits(ARROW.limits().withTables(limit)));
            assertEquals(limit >= tables, verify(verifier, bytes), "limit " + limit);
            if (limit < tables) {
                assertEquals(StructureRules.TABLE_LIMIT, verifier.fault().rule());
                assertEquals("fields[4].children[4].children[4]", verifier.fault().path());
                assertTrue(verifier.fault().position() < bytes.length);
            }
            assertEquals(tables, verifier.tablesVisited());
        }
    }

    @Test
    void tablesPerByteAtTheLimit() {
        byte[] message = LargeSchemas.schemaMessage(10);
        Verifier verifier = new Verifier();
        assertTrue(verifier.verify(Verifier.Root.MESSAGE, MemorySegment.ofArray(message)));
        long tables = verifier.tablesVisited();
        for (long limit = tables - 1; limit <= tables + 1; limit++) {
            Verifier limited = new Verifier(ARROW.withLimits(ARROW.limits().withTables(limit)));
            assertEquals(
                    limit >= tables,
                    limited.verify(Verifier.Root.MESSAGE, MemorySegment.ofArray(message)));
        }
        assertFalse(
                verify(new Verifier(ARROW.withLimits(ARROW.limits().withTables(0))), nested(0)));
        // 8 tables per byte: as many elements as that, and one too many.
        for (int extra = 0; extra <= 1; extra++) {
            byte[] flat = exactly(extra);
            Verifier perByte = new Verifier();
            assertEquals(extra == 0, verify(perByte, flat));
            assertEquals(8L * flat.length + extra, perByte.tablesVisited());
        }
    }

    /// A schema of some size with 8 times as many tables, and so many more.
    private static byte[] exactly(int extra) {
        // Tables: 1 + a + a * b for a fields of b children each; the size is padded until it fits.
        int a = 201;
        int b = 200;
        while ((1 + a + a * b - extra) % 8 != 0) {
            b++;
        }
        byte[] bytes = twoLevels(a, b);
        int size = (1 + a + a * b - extra) / 8;
        assertTrue(size >= bytes.length, "nothing to pad");
        return Arrays.copyOf(bytes, size);
    }

    /// A schema of so many fields that are all the same, with so many children that are.
    private static byte[] twoLevels(int a, int b) {
        int vector = FIELDS + 8;
        int field = vector + 4 + 4 * a;
        int children = field + 8;
        int leaf = children + 4 + 4 * b;
        RawBuffer raw = new RawBuffer(leaf + 4);
        raw.offset(0, FIELDS).vtable(4, 0, 4).vtable(12, 0, 0, 0, 0, 0, 4).vtable(28);
        raw.table(FIELDS, 4).offset(FIELDS + 4, vector).i32(vector, a);
        for (int i = 0; i < a; i++) {
            raw.offset(vector + 4 + 4 * i, field);
        }
        raw.table(field, 12).offset(field + 4, children).i32(children, b);
        for (int i = 0; i < b; i++) {
            raw.offset(children + 4 + 4 * i, leaf);
        }
        return raw.table(leaf, 28).bytes();
    }

    // ---- work

    @Test
    void aBombOfSharedTablesIsStoppedByTheTableLimit() {
        byte[] bytes = bomb(40, 4); // 4^40 tables in 1.2 kB
        for (VerifierOptions options : new VerifierOptions[] {ARROW, VerifierOptions.STRICT}) {
            Verifier verifier = new Verifier(options);
            assertFalse(verify(verifier, bytes));
            assertEquals(StructureRules.TABLE_LIMIT, verifier.fault().rule());
            assertEquals(8L * bytes.length + 1, verifier.tablesVisited());
            assertTrue(verifier.stringBytesRead() <= 2L * bytes.length);
        }
    }

    @Test
    void aLongStringThatManyTablesShareIsReadTwiceAtMost() {
        int pairs = 20_000;
        int text = 100_000;
        int tables = 40 + 4 * pairs;
        int string = tables + 8;
        RawBuffer raw = new RawBuffer(string + 4 + text + 4);
        raw.offset(0, 24).vtable(4, 0, 0, 4).vtable(16, 4).u16(6, 8).u16(18, 8);
        raw.table(24, 4).offset(28, 32).i32(32, pairs);
        for (int i = 0; i < pairs; i++) {
            raw.offset(36 + 4 * i, tables);
        }
        raw.table(tables, 16).offset(tables + 4, string).i32(string, text);
        for (int i = 0; i < text; i += 2) {
            raw.u8(string + 4 + i, 0xC3).u8(string + 5 + i, 0xA4);
        }
        byte[] bytes = raw.bytes();
        Verifier verifier = new Verifier(VerifierOptions.STRICT);
        assertTrue(verify(verifier, bytes), () -> verifier.fault().toString());
        assertEquals(pairs + 1L, verifier.tablesVisited());
        assertTrue(verifier.stringBytesRead() <= 2L * bytes.length + pairs);
        System.out.printf(
                "One string of %,d bytes through %,d tables: %,d bytes read, buffer of %,d%n",
                text, pairs, verifier.stringBytesRead(), bytes.length);
        // A malformed byte is found at once: it does not hide behind those that were right before.
        bytes[string + 4 + text - 1] = 'x';
        assertFalse(verify(verifier, bytes));
        assertEquals(StructureRules.STRING_NOT_UTF8, verifier.fault().rule());
        assertTrue(verifier.stringBytesRead() <= 2L * bytes.length);
    }

    /// A length word every 4 bytes: strings that overlap, each half as long as the buffer.
    @Test
    void overlappingStringsAreReadInProportionToTheBuffer() {
        int strings = 20_000;
        byte[] bytes = overlapping(strings);
        Verifier verifier =
                new Verifier(VerifierOptions.STRICT.with(VerifierOptions.Check.TABLE_SIZE, false));
        assertTrue(verify(verifier, bytes), () -> verifier.fault().toString());
        assertTrue(verifier.stringBytesRead() <= 2L * bytes.length + strings);
        System.out.printf(
                "%,d overlapping strings: %,d bytes read, buffer of %,d%n",
                strings, verifier.stringBytesRead(), bytes.length);
        bytes[bytes.length - TAIL + 100] = (byte) 0xFF;
        assertFalse(verify(verifier, bytes));
        assertEquals(StructureRules.STRING_NOT_UTF8, verifier.fault().rule());
    }

    /// Pairs whose keys begin 4 bytes after one another and all end at the buffer's end: each
    /// length word is part of the strings before it, and must be ASCII for that.
    private static byte[] overlapping(int strings) {
        int tables = 36 + 4 * strings;
        int texts = tables + 8 * strings;
        int size = texts + 4 * strings + TAIL;
        RawBuffer raw = new RawBuffer(size);
        raw.offset(0, 24).vtable(4, 0, 0, 4).vtable(16, 4).u16(6, 8).u16(18, 8);
        raw.table(24, 4).offset(28, 32).i32(32, strings);
        for (int i = 0; i < strings; i++) {
            int at = texts + 4 * i;
            raw.offset(36 + 4 * i, tables + 8 * i).table(tables + 8 * i, 16);
            raw.offset(tables + 8 * i + 4, at);
            // Behind the end stands a NUL, as all behind the length words is 0.
            int length = 0x000F_7F00 | (i & 0x7F);
            raw.i32(at, length);
            int end = at + 4 + length;
            assertTrue(end > size - TAIL + 100 && end < size);
        }
        return raw.bytes();
    }

    @Test
    void aSinkDoesNotMakeTheWorkGrow() {
        byte[] bytes = bomb(40, 4);
        Verifier verifier = new Verifier();
        MemorySegment segment = MemorySegment.ofArray(bytes);
        int faults =
                verifier.findFaults(
                        Root.SCHEMA,
                        segment,
                        0,
                        bytes.length,
                        fault -> assertEquals(StructureRules.TABLE_LIMIT, fault.rule()),
                        1000);
        assertEquals(1, faults);
        assertEquals(8L * bytes.length + 1, verifier.tablesVisited());
    }

    @Test
    void rangesOutsideTheMemoryAreTheCallersMistake() {
        MemorySegment segment = MemorySegment.ofArray(new byte[32]);
        Verifier verifier = new Verifier();
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> verifier.verify(Verifier.Root.MESSAGE, segment, 30, 3));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> verifier.verify(Verifier.Root.MESSAGE, segment, -1, 3));
        assertThrows(
                IndexOutOfBoundsException.class,
                () ->
                        verifier.verify(
                                Verifier.Root.MESSAGE, segment, Long.MAX_VALUE, Long.MAX_VALUE));
    }
}
