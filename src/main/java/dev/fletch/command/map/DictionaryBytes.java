// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import dev.fletch.batch.BatchLayout;
import dev.fletch.scan.internal.FieldTotals;
import dev.fletch.scan.internal.MapTotals;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/// Bytes of the dictionaries of a field and its descendants, each counted once.
///
/// A dictionary's values may be dictionary-encoded, too. For each field, all dictionaries that it
/// needs are looked up, up to a limit: a schema of n dictionaries may need n² steps.
final class DictionaryBytes {
    private static final long MOST_STEPS = 1 << 23;

    private final MapTotals totals;
    private long steps;

    DictionaryBytes(MapTotals totals) {
        this.totals = totals;
    }

    /// The bytes of the dictionaries of a field; [FieldTotals#UNKNOWN] behind the limit.
    long of(FieldTotals.Sums field) {
        Map<Long, FieldTotals.Sums> sums = new HashMap<>();
        Queue<FieldTotals.Sums> parts = new ArrayDeque<>();
        for (FieldTotals.Sums part = field; part != null; part = parts.poll()) {
            if (steps > MOST_STEPS) {
                return FieldTotals.UNKNOWN;
            }
            BatchLayout in = part.layout();
            steps += in.end(part.field()) - part.field();
            for (int i = part.field(); i < in.end(part.field()); i++) {
                FieldTotals.Sums values =
                        in.isDictionaryEncoded(i) ? totals.dictionary(in.dictionaryId(i)) : null;
                if (values != null && sums.put(values.id(), values) == null) {
                    parts.add(values);
                }
            }
        }
        return sums.values().stream().mapToLong(FieldTotals.Sums::bytes).sum();
    }
}
