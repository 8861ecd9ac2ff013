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
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

import java.io.IOException;
import java.io.PushbackReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;

/// Goes through the tokens of a text, and knows where it is. Its own faults, and those of the text
/// as such, come out as [InvalidJsonException].
final class JsonCursor {
    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
                    // Keys are kept for good otherwise, whoever wrote them.
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build();

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final JsonParser parser;

    private JsonCursor(JsonParser parser) {
        this.parser = parser;
    }

    /// Goes to the start of a text, behind the mark that some editors put in front.
    static JsonCursor of(Reader from) throws IOException {
        PushbackReader text = new PushbackReader(from);
        JsonCursor cursor = new JsonCursor(FACTORY.createParser(text));
        int first = cursor.parsed(text::read);
        if (first >= 0 && first != BYTE_ORDER_MARK) {
            text.unread(first);
        }
        return cursor;
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
            // Its own words name settings of the parser.
            throw fault("text must have no endless depths, keys, strings or numbers", e);
        } catch (JsonProcessingException e) {
            throw fault("text must be JSON, " + reason(e), e);
        } catch (CharacterCodingException e) {
            throw fault("text must be encoded in UTF-8", e);
        }
    }

    private static String reason(JsonProcessingException fault) {
        String message = String.valueOf(fault.getOriginalMessage());
        // Where something began that has no end is told in the parser's words.
        int start = message.indexOf(" (start marker at ");
        return Shown.text(start < 0 ? message : message.substring(0, start));
    }

    private InvalidJsonException fault(String reason, IOException cause) {
        JsonLocation at = cause instanceof JsonProcessingException e ? e.getLocation() : null;
        return new InvalidJsonException(
                reason, place(at == null ? parser.currentLocation() : at), "", cause);
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

    /// Goes to the next key of the object.
    ///
    /// @return null at its end
    String nextKey() throws IOException {
        return next() == JsonToken.END_OBJECT ? null : parser.currentName();
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
    void skip() throws IOException {
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
        return path.toString();
    }

    private static void append(JsonStreamContext context, StringBuilder path) {
        if (context.getParent() != null) {
            append(context.getParent(), path);
        }
        if (context.inArray() && context.hasCurrentIndex()) {
            path.append('[').append(context.getCurrentIndex()).append(']');
        } else if (context.inObject() && context.getCurrentName() != null) {
            path.append(path.isEmpty() ? "" : ".").append(Shown.text(context.getCurrentName()));
        }
    }

    private InvalidJsonException wrong(String rule) throws IOException {
        return parser.currentToken() == null
                ? new InvalidJsonException(
                        "text must not be empty", place(parser.currentLocation()), "", null)
                : current(true).wrong(rule);
    }
}
