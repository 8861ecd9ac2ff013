// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.internal.FaultPlace;

import java.util.LinkedHashMap;
import java.util.Map;

/// The dictionaries of a schema, and which of them the values of others need. [DictionaryOrder]
/// knows which are defined.
///
/// Values of a dictionary are read when a record batch uses them. So a dictionary inside them may
/// be defined later, if no record batch needs it before: [#missing] follows the needs. Needs have
/// no cycle: a dictionary's values cannot contain themselves.
final class DictionaryStates {
    /// Maximum number of fields that all searches for undefined dictionaries look at: hostile input
    /// could make each record batch look at all fields of a large schema. Later searches find
    /// nothing.
    private static final int MAX_STEPS = 1 << 26;

    final DictionaryOrder order;

    private final Map<Long, Dictionary> byId = new LinkedHashMap<>();

    // Of the last valid schema, in the order of their ids.
    private Dictionary[] sorted = {};
    // Number of dictionary batches.
    private long changes;
    private int steps;

    /// A dictionary of the schema.
    static final class Dictionary {
        final long id;

        /// Number of the first field that uses it, in pre-order.
        private final int firstField;

        // Whether a record batch has a value from it that is not null.
        boolean isUsed;
        // Its index in the order of ids.
        private int index;

        // The layout of its values, and which of their fields have values, not null, from another
        // dictionary; null if no field has a dictionary.
        private BatchLayout values;
        private boolean[] needs;
        // What [#missing] found after a number of dictionary batches.
        private Dictionary missing;
        private long searchedAt;

        private Dictionary(long id, int firstField) {
            this.id = id;
            this.firstField = firstField;
        }
    }

    DictionaryStates(FaultPlace faults) {
        order = new DictionaryOrder(faults);
    }

    // ---- batches

    /// Starts before the first batch.
    ///
    /// @param schema the layout of the schema
    /// @param firstFields the first field that uses each dictionary, by id
    void begin(BatchLayout schema, Map<Long, Integer> firstFields) {
        byId.clear();
        firstFields.forEach((id, field) -> byId.put(id, new Dictionary(id, field)));
        changes = 0;
        steps = MAX_STEPS;
        order.begin(byId.keySet().stream().mapToLong(Long::longValue).toArray());
        sorted = new Dictionary[byId.size()];
        for (Dictionary each : byId.values()) {
            each.index = order.find(each.id);
            sorted[each.index] = each;
            BatchLayout values = schema.dictionaryLayout(each.id);
            if (values.encodedFields().findAny().isPresent()) {
                each.values = values;
                each.needs = new boolean[values.fieldCount()];
            }
        }
    }

    /// Finds a dictionary; null if no field uses it.
    Dictionary find(long id) {
        int index = order.find(id);
        return index == DictionaryOrder.NONE ? null : sorted[index];
    }

    /// Returns whether a dictionary is defined, possibly by a batch that could not be read.
    boolean isDefined(Dictionary dictionary) {
        return order.isDefined(dictionary.index);
    }

    // ---- needs

    /// Records whether a field of a dictionary's values has a value, not null, from another one.
    ///
    /// @param field of the values, encoded with `inner`
    /// @param isMore whether the values are added to those of other batches
    /// @return false if the other dictionary is needed, but not defined yet
    boolean need(Dictionary outer, int field, Dictionary inner, boolean isNeeded, boolean isMore) {
        outer.needs[field] = isNeeded || isMore && outer.needs[field];
        return !isNeeded || isDefined(inner);
    }

    /// Finds an undefined dictionary: a dictionary itself, or one that its values need, also
    /// through others.
    ///
    /// @return null if there is none, or a batch that could not be read may have defined it
    Dictionary missing(Dictionary dictionary) {
        if (order.areAllDefined()) {
            return null; // a stream of any length takes no steps
        }
        if (!isDefined(dictionary) || dictionary.needs == null) {
            return isDefined(dictionary) ? null : dictionary;
        }
        if (dictionary.searchedAt != changes) {
            dictionary.searchedAt = changes;
            Dictionary found = null;
            for (int i = 0; i < dictionary.needs.length && found == null && steps > 0; i++) {
                steps--;
                found = dictionary.needs[i] ? missing(inner(dictionary, i)) : null;
            }
            dictionary.missing = found;
        }
        return dictionary.missing;
    }

    private Dictionary inner(Dictionary outer, int field) {
        return find(outer.values.dictionaryId(field));
    }

    /// Records the use of the dictionaries that the values of a used one need.
    private void useInner(Dictionary outer) {
        for (int field = 0; outer.needs != null && field < outer.needs.length; field++) {
            Dictionary inner = outer.needs[field] ? inner(outer, field) : null;
            if (inner != null && !inner.isUsed) {
                inner.isUsed = true;
                useInner(inner);
            }
        }
    }

    /// Returns whether a field is the first of a dictionary that is used, but not defined by any
    /// block of the file.
    boolean isUndefined(long id, int field) {
        Dictionary dictionary = find(id);
        return dictionary != null
                && dictionary.firstField == field
                && dictionary.isUsed
                && !isDefined(dictionary);
    }

    // ---- rules of dictionary batches

    /// Records a batch, and checks whether it may define its dictionary or append to it.
    ///
    /// @param isOnce whether each dictionary is defined once
    /// @param place in a file: index of its block among the dictionary blocks
    /// @return whether to continue
    boolean batch(DictionaryBatch batch, boolean isOnce, boolean isFile, int place) {
        changes++;
        boolean goOn = order.next(batch, isOnce, !isFile);
        if (isFile || !batch.isDelta()) {
            order.add(batch, isFile ? place : 0);
        }
        return goOn;
    }

    /// After all blocks, completes the use of dictionaries, and reports deltas that are listed
    /// before their dictionary.
    boolean end(Footer footer) {
        for (Dictionary each : sorted) {
            if (each.isUsed) {
                useInner(each);
            }
        }
        boolean goOn = true;
        for (Dictionary each : byId.values()) {
            goOn = goOn && order.end(footer, each.index);
        }
        return goOn;
    }
}
