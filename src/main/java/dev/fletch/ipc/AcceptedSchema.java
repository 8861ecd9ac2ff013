// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Checks;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.internal.SchemaExtent;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A verified schema of a [KnownSchemas], with a copy of all bytes that a verifier reads for it.
///
/// ```text
///   0      offset to the schema's table: the copy is a buffer whose root is the schema
///   8      the bytes
/// ```
final class AcceptedSchema {
    /// Offset of the copied bytes.
    static final int START = Long.BYTES;

    final Checks rules;
    final byte[] bytes;

    /// Hash of some words of the schema.
    final long key;

    /// Number of tables that a verifier visits, the schema's own included.
    final int tables;

    final KnownSchema known;

    /// Logical time of the last use.
    long stamp;

    /// Position of the schema's table in [#bytes].
    private final int table;

    // The table's position in a message or footer, modulo the alignment of its parts.
    private final int place;
    private final int mask;

    /// Copies the schema of a message or footer.
    ///
    /// @param verified bytes before the message or footer, as many as [#START], and then its own
    /// @param at position of the schema's table
    AcceptedSchema(Checks rules, byte[] verified, int at, long key) {
        SchemaExtent all = new SchemaExtent(MemorySegment.ofArray(verified), rules, at);
        int from = (int) all.from - START;
        bytes = Arrays.copyOfRange(verified, from, (int) all.to);
        table = at - from;
        Wire.setInt32(bytes, null, 0, table);
        mask = all.alignment - 1;
        place = at - START & mask;
        tables = all.tables;
        known = KnownSchema.of(bytes);
        this.rules = rules;
        this.key = key;
    }

    /// Whether a message or footer has this schema.
    ///
    /// @param at position of its schema's table
    boolean matches(ByteSlice buffer, long at, Checks by) {
        return (at & mask) == place
                && rules.hasSameStructure(by)
                && buffer.contentEquals(at - (table - START), bytes, START, bytes.length);
    }
}
