// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.MetadataVersion.V4;
import static dev.fletch.format.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.FlatBufferWriter;
import dev.fletch.format.EmissionOrder;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.model.ArrowSchema;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Layouts that survive the memory that they were compiled from.
class LayoutCacheTest {
    private final LayoutCache cache = new LayoutCache(2, LayoutLimits.DEFAULT);

    private BatchLayout layout(byte[] message) {
        return cache.layout(Bound.schema(message), V5);
    }

    @Test
    void sameBytesInAnyMemoryAreOneLayout() {
        byte[] message = LargeSchemas.schemaMessage(20);
        BatchLayout first = layout(message.clone());
        for (var backing : Memories.segments()) {
            try (PlacedSegment placed = backing.place(message)) {
                var schema = new dev.fletch.format.Schema();
                assertTrue(
                        new dev.fletch.format.Message()
                                .wrap(placed.segment(), placed.offset(), placed.length())
                                .header(schema));
                assertSame(first, cache.layout(schema, V5), backing.name());
            }
        }
        assertEquals(1, cache.size());
        assertTrue(cache.memoryBytes() > first.memoryBytes());
    }

    @Test
    void otherBytesOrVersionsAreOthers() {
        byte[] message = LargeSchemas.schemaMessage(20);
        BatchLayout first = layout(message);
        assertNotSame(first, cache.layout(Bound.schema(message), V4));
        byte[] changed = message.clone();
        int at = new String(message, StandardCharsets.ISO_8859_1).indexOf("column_7");
        changed[at] = 'k';
        assertNotSame(first, layout(changed));
    }

    /// What a connection says of itself is no part of its schema.
    @Test
    void plansSurviveAnotherMessageAroundTheSchema() {
        Tree[] columns = {
            Tree.of("a", Type.INT).encoded(3), Tree.of("b", Type.STRUCT_, Tree.of("c", Type.UTF8))
        };
        BatchLayout first = layout(Tree.message(columns));
        for (int session = 0; session < 10; session++) {
            String value = "connection ".repeat(session) + session;
            assertSame(first, layout(Tree.messageWith("session", value, columns)));
        }
        assertEquals(1, cache.size());
    }

    /// Nor is who wrote it, and in which order.
    @Test
    void plansAreTheSameForAllWriters() {
        byte[] message = LargeSchemas.schemaMessage(20);
        BatchLayout first = layout(message);
        ArrowSchema model = ArrowSchema.of(Bound.schema(message));
        for (EmissionOrder order : EmissionOrder.values()) {
            FlatBufferWriter bare = FlatBufferWriter.growing(order.dialect());
            model.write(order, bare);
            byte[] bytes = bare.toByteArray();
            assertSame(first, cache.layout(new Schema().wrap(MemorySegment.ofArray(bytes)), V5));
        }
    }

    /// Every part of the key tells schemas apart.
    @Test
    void otherFieldsAreOtherPlans() {
        Tree a = Tree.of("a", Type.INT);
        Tree b = Tree.of("b", Type.INT);
        LayoutCache large = new LayoutCache(100, LayoutLimits.DEFAULT);
        Tree[][] schemas = {
            {a},
            {b},
            {Tree.of("", Type.INT)},
            {a, b},
            {b, a},
            {Tree.of("a", Type.UTF8)},
            {a.encoded(0)},
            {a.encoded(1)},
            {a.encoded(2)},
            {Tree.of("a", Type.STRUCT_, a, b)},
            {Tree.of("a", Type.STRUCT_, a), b},
            {Tree.of("a", Type.STRUCT_), a, b},
            {Tree.of("a", Type.STRUCT_, a, b).encoded(1)},
            {Tree.of("a", Type.STRUCT_, a.encoded(2), b).encoded(1)},
            {Tree.union("a", 0, a, b)},
            {Tree.union("a", 1, a, b)},
        };
        for (int round = 0; round < 2; round++) {
            for (Tree[] each : schemas) {
                large.layout(Bound.schema(Tree.message(each)), V5);
            }
            assertEquals(schemas.length, large.size());
        }
    }

    @Test
    void theLeastRecentlyUsedGoes() {
        byte[] a = LargeSchemas.schemaMessage(1);
        byte[] b = LargeSchemas.schemaMessage(2);
        byte[] c = LargeSchemas.schemaMessage(3);
        BatchLayout first = layout(a);
        BatchLayout second = layout(b);
        assertSame(first, layout(a));
        layout(c);
        assertEquals(2, cache.size());
        assertSame(first, layout(a));
        assertNotSame(second, layout(b));
        assertThrows(
                IllegalArgumentException.class, () -> new LayoutCache(0, LayoutLimits.DEFAULT));
    }

    @Test
    void cacheOfOne() {
        LayoutCache one = new LayoutCache(1, LayoutLimits.DEFAULT);
        byte[] a = LargeSchemas.schemaMessage(1);
        BatchLayout first = one.layout(Bound.schema(a), V5);
        assertSame(first, one.layout(Bound.schema(a), V5));
        one.layout(Bound.schema(LargeSchemas.schemaMessage(2)), V5);
        assertEquals(1, one.size());
        assertNotSame(first, one.layout(Bound.schema(a), V5));
    }

    @Test
    void refusedSchemasAreNotKept() {
        byte[] hostile = Hostile.doubling(60, false);
        assertThrows(LayoutException.class, () -> layout(hostile));
        assertEquals(0, cache.size());
    }
}
