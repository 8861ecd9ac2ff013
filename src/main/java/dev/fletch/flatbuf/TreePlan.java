// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

/// A vtable that [TreeNode] has come across, unpacked.
///
/// What it buys: in one schema every second field has another vtable than the field before it, so
/// remembering only the last one is right half of the time; and a slot that is a plain field is one
/// load, where a packed one is a load, a shift and a mask. A plan is valid until its walk is
/// wrapped again.
final class TreePlan {
    /// No offset leads there.
    static final long NONE = Long.MIN_VALUE;

    /// A plan for no vtable.
    static final TreePlan NOTHING = new TreePlan();

    /// Where it is; [#NONE] if it is not known in this wrap.
    long vtable = NONE;

    private long low;
    private long high;

    /// No field starts further than this behind the table's start.
    int reach;

    // Bytes from the table's start to the field, 0 if absent.
    int name;
    int flag;
    int tag;
    int value;
    int mark;
    int children;
    int pairs;

    /// Takes a table's slots. They are compared first: where a message of the same schema is
    /// wrapped again, nothing has changed.
    void take(long position, TreeShape shape, long lowSlots, long highSlots) {
        vtable = position;
        if (low == lowSlots && high == highSlots) {
            return;
        }
        low = lowSlots;
        high = highSlots;
        reach = Slots.reach(low, high);
        name = slot(shape.name());
        flag = slot(shape.flag());
        tag = slot(shape.tag());
        value = slot(shape.value());
        mark = slot(shape.mark());
        children = slot(shape.children());
        pairs = slot(shape.pairs());
    }

    /// Takes the slots of a table with two strings: they are in [#name] and [#value].
    void takePair(long position, long lowSlots) {
        vtable = position;
        name = (int) lowSlots & 0xFFFF;
        value = (int) lowSlots >>> 16;
        reach = name | value;
    }

    private int slot(int index) {
        return (int) ((index < 4 ? low : high) >>> (index << 4)) & 0xFFFF;
    }
}
