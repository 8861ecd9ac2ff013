// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import java.util.Arrays;

/// Finds the plans of the vtables of one kind of tables for one verifier. Most tables of a kind share a
/// few vtables, or vtables with the same bytes. Plans of the first ones are in [QuickRules]; this caches
/// those of others.
final class VtablePlans {
    /// Returned by [#member].
    static final int UNKNOWN = -1;

    /// Number of cached plans. In a schema, fields with metadata and fields that are not nullable
    /// have different vtables, in mixed order.
    private static final int MOST = 8;

    private static final VtablePlan[] EMPTY = {};

    private final QuickRules rules;
    private final int kind;
    private final int[][] targets;

    private VtablePlan last = VtablePlan.NONE;
    private VtablePlan[] plans = EMPTY;
    // Of each place, the plan that is not shared, for reuse; null if there was none.
    private VtablePlan[] own = EMPTY;
    private int oldest;

    VtablePlans(QuickRules rules, int kind) {
        this.rules = rules;
        this.kind = kind;
        targets = rules.declared.targets(kind);
    }

    /// Finds or makes the plan of a vtable, for the parameters of [VtablePlan#isOf].
    VtablePlan of(int sizes, long lowSlots, long highSlots) {
        VtablePlan plan = last;
        return plan.isOf(sizes, lowSlots, highSlots) ? plan : other(sizes, lowSlots, highSlots);
    }

    private VtablePlan other(int sizes, long lowSlots, long highSlots) {
        for (VtablePlan plan : plans) {
            if (plan.isOf(sizes, lowSlots, highSlots)) {
                last = plan;
                return plan;
            }
        }
        last = add(sizes, lowSlots, highSlots);
        return last;
    }

    private VtablePlan add(int sizes, long lowSlots, long highSlots) {
        if (plans.length < MOST) {
            oldest = plans.length;
            plans = Arrays.copyOf(plans, oldest + 1);
            own = Arrays.copyOf(own, oldest + 1);
        }
        VtablePlan plan = rules.plan(kind, sizes, lowSlots, highSlots);
        if (plan == null) {
            if (own[oldest] == null) {
                own[oldest] = rules.emptyPlan(kind);
            }
            plan = own[oldest];
            plan.make(rules, kind, sizes, lowSlots, highSlots);
        }
        plans[oldest] = plan;
        oldest = (oldest + 1) % MOST;
        return plan;
    }

    /// Finds the kind of table of a union's value.
    ///
    /// @return its number; [#UNKNOWN] for an unknown tag
    int member(int slot, byte tag) {
        int[] members = targets[slot];
        int index = (tag & 0xFF) - 1;
        return index >= 0 && index < members.length ? members[index] : UNKNOWN;
    }
}
