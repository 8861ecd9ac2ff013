// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.wire.Escaper;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/// Which columns of a file or stream become vectors, in which order. Only whole columns can be chosen: a struct
/// comes with all of its children. Immutable.
public sealed interface Columns {
    /// Columns by their exact names. A name that several columns have is refused.
    ///
    /// @param names at least one, each once
    record Named(List<String> names) implements Columns {
        /// Checks and copies the names.
        ///
        /// @throws IllegalArgumentException if there is none, one is there twice, or one has half of a surrogate
        ///     pair, which no column has
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
        /// @throws IllegalArgumentException if there is none, or one is there twice
        public At {
            numbers = distinct(numbers);
        }
    }

    /// All columns.
    record All() implements Columns {}

    /// {@return columns of these exact names}
    ///
    /// @param names at least one, each once
    static Columns named(String... names) {
        return new Named(List.of(names));
    }

    /// {@return columns of these numbers}
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
                    "name has no encoding in UTF-8: name=" + Escaper.shortenedName(name));
        }
    }

    private static <T> List<T> distinct(List<T> chosen) {
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no column is chosen; Columns.all() chooses all");
        }
        if (new HashSet<>(chosen).size() != chosen.size()) {
            throw new IllegalArgumentException("a column is chosen twice: columns=" + chosen);
        }
        return List.copyOf(chosen);
    }
}
