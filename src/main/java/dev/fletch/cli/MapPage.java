// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.ipc.ArrowContainer;
import dev.fletch.layout.BufferRole;

import java.io.IOException;
import java.io.Writer;

/// A map as a page: see [PageTemplate].
final class MapPage implements MapSink {
    private final String name;
    private final Writer page;
    private final PageTemplate template;
    private final JsonGenerator json;
    private MapPlan plan;

    /// Writes the page up to the map.
    MapPage(String name, Writer page) throws IOException {
        this.name = name;
        this.page = page;
        this.template = PageTemplate.of("map");
        this.json = Json.generator(template.begin(page));
    }

    @Override
    public void start(ArrowContainer container) throws IOException {
        json.writeStartObject();
        json.writeStringField("file", InputBytes.title(name));
        json.writeStringField("container", container == ArrowContainer.FILE ? "file" : "stream");
        json.writeArrayFieldStart("classes");
        for (MapClass each : MapClass.values()) {
            json.writeString(each.id());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("roles");
        for (BufferRole each : BufferRole.values()) {
            json.writeString(each.text());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("messages");
    }

    @Override
    public void plan(MapPlan found) {
        plan = found;
    }

    @Override
    public void message(MapMessage message) throws IOException {
        json.writeStartObject();
        json.writeNumberField("index", message.index);
        json.writeStringField("kind", message.kind);
        json.writeNumberField("offset", message.offset);
        json.writeNumberField("prefix", message.prefixLength);
        json.writeNumberField("metadata", message.metadataLength);
        json.writeNumberField("body", message.bodyLength);
        if (message.hasBatch()) {
            // As text: a number of the page's script has 53 bits.
            json.writeStringField("rows", Long.toString(message.rows));
            if (message.isDictionary) {
                json.writeStringField("dictionary", MapPlan.title(message.dictionaryId));
                json.writeBooleanField("delta", message.isDelta);
            }
            buffers(message);
        }
        extents(message);
        json.writeEndObject();
    }

    /// Five numbers for each: field, role, offset, length, padding.
    private void buffers(MapMessage message) throws IOException {
        json.writeArrayFieldStart("buffers");
        for (int i = 0; i < message.bufferCount; i++) {
            BufferRole role = message.bufferRoles[i];
            json.writeNumber(message.bufferFields[i]);
            json.writeNumber(role == null ? MapMessage.NONE : role.ordinal());
            json.writeNumber(message.bufferOffsets[i]);
            json.writeNumber(message.bufferLengths[i]);
            json.writeNumber(message.bufferPadding[i]);
        }
        json.writeEndArray();
    }

    /// Three numbers for each: class, buffer, length.
    private void extents(MapMessage message) throws IOException {
        json.writeArrayFieldStart("extents");
        for (int i = 0; i < message.extentCount; i++) {
            json.writeNumber(message.extentClasses[i]);
            json.writeNumber(message.extentBuffers[i]);
            json.writeNumber(message.extentLengths[i]);
        }
        json.writeEndArray();
    }

    @Override
    public void end(MapMessage rest, MapTotals totals) throws IOException {
        json.writeEndArray();
        json.writeObjectFieldStart("rest");
        extents(rest);
        json.writeEndObject();
        json.writeFieldName("totals");
        MapJson.totals(totals, json);
        if (plan != null) {
            json.writeFieldName("columns");
            fields(plan.columns());
            // In the totals' order.
            json.writeArrayFieldStart("dictionaries");
            for (long id : totals.dictionaries().keySet()) {
                fields(plan.dictionary(id));
            }
            json.writeEndArray();
        }
        json.writeEndObject();
        json.close();
        template.end(page);
    }

    /// The paths, and for each the column it is in.
    private void fields(MapPlan.Fields fields) throws IOException {
        json.writeStartObject();
        json.writeStringField("title", fields.paths().length == 0 ? "" : fields.paths()[0]);
        json.writeArrayFieldStart("paths");
        for (String path : fields.paths()) {
            json.writeString(path);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("columns");
        for (int i = 0; i < fields.paths().length; i++) {
            json.writeNumber(fields.layout().columnOf(i));
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
