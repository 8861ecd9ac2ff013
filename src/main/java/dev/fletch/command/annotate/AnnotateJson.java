// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.input.DetectedInput;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Writes an annotated input as one JSON object, region by region, for programs.
final class AnnotateJson implements AnnotateSink {
    // The most bytes of a region.
    private static final int SHOWN_BYTES = 64;

    private final JsonGenerator json;
    private MemorySegment memory;
    private Part part;

    AnnotateJson(JsonGenerator json) {
        this.json = json;
    }

    void write(String name, DetectedInput input, AnnotateFaults faults, Selection chosen)
            throws IOException {
        memory = input.memory();
        json.writeStartObject();
        input(json, name, input);
        json.writeArrayFieldStart("regions");
        new AnnotateWalk(input, faults, chosen.to(this, input)).run();
        json.writeEndArray();
        JsonOutput.complete(json, faults.check());
        Fault missing = chosen.fault(memory.byteSize());
        List<Fault> all = new ArrayList<>(faults.all());
        if (missing != null) {
            all.add(missing);
        }
        json.writeBooleanField("ok", !faults.hasErrors() && missing == null);
        JsonOutput.faults(json, all);
        json.writeEndObject();
        chosen.requireFound(memory.byteSize());
    }

    /// Writes what the input is.
    static void input(JsonGenerator json, String name, DetectedInput input) throws IOException {
        json.writeStringField("file", name);
        json.writeStringField("form", input.form().id());
        json.writeStringField("root", input.root() == null ? null : input.root().table());
        json.writeBooleanField("base64", input.base64() != null);
        json.writeNumberField("size", input.memory().byteSize());
    }

    @Override
    public void region(Region region, Part of, List<Fault> faults, String note) throws IOException {
        json.writeStartObject();
        json.writeNumberField("offset", region.at());
        json.writeNumberField("length", region.length());
        if (of.isInBuffer(region)) {
            json.writeNumberField("relative", region.at() - of.bufferAt());
        }
        if (part != of) {
            json.writeStringField("part", of.title());
            part = of;
        }
        if (of.message() != Fault.NO_MESSAGE) {
            json.writeNumberField("message", of.message());
        }
        json.writeStringField("kind", region.kind().id());
        json.writeStringField("name", region.name());
        node(region.node());
        if (region.typeName() != null) {
            json.writeStringField("type", region.typeName());
        }
        String named = region.elementName(memory);
        if (!named.isEmpty()) {
            json.writeStringField("elementName", named);
        }
        value(region);
        owner(part.owners().of(region));
        if (region.kind() != RegionKind.BODY) {
            byte[] shown = region.bytes(memory, SHOWN_BYTES);
            json.writeStringField("hex", HexFormat.ofDelimiter(" ").formatHex(shown));
        }
        if (note != null) {
            json.writeStringField("note", note);
        }
        if (!faults.isEmpty()) {
            JsonOutput.faults(json, faults);
        }
        json.writeEndObject();
    }

    private void node(Node node) throws IOException {
        if (node == null) {
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

    private void owner(BatchOwners.Owner owner) throws IOException {
        if (owner != null) {
            json.writeStringField("column", owner.path());
            if (owner.role() != null) {
                json.writeStringField("role", owner.role().text());
            }
        }
    }

    private void value(Region region) throws IOException {
        if (region.kind() == RegionKind.TEXT) {
            byte[] text = region.bytes(memory, Integer.MAX_VALUE);
            json.writeStringField("value", new String(text, StandardCharsets.UTF_8));
            return;
        }
        if (region.isNumber()) {
            json.writeNumberField("value", region.number(memory));
            String symbol = region.symbol(memory);
            if (symbol != null) {
                json.writeStringField("symbol", symbol);
            }
        }
        String meaning = region.meaning(memory, part.bufferAt());
        if (!meaning.isEmpty()) {
            json.writeStringField("meaning", meaning);
        }
        if (region.target() != Region.NOWHERE) {
            json.writeNumberField("target", region.target());
        }
        if (region.isUnknown(memory)) {
            json.writeBooleanField("unknown", true);
        }
    }
}
