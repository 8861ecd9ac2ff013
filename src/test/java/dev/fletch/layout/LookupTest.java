// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.Field;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Columns and fields found by name: in the compiled layout, by a scan and by a walk alike.
class LookupTest {
    private static final List<String> NAMES =
            List.of(
                    "a",
                    "A",
                    "",
                    "b",
                    "Größe",
                    "日本語",
                    "🙂",
                    "a\0b",
                    "twice",
                    "a.b",
                    "twice",
                    "exactly8",
                    "exactly8+",
                    "x".repeat(300),
                    "twice",
                    "ab");

    private static Tree[] columns(List<String> names) {
        return names.stream().map(each -> Tree.of(each, Type.INT)).toArray(Tree[]::new);
    }

    /// Every way to look up must say the same.
    private static List<Integer> all(Schema schema, String name) {
        BatchLayout layout = BatchLayout.compile(schema, V5);
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        Utf8Slice slice = sliceOf(name);
        List<Integer> found = new ArrayList<>();
        for (int c = layout.find(name); c >= 0; c = layout.findNext(name, c)) {
            found.add(c);
        }
        int byBytes = layout.find(utf8);
        int bySlice = layout.find(slice);
        int byChild = layout.child(-1, name);
        for (int column : found) {
            assertEquals(column, byBytes);
            assertEquals(column, bySlice);
            assertEquals(layout.columnField(column), byChild);
            byBytes = layout.findNext(utf8, column);
            bySlice = layout.findNext(slice, column);
            byChild = layout.nextChild(-1, name, byChild);
        }
        assertEquals(-1, byBytes);
        assertEquals(-1, bySlice);
        assertEquals(-1, byChild);
        assertEquals(found, scanned(schema, name, utf8, slice));
        assertEquals(found, walked(schema, utf8));
        return found;
    }

    private static List<Integer> scanned(Schema schema, String name, byte[] utf8, Utf8Slice slice) {
        ColumnScan scan = new ColumnScan().wrap(schema, V5);
        ColumnLayout column = new ColumnLayout();
        List<Integer> found = new ArrayList<>();
        boolean there = scan.find(name, column);
        int first = column.column();
        for (; there; there = scan.findNext(column)) {
            found.add(column.column());
        }
        assertEquals(0, column.fieldCount());
        assertFalse(scan.findNext(column));
        assertEquals(first >= 0, scan.find(utf8, column));
        assertEquals(first, column.column());
        assertEquals(first >= 0, scan.find(slice, column));
        assertEquals(first, column.column());
        return found;
    }

    private static List<Integer> walked(Schema schema, byte[] utf8) {
        FieldWalk walk = new FieldWalk().wrap(schema);
        List<Integer> found = new ArrayList<>();
        for (int c = walk.find(utf8); c >= 0; c = walk.find(utf8)) {
            assertEquals(c, walk.column());
            assertTrue(walk.nameEquals(utf8, utf8.length));
            found.add(c);
        }
        assertFalse(walk.next());
        return found;
    }

    private static Utf8Slice sliceOf(String name) {
        Schema schema = Bound.schema(Tree.message(Tree.of(name, Type.INT)));
        Utf8Slice slice = new Utf8Slice();
        assertTrue(schema.fields(0, new Field()).name(slice));
        return slice;
    }

    @Test
    void everyNameAndEachDuplicateInOrder() {
        Schema schema = Bound.schema(Tree.message(columns(NAMES)));
        for (String name : NAMES) {
            List<Integer> expected =
                    IntStream.range(0, NAMES.size())
                            .filter(i -> NAMES.get(i).equals(name))
                            .boxed()
                            .toList();
            assertEquals(expected, all(schema, name), name);
        }
        for (String absent : List.of("c", "twic", "twice ", "Twice", "größe", "exactly", "\0")) {
            assertEquals(List.of(), all(schema, absent), absent);
        }
    }

    @Test
    void absentNameReadsAsEmpty() {
        Schema schema =
                Bound.schema(
                        Tree.message(
                                Tree.of(null, Type.INT),
                                Tree.of("a", Type.STRUCT_, Tree.of(null, Type.INT)),
                                Tree.of("", Type.INT)));
        assertEquals(List.of(0, 2), all(schema, ""));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        assertEquals(2, layout.findPath("a."));
        assertEquals("a.", layout.pathString(2));
        assertTrue(layout.nameEquals(0, ""));
        assertTrue(layout.nameEquals(1, "a"));
        assertFalse(layout.nameEquals(1, "A"));
        assertEquals(1, layout.nameLength(1));
    }

    /// A text that no bytes encode is no name.
    @Test
    void unpairedSurrogatesAreNowhere() {
        Schema schema = Bound.schema(Tree.message(columns(List.of("?", "\uFFFD", "a", ""))));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        ColumnScan scan = new ColumnScan().wrap(schema, V5);
        for (String text : List.of("\uD83D", "\uDE42", "a\uD83D", "\uD83Da", "\uDE42\uD83D")) {
            assertEquals(-1, layout.find(text));
            assertEquals(-1, layout.findPath(text));
            assertFalse(scan.find(text, new ColumnLayout()));
        }
    }

    // ---- Paths

    @Test
    void pathsWithDotsInNames() {
        Tree b = Tree.of("b", Type.INT);
        Tree[] columns = {
            Tree.of("a", Type.STRUCT_, b, Tree.of("b.c", Type.INT), b),
            Tree.of("a.b", Type.STRUCT_, Tree.of("c", Type.INT)),
            Tree.of("a", Type.STRUCT_, Tree.of("b", Type.STRUCT_, Tree.of("c", Type.INT))),
            Tree.of("a.b.c", Type.INT),
            Tree.of(".", Type.STRUCT_, Tree.of("", Type.INT)),
        };
        BatchLayout layout = BatchLayout.compile(Bound.schema(Tree.message(columns)), V5);
        for (int f = 0; f < layout.fieldCount(); f++) {
            String path = layout.pathString(f);
            List<Integer> expected =
                    IntStream.range(0, layout.fieldCount())
                            .filter(each -> layout.pathString(each).equals(path))
                            .boxed()
                            .toList();
            assertEquals(expected, paths(layout, path), path);
        }
        assertEquals(List.of(1, 3, 4, 7), paths(layout, "a.b"));
        assertEquals(List.of(2, 5, 8, 9), paths(layout, "a.b.c"));
        assertEquals(List.of(), paths(layout, "a.c"));
        assertEquals(List.of(), paths(layout, "a.b."));
        assertEquals(List.of(10), paths(layout, "."));
        assertEquals(List.of(11), paths(layout, ".."));
    }

    private static List<Integer> paths(BatchLayout layout, String path) {
        List<Integer> found = new ArrayList<>();
        for (int f = layout.findPath(path); f >= 0; f = layout.findNextPath(path, f)) {
            found.add(f);
        }
        return found;
    }

    @Test
    void childrenOfOneParentOnly() {
        Tree x = Tree.of("x", Type.INT);
        BatchLayout layout =
                BatchLayout.compile(
                        Bound.schema(
                                Tree.message(
                                        Tree.of("s", Type.STRUCT_, x, Tree.of("y", Type.INT), x),
                                        Tree.of("t", Type.STRUCT_, x))),
                        V5);
        assertEquals(1, layout.child(0, "x"));
        assertEquals(3, layout.nextChild(0, "x", 1));
        assertEquals(-1, layout.nextChild(0, "x", 3));
        assertEquals(5, layout.child(4, "x".getBytes(StandardCharsets.UTF_8)));
        assertEquals(-1, layout.child(4, "y"));
        assertEquals(-1, layout.find("x"));
    }

    // ---- Many

    /// All of one name, as all of one bucket: still no time that grows with the square.
    @Test
    void hundredThousandDuplicates() {
        int count = 100_000;
        Tree b = Tree.of("b", Type.INT);
        Tree[] same =
                IntStream.range(0, count)
                        .mapToObj(i -> Tree.of("same", Type.STRUCT_, b))
                        .toArray(Tree[]::new);
        Schema schema = Bound.schema(Tree.message(same));
        assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> {
                    assertEquals(count, all(schema, "same").size());
                    BatchLayout layout = BatchLayout.compile(schema, V5);
                    assertEquals(count, paths(layout, "same.b").size());
                });
    }

    @Test
    void everyOneOfManyIsFound() {
        List<String> names = IntStream.range(0, 20_000).mapToObj(i -> "column_" + i).toList();
        Schema schema = Bound.schema(Tree.message(columns(names)));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        for (int i = 0; i < names.size(); i++) {
            assertEquals(i, layout.find(names.get(i)));
            assertEquals(2 * i, layout.bufferIndex(i));
            assertEquals(-1, layout.find(names.get(i) + "x"));
        }
    }
}
