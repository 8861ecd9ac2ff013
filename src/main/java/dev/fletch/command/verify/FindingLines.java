// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import dev.fletch.Rule;
import dev.fletch.check.ContainerRules;
import dev.fletch.check.Finding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Findings as lines, in the order of their offsets. Those of one rule in one column of a message are
/// one line: the first, and how many there are in which rows.
final class FindingLines {
    private static final String COLUMN = ", column=";
    private static final Pattern ROW = Pattern.compile(": row=([0-9]+), ");

    /// The findings that are one line.
    private record Key(Rule rule, int message, String column) {}

    private final Finding first;
    private long count;
    private long firstRow = Long.MAX_VALUE;
    private long lastRow = -1;

    private FindingLines(Finding first) {
        this.first = first;
    }

    /// @param found in any order
    static List<String> of(List<Finding> found) {
        Map<Object, FindingLines> lines = new LinkedHashMap<>();
        List<Finding> sorted = new ArrayList<>(found);
        sorted.sort(
                Comparator.comparing((Finding each) -> each.rule() == ContainerRules.MORE_FAULTS)
                        .thenComparingLong(Finding::offset));
        for (Finding each : sorted) {
            int at = each.text().indexOf(COLUMN);
            Object key =
                    at < 0
                            ? new Object()
                            : new Key(each.rule(), each.message(), each.text().substring(at));
            lines.computeIfAbsent(key, _ -> new FindingLines(each)).add(each);
        }
        return lines.values().stream().map(FindingLines::line).toList();
    }

    private void add(Finding one) {
        count++;
        Matcher row = ROW.matcher(one.text());
        if (row.find()) {
            firstRow = Math.min(firstRow, Long.parseLong(row.group(1)));
            lastRow = Math.max(lastRow, Long.parseLong(row.group(1)));
        }
    }

    private String line() {
        String rows = lastRow < 0 ? "" : ", rows=" + firstRow + "-" + lastRow;
        return first.line() + (count == 1 ? "" : "; faults=" + count + rows);
    }
}
