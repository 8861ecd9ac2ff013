// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// Walks a tree of tables in pre-order, a parent before its children, where all tables are of one
/// kind and have a name, a tag and a vector of children; it reads no more of them than that.
///
/// One walk is one flyweight for all depths: it is bound to one table at a time, and remembers the
/// way to it. A table of the first level is called a root.
///
/// It sets no limit: bytes that are no tree but share tables can unfold to more tables than they
/// have bytes, and to any depth. Whoever walks through bytes that are not trusted counts, and
/// stops.
///
/// Allocates only when it comes deeper than ever before. Errors, lifetime and threads: see [Table].
public final class TreeWalk extends Table {
    /// [#pass] has passed all roots.
    public static final int END = 0;

    /// [#pass] has come to a root of the wanted name.
    public static final int NAMED = 1;

    /// [#pass] has come to a root that it cannot weigh.
    public static final int SPECIAL = 2;

    private static final int USUAL_DEPTH = 8;

    private long nameAt;
    private int nameLength;
    private byte tag;
    private long valueAt;
    private long markAt;
    private long childrenAt;
    private int childrenCount;

    // The way to the current table: on each level the vector that it or its ancestor is in.
    private long[] vectors = new long[USUAL_DEPTH];
    private int[] counts = new int[USUAL_DEPTH];
    private int[] nexts = new int[USUAL_DEPTH];
    private int depth;
    private boolean descends;
    private long weight;
    private int tables;
    private final Utf8Slice name = new Utf8Slice();

    private final long sizes;
    private final int nameSlot;
    private final int tagSlot;
    private final int valueSlot;
    private final int markSlot;
    private final int childrenSlot;

    /// Creates a walk through nothing.
    ///
    /// @param sizes of the table's fields in bytes, slot 0 in the lowest byte
    /// @param nameSlot slot of the string
    /// @param tagSlot slot of the union's number, which is 0 where it is absent
    /// @param valueSlot slot of the union's table
    /// @param markSlot slot of another table
    /// @param childrenSlot slot of the vector
    public TreeWalk(
            long sizes, int nameSlot, int tagSlot, int valueSlot, int markSlot, int childrenSlot) {
        this.sizes = sizes;
        this.nameSlot = nameSlot;
        this.tagSlot = tagSlot;
        this.valueSlot = valueSlot;
        this.markSlot = markSlot;
        this.childrenSlot = childrenSlot;
    }

    /// Begins before the first root.
    ///
    /// @param from a flyweight of the same buffer that is bound
    /// @param vector position of the length word of the vector of roots
    /// @param count how many there are
    /// @throws IllegalStateException if `from` is not bound, or out of date
    public void wrap(Table from, long vector, int count) {
        attach(from);
        vectors[0] = vector;
        counts[0] = count;
        rewind();
    }

    /// Begins anew, before the first root.
    public void rewind() {
        nexts[0] = 0;
        depth = 0;
        descends = false;
    }

    @Override
    protected void decode(Table from, long reference) {
        open(from, reference, sizes);
        final byte[] a = array();
        final MemorySegment s = segment();
        nameAt = target(a, s, nameSlot);
        nameLength = count(a, s, nameAt, 0);
        tag = int8(a, s, tagSlot, 0);
        valueAt = field(valueSlot);
        markAt = field(markSlot);
        childrenAt = target(a, s, childrenSlot);
        childrenCount = count(a, s, childrenAt, 2);
    }

    // ---- moving

    /// {@return number of roots}
    public int rootCount() {
        return counts[0];
    }

    /// Goes to a root.
    ///
    /// @param index from 0 to [#rootCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such root
    public void root(int index) {
        nexts[0] = Objects.checkIndex(index, counts[0]);
        depth = 0;
        step();
    }

    /// Lets the next step lead to what follows a root.
    ///
    /// @param index from -1, which is before the first, to [#rootCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such root
    public void after(int index) {
        Objects.checkIndex(index + 1, counts[0] + 1);
        nexts[0] = index + 1;
        depth = 0;
        descends = false;
    }

    /// Goes to the next table: the current one's first child, if it has any and [#skipChildren] was
    /// not called, else what follows.
    ///
    /// @return false at the end
    public boolean next() {
        return nextBelow(-1);
    }

    /// Goes to the next table as [#next] does, but not out of a subtree.
    ///
    /// @param level the depth of the subtree's root, which is the current table or above it
    /// @return false at the end of the subtree, where [#again] goes back to its root
    public boolean nextBelow(int level) {
        if (descends && childrenCount > 0) {
            push();
        }
        while (depth > level && nexts[depth] == counts[depth]) {
            descends = false;
            depth--;
        }
        if (depth <= level) {
            return false;
        }
        step();
        return true;
    }

    /// Goes back to the table on the way to the current one, or to the one that was current.
    ///
    /// @param level its depth
    public void again(int level) {
        depth = level;
        nexts[level]--;
        step();
    }

    /// Lets the next step lead past the current table's children.
    public void skipChildren() {
        descends = false;
    }

    private void push() {
        depth++;
        if (depth == vectors.length) {
            vectors = Arrays.copyOf(vectors, depth << 1);
            counts = Arrays.copyOf(counts, depth << 1);
            nexts = Arrays.copyOf(nexts, depth << 1);
        }
        vectors[depth] = childrenAt;
        counts[depth] = childrenCount;
        nexts[depth] = 0;
    }

    private void step() {
        bind(this, this, element(vectors[depth], nexts[depth], counts[depth]));
        nexts[depth]++;
        descends = true;
    }

    /// Passes roots, from the one behind the current one on, and adds up what they and their
    /// children weigh. What makes it fast is what it leaves out: of most tables it reads the tag,
    /// the length of the name and how many children there are.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @param weights 256 numbers, one for each tag; negative where it takes more than that
    ///     number to weigh a table
    /// @param most the most tables to pass
    /// @param levels the most levels of tables to pass
    /// @return [#NAMED] if the current root now has that name; [#SPECIAL] if it has another name,
    ///     and it or a table below it has a negative weight or is marked, is nested deeply, or
    ///     is one too many; [#END] if there are no more roots. The current root's own weight is not
    ///     added in
    public int pass(byte[] wanted, int length, long[] weights, int most, int levels) {
        final int count = counts[0];
        int next = nexts[0];
        long sum = 0;
        int result = END;
        tables = 0;
        if (next < count) {
            final long first = element(vectors[0], 0, count);
            final byte[] a = array();
            final MemorySegment s = segment();
            for (; next < count; next++) {
                open(this, first + ((long) next << 2), sizes);
                final long nameTarget = target(a, s, nameSlot);
                if (count(a, s, nameTarget, 0) == length && isNamed(nameTarget, wanted, length)) {
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
        after(next - 1);
        if (result != END) {
            step();
        }
        return result;
    }

    /// Weighs the table that was opened last, with all below it.
    ///
    /// @return its weight, -1 if it is special
    private long weigh(byte[] a, MemorySegment s, long[] weights, int most, int levels) {
        final int type = int8(a, s, tagSlot, 0) & 0xFF;
        long sum = weights[type];
        if (sum < 0 || slot(markSlot) != 0 || tables >= most) {
            return -1;
        }
        tables++;
        final long vector = target(a, s, childrenSlot);
        final int count = count(a, s, vector, 2);
        if (count == 0) {
            return sum;
        }
        if (levels == 1) {
            return -1;
        }
        final long first = element(vector, 0, count);
        for (int i = 0; i < count; i++) {
            open(this, first + ((long) i << 2), sizes);
            final long own = weigh(a, s, weights, most, levels - 1);
            if (own < 0) {
                return -1;
            }
            sum += own;
        }
        return sum;
    }

    /// Goes to the next root of a name behind the current one; of others only the name is looked at.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @return false if there is none; the walk is at its end then
    public boolean find(byte[] wanted, int length) {
        final int count = counts[0];
        while (nexts[0] < count) {
            final int found =
                    NameScan.find(live(), vectors[0], nexts[0], count, nameSlot, wanted, length);
            if (found == count) {
                break;
            }
            root(found < 0 ? ~found : found);
            if (found >= 0 || nameEquals(wanted, length)) {
                return true;
            }
        }
        after(count - 1);
        return false;
    }

    private boolean isNamed(long target, byte[] wanted, int length) {
        if (target == 0) {
            return length == 0;
        }
        slice(target, length, name);
        return name.contentEquals(wanted, 0, length);
    }

    /// {@return number of tables that the last [#pass] has passed, children included}
    public int passedTables() {
        return tables;
    }

    /// {@return the sum of the weights of the tables that the last [#pass] has passed}
    public long passedWeight() {
        return weight;
    }

    // ---- the current table

    /// {@return levels above it: 0 for a root}
    public int depth() {
        return depth;
    }

    /// {@return the current root, or the one that the current table is below; -1 before the first}
    public int root() {
        return nexts[0] - 1;
    }

    /// {@return its place among its siblings}
    public int ordinal() {
        return nexts[depth] - 1;
    }

    /// Binds a slice to the name.
    ///
    /// @param into bound to the string's bytes
    /// @return false if it is absent; `into` is then left as it was
    public boolean name(Utf8Slice into) {
        return slice(nameAt, nameLength, into);
    }

    /// {@return length of the name in bytes, 0 if it is absent}
    public int nameLength() {
        return nameLength;
    }

    /// Compares the name with bytes.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @return whether the name is that; an absent one reads as the empty one
    public boolean nameEquals(byte[] wanted, int length) {
        return nameLength == length && isNamed(nameAt, wanted, length);
    }

    /// {@return hash of the name, the lower half of what [Utf8Text] gives; an absent one reads as
    /// the empty one}
    ///
    /// @param seed any number
    public int nameHash(long seed) {
        return (int) (name(name) ? Utf8Text.hash(name, seed) : Utf8Text.hash("", 0, 0, seed));
    }

    /// {@return the union's number}
    public int tag() {
        return tag & 0xFF;
    }

    /// Binds to the union's table, whatever its kind is.
    ///
    /// @param into bound to it
    /// @return false if it is absent; `into` is then left as it was
    public boolean value(Table into) {
        return bindAt(into, valueAt);
    }

    /// {@return whether the other table is there}
    public boolean isMarked() {
        return markAt != 0;
    }

    /// Binds to the other table.
    ///
    /// @param into bound to it
    /// @return false if it is absent; `into` is then left as it was
    public boolean mark(Table into) {
        return bindAt(into, markAt);
    }

    private boolean bindAt(Table into, long reference) {
        if (reference == 0) {
            return false;
        }
        bind(into, this, reference);
        return true;
    }

    /// {@return number of its children}
    public int childrenCount() {
        return childrenCount;
    }
}
