// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BodyCompressionMethod;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.ArrowRules;

/// Writes the tables of `format/*.fbs`. Vectors of nodes and buffers have two numbers per element,
/// vectors of blocks three: [FlatBufferWriter#createVector(long[], int, int, int)] writes them.
///
/// A method adds a table's fields in the order of flatc's generated method of the same name. It
/// returns the distance of the table or vector from the buffer's end.
///
/// **Parameters** are the table's fields, with the meaning that its flyweight documents: a number,
/// the numbers of a struct, or the returned distance of a string, vector or table, 0 if absent.
/// [#create] writes the tables that have no method of their own.
///
/// **Errors.** Those of [FlatBufferWriter]; no object may be open. A required child that is 0
/// throws an [IllegalArgumentException].
///
/// Source: the tables and structs of `format/*.fbs`.
public final class TableEncoder {
    private static final TableOrder[] ORDERS = TableOrder.all(EmissionOrder.FLATC);

    private TableEncoder() {}

    /// Writes a [Message].
    public static int createMessage(
            FlatBufferWriter writer,
            int version,
            int headerType,
            int header,
            long bodyLength,
            int customMetadata) {
        writer.startTable();
        writer.addNumber(Message.BODY_LENGTH_SLOT, Long.BYTES, bodyLength, 0);
        writer.addOffset(Message.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Message.HEADER_SLOT, header);
        writer.addNumber(Message.VERSION_SLOT, Short.BYTES, version, MetadataVersion.V1);
        writer.addNumber(Message.HEADER_TYPE_SLOT, Byte.BYTES, headerType, MessageHeader.NONE);
        return writer.endTable();
    }

    /// Writes a [Schema].
    public static int createSchema(
            FlatBufferWriter writer, int endianness, int fields, int customMetadata, int features) {
        writer.startTable();
        writer.addOffset(Schema.FEATURES_SLOT, features);
        writer.addOffset(Schema.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Schema.FIELDS_SLOT, fields);
        writer.addNumber(Schema.ENDIANNESS_SLOT, Short.BYTES, endianness, Endianness.LITTLE);
        return writer.endTable();
    }

    /// Writes a [Field].
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
        writer.addNumber(Field.TYPE_TYPE_SLOT, Byte.BYTES, typeType, Type.NONE);
        writer.addNumber(Field.NULLABLE_SLOT, Byte.BYTES, nullable ? 1 : 0, 0);
        return writer.endTable();
    }

    /// Writes a [KeyValue].
    public static int createKeyValue(FlatBufferWriter writer, int key, int value) {
        writer.startTable();
        writer.addOffset(KeyValue.VALUE_SLOT, value);
        writer.addOffset(KeyValue.KEY_SLOT, key);
        return writer.endTable();
    }

    /// Writes a [RecordBatch].
    public static int createRecordBatch(
            FlatBufferWriter writer,
            long length,
            int nodes,
            int buffers,
            int compression,
            int variadicBufferCounts) {
        writer.startTable();
        writer.addNumber(RecordBatch.LENGTH_SLOT, Long.BYTES, length, 0);
        writer.addOffset(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT, variadicBufferCounts);
        writer.addOffset(RecordBatch.COMPRESSION_SLOT, compression);
        writer.addOffset(RecordBatch.BUFFERS_SLOT, buffers);
        writer.addOffset(RecordBatch.NODES_SLOT, nodes);
        return writer.endTable();
    }

    /// Writes a [DictionaryBatch].
    public static int createDictionaryBatch(
            FlatBufferWriter writer, long id, int data, boolean isDelta) {
        writer.startTable();
        writer.addNumber(DictionaryBatch.ID_SLOT, Long.BYTES, id, 0);
        writer.addOffset(DictionaryBatch.DATA_SLOT, data);
        writer.addNumber(DictionaryBatch.IS_DELTA_SLOT, Byte.BYTES, isDelta ? 1 : 0, 0);
        return writer.endTable();
    }

    /// Writes a [BodyCompression].
    public static int createBodyCompression(FlatBufferWriter writer, int codec, int method) {
        writer.startTable();
        writer.addNumber(
                BodyCompression.METHOD_SLOT, Byte.BYTES, method, BodyCompressionMethod.BUFFER);
        writer.addNumber(BodyCompression.CODEC_SLOT, Byte.BYTES, codec, CompressionType.LZ4_FRAME);
        return writer.endTable();
    }

    /// Writes an [Int].
    public static int createInt(FlatBufferWriter writer, int bitWidth, boolean isSigned) {
        writer.startTable();
        writer.addNumber(Int.BIT_WIDTH_SLOT, Integer.BYTES, bitWidth, 0);
        writer.addNumber(Int.IS_SIGNED_SLOT, Byte.BYTES, isSigned ? 1 : 0, 0);
        return writer.endTable();
    }

    /// Writes the table of a type without parameters, such as `Utf8`, `Bool`, `List` or `Struct_`.
    public static int createEmpty(FlatBufferWriter writer) {
        writer.startTable();
        return writer.endTable();
    }

    // ---- all other tables

    /// Writes a table that has no method of its own, such as a type, a tensor or a
    /// footer.
    ///
    /// ```java
    /// int decimal = TableEncoder.create(writer, "Decimal", precision, scale, 128);
    /// ```
    ///
    /// @param table its name in `format/*.fbs`
    /// @param values one for each field, in the order of declaration: a number, 0 or 1 for a
    ///     boolean, or a distance; for a struct, each of its numbers. Nothing is allocated if they
    ///     are in an array that is there already
    /// @throws IllegalArgumentException also if the format has no such table, its fields have
    ///     another number of values, or a value is too large for its field
    public static int create(FlatBufferWriter writer, String table, long... values) {
        TableOrder order = ORDERS[ArrowRules.SET.kind(table)];
        check(order, values);
        writer.startTable();
        for (FieldDeclaration field : order.fields) {
            int slot = field.slot();
            int position = order.numberAt[slot];
            if (field.isOffset()) {
                writer.addOffset(slot, (int) values[position]);
            } else if (field.kind() == FieldDeclaration.Kind.STRUCT) {
                writer.startStruct(field.bytes(), Long.BYTES);
                for (int i = field.bytes() / Long.BYTES - 1; i >= 0; i--) {
                    writer.pushNumber(Long.BYTES, values[position + i]);
                }
                writer.endStruct(slot);
            } else {
                writer.addNumber(slot, field.bytes(), values[position], field.absent());
            }
        }
        return writer.endTable();
    }

    private static void check(TableOrder order, long[] values) {
        String table = order.declaration.name();
        if (values.length != order.numbers) {
            String counts = ", values=" + values.length + ", expected=" + order.numbers;
            throw new IllegalArgumentException("wrong number of values: table=" + table + counts);
        }
        for (FieldDeclaration field : order.fields) {
            long value = values[order.numberAt[field.slot()]];
            int bits = Byte.SIZE * field.inlineBytes();
            if (field.required() && field.isOffset() && value == 0) {
                // No reader would accept the table.
                throw new IllegalArgumentException(
                        "required field is absent: field=" + table + "." + field.name());
            }
            if (bits < Long.SIZE && value >> bits != 0 && value >> bits - 1 != -1) {
                throw new IllegalArgumentException(
                        "value is too large: field="
                                + table
                                + "."
                                + field.name()
                                + ", value="
                                + value
                                + ", bits="
                                + bits);
            }
        }
    }
}
