// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// Walks a tree of tables in pre-order, a parent before its children, where all tables are of one
/// kind: [TreeShape] says what it looks at. A subclass names what it shows.
///
/// One walk serves all depths: it is bound to one table at a time, and remembers the way to it. A
/// table of the first level is called a root. Before the first step and at the end there is no current
/// table, and what the walk shows of one means nothing.
///
/// It sets no limit: tables that are shared can unfold to more tables than there are bytes, and to any
/// depth. When you walk through bytes that are not trusted, count, and stop.
///
/// A step decodes all that a walk shows except pairs, so it is steps and pairs that throw a
/// [FlatBufferFormatException]; after that the walk has to be wrapped again.
///
/// It allocates only when it comes deeper than ever before. Lifetime and threads: see [Table].
public abstract class TreeWalk extends TreeNode {
    /// [#passRoots] has passed all roots.
    public static final int END = 0;

    /// [#passRoots] has come to a root of the wanted name.
    public static final int NAMED = 1;

    /// [#passRoots] has come to a root that it cannot weigh.
    public static final int SPECIAL = 2;

    private static final int USUAL_DEPTH = 8;

    private long rootsAt;
    private int rootCount;

    // The vector that the current table is in: its first offset, the next one, and where it ends.
    private long first;
    private long next;
    private long end;
    // The same of the tables on the way to it.
    private long[] firsts = new long[USUAL_DEPTH];
    private long[] nexts = new long[USUAL_DEPTH];
    private long[] ends = new long[USUAL_DEPTH];
    private int depth;
    private boolean skips;
    private long weight;
    private int tables;
    private final Utf8Slice slice = new Utf8Slice();

    /// Creates a walk through nothing.
    ///
    /// @param shape of the tables
    protected TreeWalk(TreeShape shape) {
        super(shape);
    }

    /// Begins before the first root.
    ///
    /// @param from a flyweight of the same buffer that is bound
    /// @param vector position of the length word of the vector of roots
    /// @param count how many there are
    /// @throws IllegalStateException if `from` is not bound, or out of date
    protected final void wrap(Table from, long vector, int count) {
        attach(from);
        rootsAt = vector + Wire.OFFSET_BYTES;
        rootCount = count;
        rewind();
    }

    /// Starts over, before the first root.
    public final void rewind() {
        roots(0);
    }

    private void roots(int index) {
        first = rootsAt;
        next = rootsAt + ((long) index << 2);
        end = rootsAt + ((long) rootCount << 2);
        depth = 0;
        skips = false;
        childrenCount = 0;
    }

    // ---- moving

    /// {@return number of roots}
    protected final int rootCount() {
        return rootCount;
    }

    /// Goes to a root.
    ///
    /// @param index from 0 to [#rootCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such root
    protected final void root(int index) {
        roots(Objects.checkIndex(index, rootCount));
        step();
    }

    /// Lets the next step lead to what follows a root.
    ///
    /// @param index from -1, which is before the first, to [#rootCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such root
    protected final void afterRoot(int index) {
        roots(Objects.checkIndex(index + 1, rootCount + 1));
    }

    /// Goes to the next table: the current one's first child, if it has any and [#skipChildren] was
    /// not called, else what follows.
    ///
    /// @return false at the end
    public final boolean next() {
        return nextBelow(-1);
    }

    /// Goes to the next table as [#next] does, but not out of a subtree.
    ///
    /// @param level the depth of the subtree's top, which is the current table or one above it
    /// @return false at the end of the subtree; [#again] then goes back to its top
    public final boolean nextBelow(int level) {
        if (childrenCount != 0) {
            enter();
        }
        if (depth <= level || next == end && !ascends(level)) {
            return false;
        }
        step();
        return true;
    }

    /// Goes back to a table above the current one, or to the current one, and decodes it again.
    ///
    /// @param level its depth
    /// @throws IndexOutOfBoundsException if there is no such table
    public final void again(int level) {
        Objects.checkIndex(level, Math.max(depth, 0) + 1);
        if (level < depth) {
            pop(level);
        }
        depth = level;
        Objects.checkIndex(next - first - Wire.OFFSET_BYTES, end - first);
        next -= Wire.OFFSET_BYTES;
        skips = false;
        step();
    }

    /// Lets the next step lead past the current table's children.
    public final void skipChildren() {
        skips = childrenCount != 0;
    }

    private void enter() {
        if (skips) {
            skips = false;
            childrenCount = 0; // where the subtree ends here, no step reads the next count
            return;
        }
        if (depth == nexts.length) {
            grow();
        }
        firsts[depth] = first;
        nexts[depth] = next;
        ends[depth] = end;
        depth++;
        first = childrenAt + Wire.OFFSET_BYTES;
        next = first;
        end = first + ((long) childrenCount << 2);
    }

    private void grow() {
        firsts = Arrays.copyOf(firsts, depth << 1);
        nexts = Arrays.copyOf(nexts, depth << 1);
        ends = Arrays.copyOf(ends, depth << 1);
    }

    private void pop(int level) {
        first = firsts[level];
        next = nexts[level];
        end = ends[level];
    }

    /// Leaves vectors that have come to their end.
    ///
    /// @return whether there is something to come below `level`
    private boolean ascends(int level) {
        childrenCount = 0; // the last one's, which may have been skipped
        while (next == end && --depth > level) {
            pop(depth);
        }
        if (depth == level && level >= 0) {
            pop(level);
        }
        return depth > level;
    }

    private void step() {
        final long reference = next;
        next = reference + Wire.OFFSET_BYTES;
        read(reference);
    }

    /// Passes roots, from the one after the current one on, and adds up the weights of these and of
    /// all tables below them. It is fast as it reads little: of most tables the tag, the length of the
    /// name and the number of children.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @param weights 256 weights, one for each tag; negative where the tag alone does not tell a
    ///   table's weight
    /// @param most the most tables to pass
    /// @param levels the most levels of tables to pass
    /// @return [#NAMED] if the current root now has that name; [#SPECIAL] if it has another name,
    ///   and it or a table below it has a negative weight or is marked, is nested deeply, or is one
    ///   too many; [#END] if there are no more roots. The current root's own weight is not added in
    protected final int passRoots(byte[] wanted, int length, long[] weights, int most, int levels) {
        final int count = rootCount;
        int index = root() + 1;
        long sum = 0;
        int result = END;
        tables = 0;
        if (index < count) {
            table.live();
            final byte[] a = table.array();
            final MemorySegment s = table.segment();
            for (; index < count; index++) {
                table.open(a, s, rootsAt + ((long) index << 2), shape.sizes());
                final long nameTarget = table.target(a, s, shape.name());
                if (table.count(a, s, nameTarget, 0) == length
                        && isNamed(nameTarget, wanted, length)) {
                    result = NAMED;
                    break;
                }
                final int before = tables;
                final long own = weigh(a, s, weights, most, Math.min(levels, USUAL_DEPTH));
                if (own < 0) {
                    tables = before;
                    result = SPECIAL;
                    break;
                }
                sum += own;
            }
        }
        weight = sum;
        afterRoot(index - 1);
        if (result != END) {
            step();
        }
        return result;
    }

    /// Weighs the table that was opened last, with all below it.
    ///
    /// @return its weight, -1 if it is special
    private long weigh(byte[] a, MemorySegment s, long[] weights, int most, int levels) {
        final int type = table.int8(a, s, shape.tag(), 0) & 0xFF;
        long sum = weights[type];
        if (sum < 0 || table.slot(shape.mark()) != 0 || tables >= most) {
            return -1;
        }
        tables++;
        final long vector = table.target(a, s, shape.children());
        final int count = table.count(a, s, vector, 2);
        if (count == 0) {
            return sum;
        }
        if (levels == 1) {
            return -1;
        }
        final long start = vector + Wire.OFFSET_BYTES;
        for (int i = 0; i < count; i++) {
            table.open(a, s, start + ((long) i << 2), shape.sizes());
            final long own = weigh(a, s, weights, most, levels - 1);
            if (own < 0) {
                return -1;
            }
            sum += own;
        }
        return sum;
    }

    /// Goes to the next root after the current one that has a name; of the roots between, only the
    /// names are looked at.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @return false if there is none; the walk is then at its end
    /// @throws IndexOutOfBoundsException if a name is compared and `wanted` has fewer bytes
    protected final boolean findRoot(byte[] wanted, int length) {
        final int count = rootCount;
        final long vector = rootsAt - Wire.OFFSET_BYTES;
        for (int next = root() + 1; next < count; next = root() + 1) {
            final int found =
                    NameScan.find(table.live(), vector, next, count, shape.name(), wanted, length);
            if (found == count) {
                break;
            }
            root(found < 0 ? ~found : found);
            if (found >= 0 || nameEquals(wanted, length)) {
                return true;
            }
        }
        afterRoot(count - 1);
        return false;
    }

    private boolean isNamed(long target, byte[] wanted, int length) {
        if (target == 0) {
            return length == 0;
        }
        table.slice(target, length, slice);
        return slice.contentEquals(wanted, 0, length);
    }

    /// {@return number of tables that the last [#passRoots] has passed, children included}
    protected final int passedTables() {
        return tables;
    }

    /// {@return the sum of the weights of the tables that the last [#passRoots] has passed}
    public final long passedWeight() {
        return weight;
    }

    // ---- the current table

    /// {@return levels above it: 0 for a root; -1 at the end}
    public final int depth() {
        return depth;
    }

    /// {@return the current root, or the one that the current table is below; -1 before the first}
    protected final int root() {
        return (int) ((depth > 0 ? nexts[0] : next) - rootsAt >> 2) - 1;
    }

    /// {@return its place among its siblings, from 0}
    public final int ordinal() {
        return (int) (next - first >> 2) - 1;
    }

    /// Binds a flyweight to the current table.
    ///
    /// @param into bound to it
    /// @throws IllegalStateException if there is no current table, or the walk is out of date
    protected final void table(Table into) {
        if (depth < 0 || next == first) {
            throw new IllegalStateException("the walk is at no table");
        }
        Table.bind(into, table, next - Wire.OFFSET_BYTES);
    }

    /// Compares the name with bytes.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @return whether the name is that; an absent one reads as the empty one
    public final boolean nameEquals(byte[] wanted, int length) {
        return nameLength == length && isNamed(nameAt, wanted, length);
    }

    /// Compares the name with a text, without decoding or allocating.
    ///
    /// @param text any text
    /// @return whether it is present and exactly `text`
    public final boolean nameEquals(CharSequence text) {
        return table.sliceEquals(nameAt, nameLength, text);
    }

    /// {@return hash of the name, the lower half of what [Utf8Text] gives; an absent one reads as
    /// the empty one}
    ///
    /// @param seed any number
    public final int nameHash(long seed) {
        return (int) (name(slice) ? Utf8Text.hash(slice, seed) : Utf8Text.hash("", 0, 0, seed));
    }
}
