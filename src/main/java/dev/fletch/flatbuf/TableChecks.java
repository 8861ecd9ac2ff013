// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The part of [VerifierEngine] that checks one table at a time: what stands in it, and where its
/// offsets lead. Knows nothing of the way to it.
abstract class TableChecks extends Checks {
    /// There is no table to go to.
    static final int NOTHING_BELOW = -1;

    /// All is right.
    static final int DONE = -1;

    /// Something is wrong.
    static final int FAULTY = -2;

    final TableKind[] kinds;
    final boolean zeroOffsets;
    private final boolean unionPairs;

    long maxTables;
    long tables;
    boolean shallow;

    // Where the offset leads that was followed last: the kind of table, and for a vector the
    // positions of its first element and of its end, which are else left as they were.
    int childKind;
    long childElement;
    long childEnd;

    TableChecks(RuleSet rules, VerifierOptions options) {
        super(options);
        zeroOffsets = options.checkZeroOffsets();
        unionPairs = options.checkUnionPairs();
        kinds = new TableKind[rules.size()];
        Arrays.setAll(kinds, kind -> new TableKind(kind, rules, options));
    }

    /// Checks a table's own place and that of its fields.
    ///
    /// @return what its vtable means, null if something is wrong
    final VtablePlan fitting(byte[] a, MemorySegment s, long base, TableKind kind, long at) {
        if (misaligned(at) || at > size - Wire.OFFSET_BYTES) {
            return null;
        }
        final VtablePlan plan = planFor(a, s, base, kind, at);
        return plan == null || plan.reach > size - at || (plan.unfit >>> (at >>> 2 & 1) & 1) != 0
                ? null
                : plan;
    }

    /// Checks the strings and the vectors of numbers of a table.
    final boolean contents(byte[] a, MemorySegment s, long base, VtablePlan plan, long at) {
        int distance;
        for (int i = 0; (distance = plan.strings[i]) != 0; i++) {
            if (!string(a, s, base, at + distance)) {
                return false;
            }
        }
        int vector;
        for (int i = 0; (vector = plan.vectors[i]) != 0; i++) {
            if (!vector(a, s, base, at, vector)) {
                return false;
            }
        }
        return true;
    }

    /// Checks what a table leads to, as long as that leads nowhere, and to tables of other kinds:
    /// those of its own would take the place of the plan that is gone through here.
    ///
    /// @return the number of the offset that is to be followed, or [#DONE]
    final int ops(byte[] a, MemorySegment s, long base, TableKind kind, VtablePlan plan, long at) {
        long op;
        for (int i = 0; (op = plan.ops[i]) != 0; i++) {
            final long child = below(a, s, base, kind, at, op);
            if (child != NOTHING_BELOW
                    && (child == FAULTY
                            || childKind == kind.number
                            || !bare(a, s, base, kinds[childKind], child, op))) {
                return i;
            }
        }
        return DONE;
    }

    /// Checks tables that lead nowhere: the one that [#below] has found, and the others of its
    /// vector.
    ///
    /// @return false if something is wrong or leads anywhere: nothing has been counted
    private boolean bare(
            byte[] a, MemorySegment s, long base, TableKind kind, long first, long op) {
        if (VtablePlan.code(op) == VtablePlan.TABLES) {
            return bareVector(a, s, base, kind);
        }
        if (tables >= maxTables || !bareTable(a, s, base, kind, first)) {
            return false;
        }
        tables++;
        return true;
    }

    private boolean bareTable(byte[] a, MemorySegment s, long base, TableKind kind, long at) {
        final VtablePlan plan = fitting(a, s, base, kind, at);
        return plan != null
                && (plan.isPlain || plan.leadsNowhere() && contents(a, s, base, plan, at));
    }

    private boolean bareVector(byte[] a, MemorySegment s, long base, TableKind kind) {
        final long end = childEnd;
        final long count = (end - childElement) / Wire.OFFSET_BYTES;
        if (count > maxTables - tables) {
            return false;
        }
        for (long element = childElement; element < end; element += Wire.OFFSET_BYTES) {
            final long at = element + Wire.uint32(a, s, base + element);
            if ((zeroOffsets && at == element) || !bareTable(a, s, base, kind, at)) {
                return false;
            }
        }
        tables += count;
        return true;
    }

    /// Follows one of a table's offsets to other tables.
    ///
    /// @return the position of the first one, [#NOTHING_BELOW] or [#FAULTY]
    final long below(byte[] a, MemorySegment s, long base, TableKind kind, long at, long op) {
        final int code = VtablePlan.code(op);
        if (code == VtablePlan.UNION) {
            return member(a, s, base, kind, at, op);
        }
        final long offsetAt = at + VtablePlan.distance(op);
        childKind = VtablePlan.target(op);
        if (code == VtablePlan.TABLES) {
            return elements(a, s, base, offsetAt);
        }
        final long table = follow(a, s, base, offsetAt);
        return table == NOWHERE ? FAULTY : table;
    }

    private long member(byte[] a, MemorySegment s, long base, TableKind kind, long at, long op) {
        final long offsetAt = at + VtablePlan.distance(op);
        final long tagAt = at + VtablePlan.tagDistance(op);
        final int tag = tagAt == at ? 0 : Wire.int8(a, s, base + tagAt) & 0xFF;
        if (unionPairs && !lenient && !paired(tag, offsetAt, at, tagAt)) {
            return FAULTY;
        }
        if (offsetAt == at) {
            return NOTHING_BELOW;
        }
        final long table = follow(a, s, base, offsetAt);
        if (table == NOWHERE) {
            return FAULTY;
        }
        final int[] members = kind.targets[VtablePlan.slotOf(op)];
        if (tag == 0 || tag > members.length) {
            return NOTHING_BELOW;
        }
        childKind = members[tag - 1];
        return table;
    }

    private boolean paired(int tag, long offsetAt, long table, long tagAt) {
        if (offsetAt == table) {
            return tag == 0 || found(FaultCode.UNION_TAG_WITHOUT_VALUE, tagAt, tag);
        }
        return tag != 0 || found(FaultCode.UNION_VALUE_WITHOUT_TAG, offsetAt, offsetAt - table);
    }

    private long elements(byte[] a, MemorySegment s, long base, long offsetAt) {
        final long vector = vector(a, s, base, offsetAt, Integer.BYTES, Integer.BYTES);
        if (vector == NOWHERE) {
            return FAULTY;
        }
        if (count == 0 || shallow) {
            return NOTHING_BELOW;
        }
        final long first = vector + Wire.OFFSET_BYTES;
        childElement = first;
        childEnd = first + (count << 2);
        return first + Wire.uint32(a, s, base + first);
    }
}
