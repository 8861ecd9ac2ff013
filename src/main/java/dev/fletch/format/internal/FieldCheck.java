// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static dev.fletch.MeaningRule.*;

import dev.fletch.Rule;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.Union;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.format.internal.tables.TypeFacts;

import java.util.BitSet;

/// The rules of one field: its type, the type's parameters, and its children. Each check returns
/// whether to continue.
public final class FieldCheck {
    private final FaultPlace faults;
    private final AnyTable type = new AnyTable();
    private final Int integer = new Int();
    private final Field first = new Field();
    private final Field key = new Field();

    public FieldCheck(FaultPlace faults) {
        this.faults = faults;
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
    public boolean type(Table owner, int id, int tagSlot, int slot) {
        boolean hasTable = type.bindType(owner, id, slot);
        Rule broken = TypeCheck.type(id, hasTable);
        if (broken != null) {
            boolean isKnown = TypeFacts.of(id).isKnown();
            long position = owner.position(isKnown ? slot : tagSlot);
            return faults.add(broken, position, id, isKnown ? "type" : "typeType");
        }
        int invalid = TypeCheck.invalidParameter(id, type);
        if (invalid < 0) {
            return true;
        }
        String path = "type." + type.declaration().fields().get(invalid).name();
        Rule rule = TypeCheck.parameter(id, invalid);
        return faults.add(rule, type.position(invalid), type.number(invalid), path);
    }

    /// {@return bits of a value of the last type; 0 if they vary}
    public long valueBits(int id) {
        return TypeFacts.of(id).valueBits(type);
    }

    /// The rules of a dictionary encoding.
    boolean encoding(DictionaryEncoding encoding) {
        int kind = encoding.dictionaryKind();
        long position = encoding.position(DictionaryEncoding.DICTIONARY_KIND_SLOT);
        if (!faults.holds(
                TypeCheck.dictionaryKind(kind), position, kind, "dictionary.dictionaryKind")) {
            return false;
        }
        if (!encoding.indexType(integer)) {
            return true;
        }
        int bits = integer.bitWidth();
        position = integer.position(Int.BIT_WIDTH_SLOT);
        return faults.holds(
                TypeCheck.indexWidth(bits), position, bits, "dictionary.indexType.bitWidth");
    }

    // ---- the children

    private boolean children(Field field) {
        int id = field.typeType();
        if (!TypeFacts.of(id).isKnown()) {
            return true;
        }
        Rule broken = TypeCheck.children(id, field.childrenCount());
        if (broken != null) {
            long position = field.targetPosition(Field.CHILDREN_SLOT);
            return faults.add(broken, position, field.childrenCount(), "children");
        }
        return switch (id) {
            case Type.MAP -> entries(field);
            case Type.RUN_END_ENCODED -> runEnds(field);
            case Type.UNION -> typeIds(field);
            default -> true;
        };
    }

    private boolean firstChild(Rule broken, long position, long value, String tail) {
        return broken == null || faults.add(broken, position, value, "children", 0, tail);
    }

    /// Checks that the first child, or a child of it, is not nullable.
    private boolean isRequired(Field child, Rule rule, String tail) {
        return !child.nullable() || firstChild(rule, child.position(Field.NULLABLE_SLOT), 1, tail);
    }

    private boolean entries(Field field) {
        field.children(0, first);
        int id = first.typeType();
        Rule ofType = TypeCheck.entriesType(id, first.isPresent(Field.DICTIONARY_SLOT));
        if (ofType != null) {
            return firstChild(ofType, first.position(Field.TYPE_TYPE_SLOT), id, "typeType");
        }
        if (!isRequired(first, MAP_ENTRIES_NULLABLE, "nullable")) {
            return false;
        }
        int count = first.childrenCount();
        Rule ofCount = TypeCheck.entriesChildren(count);
        if (ofCount != null) {
            return firstChild(
                    ofCount, first.targetPosition(Field.CHILDREN_SLOT), count, "children");
        }
        return isRequired(first.children(0, key), MAP_KEY_NULLABLE, "children[0].nullable");
    }

    private boolean runEnds(Field field) {
        int id = field.children(0, first).typeType();
        boolean isInteger = first.type(integer);
        Rule ofType =
                TypeCheck.runEnds(
                        id,
                        isInteger ? integer.bitWidth() : 0,
                        isInteger && integer.isSigned(),
                        first.isPresent(Field.DICTIONARY_SLOT));
        return firstChild(ofType, first.position(Field.TYPE_TYPE_SLOT), id, "typeType")
                && isRequired(first, RUN_ENDS_NULLABLE, "nullable");
    }

    private boolean typeIds(Field field) {
        if (!type.bindType(field, field.typeType(), Field.TYPE_SLOT)
                || !type.isPresent(Union.TYPE_IDS_SLOT)) {
            return true;
        }
        long position = type.targetPosition(Union.TYPE_IDS_SLOT);
        int count = type.count(Union.TYPE_IDS_SLOT);
        Rule ofCount = TypeCheck.typeIds(count, field.childrenCount());
        if (ofCount != null) {
            return faults.add(ofCount, position, count, "type.typeIds");
        }
        BitSet earlier = new BitSet();
        boolean goOn = true;
        for (int i = 0; i < count && goOn; i++) {
            long id = type.element(Union.TYPE_IDS_SLOT, i);
            Rule broken = TypeCheck.typeId(id, earlier);
            long element = position + (1L + i) * Integer.BYTES;
            goOn = broken == null || faults.add(broken, element, id, "type.typeIds", i, "");
        }
        return goOn;
    }
}
