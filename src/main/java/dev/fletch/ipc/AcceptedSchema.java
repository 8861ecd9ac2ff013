// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Checks;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.internal.VerifierEngine;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A verified schema of a [KnownSchemas], with a copy of all metadata of its message, or of all
/// bytes of a footer that a verifier reads for it.
///
/// ```text
///   0      offset to the schema's table: the copy is a buffer whose root is the schema
///   8      the bytes
/// ```
final class AcceptedSchema {
    /// Offset of the copied bytes.
    static final int START = Long.BYTES;

    private static final int SCHEMA = ArrowRules.SET.kind("Schema");

    final byte[] bytes;

    /// Hash of some words of the schema.
    final long key;

    /// Hash of some words of the message; 0 for a footer.
    final long messageKey;

    /// Number of tables that a verifier visits, the schema's own included.
    final long tables;

    /// The same for equal schemas of messages and footers. Set before other threads see this.
    KnownSchema known;

    /// Logical time of the last use.
    long stamp;

    private final Checks rules;

    // The schema in [#bytes]: its first byte, the byte after it, and its table.
    private final int from;
    private final int to;
    private final int table;

    // The table's position in the message or footer, modulo the alignment of its parts.
    private final int place;
    private final int mask;

    /// Copies a schema.
    ///
    /// @param verified bytes before the message or footer, as many as [#START], and then its own;
    ///     kept for a message
    /// @param position position of the schema's table
    AcceptedSchema(Checks rules, byte[] verified, int position, long key, long messageKey) {
        VerifierEngine.Extent all =
                new VerifierEngine(ArrowRules.SET, rules)
                        .extent(SCHEMA, MemorySegment.ofArray(verified), position);
        int moved = messageKey != 0 ? 0 : START - (int) all.from;
        from = (int) all.from + moved;
        to = (int) all.to + moved;
        table = position + moved;
        bytes = messageKey != 0 ? verified : Arrays.copyOfRange(verified, -moved, (int) all.to);
        Wire.setInt32(bytes, null, 0, table);
        mask = all.alignment - 1;
        place = position - START & mask;
        tables = all.tables;
        this.rules = rules;
        this.key = key;
        this.messageKey = messageKey;
    }

    /// Whether a message has exactly these bytes.
    boolean isMessage(ByteSlice message, Checks by) {
        return message.length() == bytes.length - START
                && rules.hasSameStructure(by)
                && message.contentEquals(0, bytes, START, bytes.length);
    }

    /// Whether a message or footer has this schema.
    ///
    /// @param position position of its schema's table
    boolean isSchema(ByteSlice buffer, long position, Checks by) {
        return (position & mask) == place
                && rules.hasSameStructure(by)
                && buffer.contentEquals(position - (table - from), bytes, from, to);
    }
}
