// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Rule;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.Type;
import dev.fletch.format.Union;

/// The rules of a field's children: how many there are, and of what kind. Each check says whether
/// to go on.
final class ChildrenCheck {
    private static final int MAX_UNION_CHILDREN = 128;

    private final Report report;
    private final Union union = new Union();
    private final Int integer = new Int();
    private final Field first = new Field();
    private final Field key = new Field();

    ChildrenCheck(Report report) {
        this.report = report;
    }

    boolean check(Field field) {
        return switch (field.typeType()) {
            case Type.LIST,
                    Type.LARGE_LIST,
                    Type.LIST_VIEW,
                    Type.LARGE_LIST_VIEW,
                    Type.FIXED_SIZE_LIST ->
                    field.childrenCount() == 1 || children(field, LIST_CHILDREN);
            case Type.MAP ->
                    field.childrenCount() == 1 ? entries(field) : children(field, MAP_CHILDREN);
            case Type.RUN_END_ENCODED ->
                    field.childrenCount() == 2 ? runEnds(field) : children(field, RUN_END_CHILDREN);
            case Type.UNION -> union(field);
            case Type.STRUCT_ -> true;
            default ->
                    field.childrenCount() == 0
                            || !Type.NAMES.isKnown(field.typeType())
                            || field.typeType() == Type.NONE
                            || children(field, LEAF_CHILDREN);
        };
    }

    private boolean children(Field field, Rule code) {
        final long at = field.targetPosition(Field.CHILDREN_SLOT);
        return report.add(code, at, field.childrenCount(), "children");
    }

    private boolean firstChild(Rule code, int slot, long value, String tail) {
        return report.add(code, first.position(slot), value, "children", 0, tail);
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
        final boolean right =
                first.type(integer)
                        && integer.isSigned()
                        && integer.bitWidth() != Byte.SIZE
                        && !first.isPresent(Field.DICTIONARY_SLOT);
        if (!right
                && !firstChild(RUN_ENDS_TYPE, Field.TYPE_TYPE_SLOT, first.typeType(), "typeType")) {
            return false;
        }
        return !first.nullable()
                || firstChild(RUN_ENDS_NULLABLE, Field.NULLABLE_SLOT, 1, "nullable");
    }

    private boolean union(Field field) {
        final int count = field.childrenCount();
        if (count > MAX_UNION_CHILDREN) {
            return children(field, UNION_CHILDREN);
        }
        if (!field.type(union) || !union.isPresent(Union.TYPE_IDS_SLOT)) {
            return true;
        }
        final long at = union.targetPosition(Union.TYPE_IDS_SLOT);
        final int ids = union.typeIdsCount();
        if (ids != count) {
            return report.add(UNION_TYPE_IDS, at, ids, "type.typeIds");
        }
        long low = 0;
        long high = 0;
        for (int i = 0; i < ids; i++) {
            final int id = union.typeIds(i);
            final long element = at + Integer.BYTES + (long) i * Integer.BYTES;
            if (id < 0 || id >= MAX_UNION_CHILDREN) {
                if (!report.add(UNION_TYPE_ID_RANGE, element, id, "type.typeIds", i, "")) {
                    return false;
                }
                continue;
            }
            final long bit = 1L << id; // a shift counts modulo 64
            if (((id < Long.SIZE ? low : high) & bit) != 0
                    && !report.add(UNION_TYPE_ID_REPEATED, element, id, "type.typeIds", i, "")) {
                return false;
            }
            low |= id < Long.SIZE ? bit : 0;
            high |= id < Long.SIZE ? 0 : bit;
        }
        return true;
    }
}
