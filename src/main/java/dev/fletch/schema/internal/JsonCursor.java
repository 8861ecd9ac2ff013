// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.lang.ScopedValue.CallableOp;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the tokens of a text with their positions. Faults throw a [JsonFault], also those of the
/// parser if the reading is inside [#parsed].
public final class JsonCursor {
    /// Position of a token: line and column from 1, and the keys and indexes from the root to it.
    public record Place(int line, int column, Step last) {
        /// {@return the path as text, such as `fields[2].type`}
        public String path() {
            return last == null ? "" : last.path();
        }
    }

    /// A key, or the index of an element if the key is null, and the steps that lead to it.
    record Step(Step before, String key, int index) {
        String path() {
            StringBuilder path = new StringBuilder();
            appendTo(path);
            if (path.length() <= MAX_PATH_CHARS) {
                return path.toString();
            }
            // The middle is the least informative.
            int half = MAX_PATH_CHARS / 2;
            String end = path.substring(path.length() - half);
            return Escaper.text(path.substring(0, half) + "…" + end);
        }

        private void appendTo(StringBuilder path) {
            if (before != null) {
                before.appendTo(path);
            }
            if (key == null) {
                path.append('[').append(index).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(Escaper.shortened(key));
            }
        }
    }

    /// The parser's message for a text that exceeds one of its limits.
    private static final Pattern OVER_LIMIT =
            Pattern.compile("^([\\w ]+) \\((\\d+)\\) exceeds the maximum allowed \\((\\d+)");

    private static final int MAX_PATH_CHARS = 240;

    private final JsonParser parser;
    private final int mostItems;

    /// @param mostItems the most elements of an array that are kept
    public JsonCursor(JsonParser parser, int mostItems) {
        this.parser = parser;
        this.mostItems = mostItems;
    }

    /// The factory of a parser for untrusted texts.
    public static JsonFactoryBuilder factory(StreamReadConstraints limits) {
        return new JsonFactoryBuilder()
                .streamReadConstraints(limits)
                // Otherwise keys would stay in memory forever.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES);
    }

    // ---- tokens

    /// Goes to the next token; null at the end of the text.
    public JsonToken next() throws IOException {
        return parser.nextToken();
    }

    /// Reads from the text, or throws the parser's fault.
    public <T> T parsed(CallableOp<T, IOException> call) throws IOException {
        try {
            return call.call();
        } catch (StreamConstraintsException e) {
            throw fault(
                    "text must not exceed the limits of depth, keys, strings and numbers",
                    limit(e),
                    e);
        } catch (JsonProcessingException e) {
            throw fault("text must be JSON, " + Jackson.reason(e.getOriginalMessage()), "", e);
        } catch (CharacterCodingException e) {
            throw fault("text must be encoded in UTF-8", "", e);
        }
    }

    /// Extracts limit and value; the rest of the parser's message names its settings.
    private static String limit(StreamConstraintsException fault) {
        Matcher over = OVER_LIMIT.matcher(String.valueOf(fault.getOriginalMessage()));
        if (!over.find()) {
            return "";
        }
        String what = over.group(1).toLowerCase(Locale.ROOT);
        return "limit=" + over.group(3) + ", " + what + "=" + over.group(2);
    }

    private JsonFault fault(String reason, String details, IOException cause) {
        JsonLocation location = cause instanceof JsonProcessingException e ? e.getLocation() : null;
        return new JsonFault(
                reason,
                place(location == null ? parser.currentLocation() : location),
                details,
                cause);
    }

    // ---- objects and arrays

    /// Enters the next object or array.
    ///
    /// @param start its first token
    /// @param other the only other valid token; null for none
    /// @return false if the other token is next
    public boolean enter(JsonToken start, JsonToken other) throws IOException {
        JsonToken token = next();
        if (token == null) {
            throw new JsonFault(
                    "text must not be empty", place(parser.currentLocation()), "", null);
        }
        if (token != start && token != other) {
            boolean isArray = start == JsonToken.START_ARRAY;
            throw current(true).wrong(isArray ? "must be an array" : "must be an object");
        }
        return token == start;
    }

    /// Reads the next array of objects; an empty list if it is null.
    ///
    /// @param element reads an entered object
    public <T> List<T> objects(CallableOp<T, IOException> element) throws IOException {
        List<T> all = new ArrayList<>();
        if (enter(JsonToken.START_ARRAY, JsonToken.VALUE_NULL)) {
            while (enter(JsonToken.START_OBJECT, JsonToken.END_ARRAY)) {
                all.add(element.call());
            }
        }
        return all;
    }

    /// Reads the entered object. Unknown keys are skipped with their values.
    ///
    /// @param readers the reader for the value of a known key, null for an unknown key; a known key
    ///     must not repeat
    public JsonObject object(Function<String, CallableOp<?, IOException>> readers)
            throws IOException {
        JsonObject object = new JsonObject(here(), new HashMap<>());
        while (next() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            CallableOp<?, IOException> reader = readers.apply(key);
            if (reader == null) {
                next();
                parser.skipChildren();
                continue;
            }
            if (object.values().containsKey(key)) {
                throw new JsonFault("object must not repeat a key", here(), "key=" + key, null);
            }
            object.values().put(key, reader.call());
        }
        return object;
    }

    // ---- values

    /// Reads the next value: a plain value, or an array of plain values.
    public JsonValue value() throws IOException {
        next();
        return current(true);
    }

    private JsonValue current(boolean mayBeArray) throws IOException {
        Place place = here();
        return new JsonValue(
                place,
                switch (parser.currentToken()) {
                    case VALUE_NULL -> null;
                    case VALUE_TRUE -> true;
                    case VALUE_FALSE -> false;
                    case VALUE_STRING -> parser.getText();
                    case VALUE_NUMBER_INT -> number();
                    case VALUE_NUMBER_FLOAT -> new JsonValue.Other(parser.getText());
                    case START_ARRAY -> mayBeArray ? array() : other("an array");
                    default -> other("an object");
                });
    }

    private JsonValue.Other other(String shown) throws IOException {
        parser.skipChildren();
        return new JsonValue.Other(shown);
    }

    private JsonValue.Items array() throws IOException {
        List<JsonValue> first = new ArrayList<>();
        int count = 0;
        while (next() != JsonToken.END_ARRAY) {
            if (count++ < mostItems) {
                first.add(current(false));
            } else {
                parser.skipChildren();
            }
        }
        return new JsonValue.Items(first, count);
    }

    private Object number() throws IOException {
        return parser.getNumberType() == NumberType.BIG_INTEGER
                ? new JsonValue.Other(parser.getText())
                : (Object) parser.getLongValue();
    }

    // ---- places

    /// {@return position of the current token}
    public Place here() {
        return place(parser.currentTokenLocation());
    }

    private Place place(JsonLocation location) {
        Step last = last(parser.getParsingContext());
        return new Place(
                Math.max(location.getLineNr(), 1), Math.max(location.getColumnNr(), 1), last);
    }

    private static Step last(JsonStreamContext context) {
        JsonStreamContext parent = context.getParent();
        Step before = (Step) context.getCurrentValue();
        if (before == null && parent != null) {
            before = last(parent);
            context.setCurrentValue(before); // the parent stays where it is
        }
        if (context.inArray() && context.hasCurrentIndex()) {
            return new Step(before, null, context.getCurrentIndex());
        }
        String key = context.inObject() ? context.getCurrentName() : null;
        return key == null ? before : new Step(before, key, 0);
    }
}
