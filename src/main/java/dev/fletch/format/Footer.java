// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.MetadataVersion;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The footer of an IPC file: a copy of its schema, and the positions of its batches.
///
/// A root: `wrap` binds it to the footer's bytes, without the length and the magic after them (see
/// `dev.fletch.ipc`), in the same ways as a [Message].
///
/// Source: `format/File.fbs`, table `Footer`.
public final class Footer extends Table {
    public static final int VERSION_SLOT = 0;
    public static final int SCHEMA_SLOT = 1;
    public static final int DICTIONARIES_SLOT = 2;
    public static final int RECORD_BATCHES_SLOT = 3;
    public static final int CUSTOM_METADATA_SLOT = 4;

    static final long SIZES = sizes(2, 4, 4, 4, 4);

    private short version;
    private long schemaAt;
    private long dictionariesAt;
    private int dictionariesCount;
    private long recordBatchesAt;
    private int recordBatchesCount;
    private long customMetadataAt;
    private int customMetadataCount;

    public Footer wrap(MemorySegment buffer) {
        return wrap(buffer, 0, buffer.byteSize());
    }

    public Footer wrap(MemorySegment memory, long offset, long length) {
        bind(this, this, wrapRoot(memory, offset, length));
        return this;
    }

    public Footer wrap(ByteBuffer buffer) {
        bind(this, this, wrapRoot(buffer));
        return this;
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        version = int16(a, s, VERSION_SLOT, MetadataVersion.V1);
        schemaAt = field(SCHEMA_SLOT);
        dictionariesAt = target(a, s, DICTIONARIES_SLOT);
        dictionariesCount = count(a, s, dictionariesAt, Block.BYTES);
        recordBatchesAt = target(a, s, RECORD_BATCHES_SLOT);
        recordBatchesCount = count(a, s, recordBatchesAt, Block.BYTES);
        customMetadataAt = target(a, s, CUSTOM_METADATA_SLOT);
        customMetadataCount = count(a, s, customMetadataAt, 4);
    }

    /// {@return version of the format, one of [MetadataVersion]; [MetadataVersion#V1] if absent.
    /// Old files omit it although their messages have V4}
    public int version() {
        return version;
    }

    public void setVersion(int value) {
        version = setInt16(VERSION_SLOT, value);
    }

    /// Binds to the schema.
    public boolean schema(Schema into) {
        return bindPresent(into, schemaAt);
    }

    public int dictionariesCount() {
        return dictionariesCount;
    }

    /// {@return `into`, bound to one of the blocks of the dictionary batches}
    public Block dictionaries(int index, Block into) {
        into.decode(this, dictionariesAt, index, dictionariesCount);
        return into;
    }

    public int recordBatchesCount() {
        return recordBatchesCount;
    }

    /// {@return `into`, bound to one of the blocks of the record batches}
    public Block recordBatches(int index, Block into) {
        into.decode(this, recordBatchesAt, index, recordBatchesCount);
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
}
