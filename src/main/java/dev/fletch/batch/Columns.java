// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.wire.Escaper;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/// The columns of a schema to lay out, or to read as vectors. Only complete columns can be chosen: a
/// struct includes all its children. [BatchLayout#choose] leaves out children, too. Immutable.
public sealed interface Columns {
    /// Columns by their exact names. A layout has all columns with a name; vectors reject a name of
    /// several columns.
    ///
    /// @param names at least one, each once
    record Named(List<String> names) implements Columns {
        /// Checks and copies the names.
        ///
        /// @throws IllegalArgumentException if there is none, one is duplicate, or one has an
        ///     unpaired surrogate
        public Named {
            names = distinct(names);
            names.forEach(Columns::requireUtf8);
        }
    }

    /// Columns by their numbers in the schema, from 0.
    ///
    /// @param numbers at least one, each once
    record At(List<Integer> numbers) implements Columns {
        /// Checks and copies the numbers.
        ///
        /// @throws IllegalArgumentException if there is none, or one is duplicate
        public At {
            numbers = distinct(numbers);
        }
    }

    /// Columns that paths lead to: names joined by dots, see [BatchLayout#fieldOf]. A name may have
    /// dots itself, so that a path may lead to several columns.
    ///
    /// @param paths at least one, each once
    record Paths(List<String> paths) implements Columns {
        /// Checks and copies the paths.
        ///
        /// @throws IllegalArgumentException if there is none, one is duplicate, or one has an
        ///     unpaired surrogate
        public Paths {
            paths = distinct(paths);
            paths.forEach(Columns::requireUtf8);
        }
    }

    /// All columns.
    record All() implements Columns {}

    /// {@return columns with these exact names}
    ///
    /// @param names at least one, each once
    static Columns named(String... names) {
        return new Named(List.of(names));
    }

    /// {@return columns that these paths lead to}
    ///
    /// @param paths names joined by dots, at least one, each once
    static Columns paths(String... paths) {
        return new Paths(List.of(paths));
    }

    /// {@return columns with these numbers}
    ///
    /// @param numbers from 0, at least one, each once
    static Columns at(int... numbers) {
        return new At(IntStream.of(numbers).boxed().toList());
    }

    /// {@return all columns}
    static Columns all() {
        return new All();
    }

    private static void requireUtf8(String name) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(
                    "column name has an unpaired surrogate: name=" + Escaper.shortenedName(name));
        }
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
