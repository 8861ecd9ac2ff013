// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import java.util.Arrays;

/// What the sizes of bodies follow from, of all fields of a schema in pre-order, those of
/// dictionaries' values included.
final class FieldSizes {
    private static final int FIRST_SIZE = 16;

    /// What [FieldCheck#measure] says; of an encoded field, about its dictionary's values.
    long[] measure = new long[FIRST_SIZE];

    /// Bits of an index; 0 where a field is not encoded by a dictionary.
    int[] indexBits = new int[FIRST_SIZE];

    /// Number of the dictionary; -1 where there is none.
    int[] dictionary = new int[FIRST_SIZE];

    /// The row behind the last descendant.
    int[] end = new int[FIRST_SIZE];

    int rows;

    int add(long bodyMeasure) {
        if (rows == measure.length) {
            final int size = (int) Math.min(Integer.MAX_VALUE - 8, rows * 2L);
            measure = Arrays.copyOf(measure, size);
            indexBits = Arrays.copyOf(indexBits, size);
            dictionary = Arrays.copyOf(dictionary, size);
            end = Arrays.copyOf(end, size);
        }
        measure[rows] = bodyMeasure;
        indexBits[rows] = 0;
        dictionary[rows] = -1;
        return rows++;
    }

    /// The rows that a batch has a node for, in order: children of encoded fields are left out.
    ///
    /// @param from the first row
    /// @param asValues whether the first is what a dictionary holds, and not indexes
    /// @param count how many
    int[] nodes(int from, boolean asValues, int count) {
        final int[] found = new int[count];
        int row = from;
        for (int i = 0; i < count; i++) {
            found[i] = row;
            final boolean isIndexes = indexBits[row] != 0 && !(asValues && row == from);
            row = isIndexes ? end[row] : row + 1;
        }
        return found;
    }
}
