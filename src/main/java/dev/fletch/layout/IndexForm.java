// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Fingerprint;

import java.lang.foreign.MemorySegment;

/// The bytes of a [ColumnIndex]; all numbers are little-endian.
///
/// ```text
///     0  i64  "FLETCHIX"
///     8  i32  version of this form         12  i32  metadata version of the batches
///    16  i64  bytes in all                 24  i32  columns            28  i32  buckets: 1 << this
///    32  i64  seed of the hashes
///    40  i64  bytes of the buffer that the schema is in       48  i64  where in it the schema is
///    56  i64, i64  fingerprint of the schema's bytes: see 120
///    72  i64, i64  fingerprint of the buffer by samples
///    88  i32  nodes    92  i32  buffers    96  i32  views    100  i32  first unknown column, or -1
///   104  i64, i64  fingerprint of all bytes from 136 on
///   120  i64  how many bytes at the end of the buffer are the schema's: SchemaBytes
///   128  i64  fingerprint of the bytes before
///   136  i32  starts: for each bucket the place in "order" where it begins, and the end
///        i32  order: columns by bucket, in a bucket ascending
///        16 bytes for each column, and for the end: i32 nodes, i32 buffers, i32 views before it,
///             i32 hash of its name, whose lowest bits are its bucket
/// ```
final class IndexForm {
    static final long MAGIC = 0x5849_4843_5445_4C46L;
    static final int VERSION = 2;

    static final int MAGIC_AT = 0;
    static final int VERSION_AT = 8;
    static final int METADATA_VERSION_AT = 12;
    static final int BYTES_AT = 16;
    static final int COLUMNS_AT = 24;
    static final int BUCKET_BITS_AT = 28;
    static final int SEED_AT = 32;
    static final int BUFFER_LENGTH_AT = 40;
    static final int SCHEMA_AT = 48;
    static final int FINGERPRINT_AT = 56;
    static final int SAMPLE_AT = 72;
    static final int NODES_AT = 88;
    static final int BUFFERS_AT = 92;
    static final int VIEWS_AT = 96;
    static final int UNKNOWN_AT = 100;
    static final int CONTENT_AT = 104;
    static final int SCHEMA_BYTES_AT = 120;
    static final int HEADER_AT = 128;
    static final int STARTS_AT = 136;

    static final int RECORD_BYTES = 16;
    static final int RECORD_NODES = 0;
    static final int RECORD_BUFFERS = 4;
    static final int RECORD_VIEWS = 8;
    static final int RECORD_HASH = 12;

    private IndexForm() {}

    /// About one column to a bucket.
    static int bucketBits(int columns) {
        return columns == 0 ? 0 : 31 - Integer.numberOfLeadingZeros(columns);
    }

    /// Where the start of a bucket is, or the end of the one before.
    static long startAt(int bucket) {
        return STARTS_AT + (long) bucket * Integer.BYTES;
    }

    static long orderAt(int bucketBits) {
        return STARTS_AT + ((1L << bucketBits) + 1) * Integer.BYTES;
    }

    static long recordsAt(int bucketBits, int columns) {
        return orderAt(bucketBits) + (long) columns * Integer.BYTES;
    }

    static long bytes(int columns) {
        return recordsAt(bucketBits(columns), columns) + (columns + 1L) * RECORD_BYTES;
    }

    /// The first bytes of some memory, as many as an index takes.
    static MemorySegment room(MemorySegment memory, int columns) {
        final long size = bytes(columns);
        if (memory.byteSize() < size) {
            throw LayoutException.of(
                    LayoutFault.INDEX_MEMORY, "bytes", memory.byteSize(), "needed", size);
        }
        return memory.asSlice(0, size);
    }

    /// Takes the fingerprint of what is behind the header.
    static Fingerprint content(ByteSlice index, ByteSlice scratch, Fingerprint into) {
        return into.of(scratch.wrap(index, STARTS_AT, index.length() - STARTS_AT));
    }

    /// Takes the fingerprint of the header.
    static long header(ByteSlice index, ByteSlice scratch, Fingerprint into) {
        return into.of(scratch.wrap(index, 0, HEADER_AT)).low();
    }
}
