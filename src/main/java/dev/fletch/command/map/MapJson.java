// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.scan.internal.FieldTotals;
import dev.fletch.scan.internal.MapMessage;
import dev.fletch.scan.internal.MapTotals;
import dev.fletch.scan.internal.MapWalk;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.util.function.UnaryOperator;

/// A map as JSON.
final class MapJson {
    private MapJson() {}

    /// Writes the batch of a message, if it has one.
    static void batch(MapMessage message, JsonGenerator json) throws IOException {
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
            json.writeStringField("path", Escaper.end(message.fields.paths()[i]));
            json.writeNumberField("length", message.nodes.get(i).length());
            json.writeNumberField("nullCount", message.nodes.get(i).nullCount());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("buffers");
        for (MapMessage.Buffer each : message.buffers) {
            json.writeStartObject();
            json.writeStringField("path", each.isOwned() ? message.path(each) : null);
            json.writeStringField("role", each.isOwned() ? each.role().text() : null);
            json.writeNumberField("index", each.index());
            json.writeNumberField("offset", each.offset());
            json.writeNumberField("length", each.length());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /// Writes the totals as one object.
    ///
    /// @param limit maximum number of columns, and of dictionaries
    /// @param shown the text to write for a path
    static void totals(
            MapWalk walk,
            ColumnOrder order,
            int limit,
            UnaryOperator<String> shown,
            JsonGenerator json)
            throws IOException {
        MapTotals totals = walk.totals();
        json.writeStartObject();
        json.writeNumberField("size", totals.size());
        for (BytePurpose each : BytePurpose.values()) {
            json.writeNumberField(each.id(), totals.bytes(each));
        }
        json.writeNumberField("waste", totals.waste());
        json.writeNumberField("wasteShare", totals.share(totals.waste()));
        json.writeNumberField("overlapping", totals.overlapping());
        json.writeArrayFieldStart("byColumn");
        for (FieldTotals.Sums each : order.first(totals.columns(), limit)) {
            json.writeStartObject();
            json.writeStringField("path", shown.apply(each.path()));
            bytes(each, json);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("byDictionary");
        for (FieldTotals.Sums each : order.first(totals.dictionaries(), limit)) {
            json.writeStartObject();
            json.writeNumberField("dictionaryId", each.id());
            json.writeStringField("column", shown.apply(walk.plan().user(each.id())));
            bytes(each, json);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void bytes(FieldTotals.Sums sums, JsonGenerator json) throws IOException {
        json.writeNumberField("bytes", sums.bytes());
        json.writeNumberField("padding", sums.padding());
        json.writeEndObject();
    }
}
