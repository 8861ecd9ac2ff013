// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Pairs of an application, in their order; keys may repeat.
///
/// Keys that start with `ARROW` are reserved for the format. What means nothing: the order of
/// different keys.
///
/// @param pairs in their order, unmodifiable
public record Metadata(List<Pair> pairs) implements Iterable<Metadata.Pair> {
    /// No pairs.
    public static final Metadata EMPTY = new Metadata(List.of());

    /// A key and its value.
    ///
    /// @param key null if it is absent, which means the same as an empty one
    /// @param value null if it is absent, which means the same as an empty one
    public record Pair(String key, String value) {
        /// Checks the texts.
        ///
        /// @throws InvalidSchemaException if one of them has no encoding in UTF-8
        public Pair {
            Texts.check("metadata key", key);
            Texts.check("metadata value", value);
        }

        String keyOrEmpty() {
            return key == null ? "" : key;
        }

        String valueOrEmpty() {
            return value == null ? "" : value;
        }
    }

    /// Copies the pairs.
    public Metadata {
        pairs = List.copyOf(pairs);
    }

    /// Metadata of keys and values in turn.
    ///
    /// @param keysAndValues a key, its value, the next key and so on
    /// @return the pairs, in their order
    /// @throws IllegalArgumentException if the last key has no value
    public static Metadata of(String... keysAndValues) {
        if (keysAndValues.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "a key without a value: keysAndValues=" + Arrays.toString(keysAndValues));
        }
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            pairs.add(new Pair(keysAndValues[i], keysAndValues[i + 1]));
        }
        return new Metadata(pairs);
    }

    /// {@return whether there are no pairs}
    public boolean isEmpty() {
        return pairs.isEmpty();
    }

    /// {@return the number of pairs}
    public int size() {
        return pairs.size();
    }

    /// {@return the pairs in their order, which cannot be removed}
    @Override
    public Iterator<Pair> iterator() {
        return pairs.iterator();
    }

    /// The value of a key; of several the first one, as in Arrow C++.
    ///
    /// @param key any text
    /// @return its value, empty if there is no such key
    public Optional<String> get(String key) {
        return pairs.stream()
                .filter(pair -> pair.keyOrEmpty().equals(key))
                .map(Pair::valueOrEmpty)
                .findFirst();
    }

    /// All values of a key, in their order.
    ///
    /// @param key any text
    /// @return its values, none if there is no such key
    public List<String> all(String key) {
        return pairs.stream()
                .filter(pair -> pair.keyOrEmpty().equals(key))
                .map(Pair::valueOrEmpty)
                .toList();
    }

    /// The values of each key, keys in the order in which they come first.
    Map<String, List<String>> byKey() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (Pair pair : pairs) {
            values.computeIfAbsent(pair.keyOrEmpty(), _ -> new ArrayList<>())
                    .add(pair.valueOrEmpty());
        }
        return values;
    }

    /// The same with one value for a key: in the place of its first value if it has one, else at
    /// the end.
    ///
    /// @param key any text
    /// @param value any text
    /// @return new metadata
    public Metadata with(String key, String value) {
        Pair added = new Pair(Objects.requireNonNull(key), Objects.requireNonNull(value));
        List<Pair> changed = new ArrayList<>();
        boolean placed = false;
        for (Pair pair : pairs) {
            if (!pair.keyOrEmpty().equals(key)) {
                changed.add(pair);
            } else if (!placed) {
                changed.add(added);
                placed = true;
            }
        }
        if (!placed) {
            changed.add(added);
        }
        return new Metadata(changed);
    }

    /// The same without a key.
    ///
    /// @param key any text
    /// @return metadata without any pair of it
    public Metadata without(String key) {
        return new Metadata(pairs.stream().filter(pair -> !pair.keyOrEmpty().equals(key)).toList());
    }

    /// Compares what it means: for each key its values in their order.
    ///
    /// @param other other metadata
    /// @return whether both mean the same
    public boolean sameMeaning(Metadata other) {
        return normalized().equals(other.normalized());
    }

    Metadata normalized() {
        return new Metadata(
                pairs.stream()
                        .map(pair -> new Pair(pair.keyOrEmpty(), pair.valueOrEmpty()))
                        .sorted(Comparator.comparing(Pair::key))
                        .toList());
    }
}
