// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.json;

import java.util.Map;

/// The known keys of an object, with their values.
///
/// @param place of the object
/// @param values by key; null for JSON null
record JsonObject(JsonCursor.Place place, Map<String, Object> values) {
    /// {@return the value of a key; null if absent}
    @SuppressWarnings("unchecked") // each key has a reader, which determines the type
    <T> T get(String key) {
        return (T) values.get(key);
    }

    <T> T get(String key, T absent) {
        T value = get(key);
        return value == null ? absent : value;
    }

    <T> T required(String key) {
        T value = get(key);
        if (value == null) {
            throw missing(key);
        }
        return value;
    }

    InvalidJsonException missing(String key) {
        return new InvalidJsonException("object must have the key", place, "key=" + key, null);
    }
}
