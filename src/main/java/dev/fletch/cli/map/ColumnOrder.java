// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.input.FieldTotals;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The options that say which columns are listed, and in which order. Dictionaries and children follow
/// the same order.
final class ColumnOrder {
    /// How many are listed for a person who does not say it.
    static final int USUAL = 50;

    /// What to sort by.
    enum Key {
        BYTES(Comparator.comparingLong(FieldTotals.Sums::bytes).reversed()),
        NULLS(Comparator.comparingLong(FieldTotals.Sums::nulls).reversed()),
        NAME(Comparator.comparing(FieldTotals.Sums::path));

        private final Comparator<FieldTotals.Sums> order;

        Key(Comparator<FieldTotals.Sums> order) {
            this.order = order;
        }

        /// As it is spelled on the command line.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--sort",
            paramLabel = "KEY",
            description = {
                "Sort by bytes or nulls, the most first, or by name.",
                "Without it, columns are in the schema's order."
            })
    private Key key;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private int top = -1;

    @Option(
            names = "--top",
            paramLabel = "N",
            description = {
                "List the first N columns only; 0 lists all.",
                "Without it, text has 50 and JSON all."
            })
    private void top(int count) {
        if (count < 0) {
            throw new ParameterException(spec.commandLine(), "--top is negative: " + count);
        }
        top = count;
    }

    /// The order of `--sort bytes`.
    static ColumnOrder largestFirst() {
        ColumnOrder order = new ColumnOrder();
        order.key = Key.BYTES;
        return order;
    }

    /// The first ones.
    List<FieldTotals.Sums> first(List<FieldTotals.Sums> all, int most) {
        Stream<FieldTotals.Sums> sorted =
                key == null ? all.stream() : all.stream().sorted(key.order);
        return sorted.limit(most).toList();
    }

    /// How many are listed.
    ///
    /// @param usual the answer if the user has not said it
    int most(int usual) {
        return top == 0 ? Integer.MAX_VALUE : top < 0 ? usual : top;
    }
}
