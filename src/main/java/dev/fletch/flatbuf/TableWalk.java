// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// The half of [VerifierEngine] that goes from table to table.
///
/// ```text
///   enter      a table's own fields, strings and vectors of numbers
///   follow     its offsets to other tables, in the order of their slots
///   leaf       a table below which there is none, on the spot; where that fails it is entered,
///              to find out what is wrong
/// ```
abstract class TableWalk extends Checks {
    /// The table itself, none of its fields.
    static final int NO_SLOT = -1;

    /// What [#report] gives where the verification is over.
    private static final long STOP = -2;

    /// For a table that must not be looked into.
    private static final VtablePlan NOTHING = new VtablePlan(null, null);

    final TableKind[] kinds;
    final TableStack stack;
    final Fault fault = new Fault(this);
    private final int maxDepth;
    private final boolean zeroOffsets;
    private final boolean unionPairs;

    private Source source;
    private long maxTables;
    long tables;
    boolean shallow;

    FaultSink sink;
    int maxFaults;
    int faults;
    private boolean stopped;

    // A bit for each slot of the table entered last that must not be followed.
    private int skipped;

    // Where the offset that was followed last leads.
    private TableKind childKind;
    private long vectorFirst;
    private long vectorProgress;

    TableWalk(List<TableRules> rules, VerifierOptions options) {
        super(options);
        maxDepth = options.maxDepth();
        zeroOffsets = options.checkZeroOffsets();
        unionPairs = options.checkUnionPairs();
        stack = new TableStack(maxDepth);
        kinds = new TableKind[rules.size()];
        Arrays.setAll(kinds, kind -> new TableKind(kind, rules, options));
    }

    // ---- one verification

    final void begin(Source memory) {
        if (source != memory) {
            source = memory; // compared first: storing a reference costs a barrier
        }
        round++;
        size = memory.end - memory.start;
        maxTables = options.maxTables(size);
        tables = 0;
        faults = 0;
        stopped = false;
        stack.clear();
        fault.clear();
        utf8.reset(size);
    }

    final boolean end() {
        if (sink != null) {
            fault.clear(); // the way to it is gone
        }
        return faults == 0;
    }

    /// Reports what was found.
    ///
    /// @return where to go on: [#NOWHERE] or [#STOP]
    final long report(TableKind kind, int slot) {
        faults++;
        if (sink == null || faults <= maxFaults) {
            final long position = source.offsetOf(source.start + foundAt);
            fault.set(foundCode, position, foundValue, kind.number, slot);
        }
        if (sink == null || faults > maxFaults || foundCode == FaultCode.TABLE_LIMIT) {
            stopped = true;
        }
        if (sink != null && faults <= maxFaults) {
            sink.accept(fault);
        }
        return stopped ? STOP : NOWHERE;
    }

    final StringBuilder appendPath(StringBuilder to, int kind, int slot) {
        final int before = to.length();
        stack.appendPath(to, kinds);
        if (slot != NO_SLOT) {
            to.append(to.length() == before ? "" : ".");
            to.append(kinds[kind].rules.field(slot).name());
        }
        return to;
    }

    final void walk(int rootKind, long root) {
        final byte[] a = source.array;
        final MemorySegment s = a == null ? source.segment() : null;
        final long base = source.start;
        TableKind kind = kinds[rootKind];
        long at = root;
        while (true) {
            VtablePlan plan = enter(a, s, base, kind, at);
            int skip = skipped;
            int next = 0;
            // Until there is a table to enter.
            while (true) {
                long child = NOWHERE;
                while (next < plan.count && child == NOWHERE) {
                    final long op = plan.ops[next++];
                    if ((skip >>> VtablePlan.slotOf(op) & 1) == 0) {
                        child = follow(a, s, base, kind, at, op);
                    }
                }
                if (stopped) {
                    return;
                }
                if (child >= 0) {
                    final int slot = VtablePlan.slotOf(plan.ops[next - 1]);
                    final TableKind below = childKind;
                    final long info = TableStack.info(kind.number, slot, next, skip, below.number);
                    stack.push(at, info, vectorFirst, vectorProgress);
                    at = child;
                    kind = below;
                    break;
                }
                if (stack.isEmpty()) {
                    return;
                }
                final long info = stack.info();
                final long element = stack.nextElement();
                if (element != NOWHERE) {
                    at = element + Wire.uint32(a, s, base + element);
                    kind = kinds[TableStack.child(info)];
                    break;
                }
                at = stack.at();
                stack.pop();
                kind = kinds[TableStack.kind(info)];
                next = TableStack.next(info);
                skip = TableStack.skip(info);
                plan = planFor(a, s, base, kind, at);
                if (plan == null) {
                    report(kind, NO_SLOT); // somebody has changed the bytes
                    plan = NOTHING;
                }
            }
        }
    }

    /// Checks a table with all that is not behind it: its fields, strings and vectors of numbers.
    ///
    /// @return the offsets to follow, null if something is wrong
    private VtablePlan plain(byte[] a, MemorySegment s, long base, TableKind kind, long at) {
        if (misaligned(at) || at > size - Wire.OFFSET_BYTES) {
            return null;
        }
        final VtablePlan plan = planFor(a, s, base, kind, at);
        if (plan == null || isUnfit(size, plan, at)) {
            return null;
        }
        for (int i = 0; i < plan.stringCount; i++) {
            if (!string(a, s, base, at + plan.strings[i])) {
                return null;
            }
        }
        for (int i = 0; i < plan.vectorCount; i++) {
            if (!vector(a, s, base, at, plan.vectors[i])) {
                return null;
            }
        }
        return plan;
    }

    private static boolean isUnfit(long size, VtablePlan plan, long at) {
        return plan.reach > size - at || (plan.unfit >>> (at >>> 2 & 1) & 1) != 0;
    }

    /// Verifies a table below which there is none.
    ///
    /// @return false if there is a fault: entering it finds it, and nothing has been counted
    private boolean leaf(byte[] a, MemorySegment s, long base, TableKind kind, long at) {
        if (tables >= maxTables
                || stack.depth() >= maxDepth - 1
                || plain(a, s, base, kind, at) == null) {
            return false;
        }
        tables++;
        return true;
    }

    /// Goes to a table.
    ///
    /// @return the offsets to follow, but those that are [#skipped]
    private VtablePlan enter(byte[] a, MemorySegment s, long base, TableKind kind, long at) {
        skipped = 0;
        tables++;
        if (tables <= maxTables
                && stack.depth() < maxDepth
                && !(zeroOffsets && isZeroElement(at))) {
            final VtablePlan plan = plain(a, s, base, kind, at);
            if (plan != null) {
                return plan;
            }
        }
        return examine(a, s, base, kind, at);
    }

    private boolean isZeroElement(long at) {
        return !stack.isEmpty() && at == stack.element();
    }

    /// Finds out what is wrong with a table.
    private VtablePlan examine(byte[] a, MemorySegment s, long base, TableKind kind, long at) {
        if (tables > maxTables) {
            found(FaultCode.TABLE_LIMIT, at, tables);
        } else if (stack.depth() >= maxDepth) {
            found(FaultCode.DEPTH_LIMIT, at, stack.depth() + 1);
        } else if (zeroOffsets && isZeroElement(at)) {
            found(FaultCode.ELEMENT_OFFSET_ZERO, at, 0);
        } else if (misaligned(at)) {
            found(FaultCode.TABLE_MISALIGNED, at, at);
        } else if (at > size - Wire.OFFSET_BYTES) {
            found(FaultCode.TABLE_OUT_OF_RANGE, at, at);
        } else {
            final VtablePlan plan = planFor(a, s, base, kind, at);
            if (plan != null) {
                skipped = reportFields(a, s, base, kind, plan, at);
                return stopped ? NOTHING : plan;
            }
        }
        report(kind, NO_SLOT);
        return NOTHING;
    }

    /// Reports what is wrong with the fields that stand in a table.
    private int reportFields(
            byte[] a, MemorySegment s, long base, TableKind kind, VtablePlan plan, long at) {
        final int tableSize = plan.tableSize();
        if (tableSize != VtablePlan.NO_TABLE_SIZE
                && (tableSize < Wire.OFFSET_BYTES || tableSize > size - at)) {
            final boolean small = tableSize < Wire.OFFSET_BYTES;
            found(
                    small ? FaultCode.TABLE_SIZE_TOO_SMALL : FaultCode.TABLE_SIZE_OUT_OF_RANGE,
                    plan.vtable() + Short.BYTES,
                    tableSize);
            report(kind, NO_SLOT);
        }
        int skip = 0;
        for (int i = 0; i < kind.rules.fields().size() && !stopped; i++) {
            final FieldRule field = kind.rules.fields().get(i);
            if (!field(plan, field, at) || !contents(a, s, base, plan, field, at)) {
                report(kind, field.slot());
                skip |= 1 << field.slot();
            } else if (field.isUnion() && (skip >>> field.tagSlot() & 1) != 0) {
                skip |= 1 << field.slot(); // of no use without its tag
            }
        }
        return skip;
    }

    private boolean field(VtablePlan plan, FieldRule field, long table) {
        final int distance = plan.slot(field.slot());
        if (distance == 0) {
            return !field.required() || found(FaultCode.REQUIRED_FIELD_ABSENT, table, field.slot());
        }
        final long at = table + distance;
        if (plan.misaligned(field, table)) {
            return found(field.misaligned(), at, distance);
        }
        if (field.inlineBytes() > size - at) {
            return found(field.outOfRange(), at, distance);
        }
        return !plan.outsideTable(field) || found(FaultCode.FIELD_OUTSIDE_TABLE, at, distance);
    }

    private boolean contents(
            byte[] a, MemorySegment s, long base, VtablePlan plan, FieldRule field, long table) {
        final int distance = plan.slot(field.slot());
        return distance == 0
                || switch (field.kind()) {
                    case STRING -> string(a, s, base, table + distance);
                    case VECTOR -> vector(a, s, base, table, VtablePlan.vector(field, distance));
                    default -> true;
                };
    }

    /// Follows one of a table's offsets to another table.
    ///
    /// @return the position of a table to enter, or [#NOWHERE]
    private long follow(byte[] a, MemorySegment s, long base, TableKind kind, long at, long op) {
        final int code = VtablePlan.code(op);
        if (code == VtablePlan.UNION) {
            return union(a, s, base, kind, at, op);
        }
        final long offsetAt = at + VtablePlan.distance(op);
        final TableKind to = kinds[VtablePlan.target(op)];
        if (code == VtablePlan.TABLES) {
            final long vector = vector(a, s, base, offsetAt, Integer.BYTES, Integer.BYTES);
            if (vector != NOWHERE) {
                return elements(a, s, base, vector, to);
            }
        } else {
            final long table = follow(a, s, base, offsetAt);
            if (table != NOWHERE) {
                return child(a, s, base, to, table);
            }
        }
        return report(kind, VtablePlan.slotOf(op));
    }

    private long union(byte[] a, MemorySegment s, long base, TableKind kind, long at, long op) {
        final int slot = VtablePlan.slotOf(op);
        final long offsetAt = at + VtablePlan.distance(op);
        final long tagAt = at + VtablePlan.tagDistance(op);
        final int tag = tagAt == at ? 0 : Wire.int8(a, s, base + tagAt) & 0xFF;
        if (unionPairs && !paired(tag, offsetAt, at, tagAt)) {
            return report(kind, slot);
        }
        if (offsetAt == at) {
            return NOWHERE;
        }
        final long table = follow(a, s, base, offsetAt);
        if (table == NOWHERE) {
            return report(kind, slot);
        }
        final int[] members = kind.targets[slot];
        return tag == 0 || tag > members.length
                ? NOWHERE
                : child(a, s, base, kinds[members[tag - 1]], table);
    }

    private boolean paired(int tag, long offsetAt, long table, long tagAt) {
        if (offsetAt == table) {
            return tag == 0 || found(FaultCode.UNION_TAG_WITHOUT_VALUE, tagAt, tag);
        }
        return tag != 0 || found(FaultCode.UNION_VALUE_WITHOUT_TAG, offsetAt, offsetAt - table);
    }

    private long child(byte[] a, MemorySegment s, long base, TableKind kind, long at) {
        if (kind.leaf && leaf(a, s, base, kind, at)) {
            return NOWHERE;
        }
        childKind = kind;
        vectorFirst = 0;
        vectorProgress = 0;
        return at;
    }

    /// Verifies the elements of a vector as far as there is no need to enter one.
    private long elements(byte[] a, MemorySegment s, long base, long vector, TableKind kind) {
        final int count = Wire.int32(a, s, base + vector);
        final long first = vector + Wire.OFFSET_BYTES;
        for (int i = 0; i < count && !shallow; i++) {
            final long element = first + ((long) i << 2);
            final long at = element + Wire.uint32(a, s, base + element);
            if (!kind.leaf || (zeroOffsets && at == element) || !leaf(a, s, base, kind, at)) {
                childKind = kind;
                vectorFirst = first;
                vectorProgress = (long) count << 32 | i;
                return at;
            }
        }
        return NOWHERE;
    }
}
