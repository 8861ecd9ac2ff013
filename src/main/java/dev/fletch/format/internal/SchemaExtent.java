// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static dev.fletch.wire.Wire.OFFSET_BYTES;
import static dev.fletch.wire.Wire.VTABLE_HEAD_BYTES;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.FieldDeclaration.Kind;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// The range of bytes that a verifier reads for a schema, descendants included. The bytes must be
/// verified. The walk follows [ArrowRules] and does not recurse.
public final class SchemaExtent {
    private static final int SCHEMA = ArrowRules.SET.kind("Schema");

    private final MemorySegment memory;
    private final boolean checkTableSize;
    private final boolean checkVectors;
    private final long maxTables;
    // Tables to visit.
    private final ArrayDeque<Visit> open = new ArrayDeque<>();

    /// Position of the first byte.
    public long from = Long.MAX_VALUE;

    /// Position after the last byte.
    public long to;

    /// Number of tables that a verifier visits. The count stops above the number that the bytes can
    /// hold: more mean shared tables, which no known writer produces.
    public int tables;

    /// The largest alignment that a verifier may require.
    public int alignment = OFFSET_BYTES;

    private record Visit(long table, int kind) {}

    /// Finds an extent.
    ///
    /// @param memory has a buffer verified by `rules`
    /// @param position position of a schema's table
    public SchemaExtent(MemorySegment memory, Checks rules, long position) {
        this.memory = memory;
        this.checkTableSize = rules.has(Check.TABLE_SIZE);
        this.checkVectors =
                rules.has(Check.VECTOR_ALIGNMENT) || rules.has(Check.EMPTY_VECTOR_ALIGNMENT);
        this.maxTables = memory.byteSize() / OFFSET_BYTES;
        open.push(new Visit(position, SCHEMA));
        while (!open.isEmpty() && tables <= maxTables) {
            Visit next = open.pop();
            visit(next.table, next.kind);
        }
    }

    /// Whether two schemas have the same bytes, so that all readers find the same in both. Schemas
    /// with the same content may have other bytes.
    ///
    /// @param memory has two buffers verified by `rules`
    /// @param a position of a schema's table
    /// @param b position of the other schema's table
    public static boolean hasSameBytes(MemorySegment memory, Checks rules, long a, long b) {
        SchemaExtent all = new SchemaExtent(memory, rules, a);
        long from = all.from + (b - a);
        long to = all.to + (b - a);
        return all.tables <= all.maxTables
                && from >= 0
                && to <= memory.byteSize()
                && MemorySegment.mismatch(memory, all.from, all.to, memory, from, to) < 0;
    }

    private void visit(long table, int kind) {
        tables++;
        include(table, OFFSET_BYTES);
        long vtable = table - Wire.int32(memory, table);
        int vtableBytes = int16(vtable);
        include(vtable, Math.max(vtableBytes, Short.BYTES));
        if (checkTableSize && vtableBytes >= VTABLE_HEAD_BYTES) {
            include(table, int16(vtable + Short.BYTES));
        }
        for (FieldDeclaration field : ArrowRules.SET.table(kind).fields()) {
            int distance = distance(table, field.slot());
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

    private void follow(FieldDeclaration field, long table, long position) {
        long target = position + Wire.int32(memory, position);
        switch (field.kind()) {
            case TABLE -> open.push(new Visit(target, kind(field, 0)));
            case TABLES -> pushAll(target, kind(field, 0));
            case UNION -> {
                include(target, 1);
                int tagAt = distance(table, field.tagSlot());
                int tag = tagAt == 0 ? 0 : Wire.int8(memory, table + tagAt) & 0xFF;
                if (tag != 0 && tag <= field.targets().size()) {
                    open.push(new Visit(target, kind(field, tag - 1)));
                }
            }
            default -> {
                int end = field.kind() == Kind.STRING ? 1 : 0;
                include(
                        target,
                        OFFSET_BYTES + (long) Wire.int32(memory, target) * field.bytes() + end);
            }
        }
    }

    private void pushAll(long vector, int kind) {
        int elements = Wire.int32(memory, vector);
        include(vector, OFFSET_BYTES + (long) elements * OFFSET_BYTES);
        for (int i = 1; i <= elements && open.size() <= maxTables; i++) {
            long position = vector + (long) i * OFFSET_BYTES;
            open.push(new Visit(position + Wire.int32(memory, position), kind));
        }
    }

    private static int kind(FieldDeclaration field, int member) {
        return ArrowRules.SET.kind(field.targets().get(member));
    }

    /// {@return a field's offset from its table, 0 if the field is absent}
    private int distance(long table, int slot) {
        long vtable = table - Wire.int32(memory, table);
        int position = VTABLE_HEAD_BYTES + slot * Short.BYTES;
        return position < int16(vtable) ? int16(vtable + position) : 0;
    }

    private int int16(long position) {
        return Wire.int16(memory, position) & 0xFFFF;
    }

    private void include(long position, long length) {
        from = Math.min(from, position);
        to = Math.max(to, position + length);
    }
}
