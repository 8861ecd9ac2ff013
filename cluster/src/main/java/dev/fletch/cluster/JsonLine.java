// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;

import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/// Writes lines of JSON. Escapes all characters on which a terminal may act.
final class JsonLine {
    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder().characterEscapes(new Escapes()).build();

    private JsonLine() {}

    /// Writes the fields of the line's object.
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    /// A line with one object, without the line's end.
    static String of(Fields fields) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(line)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.toString();
    }

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
            char found = (char) c;
            return c > DELETE && Escaper.isActive(found) && !Character.isSurrogate(found)
                    ? new SerializedString(Escaper.unicodeEscape(found))
                    : null;
        }
    }
}
