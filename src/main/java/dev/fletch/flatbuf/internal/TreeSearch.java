// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.flatbuf.Table;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Goes through a tree of tables of one kind in one loop: looks for a name on the first level, or
/// sums the weights of all tables. Of each table it reads only the fields it needs.
///
/// Faster: lays out the last of 100,000 columns in less than half the time of binding each.
///
/// Errors, lifetime and threads: see [Table].
public final class TreeSearch extends Table {
    private static final int USUAL_LEVELS = 8;

    /// Number of consecutive tables alike after which [#usual] is worth its call.
    private static final int RUN = 16;

    /// Maximum number of tables in a call of [#usual]. The JVM replaces a longer call while it runs
    /// (OSR), by code that takes up to 1.5 times as long.
    private static final int PART = 1024;

    /// The length of no name.
    private static final int NO_NAME = -1;

    /// Neither a vtable nor a position.
    private static final long NONE = -1;

    private final long sizes;
    private final int nameSlot;
    private final int tagSlot;
    private final int stopSlot;
    private final int childrenSlot;

    // For each level above: position of the next offset, and end of the vector.
    private long[] nexts = new long[USUAL_LEVELS];
    private long[] ends = new long[USUAL_LEVELS];

    // Distances of the fields of tables with the vtable read last; `lastTable` is the last position
    // where such a table fits into the range.
    private long planned;
    private long lastTable;
    private int toName;
    private int toTag;
    private int toChildren;
    private boolean isStop;

    private int tables;
    private long weight;
    private long usualWeight;

    /// Creates an unbound pass.
    ///
    /// @param sizes of the table's fields in bytes, slot 0 in the lowest byte
    /// @param name slot of a string
    /// @param tag slot of a byte whose default is 0
    /// @param stop slot of a field at which the pass stops
    /// @param children slot of the vector of children
    public TreeSearch(long sizes, int name, int tag, int stop, int children) {
        this.sizes = sizes;
        nameSlot = name;
        tagSlot = tag;
        stopSlot = stop;
        childrenSlot = children;
    }

    /// Shares the memory of a bound flyweight.
    public void wrap(Table of) {
        attach(of);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        throw new UnsupportedOperationException();
    }

    /// Finds a table of the first level by its name.
    ///
    /// @param vector position of the vector's length word
    /// @param from index of the first table
    /// @param to index after the last one
    /// @param name the name in UTF-8; an absent name reads as empty
    /// @return index of the first table with the name; `to` if there is none
    public int find(long vector, int from, int to, byte[] name) {
        return pass(vector, from, to, name, name.length, null, 0, 0);
    }

    /// Passes tables of the first level, and sums their weights and those of all tables below them.
    ///
    /// @param vector position of the vector's length word
    /// @param from index of the first table
    /// @param to index after the last one
    /// @param weights 256 weights, one for each tag; negative if the tag does not determine the
    ///     weight
    /// @param most the most tables to pass
    /// @param levels the most levels of tables to pass
    /// @return index of the first table at or below which the pass stops: at a negative weight, a
    ///     present stop field, one level too many or one table too many; `to` if there is none
    public int pass(long vector, int from, int to, long[] weights, int most, int levels) {
        return pass(vector, from, to, null, NO_NAME, weights, most, levels);
    }

    /// @param name null to sum weights
    /// @param weights null to look for the name
    private int pass(
            long vector,
            int from,
            int to,
            byte[] name,
            int length,
            long[] weights,
            int most,
            int levels) {
        byte[] a = array();
        MemorySegment s = segment();
        MemoryRange memory = live();
        long last = memory.end - Wire.OFFSET_BYTES;
        long first = vector + Wire.OFFSET_BYTES;
        planned = NONE;
        lastTable = NONE;
        // Most names differ at their end. Negative: the name has no word of eight bytes.
        int toWord = length - Long.BYTES;
        long word = toWord >= 0 ? Wire.int64(name, toWord) : 0;
        int count = 0;
        long sum = 0;
        long next = first + ((long) from << 2);
        long end = first + ((long) to << 2);
        int depth = 0;
        int run = 0; // tables with one vtable, and without children if these count
        while (true) {
            if (depth == 0) {
                tables = count;
                weight = sum;
            }
            if (next == end) {
                if (depth == 0) {
                    return to;
                }
                depth--;
                next = nexts[depth];
                end = ends[depth];
                continue;
            }
            if (run >= RUN && (a != null || memory.isNative())) {
                long room = weights == null ? PART : Math.min(PART, most - count);
                long stop = Math.min(end, next + (room << 2));
                long usual = usual(next, stop, length, toWord, word, weights);
                count += (int) (usual - next >> 2);
                sum += usualWeight;
                next = usual;
                run = next == stop && room == PART ? RUN : 0;
                continue;
            }
            run++;
            long table = next + Wire.uint32(a, s, next);
            if (table > lastTable || table - Wire.long32(a, s, table) != planned) {
                open(a, s, next, sizes);
                planned = table - Wire.long32(a, s, table);
                lastTable = last - reach();
                toName = slot(nameSlot);
                toTag = slot(tagSlot);
                toChildren = slot(childrenSlot);
                isStop = slot(stopSlot) != 0;
                run = 0;
            }
            next += Wire.OFFSET_BYTES;
            if (weights == null) {
                long text = target(a, s, table, toName, last);
                long chars = text + Wire.OFFSET_BYTES;
                if (count(a, s, text, 1) == length
                        && (toWord < 0 || Wire.int64(a, s, chars + toWord) == word)
                        && Wire.equals(a, s, chars, name, null, 0, length)) {
                    break;
                }
                count++;
                continue;
            }
            int tag = toTag == 0 ? 0 : Wire.int8(a, s, table + toTag) & 0xFF;
            long own = weights[tag];
            if (own < 0 || isStop || count >= most) {
                break;
            }
            count++;
            sum += own;
            long children = target(a, s, table, toChildren, last);
            int below = count(a, s, children, 4);
            if (below != 0) {
                if (depth + 1 >= levels) {
                    break;
                }
                run = 0;
                enter(depth++, next, end);
                next = children + Wire.OFFSET_BYTES;
                end = next + ((long) below << 2);
            }
        }
        return (int) ((depth == 0 ? next : nexts[0]) - first >> 2) - 1;
    }

    /// Passes tables with the vtable read last: on the first level, with another name; with
    /// weights, with a tag and an empty vector of children.
    ///
    /// Faster: without this small loop, which calls and stores nothing, finding the last of 100,000
    /// columns of one type takes twice as long.
    ///
    /// @param next position of the first table's offset
    /// @param end of the offsets
    /// @return position of the offset of the first other table, or `end`
    private long usual(long next, long end, int length, int toWord, long word, long[] weights) {
        byte[] a = array();
        // Both in this method: the compiler must know the class of what the loop reads.
        MemoryRange memory = live();
        MemorySegment s = a == null ? MemoryRange.cast(memory.plainSegment()) : null;
        long vtable = planned;
        long limit = lastTable;
        long last = memory.end - Wire.OFFSET_BYTES;
        int name = toName;
        int tag = toTag;
        int vector = toChildren;
        long sum = 0;
        long at = next;
        if (length >= 0 && name == 0 || weights != null && (vector == 0 || isStop)) {
            usualWeight = 0;
            return at;
        }
        for (; at < end; at += Wire.OFFSET_BYTES) {
            long table = at + Wire.uint32(a, s, at);
            if (table > limit || table - Wire.long32(a, s, table) != vtable) {
                break;
            }
            if (length >= 0) {
                long text = table + name + Wire.uint32(a, s, table + name);
                if (text > last) {
                    break;
                }
                long chars = Wire.uint32(a, s, text);
                if (chars > last - text
                        || chars == length
                                && (toWord < 0
                                        || Wire.int64(a, s, text + Wire.OFFSET_BYTES + toWord)
                                                == word)) {
                    break;
                }
            }
            if (weights != null) {
                long own = tag == 0 ? -1 : weights[Wire.int8(a, s, table + tag) & 0xFF];
                long children = table + vector + Wire.uint32(a, s, table + vector);
                if (own < 0 || children > last || Wire.int32(a, s, children) != 0) {
                    break;
                }
                sum += own;
            }
        }
        usualWeight = sum;
        return at;
    }

    private void enter(int depth, long next, long end) {
        if (depth == nexts.length) {
            nexts = Arrays.copyOf(nexts, depth << 1);
            ends = Arrays.copyOf(ends, depth << 1);
        }
        nexts[depth] = next;
        ends[depth] = end;
    }

    /// {@return number of tables that the last [#pass] has passed, including nested ones}
    public int passedTables() {
        return tables;
    }

    /// {@return the sum of the weights of the tables that the last [#pass] has passed}
    public long passedWeight() {
        return weight;
    }
}
