// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.format.Block;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Footer;

import java.util.Arrays;
import java.util.HashMap;

/// The dictionaries of a schema, numbered in the order of their first field: the type of their
/// values, and the batches that define them.
final class DictionaryStates {
    private static final int FIRST_SIZE = 8;

    /// The type of a dictionary's values differs from that of an earlier field.
    static final int OTHER_TYPE = -1;

    /// The types of all dictionaries are too large.
    static final int TOO_LARGE = -2;

    /// No batch of this kind yet.
    static final int NEVER = Integer.MAX_VALUE;

    private final Report report;
    private final Block block = new Block();
    private final TypeImage types = new TypeImage();
    private final HashMap<Long, Integer> numberById = new HashMap<>();
    private int maxDepth;

    long[] ids = new long[FIRST_SIZE];
    int[] firstRow = new int[FIRST_SIZE];
    private int[] typeEnd = new int[FIRST_SIZE];
    int count;

    // By number; created when the schema is known.
    private long[] sortedIds = {};
    private int[] sortedNumbers = {};
    boolean[] used = {};
    // Indexes of the footer blocks that first define and extend the dictionary; 0 in a stream.
    int[] defined = {};
    int[] delta = {};
    private boolean hasGaps;

    DictionaryStates(Report report) {
        this.report = report;
    }

    /// @param fields maximum number of fields of the schema
    /// @param textBytes size of the schema's buffer in bytes
    void clear(long fields, long textBytes, int depth) {
        // Each field is in one image, both as a child and as a type.
        types.clear(fields << 2, textBytes);
        numberById.clear();
        maxDepth = depth;
        count = 0;
        sortedIds = new long[0];
    }

    // ---- schema

    /// Adds an encoded field.
    ///
    /// @param field a walk at the field
    /// @return the dictionary's number, [#OTHER_TYPE] or [#TOO_LARGE]
    int add(long id, FieldWalk field, int row) {
        final Integer known = numberById.get(id);
        final int start = types.length();
        if (!types.append(field, maxDepth)) {
            return TOO_LARGE; // ends the check of the schema
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

    // ---- batches

    /// Starts before the first batch.
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

    /// Number of a dictionary; -1 if no field uses it.
    int find(long id) {
        final int found = Arrays.binarySearch(sortedIds, id);
        return found < 0 ? -1 : sortedNumbers[found];
    }

    /// Records that a batch could not be read.
    void skip() {
        hasGaps = true;
    }

    /// Returns whether a dictionary is defined, possibly by a batch that could not be read.
    boolean isDefined(int number) {
        return hasGaps || defined[number] != NEVER;
    }

    boolean hasGaps() {
        return hasGaps;
    }

    // ---- rules of dictionary batches

    /// Records a batch, and checks whether it may define its dictionary or append to it.
    ///
    /// @param number of the dictionary
    /// @param place in a file: index of its block among the dictionary blocks
    /// @return whether to continue
    boolean batch(DictionaryBatch batch, int number, boolean isFile, int place) {
        final int known = defined[number];
        if (batch.isDelta()) {
            if (isFile) {
                delta[number] = Math.min(delta[number], place);
                return true;
            }
            final long at = batch.position(DictionaryBatch.IS_DELTA_SLOT);
            return isDefined(number)
                    || report.add(DELTA_WITHOUT_DICTIONARY, at, batch.id(), "isDelta");
        }
        defined[number] = Math.min(known, place);
        final long at = batch.position(DictionaryBatch.ID_SLOT);
        return !isFile || known == NEVER || report.add(DICTIONARY_REPLACED, at, batch.id(), "id");
    }

    /// After all blocks, reports deltas that are listed before their dictionary.
    boolean end(Footer footer) {
        final int blocks = footer.dictionariesCount();
        for (int i = 0; i < count; i++) {
            final int place = delta[i];
            if (place < 0 || place >= blocks || place >= defined[i]) {
                continue;
            }
            final long at = footer.dictionaries(place, block).position();
            if (!report.add(DELTA_WITHOUT_DICTIONARY, at, ids[i], "dictionaries", place, "")) {
                return false;
            }
        }
        return true;
    }
}
