// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.wire.Wire;

/// The checks that follow from a vtable for the tables of one kind: the reach of their fields,
/// their alignment, and their offsets. A plan depends on the vtable's bytes and the options, so it
/// is valid for every table with an equal vtable, in any buffer.
public final class VtablePlan {
    /// The kind of an offset's target.
    static final int STRING = 1;

    static final int VECTOR = 2;
    static final int TABLE = 3;
    static final int TABLES = 4;
    static final int UNION = 5;

    // Values of #unfit: at any position, at a multiple of four.
    private static final int ANYWHERE = 0xFF;
    private static final int ALIGNED = 0x11;

    /// The vtable's own size.
    int vtableBytes;

    /// All present fields, and the table itself if its size is checked, end within this many bytes
    /// from the table's start.
    int reach;

    /// By the vtable alone: bit i is set if a table at i mod 8 is faulty.
    int unfit;

    /// The offsets of the table, followed by a 0:
    ///
    /// ```text
    ///   distance:16  kind of target:8  slot:8  detail:32
    /// ```
    ///
    /// `distance` is from the table's start. `detail` is the kind of table, the distance of a
    /// union's tag, or for a vector the size of an element in the low half and its alignment in the
    /// high half.
    final long[] offsets;

    /// Number of calls of [#make].
    int made;

    // The vtable's bytes, and masks of their relevant bits: both sizes, slots 0 to 3, slots 4 to 7.
    private int head = -1;
    private int headMask;
    private long low;
    private long lowMask;
    private long high;
    private long highMask;

    private int count;

    /// Creates a plan that fits no vtable yet.
    ///
    /// @param offsets maximum number of offsets in a table
    VtablePlan(int offsets) {
        this.offsets = new long[offsets + 1];
    }

    /// Returns whether this is the plan of a vtable.
    ///
    /// @param sizes the vtable's own size and the table's
    /// @param lowSlots slots 0 to 3
    /// @param highSlots slots 4 to 7
    boolean isOf(int sizes, long lowSlots, long highSlots) {
        return (sizes & headMask) == head
                && (lowSlots & lowMask) == low
                && (highSlots & highMask) == high;
    }

    /// Finds the plan of a vtable, for the parameters of [#isOf].
    ///
    /// @param in plans; those after the last one are null
    /// @return null if there is none
    static VtablePlan find(VtablePlan[] in, int sizes, long lowSlots, long highSlots) {
        for (VtablePlan each : in) {
            if (each == null || each.isOf(sizes, lowSlots, highSlots)) {
                return each;
            }
        }
        return null;
    }

    /// Computes the plan of a vtable.
    void make(QuickRules rules, int kind, int sizes, long lowSlots, long highSlots) {
        Checks options = rules.options;
        TableDeclaration declaration = rules.declared.table(kind);
        int[][] targets = rules.declared.targets(kind);
        made++;
        vtableBytes = sizes & 0xFFFF;
        boolean isSized = options.has(Check.TABLE_SIZE) && vtableBytes >= Wire.VTABLE_HEAD_BYTES;
        int tableSize = isSized ? sizes >>> Short.SIZE : Integer.MAX_VALUE;
        int slotBits = (vtableBytes - Wire.VTABLE_HEAD_BYTES) * Byte.SIZE;
        headMask = isSized ? -1 : 0xFFFF;
        lowMask = Wire.lowBits(-1, slotBits);
        highMask = Wire.lowBits(-1, slotBits - Long.SIZE);
        head = sizes & headMask;
        low = lowSlots & lowMask;
        high = highSlots & highMask;
        count = 0;
        reach = isSized ? tableSize : 0;
        boolean isFaulty =
                (vtableBytes & 1) != 0
                        || (options.has(Check.VTABLE_SIZE) && vtableBytes < Wire.VTABLE_HEAD_BYTES)
                        || tableSize < Wire.OFFSET_BYTES;
        unfit = isFaulty ? ANYWHERE : rules.wordMask == 0 ? 0 : ANYWHERE ^ ALIGNED;
        for (int i = 0; i < declaration.fields().size(); i++) {
            FieldDeclaration field = declaration.fields().get(i);
            int distance = slot(field.slot());
            if (field.isUnion()) {
                addUnion(field, distance, options.has(Check.UNION_PAIRS));
            }
            if (distance == 0) {
                unfit |= field.required() ? ANYWHERE : 0;
            } else {
                int end = distance + field.inlineBytes();
                int alignment = options.has(Check.ALIGNMENT) ? field.inlineAlignment() : 1;
                reach = Math.max(reach, end);
                unfit |= end > tableSize ? ANYWHERE : 0;
                unfit |= (distance & (alignment - 1)) != 0 ? 1 : 0;
                unfit |= (distance + Integer.BYTES & (alignment - 1)) != 0 ? 1 << 4 : 0;
                addOffset(field, distance, targets[field.slot()]);
            }
        }
        offsets[count] = 0;
    }

    /// {@return distance of a field from the table's start; 0 if it is absent}
    public int slot(int index) {
        return (int) ((index < 4 ? low : high) >>> (index << 4)) & 0xFFFF;
    }

    private void addOffset(FieldDeclaration field, int distance, int[] to) {
        switch (field.kind()) {
            case STRING -> add(distance, STRING, field, 0);
            case VECTOR -> add(distance, VECTOR, field, field.bytes() | field.alignment() << 16);
            case TABLE -> add(distance, TABLE, field, to[0]);
            case TABLES -> add(distance, TABLES, field, to[0]);
            default -> {}
        }
    }

    /// Leaves a value without a tag, and a tag without a value, to the full pass.
    private void addUnion(FieldDeclaration field, int distance, boolean isPaired) {
        int tag = slot(field.tagSlot());
        if (distance != 0) {
            add(distance, UNION, field, tag);
            unfit |= tag == 0 ? ANYWHERE : 0;
        } else if (isPaired && tag != 0) {
            unfit = ANYWHERE;
        }
    }

    private void add(int distance, int code, FieldDeclaration field, int detail) {
        offsets[count++] = distance | code << 16 | (long) field.slot() << 24 | (long) detail << 32;
    }

    /// Whether no table with the vtable is valid.
    boolean fitsNowhere() {
        return unfit == ANYWHERE;
    }

    /// {@return the distances of the fields of slots 0 to 3, 16 bits each; 0 if absent}
    public long lowSlots() {
        return low;
    }

    /// {@return the distances of the fields of slots 4 to 7}
    public long highSlots() {
        return high;
    }

    static int distance(long offset) {
        return (int) offset & 0xFFFF;
    }

    static int code(long offset) {
        return (int) offset >>> 16 & 0xFF;
    }

    static int slotOf(long offset) {
        return (int) offset >>> 24;
    }

    static int detail(long offset) {
        return (int) (offset >>> 32);
    }
}
