// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static dev.fletch.command.text.Numbers.count;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.text.Numbers;
import dev.fletch.command.text.TextTable;
import dev.fletch.input.Input;
import dev.fletch.scan.internal.FieldTotals;
import dev.fletch.scan.internal.MapMessage;
import dev.fletch.scan.internal.MapTotals;
import dev.fletch.scan.internal.SmallBatches;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/// The output of `fletch columns` about one input.
///
/// @param depth number of levels of children to list
record ColumnsListing(
        MapTotals totals, int depth, ColumnOrder order, DictionaryBytes dictionaries) {
    private static final String UNKNOWN = "-";
    private static final String MIXED = "mixed";

    ColumnsListing(MapTotals totals, int depth, ColumnOrder order) {
        this(totals, depth, order, new DictionaryBytes(totals));
    }

    /// The codec of all record batches, `mixed` if they differ; null if they are not compressed.
    private String codec() {
        List<String> codecs = List.copyOf(totals.codecs().keySet());
        if (codecs.size() > 1) {
            return MIXED;
        }
        return codecs.isEmpty() || codecs.getFirst().equals(MapMessage.NO_CODEC)
                ? null
                : codecs.getFirst();
    }

    private String versions() {
        return totals.versions().isEmpty() ? null : String.join(", ", totals.versions());
    }

    // ---- for a person

    /// @param width of the terminal
    void text(PrintWriter out, int width) {
        TextTable table =
                new TextTable(out)
                        .fit(width, order.leftOut("codec", "uncompressed", "dictionary", "nulls"))
                        .path("column", 0)
                        .left("type", 0)
                        .right("rows", 0)
                        .right("nulls", 0)
                        .right("bytes", 0)
                        .right("uncompressed", 0);
        if (hasDictionaries()) {
            table.right("dictionary", 0);
        }
        table.left("codec", 0).right("share", 0).titles();
        rows(table, totals.columns(), 0, "columns");
        table.print();
        out.println(summary());
        String small = SmallBatches.text(totals);
        if (small != null) {
            out.println(small);
        }
    }

    private boolean hasDictionaries() {
        return totals.dictionaryCount() > 0;
    }

    private void rows(TextTable table, List<FieldTotals.Sums> all, int level, String kind) {
        int limit = order.most(ColumnOrder.USUAL);
        String codec = Objects.requireNonNullElse(codec(), UNKNOWN);
        for (FieldTotals.Sums each : order.first(all, limit)) {
            String path = Escaper.name(each.path());
            boolean isEncoded = each.layout().isDictionaryEncoded(each.field());
            long dictionary = each.layout().dictionaryId(each.field());
            List<Object> cells = new ArrayList<>();
            cells.add(path);
            cells.add(each.type() + (isEncoded ? ", dictionary " + dictionary : ""));
            cells.add(number(each.rows()));
            cells.add(number(each.nulls()));
            cells.add(each.bytes());
            cells.add(number(each.uncompressed()));
            if (hasDictionaries()) {
                long bytes = dictionaries.of(each);
                cells.add(bytes == 0 ? UNKNOWN : number(bytes));
            }
            cells.add(codec);
            cells.add(MapText.share(totals, each.bytes()));
            table.row(cells.toArray());
            if (level < depth) {
                rows(table, each.children(), level + 1, "children of " + path);
            }
        }
        if (all.size() > limit) {
            table.row(MapText.more(all.size() - limit, kind));
        }
    }

    private static Object number(long number) {
        return number == FieldTotals.UNKNOWN ? UNKNOWN : number;
    }

    private String summary() {
        StringJoiner parts = new StringJoiner(", ");
        parts.add(count(totals.rows(), "row", "rows"));
        parts.add(count(totals.batches(), "batch", "batches"));
        if (hasDictionaries()) {
            parts.add(count(totals.dictionaryBatches(), "dictionary batch", "dictionary batches"));
        }
        parts.add(count(totals.columns().size(), "column", "columns"));
        parts.add(Numbers.bytes(totals.size()));
        StringJoiner codecs = new StringJoiner(" and ");
        for (Map.Entry<String, Long> each : totals.codecs().entrySet()) {
            boolean isOnly = totals.codecs().size() == 1;
            String batches = isOnly ? "" : " in " + count(each.getValue(), "batch", "batches");
            codecs.add(each.getKey() + batches);
        }
        parts.add("codec " + codecs.setEmptyValue(UNKNOWN));
        parts.add("format version " + Objects.requireNonNullElse(versions(), UNKNOWN));
        return parts.toString();
    }

    // ---- for a program

    void json(String name, Input input, Fault fault, PrintWriter out) throws IOException {
        try (JsonGenerator generator = JsonOutput.object(name, input, out)) {
            generator.writeStringField("container", input.form().id());
            generator.writeNumberField("rows", totals.rows());
            generator.writeNumberField("batches", totals.batches());
            generator.writeNumberField("dictionaryBatches", totals.dictionaryBatches());
            generator.writeNumberField("columnCount", totals.columns().size());
            generator.writeNumberField("size", totals.size());
            generator.writeStringField("codec", codec());
            generator.writeObjectFieldStart("codecs");
            for (Map.Entry<String, Long> each : totals.codecs().entrySet()) {
                generator.writeNumberField(each.getKey(), each.getValue());
            }
            generator.writeEndObject();
            generator.writeStringField("version", versions());
            columns(generator, "columns", totals.columns(), 0);
            JsonOutput.end(generator, fault, input);
        }
    }

    private void columns(JsonGenerator generator, String key, List<FieldTotals.Sums> all, int level)
            throws IOException {
        generator.writeArrayFieldStart(key);
        for (FieldTotals.Sums each : order.first(all, order.most(Integer.MAX_VALUE))) {
            generator.writeStartObject();
            generator.writeStringField("name", each.layout().nameString(each.field()));
            generator.writeStringField("path", each.path());
            generator.writeStringField("type", each.type());
            if (each.layout().isDictionaryEncoded(each.field())) {
                long id = each.layout().dictionaryId(each.field());
                generator.writeNumberField("dictionaryId", id);
            }
            JsonOutput.number(generator, "rows", each.rows());
            JsonOutput.number(generator, "nulls", each.nulls());
            generator.writeNumberField("bytes", each.bytes());
            JsonOutput.number(generator, "uncompressedBytes", each.uncompressed());
            generator.writeNumberField("padding", each.padding());
            JsonOutput.number(generator, "dictionaryBytes", dictionaries.of(each));
            generator.writeStringField("codec", codec());
            generator.writeNumberField("share", totals.share(each.bytes()));
            if (level < depth) {
                columns(generator, "children", each.children(), level + 1);
            }
            generator.writeEndObject();
        }
        generator.writeEndArray();
    }
}
