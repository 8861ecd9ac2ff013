// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.format.Field;

import java.util.Arrays;

/// The path from a schema to a field: for each level a flyweight, its index among its siblings, and
/// the next child. Grows to the deepest schema within its limit.
final class FieldStack {
    private static final int FIRST_SIZE = 8;

    private Field[] fields = new Field[FIRST_SIZE];
    private int[] ordinals = new int[FIRST_SIZE];
    private int[] next = new int[FIRST_SIZE];

    /// Opens a level; the caller binds its flyweight.
    Field open(int level, int ordinal) {
        if (level == fields.length) {
            fields = Arrays.copyOf(fields, level << 1);
            ordinals = Arrays.copyOf(ordinals, level << 1);
            next = Arrays.copyOf(next, level << 1);
        }
        if (fields[level] == null) {
            fields[level] = new Field();
        }
        ordinals[level] = ordinal;
        next[level] = 0;
        return fields[level];
    }

    /// Starts at a bound field.
    void root(Field top) {
        fields[0] = top;
        ordinals[0] = 0;
        next[0] = 0;
    }

    Field field(int level) {
        return fields[level];
    }

    int ordinal(int level) {
        return ordinals[level];
    }

    boolean hasNext(int level) {
        return next[level] < fields[level].childrenCount();
    }

    /// Binds the next level to the next child.
    Field descend(int level) {
        final int child = next[level]++;
        return fields[level].children(child, open(level + 1, child));
    }

    void skipRest(int level) {
        next[level] = Integer.MAX_VALUE;
    }
}
