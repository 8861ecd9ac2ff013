// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;

import dev.fletch.cli.text.Printable;

import java.io.IOException;
import java.io.Writer;

/// How the commands write JSON: one object per line.
public final class Json {
    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .characterEscapes(new Escapes())
                    .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                    .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
                    .build();

    private Json() {}

    /// A generator for one object on a line of its own. Closing it ends the object, not the line.
    public static JsonGenerator generator(Writer out) throws IOException {
        return FACTORY.createGenerator(out);
    }

    /// A generator within an object about this input.
    public static JsonGenerator object(String name, Writer out) throws IOException {
        JsonGenerator json = generator(out);
        json.writeStartObject();
        json.writeStringField("file", name);
        return json;
    }

    /// Writes where an input is not what the format says, and why, as a field.
    ///
    /// @param fault null, and nothing is written, if nothing is wrong
    public static void fault(JsonGenerator json, InvalidInput fault) throws IOException {
        if (fault == null) {
            return;
        }
        json.writeObjectFieldStart("fault");
        json.writeNumberField("offset", fault.offset());
        json.writeStringField("text", fault.getMessage());
        json.writeEndObject();
    }

    /// Writes an enum's value as a field: by its name, or as a number where it has none.
    ///
    /// @param name null if this version of the format does not know the value
    public static void symbol(JsonGenerator json, String field, long value, String name)
            throws IOException {
        if (name == null) {
            json.writeNumberField(field, value);
        } else {
            json.writeStringField(field, name);
        }
    }

    /// JSON shows up on terminals too: what one would act on is escaped beyond what JSON demands.
    private static final class Escapes extends CharacterEscapes {
        private static final long serialVersionUID = 1L;

        private static final int DELETE = 0x7F;

        private final int[] ascii = standardAsciiEscapesForJSON();

        Escapes() {
            ascii[DELETE] = ESCAPE_STANDARD;
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return ascii;
        }

        @Override
        public SerializableString getEscapeSequence(int c) {
            return !Character.isSurrogate((char) c) && Printable.isActive((char) c)
                    ? new SerializedString(Printable.unicodeEscape((char) c))
                    : null;
        }
    }
}
