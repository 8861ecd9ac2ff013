// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.VectorAlignment;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.FieldRule.Kind;
import dev.fletch.format.rules.ArrowRules;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The range of bytes that a verifier reads below a table or a vector of tables, which is included.
/// The bytes must have been verified. The walk follows [ArrowRules], and uses no Java stack.
final class SchemaExtent {
    private static final int OFFSET_BYTES = Integer.BYTES;
    private static final int VTABLE_HEAD_BYTES = 4;
    private static final int FIELD = ArrowRules.SET.kind("Field");
    private static final int SCHEMA = ArrowRules.SET.kind("Schema");

    private final ByteBuffer bytes;
    private final boolean checkTableSize;
    private final boolean checkVectors;
    private final int maxTables;

    /// First byte.
    int from = Integer.MAX_VALUE;

    /// Behind the last byte.
    int to;

    /// How many tables a verifier visits. No more are counted than the bytes can hold: if there are
    /// more, the tables are shared, which no writer does.
    int tables;

    /// What a verifier may require positions to be aligned to.
    int alignment = OFFSET_BYTES;

    // Position and kind of each table that is still to be visited.
    private int[] open = new int[64];
    private int count;

    private SchemaExtent(byte[] bytes, VerifierOptions rules) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.checkTableSize = rules.checkTableSize();
        this.checkVectors = rules.vectorAlignment() != VectorAlignment.NONE;
        this.maxTables = bytes.length / OFFSET_BYTES;
    }

    /// {@return the extent of a schema}
    ///
    /// @param bytes a buffer that was verified
    /// @param rules by these
    /// @param table position of the schema's table
    static SchemaExtent ofSchema(byte[] bytes, VerifierOptions rules, int table) {
        final SchemaExtent extent = new SchemaExtent(bytes, rules);
        extent.push(table, SCHEMA);
        return extent.visitAll();
    }

    /// {@return the extent of a schema's columns}
    ///
    /// @param bytes a buffer that was verified
    /// @param rules by these
    /// @param vector position of the length of the vector of columns
    static SchemaExtent ofColumns(byte[] bytes, VerifierOptions rules, int vector) {
        final SchemaExtent extent = new SchemaExtent(bytes, rules);
        extent.pushAll(vector, FIELD);
        return extent.visitAll();
    }

    private SchemaExtent visitAll() {
        while (count > 0 && tables <= maxTables) {
            count -= 2;
            visit(open[count], open[count + 1]);
        }
        return this;
    }

    private void visit(int table, int kind) {
        tables++;
        include(table, OFFSET_BYTES);
        final int vtable = table - bytes.getInt(table);
        final int vtableBytes = int16(vtable);
        include(vtable, Math.max(vtableBytes, Short.BYTES));
        if (checkTableSize && vtableBytes >= VTABLE_HEAD_BYTES) {
            include(table, int16(vtable + Short.BYTES));
        }
        for (FieldRule field : ArrowRules.SET.table(kind).fields()) {
            final int distance = distance(table, field.slot());
            if (distance != 0) {
                include(table + distance, field.inlineBytes());
                if (field.kind() != Kind.VECTOR || checkVectors) {
                    alignment = Math.max(alignment, field.alignment());
                }
                if (field.isOffset()) {
                    follow(field, table, table + distance);
                }
            }
        }
    }

    private void follow(FieldRule field, int table, int at) {
        final int target = at + bytes.getInt(at);
        switch (field.kind()) {
            case TABLE -> push(target, kind(field, 0));
            case TABLES -> pushAll(target, kind(field, 0));
            case UNION -> {
                include(target, 1);
                final int tagAt = distance(table, field.tagSlot());
                final int tag = tagAt == 0 ? 0 : bytes.get(table + tagAt) & 0xFF;
                if (tag != 0 && tag <= field.targets().size()) {
                    push(target, kind(field, tag - 1));
                }
            }
            default -> {
                final int end = field.kind() == Kind.STRING ? 1 : 0;
                include(target, OFFSET_BYTES + bytes.getInt(target) * field.bytes() + end);
            }
        }
    }

    private static int kind(FieldRule field, int member) {
        return ArrowRules.SET.kind(field.targets().get(member));
    }

    /// {@return how far a field is from its table, 0 if it is absent}
    private int distance(int table, int slot) {
        final int vtable = table - bytes.getInt(table);
        final int at = VTABLE_HEAD_BYTES + slot * Short.BYTES;
        return at < int16(vtable) ? int16(vtable + at) : 0;
    }

    private int int16(int at) {
        return bytes.getShort(at) & 0xFFFF;
    }

    private void include(int at, int length) {
        from = Math.min(from, at);
        to = Math.max(to, at + length);
    }

    private void pushAll(int vector, int kind) {
        final int elements = bytes.getInt(vector);
        include(vector, OFFSET_BYTES + elements * OFFSET_BYTES);
        for (int i = 1; i <= elements && count >> 1 <= maxTables; i++) {
            final int at = vector + i * OFFSET_BYTES;
            push(at + bytes.getInt(at), kind);
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
