// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Checks;
import dev.fletch.format.KnownSchema;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/// A bounded set of verified schemas, for datasets whose files share a schema and producers that
/// reconnect. Readers with the set in their [ReadOptions] compare a schema's bytes with the set
/// before they verify it.
///
/// ```java
/// var options = ReadOptions.DEFAULT.withKnownSchemas(new KnownSchemas()); // for all readers
/// …
/// BatchLayout layout = BatchLayout.of(file.knownSchema(), schema, version, limits);
/// ```
///
/// **Recognition.** A schema message is recognized if all its metadata is equal. A footer's schema
/// is recognized if its bytes equal those of a schema message or another footer, at any position;
/// then only the rest of the footer is verified.
///
/// **Verification.** The set accepts and rejects no other inputs than a reader without it. A schema
/// is added when it occurs for the second time, after a full verification of a copy of its bytes.
/// Only readers with equal [Checks] recognize it. A reader without [ReadOptions.Level#STRUCTURE]
/// recognizes schemas but adds none.
///
/// **Limits.** A full set removes the least recently used schema and the objects attached to it.
/// For a peer that sends a new schema each time, a reader hashes a few words per message. If these
/// are those of known schemas, it compares about one per message. Complete schemas are copied only
/// for a small part of the verified bytes. Of schemas that differ in no number and in no name of a
/// few columns, a set keeps four.
///
/// **Threads.** Thread-safe. Recognizing a schema takes no lock and allocates nothing.
public final class KnownSchemas {
    /// Default maximum number of schemas.
    public static final int DEFAULT_MAX_SCHEMAS = 256;

    /// Default maximum size in bytes: about 800 schemas of 1,000 columns.
    public static final long DEFAULT_MAX_BYTES = 64L << 20;

    /// The hash to begin with.
    static final long SEED = new SecureRandom().nextLong();

    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final int MAX_ALIKE = 4;
    private static final int SIGHTINGS = 1 << 12;
    private static final int BUCKET = 4;
    private static final int LENGTHS = 1 << 12;
    private static final long FIRST_CREDIT = 16L << 20;
    private static final int VERIFIED_BYTES_PER_CREDIT = 32;
    private static final int ENTRY_COST = 8;
    private static final int MAX_COPY_BYTES = 1 << 30;

    private final int maxSchemas;
    private final long maxBytes;

    private final List<AcceptedSchema> schemas = new ArrayList<>();
    private long bytes;

    // Hash tables of all schemas by their keys, and of those of messages by the keys of these, with
    // linear probing. Never modified, only replaced.
    private volatile AcceptedSchema[] byKey = new AcceptedSchema[1];
    private volatile AcceptedSchema[] byMessageKey = new AcceptedSchema[1];

    // Written by threads without a lock: a lost update makes a schema seem unused.
    private AcceptedSchema recent;
    private long clock;

    // Bytes that may be copied. Verified bytes add to it.
    private long credit = FIRST_CREDIT;

    // Keys of schemas seen before, in buckets, the latest first.
    private final long[] sightings = new long[SIGHTINGS];

    // Whether a schema message of a length was seen, by a hash of the length.
    private final boolean[] lengths = new boolean[LENGTHS];

    /// Creates an empty set with the default limits.
    public KnownSchemas() {
        this(DEFAULT_MAX_SCHEMAS, DEFAULT_MAX_BYTES);
    }

    /// Creates an empty set.
    ///
    /// @param maxSchemas maximum number of schemas. A file's schema message and footer schema count
    ///     as two if their bytes differ, and so does one schema under different verifier options
    /// @param maxBytes maximum size in bytes of all schemas, without attached objects; a larger
    ///     schema is not added
    /// @throws IllegalArgumentException if a limit is not positive
    public KnownSchemas(int maxSchemas, long maxBytes) {
        if (maxSchemas < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "limit is not positive: maxSchemas=" + maxSchemas + ", maxBytes=" + maxBytes);
        }
        this.maxSchemas = maxSchemas;
        this.maxBytes = maxBytes;
    }

    /// {@return number of schemas}
    synchronized int size() {
        return schemas.size();
    }

    /// {@return size of all schemas in bytes, without attached objects}
    synchronized long bytes() {
        return bytes;
    }

    /// Mixes a word into a hash.
    static long mix(long hash, long word) {
        long h = (hash ^ word) * FACTOR;
        return h ^ h >>> Integer.SIZE;
    }

    // ---- recognizing

    /// Returns whether a schema message of a length may be known: excludes most batches.
    boolean mayKnow(long length) {
        return lengths[slot(length)];
    }

    private static int slot(long length) {
        return (int) (length >> 2) & LENGTHS - 1;
    }

    /// Finds the message in a reader's buffer, or the schema that the reader has located there;
    /// null if it is not known.
    ///
    /// @param key hash of some of its words
    AcceptedSchema find(SchemaLookup by, long key, boolean isMessage) {
        AcceptedSchema[] all = isMessage ? byMessageKey : byKey;
        int alike = 0;
        for (int i = slot(key, all); all[i] != null; i = i + 1 & all.length - 1) {
            if (key(all[i], isMessage) == key
                    && alike++ < MAX_ALIKE
                    && by.matches(all[i], isMessage)) {
                touch(all[i]);
                return all[i];
            }
        }
        return null;
    }

    private static long key(AcceptedSchema accepted, boolean isMessage) {
        return isMessage ? accepted.messageKey : accepted.key;
    }

    private static int slot(long key, AcceptedSchema[] all) {
        return (int) key & all.length - 1;
    }

    /// Records the use of a schema.
    private void touch(AcceptedSchema schema) {
        if (recent != schema) {
            recent = schema;
            clock++;
            schema.stamp = clock;
        }
    }

    // ---- learning

    /// Records the length of a schema message.
    void seeLength(long length) {
        lengths[slot(length)] = true;
    }

    /// Records that a schema was verified that is not in the set.
    ///
    /// @param key hash of some words of the message, or of the footer's schema
    /// @param length bytes of its buffer
    /// @return whether to add it: its key was seen before, and the work is within limits
    synchronized boolean isToLearn(long key, long length) {
        long more = credit + length / VERIFIED_BYTES_PER_CREDIT;
        credit = Math.min(Math.max(maxBytes, FIRST_CREDIT), more);
        long cost = length + 2L * byKey.length * ENTRY_COST;
        if (!isSeen(key) || length > MAX_COPY_BYTES || cost > credit) {
            return false;
        }
        credit -= cost;
        return true;
    }

    /// Returns whether a key was seen recently, and records it.
    private boolean isSeen(long key) {
        int bucket = (int) (key >>> Integer.SIZE) & SIGHTINGS - BUCKET;
        for (int i = bucket; i < bucket + BUCKET; i++) {
            if (sightings[i] == key) {
                return true;
            }
        }
        System.arraycopy(sightings, bucket, sightings, bucket + 1, BUCKET - 1);
        sightings[bucket] = key;
        return false;
    }

    /// Adds a schema.
    ///
    /// @param made of a verified copy, in which the reader has located the schema; without a handle
    /// @return the schema in the set, null if it was not added
    synchronized AcceptedSchema add(AcceptedSchema made, SchemaLookup by) {
        AcceptedSchema same = find(by, made.key, false);
        boolean isKnown =
                same != null && (made.messageKey == 0 || Arrays.equals(same.bytes, made.bytes));
        if (isKnown || made.bytes.length > maxBytes) {
            return same; // another thread was faster, or it is too large
        }
        made.known = same != null ? same.known : KnownSchema.of(made.bytes);
        schemas.add(made);
        bytes += made.bytes.length;
        touch(made);
        List<AcceptedSchema> alike = schemas.stream().filter(each -> each.key == made.key).toList();
        if (alike.size() > MAX_ALIKE) {
            removeOldest(alike);
        }
        while (schemas.size() > maxSchemas || bytes > maxBytes) {
            removeOldest(schemas);
        }
        byKey = table(false);
        byMessageKey = table(true);
        return made;
    }

    private AcceptedSchema[] table(boolean ofMessages) {
        AcceptedSchema[] all = new AcceptedSchema[Integer.highestOneBit(3 * schemas.size()) << 1];
        for (AcceptedSchema each : schemas) {
            long key = key(each, ofMessages);
            if (ofMessages && key == 0) {
                continue; // of a footer
            }
            int position = slot(key, all);
            while (all[position] != null) {
                position = position + 1 & all.length - 1;
            }
            all[position] = each;
        }
        return all;
    }

    private void removeOldest(List<AcceptedSchema> of) {
        AcceptedSchema oldest = Collections.min(of, Comparator.comparingLong(each -> each.stamp));
        schemas.remove(oldest);
        bytes -= oldest.bytes.length;
    }
}
