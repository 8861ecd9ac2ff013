// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Decimal;

/// Writes tables of kind [Decimal]: the type of a decimal number.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `Decimal`.
public final class DecimalEncoder {
    private DecimalEncoder() {}

    /// Writes a table, its fields in the order of the `createDecimal` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param precision number of decimal digits
    /// @param scale digits after the decimal point
    /// @param bitWidth width in bits
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int precision, int scale, int bitWidth) {
        writer.startTable();
        addBitWidth(writer, bitWidth);
        addScale(writer, scale);
        addPrecision(writer, precision);
        return writer.endTable();
    }

    /// Adds `precision`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param precision number of decimal digits
    public static void addPrecision(FlatBufferWriter writer, int precision) {
        writer.addInt32(Decimal.PRECISION_SLOT, precision, Decimal.PRECISION_DEFAULT);
    }

    /// Adds `scale`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param scale digits after the decimal point
    public static void addScale(FlatBufferWriter writer, int scale) {
        writer.addInt32(Decimal.SCALE_SLOT, scale, Decimal.SCALE_DEFAULT);
    }

    /// Adds `bitWidth`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param bitWidth width in bits
    public static void addBitWidth(FlatBufferWriter writer, int bitWidth) {
        writer.addInt32(Decimal.BIT_WIDTH_SLOT, bitWidth, Decimal.BIT_WIDTH_DEFAULT);
    }
}
