// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.internal.Jackson;
import dev.fletch.schema.internal.JsonCursor;
import dev.fletch.schema.internal.JsonObject;
import dev.fletch.schema.internal.JsonValue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/// The parameters in metadata that is a JSON object. The only class of this package that needs
/// `jackson-core`.
///
/// Metadata is untrusted input: its length and depth are limited, keys must be unique, and nothing
/// may follow the object.
final class Parameters {
    /// Length limit; usual metadata has some hundred characters.
    private static final int MAX_CHARS = 1 << 20;

    private static final int MAX_DEPTH = 64;

    /// An array has an element for each dimension of a tensor. Each takes about 80 bytes, and a
    /// metadata may be shared by many fields.
    private static final int MAX_ITEMS = 1024;

    private static final int ANY_COUNT = -1;

    private static final JsonFactory FACTORY =
            JsonCursor.factory(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build();

    private final String extension;
    private final JsonObject object;

    private Parameters(String extension, JsonObject object) {
        this.extension = extension;
        this.object = object;
    }

    // ---- parsing

    /// Parses metadata.
    ///
    /// @param keys the known keys; others are skipped, as a newer specification may define them
    /// @throws InvalidSchemaException if the metadata is not a JSON object, too long or too deep
    static Parameters parse(String extension, String metadata, Set<String> keys) {
        if (metadata.length() > MAX_CHARS) {
            String rule = "must have metadata of at most " + MAX_CHARS + " characters";
            throw InvalidSchemaException.ofExtension(extension, rule, null, "metadata", metadata);
        }
        try (JsonParser parser = FACTORY.createParser(metadata)) {
            JsonCursor json = new JsonCursor(parser, MAX_ITEMS);
            if (json.next() != JsonToken.START_OBJECT) {
                throw notObject(extension, "", metadata);
            }
            JsonObject object = json.object(key -> keys.contains(key) ? json::value : null);
            if (json.next() != null) {
                throw notObject(extension, ", with nothing after it", metadata);
            }
            return new Parameters(extension, object);
        } catch (StreamConstraintsException e) {
            // The parser's message names its settings.
            String limit =
                    ", with at most " + MAX_DEPTH + " levels and without overlong keys or numbers";
            throw notObject(extension, limit, metadata);
        } catch (JsonProcessingException e) {
            JsonLocation place = e.getLocation();
            String where = place == null ? "" : " at column " + place.getColumnNr();
            String reason = Jackson.reason(e.getOriginalMessage());
            throw notObject(extension, ", " + reason + where, metadata);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen, there is no input or output
        }
    }

    private static InvalidSchemaException notObject(
            String extension, String reason, String metadata) {
        return InvalidSchemaException.ofExtension(
                extension,
                "must have a JSON object as its metadata" + reason,
                null,
                "metadata",
                metadata.isEmpty() ? "\"\"" : metadata);
    }

    // ---- values

    /// The value of a key; null if it is absent or null.
    private Object value(String key) {
        JsonValue value = object.get(key);
        return value == null ? null : value.value();
    }

    boolean has(String key) {
        return value(key) != null;
    }

    InvalidSchemaException violation(String rule, String key) {
        return InvalidSchemaException.ofExtension(
                extension, rule, null, key, has(key) ? shown(value(key)) : "absent");
    }

    private static String shown(Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> '"' + text + '"';
            case JsonValue.Other(String text) -> text;
            case JsonValue.Items items ->
                    items.first().stream().map(each -> shown(each.value())).toList().toString();
            default -> value.toString();
        };
    }

    /// {@return a required string}
    String text(String key) {
        if (value(key) instanceof String text) {
            return text;
        }
        throw violation("must have a string as " + key, key);
    }

    // ---- arrays: none if the key is absent; `count` is the required size

    List<String> texts(String key, int count) {
        return items(key, count, "strings", value -> value instanceof String text ? text : null);
    }

    List<Long> longs(String key) {
        return items(
                key,
                ANY_COUNT,
                "integers of 64 bits",
                value -> value instanceof Long number ? number : null);
    }

    List<Integer> ints(String key, int count) {
        return items(key, count, "integers of 32 bits", Parameters::int32);
    }

    List<OptionalInt> optionalInts(String key, int count) {
        return items(
                key,
                count,
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

    /// @param what the expected elements, for messages
    /// @param read returns null for any other value
    private <T> List<T> items(String key, int count, String what, Function<Object, T> read) {
        if (!has(key)) {
            return List.of();
        }
        if (!(value(key) instanceof JsonValue.Items array)) {
            throw violation("must have an array as " + key, key);
        }
        if (count != ANY_COUNT && array.count() != count) {
            throw violation(TensorRules.countRule(key, array.count(), count), key);
        }
        if (array.count() > MAX_ITEMS) {
            throw violation("must have at most " + MAX_ITEMS + " elements in " + key, key);
        }
        List<T> items = new ArrayList<>();
        for (JsonValue value : array.first()) {
            T item = read.apply(value.value());
            if (item == null) {
                throw violation("must have " + what + " in " + key, key);
            }
            items.add(item);
        }
        return items;
    }
}
