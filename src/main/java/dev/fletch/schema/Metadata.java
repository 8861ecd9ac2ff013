// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Custom metadata: keys and values in their order. Keys may repeat; the order of different keys
/// has no meaning. Keys that start with `ARROW` are reserved for the format.
///
/// Source: `format/Schema.fbs`, table `KeyValue`.
///
/// @param entries in their order, unmodifiable
public record Metadata(List<Entry> entries) implements Iterable<Metadata.Entry> {
    /// No metadata.
    public static final Metadata EMPTY = new Metadata(List.of());

    /// A key and its value.
    ///
    /// @param key null if absent, which means the same as empty
    /// @param value null if absent, which means the same as empty
    public record Entry(String key, String value) {
        /// Checks the texts.
        ///
        /// @throws InvalidSchemaException if one of them cannot be encoded in UTF-8
        public Entry {
            InvalidSchemaException.requireUtf8("metadata key", key);
            InvalidSchemaException.requireUtf8("metadata value", value);
        }

        private String keyOrEmpty() {
            return key == null ? "" : key;
        }

        private String valueOrEmpty() {
            return value == null ? "" : value;
        }

        private boolean hasKey(String other) {
            return keyOrEmpty().equals(other);
        }
    }

    /// Copies the entries.
    public Metadata {
        entries = List.copyOf(entries);
    }

    /// {@return metadata from alternating keys and values}
    ///
    /// @param keysAndValues a key, its value, the next key and so on
    /// @throws IllegalArgumentException if the last key has no value
    public static Metadata of(String... keysAndValues) {
        if (keysAndValues.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "key without value: keysAndValues=" + Arrays.toString(keysAndValues));
        }
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.add(new Entry(keysAndValues[i], keysAndValues[i + 1]));
        }
        return new Metadata(entries);
    }

    /// {@return whether there are no entries}
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /// {@return the number of entries}
    public int size() {
        return entries.size();
    }

    @Override
    public Iterator<Entry> iterator() {
        return entries.iterator();
    }

    /// {@return the value of a key; empty if there is no such key; the first value if the key
    /// repeats, as in Arrow C++}
    public Optional<String> get(String key) {
        return all(key).stream().findFirst();
    }

    /// {@return all values of a key, in their order}
    public List<String> all(String key) {
        return entries.stream()
                .filter(entry -> entry.hasKey(key))
                .map(Entry::valueOrEmpty)
                .toList();
    }

    /// {@return the values of each key, with keys in the order of their first entries}
    Map<String, List<String>> byKey() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (Entry entry : entries) {
            values.computeIfAbsent(entry.keyOrEmpty(), _ -> new ArrayList<>())
                    .add(entry.valueOrEmpty());
        }
        return values;
    }

    /// {@return a copy with one value for a key: at the position of the key's first entry, or at
    /// the end}
    public Metadata with(String key, String value) {
        int place = 0;
        while (place < entries.size() && !entries.get(place).hasKey(key)) {
            place++;
        }
        List<Entry> changed = new ArrayList<>(without(key).entries);
        changed.add(place, new Entry(key, Objects.requireNonNull(value, "value")));
        return new Metadata(changed);
    }

    /// {@return a copy without a key}
    public Metadata without(String key) {
        Objects.requireNonNull(key, "key");
        return new Metadata(entries.stream().filter(entry -> !entry.hasKey(key)).toList());
    }
}
