// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import dev.fletch.wire.Wire;

import java.util.Arrays;

/// The tables from the root to the one that [FullPass] visits, with a frame for each.
final class TablePath {
    /// No field, or no kind of table.
    static final int NONE = -1;

    private static final int FIRST_FRAMES = 8;

    /// A table, and how far its fields have been followed.
    static final class Frame {
        TableRules rules;
        long table;

        /// For each slot where it leads: the kind of table, or the kinds for each tag from 1 on.
        int[][] targets;

        /// For each slot the field's distance from the table, 0 if it is absent. Kept, as memory may
        /// change meanwhile.
        final char[] distances = new char[Wire.SLOTS];

        /// A bit for each field that is still to be followed, by its index in the rules.
        int pending;

        /// Index of the field that is checked or followed, [#NONE] for the table itself.
        int field;

        /// The kind of table that the field leads to, or [#NONE].
        int child;

        // If the field is a vector of tables: the positions of its first element, of the next one,
        // and behind the last one; else 0.
        long first;
        long next;
        long end;

        void leadNowhere() {
            child = NONE;
            first = 0;
            next = 0;
            end = 0;
        }

        FieldRule rule() {
            return rules.fields().get(field);
        }

        long at(FieldRule of) {
            return table + distances[of.slot()];
        }
    }

    private final RuleSet rules;
    private Frame[] frames = {};
    private int depth;

    TablePath(RuleSet rules) {
        this.rules = rules;
    }

    void clear() {
        depth = 0;
    }

    /// How many tables there are.
    int depth() {
        return depth;
    }

    /// The last table.
    Frame last() {
        return frames[depth - 1];
    }

    /// Adds a table.
    Frame push(int kind, long table) {
        if (depth == frames.length) {
            frames = Arrays.copyOf(frames, Math.max(FIRST_FRAMES, 2 * depth));
        }
        if (frames[depth] == null) {
            frames[depth] = new Frame();
        }
        final Frame frame = frames[depth++];
        frame.rules = rules.table(kind);
        frame.targets = rules.targets(kind);
        frame.table = table;
        frame.pending = 0;
        frame.field = NONE;
        frame.leadNowhere();
        return frame;
    }

    /// Removes the last table.
    void pop() {
        depth--;
    }

    /// Appends the names of the fields that lead to the table or field that is checked.
    StringBuilder appendTo(StringBuilder to) {
        String separator = "";
        for (int i = 0; i < depth && frames[i].field != NONE; i++) {
            final Frame frame = frames[i];
            to.append(separator).append(frame.rule().name());
            if (frame.child != NONE && frame.rule().namesMember()) {
                final String member = rules.table(frame.child).name();
                to.append('.').append(Character.toLowerCase(member.charAt(0)));
                to.append(member, 1, member.length());
            }
            if (frame.end != 0) {
                final long index = (frame.next - frame.first) / Wire.OFFSET_BYTES - 1;
                to.append('[').append(index).append(']');
            }
            separator = ".";
        }
        return to;
    }
}
