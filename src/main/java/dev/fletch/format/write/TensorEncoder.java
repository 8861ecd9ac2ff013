// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Buffer;
import dev.fletch.format.SparseMatrixCompressedAxis;
import dev.fletch.format.SparseMatrixIndexCSX;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndex;
import dev.fletch.format.SparseTensorIndexCOO;
import dev.fletch.format.SparseTensorIndexCSF;
import dev.fletch.format.Tensor;
import dev.fletch.format.TensorDim;
import dev.fletch.format.Type;

/// Writes the headers of tensors and sparse tensors, and the tables below them. The elements' type
/// is written by [TypeEncoder].
///
/// A method adds a table's fields in the order of the method of the same name that flatc generates.
/// See [FlatBufferWriter] for errors, lifetime and threads.
///
/// Source: `format/Tensor.fbs`, `format/SparseTensor.fbs`.
public final class TensorEncoder {
    private TensorEncoder() {}

    /// Writes a table of kind [Tensor]: the header of a tensor.
    ///
    /// @param writer nothing is open
    /// @param typeType which type `type` is, one of [Type]
    /// @param type the elements' type's table; the format requires it
    /// @param shape vector of dimensions, each written by [#createTensorDim]; the format requires
    ///     it
    /// @param strides vector of 64-bit numbers, one per dimension; 0 if absent
    /// @param dataOffset offset in the body of the elements
    /// @param dataLength length in bytes of the elements
    /// @return where the table is
    /// @throws IllegalArgumentException if `type` or `shape` is 0
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

    /// Writes a table of kind [TensorDim]: a dimension of a tensor.
    ///
    /// @param writer nothing is open
    /// @param size its length
    /// @param name its name, a string; 0 if absent
    /// @return where the table is
    public static int createTensorDim(FlatBufferWriter writer, long size, int name) {
        writer.startTable();
        writer.addInt64(TensorDim.SIZE_SLOT, size, 0);
        writer.addOffset(TensorDim.NAME_SLOT, name);
        return writer.endTable();
    }

    /// Writes a table of kind [SparseTensor]: the header of a sparse tensor.
    ///
    /// @param writer nothing is open
    /// @param typeType which type `type` is, one of [Type]
    /// @param type the elements' type's table; the format requires it
    /// @param shape vector of dimensions, each written by [#createTensorDim]; the format requires
    ///     it
    /// @param nonZeroLength number of elements that are stored
    /// @param sparseIndexType which table `sparseIndex` is, one of [SparseTensorIndex]
    /// @param sparseIndex the index's table; the format requires it
    /// @param dataOffset offset in the body of the elements
    /// @param dataLength length in bytes of the elements
    /// @return where the table is
    /// @throws IllegalArgumentException if `type`, `shape` or `sparseIndex` is 0
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

    /// Writes a table of kind [SparseTensorIndexCOO]: an index of coordinates.
    ///
    /// @param writer nothing is open
    /// @param indicesType the coordinates' type, written by [TypeEncoder#createInt]; the format
    ///     requires it
    /// @param indicesStrides vector of 64-bit numbers; 0 if absent
    /// @param indicesBufferOffset offset in the body of the coordinates
    /// @param indicesBufferLength length in bytes of the coordinates
    /// @param isCanonical whether they are sorted and unique
    /// @return where the table is
    /// @throws IllegalArgumentException if `indicesType` is 0
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

    /// Writes a table of kind [SparseMatrixIndexCSX]: an index of compressed rows or columns.
    ///
    /// @param writer nothing is open
    /// @param compressedAxis one of [SparseMatrixCompressedAxis]
    /// @param indptrType the pointers' type, written by [TypeEncoder#createInt]; the format
    ///     requires it
    /// @param indptrBufferOffset offset in the body of the pointers
    /// @param indptrBufferLength length in bytes of the pointers
    /// @param indicesType the indices' type, written by [TypeEncoder#createInt]; the format
    ///     requires it
    /// @param indicesBufferOffset offset in the body of the indices
    /// @param indicesBufferLength length in bytes of the indices
    /// @return where the table is
    /// @throws IllegalArgumentException if `indptrType` or `indicesType` is 0
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

    /// Writes a table of kind [SparseTensorIndexCSF]: an index of compressed sparse fibers.
    ///
    /// @param writer nothing is open
    /// @param indptrType the pointers' type, written by [TypeEncoder#createInt]; the format
    ///     requires it
    /// @param indptrBuffers vector of buffers: see [BufferEncoder]; the format requires it
    /// @param indicesType the indices' type, written by [TypeEncoder#createInt]; the format
    ///     requires it
    /// @param indicesBuffers vector of buffers: see [BufferEncoder]; the format requires it
    /// @param axisOrder vector of 32-bit numbers, one per dimension; the format requires it
    /// @return where the table is
    /// @throws IllegalArgumentException if `indptrType`, `indptrBuffers`, `indicesType`,
    ///     `indicesBuffers` or `axisOrder` is 0
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

    /// Refuses to leave out what the format requires: no reader would accept the table.
    private static void required(int object, String field) {
        if (object == 0) {
            throw new IllegalArgumentException("required field is absent: field=" + field);
        }
    }
}
