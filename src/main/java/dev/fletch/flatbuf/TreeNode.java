// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.flatbuf.TreeTables.Pair;
import dev.fletch.flatbuf.TreeTables.Value;

import java.util.Objects;

/// The current table of a [TreeWalk]: what was decoded, and how.
///
/// What is usual is decoded by [TreeHeap] and [TreeNative]; the rest, and memory that is neither,
/// by [TreeTables].
abstract class TreeNode {
    /// How much of a value is taken along; no table of Arrow's types is longer.
    static final int VALUE_BYTES = 16;

    private static final int PLANS = 16;
    private static final long UNFIT = -1;

    final TreeShape shape;

    /// Bound where the walk is.
    final TreeTables.Node table = new TreeTables.Node(this);

    // The memory, as the table has it: each load less between two calls counts.
    private Source source;
    private byte[] array;

    /// First position of the range.
    private long start;

    /// The last position that an offset can have; [#UNFIT] where the range is too wide for the fast
    /// way.
    private long last;

    /// Three of the plans that are known in this wrap, or plans for nothing. Three comparisons cost
    /// less than a place in a table that is worked out: what is guessed need not be waited for.
    TreePlan plan0 = TreePlan.NOTHING;

    TreePlan plan1 = TreePlan.NOTHING;
    TreePlan plan2 = TreePlan.NOTHING;

    private final TreePlan[] plans = new TreePlan[PLANS];
    private int learnedTables;
    final TreePlan pairPlan = new TreePlan();

    long nameAt;
    int nameLength;
    byte flag;
    int tag;
    long valueAt;
    long markAt;
    long childrenAt;
    int childrenCount;
    long pairsAt;
    int pairsCount;

    // The value's first sixteen bytes, where in them its fields are, and its vector.
    long valueLow;
    long valueHigh;
    long valueSlots;
    long vectorAt;
    int vectorCount;

    // The pair that was asked for last.
    long keyAt;
    int keyLength;
    long textAt;
    int textLength;

    private final Value value = new Value(this);
    private final Pair pair = new Pair(this);

    TreeNode(TreeShape shape) {
        this.shape = shape;
        for (int i = 0; i < PLANS; i++) {
            plans[i] = new TreePlan();
        }
    }

    final void attach(Table from) {
        table.attach(from);
        final Source memory = table.source;
        if (array != memory.array) {
            array = memory.array;
        }
        if (source != memory) {
            source = memory;
        }
        start = memory.start;
        final long length = memory.end - memory.start;
        last = length <= Integer.MAX_VALUE ? memory.end - Wire.OFFSET_BYTES : UNFIT;
        // The memory may hold another message now.
        learnedTables = 0;
        plan0 = TreePlan.NOTHING;
        plan1 = TreePlan.NOTHING;
        plan2 = TreePlan.NOTHING;
        pairPlan.vtable = TreePlan.NONE;
    }

    // ---- vtables

    /// The bits that the slots of this number's value don't have, where it has parameters and is as
    /// usual: aligned, and within [#VALUE_BYTES]. 0 if it has no parameters.
    final long oddSlots(int number) {
        final long[] odd = shape.oddSlots();
        return number < odd.length ? odd[number] : 0;
    }

    /// Size of the elements of the current value's vector as a power of two, -1 if it has none.
    final int vectorShift() {
        return shape.valueVectors()[tag] - 1;
    }

    /// Looks for a vtable among the others that are known, else reads it, and lets it be one of the
    /// three.
    final void learn(long at, long vtable) {
        TreePlan plan = known(vtable);
        if (plan == null) {
            table.readVtable(source, at, vtable);
            plan = plans[learnedTables++ & PLANS - 1];
            plan.take(vtable, shape, table.lowSlots(), table.highSlots());
        }
        if (plan0.vtable == TreePlan.NONE) {
            plan0 = plan;
        } else if (plan1.vtable == TreePlan.NONE) {
            plan1 = plan;
        } else {
            plan2 = plan;
        }
    }

    private TreePlan known(long vtable) {
        for (int i = Math.min(learnedTables, PLANS) - 1; i >= 0; i--) {
            if (plans[i].vtable == vtable) {
                return plans[i];
            }
        }
        return null;
    }

    final void learnPair(long at, long vtable) {
        pair.readVtable(source, at, vtable);
        pairPlan.takePair(vtable, pair.lowSlots());
    }

    // ---- decoding

    /// Decodes the table that an offset leads to.
    final void read(long reference) {
        if (source.epoch != table.epoch) {
            table.live(); // throws
        }
        if (!readFast(reference)) {
            childrenCount = 0;
            Table.bind(table, table, reference);
        }
    }

    private boolean readFast(long reference) {
        final byte[] a = array;
        if (a != null) {
            return TreeHeap.read(this, a, (int) reference, (int) start, (int) last);
        }
        return source.isNative() && TreeNative.read(this, source.segment(), reference, start, last);
    }

    /// Goes to a pair.
    ///
    /// @param vector position of the length word of the vector that it is in
    /// @param index from 0 to `count` - 1
    /// @param count how many there are
    /// @throws IndexOutOfBoundsException if there is no such pair
    protected final void pair(long vector, int index, int count) {
        Objects.checkIndex(index, count);
        if (source.epoch != table.epoch) {
            table.live(); // throws
        }
        final long reference = vector + Wire.OFFSET_BYTES + ((long) index << 2);
        if (!pairFast(reference)) {
            Table.bind(pair, table, reference);
        }
    }

    private boolean pairFast(long reference) {
        final byte[] a = array;
        if (a != null) {
            return TreeHeap.pair(this, a, (int) reference, (int) last);
        }
        return source.isNative() && TreeNative.pair(this, source.segment(), reference, last);
    }

    /// Decodes the value field by field.
    final void readValue() {
        Table.bind(value, table, valueAt);
    }

    final void forgetValue() {
        valueSlots = 0;
        vectorAt = 0;
        vectorCount = 0;
    }

    // ---- the current table

    /// Binds a slice to the name.
    ///
    /// @param into bound to the string's bytes
    /// @return false if it is absent; `into` is then left as it was
    public final boolean name(Utf8Slice into) {
        return table.slice(nameAt, nameLength, into);
    }

    /// {@return length of the name in bytes, 0 if it is absent}
    public final int nameLength() {
        return nameLength;
    }

    /// {@return whether the byte is there and is not 0}
    protected final boolean flag() {
        return flag != 0;
    }

    /// {@return the union's number}
    protected final int tag() {
        return tag;
    }

    /// Reads a number of the union's table, if that is of a kind that has any.
    ///
    /// @param slot its slot, from 0 to 2
    /// @param absent what an absent one reads as
    /// @return the number
    protected final int value8(int slot, int absent) {
        final int at = (int) (valueSlots >>> (slot << 4)) & 0xFFFF;
        return at == 0 ? absent : (byte) valueWord(at);
    }

    /// [#value8] for a number of 16 bits.
    ///
    /// @param slot its slot, from 0 to 2
    /// @param absent what an absent one reads as
    /// @return the number
    protected final int value16(int slot, int absent) {
        final int at = (int) (valueSlots >>> (slot << 4)) & 0xFFFF;
        return at == 0 ? absent : (short) valueWord(at);
    }

    /// [#value8] for a number of 32 bits.
    ///
    /// @param slot its slot, from 0 to 2
    /// @param absent what an absent one reads as
    /// @return the number
    protected final int value32(int slot, int absent) {
        final int at = (int) (valueSlots >>> (slot << 4)) & 0xFFFF;
        return at == 0 ? absent : (int) valueWord(at);
    }

    private long valueWord(int at) {
        return (at < Long.BYTES ? valueLow : valueHigh) >>> (at << 3); // counts modulo 64
    }

    /// {@return number of elements of the value's vector, 0 if there is none}
    protected final int valueCount() {
        return vectorCount;
    }

    /// Binds a slice to the value's vector of bytes.
    ///
    /// @param into bound to them
    /// @return false if it is absent; `into` is then left as it was
    protected final boolean valueText(Utf8Slice into) {
        return table.slice(vectorAt, vectorCount, into);
    }

    /// Reads an element of the value's vector of 32-bit numbers.
    ///
    /// @param index from 0 to [#valueCount()] - 1
    /// @return the number
    /// @throws IndexOutOfBoundsException if there is no such element
    protected final int valueElement(int index) {
        return table.int32Element(vectorAt, index, vectorCount);
    }

    /// {@return whether the other table is there}
    protected final boolean isMarked() {
        return markAt != 0;
    }

    /// Binds to the other table.
    ///
    /// @param into bound to it
    /// @return false if it is absent; `into` is then left as it was
    protected final boolean mark(Table into) {
        return bindAt(into, markAt);
    }

    private boolean bindAt(Table into, long reference) {
        if (reference == 0) {
            return false;
        }
        Table.bind(into, table, reference);
        return true;
    }

    /// {@return number of its children}
    public final int childrenCount() {
        return childrenCount;
    }

    /// {@return number of its pairs}
    protected final int pairsCount() {
        return pairsCount;
    }

    // ---- pairs

    /// Goes to one of the current table's pairs.
    ///
    /// @param index from 0 to [#pairsCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such pair
    protected final void pair(int index) {
        pair(pairsAt, index, pairsCount);
    }

    /// {@return length in bytes of the first string of the pair, 0 if it is absent}
    protected final int pairKeyLength() {
        return keyLength;
    }

    /// Binds a slice to the first string of the pair.
    ///
    /// @param into bound to the string's bytes
    /// @return false if it is absent; `into` is then left as it was
    protected final boolean pairKey(Utf8Slice into) {
        return table.slice(keyAt, keyLength, into);
    }

    /// {@return length in bytes of the second string of the pair, 0 if it is absent}
    protected final int pairTextLength() {
        return textLength;
    }

    /// Binds a slice to the second string of the pair.
    ///
    /// @param into bound to the string's bytes
    /// @return false if it is absent; `into` is then left as it was
    protected final boolean pairText(Utf8Slice into) {
        return table.slice(textAt, textLength, into);
    }
}
