// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Arrays;

/// What a vtable means for the tables of one kind: how far they reach, whether their fields are
/// aligned, and which offsets they hold. Worked out once, so that each further table with the same
/// vtable costs two comparisons and its offsets.
///
/// It depends on the slots' values alone, so it stays right from buffer to buffer; only where the
/// vtable lies is forgotten.
final class VtablePlan {
    /// What an offset leads to.
    static final int TABLE = 0;

    static final int TABLES = 1;
    static final int UNION = 2;

    /// There is no word for the table's size, or nobody asked for it.
    static final int NO_TABLE_SIZE = -1;

    /// What no word is under a mask of 0.
    private static final int NO_HEAD = -1;

    private final TableKind kind;
    private final VerifierOptions options;

    // Where the vtable lies that was met last, and in which verification: a position says nothing
    // of another buffer.
    private long vtable;
    private long round;

    /// All fields that are present, and the table itself where its size counts, end so many bytes
    /// behind the table's start.
    int reach;

    /// Bit 0 if the fields do not fit a table at 0 mod 8, bit 1 at 4 mod 8. Also set where no table
    /// fits, wherever it is.
    int unfit;

    // Each of these ends with a 0: a loop that counts is made ready for many rounds, which costs
    // more than the one or two that there are.

    /// Distances of the strings' offsets from the table's start.
    final int[] strings;

    /// Vectors of numbers and structs: see [#vector].
    final int[] vectors;

    /// The offsets that lead to tables.
    final long[] ops;

    /// Whether there are none of these.
    boolean isPlain;

    private int stringCount;
    private int vectorCount;
    private int count;

    private int likeBytes = -1;
    private int likeHead = NO_HEAD;
    private int likeHeadMask;
    private long likeLow;
    private long likeHigh;

    private long low;
    private long high;
    private int tableSize;

    /// How often it was made.
    private int made;

    /// A plan of no table, with nothing to follow.
    static VtablePlan ofNothing() {
        return new VtablePlan(null, null, 0, 0, 0);
    }

    VtablePlan(TableKind kind, VerifierOptions options, int strings, int vectors, int others) {
        this.kind = kind;
        this.options = options;
        this.strings = new int[strings + 1];
        this.vectors = new int[vectors + 1];
        this.ops = new long[others + 1];
    }

    /// Tells whether this is the plan of the vtable at a position.
    boolean isAt(long thisRound, long position) {
        return vtable == position && round == thisRound;
    }

    /// Remembers where its vtable lies.
    VtablePlan at(long thisRound, long position) {
        vtable = position;
        round = thisRound;
        return this;
    }

    /// Where its vtable lies.
    long vtable() {
        return vtable;
    }

    /// Number of the first offset to follow, -1 if there is none.
    int first() {
        return leadsNowhere() ? -1 : 0;
    }

    /// Tells whether there is nothing to follow.
    boolean leadsNowhere() {
        return ops[0] == 0;
    }

    /// Tells whether a vtable has the content of the one that was met last, before anything is cut
    /// off. May be wrong in saying no.
    boolean isLike(int bytes, long lowSlots, long highSlots, int size) {
        return bytes == likeBytes
                && (lowSlots & likeLow) == low
                && (highSlots & likeHigh) == high
                && size == tableSize;
    }

    /// Tells whether a vtable has that content, and with its eight slots is known to be inside the
    /// buffer. May be wrong in saying no.
    ///
    /// @param head its own size and the table's
    boolean isLike(int head, long lowSlots, long highSlots) {
        return (head & likeHeadMask) == likeHead
                && (lowSlots & likeLow) == low
                && (highSlots & likeHigh) == high;
    }

    /// Remembers what [#isLike] compares.
    ///
    /// @param bytes how many bytes of slots the vtable has
    /// @param bits how many bits of them count
    void like(int bytes, int bits) {
        likeBytes = bytes;
        final boolean isSized = tableSize != NO_TABLE_SIZE;
        likeHeadMask = isSized ? -1 : 0xFFFF;
        likeHead = bytes + Wire.VTABLE_HEAD_BYTES | (isSized ? tableSize << Short.SIZE : 0);
        if (bytes > 2 * Long.BYTES) {
            likeHead = NO_HEAD; // too long for what is compared to tell that it is in the buffer
            likeHeadMask = 0;
        }
        likeLow = Wire.lowBits(-1, bits);
        likeHigh = Wire.lowBits(-1, bits - Long.SIZE);
    }

    /// Tells whether it was made from these slots and this table's size.
    boolean hasContent(long lowSlots, long highSlots, int size) {
        return lowSlots == low && highSlots == high && size == tableSize && made != 0;
    }

    /// Finds a field: bytes from the table's start, 0 if it is absent.
    int slot(int index) {
        return (int) ((index < 4 ? low : high) >>> (index << 4)) & 0xFFFF;
    }

    /// Where a slot stands in the vtable that was met last.
    long slotAt(int index) {
        return vtable + Wire.VTABLE_HEAD_BYTES + (long) Short.BYTES * index;
    }

    /// The word for the table's size.
    int tableSize() {
        return tableSize;
    }

    /// Tells apart what it was made for: it is made again when there are many vtables, even while
    /// somebody goes through it.
    int made() {
        return made;
    }

    /// Tells whether the table has no strings.
    boolean hasNoStrings() {
        return strings[0] == 0;
    }

    /// Works out what these slots mean.
    void make(long lowSlots, long highSlots, int size) {
        low = lowSlots;
        high = highSlots;
        tableSize = size;
        made++;
        stringCount = 0;
        vectorCount = 0;
        count = 0;
        unfit = tableSize != NO_TABLE_SIZE && tableSize < Wire.OFFSET_BYTES ? 3 : 0;
        reach = Math.max(tableSize, 0);
        for (int i = 0; i < kind.rules.fields().size(); i++) {
            final FieldRule field = kind.rules.fields().get(i);
            final int at = slot(field.slot());
            if (at == 0) {
                unfit |= field.required() ? 3 : 0;
            } else {
                reach = Math.max(reach, at + field.inlineBytes());
                unfit |= misplaced(field, 0) ? 1 : 0;
                unfit |= misplaced(field, Integer.BYTES) ? 2 : 0;
            }
            if (field.isOffset()) {
                addOffset(field, at);
            }
        }
        strings[stringCount] = 0;
        vectors[vectorCount] = 0;
        Arrays.fill(ops, count, ops.length, 0);
        isPlain = stringCount + vectorCount + count == 0;
    }

    /// Tells whether a field that is present stands wrongly in a table at this place, in range or
    /// not.
    private boolean misplaced(FieldRule field, int table) {
        return misaligned(field, table) || outsideTable(field);
    }

    boolean misaligned(FieldRule field, long table) {
        final long at = table + slot(field.slot());
        return options.checkAlignment() && (at & (field.inlineAlignment() - 1)) != 0;
    }

    boolean outsideTable(FieldRule field) {
        return tableSize != NO_TABLE_SIZE && slot(field.slot()) + field.inlineBytes() > tableSize;
    }

    private void addOffset(FieldRule field, int at) {
        final int[] to = kind.targets[field.slot()];
        switch (field.kind()) {
            case STRING -> {
                if (at != 0) {
                    strings[stringCount++] = at;
                }
            }
            case VECTOR -> {
                if (at != 0) {
                    vectors[vectorCount++] = vector(field, at);
                }
            }
            case UNION -> {
                final int tag = slot(field.tagSlot());
                if (at != 0 || (tag != 0 && options.checkUnionPairs())) {
                    ops[count++] = op(at, field.slot(), UNION, tag);
                }
            }
            default -> {
                if (at != 0) {
                    final int code = field.kind() == FieldRule.Kind.TABLES ? TABLES : TABLE;
                    ops[count++] = op(at, field.slot(), code, to[0]);
                }
            }
        }
    }

    // ---- vectors: distance:16, an element's size:8, its alignment:8

    static int vector(FieldRule field, int distance) {
        return distance | field.bytes() << 16 | field.alignment() << 24;
    }

    static int elementBytes(int vector) {
        return vector >>> 16 & 0xFF;
    }

    static int elementAlignment(int vector) {
        return vector >>> 24;
    }

    // ---- ops: distance:16, slot:8, what the offset leads to:8, and to which kind of table:16 or
    // the
    // distance of a union's tag. A union's distance is 0 where its value is absent and its tag is
    // not.

    private static long op(int at, int slot, int code, int target) {
        return at | (long) slot << 16 | (long) code << 24 | (long) target << 32;
    }

    static int distance(long op) {
        return (int) op & 0xFFFF;
    }

    static int slotOf(long op) {
        return (int) op >>> 16 & 0xFF;
    }

    static int code(long op) {
        return (int) op >>> 24;
    }

    static int target(long op) {
        return (int) (op >>> 32);
    }

    static int tagDistance(long op) {
        return (int) (op >>> 32);
    }
}
