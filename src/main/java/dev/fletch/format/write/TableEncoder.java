// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.verify.FieldDeclaration;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.BodyCompressionMethod;
import dev.fletch.format.Buffer;
import dev.fletch.format.CompressionType;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Endianness;
import dev.fletch.format.Feature;
import dev.fletch.format.Field;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.format.rules.ArrowRules;

import java.util.Locale;
import java.util.Objects;

/// Writes the tables of `format/*.fbs`, and vectors of their structs.
///
/// A method adds a table's fields in the order of flatc's generated method for the table. It
/// returns the distance of the table or vector from the buffer's end. A parameter is a number, or
/// the returned distance of a child, 0 if absent. Vectors of structs are copied from an array,
/// starting at an index.
///
/// **Errors.** Those of [FlatBufferWriter]; no object may be open. A required child that is 0
/// throws an [IllegalArgumentException].
///
/// Source: the tables and structs of `format/*.fbs`.
public final class TableEncoder {
    private static final int BLOCK_LONGS = Block.BYTES / Long.BYTES;
    private static final int BLOCK_PADDING_BYTES =
            Block.BODY_LENGTH_AT - Block.META_DATA_LENGTH_AT - Integer.BYTES;

    private TableEncoder() {}

    /// Writes a table of kind [Message]: a message's metadata with its header.
    ///
    /// @param version one of [MetadataVersion]
    /// @param headerType kind of `header`, one of [MessageHeader]
    /// @param header the header's table
    /// @param bodyLength length of the body in bytes
    /// @param customMetadata vector of key/value pairs, each written by [#createKeyValue]
    public static int createMessage(
            FlatBufferWriter writer,
            int version,
            int headerType,
            int header,
            long bodyLength,
            int customMetadata) {
        writer.startTable();
        writer.addInt64(Message.BODY_LENGTH_SLOT, bodyLength, 0);
        writer.addOffset(Message.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Message.HEADER_SLOT, header);
        writer.addInt16(Message.VERSION_SLOT, version, MetadataVersion.V1);
        writer.addInt8(Message.HEADER_TYPE_SLOT, headerType, MessageHeader.NONE);
        return writer.endTable();
    }

    /// Writes a table of kind [Footer]: the footer of an IPC file.
    ///
    /// @param version one of [MetadataVersion]
    /// @param schema the schema, written by [#createSchema]
    /// @param dictionaries vector of blocks: see [#createBlockVector]
    /// @param recordBatches vector of blocks: see [#createBlockVector]
    /// @param customMetadata vector of key/value pairs, each written by [#createKeyValue]
    public static int createFooter(
            FlatBufferWriter writer,
            int version,
            int schema,
            int dictionaries,
            int recordBatches,
            int customMetadata) {
        writer.startTable();
        writer.addOffset(Footer.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Footer.RECORD_BATCHES_SLOT, recordBatches);
        writer.addOffset(Footer.DICTIONARIES_SLOT, dictionaries);
        writer.addOffset(Footer.SCHEMA_SLOT, schema);
        writer.addInt16(Footer.VERSION_SLOT, version, MetadataVersion.V1);
        return writer.endTable();
    }

    /// Writes a table of kind [Schema]: the columns of a stream or file.
    ///
    /// @param endianness byte order of the bodies, one of [Endianness]
    /// @param fields vector of the columns, each written by [#createField]
    /// @param customMetadata vector of key/value pairs, each written by [#createKeyValue]
    /// @param features vector of 64-bit numbers of [Feature]
    public static int createSchema(
            FlatBufferWriter writer, int endianness, int fields, int customMetadata, int features) {
        writer.startTable();
        writer.addOffset(Schema.FEATURES_SLOT, features);
        writer.addOffset(Schema.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Schema.FIELDS_SLOT, fields);
        writer.addInt16(Schema.ENDIANNESS_SLOT, endianness, Endianness.LITTLE);
        return writer.endTable();
    }

    /// Writes a table of kind [Field]: a column, or a child of a nested field.
    ///
    /// @param name the name, a string
    /// @param nullable whether values may be null
    /// @param typeType kind of `type`, one of [Type]
    /// @param type the type's table; [#createEmpty] for a type without parameters
    /// @param dictionary the table of the dictionary encoding
    /// @param children vector of the children, each written by this method
    /// @param customMetadata vector of key/value pairs, each written by [#createKeyValue]
    public static int createField(
            FlatBufferWriter writer,
            int name,
            boolean nullable,
            int typeType,
            int type,
            int dictionary,
            int children,
            int customMetadata) {
        writer.startTable();
        writer.addOffset(Field.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Field.CHILDREN_SLOT, children);
        writer.addOffset(Field.DICTIONARY_SLOT, dictionary);
        writer.addOffset(Field.TYPE_SLOT, type);
        writer.addOffset(Field.NAME_SLOT, name);
        writer.addInt8(Field.TYPE_TYPE_SLOT, typeType, Type.NONE);
        writer.addBoolean(Field.NULLABLE_SLOT, nullable, false);
        return writer.endTable();
    }

    /// Writes a table of kind [DictionaryEncoding]: the dictionary encoding of a field.
    ///
    /// @param id id of the dictionary
    /// @param indexType the indices' type, a table `Int`
    /// @param isOrdered whether the order of the dictionary's values is meaningful
    /// @param dictionaryKind one of [DictionaryKind]
    public static int createDictionaryEncoding(
            FlatBufferWriter writer,
            long id,
            int indexType,
            boolean isOrdered,
            int dictionaryKind) {
        writer.startTable();
        writer.addInt64(DictionaryEncoding.ID_SLOT, id, 0);
        writer.addOffset(DictionaryEncoding.INDEX_TYPE_SLOT, indexType);
        writer.addInt16(
                DictionaryEncoding.DICTIONARY_KIND_SLOT,
                dictionaryKind,
                DictionaryKind.DENSE_ARRAY);
        writer.addBoolean(DictionaryEncoding.IS_ORDERED_SLOT, isOrdered, false);
        return writer.endTable();
    }

    /// Writes a table of kind [KeyValue]: a pair of custom metadata.
    ///
    /// @param key the key, a string
    /// @param value the value, a string
    public static int createKeyValue(FlatBufferWriter writer, int key, int value) {
        writer.startTable();
        writer.addOffset(KeyValue.VALUE_SLOT, value);
        writer.addOffset(KeyValue.KEY_SLOT, key);
        return writer.endTable();
    }

    /// Writes a table of kind [RecordBatch]: the header of a batch of rows.
    ///
    /// @param length number of rows
    /// @param nodes vector of field nodes: see [#createFieldNodeVector]
    /// @param buffers vector of buffers: see [#createBufferVector]
    /// @param compression the compression's table
    /// @param variadicBufferCounts vector of 64-bit numbers, one per field of a view type
    public static int createRecordBatch(
            FlatBufferWriter writer,
            long length,
            int nodes,
            int buffers,
            int compression,
            int variadicBufferCounts) {
        writer.startTable();
        writer.addInt64(RecordBatch.LENGTH_SLOT, length, 0);
        writer.addOffset(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT, variadicBufferCounts);
        writer.addOffset(RecordBatch.COMPRESSION_SLOT, compression);
        writer.addOffset(RecordBatch.BUFFERS_SLOT, buffers);
        writer.addOffset(RecordBatch.NODES_SLOT, nodes);
        return writer.endTable();
    }

    /// Writes a table of kind [DictionaryBatch]: the header of a dictionary batch.
    ///
    /// @param id id of the dictionary
    /// @param data the record batch of the values, written by [#createRecordBatch]
    /// @param isDelta whether the values are appended to the dictionary's
    public static int createDictionaryBatch(
            FlatBufferWriter writer, long id, int data, boolean isDelta) {
        writer.startTable();
        writer.addInt64(DictionaryBatch.ID_SLOT, id, 0);
        writer.addOffset(DictionaryBatch.DATA_SLOT, data);
        writer.addBoolean(DictionaryBatch.IS_DELTA_SLOT, isDelta, false);
        return writer.endTable();
    }

    /// Writes a table of kind [BodyCompression]: the compression of buffers.
    ///
    /// @param codec one of [CompressionType]
    /// @param method one of [BodyCompressionMethod]
    public static int createBodyCompression(FlatBufferWriter writer, int codec, int method) {
        writer.startTable();
        writer.addInt8(BodyCompression.METHOD_SLOT, method, BodyCompressionMethod.BUFFER);
        writer.addInt8(BodyCompression.CODEC_SLOT, codec, CompressionType.LZ4_FRAME);
        return writer.endTable();
    }

    /// Writes a vector of structs of kind [FieldNode] with one copy.
    ///
    /// @param numbers two per node: length and null count, as by [RecordBatch#copyNodes]
    /// @param nodes number of nodes
    /// @throws IndexOutOfBoundsException if the range is not inside `numbers`
    public static int createFieldNodeVector(
            FlatBufferWriter writer, long[] numbers, int from, int nodes) {
        return writer.createStructVector(numbers, from, nodes, FieldNode.BYTES / Long.BYTES);
    }

    /// Writes a vector of structs of kind [Buffer] with one copy.
    ///
    /// @param numbers two per buffer: offset and length, as by [RecordBatch#copyBuffers]
    /// @param buffers number of buffers
    /// @throws IndexOutOfBoundsException if the range is not inside `numbers`
    public static int createBufferVector(
            FlatBufferWriter writer, long[] numbers, int from, int buffers) {
        return writer.createStructVector(numbers, from, buffers, Buffer.BYTES / Long.BYTES);
    }

    /// Writes a vector of structs of kind [Block].
    ///
    /// @param numbers three per block: offset, metadata length and body length, as by
    ///     [Footer#copyRecordBatches]
    /// @param blocks number of blocks
    /// @throws IndexOutOfBoundsException if the range is not inside `numbers`
    /// @throws IllegalArgumentException if a metadata length has more than 32 bits
    public static int createBlockVector(
            FlatBufferWriter writer, long[] numbers, int from, int blocks) {
        Objects.checkFromIndexSize((long) from, (long) blocks * BLOCK_LONGS, (long) numbers.length);
        for (int i = 0; i < blocks; i++) {
            final long metaDataLength = numbers[from + i * BLOCK_LONGS + 1];
            if (metaDataLength != (int) metaDataLength) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "metadata length of block exceeds 32 bits: block=%d,"
                                        + " metaDataLength=%d",
                                i,
                                metaDataLength));
            }
        }
        writer.startVector(Block.BYTES, blocks, Long.BYTES);
        for (int i = blocks - 1, at = from + i * BLOCK_LONGS; i >= 0; i--, at -= BLOCK_LONGS) {
            writer.pushInt64(numbers[at + 2]);
            writer.pushPadding(BLOCK_PADDING_BYTES);
            writer.pushInt32((int) numbers[at + 1]);
            writer.pushInt64(numbers[at]);
        }
        return writer.endVector();
    }

    /// Writes the table of a type without parameters, such as `Utf8`, `Bool`, `List` or `Struct_`.
    public static int createEmpty(FlatBufferWriter writer) {
        writer.startTable();
        return writer.endTable();
    }

    /// Writes a table by its declaration: the parameters of a type, a tensor, a tensor's dimension or
    /// index.
    ///
    /// ```java
    /// int type = TableEncoder.create(writer, "Timestamp", TimeUnit.NANOSECOND, timezone);
    /// ```
    ///
    /// @param table name of the table in `format/*.fbs`; that of a type is in [Type#NAMES]
    /// @param values the fields in the order of their declaration: a number, of which the field's
    ///     lowest bits are written; a boolean as 0 or 1; the distance of a child; for a [Buffer] two
    ///     numbers, offset and length
    /// @throws IllegalArgumentException if there is no such table, or the number of values is wrong
    public static int create(FlatBufferWriter writer, String table, long... values) {
        final TableOrder order = Orders.FLATC[ArrowRules.SET.kind(table)];
        order.checkValues(values);
        writer.startTable();
        for (FieldDeclaration field : order.fields) {
            final int slot = field.slot();
            final int at = order.valueAt[slot];
            if (field.isOffset()) {
                writer.addOffset(slot, (int) values[at]);
            } else if (field.kind() == FieldDeclaration.Kind.STRUCT) {
                writer.startStruct(Buffer.BYTES, Long.BYTES); // the format has no other in a table
                writer.pushInt64(values[at + 1]);
                writer.pushInt64(values[at]);
                writer.endStruct(slot);
            } else {
                addNumber(writer, field, values[at], field.absent());
            }
        }
        return writer.endTable();
    }

    /// Adds a number to the open table, unless it is `absent`.
    static void addNumber(
            FlatBufferWriter writer, FieldDeclaration field, long value, long absent) {
        final int slot = field.slot();
        switch (field.bytes()) {
            case Byte.BYTES -> writer.addInt8(slot, (int) value, (int) absent);
            case Short.BYTES -> writer.addInt16(slot, (int) value, (int) absent);
            case Integer.BYTES -> writer.addInt32(slot, (int) value, (int) absent);
            default -> writer.addInt64(slot, value, absent);
        }
    }

    /// Created when the first table is written by its declaration.
    private static final class Orders {
        static final TableOrder[] FLATC = TableOrder.all(EmissionOrder.FLATC);
    }
}
