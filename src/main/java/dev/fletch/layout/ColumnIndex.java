// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.Utf8Text;
import dev.fletch.format.Schema;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// An index of a schema's columns: finds by name where a column begins in a batch, in the same time
/// however many columns there are. For schemas of ten thousand columns and more, of which a reader
/// wants a few.
///
/// It is built in one pass into memory that the caller supplies, 22 to 24 bytes for each column. The
/// memory may be saved, or be a mapped file itself, and is opened again over the same schema bytes. It
/// keeps hashes and no names: what is found by its hash is compared with the schema.
///
/// **What an index belongs to.** To the bytes of the schema, be they in a file's footer or in a schema
/// message, whatever stands before them. [#open] takes it for every file and stream whose schema has
/// the same bytes, as those of one writer mostly have. An index is also bound to one buffer, the one
/// that it was built over or that [#boundTo] was given: [#openQuick] takes it for that one only.
///
/// **What is checked when.** Opening checks form, sizes and the header's checksum. [#open] then
/// compares the fingerprints of all bytes of the schema and of the index: at the speed of memory,
/// about a millisecond for 100,000 columns, it finds every index that is stale or damaged by
/// accident. [#openQuick] takes the same time for any schema: it compares sizes, and a fingerprint
/// of both ends and 64 pieces of the buffer. After either, each column that is found is compared with
/// the schema, its name and how many nodes and buffers it has with its children, and so are its
/// neighbours in the index: no single wrong word can hide a column or show another one. Each batch
/// must have exactly the nodes and buffers that all columns have. What [#openQuick] may miss is a
/// schema that was changed between the samples, in columns that nobody asked for, with all sizes and
/// sums the same, and an index with several wrong words that agree: to rule these out, something else
/// has to say that file and index belong together.
///
/// The schema itself is read where it is. Open its file with [dev.fletch.ipc.Verification#TOUCHED], so
/// that this does not depend on the number of columns either: a column is verified when it is found,
/// see [ColumnLayout].
///
/// An index that somebody has forged may give wrong answers. Whatever it says, nothing outside the
/// schema, the batch and the body is read.
///
/// **Lifetime and threads.** Valid as long as its memory stays as it is. Threads may share it where
/// its memory allows them to, each with its own schema flyweight and [ColumnLayout].
public final class ColumnIndex {
    private final MemorySegment memory;
    private final ByteSlice bytes = new ByteSlice();
    private final LayoutLimits limits;
    private final int version;
    private final int columns;
    private final int bucketBits;
    private final long seed;
    private final long orderAt;
    private final long recordsAt;
    private final int nodes;
    private final int buffers;
    private final int unknown;

    private ColumnIndex(MemorySegment memory, int version, LayoutLimits limits) {
        this.limits = limits;
        this.version = FieldTable.checkVersion(version);
        bytes.wrap(memory, 0, memory.byteSize());
        IndexCheck.form(bytes);
        columns = bytes.int32(IndexForm.COLUMNS_AT);
        bucketBits = IndexForm.bucketBits(columns);
        orderAt = IndexForm.orderAt(bucketBits);
        recordsAt = IndexForm.recordsAt(bucketBits, columns);
        seed = bytes.int64(IndexForm.SEED_AT);
        nodes = bytes.int32(IndexForm.NODES_AT);
        buffers = bytes.int32(IndexForm.BUFFERS_AT);
        unknown = bytes.int32(IndexForm.UNKNOWN_AT);
        this.memory = memory.asSlice(0, bytes.length());
    }

    // ---- building and opening

    /// {@return number of bytes of an index}
    ///
    /// @param columns number of columns of the schema, not negative
    public static long bytesFor(int columns) {
        return IndexForm.bytes(columns);
    }

    /// Builds an index, within [LayoutLimits#DEFAULT].
    ///
    /// @param schema bound to a schema
    /// @param version metadata version of the batches, one of [dev.fletch.format.MetadataVersion]
    /// @param into writable memory of at least [#bytesFor] bytes; the index takes the first of them
    /// @return the index
    /// @throws LayoutException if the memory is too small, the version is neither V4 nor V5, or a
    ///     limit is passed
    /// @throws dev.fletch.flatbuf.FlatBufferFormatException if the bytes lead out of their range
    public static ColumnIndex build(Schema schema, int version, MemorySegment into) {
        return build(schema, version, into, LayoutLimits.DEFAULT);
    }

    /// Builds an index.
    ///
    /// @param schema bound to a schema
    /// @param version metadata version of the batches, one of [dev.fletch.format.MetadataVersion]
    /// @param into writable memory of at least [#bytesFor] bytes; the index takes the first of them
    /// @param limits how large the schema may be before it is refused
    /// @return the index
    /// @throws LayoutException if the memory is too small, the version is neither V4 nor V5, or a
    ///     limit is passed
    /// @throws dev.fletch.flatbuf.FlatBufferFormatException if the bytes lead out of their range
    public static ColumnIndex build(
            Schema schema, int version, MemorySegment into, LayoutLimits limits) {
        final MemorySegment own = IndexForm.room(into, schema.fieldsCount());
        new IndexBuilder(schema, version, limits, own).build();
        return new ColumnIndex(own, version, limits);
    }

    /// Opens an index that was built before, and checks that it is whole and of this schema.
    ///
    /// @param saved the bytes of an index, and no others
    /// @param schema bound to the schema
    /// @param version metadata version of the batches, one of [dev.fletch.format.MetadataVersion]
    /// @return the index
    /// @throws LayoutException if the bytes are no index, or damaged, or of another schema or version
    public static ColumnIndex open(MemorySegment saved, Schema schema, int version) {
        final ColumnIndex index = new ColumnIndex(saved, version, LayoutLimits.DEFAULT);
        index.verify(schema);
        return index;
    }

    /// Opens an index in the same time whatever its size; what that may miss is said above.
    ///
    /// @param saved the bytes of an index, and no others
    /// @param schema bound to the schema
    /// @param version metadata version of the batches, one of [dev.fletch.format.MetadataVersion]
    /// @return the index
    /// @throws LayoutException if the bytes are no index, or it is bound to another buffer
    public static ColumnIndex openQuick(MemorySegment saved, Schema schema, int version) {
        final ColumnIndex index = new ColumnIndex(saved, version, LayoutLimits.DEFAULT);
        IndexCheck.quick(index.bytes, schema, version);
        return index;
    }

    /// Checks that the index is whole and of this schema.
    ///
    /// @param schema bound to the schema
    /// @throws LayoutException if the index is damaged or of another schema
    public void verify(Schema schema) {
        IndexCheck.full(bytes, schema, version);
    }

    /// Verifies and copies the index, and binds the copy to the buffer that a schema is in, so that
    /// [#openQuick] takes it there: for another file with the same schema.
    ///
    /// @param schema bound to the schema
    /// @param into writable memory of at least [#bytesFor] bytes; may be this index's own
    /// @return the copy
    /// @throws LayoutException if the memory is too small, or the index damaged or of another schema
    public ColumnIndex boundTo(Schema schema, MemorySegment into) {
        verify(schema);
        final MemorySegment own = IndexForm.room(into, columns).copyFrom(memory);
        IndexBuilder.bind(own, schema);
        return new ColumnIndex(own, version, limits);
    }

    /// {@return number of columns}
    public int columnCount() {
        return columns;
    }

    /// {@return metadata version of the batches}
    public int version() {
        return version;
    }

    /// {@return the bytes of the index, which can be saved}
    public MemorySegment memory() {
        return memory;
    }

    /// Saves the index. A file of that name is replaced in one step, where the file system can do
    /// that, so that no reader ever sees a part of it.
    ///
    /// @param path where to, such as the Arrow file's name with a suffix
    /// @throws IOException if it cannot be written
    public void saveTo(Path path) throws IOException {
        IndexFile.save(memory, path);
    }

    // ---- finding

    /// Finds the first column of a name.
    ///
    /// @param schema bound to the schema of the index
    /// @param name any text
    /// @param into filled with its plan
    /// @return false if there is none
    /// @throws LayoutException if the index proves damaged or of another schema
    /// @throws dev.fletch.flatbuf.FlatBufferFormatException if the bytes lead out of their range
    public boolean find(Schema schema, CharSequence name, ColumnLayout into) {
        into.setKey(name);
        return find(schema, into, FieldLayout.NONE);
    }

    /// Finds the first column of a name.
    ///
    /// @param schema bound to the schema of the index
    /// @param name UTF-8 bytes
    /// @param into filled with its plan
    /// @return false if there is none
    /// @throws LayoutException if the index proves damaged or of another schema
    /// @throws dev.fletch.flatbuf.FlatBufferFormatException if the bytes lead out of their range
    public boolean find(Schema schema, byte[] name, ColumnLayout into) {
        into.setKey(name);
        return find(schema, into, FieldLayout.NONE);
    }

    /// Finds the first column of a name.
    ///
    /// @param schema bound to the schema of the index
    /// @param name UTF-8 bytes
    /// @param into filled with its plan
    /// @return false if there is none
    /// @throws LayoutException if the index proves damaged or of another schema
    /// @throws dev.fletch.flatbuf.FlatBufferFormatException if the bytes lead out of their range
    public boolean find(Schema schema, Utf8Slice name, ColumnLayout into) {
        into.setKey(name);
        return find(schema, into, FieldLayout.NONE);
    }

    /// Finds the next column of the name that was found.
    ///
    /// @param schema bound to the schema of the index
    /// @param found filled by this index, and filled anew with what comes next
    /// @return false if there is none, or nothing was found before
    /// @throws LayoutException if the index proves damaged or of another schema
    /// @throws dev.fletch.flatbuf.FlatBufferFormatException if the bytes lead out of their range
    public boolean findNext(Schema schema, ColumnLayout found) {
        return found.column() >= 0 && find(schema, found, found.column());
    }

    /// Finds the first field of a path, as [BatchLayout#findPath] does.
    ///
    /// @param schema bound to the schema of the index
    /// @param path names joined by dots
    /// @param into filled with the plan of the field's column
    /// @return the field's number in that plan; -1 if there is none, and the plan is then empty
    /// @throws LayoutException as [#find(Schema, CharSequence, ColumnLayout)] does
    public int findPath(Schema schema, CharSequence path, ColumnLayout into) {
        return ColumnPaths.find(path, into, null, this, schema);
    }

    boolean findKey(Schema schema, ColumnLayout into) {
        return find(schema, into, FieldLayout.NONE);
    }

    private boolean find(Schema schema, ColumnLayout into, int after) {
        into.clear();
        if (into.keyLength < 0) {
            return false;
        }
        attach(schema, into);
        final int hash = (int) Utf8Text.hash(into.key, 0, into.keyLength, seed);
        final int bucket = bucket(hash);
        final int start = bytes.int32(IndexForm.startAt(bucket));
        final int end = bytes.int32(IndexForm.startAt(bucket + 1));
        if (start < 0 || end < start || end > columns) {
            throw damaged("bucket=" + bucket + ", start=" + start + ", end=" + end);
        }
        checkEdges(bucket, start, end);
        final int first = behind(start, end, after);
        for (int i = first, before = after; i < end; i++) {
            final int column = columnAt(i);
            if (column <= before || i + 1 < end && columnAt(i + 1) <= column) {
                throw damaged("place=" + i + ", column=" + column + ", before=" + before);
            }
            before = column;
            if (isNamed(into, column, hash)) {
                take(schema, into, column);
                return true;
            }
        }
        return false;
    }

    /// Makes sure that what is beside a bucket belongs to others, so that nothing of it is hidden
    /// where its start or end is damaged.
    private void checkEdges(int bucket, int start, int end) {
        if (start > 0 && bucketAt(start - 1) >= bucket
                || end < columns && bucketAt(end) <= bucket) {
            throw damaged("bucket=" + bucket + ", start=" + start + ", end=" + end);
        }
    }

    private int bucketAt(int place) {
        return bucket(record(columnAt(place), IndexForm.RECORD_HASH));
    }

    private int bucket(int hash) {
        return hash & (1 << bucketBits) - 1;
    }

    /// Fills in the plan of a column.
    ///
    /// @param schema bound to the schema of the index
    /// @param column from 0 to [#columnCount()] - 1
    /// @param into filled with its plan
    /// @throws IndexOutOfBoundsException if there is no such column
    /// @throws LayoutException if the index proves damaged or of another schema
    /// @throws dev.fletch.flatbuf.FlatBufferFormatException if the bytes lead out of their range
    public void column(Schema schema, int column, ColumnLayout into) {
        into.clear();
        attach(schema, into);
        into.walk.column(column);
        take(schema, into, column);
    }

    private void attach(Schema schema, ColumnLayout into) {
        into.walk.wrap(schema);
        if (into.walk.columnCount() != columns) {
            throw IndexCheck.stale("columns", columns, into.walk.columnCount());
        }
    }

    /// Compares with the schema: what the index says of a column that is passed over has to be
    /// right, too, as it might be the wanted one.
    private boolean isNamed(ColumnLayout into, int column, int hash) {
        final int said = record(column, IndexForm.RECORD_HASH);
        into.walk.column(column);
        final boolean isNamed = into.walk.nameEquals(into.key, into.keyLength);
        final int found = isNamed ? hash : into.walk.nameHash(seed);
        if (said != found) {
            throw IndexCheck.stale("column", column, found);
        }
        if (bucket(said) != bucket(hash)) {
            throw damaged("bucket=" + bucket(hash) + ", column=" + column);
        }
        return isNamed;
    }

    /// Takes the current column of the walk.
    private void take(Schema schema, ColumnLayout into, int column) {
        into.take(schema, version, limits, schema.bufferLength());
        final int node = record(column, IndexForm.RECORD_NODES);
        final int buffer = record(column, IndexForm.RECORD_BUFFERS);
        final int view = record(column, IndexForm.RECORD_VIEWS);
        if (node < column
                || buffer < 0
                || view < 0
                || record(column + 1, IndexForm.RECORD_NODES) - node != into.fieldCount()
                || record(column + 1, IndexForm.RECORD_BUFFERS) - buffer != into.bufferCount()
                || record(column + 1, IndexForm.RECORD_VIEWS) - view != into.viewCount()) {
            into.clear();
            final String at = "column=" + column + ", node=" + node;
            throw new LayoutException(
                    LayoutFault.STALE_INDEX, at + ", buffer=" + buffer + ", view=" + view);
        }
        into.place(node, buffer, view, unknown >= 0 && unknown < column);
        if (unknown < 0) {
            into.expect(nodes, buffers);
        }
    }

    /// The first place of a bucket whose column is behind another one, which has to be in front of it,
    /// and lower ones in front of that: a wrong bit may give its number to a column further on.
    private int behind(int start, int end, int after) {
        int low = start;
        int high = after < 0 ? start : end;
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (columnAt(middle) <= after) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        final boolean isThere = low > start && columnAt(low - 1) == after;
        if (after >= 0 && !(isThere && (low < start + 2 || columnAt(low - 2) < after))) {
            throw damaged("places=" + start + " to " + end + ", after=" + after);
        }
        return low;
    }

    private int columnAt(int place) {
        final int column = bytes.int32(orderAt + (long) place * Integer.BYTES);
        if (column < 0 || column >= columns) {
            throw damaged("place=" + place + ", column=" + column);
        }
        return column;
    }

    private int record(int column, int field) {
        return bytes.int32(recordsAt + (long) column * IndexForm.RECORD_BYTES + field);
    }

    private LayoutException damaged(String details) {
        return new LayoutException(LayoutFault.DAMAGED_INDEX, details + ", columns=" + columns);
    }
}
