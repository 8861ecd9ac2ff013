// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Fingerprint;
import dev.fletch.format.Schema;

import java.util.Locale;

/// What is looked at before the bytes of an index are used.
final class IndexCheck {
    private IndexCheck() {}

    /// Makes sure that bytes have the form of an index: afterwards all its parts are in range.
    static void form(ByteSlice bytes) {
        final long length = bytes.length();
        if (length < IndexForm.STARTS_AT
                || bytes.int64(IndexForm.MAGIC_AT) != IndexForm.MAGIC
                || bytes.int32(IndexForm.VERSION_AT) != IndexForm.VERSION) {
            throw new LayoutException(LayoutFault.NO_INDEX, "bytes=" + length);
        }
        if (bytes.int64(IndexForm.HEADER_AT)
                != IndexForm.header(bytes, new ByteSlice(), new Fingerprint())) {
            throw new LayoutException(LayoutFault.DAMAGED_INDEX, "in=header, bytes=" + length);
        }
        final int count = bytes.int32(IndexForm.COLUMNS_AT);
        final int bits = bytes.int32(IndexForm.BUCKET_BITS_AT);
        if (count < 0
                || bits != IndexForm.bucketBits(count)
                || IndexForm.bytes(count) != length
                || bytes.int64(IndexForm.BYTES_AT) != length) {
            throw new LayoutException(
                    LayoutFault.DAMAGED_INDEX,
                    String.format(
                            Locale.ROOT,
                            "columns=%d, bucketBits=%d, bytes=%d",
                            count,
                            bits,
                            length));
        }
    }

    /// Compares with the buffer of a schema, in the same time whatever its size.
    static void quick(ByteSlice bytes, Schema schema, int version) {
        shape(bytes, schema, version);
        final ByteSlice buffer = new ByteSlice().wrapBufferOf(schema);
        same("bufferBytes", bytes.int64(IndexForm.BUFFER_LENGTH_AT), buffer.length());
        final long at = schema.position() - buffer.offset();
        same("schemaOffset", bytes.int64(IndexForm.SCHEMA_AT), at);
        final Fingerprint sample = new Fingerprint().sample(buffer);
        same("bufferSample", bytes.int64(IndexForm.SAMPLE_AT), sample.low());
        same("bufferSample", bytes.int64(IndexForm.SAMPLE_AT + Long.BYTES), sample.high());
    }

    /// Compares all bytes of the schema and of the index with their fingerprints. In what buffer the
    /// schema is plays no part.
    static void full(ByteSlice bytes, Schema schema, int version) {
        shape(bytes, schema, version);
        final ByteSlice part = new ByteSlice().wrapBufferOf(schema);
        final long length = bytes.int64(IndexForm.SCHEMA_BYTES_AT);
        final long start = part.length() - length;
        final long at = schema.position() - part.offset();
        if (length < 0 || start < 0) {
            throw stale("schemaBytes", length, part.length());
        }
        same("schemaOffset", placeInSchemaBytes(bytes), at - start);
        final Fingerprint all = new Fingerprint().of(part.wrap(part, start, length));
        same("schemaFingerprint", bytes.int64(IndexForm.FINGERPRINT_AT), all.low());
        same("schemaFingerprint", bytes.int64(IndexForm.FINGERPRINT_AT + Long.BYTES), all.high());
        final Fingerprint content = IndexForm.content(bytes, part, all);
        if (bytes.int64(IndexForm.CONTENT_AT) != content.low()
                || bytes.int64(IndexForm.CONTENT_AT + Long.BYTES) != content.high()) {
            throw new LayoutException(
                    LayoutFault.DAMAGED_INDEX, "in=content, bytes=" + bytes.length());
        }
    }

    /// Where in the schema's bytes the schema's own table is, in whatever buffer they are.
    private static long placeInSchemaBytes(ByteSlice bytes) {
        return bytes.int64(IndexForm.SCHEMA_AT)
                - bytes.int64(IndexForm.BUFFER_LENGTH_AT)
                + bytes.int64(IndexForm.SCHEMA_BYTES_AT);
    }

    private static void shape(ByteSlice bytes, Schema schema, int version) {
        same("version", bytes.int32(IndexForm.METADATA_VERSION_AT), version);
        same("columns", bytes.int32(IndexForm.COLUMNS_AT), schema.fieldsCount());
    }

    private static void same(String what, long index, long found) {
        if (index != found) {
            throw stale(what, index, found);
        }
    }

    static LayoutException stale(String what, long index, long found) {
        return LayoutException.of(LayoutFault.STALE_INDEX, what, index, "found", found);
    }
}
