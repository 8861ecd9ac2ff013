// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Tensor;
import dev.fletch.format.Type;

/// Writes tables of kind [Tensor]: the header of a tensor.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Tensor.fbs`, table `Tensor`.
public final class TensorEncoder {
    private TensorEncoder() {}

    /// Writes a table, its fields in the order of the `createTensor` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param typeType which type `type` is, one of [Type]
    /// @param type the elements' type's table; the format requires it
    /// @param shape vector of dimensions, each written by [TensorDimEncoder]; the format requires
    ///     it
    /// @param strides vector of 64-bit numbers, one per dimension; 0 if absent
    /// @param dataOffset offset in the body of the elements
    /// @param dataLength length in bytes of the elements
    /// @return where the table is
    /// @throws IllegalArgumentException if `type` or `shape` is 0
    public static int create(
            FlatBufferWriter writer,
            int typeType,
            int type,
            int shape,
            int strides,
            long dataOffset,
            long dataLength) {
        EncoderArguments.required(type, "Tensor.type");
        EncoderArguments.required(shape, "Tensor.shape");
        writer.startTable();
        addData(writer, dataOffset, dataLength);
        addStrides(writer, strides);
        addShape(writer, shape);
        addType(writer, type);
        addTypeType(writer, typeType);
        return writer.endTable();
    }

    /// Adds `type_type`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param typeType which type `type` is, one of [Type]
    public static void addTypeType(FlatBufferWriter writer, int typeType) {
        writer.addInt8(Tensor.TYPE_TYPE_SLOT, typeType, Tensor.TYPE_TYPE_DEFAULT);
    }

    /// Adds `type`.
    ///
    /// @param writer a table is open
    /// @param type the elements' type's table; the format requires it
    public static void addType(FlatBufferWriter writer, int type) {
        writer.addOffset(Tensor.TYPE_SLOT, type);
    }

    /// Adds `shape`.
    ///
    /// @param writer a table is open
    /// @param shape vector of dimensions, each written by [TensorDimEncoder]; the format requires
    ///     it
    public static void addShape(FlatBufferWriter writer, int shape) {
        writer.addOffset(Tensor.SHAPE_SLOT, shape);
    }

    /// Adds `strides`.
    ///
    /// @param writer a table is open
    /// @param strides vector of 64-bit numbers, one per dimension; 0 if absent
    public static void addStrides(FlatBufferWriter writer, int strides) {
        writer.addOffset(Tensor.STRIDES_SLOT, strides);
    }

    /// Adds `data`: where the elements lie in the body.
    ///
    /// @param writer a table is open
    /// @param offset offset in the body
    /// @param length length in bytes
    public static void addData(FlatBufferWriter writer, long offset, long length) {
        BufferEncoder.add(writer, Tensor.DATA_SLOT, offset, length);
    }
}
