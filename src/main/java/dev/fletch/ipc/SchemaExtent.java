// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.VectorAlignment;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.format.Schema;
import dev.fletch.format.rules.ArrowRules;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Finds the range of bytes that a verifier reads below a table, the table's own vtable included. The
/// bytes must have been verified.
final class SchemaExtent {
    private static final int OFFSET_BYTES = Integer.BYTES;
    private static final int VTABLE_HEAD_BYTES = 4;
    private static final int FIELD = ArrowRules.SET.kind("Field");
    private static final int SCHEMA = ArrowRules.SET.kind("Schema");

    private final ByteBuffer bytes;
    private final VerifierOptions rules;
    private final int maxTables;

    /// First byte.
    int from = Integer.MAX_VALUE;

    /// Behind the last byte.
    int to;

    /// How many tables a verifier reaches.
    int tables;

    /// What the position is aligned to, as far as a verifier looks.
    int alignment = 1;

    // Position and kind of each table that is still to be visited.
    private int[] open = new int[64];
    private int count;

    /// @param bytes a buffer that was verified
    /// @param rules by these
    SchemaExtent(byte[] bytes, VerifierOptions rules) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.rules = rules;
        this.maxTables = bytes.length / OFFSET_BYTES;
    }

    /// Takes a schema.
    ///
    /// @param table position of its table
    /// @return false if tables are shared, so that there are more than the bytes can hold: no writer
    ///     does that
    boolean schema(int table) {
        push(table, SCHEMA);
        return visitAll();
    }

    /// Takes the columns of a schema.
    ///
    /// @param vector position of the vector's length word
    /// @return false if tables are shared
    boolean columns(int vector) {
        pushAll(vector, FIELD);
        return visitAll();
    }

    /// Where the offset in a field of a table leads.
    ///
    /// @return the position, 0 if the field is absent
    int target(int table, int slot) {
        final int distance = slot(table, slot);
        return distance == 0 ? 0 : follow(table + distance);
    }

    /// {@return position of the vector of columns, 0 if it is absent}
    int columnsOf(int table) {
        return target(table, Schema.FIELDS_SLOT);
    }

    private boolean visitAll() {
        while (count > 0 && tables <= maxTables) {
            count -= 2;
            visit(open[count], open[count + 1]);
        }
        return count == 0 && tables <= maxTables;
    }

    private void visit(int table, int kind) {
        tables++;
        include(table, OFFSET_BYTES);
        align(rules.checkAlignment(), OFFSET_BYTES);
        final int vtable = table - bytes.getInt(table);
        final int vtableBytes = bytes.getShort(vtable) & 0xFFFF;
        include(vtable, Math.max(vtableBytes, Short.BYTES));
        if (rules.checkTableSize() && vtableBytes >= VTABLE_HEAD_BYTES) {
            include(table, bytes.getShort(vtable + Short.BYTES) & 0xFFFF);
        }
        for (FieldRule field : ArrowRules.SET.table(kind).fields()) {
            final int distance = slot(table, field.slot());
            if (distance != 0) {
                include(table + distance, field.inlineBytes());
                visit(field, table, table + distance);
            }
        }
    }

    private void visit(FieldRule field, int table, int at) {
        switch (field.kind()) {
            case STRING -> {
                final int string = follow(at);
                include(string, OFFSET_BYTES + bytes.getInt(string) + 1);
            }
            case VECTOR -> {
                final int vector = follow(at);
                include(vector, OFFSET_BYTES + bytes.getInt(vector) * field.bytes());
                align(rules.vectorAlignment() != VectorAlignment.NONE, field.alignment());
            }
            case TABLE -> push(follow(at), kind(field, 0));
            case TABLES -> pushAll(follow(at), kind(field, 0));
            case UNION -> {
                final int value = follow(at);
                include(value, 1);
                final int tagAt = slot(table, field.tagSlot());
                final int tag = tagAt == 0 ? 0 : bytes.get(table + tagAt) & 0xFF;
                if (tag != 0 && tag <= field.targets().size()) {
                    push(value, kind(field, tag - 1));
                }
            }
            case SCALAR, UNION_TAG, STRUCT -> align(rules.checkAlignment(), field.alignment());
        }
    }

    private static int kind(FieldRule field, int member) {
        return ArrowRules.SET.kind(field.targets().get(member));
    }

    private int slot(int table, int slot) {
        final int vtable = table - bytes.getInt(table);
        final int at = VTABLE_HEAD_BYTES + slot * Short.BYTES;
        return at < (bytes.getShort(vtable) & 0xFFFF) ? bytes.getShort(vtable + at) & 0xFFFF : 0;
    }

    private int follow(int at) {
        return at + bytes.getInt(at);
    }

    private void include(int at, int length) {
        from = Math.min(from, at);
        to = Math.max(to, at + length);
    }

    private void align(boolean isChecked, int bytesOfUnit) {
        alignment = isChecked ? Math.max(alignment, bytesOfUnit) : alignment;
    }

    private void pushAll(int vector, int kind) {
        final int elements = bytes.getInt(vector);
        include(vector, OFFSET_BYTES + elements * OFFSET_BYTES);
        for (int i = 1; i <= elements && count >> 1 <= maxTables; i++) {
            push(follow(vector + i * OFFSET_BYTES), kind);
        }
    }

    private void push(int table, int kind) {
        if (count == open.length) {
            open = Arrays.copyOf(open, count << 1);
        }
        open[count++] = table;
        open[count++] = kind;
    }
}
