// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.wire.Wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The declarations of all tables of a format, and the references between them. Immutable and
/// thread-safe.
public final class DeclaredTables {
    private final List<TableDeclaration> tables;
    private final Map<String, Integer> numbers = new HashMap<>();

    /// For each table and slot, the kinds of tables it refers to: one, or one per tag from 1 on.
    private final int[][][] targets;

    /// @param tables declarations of all tables; the number of a kind is its index in this list
    /// @throws IllegalArgumentException if one refers to a table that is not in the list
    public DeclaredTables(List<TableDeclaration> tables) {
        this.tables = List.copyOf(tables);
        for (TableDeclaration each : tables) {
            numbers.put(each.name(), numbers.size());
        }
        targets = new int[tables.size()][Wire.SLOTS][];
        for (int kind = 0; kind < targets.length; kind++) {
            for (FieldDeclaration field : tables.get(kind).fields()) {
                targets[kind][field.slot()] = kinds(field.targets());
            }
        }
    }

    private int[] kinds(List<String> names) {
        int[] kinds = new int[names.size()];
        for (int i = 0; i < kinds.length; i++) {
            kinds[i] = kind(names.get(i));
        }
        return kinds;
    }

    /// {@return the number of a kind of tables}
    ///
    /// @throws IllegalArgumentException if there is no such table
    public int kind(String table) {
        Integer number = numbers.get(table);
        if (number == null) {
            throw new IllegalArgumentException("unknown table: name=" + table);
        }
        return number;
    }

    int size() {
        return tables.size();
    }

    /// {@return the declaration of a kind}
    ///
    /// @throws IndexOutOfBoundsException if there is no such kind
    public TableDeclaration table(int kind) {
        return tables.get(kind);
    }

    /// {@return for each slot of a kind of tables, the kinds it refers to: one, or one per tag from
    /// 1 on}
    public int[][] targets(int kind) {
        return targets[kind];
    }
}
