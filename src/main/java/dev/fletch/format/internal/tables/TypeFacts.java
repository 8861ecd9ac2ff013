// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal.tables;

import static dev.fletch.format.internal.tables.BufferShape.*;
import static dev.fletch.format.internal.tables.TypeFacts.Width.*;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.TimeUnit;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.wire.Words;

import java.util.List;
import java.util.Locale;

/// The properties of each type of the format, one row per type, used by all code that covers all
/// types.
///
/// Source: `format/Schema.fbs`, union `Type`; the chapter "Physical Memory Layout" of Arrow's
/// columnar format.
///
/// @param id one of [Type]
/// @param name for display, such as `fixed_size_list`
/// @param table the parameters with their slots, names, enums and defaults
/// @param shapes the buffers, of a union by mode; followed by those of metadata version V4 if they
///     differ
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
        TableDeclaration table,
        List<BufferShape> shapes,
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

    /// Maximum number of a union's children, whose type ids are 0 to 127.
    public static final int MAX_UNION_CHILDREN = 128;

    /// Width of dictionary indices without a declared type.
    public static final int DEFAULT_INDEX_BITS = 32;

    /// Size of a view in bytes.
    ///
    /// ```text
    ///   0  i32  length
    ///   4       the bytes themselves, if they are at most INLINE_BYTES, then zeros; else
    ///   4       the first four bytes
    ///   8  i32  number of the variadic buffer: VIEW_BUFFER_AT
    ///  12  i32  offset in that buffer: VIEW_OFFSET_AT
    /// ```
    public static final int VIEW_BYTES = 16;

    public static final int VIEW_BUFFER_AT = 8;
    public static final int VIEW_OFFSET_AT = 12;

    /// Maximum length in bytes of a value that is inside its view.
    public static final int INLINE_BYTES = Words.INLINE_BYTES;

    private static final String[] ITEM = {"item"};

    private static final List<BufferShape> UNION_SHAPES =
            List.of(SPARSE_UNION, DENSE_UNION, SPARSE_UNION_V4, DENSE_UNION_V4);

    private static final TypeFacts UNKNOWN =
            new TypeFacts(
                    Type.NONE,
                    "none",
                    TableDeclaration.of(""),
                    List.of(BufferShape.UNKNOWN),
                    VARIABLE,
                    0,
                    0,
                    0,
                    0,
                    List.of());

    private static final TypeFacts[] ALL = {
        UNKNOWN,
        row(Type.NULL, NOTHING, 0, 0),
        fixed(Type.INT, STORED, 1, "bitWidth"),
        fixed(Type.FLOATING_POINT, DOUBLING, 16, "precision"),
        row(Type.BINARY, VARIABLE_WIDTH, Integer.BYTES, 0),
        row(Type.UTF8, VARIABLE_WIDTH, Integer.BYTES, 0),
        fixed(Type.BOOL, FIXED, 1, ""),
        fixed(Type.DECIMAL, STORED, 1, "bitWidth"),
        fixed(Type.DATE, DOUBLING, 32, "unit"),
        fixed(Type.TIME, STORED, 1, "bitWidth"),
        fixed(Type.TIMESTAMP, FIXED, 64, ""),
        fixed(Type.INTERVAL, DOUBLING, 32, "unit"),
        row(Type.LIST, LIST, Integer.BYTES, 1, ITEM),
        row(Type.STRUCT_, VALIDITY_ONLY, 0, ANY_CHILDREN),
        row(Type.UNION, UNION_SHAPES, Integer.BYTES, ANY_CHILDREN),
        fixed(Type.FIXED_SIZE_BINARY, STORED, Byte.SIZE, "byteWidth"),
        row(Type.FIXED_SIZE_LIST, VALIDITY_ONLY, 0, 1, ITEM),
        row(Type.MAP, LIST, Integer.BYTES, 1, "entries"),
        fixed(Type.DURATION, FIXED, 64, ""),
        row(Type.LARGE_BINARY, VARIABLE_WIDTH, Long.BYTES, 0),
        row(Type.LARGE_UTF8, VARIABLE_WIDTH, Long.BYTES, 0),
        row(Type.LARGE_LIST, LIST, Long.BYTES, 1, ITEM),
        row(Type.RUN_END_ENCODED, List.of(NOTHING, VALIDITY_ONLY), 0, 2, "run_ends", "values"),
        row(Type.BINARY_VIEW, VIEW, 0, 0),
        row(Type.UTF8_VIEW, VIEW, 0, 0),
        row(Type.LIST_VIEW, LIST_VIEW, Integer.BYTES, 1, ITEM),
        row(Type.LARGE_LIST_VIEW, LIST_VIEW, Long.BYTES, 1, ITEM),
    };

    /// @param parameter that determines the width; empty if there is none
    private static TypeFacts fixed(int id, Width width, int bits, String parameter) {
        TableDeclaration table = table(id);
        int slot = parameter.isEmpty() ? 0 : table.field(parameter).slot();
        List<BufferShape> shapes = List.of(FIXED_WIDTH);
        return new TypeFacts(id, name(id), table, shapes, width, bits, slot, 0, 0, List.of());
    }

    private static TypeFacts row(
            int id, BufferShape shape, int offsetBytes, int children, String... names) {
        return row(id, List.of(shape), offsetBytes, children, names);
    }

    private static TypeFacts row(
            int id, List<BufferShape> shapes, int offsetBytes, int children, String... names) {
        return new TypeFacts(
                id,
                name(id),
                table(id),
                shapes,
                VARIABLE,
                0,
                0,
                offsetBytes,
                children,
                List.of(names));
    }

    private static TableDeclaration table(int id) {
        return ArrowRules.SET.table(ArrowRules.SET.kind(Type.NAMES.name(id)));
    }

    /// `FixedSizeList` becomes `fixed_size_list`, and `Struct_` becomes `struct`.
    private static String name(int id) {
        String declared = Type.NAMES.name(id).replace("_", "");
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
    public List<FieldDeclaration> parameters() {
        return table.fields();
    }

    /// {@return the name in integration JSON, such as `fixedsizelist`}
    public String jsonName() {
        return name.replace("_", "");
    }

    /// {@return whether names of children are part of the type: those of list items are not}
    public boolean hasNamedChildren() {
        return childNames.isEmpty();
    }

    /// {@return whether the buffers depend on the metadata version}
    public boolean dependsOnVersion() {
        return shapes.size() > 1;
    }

    /// {@return the buffers; [BufferShape#UNKNOWN] for an unknown type or union mode}
    ///
    /// @param unionMode one of [UnionMode]; ignored for other types
    /// @param version metadata version, one of [MetadataVersion]
    public BufferShape shape(int unionMode, int version) {
        if (!dependsOnVersion()) {
            return shapes.getFirst();
        }
        int mode = id == Type.UNION ? unionMode : 0;
        int first = version == MetadataVersion.V4 ? shapes.size() / 2 : 0;
        return UnionMode.NAMES.isKnown(mode) ? shapes.get(first + mode) : BufferShape.UNKNOWN;
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
                long value = parameters.number(widthSlot);
                boolean isKnown = table.fields().get(widthSlot).type().isKnown(value);
                yield isKnown ? (long) widthBits << value : 0;
            }
        };
    }

    /// {@return least length in bytes of a buffer of values, [Long#MAX_VALUE] if it is larger; 0 if
    /// it depends on the values}
    ///
    /// @param role of the buffer
    /// @param count number of values, at least 0
    /// @param valueBits bits per value in the data buffer; 0 if values have no fixed width
    public long leastBytes(BufferRole role, long count, long valueBits) {
        return bytes(shapes.getFirst().count(role, count), bits(role, valueBits));
    }

    /// {@return bytes of numbers, [Long#MAX_VALUE] if they are more}
    ///
    /// @param count at least 0
    /// @param bits of a number
    public static long bytes(long count, long bits) {
        return bits == 1 ? Math.ceilDiv(count, Byte.SIZE) : product(count, bits / Byte.SIZE);
    }

    /// {@return bits of a number in a buffer of values; 0 if they have no fixed width}
    ///
    /// @param role of the buffer
    /// @param valueBits bits per value in the data buffer; 0 if values have no fixed width
    public long bits(BufferRole role, long valueBits) {
        return switch (role) {
            case VALIDITY -> 1;
            case OFFSETS, SIZES -> Byte.SIZE * offsetBytes;
            case TYPE_IDS -> Byte.SIZE;
            case VIEWS -> Byte.SIZE * VIEW_BYTES;
            case DATA -> valueBits;
            case VARIADIC -> 0;
        };
    }

    /// {@return a product, [Long#MAX_VALUE] if it is larger}
    ///
    /// @param count at least 0
    /// @param width at least 0
    public static long product(long count, long width) {
        return width > 0 && count > Long.MAX_VALUE / width ? Long.MAX_VALUE : count * width;
    }

    /// {@return whether an integer may have a width in bits}
    public static boolean isIntWidth(int bits) {
        return bits == 8 || bits == 16 || bits == 32 || bits == 64;
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
