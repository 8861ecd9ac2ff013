// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.format.Block;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Footer;
import dev.fletch.layout.BatchLayout;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/// The dictionaries of a schema: the types of their values, the batches that define them, and which
/// dictionaries the values of others need.
///
/// Values of a dictionary are read when a record batch uses them. So a dictionary inside them may
/// be defined later, if no record batch needs it before: [#missing] follows the needs. Needs have no
/// cycle: a dictionary's values cannot contain themselves.
final class DictionaryStates {
    /// Maximum number of fields that all searches for undefined dictionaries look at: hostile input
    /// could make each record batch look at all fields of a large schema. Later searches find nothing.
    private static final int MAX_STEPS = 1 << 26;

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
    // Number of undefined dictionaries that the values of others need.
    private int late;
    // Number of dictionary batches.
    private long changes;
    private int steps;

    /// A dictionary of the schema.
    static final class Dictionary {
        final long id;

        /// Number of the first field that uses it, in pre-order.
        final int firstField;

        // Range of the type of its values in the images.
        private final int typeFrom;
        private final int typeTo;

        // Whether a record batch has a value from it that is not null.
        private boolean isUsed;
        // Indexes of the footer blocks that first define and extend it; 0 in a stream.
        private int defined = NEVER;
        private int delta = NEVER;

        // The layout of its values, and which of their fields have values, not null, from another
        // dictionary; null if no field has a dictionary.
        private BatchLayout values;
        private boolean[] needs;
        // Whether the values of another one need it, although it is not defined yet.
        private boolean isLate;
        // What [#search] found after a number of dictionary batches.
        private Dictionary missing;
        private long searchedAt;

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
        late = 0;
        changes = 0;
        steps = MAX_STEPS;
        sorted = byId.values().toArray(Dictionary[]::new);
        Arrays.sort(sorted, Comparator.comparingLong(each -> each.id));
        ids = Arrays.stream(sorted).mapToLong(each -> each.id).toArray();
    }

    /// Sets the layouts of the dictionaries' values.
    ///
    /// @param schema the layout of the schema
    void layouts(BatchLayout schema) {
        for (Dictionary each : sorted) {
            final BatchLayout values = schema.dictionaryLayout(each.id);
            for (int field = 0; field < values.fieldCount() && each.needs == null; field++) {
                if (values.isDictionaryEncoded(field)) {
                    each.values = values;
                    each.needs = new boolean[values.fieldCount()];
                }
            }
        }
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

    // ---- needs

    /// Records that a record batch has a value, not null, from a dictionary.
    void use(Dictionary dictionary) {
        dictionary.isUsed = true;
    }

    /// Records whether a field of a dictionary's values has a value, not null, from another one.
    ///
    /// @param field of the values, encoded with `inner`
    /// @param isMore whether the values are added to those of other batches
    /// @return false if the other dictionary is needed, but not defined yet
    boolean need(Dictionary outer, int field, Dictionary inner, boolean isNeeded, boolean isMore) {
        outer.needs[field] = isNeeded || isMore && outer.needs[field];
        if (!isNeeded || isDefined(inner)) {
            return true;
        }
        late += inner.isLate ? 0 : 1;
        inner.isLate = true;
        return false;
    }

    /// Finds an undefined dictionary: a dictionary itself, or one that its values need, also through
    /// others.
    ///
    /// @return null if there is none, or a batch that could not be read may have defined it
    Dictionary missing(Dictionary dictionary) {
        if (!isDefined(dictionary)) {
            return dictionary;
        }
        return late == 0 || hasGaps ? null : search(dictionary);
    }

    private Dictionary search(Dictionary of) {
        if (of.defined == NEVER || of.needs == null) {
            return of.defined == NEVER ? of : null;
        }
        if (of.searchedAt != changes) {
            of.searchedAt = changes;
            of.missing = null;
            for (int i = 0; i < of.needs.length && of.missing == null && steps > 0; i++) {
                steps--;
                of.missing = of.needs[i] ? search(inner(of, i)) : null;
            }
        }
        return of.missing;
    }

    private Dictionary inner(Dictionary outer, int field) {
        return find(outer.values.dictionaryId(field));
    }

    /// Records the use of the dictionaries that the values of a used one need.
    private void useInner(Dictionary outer) {
        for (int field = 0; outer.needs != null && field < outer.needs.length; field++) {
            final Dictionary inner = outer.needs[field] ? inner(outer, field) : null;
            if (inner != null && !inner.isUsed) {
                inner.isUsed = true;
                useInner(inner);
            }
        }
    }

    /// Reports the use of an undefined dictionary, at `name[index]`.
    boolean addUndefined(Dictionary undefined, long position, String name, int index) {
        return report.add(DICTIONARY_UNDEFINED, position, undefined.id, name, index, "");
    }

    /// Returns whether a dictionary is used, but not defined by any block of the file.
    boolean isUndefined(Dictionary dictionary) {
        return dictionary.isUsed && !isDefined(dictionary);
    }

    // ---- rules of dictionary batches

    /// Records a batch, and checks whether it may define its dictionary or append to it.
    ///
    /// @param place in a file: index of its block among the dictionary blocks
    /// @return whether to continue
    boolean batch(DictionaryBatch batch, Dictionary dictionary, boolean isFile, int place) {
        changes++;
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
        if (dictionary.isLate) {
            dictionary.isLate = false;
            late--;
        }
        dictionary.defined = Math.min(dictionary.defined, place);
        final long at = batch.position(DictionaryBatch.ID_SLOT);
        return !isFile || isFirst || report.add(DICTIONARY_REPLACED, at, batch.id(), "id");
    }

    /// After all blocks, completes the use of dictionaries, and reports deltas that are listed before
    /// their dictionary.
    boolean end(Footer footer) {
        for (Dictionary each : sorted) {
            if (each.isUsed) {
                useInner(each);
            }
        }
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
