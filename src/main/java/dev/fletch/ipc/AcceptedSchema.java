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

/// A copy of a verified schema, with up to three parts that can be recognized.
///
/// ```text
///   0      offset to the schema's table: the copy is a buffer whose root is the schema
///   8      all metadata of a message, or the bytes of a footer that a verifier reads for the schema
/// ```
final class AcceptedSchema {
    /// Offset of the copied bytes.
    static final int START = Long.BYTES;

    /// The kinds of recognizable parts.
    enum Kind {
        /// All metadata of a message.
        MESSAGE,
        /// All bytes that a verifier reads for the schema's table, at any position.
        SCHEMA,
        /// All bytes that a verifier reads for the vector of columns.
        COLUMNS
    }

    /// A part of the copy.
    ///
    /// @param key hash of some words, the key of lookups
    /// @param variant must be equal besides the bytes, in the bits of `mask`: for a schema, the
    ///     table's position modulo the alignment of its parts; for columns, the endianness
    /// @param from position of the first byte
    /// @param anchor position that lookups start from: the message's start, the table or the vector
    record Part(
            AcceptedSchema owner,
            Kind kind,
            long key,
            int variant,
            int mask,
            int from,
            int length,
            int anchor) {
        /// {@return the part's position in a buffer whose anchor is at `at`}
        long start(long at) {
            return at - (anchor - from);
        }

        boolean matches(ByteSlice buffer, long at) {
            return buffer.contentEquals(start(at), owner.bytes, from, from + length);
        }

        /// Whether a lookup may find this part.
        boolean isLike(Kind what, long hashOfSome, int as, Checks by) {
            return key == hashOfSome
                    && kind == what
                    && ((as ^ variant) & mask) == 0
                    && owner.rules.hasSameStructure(by);
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

        /// Hash of all bytes.
        long hash() {
            long[] hashes = owner.hashes;
            int i = kind.ordinal();
            if (hashes[i] == 0) {
                MemorySegment all = MemorySegment.ofArray(owner.bytes);
                hashes[i] = KnownSchemas.hash(new ByteSlice().wrap(all, from, length), 0, length);
            }
            return hashes[i];
        }
    }

    final Checks rules;
    final byte[] bytes;
    // Of the parts; computed at the first use.
    private final long[] hashes = new long[3];

    /// Number of tables that a verifier visits, the schema's own included.
    final int tables;

    /// In the order of [Kind]. The first is null for a footer, the last without a vector of
    /// columns.
    final Part[] parts = new Part[3];

    /// The same for all copies of one schema. Set before other threads see this.
    KnownSchema known;

    /// The same for all schemas with these columns. Set before other threads see this.
    KnownSchema sameColumns;

    /// Logical time of the last use.
    long stamp;

    /// @param verified has a verified buffer at [#START]
    /// @param isMessage whether the buffer is a message, else a footer
    /// @param table position of the schema's table in `verified`
    /// @param columns position of the vector of columns, negative if there is none
    /// @param endianness byte order of the columns
    /// @param keys hashes of some words of each part, in the order of [Kind]
    AcceptedSchema(
            Checks rules,
            byte[] verified,
            boolean isMessage,
            int table,
            int columns,
            int endianness,
            long[] keys) {
        this.rules = rules;
        MemorySegment memory = MemorySegment.ofArray(verified);
        SchemaExtent all = new SchemaExtent(memory, rules, table, false);
        tables = all.tables;
        int moved = isMessage ? 0 : START - (int) all.from;
        bytes = isMessage ? verified : Arrays.copyOfRange(verified, -moved, (int) all.to);
        Wire.setInt32(bytes, null, 0, table + moved);
        if (isMessage) {
            int length = bytes.length - START;
            parts[0] = new Part(this, Kind.MESSAGE, keys[0], 0, 0, START, length, START);
        }
        int position = table - START;
        parts[1] = part(Kind.SCHEMA, keys[1], position, all.alignment - 1, all, table, moved);
        if (columns >= 0) {
            SchemaExtent below = new SchemaExtent(memory, rules, columns, true);
            parts[2] = part(Kind.COLUMNS, keys[2], endianness, -1, below, columns, moved);
        }
    }

    private Part part(
            Kind kind, long key, int variant, int mask, SchemaExtent all, int anchor, int moved) {
        int from = (int) all.from + moved;
        int length = (int) (all.to - all.from);
        return new Part(this, kind, key, variant, mask, from, length, anchor + moved);
    }

    /// {@return the part of all copied bytes}
    Part whole() {
        return parts[0] != null ? parts[0] : parts[1];
    }
}
