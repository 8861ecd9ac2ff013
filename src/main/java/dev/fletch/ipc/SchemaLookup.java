// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.AcceptedSchema.Keys;
import dev.fletch.ipc.AcceptedSchema.Kind;
import dev.fletch.ipc.AcceptedSchema.Part;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Looks up the schemas that one reader comes to in a set of known ones, and adds to the set what the
/// reader has verified. Belongs to one thread at a time.
final class SchemaLookup {
    private static final int SAMPLES = 4;
    private static final int SAMPLED_COLUMNS = 4;

    final VerifierOptions rules;
    final ByteSlice buffer = new ByteSlice();

    // What looking up has cost so far.
    long comparedBytes;
    long hashedBytes;
    long copiedBytes;

    private final KnownSchemas set;
    private final Verification verification;
    private final long seed;

    private final Schema schema = new Schema();
    // Made for the first footer.
    private Footer footer;
    private KeyValue pair;

    // What was found for the buffer that was looked at last, null if nothing.
    private AcceptedSchema found;
    // Hash of some words of a message; 0 if the buffer cannot be one.
    private long messageKey;
    // Of the schema in the buffer: its table, its columns, and hashes of some of their words.
    private long table;
    private long columnsAt;
    private long schemaKey;
    private long columnsKey;

    SchemaLookup(KnownSchemas set, VerifierOptions rules, Verification verification) {
        this.set = set;
        this.rules = rules;
        this.verification = verification;
        this.seed = KnownSchemas.seed(rules.hashCode());
    }

    // ---- messages

    /// Tells whether a message is a schema message that was accepted before.
    boolean isKnownMessage(MemorySegment holder, long at, long length) {
        found = null;
        messageKey = 0;
        if (length < Long.BYTES || !set.mayKnow(length)) {
            return false;
        }
        buffer.wrap(holder, at, length);
        messageKey = messageKey();
        return take(set.find(this, Kind.MESSAGE, messageKey, 0, 0));
    }

    private long messageKey() {
        long key = KnownSchemas.mix(seed, buffer.length());
        final long last = buffer.length() - Long.BYTES;
        for (int i = 0; i < SAMPLES; i++) {
            key = KnownSchemas.mix(key, buffer.int64(last * i / (SAMPLES - 1)));
        }
        return key;
    }

    /// Verifies a copy of the message that was looked at last, if it is to be added to the set.
    ///
    /// @return whether the copy verifies, and the message has the same bytes; false also if there was
    ///     no need for a copy
    boolean isLearnedMessage(MemorySegment holder, long at, long length, MetadataChecks checks) {
        if (!isToBeLearned(messageKey)) {
            return false;
        }
        final Verifier verifier = checks.verifier();
        final byte[] copy = copy(holder, at, length);
        final MemorySegment own = MemorySegment.ofArray(copy);
        if (!verifier.message(own, AcceptedSchema.START, length) || !isCopied(copy)) {
            return false;
        }
        final Message message = new Message().wrap(own, AcceptedSchema.START, length);
        buffer.wrap(own, AcceptedSchema.START, length);
        if (locate(message)) {
            final long others = 1L + message.customMetadataCount();
            learn(copy, true, messageKey, verifier.tablesVisited() - others);
        }
        buffer.wrap(holder, at, length);
        return true;
    }

    /// Takes a schema message that has passed all checks.
    ///
    /// @param message what was looked at last
    /// @return what is known of its schema, null if nothing
    KnownSchema schema(Message message) {
        if (found != null || verification == Verification.NONE) {
            return found == null ? null : found.known;
        }
        buffer.wrapBufferOf(message);
        if (!locate(message)) {
            return null;
        }
        if (verification == Verification.FULL) {
            set.seeMessage(messageKey(), buffer.length());
        }
        return partly();
    }

    private boolean locate(Message message) {
        if (!message.header(schema)) {
            return false;
        }
        locate(message.position(Message.HEADER_SLOT));
        return true;
    }

    // ---- footers

    /// Tells whether a footer has a schema that was accepted before, and the rest of it is right.
    boolean isKnownFooter(MemorySegment holder, long at, long length, Verifier verifier) {
        found = null;
        schemaKey = 0;
        if (verification != Verification.NONE && !verifier.footerShallow(holder, at, length)) {
            return false;
        }
        buffer.wrap(holder, at, length);
        try {
            if (!locateFooter(holder, at, length)) {
                return false;
            }
            final Part part = findSchema((int) table & Long.BYTES - 1);
            return part != null
                    && (verification != Verification.FULL || isRestRight(part.owner, verifier))
                    && take(part);
        } catch (FlatBufferFormatException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    private boolean locateFooter(MemorySegment holder, long at, long length) {
        if (footer == null) {
            footer = new Footer();
            pair = new KeyValue();
        }
        footer.wrap(holder, at, length);
        if (!footer.schema(schema)) {
            return false;
        }
        locate(footer.position(Footer.SCHEMA_SLOT));
        return true;
    }

    /// Verifies the application's pairs, and counts the tables. The footer's own table, its schema's
    /// own table and its vectors have been verified.
    private boolean isRestRight(AcceptedSchema accepted, Verifier verifier) {
        final int pairs = footer.customMetadataCount();
        if (1L + accepted.tables + pairs > rules.maxTables(buffer.length())) {
            return false;
        }
        final long vector = footer.targetPosition(Footer.CUSTOM_METADATA_SLOT) - buffer.offset();
        for (int i = 0; i < pairs; i++) {
            // An offset of 0 may be forbidden in a vector, but not to a table that is verified
            // alone.
            if (buffer.int32(vector + (1L + i) * Integer.BYTES) == 0
                    || !verifier.keyValue(footer.customMetadata(i, pair))) {
                return false;
            }
        }
        return true;
    }

    /// [#isLearnedMessage] for a footer.
    boolean isLearnedFooter(MemorySegment holder, long at, long length, Verifier verifier) {
        if (!isToBeLearned(schemaKey)) {
            return false;
        }
        final byte[] copy = copy(holder, at, length);
        final MemorySegment own = MemorySegment.ofArray(copy);
        if (!verifier.footer(own, AcceptedSchema.START, length) || !isCopied(copy)) {
            return false;
        }
        buffer.wrap(own, AcceptedSchema.START, length);
        if (locateFooter(own, AcceptedSchema.START, length)) {
            final long others = 1L + footer.customMetadataCount();
            learn(copy, false, schemaKey, verifier.tablesVisited() - others);
        }
        buffer.wrap(holder, at, length);
        return true;
    }

    /// Takes a footer that has passed all checks.
    ///
    /// @return what is known of its schema, null if nothing
    KnownSchema footerSchema() {
        if (found != null || verification != Verification.FULL || schemaKey == 0) {
            return found == null ? null : found.known;
        }
        set.see(schemaKey, buffer.length());
        return partly();
    }

    // ---- both

    private boolean take(Part part) {
        if (part == null) {
            return false;
        }
        found = part.owner;
        set.recognized(found);
        return true;
    }

    /// Finds the schema's parts, and hashes some of their words.
    ///
    /// @param reference position of the offset that leads to the schema
    private void locate(long reference) {
        final long at = reference - buffer.offset();
        table = at + (buffer.int32(at) & 0xFFFF_FFFFL);
        long key = KnownSchemas.mix(seed, schema.endianness());
        columnsAt = -1;
        if (schema.isPresent(Schema.FIELDS_SLOT)) {
            columnsAt = schema.targetPosition(Schema.FIELDS_SLOT) - buffer.offset();
            key = columns(key);
        }
        columnsKey = key;
        final long pairs = schema.targetPosition(Schema.CUSTOM_METADATA_SLOT) - buffer.offset();
        key = KnownSchemas.mix(key, columnsAt - table);
        key = KnownSchemas.mix(key, pairs - table);
        schemaKey = KnownSchemas.mix(key, schema.customMetadataCount());
    }

    private long columns(long hash) {
        final int count = schema.fieldsCount();
        long key = KnownSchemas.mix(hash, count);
        for (int i = 0; i < Math.min(count, SAMPLED_COLUMNS); i++) {
            final long sample = (count - 1L) * i / (SAMPLED_COLUMNS - 1);
            final long element = columnsAt + (1 + sample) * Integer.BYTES;
            final long offset = buffer.int32(element) & 0xFFFF_FFFFL;
            key = KnownSchemas.mix(key, offset);
            if (offset <= buffer.length() - Long.BYTES - element) {
                key = KnownSchemas.mix(key, buffer.int64(element + offset));
            }
        }
        return key;
    }

    /// @param place position of the table modulo 8, or [AcceptedSchema#ANY_VARIANT]
    Part findSchema(int place) {
        return set.find(this, Kind.SCHEMA, schemaKey, table, place);
    }

    Part findColumns() {
        return columnsAt < 0
                ? null
                : set.find(this, Kind.COLUMNS, columnsKey, columnsAt, schema.endianness());
    }

    boolean matches(Part part, long at) {
        if (part.kind == Kind.MESSAGE && part.length != buffer.length()) {
            return false;
        }
        comparedBytes += part.length;
        return part.matches(buffer, at);
    }

    private KnownSchema partly() {
        final Part same = findSchema(AcceptedSchema.ANY_VARIANT);
        final Part part = same != null ? same : findColumns();
        if (part == null) {
            return null;
        }
        set.touch(part.owner);
        return same != null ? part.owner.known : part.owner.sameColumns;
    }

    // ---- learning

    private boolean isToBeLearned(long key) {
        return key != 0 && verification == Verification.FULL && set.mayLearn(key, buffer.length());
    }

    private byte[] copy(MemorySegment holder, long at, long length) {
        final byte[] copy = new byte[AcceptedSchema.START + (int) length];
        MemorySegment.copy(
                holder, ValueLayout.JAVA_BYTE, at, copy, AcceptedSchema.START, (int) length);
        copiedBytes += length;
        return copy;
    }

    private boolean isCopied(byte[] copy) {
        comparedBytes += copy.length;
        return buffer.contentEquals(0, copy, AcceptedSchema.START, copy.length);
    }

    /// Adds a schema whose parts have been found in a verified copy.
    ///
    /// @param reached how many tables the verifier has reached below the schema
    private void learn(byte[] copy, boolean isMessage, long key, long reached) {
        final int start = AcceptedSchema.START;
        final SchemaExtent all = new SchemaExtent(copy, rules);
        if (!all.schema((int) table + start) || all.tables != reached) {
            return;
        }
        SchemaExtent below = null;
        if (columnsAt >= 0) {
            below = new SchemaExtent(copy, rules);
            below.columns((int) columnsAt + start);
        }
        final Keys keys = new Keys(messageKey, schemaKey, columnsKey);
        final int at = (int) table + start;
        final int order = schema.endianness();
        found =
                set.add(
                        key,
                        new AcceptedSchema(rules, copy, isMessage, at, all, below, order, keys),
                        this);
    }
}
