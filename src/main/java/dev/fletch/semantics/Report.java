// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule;
import dev.fletch.layout.FieldLayout;

import java.util.Arrays;

/// Counts the faults of the checks, adds their place in the schema or batch, and passes them on.
///
/// Checks have the form `holds || report.add(…)`: true to continue the verification.
final class Report implements FaultSink {
    private FaultSink sink;
    private int limit;
    // The last fault; null if there is none.
    Fault fault;
    // Number of faults so far; one more than the limit if there are more.
    int count;
    // Number of errors so far, without deviations and notes.
    int errors;
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
        fault = null;
        count = 0;
        errors = 0;
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

    /// Adds a fault if a check has found a broken rule, not null.
    boolean holds(Rule broken, long position, long value, String name) {
        return broken == null || add(broken, position, value, name);
    }

    /// Adds a fault below the current place.
    boolean add(Rule rule, long position, long value, String path) {
        return add(Fault.of(rule, position, value).at(path));
    }

    /// Adds a fault below the current place, at `name[index].tail`.
    boolean add(Rule rule, long position, long value, String name, int index, String tail) {
        return add(Fault.of(rule, position, value).at(name, index, tail));
    }

    /// Adds a fault below the current place.
    @Override
    public void accept(Fault found) {
        addWhole(found.under(place()));
    }

    /// Adds a fault whose path begins at the message.
    void addWhole(Fault found) {
        count++;
        errors += found.rule().severity() == Rule.Severity.ERROR ? 1 : 0;
        if (sink != null && count > limit) {
            return;
        }
        fault = layout == null ? found : found.inColumn(layout.pathString(field), field);
        if (sink != null) {
            sink.accept(fault);
        }
    }

    private String place() {
        StringBuilder place = new StringBuilder(prefix);
        for (int i = 0; i < levels; i++) {
            place.append(place.isEmpty() ? "" : ".").append(i == 0 ? "fields" : "children");
            place.append('[').append(ordinals[i]).append(']');
        }
        return place.toString();
    }

    @Override
    public boolean isFull() {
        return sink == null ? count > 0 : count > limit || sink.isFull();
    }
}
