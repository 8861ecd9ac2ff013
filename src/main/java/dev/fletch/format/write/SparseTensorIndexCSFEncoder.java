// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.SparseTensorIndexCSF;

/// Writes tables of kind [SparseTensorIndexCSF]: an index of compressed sparse fibers.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/SparseTensor.fbs`, table `SparseTensorIndexCSF`.
public final class SparseTensorIndexCSFEncoder {
    private SparseTensorIndexCSFEncoder() {}

    /// Writes a table, its fields in the order of the `createSparseTensorIndexCSF` that flatc
    /// generates.
    ///
    /// @param writer nothing is open
    /// @param indptrType the pointers' type, written by [IntEncoder]; the format requires it
    /// @param indptrBuffers vector of buffers: see [BufferEncoder]; the format requires it
    /// @param indicesType the indices' type, written by [IntEncoder]; the format requires it
    /// @param indicesBuffers vector of buffers: see [BufferEncoder]; the format requires it
    /// @param axisOrder vector of 32-bit numbers, one per dimension; the format requires it
    /// @return where the table is
    /// @throws IllegalArgumentException if `indptrType`, `indptrBuffers`, `indicesType`,
    ///     `indicesBuffers` or `axisOrder` is 0
    public static int create(
            FlatBufferWriter writer,
            int indptrType,
            int indptrBuffers,
            int indicesType,
            int indicesBuffers,
            int axisOrder) {
        EncoderArguments.required(indptrType, "SparseTensorIndexCSF.indptrType");
        EncoderArguments.required(indptrBuffers, "SparseTensorIndexCSF.indptrBuffers");
        EncoderArguments.required(indicesType, "SparseTensorIndexCSF.indicesType");
        EncoderArguments.required(indicesBuffers, "SparseTensorIndexCSF.indicesBuffers");
        EncoderArguments.required(axisOrder, "SparseTensorIndexCSF.axisOrder");
        writer.startTable();
        addAxisOrder(writer, axisOrder);
        addIndicesBuffers(writer, indicesBuffers);
        addIndicesType(writer, indicesType);
        addIndptrBuffers(writer, indptrBuffers);
        addIndptrType(writer, indptrType);
        return writer.endTable();
    }

    /// Adds `indptrType`.
    ///
    /// @param writer a table is open
    /// @param indptrType the pointers' type, written by [IntEncoder]; the format requires it
    public static void addIndptrType(FlatBufferWriter writer, int indptrType) {
        writer.addOffset(SparseTensorIndexCSF.INDPTR_TYPE_SLOT, indptrType);
    }

    /// Adds `indptrBuffers`.
    ///
    /// @param writer a table is open
    /// @param indptrBuffers vector of buffers: see [BufferEncoder]; the format requires it
    public static void addIndptrBuffers(FlatBufferWriter writer, int indptrBuffers) {
        writer.addOffset(SparseTensorIndexCSF.INDPTR_BUFFERS_SLOT, indptrBuffers);
    }

    /// Adds `indicesType`.
    ///
    /// @param writer a table is open
    /// @param indicesType the indices' type, written by [IntEncoder]; the format requires it
    public static void addIndicesType(FlatBufferWriter writer, int indicesType) {
        writer.addOffset(SparseTensorIndexCSF.INDICES_TYPE_SLOT, indicesType);
    }

    /// Adds `indicesBuffers`.
    ///
    /// @param writer a table is open
    /// @param indicesBuffers vector of buffers: see [BufferEncoder]; the format requires it
    public static void addIndicesBuffers(FlatBufferWriter writer, int indicesBuffers) {
        writer.addOffset(SparseTensorIndexCSF.INDICES_BUFFERS_SLOT, indicesBuffers);
    }

    /// Adds `axisOrder`.
    ///
    /// @param writer a table is open
    /// @param axisOrder vector of 32-bit numbers, one per dimension; the format requires it
    public static void addAxisOrder(FlatBufferWriter writer, int axisOrder) {
        writer.addOffset(SparseTensorIndexCSF.AXIS_ORDER_SLOT, axisOrder);
    }
}
