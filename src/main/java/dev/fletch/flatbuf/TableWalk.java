// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;

/// The part of [VerifierEngine] that goes from table to table.
///
/// ```text
///   pass      along the tables of a vector, or over a single one, as long as each is right and
///             leads only to tables that lead nowhere: in a schema, nearly always
///   descend   from a table where that is not so, to a table that leads further
///   examine   a table in which something is wrong, to find out what
/// ```
abstract class TableWalk extends TableChecks {
    /// The table itself, none of its fields.
    static final int NO_SLOT = -1;

    /// For a table that must not be looked into.
    private static final VtablePlan NOTHING = VtablePlan.ofNothing();

    final TableStack stack;
    final Fault fault = new Fault(this);
    private final int maxDepth;

    private Source source;

    FaultSink sink;
    int maxFaults;
    int faults;
    private boolean stopped;

    // A bit for each slot of the table entered last that must not be followed.
    private int skipped;

    private long rootReference;

    // The table that was passed last, if there is more to do, and the one to go on with.
    private long passed;
    private long entered;

    TableWalk(RuleSet rules, VerifierOptions options) {
        super(rules, options);
        maxDepth = options.maxDepth();
        stack = new TableStack(maxDepth);
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
    final void report(TableKind kind, int slot) {
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

    /// Goes from a table to all below it.
    ///
    /// @param reference position of the offset that leads to it
    final void walk(int rootKind, long root, long reference) {
        rootReference = reference;
        final byte[] a = source.array;
        final MemorySegment s = a == null ? source.segment() : null;
        final long base = source.start;
        TableKind kind = kinds[rootKind];
        int next = pass(a, s, base, kind, root);
        while (next != DONE || !stack.isEmpty()) {
            long at = passed;
            int skip = 0;
            VtablePlan plan;
            if (next == FAULTY) {
                plan = examine(a, s, base, kind, at);
                skip = skipped;
                next = 0;
            } else {
                if (next == DONE) {
                    final long info = stack.info();
                    at = stack.at();
                    stack.pop();
                    kind = kinds[TableStack.kind(info)];
                    next = TableStack.next(info);
                    skip = TableStack.skip(info);
                }
                plan = planFor(a, s, base, kind, at);
            }
            if (plan == null) {
                report(kind, NO_SLOT); // somebody has changed the bytes
                plan = NOTHING;
                next = 0;
            }
            if (descend(a, s, base, kind, plan, at, next, skip)) {
                kind = kinds[childKind];
                next = pass(a, s, base, kind, entered);
            } else if (stopped) {
                return;
            } else {
                final long element = stack.nextElement();
                next = element == NOWHERE ? DONE : passFrom(a, s, base, kind, element);
            }
        }
    }

    /// Follows a table's offsets, until one leads to [#entered].
    private boolean descend(
            byte[] a,
            MemorySegment s,
            long base,
            TableKind kind,
            VtablePlan plan,
            long at,
            int from,
            int skip) {
        int next = from;
        long op;
        while (!stopped && (op = plan.ops[next]) != 0) {
            next++;
            final int slot = VtablePlan.slotOf(op);
            if ((skip >>> slot & 1) == 0) {
                childElement = NOWHERE;
                childEnd = 0;
                long child = below(a, s, base, kind, at, op);
                if (child == FAULTY) {
                    child = belowFaulty(a, s, base, kind, at, op);
                }
                if (child != NOTHING_BELOW) {
                    final long info = TableStack.info(kind.number, slot, next, skip, childKind);
                    stack.push(at, info, childElement, childEnd);
                    entered = child;
                    return true;
                }
            }
        }
        return false;
    }

    /// Reports what [#below] has found, and follows the offset if only a stricter rule forbids it.
    ///
    /// @return the position of the first table, or [#NOTHING_BELOW]
    private long belowFaulty(
            byte[] a, MemorySegment s, long base, TableKind kind, long at, long op) {
        final int slot = VtablePlan.slotOf(op);
        report(kind, slot);
        if (stopped || !foundCode.isStricter()) {
            return NOTHING_BELOW;
        }
        lenient = true;
        final long child = below(a, s, base, kind, at, op);
        lenient = false;
        if (child == FAULTY) {
            report(kind, slot);
            return NOTHING_BELOW;
        }
        return child;
    }

    private int passFrom(byte[] a, MemorySegment s, long base, TableKind kind, long element) {
        return pass(a, s, base, kind, element + Wire.uint32(a, s, base + element));
    }

    /// Goes along the tables of a vector, from one of them on, or to a single table: as far as they
    /// are right and lead only to tables that lead nowhere.
    ///
    /// @return [#DONE]; else [#passed] tells at which table, and this is [#FAULTY] if something is
    ///     wrong with it, or the number of the offset that is to be followed
    private int pass(byte[] a, MemorySegment s, long base, TableKind kind, long first) {
        final int depth = stack.depth();
        final long end = stack.end();
        long element = stack.element();
        long at = first;
        while (true) {
            int next = FAULTY;
            if (depth < maxDepth && tables < maxTables && !(zeroOffsets && at == element)) {
                final VtablePlan plan = fitting(a, s, base, kind, at);
                if (plan != null && contents(a, s, base, plan, at)) {
                    tables++;
                    next = depth + 1 == maxDepth ? plan.first() : ops(a, s, base, kind, plan, at);
                }
            }
            if (next != DONE) {
                passed = at;
                stack.setElement(element);
                return next;
            }
            element += Wire.OFFSET_BYTES;
            if (element >= end) {
                return DONE;
            }
            at = element + Wire.uint32(a, s, base + element);
        }
    }

    /// Finds out what is wrong with a table.
    private VtablePlan examine(byte[] a, MemorySegment s, long base, TableKind kind, long at) {
        final long reference = reference(a, s, base);
        skipped = 0;
        tables++;
        if (tables > maxTables) {
            found(FaultCode.TABLE_LIMIT, reference, tables);
        } else if (stack.depth() >= maxDepth) {
            found(FaultCode.DEPTH_LIMIT, reference, stack.depth() + 1);
        } else if (zeroOffsets && at == stack.element()) {
            found(FaultCode.ELEMENT_OFFSET_ZERO, reference, 0);
        } else if (misaligned(at)) {
            found(FaultCode.TABLE_MISALIGNED, reference, at);
        } else if (at > size - Wire.OFFSET_BYTES) {
            found(FaultCode.TABLE_OUT_OF_RANGE, reference, at);
        } else {
            final VtablePlan plan = planFor(a, s, base, kind, at);
            if (plan != null) {
                skipped = reportFields(a, s, base, kind, plan, at);
                return stopped ? NOTHING : plan;
            }
        }
        report(kind, NO_SLOT);
        if (foundCode.isStricter()) {
            reportAbsent(kind, at); // it has no fields: either code says that its vtable is empty
        }
        return NOTHING;
    }

    private void reportAbsent(TableKind kind, long at) {
        for (int i = 0; i < kind.rules.fields().size() && !stopped; i++) {
            final FieldRule field = kind.rules.fields().get(i);
            if (field.required()) {
                found(FaultCode.REQUIRED_FIELD_ABSENT, at, field.slot());
                report(kind, field.slot());
            }
        }
    }

    /// Finds the position of the offset that has led to the present table.
    private long reference(byte[] a, MemorySegment s, long base) {
        if (stack.isEmpty()) {
            return rootReference;
        }
        if (stack.element() != NOWHERE) {
            return stack.element();
        }
        final long info = stack.info();
        final TableKind kind = kinds[TableStack.kind(info)];
        final VtablePlan plan = planFor(a, s, base, kind, stack.at());
        final int distance = plan == null ? 0 : plan.slot(TableStack.slot(info));
        return stack.at() + distance;
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
            if (!field(plan, field, at)) {
                report(kind, field.slot());
                if (stopped || !foundCode.isStricter()) {
                    skip |= 1 << field.slot();
                    continue;
                }
            }
            if (!contents(a, s, base, plan, field, at)) {
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
        // Where a slot leads may be anywhere; where it stands is in the buffer.
        final long slotAt = plan.slotAt(field.slot());
        if (plan.misaligned(field, table)) {
            return found(field.misaligned(), slotAt, distance);
        }
        if (field.inlineBytes() > size - table - distance) {
            return found(field.outOfRange(), slotAt, distance);
        }
        return !plan.outsideTable(field) || found(FaultCode.FIELD_OUTSIDE_TABLE, slotAt, distance);
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
}
