// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

import dev.fletch.wire.Escaper;
import dev.fletch.wire.Jackson;

import java.io.IOException;
import java.io.PushbackReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Goes through the tokens of a text, and knows where it is. Its own faults, and those of the text
/// as such, come out as [InvalidJsonException].
final class JsonCursor {
    private static final int MAX_LEVELS = 1000;
    private static final int MAX_KEY_CHARS = 50_000;
    private static final int MAX_DIGITS = 1000;
    private static final int MIN_STRING_CHARS = 1 << 20;

    /// What the parser says of a text that goes beyond one of its limits.
    private static final Pattern OVER_LIMIT =
            Pattern.compile("^([\\w ]+) \\((\\d+)\\) exceeds the maximum allowed \\((\\d+)");

    private static final int MAX_PATH_CHARS = 240;

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final JsonParser parser;

    private JsonCursor(JsonParser parser) {
        this.parser = parser;
    }

    /// Goes to the start of a text, behind the mark that some editors put in front.
    ///
    /// @param textBytes the longest string that is taken
    static JsonCursor of(Reader from, long textBytes) throws IOException {
        PushbackReader text = new PushbackReader(from);
        JsonCursor cursor = new JsonCursor(factory(textBytes).createParser(text));
        int first = cursor.parsed(text::read);
        if (first >= 0 && first != BYTE_ORDER_MARK) {
            text.unread(first);
        }
        return cursor;
    }

    private static JsonFactory factory(long textBytes) {
        return new JsonFactoryBuilder()
                .streamReadConstraints(
                        StreamReadConstraints.builder()
                                .maxNestingDepth(MAX_LEVELS)
                                .maxNameLength(MAX_KEY_CHARS)
                                .maxNumberLength(MAX_DIGITS)
                                .maxStringLength(maxStringChars(textBytes))
                                .build())
                .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
                // Keys are kept for good otherwise, whoever wrote them.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .build();
    }

    /// None has more characters than bytes; words of the format are no texts of a schema.
    private static int maxStringChars(long textBytes) {
        return Math.clamp(textBytes, MIN_STRING_CHARS, Integer.MAX_VALUE);
    }

    // ---- tokens

    /// Goes to the next token, null at the end of the text.
    JsonToken next() throws IOException {
        return parsed(parser::nextToken);
    }

    /// Something that is asked of the parser.
    private interface Question<T> {
        T answer() throws IOException;
    }

    private <T> T parsed(Question<T> question) throws IOException {
        try {
            return question.answer();
        } catch (StreamConstraintsException e) {
            throw fault("text must have no endless depths, keys, strings or numbers", limit(e), e);
        } catch (JsonProcessingException e) {
            throw fault("text must be JSON, " + Jackson.reason(e.getOriginalMessage()), "", e);
        } catch (CharacterCodingException e) {
            throw fault("text must be encoded in UTF-8", "", e);
        }
    }

    /// The parser's own words go on to name its settings.
    private static String limit(StreamConstraintsException fault) {
        Matcher over = OVER_LIMIT.matcher(String.valueOf(fault.getOriginalMessage()));
        if (!over.find()) {
            return "";
        }
        String what = over.group(1).toLowerCase(Locale.ROOT);
        return "limit=" + over.group(3) + ", " + what + "=" + over.group(2);
    }

    private InvalidJsonException fault(String reason, String details, IOException cause) {
        JsonLocation at = cause instanceof JsonProcessingException e ? e.getLocation() : null;
        return new InvalidJsonException(
                reason, place(at == null ? parser.currentLocation() : at), details, cause);
    }

    /// Goes into the object that is next.
    void enterObject() throws IOException {
        if (next() != JsonToken.START_OBJECT) {
            throw wrong("must be an object");
        }
    }

    /// Goes into the object that is next, unless it is null.
    ///
    /// @return false for null
    boolean enterObjectOrNull() throws IOException {
        JsonToken token = next();
        if (token != JsonToken.START_OBJECT && token != JsonToken.VALUE_NULL) {
            throw wrong("must be an object");
        }
        return token == JsonToken.START_OBJECT;
    }

    /// The keys of the object that was entered.
    ///
    /// @param known those that mean something
    Keys keys(Set<String> known) {
        return new Keys(known);
    }

    /// Goes through the keys of one object, and past those that mean nothing with their values.
    final class Keys {
        private final Set<String> known;
        private final Set<String> seen = new HashSet<>();

        private Keys(Set<String> known) {
            this.known = known;
        }

        /// Goes to the next key that means something, which must not have come before.
        ///
        /// @return null at the end of the object
        String next() throws IOException {
            while (JsonCursor.this.next() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                if (!known.contains(key)) {
                    skip();
                } else if (seen.add(key)) {
                    return key;
                } else {
                    throw new InvalidJsonException(
                            "object must have each key once", here(), "key=" + key, null);
                }
            }
            return null;
        }
    }

    /// Goes into the array that is next, unless it is null.
    ///
    /// @return false for null
    boolean enterArrayOrNull() throws IOException {
        JsonToken token = next();
        if (token != JsonToken.START_ARRAY && token != JsonToken.VALUE_NULL) {
            throw wrong("must be an array");
        }
        return token == JsonToken.START_ARRAY;
    }

    /// Goes to the start of an object in an array.
    ///
    /// @return false at the array's end
    boolean nextObject() throws IOException {
        JsonToken token = next();
        if (token != JsonToken.START_OBJECT && token != JsonToken.END_ARRAY) {
            throw wrong("must be an object");
        }
        return token == JsonToken.START_OBJECT;
    }

    /// Goes past the value that is next, whatever it is.
    private void skip() throws IOException {
        next();
        skipRest();
    }

    /// Goes to the end of the object or array that is entered just now.
    private void skipRest() throws IOException {
        int open = parser.currentToken().isStructStart() ? 1 : 0;
        while (open > 0) {
            JsonToken token = next();
            if (token.isStructStart()) {
                open++;
            } else if (token.isStructEnd()) {
                open--;
            }
        }
    }

    // ---- values

    /// The value that is next, of no more than an array of plain ones.
    JsonValue value() throws IOException {
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
                    case VALUE_STRING -> text();
                    case VALUE_NUMBER_INT -> number();
                    case VALUE_NUMBER_FLOAT -> new JsonValue.Other(text());
                    case START_ARRAY -> mayBeArray ? array() : other("an array");
                    default -> other("an object");
                });
    }

    private JsonValue.Other other(String shown) throws IOException {
        skipRest();
        return new JsonValue.Other(shown);
    }

    /// What is behind the longest array that means something is skipped.
    private JsonValue.Items array() throws IOException {
        JsonValue.Items items = new JsonValue.Items();
        while (next() != JsonToken.END_ARRAY) {
            if (items.isFull()) {
                skipRest();
                items.add(null);
            } else {
                items.add(current(false));
            }
        }
        return items;
    }

    private String text() throws IOException {
        return parsed(parser::getText);
    }

    private Object number() throws IOException {
        NumberType type = parsed(parser::getNumberType);
        return type == NumberType.BIG_INTEGER
                ? new JsonValue.Other(text())
                : (Object) parsed(parser::getLongValue);
    }

    // ---- places

    /// Where the current token is.
    Place here() {
        return place(parser.currentTokenLocation());
    }

    private Place place(JsonLocation at) {
        return new Place(Math.max(at.getLineNr(), 1), Math.max(at.getColumnNr(), 1), path());
    }

    private String path() {
        StringBuilder path = new StringBuilder();
        append(parser.getParsingContext(), path);
        if (path.length() <= MAX_PATH_CHARS) {
            return path.toString();
        }
        // What is in the middle tells least.
        int half = MAX_PATH_CHARS / 2;
        return Escaper.text(path.substring(0, half) + "…" + path.substring(path.length() - half));
    }

    private static void append(JsonStreamContext context, StringBuilder path) {
        if (context.getParent() != null) {
            append(context.getParent(), path);
        }
        if (context.inArray() && context.hasCurrentIndex()) {
            path.append('[').append(context.getCurrentIndex()).append(']');
        } else if (context.inObject() && context.getCurrentName() != null) {
            path.append(path.isEmpty() ? "" : ".")
                    .append(Escaper.shortened(context.getCurrentName()));
        }
    }

    private InvalidJsonException wrong(String rule) throws IOException {
        return parser.currentToken() == null
                ? new InvalidJsonException(
                        "text must not be empty", place(parser.currentLocation()), "", null)
                : current(true).wrong(rule);
    }
}
