// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.wire.Jackson;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/// The parameters that metadata in JSON holds, those among them that are asked for.
///
/// @param extension name of the extension type, for messages
/// @param values by their keys, without those that are null: a [String], a [Long], a [List] of values
///     and nulls, or else [Other]
record Parameters(String extension, Map<String, Object> values) {
    /// A value that no parameter has.
    ///
    /// @param shown for messages
    record Other(String shown) {
        @Override
        public String toString() {
            return shown;
        }
    }

    /// Parses metadata.
    ///
    /// @param keys what is asked for; other keys are skipped, as a newer document may know them
    /// @throws InvalidExtensionException if it is no JSON object, or larger or deeper than any
    ///     honest one
    static Parameters parse(String extension, String metadata, Set<String> keys) {
        try {
            return new Parameters(extension, JsonParameters.parse(extension, metadata, keys));
        } catch (NoClassDefFoundError e) {
            throw Jackson.missing("metadata of " + extension, e);
        }
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    InvalidExtensionException violation(String rule, String key) {
        return new InvalidExtensionException(
                extension, rule, null, key, has(key) ? shown(values.get(key)) : "absent");
    }

    static String shown(Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> '"' + text + '"';
            case List<?> items -> items.stream().map(Parameters::shown).toList().toString();
            default -> value.toString();
        };
    }

    /// A string that must be there.
    String text(String key) {
        if (values.get(key) instanceof String text) {
            return text;
        }
        throw violation("must have " + key + ", a string", key);
    }

    /// The elements of an array, none if the key is absent.
    ///
    /// @param what the elements are
    /// @param read returns null for anything else
    private <T> List<T> items(String key, String what, Function<Object, T> read) {
        List<T> items = new ArrayList<>();
        switch (values.get(key)) {
            case null -> {}
            case List<?> values -> {
                for (Object value : values) {
                    T item = read.apply(value);
                    if (item == null) {
                        throw violation("must have " + what + " in " + key, key);
                    }
                    items.add(item);
                }
            }
            default -> throw violation("must have an array as " + key, key);
        }
        return items;
    }

    /// Strings, none if the key is absent.
    List<String> texts(String key) {
        return items(key, "strings", value -> value instanceof String text ? text : null);
    }

    /// Numbers of 64 bits, none if the key is absent.
    List<Long> longs(String key) {
        return items(
                key, "integers of 64 bits", value -> value instanceof Long number ? number : null);
    }

    /// Numbers of 32 bits, none if the key is absent.
    List<Integer> ints(String key) {
        return items(key, "integers of 32 bits", Parameters::int32);
    }

    /// Numbers of 32 bits or nulls, none if the key is absent.
    List<OptionalInt> optionalInts(String key) {
        return items(
                key,
                "integers of 32 bits, or nulls,",
                value -> {
                    Integer number = int32(value);
                    return number != null
                            ? OptionalInt.of(number)
                            : value == null ? OptionalInt.empty() : null;
                });
    }

    private static Integer int32(Object value) {
        return value instanceof Long number && number == number.intValue()
                ? number.intValue()
                : null;
    }

    /// Refuses a text that cannot be written as UTF-8.
    static void checkText(String extension, String parameter, String text) {
        boolean encodes =
                text.codePoints()
                        .noneMatch(
                                c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        if (!encodes) {
            throw new InvalidExtensionException(
                    extension,
                    "must have texts without half a surrogate pair",
                    null,
                    parameter,
                    text.replaceAll("\\p{Cs}", "\uFFFD"));
        }
    }
}
