// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// Looks for a name in a vector of tables, and adds up the weights of the tables before it and of all
/// tables below them: the fast way past what is usual. [TreeWalk] goes through everything. A subclass
/// says what the tables are.
///
/// What it buys: no flyweight is bound to a table. A vtable that was seen before tells where
/// everything is, so that a table costs ten reads in one small loop.
///
/// It stops before any table that is out of the ordinary: one that lacks a name or is marked, that
/// leads out of the range, that is so near to its end that a wide read could pass it, or whose weight
/// takes more than its tag. The caller looks at that table exactly. Of the tables before, it says what
/// [TreeWalk] would say.
///
/// Nothing is allocated after set-up.
///
/// **Lifetime and threads.** Valid until the root wraps again. It belongs to one thread at a time.
public abstract class TableScan {
    /// [#pass] has come to the end.
    public static final int END = 0;

    /// [#pass] has come to a table of the wanted name.
    public static final int NAMED = 1;

    /// [#pass] has come to a table that has to be looked at exactly.
    public static final int UNUSUAL = 2;

    /// Vtables that are kept, each at the place that its position gives.
    private static final int PLANS = 8;

    /// The position of no vtable, and of none that bytes could lead to.
    private static final long NOWHERE = Long.MIN_VALUE;

    /// The plan for tables that are not usual; any other one has a tag somewhere.
    private static final long NO_PLAN = 0;

    // Where a plan has how far behind a table's start its fields are, 0 for one that is absent; the
    // name is in the lowest 16 bits.
    static final int TAG_SHIFT = 16;
    static final int CHILDREN_SHIFT = 32;
    static final int REACH_SHIFT = 48;
    static final int LANE = 0xFFFF;

    /// Most levels of tables that are gone through.
    private static final int MOST_LEVELS = 8;

    private final TreeShape shape;
    private final Anchor anchor = new Anchor();
    private final long[] vtables = new long[PLANS];
    private final long[] plans = new long[PLANS];
    long vector;
    private int count;
    private long lowestVtable;

    // What the pass that is under way was asked.
    private int from;
    byte[] wanted;
    int length;
    long[] weights;
    private int most;
    private int levels;

    // The next table, how many tables below others were passed, and what all weigh.
    int index;
    int below;
    long weight;

    // Where the next table has to be before, and how many tables below others may be passed
    // without another look.
    int stop;
    long slack;

    // Where in names eight bytes are compared before all others.
    int window;

    /// Creates a scan of nothing.
    ///
    /// @param shape of the tables
    protected TableScan(TreeShape shape) {
        this.shape = shape;
    }

    /// Binds to a vector.
    ///
    /// @param of a flyweight of the same buffer that is bound
    /// @param at position of the vector's length word; all of the vector is in range
    /// @param tables how many it has
    /// @throws IllegalStateException if `of` is not bound, or out of date
    protected final void wrap(Table of, long at, int tables) {
        anchor.attach(of);
        vector = at;
        count = tables;
        lowestVtable = anchor.live().end;
        Arrays.fill(vtables, NOWHERE); // the memory may hold other bytes now
    }

    // ---- passing

    /// Goes along the vector.
    ///
    /// @param first which table to begin with, from 0 to the number of tables
    /// @param name UTF-8 bytes of the wanted name
    /// @param bytes how many of them
    /// @param weigh 256 weights, one for each tag; negative where the tag alone does not tell a table's
    ///   weight
    /// @param limit the most tables to pass, those below others included
    /// @param depth the most levels of tables to pass
    /// @return [#NAMED] if the table at [#index()] has that name; [#UNUSUAL] if it has to be looked
    ///   at exactly, its name included; [#END] if all tables were passed
    /// @throws IllegalStateException if nothing was wrapped, or the root has wrapped again since
    /// @throws IndexOutOfBoundsException if there is no such table, or `name` has fewer bytes
    public final int pass(int first, byte[] name, int bytes, long[] weigh, int limit, int depth) {
        from = Objects.checkIndex(first, count + 1);
        Objects.checkFromIndexSize(0, bytes, name.length);
        length = bytes;
        wanted = name;
        weights = weigh;
        most = limit;
        levels = Math.min(depth, MOST_LEVELS);
        index = first;
        below = 0;
        weight = 0;
        window = Math.max(0, bytes - Long.BYTES);
        final Source range = anchor.live();
        int result = END;
        while (result == END && index < count) {
            passAlike(range);
            result = index < count ? passOne(range) : END;
        }
        return result;
    }

    private long referenceAt(int table) {
        return vector + Wire.OFFSET_BYTES + ((long) table << 2);
    }

    /// Passes tables of one vtable up to one that takes more: another vtable, a name that could be
    /// the wanted one, children that have children, or anything that is not usual.
    private void passAlike(Source range) {
        final long table = tableAt(range, referenceAt(index));
        final long plan = plan(range, table);
        if ((plan & LANE) == 0 || (plan >>> CHILDREN_SHIFT & LANE) == 0) {
            return;
        }
        final long vtable = vtableOf(range, table);
        final long room = (long) from + most - below;
        stop = (int) Math.min(count, room);
        slack = levels < 2 ? 0 : room - stop;
        final byte[] a = range.array;
        if (a != null) {
            ScanHeap.pass(this, a, plan, vtable, range.end - Long.BYTES);
        } else if (range.isNative()) {
            ScanNative.pass(this, range.segment(), plan, vtable, range.end - Long.BYTES);
        }
    }

    /// Passes the next table, if it is usual and has not the wanted name.
    ///
    /// @return [#END] if it was passed
    private int passOne(Source range) {
        final long table = tableAt(range, referenceAt(index));
        final long plan = plan(range, table);
        final int toName = (int) plan & LANE;
        if (toName == 0 || table > range.end - Long.BYTES - (plan >>> REACH_SHIFT)) {
            return UNUSUAL;
        }
        final byte[] a = range.array;
        final MemorySegment s = a == null ? range.segment() : null;
        final long last = range.end - Wire.OFFSET_BYTES;
        final long name = table + toName + Wire.uint32(a, s, table + toName);
        if (name > last || Wire.uint32(a, s, name) > last - name) {
            return UNUSUAL;
        }
        if (Wire.word32(a, s, name) == length && isNamed(a, s, name + Wire.OFFSET_BYTES)) {
            return NAMED;
        }
        final int passed = below;
        final long own = weighOne(range, table, plan, most - (index - from), levels);
        if (own < 0) {
            below = passed;
            return UNUSUAL;
        }
        below--; // it is no table below another one
        weight += own;
        index++;
        return END;
    }

    /// {@return the eight bytes of the wanted name that are compared first, or all of a shorter one}
    final long part() {
        return NameScan.endOf(wanted, window, Math.min(length, window + Long.BYTES));
    }

    /// Compares a name. One that is different moves the window to where: other names may be so, too.
    private boolean isNamed(byte[] a, MemorySegment s, long text) {
        for (int i = 0; i < length; i++) {
            if (Wire.word8(a, s, text + i) != wanted[i]) {
                window = Math.max(0, Math.min(i, length - Long.BYTES));
                return false;
            }
        }
        return true;
    }

    /// Passes a table with all below it, and counts all of these as tables below another one.
    ///
    /// @param room the most tables below others to pass, those before included
    /// @param left levels that are left, the table's included
    /// @return what they weigh; negative if that is not known
    private long weighOne(Source range, long table, long plan, int room, int left) {
        final byte[] a = range.array;
        final MemorySegment s = a == null ? range.segment() : null;
        final long lastWord = range.end - Long.BYTES;
        final int toTag = (int) (plan >>> TAG_SHIFT) & LANE;
        final int toChildren = (int) (plan >>> CHILDREN_SHIFT) & LANE;
        if (plan == NO_PLAN || table > lastWord - (plan >>> REACH_SHIFT) || below >= room) {
            return -1;
        }
        below++;
        final long own = weights[Wire.word8(a, s, table + toTag) & 0xFF];
        if (own < 0 || toChildren == 0) {
            return own;
        }
        final long last = lastWord + Wire.OFFSET_BYTES;
        final long children = table + toChildren + Wire.uint32(a, s, table + toChildren);
        if (children > last) {
            return -1;
        }
        final int size = Wire.int32(a, s, children);
        if (size == 0) {
            return own;
        }
        if (left <= 1 || size < 0 || size > (last - children) >>> 2) {
            return -1;
        }
        long sum = own;
        for (int i = 0; i < size; i++) {
            final long child = tableAt(range, children + Wire.OFFSET_BYTES + ((long) i << 2));
            final long more = weighOne(range, child, plan(range, child), room, left - 1);
            if (more < 0) {
                return -1;
            }
            sum += more;
        }
        return sum;
    }

    // ---- plans

    private static long vtableOf(Source range, long table) {
        final byte[] a = range.array;
        final MemorySegment s = a == null ? range.segment() : null;
        return table - Wire.long32(a, s, table);
    }

    private static long tableAt(Source range, long reference) {
        final byte[] a = range.array;
        final MemorySegment s = a == null ? range.segment() : null;
        return reference + Wire.uint32(a, s, reference);
    }

    /// Looks for the plan of a table's vtable, or makes it.
    ///
    /// @return the plan, [#NO_PLAN] if the table is not usual
    private long plan(Source range, long table) {
        if (table > range.end - Long.BYTES) {
            return NO_PLAN;
        }
        final long vtable = vtableOf(range, table);
        final int place = (int) (vtable >>> 1) & PLANS - 1;
        if (vtables[place] != vtable) {
            plans[place] = make(range, vtable);
            vtables[place] = vtable;
            if (plans[place] != NO_PLAN) {
                lowestVtable = Math.min(lowestVtable, vtable);
            }
        }
        return plans[place];
    }

    private long make(Source range, long vtable) {
        final byte[] a = range.array;
        final MemorySegment s = a == null ? range.segment() : null;
        if (vtable < range.start || vtable > range.end - Wire.WIDE_VTABLE_BYTES) {
            return NO_PLAN;
        }
        final int size = Wire.int16(a, s, vtable) & 0xFFFE; // a slot cut in half is none
        if (size > range.end - vtable) {
            return NO_PLAN;
        }
        final long slots = vtable + Wire.VTABLE_HEAD_BYTES;
        final int bits = (size - Wire.VTABLE_HEAD_BYTES) << 3;
        final long low = Wire.lowBits(Wire.int64(a, s, slots), bits);
        final long high = Wire.lowBits(Wire.int64(a, s, slots + Long.BYTES), bits - Long.SIZE);
        final long tag = distance(low, high, shape.tag());
        if (tag == 0 || distance(low, high, shape.mark()) != 0) {
            return NO_PLAN;
        }
        return distance(low, high, shape.name())
                | tag << TAG_SHIFT
                | distance(low, high, shape.children()) << CHILDREN_SHIFT
                | (long) Slots.reach(low, high) << REACH_SHIFT;
    }

    private static long distance(long low, long high, int slot) {
        return (slot < 4 ? low : high) >>> (slot << 4) & LANE; // a shift counts modulo 64
    }

    // ---- what was passed

    /// {@return index of the table that [#pass] has come to}
    public final int index() {
        return index;
    }

    /// {@return number of tables that the last [#pass] has passed, those below others included}
    public final int passedTables() {
        return index - from + below;
    }

    /// {@return the sum of the weights of all tables that the last [#pass] has passed}
    public final long passedWeight() {
        return weight;
    }

    /// {@return a byte offset that is not above any vtable of the tables passed since [#wrap]; the
    /// buffer's end if there were none}
    ///
    /// @throws IllegalStateException if nothing was wrapped, or the root has wrapped again since
    public final long lowestVtable() {
        return anchor.live().offsetOf(lowestVtable);
    }

    /// Says whether the root is still bound as it was.
    private static final class Anchor extends Table {
        @Override
        protected void decode(byte[] a, MemorySegment s, long reference) {
            throw new UnsupportedOperationException();
        }
    }
}
