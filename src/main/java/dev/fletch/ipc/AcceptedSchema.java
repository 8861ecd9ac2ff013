// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.KnownSchema;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A copy of a schema that was verified, of which three parts can be recognized.
///
/// ```text
///   0   offset to the schema's table, so that the copy is a buffer whose root is the schema
///   8   all metadata of a message; of a footer, what lies below its schema's table
/// ```
final class AcceptedSchema {
    /// Where the copied bytes begin.
    static final int START = Long.BYTES;

    /// No variant of a part.
    static final int ANY_VARIANT = Integer.MIN_VALUE;

    /// What can be recognized.
    enum Kind {
        /// All metadata of a message.
        MESSAGE,
        /// All that a verifier reads below the schema's table, wherever that lies.
        SCHEMA,
        /// All that it reads below the vector of columns.
        COLUMNS
    }

    /// Hashes of some words of each part, by which it is found.
    record Keys(long message, long schema, long columns) {}

    /// A part of the copy.
    static final class Part {
        final Kind kind;
        final AcceptedSchema owner;
        final long key;
        final int length;
        // What must be the same besides the bytes: of a schema its table's position, as far as its
        // alignment matters; of columns their byte order.
        final int variant;
        private final int mask;
        private final int from;
        // What the part is searched from: the message's start, the table, the vector.
        final int anchor;
        // Of all bytes; computed when it is first asked for.
        private long hash;

        private Part(
                Kind kind,
                AcceptedSchema owner,
                long key,
                int variant,
                int mask,
                int from,
                int to,
                int anchor) {
            this.kind = kind;
            this.owner = owner;
            this.key = key;
            this.variant = variant & mask;
            this.mask = mask;
            this.from = from;
            this.length = to - from;
            this.anchor = anchor;
        }

        /// Where the part begins in a buffer whose anchor is at a position.
        long start(long at) {
            return at - (anchor - from);
        }

        boolean matches(ByteSlice buffer, long at) {
            return buffer.contentEquals(start(at), owner.bytes, from, from + length);
        }

        /// Whether this may be what is searched for.
        ///
        /// @param as the variant, or [#ANY_VARIANT]
        boolean isLike(Kind what, long hashOfSome, VerifierOptions by, int as) {
            return key == hashOfSome
                    && kind == what
                    && (as == ANY_VARIANT || (as & mask) == variant)
                    && owner.rules.equals(by);
        }

        /// Whether another part is found where this is.
        boolean isSameAs(Part other) {
            return mask == other.mask
                    && isLike(other.kind, other.key, other.owner.rules, other.variant)
                    && switch (kind) {
                        case MESSAGE -> false;
                        case SCHEMA -> owner.known == other.owner.known;
                        case COLUMNS -> owner.sameColumns == other.owner.sameColumns;
                    };
        }

        long hash() {
            if (hash == 0) {
                hash = KnownSchemas.hash(owner.slice(), from, from + length);
            }
            return hash;
        }
    }

    final VerifierOptions rules;
    final byte[] bytes;

    /// How many tables a verifier reaches, the schema's own included.
    final int tables;

    /// Null if the bytes are those of a footer.
    final Part message;

    final Part schema;

    /// Null if there is no vector of columns.
    final Part columns;

    /// The same for all copies of one schema. It is set before other threads see this.
    KnownSchema known;

    /// The same for all schemas with these columns.
    KnownSchema sameColumns;

    /// When this was recognized last.
    long stamp;

    /// @param verified a buffer that was verified, from [#START] on
    /// @param isMessage whether that is a message, and not a footer
    /// @param table position of the schema's table
    /// @param all what is below the table
    /// @param below what is below the vector of columns; null if there is none
    /// @param endianness byte order of the columns
    AcceptedSchema(
            VerifierOptions rules,
            byte[] verified,
            boolean isMessage,
            int table,
            SchemaExtent all,
            SchemaExtent below,
            int endianness,
            Keys keys) {
        this.rules = rules;
        tables = all.tables;
        final int moved = isMessage ? 0 : START - all.from;
        bytes = isMessage ? verified : Arrays.copyOfRange(verified, all.from - START, all.to);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(0, table + moved);
        schema =
                new Part(
                        Kind.SCHEMA,
                        this,
                        keys.schema,
                        table - START,
                        all.alignment - 1,
                        all.from + moved,
                        all.to + moved,
                        table + moved);
        message =
                isMessage
                        ? new Part(
                                Kind.MESSAGE, this, keys.message, 0, 0, START, bytes.length, START)
                        : null;
        columns =
                below == null
                        ? null
                        : new Part(
                                Kind.COLUMNS,
                                this,
                                keys.columns,
                                endianness,
                                -1,
                                below.from + moved,
                                below.to + moved,
                                all.columnsOf(table) + moved);
    }

    /// Whether all bytes are the same, and all parts are found in the same buffers.
    boolean isSameAs(AcceptedSchema other) {
        return (message == null) == (other.message == null)
                && schema.variant == other.schema.variant
                && rules.equals(other.rules)
                && Arrays.equals(bytes, other.bytes);
    }

    ByteSlice slice() {
        return new ByteSlice().wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    }
}
