// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.wire.Escaper;

import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The rule that a column must be there.
public final class ColumnCheck {
    private ColumnCheck() {}

    /// Returns the fault of a schema without a column.
    ///
    /// @param name of the column, or a path
    /// @param columns number of all
    /// @param names of the columns, by their numbers
    public static FletchException missing(
            CharSequence name, int columns, IntFunction<String> names) {
        String wanted = name.toString();
        List<String> similar = SimilarNames.of(wanted, IntStream.range(0, columns).mapToObj(names));
        return missing(
                "name="
                        + Escaper.name(wanted)
                        + ", columns="
                        + columns
                        + (similar.isEmpty()
                                ? ""
                                : ", similar="
                                        + similar.stream()
                                                .map(Escaper::name)
                                                .collect(Collectors.joining(","))));
    }

    /// [#missing(CharSequence, int, IntFunction)] of a schema. Long names, which columns may share,
    /// are not decoded.
    public static FletchException missing(CharSequence name, Schema schema) {
        Field column = new Field();
        return missing(
                name,
                schema.fieldsCount(),
                i ->
                        schema.fields(i, column).nameLength() > SimilarNames.MOST_BYTES
                                ? ""
                                : Objects.requireNonNullElse(column.nameString(), ""));
    }

    /// Returns the fault of a schema with fewer columns.
    ///
    /// @param column its number, from 0
    /// @param columns number of all
    public static FletchException missing(int column, int columns) {
        return missing("column=" + column + ", columns=" + columns);
    }

    private static FletchException missing(String details) {
        return FletchException.of(MeaningRule.NO_COLUMN, details);
    }
}
