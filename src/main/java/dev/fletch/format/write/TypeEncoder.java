// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Date;
import dev.fletch.format.DateUnit;
import dev.fletch.format.Decimal;
import dev.fletch.format.Duration;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.IntervalUnit;
import dev.fletch.format.Map;
import dev.fletch.format.Precision;
import dev.fletch.format.Time;
import dev.fletch.format.TimeUnit;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Union;
import dev.fletch.format.UnionMode;

/// Writes the tables of types: the members of union `Type`.
///
/// A method adds a table's fields in the order of the method of the same name that flatc generates.
/// See [FlatBufferWriter] for errors, lifetime and threads.
///
/// Source: `format/Schema.fbs`, the tables of union `Type`.
public final class TypeEncoder {
    private TypeEncoder() {}

    /// Writes a table of kind [Int]: the type of an integer.
    ///
    /// @param writer nothing is open
    /// @param bitWidth width in bits
    /// @param isSigned whether it is signed
    /// @return where the table is
    public static int createInt(FlatBufferWriter writer, int bitWidth, boolean isSigned) {
        writer.startTable();
        writer.addInt32(Int.BIT_WIDTH_SLOT, bitWidth, 0);
        writer.addBoolean(Int.IS_SIGNED_SLOT, isSigned, false);
        return writer.endTable();
    }

    /// Writes a table of kind [FloatingPoint]: the type of a floating-point number.
    ///
    /// @param writer nothing is open
    /// @param precision one of [Precision]
    /// @return where the table is
    public static int createFloatingPoint(FlatBufferWriter writer, int precision) {
        writer.startTable();
        writer.addInt16(FloatingPoint.PRECISION_SLOT, precision, Precision.HALF);
        return writer.endTable();
    }

    /// Writes a table of kind [Decimal]: the type of a decimal number.
    ///
    /// @param writer nothing is open
    /// @param precision number of decimal digits
    /// @param scale digits after the decimal point
    /// @param bitWidth width in bits
    /// @return where the table is
    public static int createDecimal(
            FlatBufferWriter writer, int precision, int scale, int bitWidth) {
        writer.startTable();
        writer.addInt32(Decimal.BIT_WIDTH_SLOT, bitWidth, Decimal.BIT_WIDTH_DEFAULT);
        writer.addInt32(Decimal.SCALE_SLOT, scale, 0);
        writer.addInt32(Decimal.PRECISION_SLOT, precision, 0);
        return writer.endTable();
    }

    /// Writes a table of kind [Date]: the type of a date.
    ///
    /// @param writer nothing is open
    /// @param unit one of [DateUnit]
    /// @return where the table is
    public static int createDate(FlatBufferWriter writer, int unit) {
        writer.startTable();
        writer.addInt16(Date.UNIT_SLOT, unit, Date.UNIT_DEFAULT);
        return writer.endTable();
    }

    /// Writes a table of kind [Time]: the type of a time of day.
    ///
    /// @param writer nothing is open
    /// @param unit one of [TimeUnit]
    /// @param bitWidth width in bits
    /// @return where the table is
    public static int createTime(FlatBufferWriter writer, int unit, int bitWidth) {
        writer.startTable();
        writer.addInt32(Time.BIT_WIDTH_SLOT, bitWidth, Time.BIT_WIDTH_DEFAULT);
        writer.addInt16(Time.UNIT_SLOT, unit, Time.UNIT_DEFAULT);
        return writer.endTable();
    }

    /// Writes a table of kind [Timestamp]: the type of a point in time.
    ///
    /// @param writer nothing is open
    /// @param unit one of [TimeUnit]
    /// @param timezone the time zone, a string; 0 if absent
    /// @return where the table is
    public static int createTimestamp(FlatBufferWriter writer, int unit, int timezone) {
        writer.startTable();
        writer.addOffset(Timestamp.TIMEZONE_SLOT, timezone);
        writer.addInt16(Timestamp.UNIT_SLOT, unit, TimeUnit.SECOND);
        return writer.endTable();
    }

    /// Writes a table of kind [Interval]: the type of an interval of the calendar.
    ///
    /// @param writer nothing is open
    /// @param unit one of [IntervalUnit]
    /// @return where the table is
    public static int createInterval(FlatBufferWriter writer, int unit) {
        writer.startTable();
        writer.addInt16(Interval.UNIT_SLOT, unit, IntervalUnit.YEAR_MONTH);
        return writer.endTable();
    }

    /// Writes a table of kind [Duration]: the type of a duration.
    ///
    /// @param writer nothing is open
    /// @param unit one of [TimeUnit]
    /// @return where the table is
    public static int createDuration(FlatBufferWriter writer, int unit) {
        writer.startTable();
        writer.addInt16(Duration.UNIT_SLOT, unit, Duration.UNIT_DEFAULT);
        return writer.endTable();
    }

    /// Writes a table of kind [Union]: the type of a union.
    ///
    /// @param writer nothing is open
    /// @param mode one of [UnionMode]
    /// @param typeIds vector of 32-bit numbers, one per child; 0 if absent
    /// @return where the table is
    public static int createUnion(FlatBufferWriter writer, int mode, int typeIds) {
        writer.startTable();
        writer.addOffset(Union.TYPE_IDS_SLOT, typeIds);
        writer.addInt16(Union.MODE_SLOT, mode, UnionMode.SPARSE);
        return writer.endTable();
    }

    /// Writes a table of kind [FixedSizeBinary]: the type of bytes of one length.
    ///
    /// @param writer nothing is open
    /// @param byteWidth bytes per value
    /// @return where the table is
    public static int createFixedSizeBinary(FlatBufferWriter writer, int byteWidth) {
        writer.startTable();
        writer.addInt32(FixedSizeBinary.BYTE_WIDTH_SLOT, byteWidth, 0);
        return writer.endTable();
    }

    /// Writes a table of kind [FixedSizeList]: the type of lists of one length.
    ///
    /// @param writer nothing is open
    /// @param listSize elements per value
    /// @return where the table is
    public static int createFixedSizeList(FlatBufferWriter writer, int listSize) {
        writer.startTable();
        writer.addInt32(FixedSizeList.LIST_SIZE_SLOT, listSize, 0);
        return writer.endTable();
    }

    /// Writes a table of kind [Map]: the type of a map.
    ///
    /// @param writer nothing is open
    /// @param keysSorted whether the keys of each value are sorted
    /// @return where the table is
    public static int createMap(FlatBufferWriter writer, boolean keysSorted) {
        writer.startTable();
        writer.addBoolean(Map.KEYS_SORTED_SLOT, keysSorted, false);
        return writer.endTable();
    }

    /// Writes the table of a type that has no parameters, such as `Utf8`, `Bool`, `List` or
    /// `Struct_`.
    ///
    /// @param writer nothing is open
    /// @return where the table is
    public static int createEmpty(FlatBufferWriter writer) {
        writer.startTable();
        return writer.endTable();
    }
}
