// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.TimeUnit;
import dev.fletch.format.Timestamp;

/// Writes tables of kind [Timestamp]: the type of a point in time.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `Timestamp`.
public final class TimestampEncoder {
    private TimestampEncoder() {}

    /// Writes a table, its fields in the order of the `createTimestamp` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param unit one of [TimeUnit]
    /// @param timezone the time zone, a string; 0 if absent
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int unit, int timezone) {
        writer.startTable();
        addTimezone(writer, timezone);
        addUnit(writer, unit);
        return writer.endTable();
    }

    /// Adds `unit`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param unit one of [TimeUnit]
    public static void addUnit(FlatBufferWriter writer, int unit) {
        writer.addInt16(Timestamp.UNIT_SLOT, unit, Timestamp.UNIT_DEFAULT);
    }

    /// Adds `timezone`.
    ///
    /// @param writer a table is open
    /// @param timezone the time zone, a string; 0 if absent
    public static void addTimezone(FlatBufferWriter writer, int timezone) {
        writer.addOffset(Timestamp.TIMEZONE_SLOT, timezone);
    }
}
