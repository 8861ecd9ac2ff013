// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.DetectedInput;
import dev.fletch.cli.io.Json;
import dev.fletch.cli.verify.Finding;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;

/// An annotated input for a program: one object, written region by region.
final class AnnotateJson implements AnnotateSink, AutoCloseable {
    /// How many bytes of a region are shown.
    static final int SHOWN_BYTES = 64;

    private final String name;
    private final PrintWriter out;
    private final JsonGenerator json;
    private MemorySegment memory;

    AnnotateJson(String name, PrintWriter out) throws IOException {
        this.name = name;
        this.out = out;
        this.json = Json.generator(out);
    }

    @Override
    public void start(DetectedInput input) throws IOException {
        memory = input.memory();
        json.writeStartObject();
        json.writeStringField("file", name);
        json.writeStringField("form", input.form().id());
        json.writeStringField("root", input.root() == null ? null : input.root().table());
        json.writeBooleanField("base64", input.base64() != null);
        json.writeNumberField("size", input.memory().byteSize());
        json.writeArrayFieldStart("regions");
    }

    @Override
    public void region(Region region, Part part, List<Finding> faults, String note)
            throws IOException {
        json.writeStartObject();
        json.writeNumberField("offset", region.at());
        json.writeNumberField("length", region.length());
        if (part.isInBuffer(region)) {
            json.writeNumberField("relative", region.at() - part.bufferAt());
        }
        if (part.message() != Finding.NO_MESSAGE) {
            json.writeNumberField("message", part.message());
        }
        json.writeStringField("kind", region.kind().id());
        json.writeStringField("name", region.name());
        node(region);
        if (region.typeName() != null) {
            json.writeStringField("type", region.typeName());
        }
        value(region);
        if (region.kind() != RegionKind.BODY) {
            long bytes = Math.min(region.length(), SHOWN_BYTES);
            byte[] shown = memory.asSlice(region.at(), bytes).toArray(ValueLayout.JAVA_BYTE);
            json.writeStringField("hex", HexFormat.ofDelimiter(" ").formatHex(shown));
        }
        if (note != null) {
            json.writeStringField("note", note);
        }
        if (!faults.isEmpty()) {
            faults("faults", faults);
        }
        json.writeEndObject();
    }

    private void node(Region region) throws IOException {
        Node node = region.node();
        if (node == null || node.kind == Node.Kind.BUFFER) {
            return;
        }
        json.writeStringField("object", node.title());
        json.writeNumberField("objectOffset", node.at);
        if (node.kind == Node.Kind.VTABLE) {
            json.writeNumberField("tables", node.references);
        } else {
            json.writeStringField("path", node.path());
        }
    }

    private void value(Region region) throws IOException {
        if (region.isNumber()) {
            json.writeNumberField("value", region.number(memory));
            String symbol = region.symbol(memory);
            if (symbol != null) {
                json.writeStringField("symbol", symbol);
            }
        } else if (region.kind() == RegionKind.TEXT) {
            json.writeStringField("value", region.text(memory, Integer.MAX_VALUE));
        }
        if (region.target() != Region.NOWHERE) {
            json.writeNumberField("target", region.target());
        }
        if (region.isUnknown(memory)) {
            json.writeBooleanField("unknown", true);
        }
    }

    private void faults(String field, List<Finding> faults) throws IOException {
        json.writeArrayFieldStart(field);
        for (Finding each : faults) {
            each.write(json);
        }
        json.writeEndArray();
    }

    @Override
    public void end(AnnotateFaults faults, List<Finding> outside) throws IOException {
        json.writeEndArray();
        json.writeBooleanField("ok", !faults.hasErrors());
        faults("faults", faults.all());
        json.writeEndObject();
    }

    /// Ends the object, wherever it is, and the line.
    @Override
    public void close() throws IOException {
        json.close();
        out.println();
    }
}
