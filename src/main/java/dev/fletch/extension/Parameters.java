// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.wire.Jackson;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/// The parameters that metadata in JSON holds, those among them that are asked for.
///
/// @param extension name of the extension type, for messages
/// @param values by their keys, without those that are null
record Parameters(String extension, Map<String, JsonValue> values) {
    /// A value of JSON, as far as parameters need one.
    sealed interface JsonValue {
        /// A string.
        record Text(String text) implements JsonValue {
            @Override
            public String toString() {
                return '"' + text + '"';
            }
        }

        /// A number without fraction and exponent that fits into 64 bits.
        record Whole(long number) implements JsonValue {
            @Override
            public String toString() {
                return Long.toString(number);
            }
        }

        /// An array.
        record Items(List<JsonValue> items) implements JsonValue {
            @Override
            public String toString() {
                return items.toString();
            }
        }

        /// What no parameter is made of.
        ///
        /// @param shown for messages
        record Other(String shown) implements JsonValue {
            @Override
            public String toString() {
                return shown;
            }
        }

        /// No value.
        record None() implements JsonValue {
            @Override
            public String toString() {
                return "null";
            }
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
                extension, rule, null, key, has(key) ? values.get(key) : "absent");
    }

    /// A string that must be there.
    String text(String key) {
        if (values.get(key) instanceof JsonValue.Text(String text)) {
            return text;
        }
        throw violation("must have " + key + ", a string", key);
    }

    private List<JsonValue> items(String key) {
        return switch (values.get(key)) {
            case null -> List.of();
            case JsonValue.Items(List<JsonValue> items) -> items;
            default -> throw violation("must have an array as " + key, key);
        };
    }

    /// Strings, none if the key is absent.
    List<String> texts(String key) {
        return items(key).stream()
                .map(
                        item -> {
                            if (item instanceof JsonValue.Text(String text)) {
                                return text;
                            }
                            throw violation("must have strings in " + key, key);
                        })
                .toList();
    }

    /// Numbers of 64 bits, none if the key is absent.
    List<Long> longs(String key) {
        return items(key).stream()
                .map(
                        item -> {
                            if (item instanceof JsonValue.Whole(long number)) {
                                return number;
                            }
                            throw violation("must have integers of 64 bits in " + key, key);
                        })
                .toList();
    }

    /// Numbers of 32 bits, none if the key is absent.
    List<Integer> ints(String key) {
        return items(key).stream()
                .map(
                        item -> {
                            if (item instanceof JsonValue.Whole(long number) && isInt(number)) {
                                return (int) number;
                            }
                            throw violation("must have integers of 32 bits in " + key, key);
                        })
                .toList();
    }

    /// Numbers of 32 bits or nulls, none if the key is absent.
    List<OptionalInt> optionalInts(String key) {
        return items(key).stream()
                .map(
                        item -> {
                            if (item instanceof JsonValue.None) {
                                return OptionalInt.empty();
                            }
                            if (item instanceof JsonValue.Whole(long number) && isInt(number)) {
                                return OptionalInt.of((int) number);
                            }
                            throw violation(
                                    "must have integers of 32 bits, or nulls, in " + key, key);
                        })
                .toList();
    }

    private static boolean isInt(long number) {
        return number == (int) number;
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
