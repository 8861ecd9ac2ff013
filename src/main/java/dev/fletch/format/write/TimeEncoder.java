// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Time;
import dev.fletch.format.TimeUnit;

/// Writes tables of kind [Time]: the type of a time of day.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `Time`.
public final class TimeEncoder {
    private TimeEncoder() {}

    /// Writes a table, its fields in the order of the `createTime` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param unit one of [TimeUnit]
    /// @param bitWidth width in bits
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int unit, int bitWidth) {
        writer.startTable();
        addBitWidth(writer, bitWidth);
        addUnit(writer, unit);
        return writer.endTable();
    }

    /// Adds `unit`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param unit one of [TimeUnit]
    public static void addUnit(FlatBufferWriter writer, int unit) {
        writer.addInt16(Time.UNIT_SLOT, unit, Time.UNIT_DEFAULT);
    }

    /// Adds `bitWidth`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param bitWidth width in bits
    public static void addBitWidth(FlatBufferWriter writer, int bitWidth) {
        writer.addInt32(Time.BIT_WIDTH_SLOT, bitWidth, Time.BIT_WIDTH_DEFAULT);
    }
}
