// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Optional;

/// Custom metadata: keys and values in their order. Keys may repeat; the order of different keys
/// has no meaning. Keys that start with `ARROW` are reserved for the format.
///
/// Source: `format/Schema.fbs`, table `KeyValue`.
///
/// @param entries in their order, unmodifiable; an absent key or value is null, which means the
///     same as empty
public record Metadata(List<Entry<String, String>> entries) {
    /// No metadata.
    public static final Metadata EMPTY = new Metadata(List.of());

    /// Copies the entries.
    ///
    /// @throws InvalidSchemaException if a text cannot be encoded in UTF-8
    public Metadata {
        entries = entries.stream().map(Metadata::checked).toList();
    }

    private static Entry<String, String> checked(Entry<String, String> entry) {
        InvalidSchemaException.requireUtf8("metadata key", entry.getKey());
        InvalidSchemaException.requireUtf8("metadata value", entry.getValue());
        return entry instanceof SimpleImmutableEntry<String, String>
                ? entry
                : entry(entry.getKey(), entry.getValue());
    }

    private static Entry<String, String> entry(String key, String value) {
        return new SimpleImmutableEntry<>(key, value);
    }

    private static String key(Entry<String, String> pair) {
        return Objects.requireNonNullElse(pair.getKey(), "");
    }

    private static String value(Entry<String, String> pair) {
        return Objects.requireNonNullElse(pair.getValue(), "");
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
        List<Entry<String, String>> entries = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.add(entry(keysAndValues[i], keysAndValues[i + 1]));
        }
        return new Metadata(entries);
    }

    /// {@return the value of a key; empty if there is no such key; the first value if the key
    /// repeats, as in Arrow C++}
    public Optional<String> get(String key) {
        return all(key).stream().findFirst();
    }

    /// {@return all values of a key, in their order}
    public List<String> all(String key) {
        return entries.stream()
                .filter(entry -> key(entry).equals(key))
                .map(Metadata::value)
                .toList();
    }

    /// {@return the values of each key, with keys in the order of their first entries}
    Map<String, List<String>> byKey() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (Entry<String, String> entry : entries) {
            values.computeIfAbsent(key(entry), _ -> new ArrayList<>()).add(value(entry));
        }
        return values;
    }

    /// {@return a copy with one value for a key: at the position of the key's first entry, or at
    /// the end}
    public Metadata with(String key, String value) {
        int place = 0;
        while (place < entries.size() && !key(entries.get(place)).equals(key)) {
            place++;
        }
        List<Entry<String, String>> changed = new ArrayList<>(without(key).entries);
        changed.add(place, entry(key, Objects.requireNonNull(value, "value")));
        return new Metadata(changed);
    }

    /// {@return a copy without a key}
    public Metadata without(String key) {
        Objects.requireNonNull(key, "key");
        return new Metadata(entries.stream().filter(entry -> !key(entry).equals(key)).toList());
    }
}
