// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.format.Field;

import java.util.Arrays;
import java.util.HashMap;

/// The dictionaries of a schema, by number in the order of their first field: what type their
/// values have, and how far the batches have come with them.
final class DictionaryStates {
    private static final int FIRST_SIZE = 8;

    /// No batch of this kind yet.
    static final int NEVER = Integer.MAX_VALUE;

    private final TypeImage types = new TypeImage();
    private final HashMap<Long, Integer> numberById = new HashMap<>();
    private int maxDepth;

    long[] ids = new long[FIRST_SIZE];
    int[] firstRow = new int[FIRST_SIZE];
    private int[] typeEnd = new int[FIRST_SIZE];
    int count;

    // By number; made once the schema is known.
    private long[] sortedIds = {};
    private int[] sortedNumbers = {};
    boolean[] used = {};
    // Where in a footer the dictionary is defined and first added to; in a stream always 0.
    int[] defined = {};
    int[] delta = {};
    private boolean hasGaps;

    /// @param fields the most that the schema may have
    /// @param textBytes bytes of the buffer that it is in
    void clear(long fields, long textBytes, int depth) {
        // Each field is in one image, and is there as a child and as a type.
        types.clear(fields << 2, textBytes);
        numberById.clear();
        maxDepth = depth;
        count = 0;
        sortedIds = new long[0];
    }

    // ---- while the schema is walked through

    /// Takes a field that is encoded.
    ///
    /// @return the dictionary's number; -1 if its type is not that of the fields before it
    int add(long id, Field field, int row) {
        final Integer known = numberById.get(id);
        final int start = types.length();
        if (!types.append(field, maxDepth)) {
            return TOO_LARGE; // which ends the schema
        }
        if (known != null) {
            final int from = known == 0 ? 0 : typeEnd[known - 1];
            final boolean same = types.equal(from, typeEnd[known], start, types.length());
            types.cut(start);
            return same ? known : OTHER_TYPE;
        }
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, count << 1);
            firstRow = Arrays.copyOf(firstRow, count << 1);
            typeEnd = Arrays.copyOf(typeEnd, count << 1);
        }
        ids[count] = id;
        firstRow[count] = row;
        typeEnd[count] = types.length();
        numberById.put(id, count);
        return count++;
    }

    static final int OTHER_TYPE = -1;
    static final int TOO_LARGE = -2;

    // ---- while batches come

    /// Begins before the first batch.
    void begin() {
        hasGaps = false;
        sortedIds = Arrays.copyOf(ids, count);
        Arrays.sort(sortedIds);
        sortedNumbers = new int[count];
        for (int i = 0; i < count; i++) {
            sortedNumbers[Arrays.binarySearch(sortedIds, ids[i])] = i;
        }
        used = new boolean[count];
        defined = new int[count];
        delta = new int[count];
        Arrays.fill(defined, NEVER);
        Arrays.fill(delta, NEVER);
    }

    /// Number of a dictionary, -1 if no field is encoded by it.
    int find(long id) {
        final int found = Arrays.binarySearch(sortedIds, id);
        return found < 0 ? -1 : sortedNumbers[found];
    }

    /// Tells that some batch could not be read.
    void skip() {
        hasGaps = true;
    }

    /// Whether a dictionary is defined, or may be, by a batch that could not be read.
    boolean isDefined(int number) {
        return hasGaps || defined[number] != NEVER;
    }

    boolean hasGaps() {
        return hasGaps;
    }
}
