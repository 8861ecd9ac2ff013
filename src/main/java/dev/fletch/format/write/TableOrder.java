// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.FieldDeclaration.Kind;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.Field;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.Wire;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The order in which a producer writes the tables of one kind: its [EmissionOrder] applied to the
/// table's declaration. Immutable.
final class TableOrder {
    static final int FIELD = ArrowRules.SET.kind("Field");
    static final int SCHEMA = ArrowRules.SET.kind("Schema");
    static final int MESSAGE = ArrowRules.SET.kind("Message");
    static final int FOOTER = ArrowRules.SET.kind("Footer");
    static final int TENSOR = ArrowRules.SET.kind("Tensor");
    static final int SPARSE_TENSOR = ArrowRules.SET.kind("SparseTensor");
    static final int RECORD_BATCH = ArrowRules.SET.kind("RecordBatch");
    static final int DICTIONARY_BATCH = ArrowRules.SET.kind("DictionaryBatch");
    static final int DICTIONARY_ENCODING = ArrowRules.SET.kind("DictionaryEncoding");

    /// The type of all booleans.
    static final InlineType BOOL =
            ArrowRules.ALL.get(FIELD).fields().get(Field.NULLABLE_SLOT).type();

    private static final Map<EmissionOrder, TableOrder[]> ALL = new ConcurrentHashMap<>();

    /// An object to write before the table.
    ///
    /// @param elements whether to write a vector's elements rather than the vector
    record Step(FieldDeclaration field, boolean elements) {}

    final TableDeclaration declaration;

    /// What to write before the table, in order.
    final Step[] steps;

    /// The fields in the order of adding them.
    final FieldDeclaration[] fields;

    /// By slot, numbers of the kinds of tables that a field refers to.
    final int[][] targets;

    /// By slot, the index of a field's first number, if a struct has several and all else one.
    final int[] numberAt = new int[Wire.SLOTS];

    /// How many numbers all fields have.
    final int numbers;

    private TableOrder(EmissionOrder order, int kind) {
        declaration = ArrowRules.SET.table(kind);
        targets = ArrowRules.SET.targets(kind);
        steps = order.steps(declaration);
        fields = order.added(declaration);
        int next = 0;
        for (FieldDeclaration field : declaration.fields()) {
            numberAt[field.slot()] = next;
            next += field.kind() == Kind.STRUCT ? field.bytes() / Long.BYTES : 1;
        }
        numbers = next;
    }

    /// Returns the orders of all tables, by the numbers of their kinds.
    static TableOrder[] all(EmissionOrder order) {
        return ALL.computeIfAbsent(order, TableOrder::make);
    }

    private static TableOrder[] make(EmissionOrder order) {
        TableOrder[] all = new TableOrder[ArrowRules.ALL.size()];
        for (int kind = 0; kind < all.length; kind++) {
            all[kind] = new TableOrder(order, kind);
        }
        return all;
    }
}
