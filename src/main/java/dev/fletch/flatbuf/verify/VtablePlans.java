// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import dev.fletch.flatbuf.VerifierOptions;

import java.util.Arrays;

/// The plans of the vtables that were met last in the tables of one kind. Most tables of a kind have
/// one of a few vtables, or one with the same bytes.
final class VtablePlans {
    /// How many plans are kept. In a schema the fields that have metadata, and those that allow no
    /// nulls, have vtables other than the rest, and they come mixed.
    private static final int MOST = 8;

    private static final VtablePlan[] EMPTY = {};

    private final TableRules rules;
    private final int[][] targets;
    private final VerifierOptions options;

    private VtablePlan last = VtablePlan.NONE;
    private VtablePlan[] plans = EMPTY;
    private int oldest;

    VtablePlans(int kind, RuleSet all, VerifierOptions options) {
        rules = all.table(kind);
        targets = all.targets(kind);
        this.options = options;
    }

    /// Finds or makes the plan of a vtable, for the parameters of [VtablePlan#isOf].
    VtablePlan of(int sizes, long lowSlots, long highSlots) {
        final VtablePlan plan = last;
        return plan.isOf(sizes, lowSlots, highSlots) ? plan : other(sizes, lowSlots, highSlots);
    }

    private VtablePlan other(int sizes, long lowSlots, long highSlots) {
        for (VtablePlan plan : plans) {
            if (plan.isOf(sizes, lowSlots, highSlots)) {
                last = plan;
                return plan;
            }
        }
        if (plans.length < MOST) {
            oldest = plans.length;
            plans = Arrays.copyOf(plans, oldest + 1);
            plans[oldest] = new VtablePlan(rules.fields().size());
        }
        last = plans[oldest];
        last.make(rules, targets, options, sizes, lowSlots, highSlots);
        oldest = (oldest + 1) % MOST;
        return last;
    }

    /// Finds the kind of table that a union's value is.
    ///
    /// @return its number, negative if the format has none for this tag
    int member(int slot, byte tag) {
        final int[] members = targets[slot];
        final int index = (tag & 0xFF) - 1;
        return index >= 0 && index < members.length ? members[index] : -1;
    }
}
