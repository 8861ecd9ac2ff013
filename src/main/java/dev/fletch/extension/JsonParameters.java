// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

import dev.fletch.wire.Jackson;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Parses metadata by `jackson-core`; the only class here that needs it.
///
/// Anyone may have written the text: its length and depth are limited, a key must not come twice,
/// and nothing may stand behind the object.
final class JsonParameters {
    /// An honest text has some hundred.
    private static final int MAX_CHARS = 1 << 20;

    private static final int MAX_DEPTH = 64;

    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    // Keys are kept for good otherwise, whoever wrote them.
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build();

    private JsonParameters() {}

    /// The values of the keys that are asked for; one that is null counts as absent.
    static Map<String, Object> parse(String extension, String metadata, Set<String> keys) {
        if (metadata.length() > MAX_CHARS) {
            throw new InvalidExtensionException(
                    extension,
                    "must have metadata of at most " + MAX_CHARS + " characters",
                    null,
                    "metadata",
                    metadata);
        }
        try (JsonParser parser = FACTORY.createParser(metadata)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw notObject(extension, "", metadata);
            }
            Map<String, Object> values = values(parser, keys);
            if (parser.nextToken() != null) {
                throw notObject(extension, ", and nothing behind it", metadata);
            }
            return values;
        } catch (StreamConstraintsException e) {
            // Its own words name settings of the parser, and how much it had buffered.
            String limit = ", with at most " + MAX_DEPTH + " levels and no endless keys or numbers";
            throw notObject(extension, limit, metadata);
        } catch (JsonProcessingException e) {
            throw notObject(extension, ", " + reason(e), metadata);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no input or output
        }
    }

    private static InvalidExtensionException notObject(
            String extension, String reason, String metadata) {
        return new InvalidExtensionException(
                extension,
                "must have a JSON object as its metadata" + reason,
                null,
                "metadata",
                metadata.isEmpty() ? "\"\"" : metadata);
    }

    private static String reason(JsonProcessingException fault) {
        JsonLocation place = fault.getLocation();
        String where = place == null ? "" : " at column " + place.getColumnNr();
        return Jackson.reason(fault.getOriginalMessage()) + where;
    }

    private static Map<String, Object> values(JsonParser parser, Set<String> keys)
            throws IOException {
        Map<String, Object> values = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            parser.nextToken();
            if (!keys.contains(key)) {
                parser.skipChildren();
                continue;
            }
            Object value = value(parser, true);
            if (value != null) {
                values.put(key, value);
            }
        }
        return values;
    }

    /// No parameter has an array inside an array.
    private static Object value(JsonParser parser, boolean mayBeArray) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT -> {
                boolean isLong = parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
                yield isLong ? parser.getLongValue() : new Parameters.Other(parser.getText());
            }
            case START_ARRAY -> mayBeArray ? array(parser) : skipped(parser, "an array");
            case START_OBJECT -> skipped(parser, "an object");
            default -> new Parameters.Other(parser.getText());
        };
    }

    private static List<Object> array(JsonParser parser) throws IOException {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser, false));
        }
        return items;
    }

    private static Object skipped(JsonParser parser, String shown) throws IOException {
        parser.skipChildren();
        return new Parameters.Other(shown);
    }
}
