// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Adds their place in a schema or batch to the faults of checks, and passes them on.
///
/// Checks have the form `holds || faults.add(…)`: true to continue the verification.
public final class FaultPlace implements FaultSink {
    private final FaultSink sink;
    private int count;
    private int errors;
    private String prefix = "";
    // Levels from a column down to the field, and the index at each level among siblings.
    private int levels;
    private int[] ordinals = new int[8];
    // Gives the paths of fields by number; null outside of fields.
    private Supplier<IntFunction<String>> paths;
    private int field;

    public FaultPlace(FaultSink sink) {
        this.sink = sink;
    }

    /// Number of faults so far.
    public int count() {
        return count;
    }

    /// Number of errors so far, without deviations and notes.
    public int errors() {
        return errors;
    }

    /// Sets the first part of paths.
    public void at(String root) {
        prefix = root;
        levels = 0;
        paths = null;
    }

    /// Moves to the next field of a walk through the schema.
    public void next(int depth) {
        if (depth == ordinals.length) {
            ordinals = Arrays.copyOf(ordinals, depth << 1);
        }
        ordinals[depth] = depth < levels ? ordinals[depth] + 1 : 0;
        levels = depth + 1;
    }

    /// Returns to the schema itself.
    public void schema() {
        levels = 0;
    }

    /// Sets the field of a node or buffer.
    ///
    /// @param names gives, for a fault, the paths of fields by number; null for none
    public void field(Supplier<IntFunction<String>> names, int number) {
        paths = names;
        field = number;
    }

    /// Adds a fault if a check has found a broken rule, not null.
    public boolean holds(Rule broken, long position, long value, String name) {
        return broken == null || add(broken, position, value, name);
    }

    /// Adds a fault below the current place.
    public boolean add(Rule rule, long position, long value, String path) {
        return add(Fault.of(rule, position, value).at(path));
    }

    /// Adds a fault below the current place, at `name[index].tail`.
    public boolean add(Rule rule, long position, long value, String name, int index, String tail) {
        return add(Fault.of(rule, position, value).at(name, index, tail));
    }

    /// Adds a fault below the current place.
    @Override
    public void accept(Fault fault) {
        addWhole(fault.under(place()));
    }

    /// Adds a fault whose path begins at the message.
    public void addWhole(Fault fault) {
        count++;
        errors += fault.rule().severity() == Rule.Severity.ERROR ? 1 : 0;
        sink.accept(paths == null ? fault : fault.inColumn(paths.get(), field));
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
        return sink.isFull();
    }
}
