// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Block;
import dev.fletch.format.MetadataVersion;

import java.util.Objects;
import java.util.function.LongUnaryOperator;

/// Changes to a message, a footer or a schema that a [MetadataWriter] writes again. What is not
/// named stays as it is in the source, and what does not apply to the source is ignored, so one edit
/// serves all messages of a stream.
///
/// It can be used for any number of messages. While it is being changed, it belongs to one thread.
///
/// Source: the tables `Message`, `Footer` and `Schema` of `format/*.fbs`.
public final class MetadataEdit {
    /// Changes nothing.
    static final MetadataEdit NONE = new MetadataEdit();

    private boolean changesVersion;
    private int version;
    private boolean changesBodyLength;
    private long bodyLength;
    private KeyValueEdit customMetadata;
    private KeyValueEdit schemaMetadata;
    private FieldListEdit fields;
    private LongUnaryOperator dictionaryIds;
    private Blocks dictionaries;
    private Blocks recordBatches;

    /// Blocks of a footer: three numbers each.
    record Blocks(long[] numbers, int from, int count) {}

    /// Creates an edit that changes nothing yet.
    public MetadataEdit() {}

    /// Changes the version of a message or a footer.
    ///
    /// @param value one of [MetadataVersion]
    /// @return this
    public MetadataEdit version(int value) {
        version = value;
        changesVersion = true;
        return this;
    }

    /// Changes the body length of a message.
    ///
    /// @param bytes length in bytes
    /// @return this
    public MetadataEdit bodyLength(long bytes) {
        bodyLength = bytes;
        changesBodyLength = true;
        return this;
    }

    /// Changes the key/value pairs of a message or a footer, which are not those of its schema.
    ///
    /// @param edit what to change; null for nothing
    /// @return this
    public MetadataEdit customMetadata(KeyValueEdit edit) {
        customMetadata = edit;
        return this;
    }

    /// Changes the key/value pairs of a schema, including one in a message or a footer.
    ///
    /// @param edit what to change; null for nothing
    /// @return this
    public MetadataEdit schemaMetadata(KeyValueEdit edit) {
        schemaMetadata = edit;
        return this;
    }

    /// Sets which fields a schema has, including one in a message or a footer. The headers of its
    /// record batches do not follow.
    ///
    /// @param list all fields; null for those of the source
    /// @return this
    public MetadataEdit fields(FieldListEdit list) {
        fields = list;
        return this;
    }

    /// Gives dictionaries other ids: in the fields of a schema, unless [FieldEdit#dictionaryId] says
    /// otherwise, and in dictionary batches.
    ///
    /// @param idOf gives the new id for an old one; null to keep all
    /// @return this
    public MetadataEdit dictionaryIds(LongUnaryOperator idOf) {
        dictionaryIds = idOf;
        return this;
    }

    /// Changes where a footer says that the dictionary batches are.
    ///
    /// @param numbers three per block: offset, metadata length and body length; not copied
    /// @param from index of the first number
    /// @param blocks how many blocks
    /// @return this
    /// @throws IndexOutOfBoundsException if the numbers are not inside `numbers`
    public MetadataEdit dictionaries(long[] numbers, int from, int blocks) {
        dictionaries = blocks(numbers, from, blocks);
        return this;
    }

    /// Changes where a footer says that the record batches are.
    ///
    /// @param numbers three per block: offset, metadata length and body length; not copied
    /// @param from index of the first number
    /// @param blocks how many blocks
    /// @return this
    /// @throws IndexOutOfBoundsException if the numbers are not inside `numbers`
    public MetadataEdit recordBatches(long[] numbers, int from, int blocks) {
        recordBatches = blocks(numbers, from, blocks);
        return this;
    }

    private static Blocks blocks(long[] numbers, int from, int blocks) {
        final long longs = (long) blocks * (Block.BYTES / Long.BYTES);
        Objects.checkFromIndexSize((long) from, longs, (long) numbers.length);
        return new Blocks(numbers, from, blocks);
    }

    boolean changesVersion() {
        return changesVersion;
    }

    int version() {
        return version;
    }

    boolean changesBodyLength() {
        return changesBodyLength;
    }

    long bodyLength() {
        return bodyLength;
    }

    KeyValueEdit customMetadata() {
        return customMetadata;
    }

    KeyValueEdit schemaMetadata() {
        return schemaMetadata;
    }

    FieldListEdit fields() {
        return fields;
    }

    long dictionaryId(long id) {
        return dictionaryIds == null ? id : dictionaryIds.applyAsLong(id);
    }

    Blocks dictionaries() {
        return dictionaries;
    }

    Blocks recordBatches() {
        return recordBatches;
    }
}
