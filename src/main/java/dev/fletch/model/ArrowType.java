// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

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
        return TypeText.of(this);
    }

    /// Compares what it means: union ids that are left out with those that they stand for, an empty
    /// time zone with none.
    ///
    /// @param other any type
    /// @return whether both mean the same
    default boolean sameMeaning(ArrowType other) {
        return Normal.type(this).equals(Normal.type(other));
    }

    /// All values are null.
    record Null() implements ArrowType {}

    /// Integers.
    ///
    /// @param bitWidth 8, 16, 32 or 64
    /// @param isSigned whether there are negative ones
    record Int(int bitWidth, boolean isSigned) implements ArrowType {
        /// Checks the width.
        public Int {
            TypeRules.oneOf("integer must have 8, 16, 32 or 64 bits", bitWidth, 8, 16, 32, 64);
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
            TypeRules.decimal(precision, bitWidth);
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
            TypeRules.time(unit, bitWidth);
        }

        /// Times of the width that goes with the unit.
        ///
        /// @param unit what they count
        public Time(TimeUnit unit) {
            this(unit, TypeRules.timeWidth(unit));
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
        /// Checks and copies the ids.
        public Union {
            Objects.requireNonNull(mode, "mode");
            typeIds = java.util.List.copyOf(typeIds);
            TypeRules.union(typeIds, implicitTypeIds);
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
            TypeRules.unionSize(children);
            return new Union(mode, IntStream.range(0, children).boxed().toList(), true);
        }
    }

    /// Bytes, all of one length.
    ///
    /// @param byteWidth that length, 0 or more
    record FixedSizeBinary(int byteWidth) implements ArrowType {
        /// Checks the length.
        public FixedSizeBinary {
            TypeRules.notNegative("byteWidth", byteWidth);
        }
    }

    /// Lists of the one child's values, all of one length.
    ///
    /// @param listSize that length, 0 or more
    record FixedSizeList(int listSize) implements ArrowType {
        /// Checks the length.
        public FixedSizeList {
            TypeRules.notNegative("listSize", listSize);
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
}
