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

import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;

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
        assertTrue(cache.memoryBytes() > message.length);
    }

    @Test
    void otherBytesOrVersionsAreOthers() {
        byte[] message = LargeSchemas.schemaMessage(20);
        BatchLayout first = layout(message);
        assertNotSame(first, cache.layout(Bound.schema(message), V4));
        byte[] changed = message.clone();
        for (int i = message.length - 1; i > 0; i--) {
            if (changed[i] == 'c') {
                changed[i] = 'k';
                break;
            }
        }
        assertNotSame(first, layout(changed));
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
    void refusedSchemasAreNotKept() {
        byte[] hostile = Hostile.doubling(60, false);
        assertThrows(LayoutException.class, () -> layout(hostile));
        assertEquals(0, cache.size());
    }
}
