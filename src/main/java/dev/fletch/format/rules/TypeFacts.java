// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import static dev.fletch.format.rules.TypeFacts.Width.DOUBLING;
import static dev.fletch.format.rules.TypeFacts.Width.FIXED;
import static dev.fletch.format.rules.TypeFacts.Width.STORED;
import static dev.fletch.format.rules.TypeFacts.Width.VARIABLE;

import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.TableRules;
import dev.fletch.format.Date;
import dev.fletch.format.Decimal;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.Time;
import dev.fletch.format.TimeUnit;
import dev.fletch.format.Type;
import dev.fletch.format.TypeParameters;

import java.util.List;
import java.util.Locale;

/// The properties of each type of the format, one row per type, used by all code that covers all
/// types. The buffers of a type are in `dev.fletch.layout.BufferShape`.
///
/// Source: `format/Schema.fbs`, union `Type`; the chapter "Physical Memory Layout" of Arrow's
/// columnar format.
///
/// @param id one of [Type]
/// @param name for display, such as `fixed_size_list`
/// @param table the parameters with their slots, names, enums and defaults
/// @param width how the width of a value in the data buffer is determined
/// @param widthBits width in bits, by `width`: of a value, of a unit, or of the enum's value 0
/// @param widthSlot slot of the parameter that determines the width, if there is one
/// @param offsetBytes size of an offset in bytes; 0 if the type has no offsets
/// @param children number of a field's children, or [#ANY_CHILDREN]
/// @param childNames names of children that are identified by position, so that producers may
///     choose other names; empty if names are significant
public record TypeFacts(
        int id,
        String name,
        TableRules table,
        Width width,
        int widthBits,
        int widthSlot,
        int offsetBytes,
        int children,
        List<String> childNames) {
    /// How a value's width in the data buffer is determined.
    public enum Width {
        /// Values have no fixed width.
        VARIABLE,
        /// All values of the type have the same width.
        FIXED,
        /// A parameter stores the width.
        STORED,
        /// A parameter is an enum; each of its values means twice the width of the previous one.
        DOUBLING
    }

    /// Any number of children, for structs and unions.
    public static final int ANY_CHILDREN = -1;

    private static final String[] ITEM = {"item"};

    private static final TypeFacts UNKNOWN =
            new TypeFacts(Type.NONE, "none", TableRules.of(""), VARIABLE, 0, 0, 0, 0, List.of());

    private static final TypeFacts[] ALL = {
        UNKNOWN,
        leaf(Type.NULL, VARIABLE, 0, 0),
        leaf(Type.INT, STORED, 1, Int.BIT_WIDTH_SLOT),
        leaf(Type.FLOATING_POINT, DOUBLING, 16, FloatingPoint.PRECISION_SLOT),
        row(Type.BINARY, Integer.BYTES, 0),
        row(Type.UTF8, Integer.BYTES, 0),
        leaf(Type.BOOL, FIXED, 1, 0),
        leaf(Type.DECIMAL, STORED, 1, Decimal.BIT_WIDTH_SLOT),
        leaf(Type.DATE, DOUBLING, 32, Date.UNIT_SLOT),
        leaf(Type.TIME, STORED, 1, Time.BIT_WIDTH_SLOT),
        leaf(Type.TIMESTAMP, FIXED, 64, 0),
        leaf(Type.INTERVAL, DOUBLING, 32, Interval.UNIT_SLOT),
        row(Type.LIST, Integer.BYTES, 1, ITEM),
        row(Type.STRUCT_, 0, ANY_CHILDREN),
        row(Type.UNION, Integer.BYTES, ANY_CHILDREN),
        leaf(Type.FIXED_SIZE_BINARY, STORED, Byte.SIZE, FixedSizeBinary.BYTE_WIDTH_SLOT),
        row(Type.FIXED_SIZE_LIST, 0, 1, ITEM),
        row(Type.MAP, Integer.BYTES, 1, "entries"),
        leaf(Type.DURATION, FIXED, 64, 0),
        row(Type.LARGE_BINARY, Long.BYTES, 0),
        row(Type.LARGE_UTF8, Long.BYTES, 0),
        row(Type.LARGE_LIST, Long.BYTES, 1, ITEM),
        row(Type.RUN_END_ENCODED, 0, 2, "run_ends", "values"),
        leaf(Type.BINARY_VIEW, VARIABLE, 0, 0),
        leaf(Type.UTF8_VIEW, VARIABLE, 0, 0),
        row(Type.LIST_VIEW, Integer.BYTES, 1, ITEM),
        row(Type.LARGE_LIST_VIEW, Long.BYTES, 1, ITEM),
    };

    private static TypeFacts leaf(int id, Width width, int bits, int slot) {
        return new TypeFacts(id, name(id), table(id), width, bits, slot, 0, 0, List.of());
    }

    private static TypeFacts row(int id, int offsetBytes, int children, String... names) {
        return new TypeFacts(
                id, name(id), table(id), VARIABLE, 0, 0, offsetBytes, children, List.of(names));
    }

    private static TableRules table(int id) {
        return ArrowRules.SET.table(ArrowRules.SET.kind(Type.NAMES.name(id)));
    }

    /// `FixedSizeList` becomes `fixed_size_list`, and `Struct_` becomes `struct`.
    private static String name(int id) {
        final String declared = Type.NAMES.name(id).replace("_", "");
        return declared.replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /// {@return the row of a type; for [Type#NONE] and unknown types a row without parameters}
    ///
    /// @param type one of [Type], or any other number
    public static TypeFacts of(int type) {
        return type > 0 && type < ALL.length ? ALL[type] : UNKNOWN;
    }

    /// {@return whether this is the row of a type that the format declares}
    public boolean isKnown() {
        return id != Type.NONE;
    }

    /// {@return the parameters, in the order of their slots}
    public List<FieldRule> parameters() {
        return table.fields();
    }

    /// {@return the name in integration JSON, such as `fixedsizelist`}
    public String jsonName() {
        return name.replace("_", "");
    }

    /// {@return whether [#valueBits] reads a parameter}
    public boolean hasStoredWidth() {
        return width == STORED || width == DOUBLING;
    }

    /// {@return number of bits per value in the data buffer; 0 if the type has no fixed width or
    /// has an unknown parameter}
    ///
    /// @param parameters of a type of this row; not read if the width is fixed
    public long valueBits(TypeParameters parameters) {
        return switch (width) {
            case VARIABLE -> 0;
            case FIXED -> widthBits;
            case STORED -> widthBits * parameters.number(widthSlot);
            case DOUBLING -> {
                final long value = parameters.number(widthSlot);
                final boolean isKnown = table.fields().get(widthSlot).type().isKnown(value);
                yield isKnown ? (long) widthBits << value : 0;
            }
        };
    }

    /// {@return maximum precision in digits of decimals of a width; 0 for an unknown width}
    ///
    /// @param bitWidth width in bits
    public static int maxDecimalPrecision(int bitWidth) {
        return switch (bitWidth) {
            case 32 -> 9;
            case 64 -> 18;
            case 128 -> 38;
            case 256 -> 76;
            default -> 0;
        };
    }

    /// {@return width in bits of times of day in a unit; 0 for an unknown unit}
    ///
    /// @param unit one of [TimeUnit], or any other number
    public static int timeBits(int unit) {
        return !TimeUnit.NAMES.isKnown(unit)
                ? 0
                : unit <= TimeUnit.MILLISECOND ? Integer.SIZE : Long.SIZE;
    }
}
