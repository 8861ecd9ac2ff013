// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.format.rules.BufferShape;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// Columns that are looked for by a scan, held against the names of a small schema, one
/// after the other.
class ColumnLookupTest {
    private static final int UNKNOWN = 100;

    private static Tree number(String name) {
        return Tree.of(name, Type.INT);
    }

    private static Schema schema(Tree... columns) {
        return Bound.schema(Tree.message(columns));
    }

    /// All columns that are found, and where the plan puts them.
    private static List<String> found(ColumnLayout column, boolean first, BooleanSupplier next) {
        List<String> found = new ArrayList<>();
        for (boolean there = first; there; there = next.getAsBoolean()) {
            found.add(place(column.column(), column));
        }
        assertFalse(next.getAsBoolean());
        assertEmpty(column);
        return found;
    }

    private static String place(int column, FieldLayout plan) {
        int field = plan.columnField(plan instanceof BatchLayout ? column : 0);
        int slots = 0;
        for (int f = field; f < plan.end(field); f++) {
            slots += plan.shape(f) == BufferShape.VIEW ? 1 : 0;
        }
        int view = plan.firstView();
        if (plan instanceof BatchLayout) {
            for (int f = 0; f < field; f++) {
                view += plan.shape(f) == BufferShape.VIEW ? 1 : 0;
            }
        } else {
            assertEquals(slots, plan.viewCount());
            assertEquals(1, plan.columnCount());
            assertThrows(IndexOutOfBoundsException.class, () -> plan.columnField(1));
        }
        return "column %d, node %d, buffer %d, view %d, fields %d, views %d"
                .formatted(
                        column,
                        plan.nodeIndex(field),
                        plan.bufferIndex(field),
                        view,
                        plan.end(field) - field,
                        slots);
    }

    private static void assertEmpty(ColumnLayout column) {
        assertEquals(-1, column.column());
        assertEquals(0, column.columnCount());
        assertEquals(0, column.fieldCount());
        assertEquals(0, column.bufferCount());
        assertEquals(0, column.viewCount());
        assertEquals(0, column.firstNode());
        assertEquals(0, column.firstBuffer());
        assertEquals(0, column.firstView());
        assertEquals(-1, column.firstUnknown());
    }

    private static final Tree[] COLUMNS = {
        Tree.of("same", Type.UTF8_VIEW),
        Tree.of("other", Type.STRUCT_, number("same"), Tree.of("x", Type.BINARY_VIEW)),
        Tree.of("same", Type.STRUCT_, Tree.of("v", Type.UTF8_VIEW), number("w")),
        Tree.of("", Type.UTF8),
        Tree.of("same", Type.UTF8_VIEW),
        number("Größe"),
        Tree.of("same", Type.LIST, Tree.of("item", Type.UTF8_VIEW)).encoded(5),
        Tree.of("", Type.UTF8_VIEW),
        number("n".repeat(300)),
        number("same"),
    };

    @Test
    void everyNameFindsAllOfThem() {
        Schema schema = schema(COLUMNS);
        BatchLayout layout = BatchLayout.compile(schema, V5);
        ColumnScan scan = new ColumnScan().wrap(schema, V5);
        for (String name : List.of("same", "other", "", "Größe", "n".repeat(300), "none", "sam")) {
            List<String> expected =
                    IntStream.range(0, COLUMNS.length)
                            .filter(i -> COLUMNS[i].name().equals(name))
                            .mapToObj(i -> place(i, layout))
                            .toList();
            ColumnLayout into = new ColumnLayout();
            boolean first = scan.find(name, into);
            assertEquals(expected, found(into, first, () -> scan.findNext(into)));
        }
    }

    /// A text that no bytes encode is no name, of nothing that was found before either.
    @Test
    void textsWithoutBytes() {
        Schema schema = schema(COLUMNS);
        ColumnLayout column = new ColumnLayout();
        ColumnScan scan = new ColumnScan().wrap(schema, V5);
        for (String text : List.of("\uD83D", "same\uD83D")) {
            assertTrue(scan.find("same", column));
            assertFalse(scan.find(text, column));
            assertEmpty(column);
        }
    }

    // ---- unknown types

    /// What is before a type that is unknown has its place, and what is behind it has none.
    @Test
    void columnsAroundAnUnknownType() {
        Tree unknown = Tree.of("u", UNKNOWN);
        Tree[][] schemas = {
            {unknown, number("a")},
            {unknown, number("a"), unknown, number("b")},
            {number("a"), unknown, number("b"), unknown},
            {number("a"), Tree.of("s", Type.STRUCT_, number("b"), unknown), number("c")}
        };
        int[][] firsts = {{0, 0}, {0, 0, 0, 0}, {-1, 0, 0, 0}, {-1, 2, 0}};
        for (int i = 0; i < schemas.length; i++) {
            Schema schema = schema(schemas[i]);
            ColumnScan scan = new ColumnScan().wrap(schema, V5);
            for (int c = 0; c < schemas[i].length; c++) {
                ColumnLayout column = new ColumnLayout();
                assertTrue(scan.find(schemas[i][c].name(), column));
                while (column.column() < c) {
                    assertTrue(scan.findNext(column));
                }
                assertEquals(firsts[i][c], column.firstUnknown());
            }
        }
    }
}
