// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndex;
import dev.fletch.format.Type;

/// Writes tables of kind [SparseTensor]: the header of a sparse tensor.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/SparseTensor.fbs`, table `SparseTensor`.
public final class SparseTensorEncoder {
    private SparseTensorEncoder() {}

    /// Writes a table, its fields in the order of the `createSparseTensor` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param typeType which type `type` is, one of [Type]
    /// @param type the elements' type's table; the format requires it
    /// @param shape vector of dimensions, each written by [TensorDimEncoder]; the format requires
    ///     it
    /// @param nonZeroLength number of elements that are stored
    /// @param sparseIndexType which table `sparseIndex` is, one of [SparseTensorIndex]
    /// @param sparseIndex the index's table; the format requires it
    /// @param dataOffset offset in the body of the elements
    /// @param dataLength length in bytes of the elements
    /// @return where the table is
    /// @throws IllegalArgumentException if `type`, `shape` or `sparseIndex` is 0
    public static int create(
            FlatBufferWriter writer,
            int typeType,
            int type,
            int shape,
            long nonZeroLength,
            int sparseIndexType,
            int sparseIndex,
            long dataOffset,
            long dataLength) {
        EncoderArguments.required(type, "SparseTensor.type");
        EncoderArguments.required(shape, "SparseTensor.shape");
        EncoderArguments.required(sparseIndex, "SparseTensor.sparseIndex");
        writer.startTable();
        addNonZeroLength(writer, nonZeroLength);
        addData(writer, dataOffset, dataLength);
        addSparseIndex(writer, sparseIndex);
        addShape(writer, shape);
        addType(writer, type);
        addSparseIndexType(writer, sparseIndexType);
        addTypeType(writer, typeType);
        return writer.endTable();
    }

    /// Adds `type_type`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param typeType which type `type` is, one of [Type]
    public static void addTypeType(FlatBufferWriter writer, int typeType) {
        writer.addInt8(SparseTensor.TYPE_TYPE_SLOT, typeType, SparseTensor.TYPE_TYPE_DEFAULT);
    }

    /// Adds `type`.
    ///
    /// @param writer a table is open
    /// @param type the elements' type's table; the format requires it
    public static void addType(FlatBufferWriter writer, int type) {
        writer.addOffset(SparseTensor.TYPE_SLOT, type);
    }

    /// Adds `shape`.
    ///
    /// @param writer a table is open
    /// @param shape vector of dimensions, each written by [TensorDimEncoder]; the format requires
    ///     it
    public static void addShape(FlatBufferWriter writer, int shape) {
        writer.addOffset(SparseTensor.SHAPE_SLOT, shape);
    }

    /// Adds `non_zero_length`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param nonZeroLength number of elements that are stored
    public static void addNonZeroLength(FlatBufferWriter writer, long nonZeroLength) {
        writer.addInt64(
                SparseTensor.NON_ZERO_LENGTH_SLOT,
                nonZeroLength,
                SparseTensor.NON_ZERO_LENGTH_DEFAULT);
    }

    /// Adds `sparseIndex_type`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param sparseIndexType which table `sparseIndex` is, one of [SparseTensorIndex]
    public static void addSparseIndexType(FlatBufferWriter writer, int sparseIndexType) {
        writer.addInt8(
                SparseTensor.SPARSE_INDEX_TYPE_SLOT,
                sparseIndexType,
                SparseTensor.SPARSE_INDEX_TYPE_DEFAULT);
    }

    /// Adds `sparseIndex`.
    ///
    /// @param writer a table is open
    /// @param sparseIndex the index's table; the format requires it
    public static void addSparseIndex(FlatBufferWriter writer, int sparseIndex) {
        writer.addOffset(SparseTensor.SPARSE_INDEX_SLOT, sparseIndex);
    }

    /// Adds `data`: where the elements lie in the body.
    ///
    /// @param writer a table is open
    /// @param offset offset in the body
    /// @param length length in bytes
    public static void addData(FlatBufferWriter writer, long offset, long length) {
        BufferEncoder.add(writer, SparseTensor.DATA_SLOT, offset, length);
    }
}
