// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.FieldWalk;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The moves of a [FieldWalk], in any order, against a tree of objects.
class FieldWalkMovesTest {
    private static final Class<IndexOutOfBoundsException> OUTSIDE = IndexOutOfBoundsException.class;

    private final Random random = new Random(61);

    /// A field with all below it.
    private record Node(String name, Node parent, int ordinal, List<Node> children) {
        int depth() {
            return parent == null ? 0 : parent.depth() + 1;
        }

        Node up(int level) {
            return depth() == level ? this : parent.up(level);
        }

        FieldPassTest.Node written() {
            List<FieldPassTest.Node> below = children.stream().map(Node::written).toList();
            return new FieldPassTest.Node(name, Type.NULL, false, below);
        }
    }

    private Node node(Node parent, int ordinal, int levels) {
        Node node = new Node("n" + random.nextInt(6), parent, ordinal, new ArrayList<>());
        int children = levels == 0 ? 0 : random.nextInt(4) - random.nextInt(2);
        for (int i = 0; i < children; i++) {
            node.children.add(node(node, i, levels - 1));
        }
        return node;
    }

    private static byte[] schema(List<Node> roots) {
        return FieldPassTest.schema(roots.stream().map(Node::written).toList());
    }

    /// Where a walk should be.
    private final class Model {
        private final List<Node> roots;
        private final FieldWalk walk;

        /// The current field, null before the first column.
        private Node at;

        /// Whether the next step leads past its children.
        private boolean isPassed;

        private boolean isEnded;

        Model(List<Node> roots) {
            this.roots = roots;
            walk = new FieldWalk().wrap(new Schema().wrap(MemorySegment.ofArray(schema(roots))));
        }

        int depth() {
            return isEnded ? -1 : at == null ? 0 : at.depth();
        }

        List<Node> siblings(Node node) {
            return node.parent == null ? roots : node.parent.children;
        }

        boolean nextBelow(int level) {
            if (isEnded || at == null && level >= 0) {
                return false;
            }
            if (at != null && !isPassed && !at.children.isEmpty()) {
                at = at.children.getFirst();
                return true;
            }
            Node node = at;
            while (node != null && node.depth() > level) {
                List<Node> siblings = siblings(node);
                if (node.ordinal + 1 < siblings.size()) {
                    at = siblings.get(node.ordinal + 1);
                    isPassed = false;
                    return true;
                }
                node = node.parent;
            }
            if (at == null && !roots.isEmpty()) {
                at = roots.getFirst();
                isPassed = false;
                return true;
            }
            isPassed = true;
            isEnded = level < 0;
            at = at == null ? null : at.up(Math.max(level, 0));
            return false;
        }

        void move() {
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> assertEquals(nextBelow(-1), walk.next());
                case 3 -> {
                    int level = random.nextInt(depth() + 2) - 1;
                    assertEquals(nextBelow(level), walk.nextBelow(level));
                }
                case 4 -> again();
                case 5 -> {
                    walk.skipChildren();
                    isPassed |= at != null && !isEnded && !at.children.isEmpty();
                }
                case 6 -> {
                    if (!roots.isEmpty()) {
                        int column = random.nextInt(roots.size());
                        walk.column(column);
                        set(roots.get(column), false);
                    }
                    assertThrows(OUTSIDE, () -> walk.column(roots.size()));
                    assertThrows(OUTSIDE, () -> walk.column(-1));
                }
                case 7 -> {
                    int column = random.nextInt(roots.size() + 1) - 1;
                    walk.after(column);
                    set(column < 0 ? null : roots.get(column), true);
                    assertThrows(OUTSIDE, () -> walk.after(roots.size()));
                    assertThrows(OUTSIDE, () -> walk.after(-2));
                }
                default -> find();
            }
            assertState();
        }

        private void set(Node node, boolean passed) {
            at = node;
            isPassed = passed;
            isEnded = false;
        }

        private void again() {
            if (at == null) {
                assertThrows(OUTSIDE, () -> walk.again(0));
                walk.rewind();
                set(null, true);
                return;
            }
            assertThrows(OUTSIDE, () -> walk.again(at.depth() + 1));
            assertThrows(OUTSIDE, () -> walk.again(-1));
            int level = random.nextInt(at.depth() + 1);
            walk.again(level);
            set(at.up(level), false);
            assertCurrent();
        }

        private void find() {
            byte[] name = ("n" + random.nextInt(7)).getBytes(StandardCharsets.UTF_8);
            int found = column() + 1;
            while (found < roots.size() && !roots.get(found).name.equals(new String(name))) {
                found++;
            }
            boolean isThere = found < roots.size();
            assertEquals(isThere ? found : -1, walk.find(name));
            set(roots.isEmpty() ? null : roots.get(isThere ? found : roots.size() - 1), !isThere);
        }

        private int column() {
            return at == null ? -1 : at.up(0).ordinal;
        }

        private void assertState() {
            assertEquals(depth(), walk.depth());
            assertEquals(column(), walk.column());
            if (at != null && !isPassed) {
                assertCurrent();
            }
        }

        private void assertCurrent() {
            assertEquals(at.name, walk.field().nameString());
            assertTrue(walk.field().nameEquals(at.name));
            assertEquals(at.children.size(), walk.field().childrenCount());
        }
    }

    @Test
    void movesInAnyOrderMatchATree() {
        for (int round = 0; round < 150; round++) {
            List<Node> roots = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                roots.add(node(null, roots.size(), random.nextInt(6)));
            }
            Model model = new Model(roots);
            for (int i = 0; i < 400; i++) {
                model.move();
            }
        }
    }

    /// More levels than there is room for at first.
    @Test
    void deepNestingMatchesATree() {
        Node root = new Node("root", null, 0, new ArrayList<>());
        Node last = root;
        for (int i = 1; i < 70; i++) {
            Node below = new Node("n" + i, last, 0, new ArrayList<>());
            last.children.add(below);
            last = below;
        }
        last.parent.children.add(new Node("other", last.parent, 1, List.of()));
        Node second = new Node("second", null, 1, List.of());
        Model model = new Model(List.of(root, second));
        for (int round = 0; round < 3; round++) {
            while (model.nextBelow(-1)) {
                assertTrue(model.walk.next());
                model.assertState();
            }
            assertFalse(model.walk.next());
            model.walk.again(0);
            assertTrue(model.walk.field().nameEquals("second"));
            model.walk.rewind();
            model.set(null, true);
        }
        for (int i = 0; i < 2_000; i++) {
            model.move();
        }
    }
}
