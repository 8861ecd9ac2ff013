// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.wire.Escaper;
import dev.fletch.wire.Utf8;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The columns of a schema to lay out, or to read as vectors. Only complete columns can be chosen:
/// a struct includes all its children. [BatchLayout#choose] leaves out children, too. Immutable.
public final class Columns {
    /// How columns are chosen.
    enum By {
        ALL,
        NUMBER,
        NAME,
        PATH
    }

    private static final Columns EVERY = new Columns(By.ALL, List.of(), List.of());

    final By by;
    // By name or path.
    final List<String> names;
    final List<Integer> numbers;

    private Columns(By by, List<String> names, List<Integer> numbers) {
        this.by = by;
        this.names = names;
        this.numbers = numbers;
    }

    /// {@return columns with these exact names} A layout has all columns with a name; vectors
    /// reject a name of several columns.
    ///
    /// @param names at least one, each once
    /// @throws IllegalArgumentException if there is none, one is duplicate, or one has an unpaired
    ///     surrogate
    public static Columns named(String... names) {
        return new Columns(By.NAME, utf8(names), List.of());
    }

    /// {@return columns that these paths lead to: names joined by dots, see [BatchLayout#field]} A
    /// name may have dots itself, so that a path may lead to several columns.
    ///
    /// @param paths at least one, each once
    /// @throws IllegalArgumentException as for [#named]
    public static Columns paths(String... paths) {
        return new Columns(By.PATH, utf8(paths), List.of());
    }

    /// {@return columns with these numbers in the schema}
    ///
    /// @param numbers from 0, at least one, each once
    /// @throws IllegalArgumentException if there is none, or one is duplicate
    public static Columns at(int... numbers) {
        return new Columns(By.NUMBER, List.of(), distinct(IntStream.of(numbers).boxed().toList()));
    }

    /// {@return all columns}
    public static Columns all() {
        return EVERY;
    }

    /// {@return the chosen columns of a layout that was compiled for them, in the order in which
    /// they were chosen: of a name, the first column}
    ///
    /// @throws IllegalArgumentException if the layout has no column with a number
    /// @throws dev.fletch.FletchException if it has none with a name
    public List<Integer> order(BatchLayout layout) {
        IntStream all = IntStream.range(0, layout.columnCount());
        return switch (by) {
            case ALL, PATH -> all.boxed().toList();
            case NUMBER -> {
                Map<Integer, Integer> places = new HashMap<>();
                all.forEach(column -> places.put(layout.schemaColumn(column), column));
                yield numbers.stream().map(number -> require(places.get(number), number)).toList();
            }
            case NAME -> names.stream().map(layout::column).toList();
        };
    }

    private static int require(Integer column, int number) {
        if (column == null) {
            throw new IllegalArgumentException("layout does not have the column: column=" + number);
        }
        return column;
    }

    /// Checks and copies names.
    private static List<String> utf8(String... names) {
        List<String> copy = distinct(List.of(names));
        for (String name : copy) {
            if (Utf8.encodedLength(name) < 0) {
                throw new IllegalArgumentException(
                        "column name has an unpaired surrogate: name="
                                + Escaper.shortenedName(name));
            }
        }
        return copy;
    }

    private static <T> List<T> distinct(List<T> chosen) {
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no column is chosen: use Columns.all() for all");
        }
        if (new HashSet<>(chosen).size() != chosen.size()) {
            throw new IllegalArgumentException("column is chosen twice: columns=" + chosen);
        }
        return List.copyOf(chosen);
    }
}
