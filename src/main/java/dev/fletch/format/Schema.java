// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.Endianness;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The columns of a stream or file.
///
/// [Message#header(Schema)] and [Footer#schema] bind it.
/// As a root, `wrap` binds it to memory, in the same ways as a [Message].
///
/// Source: `format/Schema.fbs`, table `Schema`.
public final class Schema extends Table {
    public static final int ENDIANNESS_SLOT = 0;
    public static final int FIELDS_SLOT = 1;
    public static final int CUSTOM_METADATA_SLOT = 2;
    public static final int FEATURES_SLOT = 3;

    static final long SIZES = sizes(2, 4, 4, 4);

    private short endianness;
    private long fieldsAt;
    private int fieldsCount;
    private long customMetadataAt;
    private int customMetadataCount;
    private long featuresAt;
    private int featuresCount;

    public Schema wrap(MemorySegment buffer) {
        return wrap(buffer, 0, buffer.byteSize());
    }

    public Schema wrap(MemorySegment memory, long offset, long length) {
        bind(this, this, wrapRoot(memory, offset, length));
        return this;
    }

    public Schema wrap(ByteBuffer buffer) {
        bind(this, this, wrapRoot(buffer));
        return this;
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        endianness = int16(a, s, ENDIANNESS_SLOT, Endianness.LITTLE);
        fieldsAt = target(a, s, FIELDS_SLOT);
        fieldsCount = count(a, s, fieldsAt, 4);
        customMetadataAt = target(a, s, CUSTOM_METADATA_SLOT);
        customMetadataCount = count(a, s, customMetadataAt, 4);
        featuresAt = target(a, s, FEATURES_SLOT);
        featuresCount = count(a, s, featuresAt, 8);
    }

    /// {@return byte order of the values in the bodies, one of [Endianness]; [Endianness#LITTLE] if
    /// absent. Metadata is always little-endian}
    public int endianness() {
        return endianness;
    }

    public void setEndianness(int value) {
        endianness = setInt16(ENDIANNESS_SLOT, value);
    }

    public int fieldsCount() {
        return fieldsCount;
    }

    /// {@return `into`, bound to one of the columns}
    public Field fields(int index, Field into) {
        bind(into, this, element(fieldsAt, index, fieldsCount));
        return into;
    }

    public int customMetadataCount() {
        return customMetadataCount;
    }

    /// {@return `into`, bound to one of the key/value pairs of the application}
    public KeyValue customMetadata(int index, KeyValue into) {
        bind(into, this, element(customMetadataAt, index, customMetadataCount));
        return into;
    }

    /// {@return number of features that the stream or file uses; 0 if the vector is absent or
    /// empty, which states nothing about the data}
    public int featuresCount() {
        return featuresCount;
    }

    /// {@return a feature that the stream or file uses: one of [dev.fletch.format.ids.Feature], or
    /// an undeclared number}
    public long features(int index) {
        return int64Element(featuresAt, index, featuresCount);
    }

    public void setFeatures(int index, long value) {
        setInt64Element(featuresAt, index, featuresCount, value);
    }
}
