// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import dev.fletch.batch.BatchLayout;
import dev.fletch.scan.internal.FieldTotals;
import dev.fletch.scan.internal.MapTotals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// Bytes of the dictionaries of a field and its descendants, each counted once.
///
/// A dictionary's values may be dictionary-encoded, too. Of a chain, in which each dictionary needs
/// only the next one, the sums are remembered: all columns together cost one pass. Where a field
/// needs several, these may share others, and all that it needs are looked up again: up to a limit,
/// since a schema of n dictionaries may need n² of these steps.
final class DictionaryBytes {
    private static final long MOST_STEPS = 1 << 24;

    private final MapTotals totals;
    private long steps;
    // Of each dictionary that begins a chain, with those that it leads to.
    private final Map<Long, Long> chains = new HashMap<>();

    DictionaryBytes(MapTotals totals) {
        this.totals = totals;
    }

    /// The bytes of the dictionaries of a field; [FieldTotals#UNKNOWN] behind the limit.
    long of(FieldTotals.Sums field) {
        List<FieldTotals.Sums> chain = new ArrayList<>();
        FieldTotals.Sums last = field;
        long sum = 0;
        while (true) {
            Collection<FieldTotals.Sums> needed = needed(last);
            if (needed.isEmpty()) {
                break;
            }
            last = needed.iterator().next();
            Long known = chains.get(last.id());
            if (known != null && needed.size() == 1) {
                sum = known;
                break;
            }
            if (steps > MOST_STEPS) {
                return FieldTotals.UNKNOWN;
            }
            // A chain that is longer leads back to itself.
            if (needed.size() > 1 || chain.size() == totals.dictionaryCount()) {
                return ofAll(field);
            }
            chain.add(last);
        }
        for (FieldTotals.Sums each : chain.reversed()) {
            sum += each.bytes();
            chains.put(each.id(), sum);
        }
        return sum;
    }

    private long ofAll(FieldTotals.Sums field) {
        Map<Long, FieldTotals.Sums> sums = new HashMap<>();
        Queue<FieldTotals.Sums> parts = new ArrayDeque<>();
        for (FieldTotals.Sums part = field; part != null; part = parts.poll()) {
            if (steps > MOST_STEPS) {
                return FieldTotals.UNKNOWN;
            }
            for (FieldTotals.Sums each : needed(part)) {
                if (sums.put(each.id(), each) == null) {
                    parts.add(each);
                }
            }
        }
        return sums.values().stream().mapToLong(FieldTotals.Sums::bytes).sum();
    }

    /// The dictionaries that encode a field and its descendants, without those that these need.
    private Collection<FieldTotals.Sums> needed(FieldTotals.Sums part) {
        BatchLayout in = part.layout();
        Map<Long, FieldTotals.Sums> sums = new HashMap<>();
        steps += in.end(part.field()) - part.field();
        for (int i = part.field(); i < in.end(part.field()); i++) {
            FieldTotals.Sums values =
                    in.isDictionaryEncoded(i) ? totals.dictionary(in.dictionaryId(i)) : null;
            if (values != null) {
                sums.put(values.id(), values);
            }
        }
        return sums.values();
    }
}
