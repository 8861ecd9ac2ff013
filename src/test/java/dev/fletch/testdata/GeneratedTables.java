// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import com.google.flatbuffers.FlatBufferBuilder;

import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;

/// Tables by the generated classes, for tests and benchmarks: the one place that calls their
/// `create…`, whose parameters change when the format gets a new field.
public final class GeneratedTables {
    private GeneratedTables() {}

    /// Writes a message of version V5 without metadata.
    public static int message(
            FlatBufferBuilder builder, byte headerType, int header, long bodyLength) {
        return message(builder, MetadataVersion.V5, headerType, header, bodyLength, 0);
    }

    /// Writes a message. Without metadata, the builder may not force defaults.
    public static int message(
            FlatBufferBuilder builder,
            short version,
            byte headerType,
            int header,
            long bodyLength,
            int customMetadata) {
        return Message.createMessage(
                builder, version, headerType, header, bodyLength, customMetadata);
    }

    public static int recordBatch(
            FlatBufferBuilder builder,
            long length,
            int nodes,
            int buffers,
            int compression,
            int variadicBufferCounts) {
        return RecordBatch.createRecordBatch(
                builder, length, nodes, buffers, compression, variadicBufferCounts);
    }

    public static int dictionaryBatch(
            FlatBufferBuilder builder, long id, int data, boolean isDelta) {
        return DictionaryBatch.createDictionaryBatch(builder, id, data, isDelta);
    }

    public static int schema(
            FlatBufferBuilder builder,
            short endianness,
            int fields,
            int customMetadata,
            int features) {
        return Schema.createSchema(builder, endianness, fields, customMetadata, features);
    }

    public static int field(
            FlatBufferBuilder builder,
            int name,
            boolean nullable,
            byte typeType,
            int type,
            int dictionary,
            int children,
            int customMetadata) {
        return Field.createField(
                builder, name, nullable, typeType, type, dictionary, children, customMetadata);
    }

    public static int dictionaryEncoding(
            FlatBufferBuilder builder,
            long id,
            int indexType,
            boolean isOrdered,
            short dictionaryKind) {
        return DictionaryEncoding.createDictionaryEncoding(
                builder, id, indexType, isOrdered, dictionaryKind);
    }

    public static int footer(
            FlatBufferBuilder builder,
            short version,
            int schema,
            int dictionaries,
            int recordBatches,
            int customMetadata) {
        return Footer.createFooter(
                builder, version, schema, dictionaries, recordBatches, customMetadata);
    }
}
