// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.testdata.FieldNames;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Columns and fields found by name: in a layout of all, in one of these alone, and by a walk.
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
        List<Integer> found = new ArrayList<>();
        for (int c = layout.find(name); c >= 0; c = layout.findNext(name, c)) {
            found.add(c);
        }
        for (int after = 0; after < Math.min(100, layout.columnCount()); after++) {
            int column = after;
            int next = found.stream().filter(each -> each > column).findFirst().orElse(-1);
            assertEquals(next, layout.findNext(name, after));
        }
        int byChild = layout.child(-1, name);
        for (int column : found) {
            assertEquals(layout.columnField(column), byChild);
            byChild = layout.nextChild(-1, name, byChild);
        }
        assertEquals(-1, byChild);
        assertEquals(found, laidOut(schema, name));
        assertEquals(found, walked(schema, utf8));
        return found;
    }

    /// Columns with a name, by a layout of them.
    private static List<Integer> laidOut(Schema schema, String name) {
        try {
            BatchLayout found = named(schema, name);
            return IntStream.range(0, found.columnCount())
                    .map(found::schemaColumn)
                    .boxed()
                    .toList();
        } catch (FletchException e) {
            assertEquals(MeaningRule.NO_COLUMN, e.rule());
            return List.of();
        }
    }

    private static BatchLayout named(Schema schema, String name) {
        return BatchLayout.compile(schema, V5, Limits.DEFAULT, Columns.named(name));
    }

    private static List<Integer> walked(Schema schema, byte[] utf8) {
        FieldWalk walk = new FieldWalk().wrap(schema);
        List<Integer> found = new ArrayList<>();
        for (int c = walk.find(utf8); c >= 0; c = walk.find(utf8)) {
            assertEquals(c, walk.column());
            assertTrue(FieldNames.is(walk.field(), utf8));
            found.add(c);
        }
        assertFalse(walk.next());
        return found;
    }

    @Test
    void everyDuplicateIsFoundInOrder() {
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
        assertEquals("a.", layout.pathString(2));
        assertEquals("", layout.nameString(0));
        assertEquals("a", layout.nameString(1));
    }

    /// A text that no bytes encode is no name.
    @Test
    void unpairedSurrogatesMatchNoName() {
        Schema schema = Bound.schema(Tree.message(columns(List.of("?", "\uFFFD", "a", ""))));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        for (String text : List.of("\uD83D", "\uDE42", "a\uD83D", "\uD83Da", "\uDE42\uD83D")) {
            assertEquals(-1, layout.find(text));
            assertThrows(IllegalArgumentException.class, () -> Columns.named(text));
        }
    }

    @Test
    void childrenAreFoundBelowTheirParent() {
        Tree x = Tree.of("x", Type.INT);
        BatchLayout layout =
                Bound.layout(
                        Tree.of("s", Type.STRUCT_, x, Tree.of("y", Type.INT), x),
                        Tree.of("t", Type.STRUCT_, x));
        assertEquals(1, layout.child(0, "x"));
        assertEquals(3, layout.nextChild(0, "x", 1));
        assertEquals(-1, layout.nextChild(0, "x", 3));
        assertEquals(5, layout.child(4, "x"));
        assertEquals(-1, layout.child(4, "y"));
        assertEquals(-1, layout.find("x"));
    }

    // ---- many

    /// All of one name, as all of one bucket: still no time that grows with the square.
    @Test
    void hundredThousandDuplicatesAreFoundInTime() {
        int count = 100_000;
        Tree b = Tree.of("b", Type.INT);
        Tree[] same =
                IntStream.range(0, count)
                        .mapToObj(i -> Tree.of("same", Type.STRUCT_, b))
                        .toArray(Tree[]::new);
        Schema schema = Bound.schema(Tree.message(same));
        assertTimeoutPreemptively(
                Duration.ofSeconds(30), () -> assertEquals(count, all(schema, "same").size()));
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
