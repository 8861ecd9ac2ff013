// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.input.Input;
import dev.fletch.schema.SchemaChange;
import dev.fletch.verify.CheckReport;
import dev.fletch.verify.internal.InputCheck;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/// JSON output of the commands: one object per line.
public final class JsonOutput {
    private static final JsonFactory FACTORY = factory("");
    private static final JsonFactory MARKUP = factory("<>&");

    private JsonOutput() {}

    private static JsonFactory factory(String escaped) {
        return new JsonFactoryBuilder()
                .characterEscapes(new Escapes(escaped))
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
                .build();
    }

    /// A generator for one value. Closing it ends the value, not the line.
    public static JsonGenerator generator(Writer out) throws IOException {
        return FACTORY.createGenerator(out);
    }

    /// A generator for one value on a line of its own. Closing it ends the value and the line.
    public static JsonGenerator line(Writer out) throws IOException {
        return new JsonGeneratorDelegate(generator(out)) {
            @Override
            public void close() throws IOException {
                super.close();
                out.write(System.lineSeparator());
            }
        };
    }

    /// A generator for JSON inside HTML: escapes `<`, `>` and `&`.
    public static JsonGenerator inMarkup(Writer out) throws IOException {
        return MARKUP.createGenerator(out);
    }

    /// A generator for the line of an input: inside an object, after its field `file`.
    public static JsonGenerator object(String name, Writer out) throws IOException {
        JsonGenerator json = line(out);
        json.writeStartObject();
        json.writeStringField("file", name);
        return json;
    }

    /// [#object(String, Writer)] for one of the streams of an input. If it is not the first, with
    /// its offset.
    public static JsonGenerator object(String name, Input input, Writer out) throws IOException {
        JsonGenerator json = object(name, out);
        if (input.isFollowing()) {
            json.writeNumberField("streamOffset", input.start());
        }
        return json;
    }

    /// Writes a fault as a field; nothing if it is null.
    public static void fault(JsonGenerator json, Fault fault) throws IOException {
        if (fault != null) {
            json.writeObjectFieldStart("fault");
            place(json, fault);
            json.writeEndObject();
        }
    }

    /// Writes the fields of a fault.
    public static void place(JsonGenerator json, Fault fault) throws IOException {
        json.writeStringField("code", fault.rule().id());
        if (fault.message() != Fault.NO_MESSAGE) {
            json.writeNumberField("message", fault.message());
        }
        json.writeNumberField("offset", fault.position());
        json.writeStringField("text", fault.text());
    }

    /// Writes why an input failed as a field: `fault` if it is invalid, `error` if it cannot be
    /// read; nothing if the failure is null.
    public static void failure(JsonGenerator json, Throwable failure) throws IOException {
        if (failure instanceof FletchException e && e.isInInput()) {
            fault(json, e.fault());
        } else if (failure != null) {
            json.writeStringField("error", Failures.text(failure));
        }
    }

    /// Writes the fields after the last message: the fault, the expected number of batches, and the
    /// incomplete message, each only if present.
    public static void end(JsonGenerator json, Fault fault, Input input) throws IOException {
        fault(json, fault);
        if (input.damages().size() > 1) {
            objects(json, "damages", input.damages(), JsonOutput::place);
        }
        nextStream(json, input);
        if (fault != null && input.expectedBatches() >= 0) {
            json.writeNumberField("expectedBatches", input.expectedBatches());
        }
        if (!input.hasIncomplete()) {
            return;
        }
        json.writeObjectFieldStart("incomplete");
        json.writeNumberField("index", input.index());
        json.writeNumberField("offset", input.frame().offset());
        json.writeStringField("kind", MessageHeader.NAMES.name(input.message.headerType()));
        json.writeNumberField("bodyLength", input.frame().bodyLength());
        RecordBatch batch = new RecordBatch();
        if (input.message.header(batch)) {
            json.writeNumberField("rows", batch.length());
        }
        json.writeEndObject();
    }

    /// Writes how much of a damaged file or stream is complete; nothing of others.
    public static void complete(JsonGenerator json, InputCheck check) throws IOException {
        if (check.complete().isEmpty()) {
            return;
        }
        CheckReport report = check.report();
        json.writeNumberField("completeBatches", report.completeBatches());
        json.writeNumberField("completeRows", report.completeRows());
        if (report.expectedBatches() >= 0) {
            json.writeNumberField("expectedBatches", report.expectedBatches());
        }
    }

    /// Writes the offset of the next stream as a field, if there is one.
    public static void nextStream(JsonGenerator json, Input input) throws IOException {
        if (input.nextStream() >= 0) {
            json.writeNumberField("nextStream", input.nextStream());
        }
    }

    /// Writes a number as a field: null if it is negative, which means that it is absent or
    /// unknown.
    public static void number(JsonGenerator json, String field, long number) throws IOException {
        json.writeObjectField(field, number < 0 ? null : (Object) number);
    }

    /// Writes a value, or the fields of an object.
    public interface Part<T> {
        void write(JsonGenerator json, T part) throws IOException;
    }

    /// Writes an array as a field; null if the elements are null.
    public static <T> void array(
            JsonGenerator json, String field, Iterable<T> elements, Part<? super T> element)
            throws IOException {
        if (elements == null) {
            json.writeNullField(field);
            return;
        }
        json.writeArrayFieldStart(field);
        for (T each : elements) {
            element.write(json, each);
        }
        json.writeEndArray();
    }

    /// [#array] of objects, of which a part writes the fields.
    public static <T> void objects(
            JsonGenerator json, String field, Iterable<T> elements, Part<? super T> fields)
            throws IOException {
        array(
                json,
                field,
                elements,
                (to, each) -> {
                    to.writeStartObject();
                    fields.write(to, each);
                    to.writeEndObject();
                });
    }

    public static void change(JsonGenerator json, SchemaChange change) throws IOException {
        json.writeStringField("path", change.path());
        json.writeStringField("kind", change.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringField("key", change.key());
        json.writeStringField("before", change.before());
        json.writeStringField("after", change.after());
    }

    /// Also escapes control characters of terminals.
    private static final class Escapes extends CharacterEscapes {
        private static final long serialVersionUID = 1L;

        private static final int DELETE = 0x7F;

        private final int[] ascii = standardAsciiEscapesForJSON();

        /// @param escaped ASCII characters to escape as well
        Escapes(String escaped) {
            ascii[DELETE] = ESCAPE_STANDARD;
            escaped.chars().forEach(c -> ascii[c] = ESCAPE_CUSTOM);
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return ascii;
        }

        @Override
        public SerializableString getEscapeSequence(int c) {
            boolean isEscaped = c < DELETE ? ascii[c] == ESCAPE_CUSTOM : Escaper.isActive((char) c);
            return isEscaped && !Character.isSurrogate((char) c)
                    ? new SerializedString(Escaper.unicodeEscape((char) c))
                    : null;
        }
    }

    public static void faults(JsonGenerator json, Iterable<Fault> faults) throws IOException {
        array(json, "faults", faults, (to, each) -> to.writeRawValue(each.toJson()));
    }
}
