// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.verify.FieldDeclaration;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.Time;
import dev.fletch.format.Type;
import dev.fletch.format.Union;
import dev.fletch.format.rules.AnyTable;
import dev.fletch.format.rules.TypeFacts;

/// Compares the types of dictionaries' values: type, parameters and children; of children also
/// nullability, dictionary and, in structs and unions, name. Names of list items and map entries
/// are not part of a type.
///
/// Of a nested dictionary, only the encoding is compared: its values have a type of their own. So a
/// schema with many dictionaries takes no longer than its fields, whose number is limited before.
final class TypeComparison {
    private final AnyTable type = new AnyTable();
    private final AnyTable otherType = new AnyTable();
    private final AnyTable encoding = new AnyTable();
    private final AnyTable otherEncoding = new AnyTable();
    private final Utf8Slice text = new Utf8Slice();
    private final Utf8Slice otherText = new Utf8Slice();

    /// {@return whether the values of two fields have the same type}
    ///
    /// @param levels of fields to compare, at least 1; deeper schemas are rejected anyway
    boolean areEqual(AnyTable field, AnyTable other, int levels) {
        int id = (int) field.number(Field.TYPE_TYPE_SLOT);
        int children = field.count(Field.CHILDREN_SLOT);
        if (id != other.number(Field.TYPE_TYPE_SLOT)
                || children != other.count(Field.CHILDREN_SLOT)
                || !haveEqualParameters(field, other, id)) {
            return false;
        }
        boolean areNamed = id == Type.STRUCT_ || id == Type.UNION;
        AnyTable child = new AnyTable();
        AnyTable otherChild = new AnyTable();
        boolean areEqual = true;
        for (int i = 0; i < children && areEqual && levels > 1; i++) {
            field.table(Field.CHILDREN_SLOT, i, child);
            other.table(Field.CHILDREN_SLOT, i, otherChild);
            areEqual =
                    areBothOrNot(child, otherChild, Field.NULLABLE_SLOT)
                            && (!areNamed || haveEqualTexts(child, otherChild, Field.NAME_SLOT))
                            && areEqualChildren(child, otherChild, levels - 1);
        }
        return areEqual;
    }

    private boolean areEqualChildren(AnyTable child, AnyTable other, int levels) {
        boolean isEncoded = child.table(Field.DICTIONARY_SLOT, encoding);
        if (isEncoded != other.table(Field.DICTIONARY_SLOT, otherEncoding)) {
            return false;
        }
        return isEncoded ? haveEqualEncodings() : areEqual(child, other, levels);
    }

    private boolean haveEqualEncodings() {
        return areBothOrNot(encoding, otherEncoding, DictionaryEncoding.IS_ORDERED_SLOT)
                && encoding.number(DictionaryEncoding.ID_SLOT)
                        == otherEncoding.number(DictionaryEncoding.ID_SLOT)
                && indices(encoding) == indices(otherEncoding);
    }

    /// The width of an encoding's indices, inverted if they are unsigned.
    private long indices(AnyTable of) {
        if (!of.table(DictionaryEncoding.INDEX_TYPE_SLOT, type)) {
            return TypeFacts.DEFAULT_INDEX_BITS;
        }
        long bits = type.number(Int.BIT_WIDTH_SLOT);
        return type.number(Int.IS_SIGNED_SLOT) != 0 ? bits : ~bits;
    }

    private static boolean areBothOrNot(AnyTable table, AnyTable other, int slot) {
        return table.number(slot) != 0 == (other.number(slot) != 0);
    }

    private boolean haveEqualParameters(AnyTable field, AnyTable other, int id) {
        boolean isPresent = field.table(Field.TYPE_SLOT, type);
        if (isPresent != other.table(Field.TYPE_SLOT, otherType)) {
            return TypeFacts.of(id).parameters().isEmpty();
        }
        boolean areEqual = true;
        for (FieldDeclaration each : TypeFacts.of(id).parameters()) {
            int slot = each.slot();
            areEqual &=
                    !isPresent
                            || switch (each.kind()) {
                                case STRING -> haveEqualTexts(type, otherType, slot);
                                case VECTOR -> haveEqualIds(field.count(Field.CHILDREN_SLOT));
                                default ->
                                        id == Type.TIME && slot == Time.BIT_WIDTH_SLOT // by unit
                                                || type.number(slot) == otherType.number(slot);
                            };
        }
        return areEqual;
    }

    /// Compares the bound unions' type ids; implicit ones are 0, 1, 2 and so on.
    private boolean haveEqualIds(int children) {
        boolean areEqual = true;
        for (int i = 0; i < children && areEqual; i++) {
            areEqual = typeId(type, i) == typeId(otherType, i);
        }
        return areEqual;
    }

    private static long typeId(AnyTable union, int child) {
        boolean isStored = child < union.count(Union.TYPE_IDS_SLOT);
        return isStored ? union.element(Union.TYPE_IDS_SLOT, child) : child;
    }

    /// Compares two texts; absent texts count as empty.
    private boolean haveEqualTexts(AnyTable table, AnyTable other, int slot) {
        boolean isPresent = table.string(slot, text) && text.length() != 0;
        boolean isOtherPresent = other.string(slot, otherText) && otherText.length() != 0;
        return isPresent == isOtherPresent && (!isPresent || text.equals(otherText));
    }
}
