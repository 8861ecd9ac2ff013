// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.Rule;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// How often each outcome was met.
final class Tally {
    private long accepted;
    private long refused;
    private final Map<Rule, Long> refusedByCode = new LinkedHashMap<>();

    void accept() {
        accepted++;
    }

    void refuse(Rule code) {
        refused++;
        refusedByCode.merge(code, 1L, Long::sum);
    }

    void add(Tally other) {
        accepted += other.accepted;
        refused += other.refused;
        other.refusedByCode.forEach((code, count) -> refusedByCode.merge(code, count, Long::sum));
    }

    long accepted() {
        return accepted;
    }

    long refused() {
        return refused;
    }

    /// The codes that were met.
    Set<Rule> codes() {
        return refusedByCode.isEmpty()
                ? new LinkedHashSet<>()
                : new LinkedHashSet<>(refusedByCode.keySet());
    }

    @Override
    public String toString() {
        String codes =
                refusedByCode.entrySet().stream()
                        .map(each -> each.getKey().id() + "=" + each.getValue())
                        .collect(Collectors.joining(", "));
        return "%d accepted, %d refused: %s".formatted(accepted, refused, codes);
    }
}
