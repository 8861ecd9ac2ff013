// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.format.Block;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Footer;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/// The dictionaries of a schema: the types of their values, and the batches that define them.
final class DictionaryStates {
    /// No batch of this kind yet.
    private static final int NEVER = Integer.MAX_VALUE;

    private final Report report;
    private final Block block = new Block();
    private final TypeImage types = new TypeImage();
    private final Map<Long, Dictionary> byId = new LinkedHashMap<>();
    private int maxDepth;

    // Of the last valid schema, in ascending order: lookups allocate nothing.
    private long[] ids = {};
    private Dictionary[] sorted = {};
    private boolean hasGaps;

    /// A dictionary of the schema.
    static final class Dictionary {
        final long id;

        /// Number of the first field that uses it, in pre-order.
        final int firstField;

        // Range of the type of its values in the images.
        private final int typeFrom;
        private final int typeTo;

        boolean isUsed;
        // Indexes of the footer blocks that first define and extend it; 0 in a stream.
        private int defined = NEVER;
        private int delta = NEVER;

        private Dictionary(long id, int firstField, int typeFrom, int typeTo) {
            this.id = id;
            this.firstField = firstField;
            this.typeFrom = typeFrom;
            this.typeTo = typeTo;
        }
    }

    DictionaryStates(Report report) {
        this.report = report;
    }

    /// @param depth maximum levels of fields
    void clear(int depth) {
        types.clear();
        byId.clear();
        maxDepth = depth;
        ids = new long[0];
    }

    // ---- schema

    /// Adds an encoded field.
    ///
    /// @param field a walk at the field
    /// @param number of the field in pre-order
    /// @return false if the type of the values differs from that of an earlier field
    boolean add(long id, FieldWalk field, int number) {
        final int start = types.length();
        types.append(field, maxDepth);
        final int end = types.length();
        final Dictionary known = byId.get(id);
        if (known == null) {
            byId.put(id, new Dictionary(id, number, start, end));
            return true;
        }
        types.cut(start);
        return types.equal(known.typeFrom, known.typeTo, start, end);
    }

    // ---- batches

    /// Starts before the first batch.
    void begin() {
        hasGaps = false;
        sorted = byId.values().toArray(Dictionary[]::new);
        Arrays.sort(sorted, Comparator.comparingLong(each -> each.id));
        ids = Arrays.stream(sorted).mapToLong(each -> each.id).toArray();
    }

    /// Finds a dictionary; null if no field uses it.
    Dictionary find(long id) {
        final int found = Arrays.binarySearch(ids, id);
        return found < 0 ? null : sorted[found];
    }

    /// Records that a batch could not be read.
    void skip() {
        hasGaps = true;
    }

    /// Returns whether a dictionary is defined, possibly by a batch that could not be read.
    boolean isDefined(Dictionary dictionary) {
        return hasGaps || dictionary.defined != NEVER;
    }

    boolean hasGaps() {
        return hasGaps;
    }

    // ---- rules of dictionary batches

    /// Records a batch, and checks whether it may define its dictionary or append to it.
    ///
    /// @param place in a file: index of its block among the dictionary blocks
    /// @return whether to continue
    boolean batch(DictionaryBatch batch, Dictionary dictionary, boolean isFile, int place) {
        if (batch.isDelta()) {
            if (isFile) {
                dictionary.delta = Math.min(dictionary.delta, place);
                return true;
            }
            final long at = batch.position(DictionaryBatch.IS_DELTA_SLOT);
            return isDefined(dictionary)
                    || report.add(DELTA_WITHOUT_DICTIONARY, at, batch.id(), "isDelta");
        }
        final boolean isFirst = dictionary.defined == NEVER;
        dictionary.defined = Math.min(dictionary.defined, place);
        final long at = batch.position(DictionaryBatch.ID_SLOT);
        return !isFile || isFirst || report.add(DICTIONARY_REPLACED, at, batch.id(), "id");
    }

    /// After all blocks, reports deltas that are listed before their dictionary.
    boolean end(Footer footer) {
        final int blocks = footer.dictionariesCount();
        for (Dictionary each : byId.values()) {
            final int place = each.delta;
            if (place < 0 || place >= blocks || place >= each.defined) {
                continue;
            }
            final long at = footer.dictionaries(place, block).position();
            if (!report.add(DELTA_WITHOUT_DICTIONARY, at, each.id, "dictionaries", place, "")) {
                return false;
            }
        }
        return true;
    }
}
