// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.InvalidInput;
import dev.fletch.cli.io.Json;
import dev.fletch.ipc.ArrowContainer;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.UnaryOperator;

/// A map for a program: one object, written batch by batch.
final class MapJson implements MapSink, AutoCloseable {
    private final PrintWriter out;
    private final JsonGenerator json;

    /// @param json within the object that it is to be
    MapJson(JsonGenerator json, PrintWriter out) {
        this.json = json;
        this.out = out;
    }

    @Override
    public void start(ArrowContainer container) throws IOException {
        json.writeArrayFieldStart("batches");
    }

    @Override
    public void message(MapMessage message) throws IOException {
        if (!message.hasBatch()) {
            return;
        }
        json.writeStartObject();
        json.writeNumberField("message", message.index);
        if (message.isDictionary) {
            json.writeNumberField("dictionaryId", message.dictionaryId);
        }
        json.writeNumberField("rows", message.rows);
        json.writeArrayFieldStart("nodes");
        for (int i = 0; i < message.nodes.size(); i++) {
            json.writeStartObject();
            json.writeStringField("path", message.fields.paths()[i]);
            json.writeNumberField("length", message.nodes.get(i).length());
            json.writeNumberField("nullCount", message.nodes.get(i).nullCount());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("buffers");
        for (MapMessage.Buffer each : message.buffers) {
            json.writeStartObject();
            json.writeStringField("path", each.isOwned() ? message.path(each) : null);
            json.writeStringField("role", each.isOwned() ? each.role.text() : null);
            json.writeNumberField("index", each.index);
            json.writeNumberField("offset", each.offset);
            json.writeNumberField("length", each.length);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    @Override
    public void end(MapMessage rest, MapTotals totals) throws IOException {
        json.writeEndArray();
        json.writeFieldName("totals");
        totals(totals, json, Integer.MAX_VALUE, UnaryOperator.identity());
    }

    /// Writes what is wrong in place of totals.
    void fault(InvalidInput fault) throws IOException {
        json.writeEndArray();
        Json.fault(json, fault);
    }

    /// Ends the object, wherever it is, and the line.
    @Override
    public void close() throws IOException {
        json.close();
        out.println();
    }

    /// Writes totals as one value.
    ///
    /// @param most how many columns, and how many dictionaries
    /// @param shown what is written of a path
    static void totals(MapTotals totals, JsonGenerator json, int most, UnaryOperator<String> shown)
            throws IOException {
        json.writeStartObject();
        json.writeNumberField("size", totals.size());
        for (MapClass each : MapClass.values()) {
            json.writeNumberField(each.id(), totals.bytes(each));
        }
        json.writeNumberField("waste", totals.waste());
        json.writeNumberField("wasteShare", totals.share(totals.waste()));
        json.writeNumberField("overlapping", totals.overlapping());
        json.writeArrayFieldStart("byColumn");
        for (int i = 0; i < Math.min(most, totals.columnCount()); i++) {
            json.writeStartObject();
            json.writeStringField("path", shown.apply(totals.columnPath(i)));
            json.writeNumberField("bytes", totals.columnBytes(i));
            json.writeNumberField("padding", totals.columnPadding(i));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("byDictionary");
        int left = most;
        for (Map.Entry<Long, long[]> each : totals.dictionaries().entrySet()) {
            if (left-- == 0) {
                break;
            }
            json.writeStartObject();
            json.writeNumberField("dictionaryId", each.getKey());
            json.writeNumberField("bytes", each.getValue()[0]);
            json.writeNumberField("padding", each.getValue()[1]);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
