// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.format.ids.Type;

import java.util.Locale;

/// The physical type of a field's values. Several logical types of Arrow may share one.
///
/// | constant | types |
/// |---|---|
/// | `INT8`, `INT16` | signed `Int` of that width |
/// | `INT32` | signed `Int` of 32 bits; `Date` in days; `Time` in seconds or milliseconds; `Interval` of months |
/// | `INT64` | signed `Int` of 64 bits; `Date` in milliseconds; `Time` in micro- or nanoseconds; `Timestamp`; `Duration` |
/// | `UINT8` … `UINT64` | unsigned `Int` of that width |
/// | `FLOAT16`, `FLOAT32`, `FLOAT64` | `FloatingPoint` of that precision |
/// | `BOOL` | `Bool`: one bit per value |
/// | `DECIMAL32` … `DECIMAL256` | `Decimal` of that width: a signed number, without its scale |
/// | `DAY_TIME` | `Interval` of days and milliseconds: two signed 32-bit numbers |
/// | `MONTH_DAY_NANO` | `Interval` of months, days (32 bits each) and nanoseconds (64 bits), all signed |
/// | `FIXED_BYTES` | `FixedSizeBinary` |
/// | `BYTES` | `Utf8` and `Binary`: bytes between two 32-bit offsets |
/// | `LARGE_BYTES` | `LargeUtf8` and `LargeBinary`: bytes between two 64-bit offsets |
/// | `BYTES_VIEW` | `Utf8View` and `BinaryView` |
/// | `NONE` | no values of their own: `Null`, unions, and nested types; also unknown types and widths |
///
/// For a dictionary-encoded field it is the type of the indices. The schema has units of time and
/// scales of decimals: see [dev.fletch.format.Field] and `dev.fletch.schema.ArrowType`.
public enum ValueType {
    NONE(0),
    INT8(8),
    INT16(16),
    INT32(32),
    INT64(64),
    UINT8(8),
    UINT16(16),
    UINT32(32),
    UINT64(64),
    FLOAT16(16),
    FLOAT32(32),
    FLOAT64(64),
    BOOL(1),
    DECIMAL32(32),
    DECIMAL64(64),
    DECIMAL128(128),
    DECIMAL256(256),
    DAY_TIME(64),
    MONTH_DAY_NANO(128),
    FIXED_BYTES(0),
    BYTES(0),
    LARGE_BYTES(0),
    BYTES_VIEW(0);

    private final int bits;

    ValueType(int bits) {
        this.bits = bits;
    }

    /// {@return bits per value; 0 if they depend on the field (see [BatchLayout#valueBits]) or
    /// vary}
    public int bits() {
        return bits;
    }

    /// {@return whether values are integers of 8 to 64 bits}
    boolean isInteger() {
        return compareTo(INT8) >= 0 && compareTo(UINT64) <= 0;
    }

    /// {@return the name in error messages, such as `int64`}
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The physical type of a logical type, without dictionary encoding.
    ///
    /// @param type one of [Type], or any other number
    /// @param bits of a value
    /// @param isUnsigned of an [Type#INT]
    static ValueType of(int type, long bits, boolean isUnsigned) {
        return switch (type) {
            case Type.INT -> sized(bits, isUnsigned ? UINT8 : INT8, 8, 64);
            case Type.FLOATING_POINT -> sized(bits, FLOAT16, 16, 64);
            case Type.BOOL -> BOOL;
            case Type.DECIMAL -> sized(bits, DECIMAL32, 32, 256);
            case Type.DATE, Type.TIME, Type.TIMESTAMP, Type.DURATION -> sized(bits, INT32, 32, 64);
            case Type.INTERVAL ->
                    bits == 64
                            ? DAY_TIME
                            : bits == 128 ? MONTH_DAY_NANO : sized(bits, INT32, 32, 32);
            case Type.FIXED_SIZE_BINARY -> bits < 0 ? NONE : FIXED_BYTES;
            case Type.BINARY, Type.UTF8 -> BYTES;
            case Type.LARGE_BINARY, Type.LARGE_UTF8 -> LARGE_BYTES;
            case Type.BINARY_VIEW, Type.UTF8_VIEW -> BYTES_VIEW;
            default -> NONE;
        };
    }

    /// The constant of a width among those from `first` on, whose widths double from `least` to
    /// `limit`.
    private static ValueType sized(long bits, ValueType first, int least, int limit) {
        if (bits < least || bits > limit || Long.bitCount(bits) != 1) {
            return NONE;
        }
        return VALUES[
                first.ordinal()
                        + Long.numberOfTrailingZeros(bits)
                        - Long.numberOfTrailingZeros(least)];
    }

    private static final ValueType[] VALUES = values();
}
