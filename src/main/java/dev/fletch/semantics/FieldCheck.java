// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.format.FormatRules.*;
import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Rule;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.verify.FieldDeclaration;
import dev.fletch.format.Date;
import dev.fletch.format.Decimal;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Duration;
import dev.fletch.format.Field;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.Time;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;
import dev.fletch.format.Union;
import dev.fletch.format.rules.AnyTable;
import dev.fletch.format.rules.TypeFacts;

/// The rules of one field: its type, the type's parameters, and its children. Each check returns
/// whether to continue.
final class FieldCheck {
    private final Report report;
    private final AnyTable type = new AnyTable();
    private final Int integer = new Int();
    private final Field first = new Field();
    private final Field key = new Field();

    FieldCheck(Report report) {
        this.report = report;
    }

    boolean check(Field field) {
        return type(field, field.typeType(), Field.TYPE_TYPE_SLOT, Field.TYPE_SLOT)
                && children(field);
    }

    // ---- the type

    /// The rules of a type, of a field or tensor.
    ///
    /// @param owner bound to the table with the type
    /// @param id the type's number
    /// @param tagSlot of the number
    /// @param slot of the type's table
    boolean type(Table owner, int id, int tagSlot, int slot) {
        if (id == Type.NONE) {
            return report.add(NO_TYPE, owner.position(tagSlot), id, "typeType");
        }
        if (!Type.NAMES.isKnown(id)) {
            return report.add(UNKNOWN_TYPE, owner.position(tagSlot), id, "typeType");
        }
        if (!type.bindType(owner, id, slot)) {
            final boolean isEmpty = type.declaration().fields().isEmpty();
            final Rule rule = isEmpty ? NO_EMPTY_TYPE_TABLE : NO_TYPE_TABLE;
            return report.add(rule, owner.position(slot), id, "type");
        }
        return switch (id) {
            case Type.INT ->
                    TypeFacts.isIntWidth(number(Int.BIT_WIDTH_SLOT))
                            || add(INT_WIDTH, Int.BIT_WIDTH_SLOT);
            case Type.FLOATING_POINT -> symbol(FLOAT_PRECISION, FloatingPoint.PRECISION_SLOT);
            case Type.DECIMAL -> decimal();
            case Type.DATE -> symbol(DATE_UNIT, Date.UNIT_SLOT);
            case Type.TIME -> time();
            case Type.TIMESTAMP -> symbol(TIMESTAMP_UNIT, Timestamp.UNIT_SLOT);
            case Type.DURATION -> symbol(DURATION_UNIT, Duration.UNIT_SLOT);
            case Type.INTERVAL -> symbol(INTERVAL_UNIT, Interval.UNIT_SLOT);
            case Type.FIXED_SIZE_BINARY -> size(BYTE_WIDTH, FixedSizeBinary.BYTE_WIDTH_SLOT);
            case Type.FIXED_SIZE_LIST -> size(LIST_SIZE, FixedSizeList.LIST_SIZE_SLOT);
            case Type.UNION -> symbol(UNION_MODE, Union.MODE_SLOT);
            default -> true;
        };
    }

    /// {@return bits of a value of the last type; 0 if they vary}
    long valueBits(int id) {
        return TypeFacts.of(id).valueBits(type);
    }

    private int number(int slot) {
        return (int) type.number(slot);
    }

    /// Reports a parameter.
    private boolean add(Rule rule, int slot) {
        final FieldDeclaration parameter = type.declaration().fields().get(slot);
        final String path = "type." + parameter.name();
        return report.add(rule, type.position(slot), type.number(slot), path);
    }

    private boolean symbol(Rule rule, int slot) {
        final FieldDeclaration parameter = type.declaration().fields().get(slot);
        return parameter.type().isKnown(type.number(slot)) || add(rule, slot);
    }

    private boolean size(Rule rule, int slot) {
        return number(slot) >= 0 || add(rule, slot);
    }

    private boolean decimal() {
        final int most = TypeFacts.maxDecimalPrecision(number(Decimal.BIT_WIDTH_SLOT));
        if (most == 0) {
            return add(DECIMAL_WIDTH, Decimal.BIT_WIDTH_SLOT);
        }
        final int precision = number(Decimal.PRECISION_SLOT);
        return precision >= 1 && precision <= most
                || add(DECIMAL_PRECISION, Decimal.PRECISION_SLOT);
    }

    private boolean time() {
        final int bits = TypeFacts.timeBits(number(Time.UNIT_SLOT));
        if (bits == 0) {
            return add(TIME_UNIT, Time.UNIT_SLOT);
        }
        return number(Time.BIT_WIDTH_SLOT) == bits || add(TIME_WIDTH, Time.BIT_WIDTH_SLOT);
    }

    /// The rules of a dictionary encoding.
    ///
    /// @param index bound to its index type, if present
    /// @param bits width of an index
    boolean encoding(DictionaryEncoding encoding, Int index, int bits) {
        final int kind = encoding.dictionaryKind();
        final long at = encoding.position(DictionaryEncoding.DICTIONARY_KIND_SLOT);
        if (!DictionaryKind.NAMES.isKnown(kind)
                && !report.add(DICTIONARY_KIND, at, kind, "dictionary.dictionaryKind")) {
            return false;
        }
        return TypeFacts.isIntWidth(bits)
                || report.add(
                        INDEX_WIDTH,
                        index.position(Int.BIT_WIDTH_SLOT),
                        bits,
                        "dictionary.indexType.bitWidth");
    }

    // ---- the children

    private boolean children(Field field) {
        final TypeFacts facts = TypeFacts.of(field.typeType());
        if (!facts.isKnown()) {
            return true;
        }
        if (facts.children() != TypeFacts.ANY_CHILDREN
                && facts.children() != field.childrenCount()) {
            return children(field, childCount(facts));
        }
        return switch (facts.id()) {
            case Type.MAP -> entries(field);
            case Type.RUN_END_ENCODED -> runEnds(field);
            case Type.UNION -> union(field);
            default -> true;
        };
    }

    private static Rule childCount(TypeFacts facts) {
        return switch (facts.id()) {
            case Type.MAP -> MAP_CHILDREN;
            case Type.RUN_END_ENCODED -> RUN_END_CHILDREN;
            default -> facts.children() == 0 ? LEAF_CHILDREN : LIST_CHILDREN;
        };
    }

    private boolean children(Field field, Rule rule) {
        final long at = field.targetPosition(Field.CHILDREN_SLOT);
        return report.add(rule, at, field.childrenCount(), "children");
    }

    private boolean firstChild(Rule rule, int slot, long value, String tail) {
        return report.add(rule, first.position(slot), value, "children", 0, tail);
    }

    private boolean entries(Field field) {
        field.children(0, first);
        if (first.typeType() != Type.STRUCT_ || first.isPresent(Field.DICTIONARY_SLOT)) {
            return firstChild(MAP_ENTRIES_TYPE, Field.TYPE_TYPE_SLOT, first.typeType(), "typeType");
        }
        if (first.nullable()
                && !firstChild(MAP_ENTRIES_NULLABLE, Field.NULLABLE_SLOT, 1, "nullable")) {
            return false;
        }
        if (first.childrenCount() != 2) {
            final long at = first.targetPosition(Field.CHILDREN_SLOT);
            final int count = first.childrenCount();
            return report.add(MAP_ENTRIES_CHILDREN, at, count, "children", 0, "children");
        }
        first.children(0, key);
        final long at = key.position(Field.NULLABLE_SLOT);
        final String tail = "children[0].nullable";
        return !key.nullable() || report.add(MAP_KEY_NULLABLE, at, 1, "children", 0, tail);
    }

    private boolean runEnds(Field field) {
        field.children(0, first);
        final boolean isValid =
                first.type(integer)
                        && integer.isSigned()
                        && integer.bitWidth() != Byte.SIZE
                        && !first.isPresent(Field.DICTIONARY_SLOT);
        if (!isValid
                && !firstChild(RUN_ENDS_TYPE, Field.TYPE_TYPE_SLOT, first.typeType(), "typeType")) {
            return false;
        }
        return !first.nullable()
                || firstChild(RUN_ENDS_NULLABLE, Field.NULLABLE_SLOT, 1, "nullable");
    }

    private boolean union(Field field) {
        final int count = field.childrenCount();
        if (count > TypeFacts.MAX_UNION_CHILDREN) {
            return children(field, UNION_CHILDREN);
        }
        if (!type.bindType(field) || !type.isPresent(Union.TYPE_IDS_SLOT)) {
            return true;
        }
        final long at = type.targetPosition(Union.TYPE_IDS_SLOT);
        final int ids = type.count(Union.TYPE_IDS_SLOT);
        if (ids != count) {
            return report.add(UNION_TYPE_IDS, at, ids, "type.typeIds");
        }
        final boolean[] seen = new boolean[TypeFacts.MAX_UNION_CHILDREN];
        boolean goOn = true;
        for (int i = 0; i < ids && goOn; i++) {
            final long id = type.element(Union.TYPE_IDS_SLOT, i);
            final long element = at + (1L + i) * Integer.BYTES;
            if (id < 0 || id >= TypeFacts.MAX_UNION_CHILDREN) {
                goOn = report.add(UNION_TYPE_ID_RANGE, element, id, "type.typeIds", i, "");
            } else if (seen[(int) id]) {
                goOn = report.add(UNION_TYPE_ID_REPEATED, element, id, "type.typeIds", i, "");
            } else {
                seen[(int) id] = true;
            }
        }
        return goOn;
    }
}
