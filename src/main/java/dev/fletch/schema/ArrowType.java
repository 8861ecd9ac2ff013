// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.Rule;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.TypeCheck;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.schema.internal.TypeText;

import java.util.BitSet;
import java.util.Objects;
import java.util.stream.IntStream;

/// The type of a field with its parameters: a constant or a record for each type of the format, so
/// that a `switch` over them needs no `default`. The element types of a nested type are
/// those of the field's children.
///
/// Constructors check the parameters; an [InvalidSchemaException] names the invalid one. Immutable.
///
/// Source: `format/Schema.fbs`, union `Type` and the tables of its members.
public sealed interface ArrowType {
    /// {@return the type on one line, such as `decimal(38, 10)`}
    default String text() {
        return TypeText.of(TypeFacts.of(id()), TypeValues.of(this));
    }

    /// {@return the number of the type, one of [dev.fletch.format.ids.Type]}
    default int id() {
        return TypeValues.id(this);
    }

    // ---- enums, in the order of their numbers in the bytes

    /// Unit of times, timestamps and durations.
    enum TimeResolution {
        /// Seconds.
        SECOND,
        /// Milliseconds.
        MILLISECOND,
        /// Microseconds.
        MICROSECOND,
        /// Nanoseconds.
        NANOSECOND
    }

    /// IEEE 754 numbers, by their precision.
    enum FloatingPoint implements ArrowType {
        /// 16 bits.
        HALF,
        /// 32 bits.
        SINGLE,
        /// 64 bits.
        DOUBLE
    }

    /// Calendar dates, by their unit.
    enum Date implements ArrowType {
        /// Days since the epoch, in 32 bits.
        DAY,
        /// Milliseconds since the epoch, in 64 bits.
        MILLISECOND
    }

    /// Calendar intervals, by their units.
    enum Interval implements ArrowType {
        /// Months, in 32 bits.
        YEAR_MONTH,
        /// Days and milliseconds, in 32 bits each.
        DAY_TIME,
        /// Months and days in 32 bits each, nanoseconds in 64.
        MONTH_DAY_NANO
    }

    /// The types without parameters.
    enum Simple implements ArrowType {
        /// All values are null.
        NULL(Type.NULL),

        /// Bytes, 32-bit offsets.
        BINARY(Type.BINARY),

        /// Text, 32-bit offsets.
        UTF8(Type.UTF8),

        /// One bit per value.
        BOOL(Type.BOOL),

        /// Lists of the one child's values, 32-bit offsets.
        LIST(Type.LIST),

        /// A value of each child.
        STRUCT(Type.STRUCT_),

        /// Bytes, 64-bit offsets.
        LARGE_BINARY(Type.LARGE_BINARY),

        /// Text, 64-bit offsets.
        LARGE_UTF8(Type.LARGE_UTF8),

        /// Lists of the one child's values, 64-bit offsets.
        LARGE_LIST(Type.LARGE_LIST),

        /// Runs of equal values: the children are the end of each run and its value.
        RUN_END_ENCODED(Type.RUN_END_ENCODED),

        /// Bytes, inline in views or in data buffers.
        BINARY_VIEW(Type.BINARY_VIEW),

        /// Text, inline in views or in data buffers.
        UTF8_VIEW(Type.UTF8_VIEW),

        /// Lists of the one child's values, 32-bit offsets and sizes.
        LIST_VIEW(Type.LIST_VIEW),

        /// Lists of the one child's values, 64-bit offsets and sizes.
        LARGE_LIST_VIEW(Type.LARGE_LIST_VIEW);

        final int id;

        Simple(int id) {
            this.id = id;
        }
    }

    /// Integers.
    ///
    /// @param bitWidth 8, 16, 32 or 64
    /// @param isSigned whether they are signed
    record Int(int bitWidth, boolean isSigned) implements ArrowType {
        public Int {
            TypeValues.check(Type.INT, bitWidth, isSigned);
        }
    }

    /// Exact decimal numbers.
    ///
    /// @param precision decimal digits: 1 to 9, 18, 38 or 76, depending on the width
    /// @param scale digits after the decimal point; if negative, zeros before the point
    /// @param bitWidth 32, 64, 128 or 256
    record Decimal(int precision, int scale, int bitWidth) implements ArrowType {
        public Decimal {
            TypeValues.check(Type.DECIMAL, precision, scale, bitWidth);
        }

        /// Decimals of 128 bits.
        public Decimal(int precision, int scale) {
            this(precision, scale, 128);
        }
    }

    /// Times of day.
    ///
    /// @param bitWidth 32 for seconds and milliseconds, 64 for the others
    record Time(TimeResolution unit, int bitWidth) implements ArrowType {
        public Time {
            Objects.requireNonNull(unit, "unit");
            TypeValues.check(Type.TIME, unit, bitWidth);
        }

        /// Creates times with the width of the unit.
        public Time(TimeResolution unit) {
            this(unit, TypeFacts.timeBits(Objects.requireNonNull(unit, "unit").ordinal()));
        }
    }

    /// Instants, or wall-clock times.
    ///
    /// @param timezone for displaying instants; null (absent) or empty for wall-clock times
    record Timestamp(TimeResolution unit, String timezone) implements ArrowType {
        public Timestamp {
            Objects.requireNonNull(unit, "unit");
            InvalidSchemaException.requireUtf8("timezone", timezone);
        }

        /// Creates wall-clock times.
        public Timestamp(TimeResolution unit) {
            this(unit, null);
        }

        /// {@return whether these are instants}
        public boolean hasTimezone() {
            return timezone != null && !timezone.isEmpty();
        }
    }

    /// A value of one of the children.
    ///
    /// @param isDense whether each child has only its own values, and an offset refers to each
    ///     value; else each child has as many values as the union
    /// @param typeIds the id of each child, in the order of the children: 0 to 127, each once
    /// @param implicitTypeIds whether the bytes omit the ids, which then are 0, 1, 2 and so on
    record Union(boolean isDense, java.util.List<Integer> typeIds, boolean implicitTypeIds)
            implements ArrowType {
        /// Checks and copies the ids.
        public Union {
            typeIds = java.util.List.copyOf(typeIds);
            checkSize(typeIds.size());
            BitSet earlier = new BitSet();
            for (int i = 0; i < typeIds.size(); i++) {
                int id = typeIds.get(i);
                InvalidSchemaException.require(
                        TypeCheck.typeId(id, earlier), null, "typeIds", typeIds);
                InvalidSchemaException.require(
                        !implicitTypeIds || id == i,
                        null,
                        "implicit type ids must be 0, 1, 2 and so on",
                        "typeIds",
                        typeIds);
            }
        }

        private static void checkSize(int children) {
            Rule broken = TypeCheck.children(Type.UNION, children);
            InvalidSchemaException.require(broken, null, "children", children);
        }

        /// {@return a sparse union with a child for each id}
        public static Union sparse(int... typeIds) {
            return new Union(false, IntStream.of(typeIds).boxed().toList(), false);
        }

        /// {@return a dense union with a child for each id}
        public static Union dense(int... typeIds) {
            return new Union(true, IntStream.of(typeIds).boxed().toList(), false);
        }

        /// {@return a union whose ids the bytes omit: 0, 1, 2 and so on}
        public static Union implicit(boolean isDense, int children) {
            checkSize(children);
            return new Union(isDense, IntStream.range(0, children).boxed().toList(), true);
        }
    }

    /// Bytes of equal length.
    ///
    /// @param byteWidth length in bytes, at least 0
    record FixedSizeBinary(int byteWidth) implements ArrowType {
        public FixedSizeBinary {
            TypeValues.check(Type.FIXED_SIZE_BINARY, byteWidth);
        }
    }

    /// Lists of the one child's values, of equal length.
    ///
    /// @param listSize items per list, at least 0
    record FixedSizeList(int listSize) implements ArrowType {
        public FixedSizeList {
            TypeValues.check(Type.FIXED_SIZE_LIST, listSize);
        }
    }

    /// Lists of entries: the one child is a struct of keys and values.
    ///
    /// @param keysSorted whether the keys of each list are sorted
    record Map(boolean keysSorted) implements ArrowType {}

    /// Elapsed time.
    record Duration(TimeResolution unit) implements ArrowType {
        public Duration {
            Objects.requireNonNull(unit, "unit");
        }
    }
}
