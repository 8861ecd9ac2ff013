// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.format.Schema;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.LayoutException;
import dev.fletch.layout.LayoutLimits;

import java.util.Arrays;

/// What the batches of a schema, or of one of its dictionaries, are compared with.
///
/// @param layout their layout
/// @param facts of the whole schema; null where the layout is all that is known
/// @param rows of each of the layout's fields, its row in the facts
/// @param dictionaries those inside its own values left out: of each field, the number of the
///     dictionary that it points into, -1 if it is none; null where no field has one
record BatchPlan(BatchLayout layout, FieldSizes facts, int[] rows, int[] dictionaries) {
    /// The plan of a layout alone.
    static BatchPlan of(BatchLayout layout) {
        return new BatchPlan(layout, null, null, null);
    }

    private static BatchPlan of(BatchLayout layout, FieldSizes facts, int from, boolean asValues) {
        final int[] rows = facts.nodes(from, asValues, layout.fieldCount());
        int[] dictionaries = null;
        for (int f = 0; f < rows.length; f++) {
            if (layout.isDictionaryEncoded(f)) {
                if (dictionaries == null) {
                    dictionaries = new int[rows.length];
                    Arrays.fill(dictionaries, -1);
                }
                dictionaries[f] = facts.dictionary[rows[f]];
            }
        }
        return new BatchPlan(layout, facts, rows, dictionaries);
    }

    /// The plans of a schema that is sound, for one metadata version.
    ///
    /// @return that of its record batches, and behind it one for each dictionary, by number
    /// @throws LayoutException if a limit is passed
    static BatchPlan[] compile(Schema schema, int version, SchemaCheck of, LayoutLimits limits) {
        final BatchLayout layout = BatchLayout.compile(schema, version, limits);
        final DictionaryStates states = of.dictionaries;
        final BatchPlan[] plans = new BatchPlan[1 + states.count];
        plans[0] = of(layout, of.facts, 0, false);
        for (int i = 0; i < states.count; i++) {
            final BatchLayout values = layout.dictionaryLayout(states.ids[i]);
            plans[1 + i] = of(values, of.facts, states.firstRow[i], true);
        }
        return plans;
    }
}
