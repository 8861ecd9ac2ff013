// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Date;
import dev.fletch.format.DateUnit;

/// Writes tables of kind [Date]: the type of a date.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `Date`.
public final class DateEncoder {
    private DateEncoder() {}

    /// Writes a table, its fields in the order of the `createDate` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param unit one of [DateUnit]
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int unit) {
        writer.startTable();
        addUnit(writer, unit);
        return writer.endTable();
    }

    /// Adds `unit`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param unit one of [DateUnit]
    public static void addUnit(FlatBufferWriter writer, int unit) {
        writer.addInt16(Date.UNIT_SLOT, unit, Date.UNIT_DEFAULT);
    }
}
