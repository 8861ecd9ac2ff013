// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Precision;

/// Writes tables of kind [FloatingPoint]: the type of a floating-point number.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `FloatingPoint`.
public final class FloatingPointEncoder {
    private FloatingPointEncoder() {}

    /// Writes a table, its fields in the order of the `createFloatingPoint` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param precision one of [Precision]
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int precision) {
        writer.startTable();
        addPrecision(writer, precision);
        return writer.endTable();
    }

    /// Adds `precision`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param precision one of [Precision]
    public static void addPrecision(FlatBufferWriter writer, int precision) {
        writer.addInt16(FloatingPoint.PRECISION_SLOT, precision, FloatingPoint.PRECISION_DEFAULT);
    }
}
