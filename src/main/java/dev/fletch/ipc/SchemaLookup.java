// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.events.Events;
import dev.fletch.events.UnrecognizedReason;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.AcceptedSchema.Kind;
import dev.fletch.ipc.AcceptedSchema.Part;
import dev.fletch.ipc.ReadOptions.Level;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Looks up the schemas of one reader in a [KnownSchemas], and adds verified ones. Positions count
/// from the start of the message's or footer's buffer.
final class SchemaLookup {
    static final String SCHEMA = MessageHeader.NAMES.name(MessageHeader.SCHEMA);
    static final String FOOTER = Verifier.Root.FOOTER.table();

    private static final int SAMPLES = 4;

    final Checks rules;
    final ByteSlice buffer = new ByteSlice();

    // Bytes processed by lookups, for tests.
    long comparedBytes;
    long hashedBytes;
    long copiedBytes;

    private final KnownSchemas set;
    private final boolean isFull;
    private final long seed;

    private final Schema schema = new Schema();
    private final Footer footer = new Footer();
    private final KeyValue pair = new KeyValue();

    // Found for the last buffer; null if none.
    private AcceptedSchema found;
    // Positions of the schema's table, and of its vector of columns or -1.
    private long table;
    private long columns;
    // Hashes of some words of each part, in the order of Kind; 0 before they are computed.
    private final long[] keys = new long[3];

    SchemaLookup(ReadOptions options) {
        set = options.knownSchemas();
        rules = options.checks();
        isFull = options.level() != Level.TOUCHED;
        seed = KnownSchemas.mix(KnownSchemas.SEED, rules.hashCode());
    }

    // ---- messages

    /// Returns whether a message is a known schema message.
    boolean isKnownMessage(MemorySegment holder, long at, long length) {
        found = null;
        if (length < Long.BYTES || !set.mayKnow(length)) {
            return false;
        }
        buffer.wrap(holder, at, length);
        return take(find(Kind.MESSAGE));
    }

    /// Handles a schema message that passed all checks.
    ///
    /// @param message the one that was looked up last
    /// @return the schema's handle, null if it is not known
    KnownSchema schema(Message message, MetadataChecks checks) {
        if (found != null) {
            return found.known;
        }
        buffer.wrapBufferOf(message);
        if (!locate(message, Message.HEADER_SLOT, message.header(schema))) {
            return null;
        }
        if (isFull) {
            keys[0] = messageKey();
            set.seeLength(buffer.length());
            learn(checks, Kind.MESSAGE);
        }
        return found != null ? found.known : findSimilar();
    }

    // ---- footers

    /// Returns whether a footer has a known schema and its other parts verify.
    boolean isKnownFooter(MemorySegment holder, long at, long length, MetadataChecks checks) {
        found = null;
        keys[1] = 0;
        if (!checks.verifier().verifyShallow(Verifier.Root.FOOTER, holder, at, length)) {
            return false;
        }
        buffer.wrap(holder, at, length);
        try {
            footer.wrap(holder, at, length);
            if (!locate(footer, Footer.SCHEMA_SLOT, footer.schema(schema))) {
                return false;
            }
            Part part = find(Kind.SCHEMA);
            return part != null
                    && (!isFull || isRestValid(part.owner(), checks.verifier()))
                    && take(part);
        } catch (FletchException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    /// Verifies the footer's custom metadata, and counts the tables. The footer's own table, its
    /// schema's own table and its vectors have been verified.
    private boolean isRestValid(AcceptedSchema accepted, Verifier verifier) {
        int count = footer.customMetadataCount();
        if (1L + accepted.tables + count > rules.limits().tables(buffer.length())) {
            return false;
        }
        long vector = footer.targetPosition(Footer.CUSTOM_METADATA_SLOT) - buffer.offset();
        for (int i = 0; i < count; i++) {
            // The verifier of a single table does not see the offset in the vector, which may be
            // forbidden to be 0.
            if (buffer.int32(vector + (1L + i) * Integer.BYTES) == 0
                    || !verifier.keyValue(footer.customMetadata(i, pair))) {
                return false;
            }
        }
        return true;
    }

    /// Handles a footer that passed all checks.
    ///
    /// @return the schema's handle, null if it is not known
    KnownSchema footerSchema(MetadataChecks checks) {
        if (found != null || !isFull || keys[1] == 0) {
            return found == null ? null : found.known;
        }
        learn(checks, Kind.SCHEMA);
        return found != null ? found.known : findSimilar();
    }

    // ---- finding

    private long messageKey() {
        long key = KnownSchemas.mix(seed, buffer.length());
        long last = buffer.length() - Long.BYTES;
        for (int i = 0; i < SAMPLES; i++) {
            key = KnownSchemas.mix(key, buffer.int64(last * i / (SAMPLES - 1)));
        }
        return key;
    }

    /// Finds the schema's parts, and hashes some of their words, if [#schema] is bound.
    ///
    /// @return `isPresent`
    private boolean locate(Table parent, int slot, boolean isPresent) {
        if (!isPresent) {
            return false;
        }
        long at = parent.position(slot) - buffer.offset();
        table = at + (buffer.int32(at) & 0xFFFF_FFFFL);
        columns = -1;
        long key = KnownSchemas.mix(seed, schema.endianness());
        if (schema.isPresent(Schema.FIELDS_SLOT)) {
            columns = schema.targetPosition(Schema.FIELDS_SLOT) - buffer.offset();
            key = mixColumns(key);
        }
        keys[2] = key;
        long pairs = schema.targetPosition(Schema.CUSTOM_METADATA_SLOT) - buffer.offset();
        key = KnownSchemas.mix(key, columns - table);
        key = KnownSchemas.mix(key, pairs - table);
        keys[1] = KnownSchemas.mix(key, schema.customMetadataCount());
        return true;
    }

    private long mixColumns(long hash) {
        int count = schema.fieldsCount();
        long key = KnownSchemas.mix(hash, count);
        for (int i = 0; i < Math.min(count, SAMPLES); i++) {
            long sample = (count - 1L) * i / (SAMPLES - 1);
            long element = columns + (1 + sample) * Integer.BYTES;
            long offset = buffer.int32(element) & 0xFFFF_FFFFL;
            key = KnownSchemas.mix(key, offset);
            if (offset <= buffer.length() - Long.BYTES - element) {
                key = KnownSchemas.mix(key, buffer.int64(element + offset));
            }
        }
        return key;
    }

    /// Finds the known part that equals the buffer's; null if there is none.
    Part find(Kind kind) {
        return switch (kind) {
            case MESSAGE -> {
                keys[0] = messageKey();
                yield set.find(this, kind, keys[0], 0, 0);
            }
            case SCHEMA -> set.find(this, kind, keys[1], (int) table, table);
            case COLUMNS ->
                    columns < 0
                            ? null
                            : set.find(this, kind, keys[2], schema.endianness(), columns);
        };
    }

    boolean matches(Part part, long at) {
        if (part.kind() == Kind.MESSAGE && part.length() != buffer.length()) {
            return false;
        }
        comparedBytes += part.length();
        return part.matches(buffer, at);
    }

    private boolean take(Part part) {
        found = part == null ? null : part.owner();
        if (found != null) {
            set.touch(found);
        }
        return found != null;
    }

    /// Finds the handle of a schema whose message or footer is not known; null if there is none.
    private KnownSchema findSimilar() {
        Part same = find(Kind.SCHEMA);
        Part part = same != null ? same : find(Kind.COLUMNS);
        if (part == null) {
            return null;
        }
        set.touch(part.owner());
        return same != null ? part.owner().known : part.owner().sameColumns;
    }

    // ---- learning

    /// Adds the schema in the buffer to the set, if the set accepts it now.
    ///
    /// @param kind whether the buffer is a message, or the schema in a footer
    private void learn(MetadataChecks checks, Kind kind) {
        long length = buffer.length();
        boolean isToLearn = set.isToLearn(keys[kind.ordinal()], length);
        boolean isLearnable = !isToLearn || learnCopy(checks, kind);
        if (Events.recordsUnrecognized()) {
            Events.notRecognized(
                    kind == Kind.MESSAGE ? SCHEMA : FOOTER,
                    isLearnable ? UnrecognizedReason.NEW : UnrecognizedReason.NOT_LEARNABLE,
                    length);
        }
    }

    /// Verifies and adds a copy of the buffer, whose memory others may change concurrently.
    ///
    /// @return whether it can be added
    private boolean learnCopy(MetadataChecks checks, Kind kind) {
        boolean isMessage = kind == Kind.MESSAGE;
        int start = AcceptedSchema.START;
        int length = (int) buffer.length();
        byte[] copy = new byte[start + length];
        MemorySegment.copy(buffer.asSlice(), ValueLayout.JAVA_BYTE, 0, copy, start, length);
        copiedBytes += length;
        MemorySegment own = MemorySegment.ofArray(copy);
        Verifier verifier = checks.verifier();
        Verifier.Root root = isMessage ? Verifier.Root.MESSAGE : Verifier.Root.FOOTER;
        if (!verifier.verify(root, own, start, length)) {
            return false;
        }
        buffer.wrap(own, start, length);
        int pairs;
        boolean isPresent;
        if (isMessage) {
            Message message = new Message().wrap(own, start, length);
            isPresent = locate(message, Message.HEADER_SLOT, message.header(schema));
            pairs = message.customMetadataCount();
        } else {
            footer.wrap(own, start, length);
            isPresent = locate(footer, Footer.SCHEMA_SLOT, footer.schema(schema));
            pairs = footer.customMetadataCount();
        }
        if (!isPresent) {
            return false;
        }
        keys[0] = messageKey();
        int at = (int) table + start;
        int vector = columns < 0 ? -1 : (int) columns + start;
        AcceptedSchema made =
                new AcceptedSchema(
                        rules, copy, isMessage, at, vector, schema.endianness(), keys.clone());
        boolean isWhole = made.tables == verifier.tablesVisited() - 1 - pairs;
        if (isWhole) {
            found = set.add(made, this);
        }
        return isWhole;
    }
}
