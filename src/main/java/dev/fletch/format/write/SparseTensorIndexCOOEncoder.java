// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.SparseTensorIndexCOO;

/// Writes tables of kind [SparseTensorIndexCOO]: an index of coordinates.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/SparseTensor.fbs`, table `SparseTensorIndexCOO`.
public final class SparseTensorIndexCOOEncoder {
    private SparseTensorIndexCOOEncoder() {}

    /// Writes a table, its fields in the order of the `createSparseTensorIndexCOO` that flatc
    /// generates.
    ///
    /// @param writer nothing is open
    /// @param indicesType the coordinates' type, written by [IntEncoder]; the format requires it
    /// @param indicesStrides vector of 64-bit numbers; 0 if absent
    /// @param indicesBufferOffset offset in the body of the coordinates
    /// @param indicesBufferLength length in bytes of the coordinates
    /// @param isCanonical whether they are sorted and unique
    /// @return where the table is
    /// @throws IllegalArgumentException if `indicesType` is 0
    public static int create(
            FlatBufferWriter writer,
            int indicesType,
            int indicesStrides,
            long indicesBufferOffset,
            long indicesBufferLength,
            boolean isCanonical) {
        EncoderArguments.required(indicesType, "SparseTensorIndexCOO.indicesType");
        writer.startTable();
        addIndicesBuffer(writer, indicesBufferOffset, indicesBufferLength);
        addIndicesStrides(writer, indicesStrides);
        addIndicesType(writer, indicesType);
        addIsCanonical(writer, isCanonical);
        return writer.endTable();
    }

    /// Adds `indicesType`.
    ///
    /// @param writer a table is open
    /// @param indicesType the coordinates' type, written by [IntEncoder]; the format requires it
    public static void addIndicesType(FlatBufferWriter writer, int indicesType) {
        writer.addOffset(SparseTensorIndexCOO.INDICES_TYPE_SLOT, indicesType);
    }

    /// Adds `indicesStrides`.
    ///
    /// @param writer a table is open
    /// @param indicesStrides vector of 64-bit numbers; 0 if absent
    public static void addIndicesStrides(FlatBufferWriter writer, int indicesStrides) {
        writer.addOffset(SparseTensorIndexCOO.INDICES_STRIDES_SLOT, indicesStrides);
    }

    /// Adds `indicesBuffer`: where the coordinates lie in the body.
    ///
    /// @param writer a table is open
    /// @param offset offset in the body
    /// @param length length in bytes
    public static void addIndicesBuffer(FlatBufferWriter writer, long offset, long length) {
        BufferEncoder.add(writer, SparseTensorIndexCOO.INDICES_BUFFER_SLOT, offset, length);
    }

    /// Adds `isCanonical`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param isCanonical whether they are sorted and unique
    public static void addIsCanonical(FlatBufferWriter writer, boolean isCanonical) {
        writer.addBoolean(
                SparseTensorIndexCOO.IS_CANONICAL_SLOT,
                isCanonical,
                SparseTensorIndexCOO.IS_CANONICAL_DEFAULT != 0);
    }
}
