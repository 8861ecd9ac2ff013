// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.Rule;
import dev.fletch.verify.messages.ValueFault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Faults as lines, in the order of their offsets. Those of one rule in one column of a message are
/// one line: the first, and how many there are in which rows.
final class FaultLines {
    /// The faults that are one line. Columns may share a name, and the values of dictionaries or of
    /// some columns have fields of their own.
    private record Key(Rule rule, int message, int field, String column) {}

    private final Fault first;
    private long count;
    private long firstRow = Long.MAX_VALUE;
    private long lastRow = ValueFault.NO_ROW;

    private FaultLines(Fault first) {
        this.first = first;
    }

    /// @param faults in any order
    static List<String> of(List<Fault> faults) {
        Map<Object, FaultLines> lines = new LinkedHashMap<>();
        List<Fault> sorted = new ArrayList<>(faults);
        sorted.sort(
                Comparator.comparing((Fault each) -> each.rule() == FileRule.MORE_FAULTS)
                        .thenComparingLong(Fault::position));
        for (Fault each : sorted) {
            Object key =
                    each.field() < 0
                            ? new Object()
                            : new Key(each.rule(), each.message(), each.field(), each.column());
            lines.computeIfAbsent(key, _ -> new FaultLines(each)).add(each);
        }
        return lines.values().stream().map(FaultLines::line).toList();
    }

    private void add(Fault one) {
        count++;
        if (one instanceof ValueFault value && value.row() != ValueFault.NO_ROW) {
            firstRow = Math.min(firstRow, value.row());
            lastRow = Math.max(lastRow, value.row());
        }
    }

    private String line() {
        String rows = lastRow < 0 ? "" : ", rows=" + firstRow + "-" + lastRow;
        return first.line() + (count == 1 ? "" : "; faults=" + count + rows);
    }
}
