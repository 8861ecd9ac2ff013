// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.wire.Shape;
import dev.fletch.wire.Wire;

import java.util.Arrays;
import java.util.BitSet;

/// Learns a [Shape]: visits a buffer by its tables' declarations and collects the deciding bytes.
public final class ShapeLearner {
    private static final int MOST_STRINGS = 16;
    private static final int MOST_DEPTH = 8;

    /// Returned by [#target].
    private static final int NOWHERE = -1;

    private final DeclaredTables declared;
    private final byte[] bytes;
    private final BitSet deciding = new BitSet();
    private final long[] words = new long[Shape.ENTRY * (Shape.FIRST_WORDS + Shape.MOST_WORDS)];
    private final int[] strings = new int[MOST_STRINGS];
    private int stringCount;

    private ShapeLearner(DeclaredTables declared, byte[] bytes) {
        this.declared = declared;
        this.bytes = bytes;
    }

    /// Learns the shape of a buffer.
    ///
    /// @param declared declarations of all tables
    /// @param root kind of the root table
    /// @param numberSlot slot of the root's number of 64 bits that comparing reads
    /// @param buffer the buffer's bytes
    /// @return the shape; null if the buffer has too many parts or is damaged, or if a union has no
    ///     known tag
    public static Shape learn(DeclaredTables declared, int root, int numberSlot, byte[] buffer) {
        ShapeLearner learner = new ShapeLearner(declared, buffer);
        return learner.learn(root) ? learner.shape(numberSlot) : null;
    }

    private Shape shape(int numberSlot) {
        int root = Wire.int32(bytes, 0);
        int vtable = root - Wire.int32(bytes, root);
        int distance = slot(vtable, numberSlot);
        return new Shape(
                bytes.length,
                distance == 0 ? -1 : root + distance,
                words,
                Arrays.copyOf(strings, stringCount));
    }

    private boolean learn(int root) {
        return bytes.length >= QuickPass.MIN_BYTES && table(root, 0, 0) && collectWords();
    }

    private boolean add(long position, long count) {
        if (position < 0 || count > bytes.length - position) {
            return false;
        }
        deciding.set((int) position, (int) (position + count));
        return true;
    }

    /// The target of an offset, whose bytes are deciding; [#NOWHERE] if it points out of the
    /// buffer.
    private int target(int position) {
        if (!add(position, Wire.OFFSET_BYTES)) {
            return NOWHERE;
        }
        long to = position + (Wire.int32(bytes, position) & 0xFFFFFFFFL);
        return to <= bytes.length - Wire.OFFSET_BYTES ? (int) to : NOWHERE;
    }

    private boolean table(int kind, int reference, int depth) {
        int position = target(reference);
        if (position == NOWHERE || depth == MOST_DEPTH || !add(position, Wire.OFFSET_BYTES)) {
            return false;
        }
        long vtable = (long) position - Wire.int32(bytes, position);
        if (!add(vtable, Wire.VTABLE_HEAD_BYTES)) {
            return false;
        }
        if (!add(vtable, uint16((int) vtable))) {
            return false;
        }
        for (FieldDeclaration field : declared.table(kind).fields()) {
            int distance = slot((int) vtable, field.slot());
            if (distance != 0
                    && !field(kind, field, position + distance, position, (int) vtable, depth)) {
                return false;
            }
        }
        return true;
    }

    private int slot(int vtable, int slot) {
        int position = Wire.VTABLE_HEAD_BYTES + Short.BYTES * slot;
        return position + Short.BYTES <= uint16(vtable) ? uint16(vtable + position) : 0;
    }

    private int uint16(int position) {
        return Wire.int16(bytes, null, position) & 0xFFFF;
    }

    private boolean field(
            int kind, FieldDeclaration field, int position, int table, int vtable, int depth) {
        int[] targets = declared.targets(kind)[field.slot()];
        return switch (field.kind()) {
            case SCALAR, UNION_TAG ->
                    field.bytes() >= Integer.BYTES || add(position, field.bytes());
            case STRUCT -> true;
            case STRING -> string(target(position));
            case VECTOR -> add(target(position), Wire.OFFSET_BYTES);
            case TABLE -> table(targets[0], position, depth + 1);
            case TABLES -> elements(targets[0], target(position), depth + 1);
            case UNION -> {
                int tagAt = table + slot(vtable, field.tagSlot());
                int tag = tagAt == table ? 0 : bytes[tagAt] & 0xFF;
                yield tag != 0
                        && tag <= targets.length
                        && table(targets[tag - 1], position, depth + 1);
            }
        };
    }

    private boolean string(int position) {
        if (position == NOWHERE || stringCount == MOST_STRINGS) {
            return false;
        }
        strings[stringCount++] = position;
        return true;
    }

    private boolean elements(int kind, int position, int depth) {
        if (position == NOWHERE || !add(position, Wire.OFFSET_BYTES)) {
            return false;
        }
        int count = Wire.int32(bytes, position);
        for (int i = 0, p = position; i != count; i++) {
            p += Wire.OFFSET_BYTES;
            if (i == MOST_STRINGS || !table(kind, p, depth)) {
                return false;
            }
        }
        return true;
    }

    /// Covers all deciding bytes: the first words have fixed places, the others are as few as
    /// possible, in ascending order.
    private boolean collectWords() {
        int word = 0;
        while (word < Shape.FIRST_WORDS && bytes.length >= Shape.FIRST_BYTES) {
            collect(word, Long.BYTES * word);
            word++;
        }
        int next = deciding.nextSetBit(Long.BYTES * word);
        while (next >= 0) {
            if (word == Shape.FIRST_WORDS + Shape.MOST_WORDS) {
                return false;
            }
            int place = Math.min(next, bytes.length - Long.BYTES);
            collect(word++, place);
            next = deciding.nextSetBit(place + Long.BYTES);
        }
        return true;
    }

    private void collect(int word, int place) {
        long mask = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            mask |= deciding.get(place + i) ? 0xFFL << (i << 3) : 0;
        }
        words[Shape.ENTRY * word] = place;
        words[Shape.ENTRY * word + 1] = Wire.int64(bytes, place) & mask;
        words[Shape.ENTRY * word + 2] = mask;
    }
}
