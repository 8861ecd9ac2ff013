// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.KnownSchema;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A copy of a schema that was verified. Up to three parts of it can be recognized.
///
/// ```text
///   0      offset to the schema's table: the copy is a buffer whose root is the schema
///   8      of a message, all metadata; of a footer, what a verifier reads below the schema's table
/// ```
final class AcceptedSchema {
    /// Where the copied bytes begin.
    static final int START = Long.BYTES;

    /// What can be recognized.
    enum Kind {
        /// All metadata of a message.
        MESSAGE,
        /// All that a verifier reads below the schema's table, wherever that is.
        SCHEMA,
        /// All that it reads below the vector of columns.
        COLUMNS
    }

    /// A part of the copy.
    static final class Part {
        final AcceptedSchema owner;
        final Kind kind;
        // Hash of some words, by which the part is found.
        final long key;
        // Must be equal besides the bytes: of a schema the table's position modulo the alignment of
        // its parts, of columns their byte order.
        private final int variant;
        private final int mask;
        private final int from;
        final int length;
        // Position of what the part is searched from: the message's start, the table, the vector.
        private final int anchor;
        // Of all bytes; computed at the first use.
        private long hash;

        private Part(
                AcceptedSchema owner,
                Kind kind,
                int variant,
                int mask,
                int from,
                int to,
                int anchor) {
            this.owner = owner;
            this.kind = kind;
            this.key = owner.keys[kind.ordinal()];
            this.variant = variant & mask;
            this.mask = mask;
            this.from = from;
            this.length = to - from;
            this.anchor = anchor;
        }

        /// {@return where the part begins in a buffer whose anchor is at a position}
        long start(long at) {
            return at - (anchor - from);
        }

        boolean matches(ByteSlice buffer, long at) {
            return buffer.contentEquals(start(at), owner.bytes, from, from + length);
        }

        /// Whether the bytes of this may be those that are searched for.
        boolean isLike(Kind what, long hashOfSome, int as, VerifierOptions by) {
            return key == hashOfSome
                    && kind == what
                    && (as & mask) == variant
                    && owner.rules.equals(by);
        }

        /// Whether another part has the same bytes and the same use.
        boolean isSameAs(Part other) {
            return key == other.key && kind == other.kind && identity() == other.identity();
        }

        private Object identity() {
            return switch (kind) {
                case MESSAGE -> owner;
                case SCHEMA -> owner.known;
                case COLUMNS -> owner.sameColumns;
            };
        }

        long hash() {
            if (hash == 0) {
                final MemorySegment all = MemorySegment.ofArray(owner.bytes);
                hash = KnownSchemas.hash(new ByteSlice().wrap(all, from, length), 0, length);
            }
            return hash;
        }
    }

    final VerifierOptions rules;
    final byte[] bytes;
    private final long[] keys;

    /// How many tables a verifier visits, the schema's own included.
    final int tables;

    /// In the order of [Kind]. The first is null if the bytes are those of a footer, the last if there
    /// is no vector of columns.
    final Part[] parts = new Part[3];

    /// The same for all copies of one schema. Set before other threads see this.
    KnownSchema known;

    /// The same for all schemas with these columns. Set before other threads see this.
    KnownSchema sameColumns;

    /// When this was recognized last.
    long stamp;

    /// @param verified a buffer that was verified, from [#START] on
    /// @param isMessage whether that is a message, and not a footer
    /// @param table position of the schema's table in `verified`
    /// @param columns position of the vector of columns, negative if there is none
    /// @param endianness byte order of the columns
    /// @param keys hashes of some words of each part, in the order of [Kind]
    AcceptedSchema(
            VerifierOptions rules,
            byte[] verified,
            boolean isMessage,
            int table,
            int columns,
            int endianness,
            long[] keys) {
        this.rules = rules;
        this.keys = keys;
        final SchemaExtent all = new SchemaExtent(verified, rules, table, false);
        tables = all.tables;
        final int moved = isMessage ? 0 : START - all.from;
        bytes = isMessage ? verified : Arrays.copyOfRange(verified, all.from - START, all.to);
        Wire.setInt32(bytes, null, 0, table + moved);
        if (isMessage) {
            parts[0] = new Part(this, Kind.MESSAGE, 0, 0, START, bytes.length, START);
        }
        parts[1] = part(Kind.SCHEMA, table - START, all.alignment - 1, all, table, moved);
        if (columns >= 0) {
            final SchemaExtent below = new SchemaExtent(verified, rules, columns, true);
            parts[2] = part(Kind.COLUMNS, endianness, -1, below, columns, moved);
        }
    }

    private Part part(
            Kind kind, int variant, int mask, SchemaExtent extent, int anchor, int moved) {
        final int from = extent.from + moved;
        return new Part(this, kind, variant, mask, from, extent.to + moved, anchor + moved);
    }

    /// {@return all that was copied}
    Part whole() {
        return parts[0] != null ? parts[0] : parts[1];
    }
}
