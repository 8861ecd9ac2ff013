// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.AcceptedSchema.Kind;
import dev.fletch.ipc.AcceptedSchema.Part;

import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// A bounded set of schemas that were verified: the files of a dataset share one schema, and a
/// producer that connects again sends the same one. Readers that have the set in their [ReadOptions]
/// compare a schema's bytes with those in the set before they verify it.
///
/// ```java
/// KnownSchemas known = new KnownSchemas();
/// ReadOptions options = ReadOptions.DEFAULT.withKnownSchemas(known);
/// for (Path path : dataset) {
///     try (ArrowFile file = ArrowFile.open(path, options)) {
///         file.footer().schema(schema);
///         BatchLayout layout = BatchLayout.of(file.knownSchema(), schema, version, limits);
///         …
///     }
/// }
/// ```
///
/// **What is recognized.** A schema message, if all its metadata is the same. The schema of a footer,
/// if its bytes are those of a schema message or of another footer, at any position; then only the
/// rest of the footer is verified. If only a schema's custom metadata differs, it is verified, and
/// shares what is attached to its columns: see [KnownSchema].
///
/// **Same verdicts.** A schema enters when it is seen for the second time, after a full verification of a
/// copy of its bytes. It serves only readers with equal [VerifierOptions]. A reader without
/// [Verification#FULL] recognizes schemas, and never adds one.
///
/// **Limits.** When the set is full, the least recently used schema is removed, with all that is attached
/// to it. A peer that sends another schema each time costs the reader a few hashed words per message;
/// copying and hashing whole schemas is limited to a small part of the bytes that are verified.
///
/// **Threads.** Any number of threads may share it. Recognizing a schema takes no lock and allocates
/// nothing.
public final class KnownSchemas {
    /// How many schemas are kept by default.
    public static final int DEFAULT_MAX_SCHEMAS = 256;

    /// How many bytes of schemas are kept by default: about 800 schemas of 1,000 columns.
    public static final long DEFAULT_MAX_BYTES = 64L << 20;

    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);
    private static final long SEED = new SecureRandom().nextLong();
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final int SIGHTINGS = 1 << 12;
    private static final int BUCKET = 4;
    private static final int SPARES = 16;
    private static final int LENGTHS = 1 << 12;
    private static final long FIRST_CREDIT = 16L << 20;
    private static final int VERIFIED_BYTES_PER_CREDIT = 32;
    private static final int PART_COST = 8;
    private static final int MAX_COPY_BYTES = 1 << 30;

    private final int maxSchemas;
    private final long maxBytes;

    private final List<AcceptedSchema> schemas = new ArrayList<>();
    private long bytes;

    // A hash table of all parts by their keys, with linear probing. Replaced as a whole.
    private volatile Part[] parts = new Part[1];

    // Written by threads without a lock: a lost update makes a schema seem unused.
    private AcceptedSchema recent;
    private long clock;

    // Bytes that may be copied and hashed. Verified bytes add to it.
    private long credit = FIRST_CREDIT;

    // Hashes of what was seen, in buckets, the latest first.
    private final long[] sightings = new long[SIGHTINGS];

    // Whether a schema message of such a length was seen.
    private final boolean[] lengths = new boolean[LENGTHS];

    // Verifiers to open files with: making one takes as long as mapping a file.
    private final AtomicReferenceArray<Verifier> spare = new AtomicReferenceArray<>(SPARES);

    /// Creates an empty set with the default limits.
    public KnownSchemas() {
        this(DEFAULT_MAX_SCHEMAS, DEFAULT_MAX_BYTES);
    }

    /// Creates an empty set.
    ///
    /// @param maxSchemas how many schemas are kept. The schema message of a file and its footer count
    ///     as two if they differ; so does the same schema under other verifier options
    /// @param maxBytes how many bytes of them are kept, without what is attached; a larger schema is not
    ///     added
    /// @throws IllegalArgumentException if a limit is not positive
    public KnownSchemas(int maxSchemas, long maxBytes) {
        if (maxSchemas < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "limit is not positive: maxSchemas=" + maxSchemas + ", maxBytes=" + maxBytes);
        }
        this.maxSchemas = maxSchemas;
        this.maxBytes = maxBytes;
    }

    /// {@return how many schemas are kept}
    public synchronized int size() {
        return schemas.size();
    }

    /// {@return how many bytes of schemas are kept, without what is attached to them}
    public synchronized long bytes() {
        return bytes;
    }

    // ---- verifiers

    /// Takes a verifier, for one reader.
    Verifier verifier(VerifierOptions rules) {
        for (int i = 0; i < SPARES; i++) {
            final Verifier kept = spare.get(i) == null ? null : spare.getAndSet(i, null);
            if (kept != null && kept.options().equals(rules)) {
                return kept;
            }
        }
        return new Verifier(rules);
    }

    /// Keeps a verifier for the next reader. It lets go of the file's memory.
    void keep(Verifier verifier) {
        verifier.verify(Verifier.Root.MESSAGE, NOTHING);
        int at = 0;
        while (at < SPARES && !spare.compareAndSet(at, null, verifier)) {
            at++;
        }
    }

    // ---- hashes

    /// Mixes a word into a hash.
    static long mix(long hash, long word) {
        final long h = (hash ^ word) * FACTOR;
        return h ^ h >>> Integer.SIZE;
    }

    /// The hash to begin with.
    static long seed(int rules) {
        return mix(SEED, rules);
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

    /// Tells whether a schema message of such a length may be known: most batches end here.
    boolean mayKnow(long length) {
        return lengths[place(length)];
    }

    private static int place(long length) {
        return (int) (length >> 2) & LENGTHS - 1;
    }

    /// Finds a part that a reader's buffer has.
    ///
    /// @param key hash of some of the words that the part would have
    /// @param variant what must be equal besides the bytes
    /// @param at position of the part's anchor
    /// @return null if there is none
    Part find(SchemaLookup by, Kind kind, long key, int variant, long at) {
        final Part[] all = parts;
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

    /// Finds one of several parts that have the same key. A hash of all bytes tells which one to
    /// compare with.
    private Part findByHash(SchemaLookup by, Part[] all, Part like, int variant, long at) {
        Part hashed = null;
        long hash = 0;
        long paid = 0;
        for (int i = place(like.key, all); all[i] != null; i = i + 1 & all.length - 1) {
            final Part each = all[i];
            final long start = each.start(at);
            if (!each.isLike(like.kind, like.key, variant, by.rules)
                    || start < 0
                    || each.length > by.buffer.length() - start) {
                continue;
            }
            if (hashed == null || start != hashed.start(at) || each.length != hashed.length) {
                if (!pay(each.length)) {
                    return null;
                }
                paid += each.length;
                by.hashedBytes += each.length;
                hashed = each;
                hash = hash(by.buffer, start, start + each.length);
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

    /// Notes that a schema was used.
    void touch(AcceptedSchema schema) {
        if (recent != schema) {
            recent = schema;
            clock++;
            schema.stamp = clock;
        }
    }

    // ---- learning

    /// Notes the length of a schema message.
    void seeLength(long length) {
        lengths[place(length)] = true;
    }

    /// Notes that a schema was verified that is not in the set.
    ///
    /// @param key hash of some of its words
    /// @param length bytes of its buffer
    /// @return whether to add it, as one with this key was seen before and the work is within limits
    synchronized boolean isToLearn(long key, long length) {
        earn(length / VERIFIED_BYTES_PER_CREDIT);
        return isSeen(key)
                && length <= MAX_COPY_BYTES
                && pay(length + (long) parts.length * PART_COST);
    }

    /// Tells whether a hash was seen lately, and keeps it.
    private boolean isSeen(long hash) {
        final int bucket = (int) (hash >>> Integer.SIZE) & SIGHTINGS - BUCKET;
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

    /// Adds a schema. If another one has the same key, it is added only when all its bytes are seen
    /// again.
    ///
    /// @param made of a copy that was verified, which is the reader's buffer
    /// @return what is in the set now, null if it was not added
    synchronized AcceptedSchema add(AcceptedSchema made, SchemaLookup by) {
        if (made.bytes.length > maxBytes) {
            return null;
        }
        if (hasKey(made.whole().key)) {
            by.hashedBytes += made.bytes.length;
            if (!isSeen(made.whole().hash())) {
                return null;
            }
        }
        final Part same = by.find(Kind.SCHEMA);
        final Part whole = made.whole() == made.parts[0] ? by.find(Kind.MESSAGE) : same;
        if (whole != null) {
            return whole.owner; // another thread was faster
        }
        share(made, same, by.find(Kind.COLUMNS));
        schemas.add(made);
        bytes += made.bytes.length;
        touch(made);
        while (schemas.size() > maxSchemas || bytes > maxBytes) {
            final AcceptedSchema oldest =
                    Collections.min(schemas, Comparator.comparingLong(each -> each.stamp));
            schemas.remove(oldest);
            bytes -= oldest.bytes.length;
        }
        index();
        return made;
    }

    private boolean hasKey(long key) {
        final Part[] all = parts;
        int i = place(key, all);
        while (all[i] != null && all[i].key != key) {
            i = i + 1 & all.length - 1;
        }
        return all[i] != null;
    }

    /// Gives a schema the handles of one with the same bytes, or with the same columns.
    private static void share(AcceptedSchema made, Part same, Part columns) {
        if (same != null) {
            made.known = same.owner.known;
            made.sameColumns = same.owner.sameColumns;
        } else if (columns != null) {
            made.sameColumns = columns.owner.sameColumns;
            made.known = made.sameColumns.withSameColumns(made.bytes);
        } else {
            made.known = KnownSchema.of(made.bytes);
            made.sameColumns = made.known.columnsOnly();
        }
    }

    private void index() {
        final Part[] all = new Part[Integer.highestOneBit(3 * schemas.size()) << 2];
        for (AcceptedSchema each : schemas) {
            for (Part part : each.parts) {
                if (part != null) {
                    int at = place(part.key, all);
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
