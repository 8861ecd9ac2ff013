// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.batch.BatchLayout;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.IntStream;

/// Which of the columns to write have errors. A batch that would leave no column without errors
/// does not count: it is left out as a whole.
final class SoundColumns {
    /// Stands for a field if an error is one of the whole batch.
    static final int NO_FIELD = -1;

    private final BatchLayout layout;
    // The columns to write, or fields inside of them.
    private final int[] columns;
    // Of these alone.
    private final BatchLayout choice;
    // The first error of each field that has one.
    private final Map<Integer, Fault> errors = new HashMap<>();
    // Of each dictionary that has one, or is missing.
    private final Map<Long, Fault> dictionaries = new HashMap<>();
    // Null until needed.
    private Map<Long, Set<Long>> outer;

    /// @param layout of all columns
    /// @param fields the columns to write; null for all
    SoundColumns(BatchLayout layout, int[] fields) {
        this.layout = layout;
        columns =
                fields == null
                        ? IntStream.range(0, layout.columnCount())
                                .map(layout::columnField)
                                .toArray()
                        : fields;
        choice = fields == null ? layout : layout.choose(fields);
    }

    /// The number of a field among all.
    ///
    /// @param chosen its number among those of the columns to write; negative for a whole batch
    int source(int chosen) {
        return chosen < 0 ? NO_FIELD : choice.sourceField(chosen);
    }

    /// Adds the errors of a record batch, by field.
    void addBatch(Map<Integer, Fault> ofBatch) {
        if (ofBatch.containsKey(NO_FIELD)) {
            return;
        }
        boolean isAnySound =
                Arrays.stream(columns)
                        .anyMatch(
                                each ->
                                        errorIn(layout, each, ofBatch) == null
                                                && error(each) == null);
        if (isAnySound) {
            ofBatch.forEach(errors::putIfAbsent);
        }
    }

    /// Adds an error for which a dictionary cannot be used. Those that need it cannot either.
    void addDictionary(long id, Fault error) {
        Queue<Long> wrong = new ArrayDeque<>();
        for (Long each = id; each != null; each = wrong.poll()) {
            if (dictionaries.putIfAbsent(each, error) == null) {
                wrong.addAll(outer().getOrDefault(each, Set.of()));
            }
        }
    }

    /// By the id of each dictionary, those whose values refer to it.
    private Map<Long, Set<Long>> outer() {
        if (outer == null) {
            outer = new HashMap<>();
            for (var each : InnerDictionaries.of(layout).entrySet()) {
                for (Long id : each.getValue()) {
                    outer.computeIfAbsent(id, _ -> new HashSet<>()).add(each.getKey());
                }
            }
        }
        return outer;
    }

    /// The columns to write that have no error.
    int[] sound() {
        return Arrays.stream(columns).filter(each -> error(each) == null).toArray();
    }

    /// The columns to write that have errors.
    int[] wrong() {
        return Arrays.stream(columns).filter(each -> error(each) != null).toArray();
    }

    /// The layout of all columns.
    BatchLayout layout() {
        return layout;
    }

    /// The first error of a column; null if it has none.
    Fault error(int column) {
        Fault own = errorIn(layout, column, errors);
        for (int field = column; own == null && field < layout.end(column); field++) {
            own =
                    layout.isDictionaryEncoded(field)
                            ? dictionaries.get(layout.dictionaryId(field))
                            : null;
        }
        return own;
    }

    /// The error of a field, one of its descendants, or one that contains it.
    static Fault errorIn(BatchLayout layout, int column, Map<Integer, Fault> faults) {
        Fault fault = null;
        for (int field = column; fault == null && field < layout.end(column); field++) {
            fault = faults.get(field);
        }
        for (int up = layout.parent(column); fault == null && up >= 0; up = layout.parent(up)) {
            fault = faults.get(up);
        }
        return fault;
    }
}
