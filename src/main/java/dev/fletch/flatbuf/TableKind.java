// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Arrays;
import java.util.List;

/// The tables of one kind while they are verified: their rules, and the plans of the vtables that
/// were met last. Tables of a kind share a few vtables, by position or at least by content.
final class TableKind {
    /// How many plans are remembered. In a schema the fields that have metadata, and those that
    /// allow no nulls, have vtables other than the rest, and they come mixed.
    private static final int PLANS = 4;

    final int number;
    final TableRules rules;

    /// For each slot where it leads: the kind of table, or the kinds for each tag from 1 on.
    final int[][] targets = new int[Slots.COUNT][];

    /// Whether no table lies below.
    final boolean leaf;

    /// The plan that was used last.
    VtablePlan last;

    private final VtablePlan[] plans = new VtablePlan[PLANS];
    private final int slotBits;
    private int oldest;

    TableKind(int number, List<TableRules> all, VerifierOptions options) {
        this.number = number;
        rules = all.get(number);
        boolean leads = false;
        int slots = 0;
        for (FieldRule field : rules.fields()) {
            slots = field.slot() + 1;
            leads |= !field.targets().isEmpty();
            targets[field.slot()] =
                    field.targets().stream().mapToInt(to -> VerifierEngine.find(all, to)).toArray();
        }
        leaf = !leads;
        slotBits = slots * Short.SIZE;
        Arrays.setAll(plans, i -> new VtablePlan(this, options));
        last = plans[0];
    }

    /// Finds the plan of a vtable by its position, null if there is none.
    VtablePlan planAt(long round, long vtable) {
        for (VtablePlan plan : plans) {
            if (plan.isAt(round, vtable)) {
                return use(plan);
            }
        }
        return null;
    }

    /// Finds or makes the plan of a vtable by its content.
    ///
    /// @param lowSlots slots 0 to 3
    /// @param highSlots slots 4 to 7
    /// @param bytes how many bytes of them are the vtable's own
    /// @param tableSize the word for the table's size, or [VtablePlan#NO_TABLE_SIZE]
    VtablePlan planOf(long lowSlots, long highSlots, int bytes, int tableSize) {
        final int bits = Math.min(bytes * Byte.SIZE, slotBits);
        final long low = Wire.lowBits(lowSlots, bits);
        final long high = Wire.lowBits(highSlots, bits - Long.SIZE);
        VtablePlan plan = last;
        for (int i = 0; !plan.hasContent(low, high, tableSize); i++) {
            if (i == PLANS) {
                plan = plans[oldest];
                oldest = (oldest + 1) % PLANS;
                plan.make(low, high, tableSize);
                break;
            }
            plan = plans[i];
        }
        return use(plan);
    }

    private VtablePlan use(VtablePlan plan) {
        if (last != plan) {
            last = plan; // compared first: storing a reference costs a barrier
        }
        return plan;
    }
}
