// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import dev.fletch.wire.Wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The rules of all tables of a format, and the references between them. Immutable and thread-safe.
public final class RuleSet {
    private final List<TableRules> tables;
    private final Map<String, Integer> numbers = new HashMap<>();

    /// For each table and slot, the kinds of tables it refers to: one, or one per tag from 1 on.
    private final int[][][] targets;

    /// Creates a set.
    ///
    /// @param tables rules of all tables; the number of a kind is its index in this list
    /// @throws IllegalArgumentException if a rule refers to a table that is not in the list
    public RuleSet(List<TableRules> tables) {
        this.tables = List.copyOf(tables);
        for (TableRules each : tables) {
            numbers.put(each.name(), numbers.size());
        }
        targets = new int[tables.size()][Wire.SLOTS][];
        for (int kind = 0; kind < targets.length; kind++) {
            for (FieldRule field : tables.get(kind).fields()) {
                targets[kind][field.slot()] = kinds(field.targets());
            }
        }
    }

    private int[] kinds(List<String> names) {
        final int[] kinds = new int[names.size()];
        for (int i = 0; i < kinds.length; i++) {
            kinds[i] = kind(names.get(i));
        }
        return kinds;
    }

    /// {@return the number of a kind of tables}
    ///
    /// @throws IllegalArgumentException if there is no such table
    public int kind(String table) {
        final Integer number = numbers.get(table);
        if (number == null) {
            throw new IllegalArgumentException("unknown table: name=" + table);
        }
        return number;
    }

    int size() {
        return tables.size();
    }

    /// {@return the rules of a kind}
    ///
    /// @throws IndexOutOfBoundsException if there is no such kind
    public TableRules table(int kind) {
        return tables.get(kind);
    }

    /// {@return for each slot of a kind of tables, the kinds it refers to: one, or one per tag from 1
    /// on}
    public int[][] targets(int kind) {
        return targets[kind];
    }
}
