// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.batch.ColumnValues;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.verify.messages.Decimals;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;

/// The text of single values of fixed width. Accepts any bytes: a value that its type cannot have,
/// such as a time of 25 hours, is shown as its number with the unit.
///
/// | type | text |
/// |---|---|
/// | integers, decimals, floating-point | the number, or `NaN`, `Infinity`, `-Infinity` |
/// | dates, times | ISO 8601, such as `2026-11-28`, `09:30:00.000001` |
/// | timestamps | ISO 8601: with the offset of its time zone, or `Z` if that is unknown; without a zone none |
/// | durations | ISO 8601, such as `PT1H30M` |
/// | intervals | JSON objects, such as `{"months": 1, "days": 2, "nanoseconds": 3}` |
final class ScalarText {
    private static final long DAY_MILLIS = 86_400_000;
    private static final long DAY_SECONDS = 86_400;
    private static final long NANOS = 1_000_000_000;

    private final Map<String, ZoneId> zones = new HashMap<>();

    /// The text of a value.
    ///
    /// @param type of the field
    /// @param bytes of the value
    String of(ArrowType type, ColumnValues values, long row, ByteSlice bytes) {
        ValueType physical = values.valueType();
        return switch (type) {
            case ArrowType.Decimal t ->
                    new BigDecimal(Decimals.number(bytes, 0, t.bitWidth() / Byte.SIZE), t.scale())
                            .toString();
            case ArrowType.FloatingPoint _ -> floating(physical, bytes);
            case ArrowType.Date t -> date(t, values.integer(row));
            case ArrowType.Time t -> time(t.unit(), values.integer(row));
            case ArrowType.Timestamp t -> timestamp(t, values.integer(row));
            case ArrowType.Duration t -> duration(t.unit(), values.integer(row));
            case ArrowType.Interval _ -> interval(physical, bytes);
            default ->
                    physical == ValueType.UINT64
                            ? Long.toUnsignedString(values.integer(row))
                            : Long.toString(values.integer(row));
        };
    }

    /// Whether [#of] is JSON: a number or an object. Other text needs quotes.
    static boolean isJson(ArrowType type, String text) {
        return switch (type) {
            case ArrowType.Decimal _, ArrowType.Interval _, ArrowType.Int _ -> true;
            case ArrowType.FloatingPoint _ -> !text.endsWith("N") && !text.endsWith("y");
            default -> false;
        };
    }

    private static String floating(ValueType physical, ByteSlice bytes) {
        return switch (physical) {
            case FLOAT16 -> Float.toString(bytes.float16At(0));
            case FLOAT32 -> Float.toString(bytes.float32At(0));
            default -> Double.toString(bytes.float64At(0));
        };
    }

    private static String interval(ValueType physical, ByteSlice bytes) {
        return switch (physical) {
            case DAY_TIME ->
                    "{\"days\": " + bytes.int32(0) + ", \"milliseconds\": " + bytes.int32(4) + "}";
            case MONTH_DAY_NANO ->
                    ("{\"months\": " + bytes.int32(0) + ", \"days\": " + bytes.int32(4))
                            + (", \"nanoseconds\": " + bytes.int64(8) + "}");
            default -> "{\"months\": " + bytes.int32(0) + "}";
        };
    }

    // ---- dates and times

    private static String date(ArrowType.Date unit, long value) {
        if (unit == ArrowType.Date.DAY) {
            return LocalDate.ofEpochDay(value).toString();
        }
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(value, DAY_MILLIS));
        long rest = Math.floorMod(value, DAY_MILLIS);
        if (rest == 0) {
            return day.toString();
        }
        LocalTime time = LocalTime.ofNanoOfDay(rest * (NANOS / 1_000));
        return day + "T" + DateTimeFormatter.ISO_LOCAL_TIME.format(time);
    }

    private static String time(TimeResolution unit, long value) {
        long perSecond = perSecond(unit);
        return value < 0 || value / perSecond >= DAY_SECONDS
                ? number(value, unit)
                : DateTimeFormatter.ISO_LOCAL_TIME.format(
                        LocalTime.ofNanoOfDay(value * (NANOS / perSecond)));
    }

    private String timestamp(ArrowType.Timestamp type, long value) {
        long perSecond = perSecond(type.unit());
        long seconds = Math.floorDiv(value, perSecond);
        int nanos = (int) (Math.floorMod(value, perSecond) * (NANOS / perSecond));
        try {
            return type.hasTimezone()
                    ? DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                            Instant.ofEpochSecond(seconds, nanos)
                                    .atZone(zones.computeIfAbsent(type.timezone(), this::zone)))
                    : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                            LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC));
        } catch (DateTimeException _) { // too far away
            return number(value, type.unit());
        }
    }

    /// The time zone with a name; UTC if it is unknown.
    private ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException _) {
            return ZoneOffset.UTC;
        }
    }

    private static String duration(TimeResolution unit, long value) {
        long perSecond = perSecond(unit);
        return Duration.ofSeconds(
                        Math.floorDiv(value, perSecond),
                        Math.floorMod(value, perSecond) * (NANOS / perSecond))
                .toString();
    }

    private static long perSecond(TimeResolution unit) {
        return switch (unit) {
            case SECOND -> 1;
            case MILLISECOND -> 1_000;
            case MICROSECOND -> 1_000_000;
            case NANOSECOND -> NANOS;
        };
    }

    private static String number(long value, TimeResolution unit) {
        String symbol =
                switch (unit) {
                    case SECOND -> "s";
                    case MILLISECOND -> "ms";
                    case MICROSECOND -> "us";
                    case NANOSECOND -> "ns";
                };
        return value + " " + symbol;
    }
}
