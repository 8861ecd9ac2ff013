// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// What plans of a schema keep in memory, counted by going through their arrays; and small things
/// that they say of fields.
@Isolated("looks at the heap")
class LayoutMemoryTest {
    /// Bytes of all arrays that a layout keeps.
    static long bytesOf(BatchLayout layout) {
        return arrayBytes(layout, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    /// Bytes of all arrays of numbers that an object leads to.
    private static long arrayBytes(Object from, Set<Object> seen) {
        if (from == null || !seen.add(from)) {
            return 0;
        }
        Class<?> type = from.getClass();
        if (type.isArray() && type.componentType().isPrimitive()) {
            int width =
                    switch (type.componentType().getName()) {
                        case "byte", "boolean" -> 1;
                        case "int" -> Integer.BYTES;
                        case "long" -> Long.BYTES;
                        default -> throw new AssertionError(type);
                    };
            return (long) Array.getLength(from) * width;
        }
        long bytes = 0;
        if (type.isArray()) {
            for (Object each : (Object[]) from) {
                bytes += arrayBytes(each, seen);
            }
            return bytes;
        }
        if (!type.getName().startsWith("dev.fletch.batch.") || type.isEnum()) {
            return 0;
        }
        for (Class<?> of = type; of != Object.class; of = of.getSuperclass()) {
            for (Field each : of.getDeclaredFields()) {
                if (!Modifier.isStatic(each.getModifiers()) && !each.getType().isPrimitive()) {
                    try {
                        each.setAccessible(true);
                        bytes += arrayBytes(each.get(from), seen);
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
        return bytes;
    }

    private static final long WIDE_BYTES = 8_000_000;

    /// 100,000 columns with names of 12 bytes; and with a list in every fifth, so that it is not
    /// known beforehand how many fields there are. To compile them allocates no more either.
    @Test
    void wideLayoutsTakeAtMost80BytesForEachColumn() {
        for (int lists : new int[] {Integer.MAX_VALUE, 5}) {
            Tree[] columns = new Tree[100_000];
            for (int i = 0; i < columns.length; i++) {
                String name = "column%06d".formatted(i);
                columns[i] =
                        i % lists == lists - 1
                                ? Tree.of(name, Type.LIST, Tree.of("item", Type.INT))
                                : Tree.of(name, Type.INT);
            }
            Schema schema = Bound.schema(Tree.message(columns));
            BatchLayout layout = BatchLayout.compile(schema, V5);
            assertEquals(99_999, layout.find("column099999"));
            long kept = bytesOf(layout);
            assertTrue(kept <= WIDE_BYTES, kept + " bytes");
            long allocated = Allocations.leastBytes(1, () -> BatchLayout.compile(schema, V5));
            assertTrue(allocated <= WIDE_BYTES, allocated + " bytes allocated");
        }
    }

    /// Nothing is allocated but the layout, its arrays, and a few objects to compile it.
    @Test
    void smallLayoutsAllocateLittle() {
        Schema schema = Bound.schema(LargeSchemas.schemaMessage(10));
        long allocated = Allocations.leastBytes(100, () -> BatchLayout.compile(schema, V5)) / 100;
        assertTrue(allocated <= 3_000, allocated + " bytes allocated");
    }

    /// Where fields are many in the first column or in the last, and of a view type only there.
    @Test
    void layoutsOfUnevenColumnsAreCompiled() {
        Tree[] children = new Tree[9_000];
        Arrays.fill(children, Tree.of("a longer name of a child", 24));
        Tree large = Tree.of("s", Type.STRUCT_, children);
        Tree[] columns = new Tree[6_000];
        for (int at : new int[] {0, 3_000, columns.length - 1}) {
            Arrays.fill(columns, Tree.of("n", Type.INT));
            columns[at] = large;
            BatchLayout layout = Bound.layout(columns);
            assertEquals(new Flat(List.of(columns), false).rows, Flat.rowsOf(layout));
            assertEquals(at, layout.find("s"));
            assertTrue(bytesOf(layout) < 100 * layout.fieldCount());
        }
    }

    /// A schema may unfold to more than it has bytes for, as fields may be shared, but only so far.
    @Test
    void theFieldLimitGrowsWithTheBuffer() {
        SchemaSize size = new SchemaSize(Limits.DEFAULT);
        size.begin(0);
        assertEquals(65_536, size.fieldsLeft());
        size.begin(4_000);
        assertEquals(65_536 + 1_000, size.fieldsLeft());
        size.addFields(66_000);
        assertEquals(536, size.fieldsLeft());
    }
}
