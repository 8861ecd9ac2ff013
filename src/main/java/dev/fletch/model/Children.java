// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/// The children of a field, unmodifiable, and how deep it goes below them: a record has no place for
/// that, and to count anew for each field would take as long as the schema is deep.
final class Children extends AbstractList<ArrowField> implements RandomAccess {
    private static final Children NONE = new Children(new ArrowField[0]);

    private final ArrowField[] fields;

    /// Levels of fields, 0 if there are none.
    private final int depth;

    private Children(ArrowField[] fields) {
        this.fields = fields;
        this.depth = Arrays.stream(fields).mapToInt(ArrowField::depth).max().orElse(0);
    }

    static Children copyOf(List<ArrowField> fields) {
        if (fields instanceof Children children) {
            return children;
        }
        if (fields.isEmpty()) {
            return NONE;
        }
        ArrowField[] copy = fields.toArray(ArrowField[]::new);
        for (ArrowField field : copy) {
            Objects.requireNonNull(field, "field");
        }
        return new Children(copy);
    }

    /// How many levels of fields there are in one that has these children, its own included.
    static int depthAbove(List<ArrowField> children) {
        return 1 + copyOf(children).depth;
    }

    @Override
    public ArrowField get(int index) {
        return fields[Objects.checkIndex(index, fields.length)];
    }

    @Override
    public int size() {
        return fields.length;
    }
}
