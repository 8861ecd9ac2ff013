// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Checks;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.KnownSchema;
import dev.fletch.ipc.AcceptedSchema.Kind;
import dev.fletch.ipc.AcceptedSchema.Part;

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
/// then only the rest of the footer is verified. A schema that differs only in custom metadata is
/// verified, but shares the objects attached to the columns: see [KnownSchema].
///
/// **Verification.** The set accepts and rejects no other inputs than a reader without it. A schema
/// is added when it occurs for the second time, after a full verification of a copy of its bytes.
/// Only readers with equal [Checks] recognize it. A reader without [ReadOptions.Level#STRUCTURE]
/// recognizes schemas but adds none.
///
/// **Limits.** A full set removes the least recently used schema and the objects attached to it.
/// For a peer that sends a new schema each time, a reader hashes a few words per message; complete
/// schemas are copied and hashed only for a small part of the verified bytes.
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
    private static final int SIGHTINGS = 1 << 12;
    private static final int BUCKET = 4;
    private static final int LENGTHS = 1 << 12;
    private static final long FIRST_CREDIT = 16L << 20;
    private static final int VERIFIED_BYTES_PER_CREDIT = 32;
    private static final int PART_COST = 8;
    private static final int MAX_COPY_BYTES = 1 << 30;

    private final int maxSchemas;
    private final long maxBytes;

    private final List<AcceptedSchema> schemas = new ArrayList<>();
    private long bytes;

    // A hash table of all parts by key, with linear probing. Never modified, only replaced.
    private volatile Part[] parts = new Part[1];

    // Written by threads without a lock: a lost update makes a schema seem unused.
    private AcceptedSchema recent;
    private long clock;

    // Bytes that may be copied and hashed. Verified bytes add to it.
    private long credit = FIRST_CREDIT;

    // Hashes of schemas seen before, in buckets, the latest first.
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
    public synchronized int size() {
        return schemas.size();
    }

    /// {@return size of all schemas in bytes, without attached objects}
    public synchronized long bytes() {
        return bytes;
    }

    // ---- hashes

    /// Mixes a word into a hash.
    static long mix(long hash, long word) {
        long h = (hash ^ word) * FACTOR;
        return h ^ h >>> Integer.SIZE;
    }

    /// Hashes all bytes of a range.
    static long hash(ByteSlice of, long from, long to) {
        long a = SEED;
        long b = SEED + 1;
        long c = SEED + 2;
        long d = SEED + 3;
        long at = from;
        for (; at <= to - 4 * Long.BYTES; at += 4 * Long.BYTES) {
            a = mix(a, of.int64(at));
            b = mix(b, of.int64(at + Long.BYTES));
            c = mix(c, of.int64(at + 2 * Long.BYTES));
            d = mix(d, of.int64(at + 3 * Long.BYTES));
        }
        for (; at < to; at++) {
            a = mix(a, of.int8(at));
        }
        return mix(mix(mix(mix(SEED, a), b), c), d);
    }

    // ---- recognizing

    /// Returns whether a schema message of a length may be known: excludes most batches.
    boolean mayKnow(long length) {
        return lengths[place(length)];
    }

    private static int place(long length) {
        return (int) (length >> 2) & LENGTHS - 1;
    }

    /// Finds a part whose bytes are in a reader's buffer.
    ///
    /// @param key hash of some words of the part
    /// @param variant must be equal besides the bytes
    /// @param at position of the part's anchor
    /// @return null if there is none
    Part find(SchemaLookup by, Kind kind, long key, int variant, long at) {
        Part[] all = parts;
        Part only = null;
        for (int i = place(key, all); all[i] != null; i = i + 1 & all.length - 1) {
            if (all[i].isLike(kind, key, variant, by.rules)) {
                if (only != null) {
                    return findByHash(by, all, only, variant, at);
                }
                only = all[i];
            }
        }
        return only != null && by.matches(only, at) ? only : null;
    }

    /// Finds one of several parts with the same key, by a hash of all bytes.
    private Part findByHash(SchemaLookup by, Part[] all, Part like, int variant, long at) {
        Part hashed = null;
        long hash = 0;
        long paid = 0;
        for (int i = place(like.key(), all); all[i] != null; i = i + 1 & all.length - 1) {
            Part each = all[i];
            long start = each.start(at);
            if (!each.isLike(like.kind(), like.key(), variant, by.rules)
                    || start < 0
                    || each.length() > by.buffer.length() - start) {
                continue;
            }
            if (hashed == null || start != hashed.start(at) || each.length() != hashed.length()) {
                if (!pay(each.length())) {
                    return null;
                }
                paid += each.length();
                by.hashedBytes += each.length();
                hashed = each;
                hash = hash(by.buffer, start, start + each.length());
            }
            if (each.hash() == hash && by.matches(each, at)) {
                earn(paid);
                return each;
            }
        }
        return null;
    }

    private static int place(long key, Part[] all) {
        return (int) key & all.length - 1;
    }

    /// Records the use of a schema.
    void touch(AcceptedSchema schema) {
        if (recent != schema) {
            recent = schema;
            clock++;
            schema.stamp = clock;
        }
    }

    // ---- learning

    /// Records the length of a schema message.
    void seeLength(long length) {
        lengths[place(length)] = true;
    }

    /// Records that a schema was verified that is not in the set.
    ///
    /// @param key hash of some of its words
    /// @param length bytes of its buffer
    /// @return whether to add it: its key was seen before, and the work is within limits
    synchronized boolean isToLearn(long key, long length) {
        earn(length / VERIFIED_BYTES_PER_CREDIT);
        return isSeen(key)
                && length <= MAX_COPY_BYTES
                && pay(length + (long) parts.length * PART_COST);
    }

    /// Returns whether a hash was seen recently, and records it.
    private boolean isSeen(long hash) {
        int bucket = (int) (hash >>> Integer.SIZE) & SIGHTINGS - BUCKET;
        for (int i = bucket; i < bucket + BUCKET; i++) {
            if (sightings[i] == hash) {
                return true;
            }
        }
        System.arraycopy(sightings, bucket, sightings, bucket + 1, BUCKET - 1);
        sightings[bucket] = hash;
        return false;
    }

    private boolean pay(long cost) {
        if (cost > credit) {
            return false;
        }
        credit -= cost;
        return true;
    }

    private void earn(long more) {
        credit = Math.min(Math.max(maxBytes, FIRST_CREDIT), credit + more);
    }

    /// Adds a schema. If its key is in the set already, it is added only when all its bytes occur
    /// again.
    ///
    /// @param made of a verified copy, which the reader's buffer is bound to
    /// @return the schema in the set, null if it was not added
    synchronized AcceptedSchema add(AcceptedSchema made, SchemaLookup by) {
        if (made.bytes.length > maxBytes) {
            return null;
        }
        long key = made.whole().key();
        if (Arrays.stream(parts).anyMatch(each -> each != null && each.key() == key)) {
            by.hashedBytes += made.bytes.length;
            if (!isSeen(made.whole().hash())) {
                return null;
            }
        }
        Part same = by.find(Kind.SCHEMA);
        Part whole = made.whole() == made.parts[0] ? by.find(Kind.MESSAGE) : same;
        if (whole != null) {
            return whole.owner(); // another thread was faster
        }
        share(made, same, by.find(Kind.COLUMNS));
        schemas.add(made);
        bytes += made.bytes.length;
        touch(made);
        while (schemas.size() > maxSchemas || bytes > maxBytes) {
            AcceptedSchema oldest =
                    Collections.min(schemas, Comparator.comparingLong(each -> each.stamp));
            schemas.remove(oldest);
            bytes -= oldest.bytes.length;
        }
        index();
        return made;
    }

    /// Gives a schema the handles of one with the same bytes, or with the same columns.
    private static void share(AcceptedSchema made, Part same, Part columns) {
        if (same != null) {
            made.known = same.owner().known;
            made.sameColumns = same.owner().sameColumns;
        } else if (columns != null) {
            made.sameColumns = columns.owner().sameColumns;
            made.known = made.sameColumns.withSameColumns(made.bytes);
        } else {
            made.known = KnownSchema.of(made.bytes);
            made.sameColumns = made.known.columnsOnly();
        }
    }

    private void index() {
        Part[] all = new Part[Integer.highestOneBit(3 * schemas.size()) << 2];
        for (AcceptedSchema each : schemas) {
            for (Part part : each.parts) {
                if (part != null) {
                    int at = place(part.key(), all);
                    while (all[at] != null && !all[at].isSameAs(part)) {
                        at = at + 1 & all.length - 1;
                    }
                    all[at] = part;
                }
            }
        }
        parts = all;
    }
}
