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

    /// Number of columns in a hash.
    private static final int SAMPLES = 4;

    final Checks rules;

    // Bytes processed by lookups, for tests.
    long comparedBytes;
    long copiedBytes;

    private final KnownSchemas set;
    private final boolean isFull;
    private final long seed;

    private final ByteSlice buffer = new ByteSlice();
    private final Message message = new Message();
    private final Footer footer = new Footer();
    private final Schema schema = new Schema();
    private final KeyValue pair = new KeyValue();

    // Found for the last buffer; null if none.
    private AcceptedSchema found;
    private boolean isSearched;

    // Of the schema in the buffer: the position of its table, and a hash of some of its words.
    private long table;
    private long key;

    SchemaLookup(ReadOptions options) {
        set = options.knownSchemas();
        rules = options.checks();
        isFull = options.level() != Level.TOUCHED;
        seed = KnownSchemas.mix(KnownSchemas.SEED, rules.hashCode());
    }

    // ---- recognizing

    /// Returns whether a message has a known schema and its other parts verify.
    boolean isKnownMessage(MemorySegment holder, long at, long length, Verifier verifier) {
        begin();
        try {
            return set.mayKnow(length)
                    && message.wrap(holder, at, length).headerType() == MessageHeader.SCHEMA
                    && verifier.verifyShallow(Root.MESSAGE, holder, at, length)
                    && isKnown(message.wrap(holder, at, length), true, verifier);
        } catch (FletchException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    /// Returns whether a footer has a known schema and its other parts verify.
    boolean isKnownFooter(MemorySegment holder, long at, long length, Verifier verifier) {
        begin();
        try {
            return verifier.verifyShallow(Root.FOOTER, holder, at, length)
                    && isKnown(footer.wrap(holder, at, length), isFull, verifier);
        } catch (FletchException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    private void begin() {
        found = null;
        isSearched = false;
    }

    /// @param isWhole whether to verify the custom metadata of the message or footer
    private boolean isKnown(Table root, boolean isWhole, Verifier verifier) {
        AcceptedSchema known = search(root);
        if (known == null || isWhole && !isRestValid(root, known, verifier)) {
            return false;
        }
        found = known;
        return true;
    }

    /// Verifies the custom metadata of a message or footer, and counts the tables. Its own table, its
    /// schema's own table and their vectors have been verified.
    private boolean isRestValid(Table root, AcceptedSchema known, Verifier verifier) {
        int count = pairs(root);
        if (1L + known.tables + count > rules.limits().tables(buffer.length())) {
            return false;
        }
        int slot = root == message ? Message.CUSTOM_METADATA_SLOT : Footer.CUSTOM_METADATA_SLOT;
        long vector = root.targetPosition(slot) - buffer.offset();
        for (int i = 0; i < count; i++) {
            // The verifier of a single table does not see the offset in the vector, which may be
            // forbidden to be 0.
            if (buffer.int32(vector + (1L + i) * Integer.BYTES) == 0
                    || !verifier.keyValue(
                            root == message
                                    ? message.customMetadata(i, pair)
                                    : footer.customMetadata(i, pair))) {
                return false;
            }
        }
        return true;
    }

    /// Finds the known schema of a message or footer; null if there is none.
    private AcceptedSchema search(Table root) {
        isSearched = locate(root);
        return isSearched ? set.find(this, key) : null;
    }

    private static int pairs(Table root) {
        return root instanceof Message message
                ? message.customMetadataCount()
                : ((Footer) root).customMetadataCount();
    }

    boolean matches(AcceptedSchema known) {
        comparedBytes += known.bytes.length - AcceptedSchema.START;
        return known.matches(buffer, table, rules);
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
        for (int i = 0; i < Math.min(count, SAMPLES); i++) {
            long element = columns + (1 + (count - 1L) * i / (SAMPLES - 1)) * Integer.BYTES;
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

    /// Handles a message or footer with a schema that passed all checks, the one that was looked up last.
    ///
    /// @return the schema's handle, null if it is not known
    KnownSchema schema(Table root, Verifier verifier) {
        if (found == null && isFull) {
            found = isSearched ? null : search(root);
            if (root instanceof Message) {
                set.seeLength(root.bufferLength());
            }
            if (found == null && isSearched) {
                learn(root instanceof Message ? Root.MESSAGE : Root.FOOTER, verifier);
            }
        }
        return found == null ? null : found.known;
    }

    /// Adds the schema in the buffer to the set, if the set accepts it now.
    private void learn(Root root, Verifier verifier) {
        long length = buffer.length();
        boolean isLearnable =
                !set.isToLearn(KnownSchemas.mix(key, root.ordinal()), length)
                        || learnCopy(root, verifier);
        if (Events.recordsUnrecognized()) {
            Events.notRecognized(
                    root == Root.MESSAGE ? SCHEMA : FOOTER,
                    isLearnable ? UnrecognizedReason.NEW : UnrecognizedReason.NOT_LEARNABLE,
                    length);
        }
    }

    /// Verifies and adds a copy of the buffer, whose memory others may change concurrently.
    ///
    /// @return whether it can be added
    private boolean learnCopy(Root root, Verifier verifier) {
        int start = AcceptedSchema.START;
        int length = (int) buffer.length();
        byte[] copy = new byte[start + length];
        MemorySegment.copy(buffer.asSlice(), ValueLayout.JAVA_BYTE, 0, copy, start, length);
        copiedBytes += length;
        MemorySegment own = MemorySegment.ofArray(copy);
        if (!verifier.verify(root, own, start, length)) {
            return false;
        }
        Table copied =
                root == Root.MESSAGE
                        ? message.wrap(own, start, length)
                        : footer.wrap(own, start, length);
        if (!locate(copied)) {
            return false;
        }
        AcceptedSchema made = new AcceptedSchema(rules, copy, (int) table + start, key);
        boolean isWhole = made.tables == verifier.tablesVisited() - 1 - pairs(copied);
        if (isWhole) {
            found = set.add(made, this);
        }
        return isWhole;
    }
}
