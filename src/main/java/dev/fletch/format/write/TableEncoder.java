// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.Buffer;
import dev.fletch.format.Date;
import dev.fletch.format.Decimal;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Duration;
import dev.fletch.format.Field;
import dev.fletch.format.FieldNode;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Footer;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Map;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseMatrixIndexCSX;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndexCOO;
import dev.fletch.format.SparseTensorIndexCSF;
import dev.fletch.format.Tensor;
import dev.fletch.format.TensorDim;
import dev.fletch.format.Time;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Union;
import dev.fletch.format.ids.BodyCompressionMethod;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.DictionaryKind;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.IntervalUnit;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Precision;
import dev.fletch.format.ids.SparseMatrixCompressedAxis;
import dev.fletch.format.ids.SparseTensorIndex;
import dev.fletch.format.ids.TimeUnit;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;

import java.util.Locale;
import java.util.Objects;

/// Writes the tables of `format/*.fbs`, and vectors of their structs.
///
/// A method adds a table's fields in the order of flatc's generated method of the same name. It
/// returns the distance of the table or vector from the buffer's end.
///
/// **Parameters** are the table's fields, with the meaning that its flyweight documents: a number,
/// the numbers of a struct, or the returned distance of a string, vector or table, 0 if absent. The
/// table of an index type is written by [#createInt], that of a type without parameters by
/// [#createEmpty]. Vectors of structs are copied from `numbers`, starting at the index `from`; their
/// last parameter is the number of structs.
///
/// **Errors.** Those of [FlatBufferWriter]; no object may be open. A required child that is 0
/// throws an [IllegalArgumentException], structs that are not inside `numbers` an
/// [IndexOutOfBoundsException].
///
/// Source: the tables and structs of `format/*.fbs`.
public final class TableEncoder {
    private static final int BLOCK_LONGS = Block.BYTES / Long.BYTES;
    private static final int BLOCK_PADDING_BYTES =
            Block.BODY_LENGTH_AT - Block.META_DATA_LENGTH_AT - Integer.BYTES;

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
        writer.addInt64(Message.BODY_LENGTH_SLOT, bodyLength, 0);
        writer.addOffset(Message.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Message.HEADER_SLOT, header);
        writer.addInt16(Message.VERSION_SLOT, version, MetadataVersion.V1);
        writer.addInt8(Message.HEADER_TYPE_SLOT, headerType, MessageHeader.NONE);
        return writer.endTable();
    }

    /// Writes a [Footer].
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

    /// Writes a [Schema].
    public static int createSchema(
            FlatBufferWriter writer, int endianness, int fields, int customMetadata, int features) {
        writer.startTable();
        writer.addOffset(Schema.FEATURES_SLOT, features);
        writer.addOffset(Schema.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Schema.FIELDS_SLOT, fields);
        writer.addInt16(Schema.ENDIANNESS_SLOT, endianness, Endianness.LITTLE);
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
        writer.addInt8(Field.TYPE_TYPE_SLOT, typeType, Type.NONE);
        writer.addBoolean(Field.NULLABLE_SLOT, nullable, false);
        return writer.endTable();
    }

    /// Writes a [DictionaryEncoding].
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
        writer.addInt64(RecordBatch.LENGTH_SLOT, length, 0);
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
        writer.addInt64(DictionaryBatch.ID_SLOT, id, 0);
        writer.addOffset(DictionaryBatch.DATA_SLOT, data);
        writer.addBoolean(DictionaryBatch.IS_DELTA_SLOT, isDelta, false);
        return writer.endTable();
    }

    /// Writes a [BodyCompression].
    public static int createBodyCompression(FlatBufferWriter writer, int codec, int method) {
        writer.startTable();
        writer.addInt8(BodyCompression.METHOD_SLOT, method, BodyCompressionMethod.BUFFER);
        writer.addInt8(BodyCompression.CODEC_SLOT, codec, CompressionType.LZ4_FRAME);
        return writer.endTable();
    }

    /// Writes a vector of [FieldNode] with one copy.
    ///
    /// @param numbers two per node: length and null count, as by [RecordBatch#copyNodes]
    public static int createFieldNodeVector(
            FlatBufferWriter writer, long[] numbers, int from, int nodes) {
        return writer.createStructVector(numbers, from, nodes, FieldNode.BYTES / Long.BYTES);
    }

    /// Writes a vector of [Buffer] with one copy.
    ///
    /// @param numbers two per buffer: offset and length, as by [RecordBatch#copyBuffers]
    public static int createBufferVector(
            FlatBufferWriter writer, long[] numbers, int from, int buffers) {
        return writer.createStructVector(numbers, from, buffers, Buffer.BYTES / Long.BYTES);
    }

    /// Writes a vector of [Block].
    ///
    /// @param numbers three per block: offset, metadata length and body length, as by
    ///     [Footer#copyRecordBatches]
    /// @throws IllegalArgumentException if a metadata length has more than 32 bits
    public static int createBlockVector(
            FlatBufferWriter writer, long[] numbers, int from, int blocks) {
        Objects.checkFromIndexSize((long) from, (long) blocks * BLOCK_LONGS, (long) numbers.length);
        for (int i = 0; i < blocks; i++) {
            long metaDataLength = numbers[from + i * BLOCK_LONGS + 1];
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

    /// Writes an [Int].
    public static int createInt(FlatBufferWriter writer, int bitWidth, boolean isSigned) {
        writer.startTable();
        writer.addInt32(Int.BIT_WIDTH_SLOT, bitWidth, 0);
        writer.addBoolean(Int.IS_SIGNED_SLOT, isSigned, false);
        return writer.endTable();
    }

    /// Writes a [FloatingPoint].
    public static int createFloatingPoint(FlatBufferWriter writer, int precision) {
        writer.startTable();
        writer.addInt16(FloatingPoint.PRECISION_SLOT, precision, Precision.HALF);
        return writer.endTable();
    }

    /// Writes a [Decimal].
    public static int createDecimal(
            FlatBufferWriter writer, int precision, int scale, int bitWidth) {
        writer.startTable();
        writer.addInt32(Decimal.BIT_WIDTH_SLOT, bitWidth, Decimal.BIT_WIDTH_DEFAULT);
        writer.addInt32(Decimal.SCALE_SLOT, scale, 0);
        writer.addInt32(Decimal.PRECISION_SLOT, precision, 0);
        return writer.endTable();
    }

    /// Writes a [Date].
    public static int createDate(FlatBufferWriter writer, int unit) {
        writer.startTable();
        writer.addInt16(Date.UNIT_SLOT, unit, Date.UNIT_DEFAULT);
        return writer.endTable();
    }

    /// Writes a [Time].
    public static int createTime(FlatBufferWriter writer, int unit, int bitWidth) {
        writer.startTable();
        writer.addInt32(Time.BIT_WIDTH_SLOT, bitWidth, Time.BIT_WIDTH_DEFAULT);
        writer.addInt16(Time.UNIT_SLOT, unit, Time.UNIT_DEFAULT);
        return writer.endTable();
    }

    /// Writes a [Timestamp].
    public static int createTimestamp(FlatBufferWriter writer, int unit, int timezone) {
        writer.startTable();
        writer.addOffset(Timestamp.TIMEZONE_SLOT, timezone);
        writer.addInt16(Timestamp.UNIT_SLOT, unit, TimeUnit.SECOND);
        return writer.endTable();
    }

    /// Writes an [Interval].
    public static int createInterval(FlatBufferWriter writer, int unit) {
        writer.startTable();
        writer.addInt16(Interval.UNIT_SLOT, unit, IntervalUnit.YEAR_MONTH);
        return writer.endTable();
    }

    /// Writes a [Duration].
    public static int createDuration(FlatBufferWriter writer, int unit) {
        writer.startTable();
        writer.addInt16(Duration.UNIT_SLOT, unit, Duration.UNIT_DEFAULT);
        return writer.endTable();
    }

    /// Writes a [Union].
    public static int createUnion(FlatBufferWriter writer, int mode, int typeIds) {
        writer.startTable();
        writer.addOffset(Union.TYPE_IDS_SLOT, typeIds);
        writer.addInt16(Union.MODE_SLOT, mode, UnionMode.SPARSE);
        return writer.endTable();
    }

    /// Writes a [FixedSizeBinary].
    public static int createFixedSizeBinary(FlatBufferWriter writer, int byteWidth) {
        writer.startTable();
        writer.addInt32(FixedSizeBinary.BYTE_WIDTH_SLOT, byteWidth, 0);
        return writer.endTable();
    }

    /// Writes a [FixedSizeList].
    public static int createFixedSizeList(FlatBufferWriter writer, int listSize) {
        writer.startTable();
        writer.addInt32(FixedSizeList.LIST_SIZE_SLOT, listSize, 0);
        return writer.endTable();
    }

    /// Writes a [Map].
    public static int createMap(FlatBufferWriter writer, boolean keysSorted) {
        writer.startTable();
        writer.addBoolean(Map.KEYS_SORTED_SLOT, keysSorted, false);
        return writer.endTable();
    }

    /// Writes the table of a type without parameters, such as `Utf8`, `Bool`, `List` or `Struct_`.
    public static int createEmpty(FlatBufferWriter writer) {
        writer.startTable();
        return writer.endTable();
    }

    /// Writes a [Tensor]. `type` and `shape` are required.
    public static int createTensor(
            FlatBufferWriter writer,
            int typeType,
            int type,
            int shape,
            int strides,
            long dataOffset,
            long dataLength) {
        required(type, "Tensor.type");
        required(shape, "Tensor.shape");
        writer.startTable();
        addBuffer(writer, Tensor.DATA_SLOT, dataOffset, dataLength);
        writer.addOffset(Tensor.STRIDES_SLOT, strides);
        writer.addOffset(Tensor.SHAPE_SLOT, shape);
        writer.addOffset(Tensor.TYPE_SLOT, type);
        writer.addInt8(Tensor.TYPE_TYPE_SLOT, typeType, Type.NONE);
        return writer.endTable();
    }

    /// Writes a [TensorDim].
    public static int createTensorDim(FlatBufferWriter writer, long size, int name) {
        writer.startTable();
        writer.addInt64(TensorDim.SIZE_SLOT, size, 0);
        writer.addOffset(TensorDim.NAME_SLOT, name);
        return writer.endTable();
    }

    /// Writes a [SparseTensor]. `type`, `shape` and `sparseIndex` are required.
    public static int createSparseTensor(
            FlatBufferWriter writer,
            int typeType,
            int type,
            int shape,
            long nonZeroLength,
            int sparseIndexType,
            int sparseIndex,
            long dataOffset,
            long dataLength) {
        required(type, "SparseTensor.type");
        required(shape, "SparseTensor.shape");
        required(sparseIndex, "SparseTensor.sparseIndex");
        writer.startTable();
        writer.addInt64(SparseTensor.NON_ZERO_LENGTH_SLOT, nonZeroLength, 0);
        addBuffer(writer, SparseTensor.DATA_SLOT, dataOffset, dataLength);
        writer.addOffset(SparseTensor.SPARSE_INDEX_SLOT, sparseIndex);
        writer.addOffset(SparseTensor.SHAPE_SLOT, shape);
        writer.addOffset(SparseTensor.TYPE_SLOT, type);
        writer.addInt8(
                SparseTensor.SPARSE_INDEX_TYPE_SLOT, sparseIndexType, SparseTensorIndex.NONE);
        writer.addInt8(SparseTensor.TYPE_TYPE_SLOT, typeType, Type.NONE);
        return writer.endTable();
    }

    /// Writes a [SparseTensorIndexCOO]. `indicesType` is required.
    public static int createSparseTensorIndexCOO(
            FlatBufferWriter writer,
            int indicesType,
            int indicesStrides,
            long indicesBufferOffset,
            long indicesBufferLength,
            boolean isCanonical) {
        required(indicesType, "SparseTensorIndexCOO.indicesType");
        writer.startTable();
        addBuffer(
                writer,
                SparseTensorIndexCOO.INDICES_BUFFER_SLOT,
                indicesBufferOffset,
                indicesBufferLength);
        writer.addOffset(SparseTensorIndexCOO.INDICES_STRIDES_SLOT, indicesStrides);
        writer.addOffset(SparseTensorIndexCOO.INDICES_TYPE_SLOT, indicesType);
        writer.addBoolean(SparseTensorIndexCOO.IS_CANONICAL_SLOT, isCanonical, false);
        return writer.endTable();
    }

    /// Writes a [SparseMatrixIndexCSX]. `indptrType` and `indicesType` are required.
    public static int createSparseMatrixIndexCSX(
            FlatBufferWriter writer,
            int compressedAxis,
            int indptrType,
            long indptrBufferOffset,
            long indptrBufferLength,
            int indicesType,
            long indicesBufferOffset,
            long indicesBufferLength) {
        required(indptrType, "SparseMatrixIndexCSX.indptrType");
        required(indicesType, "SparseMatrixIndexCSX.indicesType");
        writer.startTable();
        addBuffer(
                writer,
                SparseMatrixIndexCSX.INDICES_BUFFER_SLOT,
                indicesBufferOffset,
                indicesBufferLength);
        writer.addOffset(SparseMatrixIndexCSX.INDICES_TYPE_SLOT, indicesType);
        addBuffer(
                writer,
                SparseMatrixIndexCSX.INDPTR_BUFFER_SLOT,
                indptrBufferOffset,
                indptrBufferLength);
        writer.addOffset(SparseMatrixIndexCSX.INDPTR_TYPE_SLOT, indptrType);
        writer.addInt16(
                SparseMatrixIndexCSX.COMPRESSED_AXIS_SLOT,
                compressedAxis,
                SparseMatrixCompressedAxis.ROW);
        return writer.endTable();
    }

    /// Writes a [SparseTensorIndexCSF]. All children are required.
    public static int createSparseTensorIndexCSF(
            FlatBufferWriter writer,
            int indptrType,
            int indptrBuffers,
            int indicesType,
            int indicesBuffers,
            int axisOrder) {
        required(indptrType, "SparseTensorIndexCSF.indptrType");
        required(indptrBuffers, "SparseTensorIndexCSF.indptrBuffers");
        required(indicesType, "SparseTensorIndexCSF.indicesType");
        required(indicesBuffers, "SparseTensorIndexCSF.indicesBuffers");
        required(axisOrder, "SparseTensorIndexCSF.axisOrder");
        writer.startTable();
        writer.addOffset(SparseTensorIndexCSF.AXIS_ORDER_SLOT, axisOrder);
        writer.addOffset(SparseTensorIndexCSF.INDICES_BUFFERS_SLOT, indicesBuffers);
        writer.addOffset(SparseTensorIndexCSF.INDICES_TYPE_SLOT, indicesType);
        writer.addOffset(SparseTensorIndexCSF.INDPTR_BUFFERS_SLOT, indptrBuffers);
        writer.addOffset(SparseTensorIndexCSF.INDPTR_TYPE_SLOT, indptrType);
        return writer.endTable();
    }

    private static void addBuffer(FlatBufferWriter writer, int slot, long offset, long length) {
        writer.startStruct(Buffer.BYTES, Long.BYTES);
        writer.pushInt64(length);
        writer.pushInt64(offset);
        writer.endStruct(slot);
    }

    /// Rejects the absence of a required field: no reader would accept the table.
    private static void required(int object, String field) {
        if (object == 0) {
            throw new IllegalArgumentException("required field is absent: field=" + field);
        }
    }
}
