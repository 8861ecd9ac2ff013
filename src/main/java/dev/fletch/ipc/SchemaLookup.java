// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.events.Events;
import dev.fletch.events.UnrecognizedReason;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Looks up the schemas of one reader in a [KnownSchemas], and adds verified ones. Positions count
/// from the start of the message's or footer's buffer.
final class SchemaLookup {
    static final String SCHEMA = MessageHeader.NAMES.name(MessageHeader.SCHEMA);
    static final String FOOTER = Root.FOOTER.table();

    /// Number of columns in the hash of a schema.
    private static final int COLUMNS = 4;

    /// Number of words in the hash of a message.
    private static final int WORDS = 16;

    /// After more comparisons in vain, there is one for each message or footer.
    private static final int MAX_VAIN = 16;

    final Checks rules;

    // Bytes processed by lookups, for tests.
    long comparedBytes;
    long copiedBytes;

    private final KnownSchemas set;
    private final boolean isFull;
    private final long seed;

    private final ByteSlice buffer = new ByteSlice();
    private final Footer footer = new Footer();
    private final Schema schema = new Schema();
    private final KeyValue pair = new KeyValue();

    // Bytes compared in vain since a schema was recognized, less those of the buffers looked up.
    private long vainBytes;

    // Found for the last buffer; null if none.
    private AcceptedSchema accepted;

    // Of the schema that was located: the position of its table, and a hash of some of its words.
    private long table;
    private long key;

    SchemaLookup(ReadOptions options) {
        set = options.knownSchemas();
        rules = options.checks();
        isFull = options.level() != Level.TOUCHED;
        seed = KnownSchemas.mix(KnownSchemas.SEED, rules.hashCode());
    }

    // ---- recognizing

    /// Returns whether a message is a known schema message.
    boolean isKnownMessage(MemorySegment holder, long position, long length) {
        accepted = null;
        if (length < Long.BYTES || !set.mayKnow(length)) {
            return false;
        }
        buffer.wrap(holder, position, length);
        vainBytes = Math.max(0, vainBytes - length);
        accepted = set.find(this, messageKey(), true);
        return accepted != null;
    }

    /// Returns whether a footer has a known schema and its other parts verify.
    boolean isKnownFooter(MemorySegment holder, long position, long length, Verifier verifier) {
        accepted = null;
        vainBytes = Math.max(0, vainBytes - length);
        try {
            if (verifier.verifyShallow(Root.FOOTER, holder, position, length)
                    && locate(footer.wrap(holder, position, length))) {
                AcceptedSchema known = set.find(this, key, false);
                if (known != null && (!isFull || isRestValid(known, verifier))) {
                    accepted = known;
                }
            }
        } catch (FletchException | IndexOutOfBoundsException e) {
            return false;
        }
        return accepted != null;
    }

    /// Verifies the footer's custom metadata, and counts the tables. The footer's own table, its
    /// schema's own table and its vectors have been verified.
    private boolean isRestValid(AcceptedSchema known, Verifier verifier) {
        int count = footer.customMetadataCount();
        if (1L + known.tables + count > rules.limits().tables(buffer.length())) {
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

    /// Returns whether a known schema is the one in the buffer. Limited, as a peer may send schemas
    /// that differ in their last bytes only.
    boolean matches(AcceptedSchema known, boolean isMessage) {
        int length = known.bytes.length - AcceptedSchema.START;
        if (vainBytes > (long) MAX_VAIN * length) {
            return false;
        }
        comparedBytes += length;
        boolean isEqual =
                isMessage ? known.isMessage(buffer, rules) : known.isSchema(buffer, table, rules);
        vainBytes = isEqual ? 0 : vainBytes + length;
        return isEqual;
    }

    private long messageKey() {
        long words = 0;
        long distance = (buffer.length() - Long.BYTES) / (WORDS - 1);
        for (int i = 0; i < WORDS; i++) {
            words = Long.rotateLeft(words, 7) + buffer.int64(distance * i);
        }
        return KnownSchemas.mix(KnownSchemas.mix(seed, words), buffer.length()) | 1; // not 0
    }

    // ---- locating

    /// Finds the schema of a message or footer, and hashes some of its words.
    ///
    /// @return whether there is one
    private boolean locate(Table root) {
        boolean isPresent =
                root instanceof Message message
                        ? message.header(schema)
                        : ((Footer) root).schema(schema);
        if (!isPresent) {
            return false;
        }
        buffer.wrapBufferOf(root);
        table = schema.position() - buffer.offset();
        long pairs = schema.targetPosition(Schema.CUSTOM_METADATA_SLOT) - buffer.offset();
        key = KnownSchemas.mix(seed, schema.endianness());
        key = KnownSchemas.mix(key, pairs - table);
        key = KnownSchemas.mix(key, schema.customMetadataCount());
        long columns = schema.targetPosition(Schema.FIELDS_SLOT) - buffer.offset();
        int count = schema.fieldsCount();
        key = KnownSchemas.mix(key, count);
        for (int i = 0; i < Math.min(count, COLUMNS); i++) {
            long element = columns + (1 + (count - 1L) * i / (COLUMNS - 1)) * Integer.BYTES;
            long offset = buffer.int32(element) & 0xFFFF_FFFFL;
            key = mixName(KnownSchemas.mix(key, offset), element + offset);
        }
        return true;
    }

    /// Continues a hash with the start and the end of a column's name.
    private long mixName(long hash, long field) {
        long vtable = field - buffer.int32(field);
        int slot = Wire.VTABLE_HEAD_BYTES + Field.NAME_SLOT * Short.BYTES;
        int distance = slot < buffer.int16(vtable) ? buffer.int16(vtable + slot) & 0xFFFF : 0;
        if (distance == 0) {
            return hash;
        }
        long name = field + distance;
        name += buffer.int32(name) & 0xFFFF_FFFFL;
        long length = buffer.int32(name) & 0xFFFF_FFFFL;
        long text = name + Wire.OFFSET_BYTES;
        if (length >= Long.BYTES) {
            long both = KnownSchemas.mix(hash, buffer.int64(text));
            return KnownSchemas.mix(both, buffer.int64(text + length - Long.BYTES));
        }
        long word = length;
        for (int i = 0; i < length; i++) {
            word = word << Byte.SIZE | buffer.int8(text + i) & 0xFF;
        }
        return KnownSchemas.mix(hash, word);
    }

    // ---- learning

    /// Handles a message or footer with a schema that passed all checks, the one that was looked up
    /// last.
    ///
    /// @return the schema's handle, null if it is not known
    KnownSchema schema(Table root, Verifier verifier) {
        if (accepted == null && isFull && locate(root)) {
            boolean isMessage = root instanceof Message;
            if (isMessage) {
                set.seeLength(buffer.length());
            }
            AcceptedSchema same = set.find(this, key, false);
            if (same == null || isMessage && !same.isMessage(buffer, rules)) {
                learn(isMessage, verifier);
            }
            accepted = accepted == null ? same : accepted;
        }
        return accepted == null ? null : accepted.known;
    }

    /// Adds the schema in the buffer to the set, if the set accepts it now.
    private void learn(boolean isMessage, Verifier verifier) {
        long length = buffer.length();
        boolean isRefused =
                set.isToLearn(isMessage ? messageKey() : key, length)
                        && !learnCopy(isMessage, verifier);
        if (Events.recordsUnrecognized()) {
            Events.notRecognized(
                    isMessage ? SCHEMA : FOOTER,
                    isRefused ? UnrecognizedReason.NOT_LEARNABLE : UnrecognizedReason.NEW,
                    length);
        }
    }

    /// Verifies and adds a copy of the buffer, whose memory others may change concurrently.
    ///
    /// @return whether it can be added
    private boolean learnCopy(boolean isMessage, Verifier verifier) {
        int start = AcceptedSchema.START;
        int length = (int) buffer.length();
        byte[] copy = new byte[start + length];
        MemorySegment.copy(buffer.asSlice(), ValueLayout.JAVA_BYTE, 0, copy, start, length);
        copiedBytes += length;
        MemorySegment own = MemorySegment.ofArray(copy);
        if (!verifier.verify(isMessage ? Root.MESSAGE : Root.FOOTER, own, start, length)) {
            return false;
        }
        Table copied =
                isMessage
                        ? new Message().wrap(own, start, length)
                        : footer.wrap(own, start, length);
        if (!locate(copied)) {
            return false;
        }
        long ofMessage = isMessage ? messageKey() : 0;
        AcceptedSchema made = new AcceptedSchema(rules, copy, (int) table + start, key, ofMessage);
        int pairs =
                copied instanceof Message message
                        ? message.customMetadataCount()
                        : footer.customMetadataCount();
        boolean isWhole = made.tables == verifier.tablesVisited() - 1 - pairs;
        if (isWhole) {
            long before = vainBytes;
            vainBytes = 0; // no schema must be added twice; copies are limited, too
            accepted = set.add(made, this);
            vainBytes = before;
        }
        return isWhole;
    }
}
