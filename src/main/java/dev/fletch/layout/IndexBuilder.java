// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Fingerprint;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/// Writes a [ColumnIndex]: one pass over the schema for the columns' records, one over the records
/// to sort them into buckets. Needs no other memory than the index's own.
final class IndexBuilder {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Schema schema;
    private final int version;
    private final LayoutLimits limits;
    private final MemorySegment into;
    private final int columns;
    private final int bucketBits;
    private final long orderAt;
    private final long recordsAt;
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final FieldWalk walk = new FieldWalk();
    private final SharedParts names = new SharedParts();
    private final Utf8Slice name = new Utf8Slice();

    private int nodes;
    private int buffers;
    private int views;
    private int unknown = FieldLayout.NONE;

    /// @param into of the index's size
    IndexBuilder(Schema schema, int version, LayoutLimits limits, MemorySegment into) {
        this.schema = schema;
        this.version = FieldTable.checkVersion(version);
        this.limits = limits;
        this.into = into;
        this.columns = schema.fieldsCount();
        this.bucketBits = IndexForm.bucketBits(columns);
        this.orderAt = IndexForm.orderAt(bucketBits);
        this.recordsAt = IndexForm.recordsAt(bucketBits, columns);
    }

    void build() {
        into.asSlice(0, orderAt).fill((byte) 0);
        addColumns();
        sort();
        addHeader();
    }

    private void addColumns() {
        final int most = limits.fieldsIn(schema.bufferLength());
        walk.wrap(schema);
        names.begin(schema.bufferLength());
        while (walk.next()) {
            if (nodes >= most || walk.depth() >= limits.maxDepth()) {
                throw new LayoutException(
                        nodes >= most ? LayoutFault.TOO_MANY_FIELDS : LayoutFault.TOO_DEEP,
                        String.format(
                                Locale.ROOT,
                                "column=%d, limit=%d",
                                walk.column(),
                                nodes >= most ? most : limits.maxDepth()));
            }
            if (walk.depth() == 0) {
                addColumn(walk.column(), nameHash());
            }
            final boolean indexes = walk.isDictionaryEncoded();
            final BufferShape shape =
                    indexes
                            ? BufferShape.FIXED_WIDTH
                            : BufferShape.of(walk.typeType(), walk.unionMode(), version);
            if (indexes) {
                walk.skipChildren();
            }
            nodes++;
            buffers += shape.count();
            views += shape == BufferShape.VIEW ? 1 : 0;
            if (shape == BufferShape.UNKNOWN && unknown < 0) {
                unknown = walk.column();
            }
        }
        addRecord(columns, 0);
    }

    /// The hash of the current column's name; one that columns share is read once.
    private int nameHash() {
        if (walk.nameLength() == 0 || !walk.name(name)) {
            return walk.nameHash(seed);
        }
        final int known = names.find(name.place(), name.length());
        if (known >= 0) {
            return into.get(INT, recordAt(known) + IndexForm.RECORD_HASH);
        }
        if (known == SharedParts.TOO_MUCH) {
            throw LayoutException.of(
                    LayoutFault.TOO_LONG_NAMES,
                    "column",
                    walk.column(),
                    "bytes",
                    schema.bufferLength());
        }
        names.keep(name.place(), walk.column());
        return walk.nameHash(seed);
    }

    private void addColumn(int column, int hash) {
        addRecord(column, hash);
        final long start = IndexForm.startAt(bucket(hash) + 1);
        into.set(INT, start, into.get(INT, start) + 1);
    }

    private void addRecord(int column, int hash) {
        final long at = recordAt(column);
        into.set(INT, at + IndexForm.RECORD_NODES, nodes);
        into.set(INT, at + IndexForm.RECORD_BUFFERS, buffers);
        into.set(INT, at + IndexForm.RECORD_VIEWS, views);
        into.set(INT, at + IndexForm.RECORD_HASH, hash);
    }

    private long recordAt(int column) {
        return recordsAt + (long) column * IndexForm.RECORD_BYTES;
    }

    private int bucket(int hash) {
        return hash & (1 << bucketBits) - 1;
    }

    /// Turns the buckets' sizes, each one place too high, into their starts, and lets each start
    /// walk to its bucket's end while columns are put there; then moves all of them up again.
    private void sort() {
        final int buckets = 1 << bucketBits;
        for (int i = 1, sum = 0; i <= buckets; i++) {
            sum += into.get(INT, IndexForm.startAt(i));
            into.set(INT, IndexForm.startAt(i), sum);
        }
        for (int column = 0; column < columns; column++) {
            final int hash = into.get(INT, recordAt(column) + IndexForm.RECORD_HASH);
            final long start = IndexForm.startAt(bucket(hash));
            final int place = into.get(INT, start);
            into.set(INT, start, place + 1);
            into.set(INT, orderAt + (long) place * Integer.BYTES, column);
        }
        for (int i = buckets; i > 0; i--) {
            into.set(INT, IndexForm.startAt(i), into.get(INT, IndexForm.startAt(i - 1)));
        }
        into.set(INT, IndexForm.startAt(0), 0);
    }

    private void addHeader() {
        final ByteSlice bytes = new ByteSlice();
        final ByteSlice part = new ByteSlice();
        final Fingerprint fingerprint = new Fingerprint();
        into.set(LONG, IndexForm.MAGIC_AT, IndexForm.MAGIC);
        into.set(INT, IndexForm.VERSION_AT, IndexForm.VERSION);
        into.set(INT, IndexForm.METADATA_VERSION_AT, version);
        into.set(LONG, IndexForm.BYTES_AT, into.byteSize());
        into.set(INT, IndexForm.COLUMNS_AT, columns);
        into.set(INT, IndexForm.BUCKET_BITS_AT, bucketBits);
        into.set(LONG, IndexForm.SEED_AT, seed);
        into.set(INT, IndexForm.NODES_AT, nodes);
        into.set(INT, IndexForm.BUFFERS_AT, buffers);
        into.set(INT, IndexForm.VIEWS_AT, views);
        into.set(INT, IndexForm.UNKNOWN_AT, unknown);
        bytes.wrapBufferOf(schema);
        final long count = SchemaBytes.count(schema, limits);
        into.set(LONG, IndexForm.SCHEMA_BYTES_AT, count);
        part.wrap(bytes, bytes.length() - count, count);
        set(into, IndexForm.FINGERPRINT_AT, fingerprint.of(part));
        bytes.wrap(into, 0, into.byteSize());
        set(into, IndexForm.CONTENT_AT, IndexForm.content(bytes, part, fingerprint));
        bind(into, schema);
    }

    /// Writes into a header which buffer the schema is in, and ends it.
    ///
    /// @param into of the index's size
    static void bind(MemorySegment into, Schema schema) {
        final ByteSlice bytes = new ByteSlice().wrapBufferOf(schema);
        final Fingerprint fingerprint = new Fingerprint();
        into.set(LONG, IndexForm.BUFFER_LENGTH_AT, bytes.length());
        into.set(LONG, IndexForm.SCHEMA_AT, schema.position() - bytes.offset());
        set(into, IndexForm.SAMPLE_AT, fingerprint.sample(bytes));
        bytes.wrap(into, 0, into.byteSize());
        final long header = IndexForm.header(bytes, new ByteSlice(), fingerprint);
        into.set(LONG, IndexForm.HEADER_AT, header);
    }

    private static void set(MemorySegment into, int at, Fingerprint fingerprint) {
        into.set(LONG, at, fingerprint.low());
        into.set(LONG, at + Long.BYTES, fingerprint.high());
    }
}
