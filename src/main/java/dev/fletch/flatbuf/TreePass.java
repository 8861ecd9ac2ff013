// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Goes along a tree of tables of one kind in one loop: looks for a name among those of the first level,
/// and adds up the weights of all before it. Of each table it reads only what that needs.
///
/// Faster: finds the last of 100,000 columns in less than half the time that binding a flyweight to
/// each takes.
///
/// Errors, lifetime and threads: see [Table].
public final class TreePass extends Table {
    private static final int USUAL_LEVELS = 8;

    private final long sizes;
    private final int nameSlot;
    private final int tagSlot;
    private final int stopSlot;
    private final int childrenSlot;

    // Position of the next offset, and where the vector ends, of the tables above.
    private long[] nexts = new long[USUAL_LEVELS];
    private long[] ends = new long[USUAL_LEVELS];

    private int tables;
    private long weight;

    /// Creates one that is bound to nothing.
    ///
    /// @param sizes of the table's fields in bytes, slot 0 in the lowest byte
    /// @param name slot of a string
    /// @param tag slot of a byte that is 0 where it is absent
    /// @param stop slot of a field at which the pass stops
    /// @param children slot of the vector of children
    public TreePass(long sizes, int name, int tag, int stop, int children) {
        this.sizes = sizes;
        nameSlot = name;
        tagSlot = tag;
        stopSlot = stop;
        childrenSlot = children;
    }

    /// Shares the memory of a flyweight.
    ///
    /// @param of a flyweight that is bound
    /// @throws IllegalStateException if `of` is not bound, or out of date
    public void wrap(Table of) {
        attach(of);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        throw new UnsupportedOperationException();
    }

    /// Finds a name among tables of the first level; an absent one reads as the empty one.
    ///
    /// @param vector position of the vector's length word
    /// @param from which table to begin with
    /// @param to number of tables
    /// @param name has UTF-8 bytes
    /// @param length how many of them
    /// @return index of the table, `to` if there is none
    /// @throws IndexOutOfBoundsException if a name is compared and `name` has fewer bytes
    public int find(long vector, int from, int to, byte[] name, int length) {
        return pass(vector, from, to, name, length, null, 0, 0);
    }

    /// Passes tables of the first level, and adds up the weights of these and of all below them.
    ///
    /// @param vector position of the vector's length word
    /// @param from which table to begin with
    /// @param to number of tables
    /// @param name has UTF-8 bytes
    /// @param length how many of them
    /// @param weights 256 weights, one for each tag; negative where the tag alone does not tell it;
    ///   null to look at names alone
    /// @param most the most tables to pass
    /// @param levels the most levels of tables to pass
    /// @return index of the first table that has the name, or that has, or has below it, a negative
    ///   weight, a field at which to stop, one level too many or one table too many; `to` if there is none
    /// @throws IndexOutOfBoundsException if a name is compared and `name` has fewer bytes
    public int pass(
            long vector,
            int from,
            int to,
            byte[] name,
            int length,
            long[] weights,
            int most,
            int levels) {
        final byte[] a = array();
        final MemorySegment s = segment();
        final long last = source.end - Wire.OFFSET_BYTES;
        final long first = vector + Wire.OFFSET_BYTES;
        // Where the fields of tables with the vtable that was read last are; `lastTable` is the
        // last place
        // where such a table is inside the range.
        long vtable = UNBOUND;
        long lastTable = UNBOUND;
        int toName = 0;
        int toTag = 0;
        int toChildren = 0;
        boolean isStop = false;
        // Names mostly differ at their end.
        final int toWord = length - Long.BYTES;
        final boolean hasWord = toWord >= 0 && length <= name.length;
        final long word = hasWord ? Wire.int64(name, toWord) : 0;
        int count = 0;
        long sum = 0;
        int passed = 0;
        long passedSum = 0;
        long next = first + ((long) from << 2);
        long end = first + ((long) to << 2);
        int depth = 0;
        while (true) {
            if (depth == 0) {
                passed = count;
                passedSum = sum;
            }
            if (next == end) {
                if (depth == 0) {
                    tables = passed;
                    weight = passedSum;
                    return to;
                }
                depth--;
                next = nexts[depth];
                end = ends[depth];
                continue;
            }
            final long table = next + Wire.uint32(a, s, next);
            if (table > lastTable || table - Wire.long32(a, s, table) != vtable) {
                open(a, s, next, sizes);
                vtable = table - Wire.long32(a, s, table);
                lastTable = last - reach;
                toName = slot(nameSlot);
                toTag = slot(tagSlot);
                toChildren = slot(childrenSlot);
                isStop = slot(stopSlot) != 0;
            }
            next += Wire.OFFSET_BYTES;
            if (depth == 0) {
                final long text = target(a, s, table, toName, last);
                final long chars = text + Wire.OFFSET_BYTES;
                if (count(a, s, text, 1) == length
                        && (!hasWord || Wire.int64(a, s, chars + toWord) == word)
                        && Wire.equals(a, s, chars, name, null, 0, length)) {
                    break;
                }
            }
            if (weights == null) {
                continue;
            }
            final int tag = toTag == 0 ? 0 : Wire.int8(a, s, table + toTag) & 0xFF;
            final long own = weights[tag];
            if (own < 0 || isStop || count >= most) {
                break;
            }
            count++;
            sum += own;
            final long children = target(a, s, table, toChildren, last);
            final int below = count(a, s, children, 4);
            if (below != 0) {
                if (depth + 1 >= levels) {
                    break;
                }
                enter(depth++, next, end);
                next = children + Wire.OFFSET_BYTES;
                end = next + ((long) below << 2);
            }
        }
        tables = passed;
        weight = passedSum;
        return (int) ((depth == 0 ? next : nexts[0]) - first >> 2) - 1;
    }

    private void enter(int depth, long next, long end) {
        if (depth == nexts.length) {
            nexts = Arrays.copyOf(nexts, depth << 1);
            ends = Arrays.copyOf(ends, depth << 1);
        }
        nexts[depth] = next;
        ends[depth] = end;
    }

    private long target(byte[] a, MemorySegment s, long table, int distance, long last) {
        if (distance == 0) {
            return 0;
        }
        final long at = table + distance;
        final long target = at + Wire.uint32(a, s, at);
        if (target > last) {
            throw malformed("offset", at, target - at);
        }
        return target;
    }

    /// {@return number of tables that the last [#pass] has passed, those below others included}
    public int passedTables() {
        return tables;
    }

    /// {@return the sum of the weights of the tables that the last [#pass] has passed}
    public long passedWeight() {
        return weight;
    }
}
