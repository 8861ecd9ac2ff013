// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import dev.fletch.flatbuf.VerifierOptions;

import java.util.Arrays;

/// Caches the plans of the latest vtables of one kind of tables. Most tables of a kind share a few
/// vtables, or vtables with the same bytes.
public final class VtablePlans {
    /// Returned by [#member].
    static final int UNKNOWN = -1;

    /// Number of cached plans. In a schema, fields with metadata and fields that are not nullable
    /// have different vtables, in mixed order.
    private static final int MOST = 8;

    private static final VtablePlan[] EMPTY = {};

    private final TableDeclaration declaration;
    private final int[][] targets;
    private final VerifierOptions options;

    private VtablePlan last = VtablePlan.NONE;
    private VtablePlan[] plans = EMPTY;
    private int oldest;

    VtablePlans(int kind, DeclaredTables all, VerifierOptions options) {
        declaration = all.table(kind);
        targets = all.targets(kind);
        this.options = options;
    }

    /// Finds or computes the plan of a vtable, for the parameters of [VtablePlan#isOf].
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
        if (plans.length < MOST) {
            oldest = plans.length;
            plans = Arrays.copyOf(plans, oldest + 1);
            plans[oldest] = new VtablePlan(declaration.fields().size());
        }
        last = plans[oldest];
        last.make(declaration, targets, options, sizes, lowSlots, highSlots);
        oldest = (oldest + 1) % MOST;
        return last;
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
