// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Arrays;

/// The way from the root down to the table that is being verified: a frame for each table above it.
///
/// ```text
///   word 0   the table's position
///   word 1   kind:16  slot:8  next:8  skip:8  child:16
///   word 2   where the slot is a vector of tables: position of its first element, else -1
///   word 3   of the present element, else -1
///   word 4   behind the last element, else 0
/// ```
///
/// `slot` is the field that leads further down, to a table of kind `child`; `next` is the next
/// offset to follow afterwards, and `skip` has a bit for each slot that must not be followed.
///
/// Offsets lead forward only, so a table lies behind the one above it, by 8 bytes at least where
/// alignment is checked: the real depth is bounded by the buffer's size, whatever the limit is.
final class TableStack {
    private static final int FRAME = 5;
    private static final int FRAMES = 128;

    private long[] words;
    private int top;

    TableStack(int maxDepth) {
        words = new long[FRAME * Math.min(maxDepth, FRAMES)];
    }

    void clear() {
        top = 0;
    }

    boolean isEmpty() {
        return top == 0;
    }

    /// How many tables are above the present one.
    int depth() {
        return top / FRAME;
    }

    void push(long at, long info, long first, long end) {
        final int t = top;
        if (t == words.length) {
            words = Arrays.copyOf(words, 2 * t);
        }
        final long[] w = words;
        w[t] = at;
        w[t + 1] = info;
        w[t + 2] = first;
        w[t + 3] = first;
        w[t + 4] = end;
        top = t + FRAME;
    }

    void pop() {
        top -= FRAME;
    }

    long at() {
        return words[top - 5];
    }

    long info() {
        return words[top - 4];
    }

    /// Goes to the next element of the vector.
    ///
    /// @return its position, -1 if there is none
    long nextElement() {
        if (top == 0) {
            return -1;
        }
        final long next = words[top - 2] + Wire.OFFSET_BYTES;
        if (next >= words[top - 1]) {
            return -1;
        }
        words[top - 2] = next;
        return next;
    }

    /// The position of the element that the present table is, -1 if it is in no vector.
    long element() {
        return top == 0 ? -1 : words[top - 2];
    }

    void setElement(long element) {
        if (top != 0) {
            words[top - 2] = element;
        }
    }

    /// The position behind the last element, 0 if the present table is in no vector.
    long end() {
        return top == 0 ? 0 : words[top - 1];
    }

    static long info(int kind, int slot, int next, int skip, int child) {
        return kind | slot << 16 | (long) next << 24 | (long) skip << 32 | (long) child << 40;
    }

    static int kind(long info) {
        return (int) info & 0xFFFF;
    }

    static int slot(long info) {
        return (int) info >>> 16 & 0xFF;
    }

    static int next(long info) {
        return (int) (info >>> 24) & 0xFF;
    }

    static int skip(long info) {
        return (int) (info >>> 32) & 0xFF;
    }

    static int child(long info) {
        return (int) (info >>> 40) & 0xFFFF;
    }

    /// Appends the names of the fields that lead to the present table.
    StringBuilder appendPath(StringBuilder to, TableKind[] kinds) {
        for (int frame = 0; frame < top; frame += FRAME) {
            final long info = words[frame + 1];
            final long first = words[frame + 2];
            final FieldRule field = kinds[kind(info)].rules.field(slot(info));
            to.append(frame == 0 ? "" : ".").append(field.name());
            if (field.namesMember()) {
                final String member = kinds[child(info)].rules.name();
                to.append('.').append(Character.toLowerCase(member.charAt(0)));
                to.append(member, 1, member.length());
            }
            if (first >= 0) {
                to.append('[').append((words[frame + 3] - first) / Wire.OFFSET_BYTES).append(']');
            }
        }
        return to;
    }
}
