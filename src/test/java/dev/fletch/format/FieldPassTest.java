// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.testdata.GeneratedTables;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// [FieldWalk#passAlike] against a tree of objects that is added up field by field.
class FieldPassTest {
    private static final int[] TYPES = {Type.INT, Type.UTF8, Type.STRUCT_, Type.LIST, Type.DATE};
    private static final int NAMES = 7;

    /// Most columns of one call.
    private static final int PART = 1024;

    /// Columns, and their children.
    private static final int LEVELS = 2;

    /// Names of several lengths that begin or end alike.
    private static final String[] NAME =
            IntStream.range(0, NAMES)
                    .mapToObj(i -> "x".repeat(i * 3) + i / 2 + "y".repeat(i % 3 * 5))
                    .toArray(String[]::new);

    private final Random random = new Random(71);

    record Node(String name, int type, boolean isEncoded, List<Node> children) {
        int write(FlatBufferBuilder builder) {
            int[] below = children.stream().mapToInt(each -> each.write(builder)).toArray();
            // A vector without elements, too.
            int vector = org.apache.arrow.flatbuf.Field.createChildrenVector(builder, below);
            int text = name == null ? 0 : builder.createString(name);
            int encoding =
                    isEncoded
                            ? GeneratedTables.dictionaryEncoding(builder, 1, 0, false, (short) 0)
                            : 0;
            return GeneratedTables.field(builder, text, true, (byte) type, 0, encoding, vector, 0);
        }

        boolean isNamed(String wanted) {
            return wanted.equals(name == null ? "" : name);
        }
    }

    private Node node(int levels, int odd) {
        List<Node> children = new ArrayList<>();
        for (int i = levels == 0 ? 0 : random.nextInt(4); i > 0; i--) {
            children.add(node(random.nextInt(levels), odd));
        }
        String name = random.nextInt(odd) == 0 ? null : NAME[random.nextInt(NAMES)];
        boolean isEncoded = random.nextInt(odd) == 0;
        return new Node(name, TYPES[random.nextInt(TYPES.length)], isEncoded, children);
    }

    static byte[] schema(List<Node> roots) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int far = builder.createString("so that no field is near the end");
        int pair = org.apache.arrow.flatbuf.KeyValue.createKeyValue(builder, far, 0);
        int pairs =
                org.apache.arrow.flatbuf.Schema.createCustomMetadataVector(
                        builder, new int[] {pair});
        int[] fields = roots.stream().mapToInt(each -> each.write(builder)).toArray();
        int vector = org.apache.arrow.flatbuf.Schema.createFieldsVector(builder, fields);
        builder.finish(GeneratedTables.schema(builder, (short) 0, vector, pairs, 0));
        return builder.sizedByteArray();
    }

    /// What passing comes to.
    private static final class Passing {
        private final List<Node> roots;
        private final long[] weights;
        private final int most;
        private int tables;
        private long weight;

        Passing(List<Node> roots, long[] weights, int most) {
            this.roots = roots;
            this.weights = weights;
            this.most = most;
        }

        /// Passes columns up to `end`, or to the first that is special.
        ///
        /// @return which it has come to
        int pass(int from, int end) {
            tables = 0;
            weight = 0;
            int column = from;
            while (column < end) {
                int before = tables;
                long own = weigh(roots.get(column), LEVELS);
                if (own < 0) {
                    tables = before;
                    break;
                }
                weight += own;
                column++;
            }
            return column;
        }

        private long weigh(Node node, int left) {
            long sum = weights[node.type];
            if (sum < 0 || node.isEncoded || tables++ >= most || left == 0) {
                return -1;
            }
            for (Node child : node.children) {
                long own = weigh(child, left - 1);
                if (own < 0) {
                    return -1;
                }
                sum += own;
            }
            return sum;
        }

        /// Compares a call that may stop earlier, at a table with other fields.
        ///
        /// @return the column that it has come to
        int compare(Schema schema, int from, int to) {
            FieldWalk walk = new FieldWalk().wrap(schema);
            walk.after(from - 1);
            int fields = walk.passAlike(to, weights, most);
            int column = walk.column() + 1;
            assertTrue(from <= column && column <= to, column + " of " + to);
            assertEquals(column, pass(from, column), "a special column was passed");
            assertEquals(tables, fields);
            assertEquals(weight, walk.passedWeight());
            return column;
        }
    }

    private List<Node> roots(int odd) {
        List<Node> roots = new ArrayList<>();
        for (int i = random.nextInt(40); i > 0; i--) {
            roots.add(node(random.nextInt(4), odd));
        }
        return roots;
    }

    @Test
    void columnsArePassedUpToTheEndOrTheFirstSpecialOne() {
        long[] weights = new long[256];
        int passed = 0;
        try (Arena arena = Arena.ofConfined()) {
            for (int round = 0; round < 60; round++) {
                List<Node> roots = roots(round % 2 == 0 ? 1_000_000 : 40);
                MemorySegment heap = MemorySegment.ofArray(schema(roots));
                MemorySegment[] memories = {
                    heap, arena.allocate(heap.byteSize()).copyFrom(heap), heap.asReadOnly()
                };
                for (int i = 0; i < weights.length; i++) {
                    weights[i] = random.nextInt(60) == 0 ? -1 : random.nextInt(1 << 20);
                }
                for (int i = 0; i < 40; i++) {
                    int most = i % 2 == 0 ? Integer.MAX_VALUE : random.nextInt(60);
                    int from = random.nextInt(roots.size() + 1);
                    int rest = roots.size() - from;
                    int to = i % 3 == 0 ? roots.size() : from + random.nextInt(rest + 1);
                    for (MemorySegment memory : memories) {
                        Passing passing = new Passing(roots, weights, most);
                        passed += passing.compare(new Schema().wrap(memory), from, to) - from;
                    }
                }
            }
        }
        assertTrue(passed > 2_000, "columns: " + passed);
    }

    /// Runs of columns without children, longer and shorter than one call passes, with one other
    /// column in them: of another name, a parent of many, without a weight, encoded. Names differ
    /// in their last eight bytes, or only before these.
    @Test
    void longRunsOfColumnsArePassedTheSameWay() {
        String usual = "a usual column";
        Node leaf = new Node(usual, Type.INT, false, List.of());
        List<Node> many = Collections.nCopies(50, leaf);
        List<Node> others =
                List.of(
                        new Node("a usual Column", Type.INT, false, List.of()),
                        new Node("A usual column", Type.INT, false, List.of()),
                        new Node("short", Type.INT, false, List.of()),
                        new Node(usual, Type.STRUCT_, false, many),
                        new Node(usual, Type.LIST, false, List.of(leaf)),
                        new Node(usual, Type.DATE, false, List.of()),
                        new Node(usual, Type.INT, true, List.of()),
                        new Node(null, Type.UTF8, false, List.of()));
        long[] weights = weights(3);
        weights[Type.DATE] = -1;
        weights[Type.UTF8] = 5;
        for (int place : new int[] {0, 1, 15, 16, 17, 18, 1_039, 1_040, 1_041, 2_063, 2_065}) {
            for (Node other : others) {
                List<Node> roots = new ArrayList<>(Collections.nCopies(2_100, leaf));
                roots.set(place, other);
                Schema schema = new Schema().wrap(MemorySegment.ofArray(schema(roots)));
                for (int most : new int[] {0, 1, 16, 17, 40, 1_040, 1_041, 2_099, 9_999}) {
                    for (int to : new int[] {1, 17, 40, 1_041, 2_100}) {
                        for (int from = 0; from < 2; from++) {
                            Passing passing = new Passing(roots, weights, most);
                            int expected = Math.min(passing.pass(from, to), from + PART);
                            boolean isOther = other.name == null; // has another vtable
                            if (isOther && from <= place && place < expected) {
                                expected = place == from ? place + 1 : place;
                            }
                            assertEquals(expected, passing.compare(schema, from, to));
                        }
                    }
                }
                for (String wanted :
                        new String[] {"a usual Column", "A usual column", "short", ""}) {
                    byte[] name = wanted.getBytes(StandardCharsets.UTF_8);
                    int found = new FieldWalk().wrap(schema).find(name);
                    assertEquals(other.isNamed(wanted) ? place : -1, found);
                }
            }
        }
    }

    private static long[] weights(long each) {
        long[] weights = new long[256];
        Arrays.fill(weights, each);
        return weights;
    }

    @Test
    void passingAnOutdatedSchemaIsRefused() {
        Schema schema =
                new Schema().wrap(MemorySegment.ofArray(schema(List.of(node(0, 100), node(0, 9)))));
        FieldWalk walk = new FieldWalk().wrap(schema);
        schema.wrap(MemorySegment.ofArray(schema(List.of())));
        byte[] name = {'a', 'b'};
        long[] weights = new long[256];
        assertThrows(IllegalStateException.class, () -> walk.passAlike(1, weights, 9));
        assertThrows(IllegalStateException.class, () -> walk.find(name));
    }

    @Test
    void columnsBehindTheEndAreNotPassed() {
        Node leaf = new Node("a", Type.INT, false, List.of());
        byte[] bytes = schema(List.of(leaf, leaf, leaf));
        FieldWalk walk = new FieldWalk().wrap(new Schema().wrap(MemorySegment.ofArray(bytes)));
        walk.after(1);
        for (int to : new int[] {-1, 1, 4}) {
            assertThrows(IndexOutOfBoundsException.class, () -> walk.passAlike(to, weights(1), 9));
        }
        assertEquals(1, walk.column());
    }
}
