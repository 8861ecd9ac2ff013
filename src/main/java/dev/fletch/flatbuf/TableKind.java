// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Arrays;

/// The tables of one kind while they are verified: their rules, and the plans of the vtables that
/// were met last. Tables of a kind share a few vtables, by position or at least by content.
final class TableKind {
    /// How many plans are remembered at most. In a schema the fields that have metadata, and those
    /// that allow no nulls, have vtables other than the rest, and they come mixed.
    private static final int PLANS = 8;

    /// A power of two.
    private static final int PLACES = 16;

    final int number;
    final TableRules rules;

    /// For each slot where it leads: the kind of table, or the kinds for each tag from 1 on.
    final int[][] targets;

    /// The plan that was used last.
    VtablePlan last;

    private final VtablePlan[] plans;

    /// The plans that were used last, by the positions of their vtables.
    private final VtablePlan[] places = new VtablePlan[PLACES];

    private final int slotBits;
    private int oldest;

    TableKind(int number, RuleSet all, VerifierOptions options) {
        this.number = number;
        rules = all.table(number);
        targets = all.targets(number);
        final int fields = rules.fields().size();
        slotBits = fields == 0 ? 0 : (rules.fields().getLast().slot() + 1) * Short.SIZE;
        plans = new VtablePlan[Math.min(1 << fields, PLANS)];
        final int strings = count(FieldRule.Kind.STRING);
        final int vectors = count(FieldRule.Kind.VECTOR);
        final int others =
                count(FieldRule.Kind.TABLE)
                        + count(FieldRule.Kind.TABLES)
                        + count(FieldRule.Kind.UNION);
        for (int i = 0; i < plans.length; i++) {
            plans[i] = new VtablePlan(this, options, strings, vectors, others);
        }
        last = plans[0];
        Arrays.fill(places, last);
    }

    private int count(FieldRule.Kind of) {
        int count = 0;
        for (FieldRule field : rules.fields()) {
            count += field.kind() == of ? 1 : 0;
        }
        return count;
    }

    /// Finds the plan of a vtable by its position, null if there is none.
    VtablePlan planAt(long round, long vtable) {
        final VtablePlan plan = places[place(vtable)];
        return plan.isAt(round, vtable) ? use(plan) : null;
    }

    private static int place(long vtable) {
        return (int) (vtable >>> 1) & (PLACES - 1);
    }

    /// Finds or makes the plan of a vtable by its content.
    ///
    /// @param lowSlots slots 0 to 3
    /// @param highSlots slots 4 to 7
    /// @param bytes how many bytes of them are the vtable's own
    /// @param tableSize the word for the table's size, or [VtablePlan#NO_TABLE_SIZE]
    VtablePlan planOf(
            long round, long vtable, long lowSlots, long highSlots, int bytes, int tableSize) {
        if (last.isLike(bytes, lowSlots, highSlots, tableSize)) {
            return last.at(round, vtable);
        }
        final int bits = Math.min(bytes * Byte.SIZE, slotBits);
        final long low = Wire.lowBits(lowSlots, bits);
        final long high = Wire.lowBits(highSlots, bits - Long.SIZE);
        VtablePlan plan = last;
        for (int i = 0; !plan.hasContent(low, high, tableSize); i++) {
            if (i == plans.length) {
                plan = plans[oldest];
                oldest = (oldest + 1) % plans.length;
                plan.make(low, high, tableSize);
                break;
            }
            plan = plans[i];
        }
        plan.like(bytes, bits);
        if (places[place(vtable)] != plan) {
            places[place(vtable)] = plan;
        }
        return use(plan).at(round, vtable);
    }

    /// Finds the plan of a vtable whose content is that of one that was met before, null if there is
    /// none.
    ///
    /// @param head the vtable's own size and the table's
    VtablePlan planLike(long round, long vtable, int head, long lowSlots, long highSlots) {
        VtablePlan plan = places[place(vtable)];
        for (int i = 0; !plan.isLike(head, lowSlots, highSlots); i++) {
            if (i == plans.length) {
                return null;
            }
            plan = plans[i];
        }
        if (places[place(vtable)] != plan) {
            places[place(vtable)] = plan;
        }
        return use(plan).at(round, vtable);
    }

    /// Finds the kind of a union's member.
    ///
    /// @return its number; negative if there is none for this tag
    int member(long op, byte tag) {
        final int[] members = targets[VtablePlan.slotOf(op)];
        final int index = (tag & 0xFF) - 1;
        return index >= 0 && index < members.length ? members[index] : -1;
    }

    private VtablePlan use(VtablePlan plan) {
        if (last != plan) {
            last = plan; // compared first: storing a reference costs a barrier
        }
        return plan;
    }
}
