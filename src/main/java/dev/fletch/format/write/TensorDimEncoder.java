// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.TensorDim;

/// Writes tables of kind [TensorDim]: a dimension of a tensor.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Tensor.fbs`, table `TensorDim`.
public final class TensorDimEncoder {
    private TensorDimEncoder() {}

    /// Writes a table, its fields in the order of the `createTensorDim` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param size its length
    /// @param name its name, a string; 0 if absent
    /// @return where the table is
    public static int create(FlatBufferWriter writer, long size, int name) {
        writer.startTable();
        addSize(writer, size);
        addName(writer, name);
        return writer.endTable();
    }

    /// Adds `size`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param size its length
    public static void addSize(FlatBufferWriter writer, long size) {
        writer.addInt64(TensorDim.SIZE_SLOT, size, TensorDim.SIZE_DEFAULT);
    }

    /// Adds `name`.
    ///
    /// @param writer a table is open
    /// @param name its name, a string; 0 if absent
    public static void addName(FlatBufferWriter writer, int name) {
        writer.addOffset(TensorDim.NAME_SLOT, name);
    }
}
