// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import java.util.Map;

/// The known keys of an object, with their values.
///
/// @param place of the object
/// @param values by key; null for JSON null
public record JsonObject(JsonCursor.Place place, Map<String, Object> values) {
    /// {@return the value of a key; null if absent}
    @SuppressWarnings("unchecked") // each key has a reader, which determines the type
    public <T> T get(String key) {
        return (T) values.get(key);
    }

    public <T> T get(String key, T absent) {
        T value = get(key);
        return value == null ? absent : value;
    }

    public <T> T required(String key) {
        T value = get(key);
        if (value == null) {
            throw missing(key);
        }
        return value;
    }

    public JsonFault missing(String key) {
        return new JsonFault("object must have the key", place, "key=" + key, null);
    }
}
