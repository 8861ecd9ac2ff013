// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Int;

/// Writes tables of kind [Int]: the type of an integer.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `Int`.
public final class IntEncoder {
    private IntEncoder() {}

    /// Writes a table, its fields in the order of the `createInt` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param bitWidth width in bits
    /// @param isSigned whether it is signed
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int bitWidth, boolean isSigned) {
        writer.startTable();
        addBitWidth(writer, bitWidth);
        addIsSigned(writer, isSigned);
        return writer.endTable();
    }

    /// Adds `bitWidth`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param bitWidth width in bits
    public static void addBitWidth(FlatBufferWriter writer, int bitWidth) {
        writer.addInt32(Int.BIT_WIDTH_SLOT, bitWidth, Int.BIT_WIDTH_DEFAULT);
    }

    /// Adds `is_signed`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param isSigned whether it is signed
    public static void addIsSigned(FlatBufferWriter writer, boolean isSigned) {
        writer.addBoolean(Int.IS_SIGNED_SLOT, isSigned, Int.IS_SIGNED_DEFAULT != 0);
    }
}
