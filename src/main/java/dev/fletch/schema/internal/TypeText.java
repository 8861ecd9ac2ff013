// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.format.Decimal;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.Map;
import dev.fletch.format.Time;
import dev.fletch.format.Union;
import dev.fletch.format.ids.DictionaryKind;
import dev.fletch.format.ids.Precision;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.format.internal.tables.TypeParameters;
import dev.fletch.wire.Escaper;

import java.util.Locale;
import java.util.StringJoiner;

/// Types as text for display. Unknown or contradictory parameters are
/// numbers.
public final class TypeText {
    private static final int DEFAULT_DECIMAL_BITS = 128;

    private TypeText() {}

    /// {@return a field's type for display, also if it is unknown or lacks its table}
    public static String of(Field field) {
        int id = field.typeType();
        TypeFacts facts = TypeFacts.of(id);
        if (!facts.isKnown()) {
            return id == Type.NONE ? "no type" : "unknown type " + id;
        }
        AnyTable type = new AnyTable();
        return type.bindType(field, field.typeType(), Field.TYPE_SLOT)
                ? of(facts, type)
                : facts.name() + " (without its table)";
    }

    /// {@return a field's dictionary encoding for display; null if it has none}
    static String dictionary(Field field) {
        DictionaryEncoding dictionary = new DictionaryEncoding();
        if (!field.dictionary(dictionary)) {
            return null;
        }
        Int index = new Int();
        boolean isStored = dictionary.indexType(index);
        AnyTable type = isStored ? new AnyTable().bind(index, "Int") : null;
        String indexes = isStored ? of(TypeFacts.of(Type.INT), type) : "int32"; // the default
        int kind = dictionary.dictionaryKind();
        return "dictionary "
                + dictionary.id()
                + (" (" + indexes)
                + (dictionary.isOrdered() ? ", ordered" : "")
                + (kind == DictionaryKind.DENSE_ARRAY ? "" : ", " + DictionaryKind.NAMES.name(kind))
                + ")";
    }

    /// {@return a type for display, such as `int32`, `decimal(38, 10)` or `timestamp(microsecond,
    /// UTC)`}
    ///
    /// @param facts a known type
    /// @param type its parameters
    public static String of(TypeFacts facts, TypeParameters type) {
        return switch (facts.id()) {
            case Type.INT ->
                    (type.number(Int.IS_SIGNED_SLOT) != 0 ? "int" : "uint")
                            + type.number(Int.BIT_WIDTH_SLOT);
            case Type.FLOATING_POINT -> {
                long bits = facts.valueBits(type);
                yield bits != 0
                        ? "float" + bits
                        : "float(" + Precision.NAMES.name(type.number(facts.widthSlot())) + ")";
            }
            case Type.DECIMAL -> {
                long bits = type.number(Decimal.BIT_WIDTH_SLOT);
                yield "decimal"
                        + (bits == DEFAULT_DECIMAL_BITS ? "" : bits)
                        + ("(" + type.number(Decimal.PRECISION_SLOT))
                        + (", " + type.number(Decimal.SCALE_SLOT) + ")");
            }
            case Type.TIME -> "time(" + time(facts, type) + ")";
            case Type.MAP -> type.number(Map.KEYS_SORTED_SLOT) != 0 ? "map(keys sorted)" : "map";
            default -> facts.parameters().isEmpty() ? facts.name() : listed(facts, type);
        };
    }

    /// The unit implies the width, so only a contradicting width is shown.
    private static String time(TypeFacts facts, TypeParameters type) {
        String unit = symbol(facts.parameters().get(Time.UNIT_SLOT), type);
        long bits = type.number(Time.BIT_WIDTH_SLOT);
        int implied = TypeFacts.timeBits((int) type.number(Time.UNIT_SLOT));
        return bits == implied ? unit : unit + ", " + bits + " bits";
    }

    private static String listed(TypeFacts facts, TypeParameters type) {
        StringJoiner parts = new StringJoiner(", ", facts.name() + "(", ")");
        for (FieldDeclaration each : facts.parameters()) {
            switch (each.kind()) {
                case STRING -> {
                    String text = type.string(each.slot());
                    if (text != null) {
                        parts.add(Escaper.name(text));
                    }
                }
                case VECTOR -> {
                    if (type.isPresent(each.slot())) {
                        parts.add(typeIds(type));
                    }
                }
                default -> parts.add(symbol(each, type));
            }
        }
        return parts.toString();
    }

    private static String typeIds(TypeParameters type) {
        StringBuilder out = new StringBuilder("ids");
        for (int i = 0; i < type.count(Union.TYPE_IDS_SLOT); i++) {
            out.append(' ').append(type.element(Union.TYPE_IDS_SLOT, i));
        }
        return out.toString();
    }

    /// A number, or the name of a known enum value.
    private static String symbol(FieldDeclaration parameter, TypeParameters type) {
        InlineType enumType = parameter.type();
        long value = type.number(parameter.slot());
        if (!enumType.isNamed()) {
            return Long.toString(value);
        }
        String name = enumType.symbol(value);
        return enumType.isKnown(value) ? name.toLowerCase(Locale.ROOT) : name;
    }
}
