// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Rule;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.Type;
import dev.fletch.format.Union;
import dev.fletch.format.rules.AnyTable;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.semantics.rules.TypeCheck;

import java.util.BitSet;

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
        boolean hasTable = type.bindType(owner, id, slot);
        Rule broken = TypeCheck.type(id, hasTable);
        if (broken != null) {
            return TypeFacts.of(id).isKnown()
                    ? report.add(broken, owner.position(slot), id, "type")
                    : report.add(broken, owner.position(tagSlot), id, "typeType");
        }
        int invalid = TypeCheck.invalidParameter(id, type);
        if (invalid < 0) {
            return true;
        }
        String path = "type." + type.declaration().fields().get(invalid).name();
        Rule rule = TypeCheck.parameter(id, invalid);
        return report.add(rule, type.position(invalid), type.number(invalid), path);
    }

    /// {@return bits of a value of the last type; 0 if they vary}
    long valueBits(int id) {
        return TypeFacts.of(id).valueBits(type);
    }

    /// The rules of a dictionary encoding.
    ///
    /// @param index bound to its index type, if present
    /// @param bits width of an index
    boolean encoding(DictionaryEncoding encoding, Int index, int bits) {
        int kind = encoding.dictionaryKind();
        long at = encoding.position(DictionaryEncoding.DICTIONARY_KIND_SLOT);
        Rule ofKind = TypeCheck.dictionaryKind(kind);
        if (ofKind != null && !report.add(ofKind, at, kind, "dictionary.dictionaryKind")) {
            return false;
        }
        Rule ofWidth = TypeCheck.indexWidth(bits);
        return ofWidth == null
                || report.add(
                        ofWidth,
                        index.position(Int.BIT_WIDTH_SLOT),
                        bits,
                        "dictionary.indexType.bitWidth");
    }

    // ---- the children

    private boolean children(Field field) {
        int id = field.typeType();
        if (!TypeFacts.of(id).isKnown()) {
            return true;
        }
        Rule broken = TypeCheck.children(id, field.childrenCount());
        if (broken != null) {
            long at = field.targetPosition(Field.CHILDREN_SLOT);
            return report.add(broken, at, field.childrenCount(), "children");
        }
        return switch (id) {
            case Type.MAP -> entries(field);
            case Type.RUN_END_ENCODED -> runEnds(field);
            case Type.UNION -> typeIds(field);
            default -> true;
        };
    }

    private boolean firstChild(Rule rule, int slot, long value, String tail) {
        return report.add(rule, first.position(slot), value, "children", 0, tail);
    }

    private boolean entries(Field field) {
        field.children(0, first);
        Rule ofType =
                TypeCheck.entriesType(first.typeType(), first.isPresent(Field.DICTIONARY_SLOT));
        if (ofType != null) {
            return firstChild(ofType, Field.TYPE_TYPE_SLOT, first.typeType(), "typeType");
        }
        if (first.nullable()
                && !firstChild(MAP_ENTRIES_NULLABLE, Field.NULLABLE_SLOT, 1, "nullable")) {
            return false;
        }
        int count = first.childrenCount();
        Rule ofCount = TypeCheck.entriesChildren(count);
        if (ofCount != null) {
            long at = first.targetPosition(Field.CHILDREN_SLOT);
            return report.add(ofCount, at, count, "children", 0, "children");
        }
        first.children(0, key);
        long at = key.position(Field.NULLABLE_SLOT);
        String tail = "children[0].nullable";
        return !key.nullable() || report.add(MAP_KEY_NULLABLE, at, 1, "children", 0, tail);
    }

    private boolean runEnds(Field field) {
        field.children(0, first);
        boolean isInteger = first.type(integer);
        Rule ofType =
                TypeCheck.runEnds(
                        first.typeType(),
                        isInteger ? integer.bitWidth() : 0,
                        isInteger && integer.isSigned(),
                        first.isPresent(Field.DICTIONARY_SLOT));
        if (ofType != null
                && !firstChild(ofType, Field.TYPE_TYPE_SLOT, first.typeType(), "typeType")) {
            return false;
        }
        return !first.nullable()
                || firstChild(RUN_ENDS_NULLABLE, Field.NULLABLE_SLOT, 1, "nullable");
    }

    private boolean typeIds(Field field) {
        if (!type.bindType(field) || !type.isPresent(Union.TYPE_IDS_SLOT)) {
            return true;
        }
        long at = type.targetPosition(Union.TYPE_IDS_SLOT);
        int count = type.count(Union.TYPE_IDS_SLOT);
        Rule ofCount = TypeCheck.typeIds(count, field.childrenCount());
        if (ofCount != null) {
            return report.add(ofCount, at, count, "type.typeIds");
        }
        BitSet earlier = new BitSet();
        boolean goOn = true;
        for (int i = 0; i < count && goOn; i++) {
            long id = type.element(Union.TYPE_IDS_SLOT, i);
            Rule broken = TypeCheck.typeId(id, earlier);
            long element = at + (1L + i) * Integer.BYTES;
            goOn = broken == null || report.add(broken, element, id, "type.typeIds", i, "");
        }
        return goOn;
    }
}
