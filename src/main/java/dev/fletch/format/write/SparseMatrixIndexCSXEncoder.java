// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.SparseMatrixCompressedAxis;
import dev.fletch.format.SparseMatrixIndexCSX;

/// Writes tables of kind [SparseMatrixIndexCSX]: an index of compressed rows or columns.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/SparseTensor.fbs`, table `SparseMatrixIndexCSX`.
public final class SparseMatrixIndexCSXEncoder {
    private SparseMatrixIndexCSXEncoder() {}

    /// Writes a table, its fields in the order of the `createSparseMatrixIndexCSX` that flatc
    /// generates.
    ///
    /// @param writer nothing is open
    /// @param compressedAxis one of [SparseMatrixCompressedAxis]
    /// @param indptrType the pointers' type, written by [IntEncoder]; the format requires it
    /// @param indptrBufferOffset offset in the body of the pointers
    /// @param indptrBufferLength length in bytes of the pointers
    /// @param indicesType the indices' type, written by [IntEncoder]; the format requires it
    /// @param indicesBufferOffset offset in the body of the indices
    /// @param indicesBufferLength length in bytes of the indices
    /// @return where the table is
    /// @throws IllegalArgumentException if `indptrType` or `indicesType` is 0
    public static int create(
            FlatBufferWriter writer,
            int compressedAxis,
            int indptrType,
            long indptrBufferOffset,
            long indptrBufferLength,
            int indicesType,
            long indicesBufferOffset,
            long indicesBufferLength) {
        EncoderArguments.required(indptrType, "SparseMatrixIndexCSX.indptrType");
        EncoderArguments.required(indicesType, "SparseMatrixIndexCSX.indicesType");
        writer.startTable();
        addIndicesBuffer(writer, indicesBufferOffset, indicesBufferLength);
        addIndicesType(writer, indicesType);
        addIndptrBuffer(writer, indptrBufferOffset, indptrBufferLength);
        addIndptrType(writer, indptrType);
        addCompressedAxis(writer, compressedAxis);
        return writer.endTable();
    }

    /// Adds `compressedAxis`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param compressedAxis one of [SparseMatrixCompressedAxis]
    public static void addCompressedAxis(FlatBufferWriter writer, int compressedAxis) {
        writer.addInt16(
                SparseMatrixIndexCSX.COMPRESSED_AXIS_SLOT,
                compressedAxis,
                SparseMatrixIndexCSX.COMPRESSED_AXIS_DEFAULT);
    }

    /// Adds `indptrType`.
    ///
    /// @param writer a table is open
    /// @param indptrType the pointers' type, written by [IntEncoder]; the format requires it
    public static void addIndptrType(FlatBufferWriter writer, int indptrType) {
        writer.addOffset(SparseMatrixIndexCSX.INDPTR_TYPE_SLOT, indptrType);
    }

    /// Adds `indptrBuffer`: where the pointers lie in the body.
    ///
    /// @param writer a table is open
    /// @param offset offset in the body
    /// @param length length in bytes
    public static void addIndptrBuffer(FlatBufferWriter writer, long offset, long length) {
        BufferEncoder.add(writer, SparseMatrixIndexCSX.INDPTR_BUFFER_SLOT, offset, length);
    }

    /// Adds `indicesType`.
    ///
    /// @param writer a table is open
    /// @param indicesType the indices' type, written by [IntEncoder]; the format requires it
    public static void addIndicesType(FlatBufferWriter writer, int indicesType) {
        writer.addOffset(SparseMatrixIndexCSX.INDICES_TYPE_SLOT, indicesType);
    }

    /// Adds `indicesBuffer`: where the indices lie in the body.
    ///
    /// @param writer a table is open
    /// @param offset offset in the body
    /// @param length length in bytes
    public static void addIndicesBuffer(FlatBufferWriter writer, long offset, long length) {
        BufferEncoder.add(writer, SparseMatrixIndexCSX.INDICES_BUFFER_SLOT, offset, length);
    }
}
