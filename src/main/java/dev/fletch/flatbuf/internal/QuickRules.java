// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.Check;
import dev.fletch.Checks;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// What all quick passes with equal options share: the checks that are enabled, and the plans of
/// the first vtables of each kind of tables. So a new verifier knows the vtables of usual writers.
///
/// A plan depends on options and bytes of a vtable alone, and is never changed or removed. There
/// are at most [#MOST] plans per kind: a peer that sends other vtables first costs other readers
/// the time to make plans of their own, once. Thread-safe.
final class QuickRules {
    /// Maximum number of shared plans per kind of tables.
    static final int MOST = 8;

    /// Maximum number of options whose rules are shared.
    private static final int MOST_OPTIONS = 4;

    private static final VtablePlan[] NONE = {};

    private static volatile QuickRules[] all = {};

    final DeclaredTables declared;
    final Checks options;
    final boolean alignedElements;

    // Bits that are 0 in the positions of tables, strings and vectors, and of vtables.
    final int wordMask;
    final int vtableMask;

    private final AtomicReferenceArray<VtablePlan[]> plans;

    private QuickRules(DeclaredTables declared, Checks options) {
        this.declared = declared;
        this.options = options;
        alignedElements =
                options.has(Check.VECTOR_ALIGNMENT) || options.has(Check.EMPTY_VECTOR_ALIGNMENT);
        wordMask = options.has(Check.ALIGNMENT) ? Integer.BYTES - 1 : 0;
        vtableMask = options.has(Check.ALIGNMENT) ? Short.BYTES - 1 : 0;
        plans = new AtomicReferenceArray<>(declared.size());
    }

    /// Returns the rules for some options.
    static QuickRules of(DeclaredTables declared, Checks options) {
        for (QuickRules each : all) {
            if (each.options == options && each.declared == declared) { // the usual case
                return each;
            }
        }
        return add(declared, options);
    }

    private static synchronized QuickRules add(DeclaredTables declared, Checks options) {
        QuickRules[] known = all;
        for (QuickRules each : known) {
            if (each.declared == declared && each.options.hasSameStructure(options)) {
                return each;
            }
        }
        QuickRules added = new QuickRules(declared, options);
        if (known.length < MOST_OPTIONS) {
            QuickRules[] more = Arrays.copyOf(known, known.length + 1);
            more[known.length] = added;
            all = more;
        }
        return added;
    }

    /// Finds the plan of a vtable, for the parameters of [VtablePlan#isOf]; null if there is none.
    VtablePlan find(int kind, int sizes, long lowSlots, long highSlots) {
        return VtablePlan.find(plans(kind), sizes, lowSlots, highSlots);
    }

    private VtablePlan[] plans(int kind) {
        VtablePlan[] known = plans.get(kind);
        return known == null ? NONE : known;
    }

    /// Makes the plan of a vtable and shares it; returns null if there are [#MOST] plans.
    synchronized VtablePlan add(int kind, int sizes, long lowSlots, long highSlots) {
        VtablePlan[] known = plans(kind);
        VtablePlan plan = VtablePlan.find(known, sizes, lowSlots, highSlots);
        if (plan != null || known.length == MOST) {
            return plan;
        }
        plan = emptyPlan(kind);
        plan.make(this, kind, sizes, lowSlots, highSlots);
        VtablePlan[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = plan;
        plans.set(kind, more);
        return plan;
    }

    /// Creates a plan that fits no vtable yet.
    VtablePlan emptyPlan(int kind) {
        return new VtablePlan(declared.table(kind).fields().size());
    }
}
