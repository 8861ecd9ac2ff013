// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import dev.fletch.wire.Escaper;

import java.util.List;

/// A value of a known key.
///
/// @param place of its first character
/// @param value null, a [Boolean], a [Long], a [String], [Items], or else [Other]
public record JsonValue(JsonCursor.Place place, Object value) {
    /// A value that is invalid for all keys.
    ///
    /// @param shown for messages
    public record Other(String shown) {}

    /// An array.
    ///
    /// @param first the first elements: see [JsonCursor#JsonCursor]
    /// @param count number of all elements
    public record Items(List<JsonValue> first, int count) {}

    public boolean isNull() {
        return value == null;
    }

    private <T> T as(Class<T> type, String rule) {
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        throw wrong(rule);
    }

    public String string() {
        return as(String.class, "must be a string");
    }

    public boolean bool() {
        return as(Boolean.class, "must be true or false");
    }

    public long int64() {
        return as(Long.class, "must be an integer of 64 bits");
    }

    public int int32() {
        if (value instanceof Long number && number == number.intValue()) {
            return number.intValue();
        }
        throw wrong("must be an integer of 32 bits");
    }

    public List<Integer> int32s() {
        Items items = as(Items.class, "must be an array");
        int limit = items.first().size();
        if (items.count() > limit) {
            throw wrong("must be an array of at most " + limit + " elements");
        }
        return items.first().stream().map(JsonValue::int32).toList();
    }

    public JsonFault wrong(String rule) {
        return new JsonFault("value " + rule, place, "value=" + shown(), null);
    }

    private String shown() {
        return switch (value) {
            case null -> "null";
            case Items items -> "an array of " + items.count();
            case Other other -> Escaper.shortened(other.shown());
            case String text -> '"' + Escaper.shortened(text) + '"';
            default -> value.toString();
        };
    }
}
