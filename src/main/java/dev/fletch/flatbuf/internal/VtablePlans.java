// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

/// Finds the plans of vtables for one verifier. Most tables of a kind share a few vtables, or
/// vtables with the same bytes. Plans of the first ones are in [QuickRules]; this caches those of
/// others.
final class VtablePlans {
    /// Maximum number of cached plans per kind of tables. In a schema, fields with metadata and
    /// fields that are not nullable have different vtables, in mixed order.
    static final int MOST = 8;

    private final QuickRules rules;

    // For each kind, the plan that was found first, and the one of the others that was found last:
    // tables of a kind often have two vtables in turn. The latter are null until needed.
    private final VtablePlan[] first;
    private VtablePlan[] last;

    // For each kind, the cached plans in the order in which they were made; null until needed.
    private VtablePlan[][] own;
    private int[] made;

    VtablePlans(QuickRules rules) {
        this.rules = rules;
        first = new VtablePlan[rules.declared.size()];
    }

    /// Finds or makes the plan of a vtable, for the parameters of [VtablePlan#isOf].
    VtablePlan of(int kind, int sizes, long lowSlots, long highSlots) {
        VtablePlan plan = first[kind];
        if (plan != null && plan.isOf(sizes, lowSlots, highSlots)) {
            return plan;
        }
        if (last != null) {
            plan = last[kind];
            if (plan != null && plan.isOf(sizes, lowSlots, highSlots)) {
                return plan;
            }
        }
        return find(kind, sizes, lowSlots, highSlots);
    }

    private VtablePlan find(int kind, int sizes, long lowSlots, long highSlots) {
        VtablePlan plan = rules.find(kind, sizes, lowSlots, highSlots);
        if (plan == null && own != null && own[kind] != null) {
            plan = VtablePlan.find(own[kind], sizes, lowSlots, highSlots);
        }
        if (plan == null) {
            plan = make(kind, sizes, lowSlots, highSlots);
            VtablePlan shared =
                    plan.fitsNowhere() ? null : rules.add(kind, sizes, lowSlots, highSlots);
            plan = shared == null ? plan : shared;
        }
        if (first[kind] == null) {
            first[kind] = plan;
        } else {
            if (last == null) {
                last = new VtablePlan[first.length];
            }
            last[kind] = plan;
        }
        return plan;
    }

    /// Makes a plan in place of the oldest own one.
    private VtablePlan make(int kind, int sizes, long lowSlots, long highSlots) {
        if (own == null) {
            own = new VtablePlan[first.length][];
            made = new int[first.length];
        }
        if (own[kind] == null) {
            own[kind] = new VtablePlan[MOST];
        }
        int oldest = made[kind]++ & MOST - 1;
        if (own[kind][oldest] == null) {
            own[kind][oldest] = rules.emptyPlan(kind);
        }
        own[kind][oldest].make(rules, kind, sizes, lowSlots, highSlots);
        return own[kind][oldest];
    }
}
