// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import dev.fletch.cli.text.Printable;
import dev.fletch.format.DateUnit;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.IntervalUnit;
import dev.fletch.format.Precision;
import dev.fletch.format.TimeUnit;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;
import dev.fletch.format.Union;
import dev.fletch.format.UnionMode;

import java.util.Locale;

/// Types as a person reads them: `int32`, `decimal(38, 10)`, `timestamp(microsecond, UTC)`.
public final class TypeText {
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final TypeTables tables = new TypeTables();
    private final SchemaWalk walk;

    public TypeText(SchemaWalk walk) {
        this.walk = walk;
    }

    /// The type of a field.
    public String of(Field field) {
        int id = field.typeType();
        if (id == Type.NONE) {
            return "no type";
        }
        if (!Type.NAMES.isKnown(id)) {
            return "unknown type " + id;
        }
        return field.isPresent(Field.TYPE_SLOT)
                ? known(id, field)
                : spelled(id) + " (without its table)";
    }

    private String known(int id, Field field) {
        return switch (id) {
            case Type.INT -> integer(field);
            case Type.FLOATING_POINT -> floatingPoint(field);
            case Type.DECIMAL -> decimal(field);
            case Type.DATE -> "date(" + date(field) + ")";
            case Type.TIME -> time(field);
            case Type.TIMESTAMP -> timestamp(field);
            case Type.INTERVAL -> "interval(" + interval(field) + ")";
            case Type.DURATION -> "duration(" + duration(field) + ")";
            case Type.FIXED_SIZE_BINARY -> "fixed_size_binary(" + byteWidth(field) + ")";
            case Type.FIXED_SIZE_LIST -> "fixed_size_list(" + listSize(field) + ")";
            case Type.MAP -> keysSorted(field) ? "map(keys sorted)" : "map";
            case Type.UNION -> union(field);
            default -> spelled(id);
        };
    }

    /// A name of the declarations as a word of its own: `FixedSizeList` becomes `fixed_size_list`.
    private static String spelled(int id) {
        String declared = Type.NAMES.name(id);
        StringBuilder out = new StringBuilder(declared.length() + 4);
        for (int i = 0; i < declared.length(); i++) {
            char c = declared.charAt(i);
            if (c == '_') {
                continue;
            }
            if (i > 0 && Character.isUpperCase(c)) {
                out.append('_');
            }
            out.append(Character.toLowerCase(c));
        }
        return out.toString();
    }

    private String integer(Field field) {
        field.type(tables.integer);
        return integer(tables.integer);
    }

    /// An integer type, which is also that of a dictionary's indexes.
    static String integer(Int type) {
        return (type.isSigned() ? "int" : "uint") + type.bitWidth();
    }

    private String floatingPoint(Field field) {
        field.type(tables.floatingPoint);
        int precision = tables.floatingPoint.precision();
        return switch (precision) {
            case Precision.HALF -> "float16";
            case Precision.SINGLE -> "float32";
            case Precision.DOUBLE -> "float64";
            default -> "float(" + Precision.NAMES.name(precision) + ")";
        };
    }

    private String decimal(Field field) {
        var type = tables.decimal;
        field.type(type);
        String width = type.bitWidth() == 128 ? "" : Integer.toString(type.bitWidth());
        return "decimal" + width + "(" + type.precision() + ", " + type.scale() + ")";
    }

    private String date(Field field) {
        field.type(tables.date);
        int unit = tables.date.unit();
        return unit(DateUnit.NAMES.name(unit), DateUnit.NAMES.isKnown(unit));
    }

    private String time(Field field) {
        var type = tables.time;
        field.type(type);
        // The unit implies the width; one that contradicts it is worth a word.
        int implied = type.unit() > TimeUnit.MILLISECOND ? 64 : 32;
        String width = type.bitWidth() == implied ? "" : ", " + type.bitWidth() + " bits";
        return "time(" + timeUnit(type.unit()) + width + ")";
    }

    private String timestamp(Field field) {
        Timestamp type = tables.timestamp;
        field.type(type);
        String zone = walk.timezone(type);
        String unit = timeUnit(type.unit());
        return "timestamp(" + (zone == null ? unit : unit + ", " + Printable.name(zone)) + ")";
    }

    private String interval(Field field) {
        field.type(tables.interval);
        int unit = tables.interval.unit();
        return unit(IntervalUnit.NAMES.name(unit), IntervalUnit.NAMES.isKnown(unit));
    }

    private String duration(Field field) {
        field.type(tables.duration);
        return timeUnit(tables.duration.unit());
    }

    private static String timeUnit(int unit) {
        return unit(TimeUnit.NAMES.name(unit), TimeUnit.NAMES.isKnown(unit));
    }

    private static String unit(String name, boolean known) {
        return known ? name.toLowerCase(Locale.ROOT) : name;
    }

    private int byteWidth(Field field) {
        field.type(tables.fixedSizeBinary);
        return tables.fixedSizeBinary.byteWidth();
    }

    private int listSize(Field field) {
        field.type(tables.fixedSizeList);
        return tables.fixedSizeList.listSize();
    }

    private boolean keysSorted(Field field) {
        field.type(tables.map);
        return tables.map.keysSorted();
    }

    /// How a field is encoded by a dictionary, null if it is not.
    public String dictionary(Field field) {
        if (!field.dictionary(dictionary)) {
            return null;
        }
        // The format takes an absent index type for a signed one of 32 bits.
        boolean stored = dictionary.indexType(tables.integer);
        String indexes = stored ? integer(tables.integer) : "int32";
        int kind = dictionary.dictionaryKind();
        return "dictionary "
                + dictionary.id()
                + " ("
                + indexes
                + (dictionary.isOrdered() ? ", ordered" : "")
                + (kind == DictionaryKind.DENSE_ARRAY ? "" : ", " + DictionaryKind.NAMES.name(kind))
                + ")";
    }

    /// Ids are shown where they are stored; else a child's id is its index.
    private String union(Field field) {
        Union type = tables.union;
        field.type(type);
        StringBuilder out = new StringBuilder("union(");
        out.append(unit(UnionMode.NAMES.name(type.mode()), UnionMode.NAMES.isKnown(type.mode())));
        if (type.isPresent(Union.TYPE_IDS_SLOT)) {
            out.append(", ids");
            for (int i = 0; i < type.typeIdsCount(); i++) {
                out.append(' ').append(walk.typeId(type, i));
            }
        }
        return out.append(')').toString();
    }
}
