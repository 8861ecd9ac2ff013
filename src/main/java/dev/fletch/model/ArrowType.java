// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.format.TypeParameters;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.format.rules.TypeText;

import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

/// The type of a field, with its parameters; what it is made of are the field's children. A record
/// for each type of the format, so that a `switch` over them needs no `default`.
///
/// Parameters are checked when a type is made: an [InvalidSchemaException] names the one at fault.
/// Types never change and may be shared.
///
/// Source: `format/Schema.fbs`, union `Type` and the tables of its members.
public sealed interface ArrowType {
    /// {@return the type as a person reads it, such as `decimal(38, 10)`, on one line}
    default String text() {
        TypeValues values = TypeValues.of(this);
        return TypeText.of(values.facts(), values);
    }

    /// {@return the number that stands for the type in the bytes, one of [dev.fletch.format.Type]}
    default int id() {
        return TypeValues.of(this).facts().id();
    }

    /// {@return the parameters by their slots, for packages of this module}
    @SuppressWarnings("exports") // for packages of this module
    default TypeParameters parameters() {
        return TypeValues.of(this);
    }

    /// Makes a type of its parameters, for packages of this module.
    ///
    /// @param id one of [dev.fletch.format.Type], which is known
    /// @param parameters of that type
    /// @param children of the field, for a union whose type ids are left out
    /// @return the type
    /// @throws InvalidSchemaException if a parameter breaks a rule
    @SuppressWarnings("exports") // for packages of this module
    static ArrowType of(int id, TypeParameters parameters, int children) {
        return TypeValues.type(id, parameters, children);
    }

    /// Compares what it means: union ids that are left out with those that they stand for, an empty
    /// time zone with none.
    ///
    /// @param other any type
    /// @return whether both mean the same
    default boolean sameMeaning(ArrowType other) {
        return Normal.type(this).equals(Normal.type(other));
    }

    // ---- enums of parameters; ordinals are the numbers that stand for constants in the bytes

    /// Width of floating-point numbers.
    enum Precision {
        /// 16 bits.
        HALF,
        /// 32 bits.
        SINGLE,
        /// 64 bits.
        DOUBLE
    }

    /// Resolution of dates.
    enum DateUnit {
        /// Days since the epoch, in 32 bits.
        DAY,
        /// Milliseconds since the epoch, in 64 bits.
        MILLISECOND
    }

    /// Resolution of times, timestamps and durations.
    enum TimeUnit {
        /// Seconds.
        SECOND,
        /// Milliseconds.
        MILLISECOND,
        /// Microseconds.
        MICROSECOND,
        /// Nanoseconds.
        NANOSECOND
    }

    /// What intervals are made of.
    enum IntervalUnit {
        /// Months, in 32 bits.
        YEAR_MONTH,
        /// Days and milliseconds, in 32 bits each.
        DAY_TIME,
        /// Months and days in 32 bits each, nanoseconds in 64.
        MONTH_DAY_NANO
    }

    /// How a union's values are laid out.
    enum UnionMode {
        /// Each child has as many values as the union.
        SPARSE,
        /// Each child has its own values only, and offsets lead to them.
        DENSE
    }

    // ---- types

    /// All values are null.
    record Null() implements ArrowType {}

    /// Integers.
    ///
    /// @param bitWidth 8, 16, 32 or 64
    /// @param isSigned whether there are negative ones
    record Int(int bitWidth, boolean isSigned) implements ArrowType {
        /// Checks the width.
        public Int {
            if (bitWidth != 8 && bitWidth != 16 && bitWidth != 32 && bitWidth != 64) {
                throw invalid("integer must have 8, 16, 32 or 64 bits", "bitWidth", bitWidth);
            }
        }
    }

    /// IEEE 754 numbers.
    ///
    /// @param precision their width
    record FloatingPoint(Precision precision) implements ArrowType {
        /// Checks that there is one.
        public FloatingPoint {
            Objects.requireNonNull(precision, "precision");
        }
    }

    /// Bytes, 32-bit offsets.
    record Binary() implements ArrowType {}

    /// Text, 32-bit offsets.
    record Utf8() implements ArrowType {}

    /// One bit per value.
    record Bool() implements ArrowType {}

    /// Exact decimal numbers.
    ///
    /// @param precision decimal digits: 1 to 9, 18, 38 or 76, by the width
    /// @param scale digits behind the point; a negative one stands for zeros before it
    /// @param bitWidth 32, 64, 128 or 256
    record Decimal(int precision, int scale, int bitWidth) implements ArrowType {
        /// Checks width and precision.
        public Decimal {
            int max = TypeFacts.maxDecimalPrecision(bitWidth);
            if (max == 0) {
                throw invalid("decimal must have 32, 64, 128 or 256 bits", "bitWidth", bitWidth);
            }
            if (precision < 1 || precision > max) {
                String rule = "decimal of " + bitWidth + " bits must have 1 to " + max + " digits";
                throw invalid(rule, "precision", precision);
            }
        }

        /// Decimals of 128 bits.
        ///
        /// @param precision decimal digits, 1 to 38
        /// @param scale digits behind the point
        public Decimal(int precision, int scale) {
            this(precision, scale, 128);
        }
    }

    /// Calendar dates.
    ///
    /// @param unit what they count
    record Date(DateUnit unit) implements ArrowType {
        /// Checks that there is one.
        public Date {
            Objects.requireNonNull(unit, "unit");
        }
    }

    /// Times of day.
    ///
    /// @param unit what they count
    /// @param bitWidth 32 for seconds and milliseconds, 64 for the others
    record Time(TimeUnit unit, int bitWidth) implements ArrowType {
        /// Checks that unit and width fit.
        public Time {
            int width = width(unit);
            if (bitWidth != width) {
                String name = unit.name().toLowerCase(Locale.ROOT);
                throw invalid(
                        "time in " + name + "s must have " + width + " bits", "bitWidth", bitWidth);
            }
        }

        /// Times of the width that goes with the unit.
        ///
        /// @param unit what they count
        public Time(TimeUnit unit) {
            this(unit, width(unit));
        }

        private static int width(TimeUnit unit) {
            return TypeFacts.timeBits(Objects.requireNonNull(unit, "unit").ordinal());
        }
    }

    /// Instants, or wall-clock readings.
    ///
    /// @param unit what they count
    /// @param timezone the zone in which instants are shown; null if it is absent, which means
    ///     wall-clock readings, as an empty one does
    record Timestamp(TimeUnit unit, String timezone) implements ArrowType {
        /// Checks the parts.
        public Timestamp {
            Objects.requireNonNull(unit, "unit");
            Texts.check("timezone", timezone);
        }

        /// Wall-clock readings.
        ///
        /// @param unit what they count
        public Timestamp(TimeUnit unit) {
            this(unit, null);
        }

        /// {@return whether these are instants}
        public boolean hasTimezone() {
            return timezone != null && !timezone.isEmpty();
        }
    }

    /// Calendar spans.
    ///
    /// @param unit what they are made of
    record Interval(IntervalUnit unit) implements ArrowType {
        /// Checks that there is one.
        public Interval {
            Objects.requireNonNull(unit, "unit");
        }
    }

    /// Lists of the one child's values, 32-bit offsets.
    record List() implements ArrowType {}

    /// Tuples of the children's values.
    record Struct() implements ArrowType {}

    /// Values of one of the children.
    ///
    /// @param mode how they are laid out
    /// @param typeIds the number that stands for each child, in the children's order: 0 to 127,
    ///     each once
    /// @param implicitTypeIds whether the bytes leave the ids out, which are then 0, 1, 2 and so on
    record Union(UnionMode mode, java.util.List<Integer> typeIds, boolean implicitTypeIds)
            implements ArrowType {
        /// Ids are stored as signed bytes beside the values, and a negative one stands for nothing.
        private static final int MAX_TYPE_ID = 127;

        /// Checks and copies the ids.
        public Union {
            Objects.requireNonNull(mode, "mode");
            typeIds = java.util.List.copyOf(typeIds);
            checkSize(typeIds.size());
            boolean[] seen = new boolean[MAX_TYPE_ID + 1];
            for (int i = 0; i < typeIds.size(); i++) {
                int id = typeIds.get(i);
                if (id < 0 || id > MAX_TYPE_ID) {
                    throw invalid("type id must be 0 to " + MAX_TYPE_ID, "typeIds", typeIds);
                }
                if (seen[id]) {
                    throw invalid("type id must stand for one child", "typeIds", typeIds);
                }
                seen[id] = true;
                if (implicitTypeIds && id != i) {
                    throw invalid(
                            "type ids that are left out must count up from 0", "typeIds", typeIds);
                }
            }
        }

        static void checkSize(int children) {
            if (children < 0 || children > MAX_TYPE_ID + 1) {
                String rule = "union must have at most " + (MAX_TYPE_ID + 1) + " children";
                throw invalid(rule, "children", children);
            }
        }

        /// A union of as many children as there are ids.
        ///
        /// @param mode how values are laid out
        /// @param typeIds the number that stands for each child
        /// @return the type
        public static Union of(UnionMode mode, int... typeIds) {
            return new Union(mode, IntStream.of(typeIds).boxed().toList(), false);
        }

        /// A union whose ids the bytes leave out.
        ///
        /// @param mode how values are laid out
        /// @param children how many there are
        /// @return the type, with ids from 0 upwards
        public static Union implicit(UnionMode mode, int children) {
            checkSize(children);
            return new Union(mode, IntStream.range(0, children).boxed().toList(), true);
        }
    }

    /// Bytes, all of one length.
    ///
    /// @param byteWidth that length, 0 or more
    record FixedSizeBinary(int byteWidth) implements ArrowType {
        /// Checks the length.
        public FixedSizeBinary {
            notNegative("byteWidth", byteWidth);
        }
    }

    /// Lists of the one child's values, all of one length.
    ///
    /// @param listSize that length, 0 or more
    record FixedSizeList(int listSize) implements ArrowType {
        /// Checks the length.
        public FixedSizeList {
            notNegative("listSize", listSize);
        }
    }

    /// Lists of pairs: the one child is a struct of keys and values.
    ///
    /// @param keysSorted whether each list is in the order of its keys
    record Map(boolean keysSorted) implements ArrowType {}

    /// Elapsed time.
    ///
    /// @param unit what it counts
    record Duration(TimeUnit unit) implements ArrowType {
        /// Checks that there is one.
        public Duration {
            Objects.requireNonNull(unit, "unit");
        }
    }

    /// Bytes, 64-bit offsets.
    record LargeBinary() implements ArrowType {}

    /// Text, 64-bit offsets.
    record LargeUtf8() implements ArrowType {}

    /// Lists of the one child's values, 64-bit offsets.
    record LargeList() implements ArrowType {}

    /// Runs of equal values: the children are where each run ends, and its value.
    record RunEndEncoded() implements ArrowType {}

    /// Bytes behind views.
    record BinaryView() implements ArrowType {}

    /// Text behind views.
    record Utf8View() implements ArrowType {}

    /// Lists of the one child's values, 32-bit offsets and sizes.
    record ListView() implements ArrowType {}

    /// Lists of the one child's values, 64-bit offsets and sizes.
    record LargeListView() implements ArrowType {}

    private static void notNegative(String parameter, int value) {
        if (value < 0) {
            throw invalid("size must not be negative", parameter, value);
        }
    }

    private static InvalidSchemaException invalid(String rule, String parameter, Object value) {
        return new InvalidSchemaException(rule, null, parameter, value);
    }
}
