// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule;
import dev.fletch.format.rules.FaultNumbers;
import dev.fletch.format.rules.FaultReport;
import dev.fletch.layout.FieldLayout;

import java.util.Arrays;

/// Collects the faults of the checks: sets the fault, and returns whether to continue.
///
/// Checks have the form `holds || report.add(…)`: true to continue the verification.
final class Report implements FaultReport, FaultSink {
    final PathFault fault = new PathFault();

    private FaultSink sink;
    private int limit;
    // Number of faults so far; one more than the limit if there are more.
    int count;
    // Number of errors so far, without deviations and notes.
    int errors;
    // What explains the next fault: a text, or numbers; null and none if its value does.
    private String details;
    private final FaultNumbers numbers = new FaultNumbers();
    private String prefix = "";
    // Levels from a column down to the field, and the index at each level among siblings.
    private int levels;
    private int[] ordinals = new int[8];
    private FieldLayout layout;
    private int field;

    void collect(FaultSink taker, int most) {
        sink = taker;
        limit = most;
    }

    void begin() {
        fault.clear();
        count = 0;
        errors = 0;
        forgetDetails();
        at("");
    }

    /// Sets the first part of paths.
    void at(String root) {
        prefix = root;
        levels = 0;
        layout = null;
    }

    /// Moves to the next field of a walk through the schema.
    void next(int depth) {
        if (depth == ordinals.length) {
            ordinals = Arrays.copyOf(ordinals, depth << 1);
        }
        ordinals[depth] = depth < levels ? ordinals[depth] + 1 : 0;
        levels = depth + 1;
    }

    /// Returns to the schema itself.
    void schema() {
        levels = 0;
    }

    /// Sets the field of a node or buffer; null for none.
    void field(FieldLayout of, int number) {
        layout = of;
        field = number;
    }

    @Override
    public FaultNumbers numbers() {
        return numbers;
    }

    /// Sets the next fault's details as text.
    void details(String text) {
        details = text;
    }

    private void forgetDetails() {
        details = null;
        numbers.clear();
    }

    /// Adds a fault if a check has found a broken rule, not null.
    boolean holds(Rule broken, long position, long value, String name) {
        return broken == null || add(broken, position, value, name);
    }

    boolean add(Rule rule, long position, long value, String name) {
        return add(rule, position, value, name, NONE, "");
    }

    @Override
    public boolean add(Rule rule, long position, long value, String name, int index, String tail) {
        count++;
        errors += rule.severity() == Rule.Severity.ERROR ? 1 : 0;
        if (sink != null && count > limit) {
            forgetDetails();
            return false;
        }
        fault.set(rule, position, value);
        fault.copy(name, index, tail);
        forgetDetails();
        if (sink == null) {
            return false;
        }
        sink.accept(fault);
        return true;
    }

    /// Adds a fault that another layer's check has found. Its path begins at the message.
    @Override
    public void accept(Fault found) {
        String root = prefix;
        prefix = "";
        details(found.details());
        add(found.rule(), found.position(), found.value(), found.path());
        prefix = root;
    }

    /// Whether no more faults are collected, so that the verification ends.
    boolean isFull() {
        return sink == null ? count > 0 : count > limit;
    }

    /// A fault with a copy of its path, as the walk continues after it: the position of the schema
    /// or batch, the path to the field, then `name[index].tail`.
    final class PathFault extends Fault {
        private String prefix;
        private int levels;
        private int[] ordinals = new int[8];
        private String name;
        private int index;
        private String tail;
        private FieldLayout layout;
        private int field;
        private String details;
        private final FaultNumbers numbers = new FaultNumbers();

        void copy(String leaf, int element, String part) {
            prefix = Report.this.prefix;
            levels = Report.this.levels;
            if (levels > ordinals.length) {
                ordinals = new int[levels << 1];
            }
            System.arraycopy(Report.this.ordinals, 0, ordinals, 0, levels);
            name = leaf;
            index = element;
            tail = part;
            layout = Report.this.layout;
            field = Report.this.field;
            details = Report.this.details;
            numbers.copy(Report.this.numbers);
        }

        @Override
        public void clear() {
            super.clear();
            layout = null;
            details = null;
            numbers.clear();
        }

        @Override
        public String details() {
            String text = details == null ? numbers.toString() : details;
            return text.isEmpty() ? super.details() : text;
        }

        @Override
        public String column() {
            return layout == null ? null : layout.pathString(field);
        }

        @Override
        public int field() {
            return layout == null ? super.field() : field;
        }

        @Override
        protected void appendPathTo(StringBuilder to) {
            int start = to.length();
            part(to, start, prefix);
            for (int i = 0; i < levels; i++) {
                part(to, start, i == 0 ? "fields" : "children");
                to.append('[').append(ordinals[i]).append(']');
            }
            part(to, start, name);
            if (index != NONE) {
                to.append('[').append(index).append(']');
            }
            part(to, start, tail);
        }

        private static void part(StringBuilder to, int start, String part) {
            if (!part.isEmpty() && to.length() > start) {
                to.append('.');
            }
            to.append(part);
        }
    }
}
