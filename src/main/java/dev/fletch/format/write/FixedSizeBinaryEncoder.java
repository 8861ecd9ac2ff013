// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.FixedSizeBinary;

/// Writes tables of kind [FixedSizeBinary]: the type of bytes of one length.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `FixedSizeBinary`.
public final class FixedSizeBinaryEncoder {
    private FixedSizeBinaryEncoder() {}

    /// Writes a table, its fields in the order of the `createFixedSizeBinary` that flatc
    /// generates.
    ///
    /// @param writer nothing is open
    /// @param byteWidth bytes per value
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int byteWidth) {
        writer.startTable();
        addByteWidth(writer, byteWidth);
        return writer.endTable();
    }

    /// Adds `byteWidth`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param byteWidth bytes per value
    public static void addByteWidth(FlatBufferWriter writer, int byteWidth) {
        writer.addInt32(
                FixedSizeBinary.BYTE_WIDTH_SLOT, byteWidth, FixedSizeBinary.BYTE_WIDTH_DEFAULT);
    }
}
