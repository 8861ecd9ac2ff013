// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.layout.FieldLayout;

/// Where the rules of meaning report to: fills the fault, and says whether to go on.
///
/// Checks are written as `holds || report.add(…)`: true where the verification goes on.
final class Report {
    private static final int NONE = -1;

    final FieldPath path = new FieldPath();
    final SemanticFault fault = new SemanticFault(path);

    private SemanticSink sink;
    private int limit;
    private int count;
    private String prefix = "";
    private int levels;
    private FieldLayout layout;
    private int field;

    void collect(SemanticSink taker, int most) {
        sink = taker;
        limit = most;
    }

    void begin() {
        fault.clear();
        count = 0;
        at("");
    }

    /// Sets what paths begin with.
    void at(String root) {
        prefix = root;
        levels = 0;
        layout = null;
    }

    /// Sets the level of [#path] that is spoken of: 0 for the schema itself.
    void level(int depth) {
        levels = depth;
    }

    /// Sets the field that a node or buffer belongs to; null for none.
    void field(FieldLayout of, int number) {
        layout = of;
        field = number;
    }

    boolean add(SemanticRule code, long position, long value, String name) {
        return add(code, position, value, name, NONE, "");
    }

    boolean add(SemanticRule code, long position, long value, String name, int index, String tail) {
        count++;
        if (sink != null && count > limit) {
            return false;
        }
        fault.set(code, position, value);
        fault.setPath(prefix, levels, name, index, tail);
        fault.setField(layout, field);
        if (sink == null) {
            return false;
        }
        sink.accept(fault);
        return true;
    }

    /// Faults so far; one more than the limit if there are more.
    int count() {
        return count;
    }
}
