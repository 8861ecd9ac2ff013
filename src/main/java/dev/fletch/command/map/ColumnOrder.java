// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import dev.fletch.scan.internal.FieldTotals;

import picocli.CommandLine.Option;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The options `--sort` and `--top`: order and number of the listed columns. They also apply to
/// dictionaries and children.
final class ColumnOrder {
    /// The default of `--top` for text.
    static final int USUAL = 50;

    /// The sort keys.
    enum Key {
        BYTES(Comparator.comparingLong(FieldTotals.Sums::bytes).reversed()),
        NULLS(Comparator.comparingLong(FieldTotals.Sums::nulls).reversed()),
        NAME(Comparator.comparing(FieldTotals.Sums::path));

        private final Comparator<FieldTotals.Sums> order;

        Key(Comparator<FieldTotals.Sums> order) {
            this.order = order;
        }
    }

    @Option(
            names = "--sort",
            paramLabel = "KEY",
            description = {
                "Sort by bytes or nulls, largest first, or by name.",
                "Default: the order of the schema."
            })
    private Key key;

    @Option(
            names = "--top",
            paramLabel = "N",
            description = {
                "List only the first N columns; 0 lists all.",
                "Default: 50 in text, all in JSON."
            })
    private Integer top;

    /// The order of `--sort bytes`.
    static ColumnOrder largestFirst() {
        ColumnOrder order = new ColumnOrder();
        order.key = Key.BYTES;
        return order;
    }

    /// The titles without that of the sort key, which a narrow table keeps.
    String[] leftOut(String... titles) {
        return Stream.of(titles)
                .filter(each -> key == null || !each.equalsIgnoreCase(key.name()))
                .toArray(String[]::new);
    }

    /// The first entries in this order.
    List<FieldTotals.Sums> first(List<FieldTotals.Sums> all, int limit) {
        Stream<FieldTotals.Sums> sorted =
                key == null ? all.stream() : all.stream().sorted(key.order);
        return sorted.limit(limit).toList();
    }

    /// The number of entries to list.
    ///
    /// @param usual the default
    int most(int usual) {
        return top == null ? usual : top == 0 ? Integer.MAX_VALUE : top;
    }
}
