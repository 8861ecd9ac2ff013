// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static dev.fletch.MeaningRule.*;

import dev.fletch.Rule;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.format.Decimal;
import dev.fletch.format.Int;
import dev.fletch.format.Time;
import dev.fletch.format.ids.DictionaryKind;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.format.internal.tables.TypeParameters;

import java.util.BitSet;

/// The rules of types, their children and dictionary encodings, as functions of their numbers: for
/// tables, which the semantic verifier checks, and for values, which their constructors check.
///
/// The functions return the broken rule; null if there is none.
public final class TypeCheck {
    private TypeCheck() {}

    // ---- types

    /// The rules of a type's number, and of the presence of its table.
    public static Rule type(int type, boolean hasTable) {
        if (!TypeFacts.of(type).isKnown()) {
            return withoutShape(type);
        }
        if (hasTable) {
            return null;
        }
        return TypeFacts.of(type).parameters().isEmpty() ? NO_EMPTY_TYPE_TABLE : NO_TYPE_TABLE;
    }

    /// The rule that a field breaks whose buffers are unknown: that of its type, or of its union's
    /// mode.
    public static Rule withoutShape(int type) {
        return switch (type) {
            case Type.NONE -> NO_TYPE;
            case Type.UNION -> UNION_MODE;
            default -> UNKNOWN_TYPE;
        };
    }

    /// {@return the slot of the first invalid parameter of a type; -1 if there is none.
    /// [#parameter] has its rule}
    public static int invalidParameter(int type, TypeParameters parameters) {
        for (FieldDeclaration each : TypeFacts.of(type).parameters()) {
            if (!each.isOffset() && !isValid(type, each, parameters)) {
                return each.slot();
            }
        }
        return -1;
    }

    private static boolean isValid(
            int type, FieldDeclaration parameter, TypeParameters parameters) {
        int slot = parameter.slot();
        int value = (int) parameters.number(slot);
        if (parameter.bytes() == Byte.BYTES) {
            return true; // a boolean: any number but 0 is true
        }
        if (parameter.type().isNamed()) {
            return parameter.type().isKnown(value);
        }
        return switch (type) {
            case Type.INT -> slot != Int.BIT_WIDTH_SLOT || TypeFacts.isIntWidth(value);
            case Type.DECIMAL -> {
                int bits = (int) parameters.number(Decimal.BIT_WIDTH_SLOT);
                int limit = TypeFacts.maxDecimalPrecision(bits);
                yield switch (slot) {
                    case Decimal.PRECISION_SLOT -> limit == 0 || value >= 1 && value <= limit;
                    case Decimal.BIT_WIDTH_SLOT -> limit != 0;
                    default -> true;
                };
            }
            case Type.TIME -> value == TypeFacts.timeBits((int) parameters.number(Time.UNIT_SLOT));
            case Type.FIXED_SIZE_BINARY, Type.FIXED_SIZE_LIST -> value >= 0;
            default -> true;
        };
    }

    /// {@return the rule of a parameter that is a number}
    public static Rule parameter(int type, int slot) {
        return switch (type) {
            case Type.INT -> INT_WIDTH;
            case Type.FLOATING_POINT -> FLOAT_PRECISION;
            case Type.DECIMAL -> slot == Decimal.BIT_WIDTH_SLOT ? DECIMAL_WIDTH : DECIMAL_PRECISION;
            case Type.DATE -> DATE_UNIT;
            case Type.TIME -> slot == Time.UNIT_SLOT ? TIME_UNIT : TIME_WIDTH;
            case Type.TIMESTAMP -> TIMESTAMP_UNIT;
            case Type.DURATION -> DURATION_UNIT;
            case Type.INTERVAL -> INTERVAL_UNIT;
            case Type.FIXED_SIZE_BINARY -> BYTE_WIDTH;
            case Type.FIXED_SIZE_LIST -> LIST_SIZE;
            case Type.UNION -> UNION_MODE;
            default -> throw new IllegalArgumentException("type has no rule: type=" + type);
        };
    }

    /// The rule of the width of integers, for an integer outside of a field.
    public static Rule intWidth(int bits) {
        return TypeFacts.isIntWidth(bits) ? null : INT_WIDTH;
    }

    // ---- children

    public static Rule children(int type, int count) {
        TypeFacts facts = TypeFacts.of(type);
        if (type == Type.UNION) {
            return count <= TypeFacts.MAX_UNION_CHILDREN ? null : UNION_CHILDREN;
        }
        if (facts.children() == TypeFacts.ANY_CHILDREN || facts.children() == count) {
            return null;
        }
        return switch (type) {
            case Type.MAP -> MAP_CHILDREN;
            case Type.RUN_END_ENCODED -> RUN_END_CHILDREN;
            default -> facts.children() == 0 ? LEAF_CHILDREN : LIST_CHILDREN;
        };
    }

    /// @param isEncoded whether the entries are dictionary-encoded
    public static Rule entriesType(int type, boolean isEncoded) {
        return type == Type.STRUCT_ && !isEncoded ? null : MAP_ENTRIES_TYPE;
    }

    public static Rule entriesChildren(int count) {
        return count == 2 ? null : MAP_ENTRIES_CHILDREN;
    }

    /// The rule of the type of run ends, whose width is a valid one.
    ///
    /// @param isEncoded whether the run ends are dictionary-encoded
    public static Rule runEnds(int type, int bits, boolean isSigned, boolean isEncoded) {
        boolean isValid = type == Type.INT && isSigned && bits != Byte.SIZE && !isEncoded;
        return isValid ? null : RUN_ENDS_TYPE;
    }

    public static Rule typeIds(int count, int children) {
        return count == children ? null : UNION_TYPE_IDS;
    }

    /// The rules of one type id.
    ///
    /// @param earlier the valid ids before it; a valid id is added
    public static Rule typeId(long id, BitSet earlier) {
        if (id < 0 || id >= TypeFacts.MAX_UNION_CHILDREN) {
            return UNION_TYPE_ID_RANGE;
        }
        if (earlier.get((int) id)) {
            return UNION_TYPE_ID_REPEATED;
        }
        earlier.set((int) id);
        return null;
    }

    // ---- dictionary encodings

    public static Rule dictionaryKind(int kind) {
        return DictionaryKind.NAMES.isKnown(kind) ? null : DICTIONARY_KIND;
    }

    public static Rule indexWidth(int bits) {
        return TypeFacts.isIntWidth(bits) ? null : INDEX_WIDTH;
    }
}
