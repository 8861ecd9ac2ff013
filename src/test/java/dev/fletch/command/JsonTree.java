// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// JSON as maps, lists, strings, numbers, booleans and nulls. A key that comes twice is an error.
public final class JsonTree {
    private static final JsonFactory FACTORY =
            new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private JsonTree() {}

    /// Reads a text that is one value.
    public static Object parse(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one value: " + text);
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    /// An array of objects.
    public static List<Map<String, Object>> objects(Object value) {
        return array(value).stream().map(JsonTree::object).toList();
    }

    /// A fault as commands print it on one line: message and offset, as far as they are known, then
    /// the text.
    public static String placed(Object fault) {
        Map<String, Object> of = object(fault);
        String message = of.containsKey("message") ? "message " + of.get("message") + ": " : "";
        return message + "offset " + of.get("offset") + ": " + of.get("text");
    }

    @SuppressWarnings("unchecked")
    public static List<Object> array(Object value) {
        return (List<Object>) value;
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT ->
                    parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                            ? (Object) parser.getBigIntegerValue()
                            : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IllegalArgumentException("unexpected: " + parser.currentToken());
        };
    }
}
