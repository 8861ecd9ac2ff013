// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.text.PageTemplate;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.scan.internal.FieldTotals;
import dev.fletch.scan.internal.MapMessage;
import dev.fletch.scan.internal.MapPlan;
import dev.fletch.scan.internal.MapTotals;
import dev.fletch.scan.internal.MapWalk;
import dev.fletch.scan.internal.SmallBatches;
import dev.fletch.verify.internal.FileCheck;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The data of a map's HTML page: see [PageTemplate].
///
/// Contains at most the first [PageTemplate#MAX_REGIONS] regions with their fields, and the largest
/// columns and dictionaries of the totals; the sums include all bytes. So the data stays below a
/// browser's limit for strings.
final class MapPage {
    // The most columns, and the most dictionaries, in the totals.
    private static final int MOST_TOTALS = 1_000;
    private static final int MOST_PATH = 200;
    private static final int MOST_FAULTS = 100;

    private final JsonGenerator json;
    // For the fields of each kind of batch, how many paths to write.
    private final Map<MapPlan.Fields, Integer> shownFields = new IdentityHashMap<>();
    private int regions;
    private boolean isWhole = true;

    /// Starts the data, up to the messages.
    MapPage(String name, ArrowContainer container, JsonGenerator json) throws IOException {
        this.json = json;
        json.writeStartObject();
        json.writeStringField("file", InputBytes.title(name));
        json.writeStringField("container", container == ArrowContainer.FILE ? "file" : "stream");
        List<BytePurpose> classes = List.of(BytePurpose.values());
        JsonOutput.array(json, "classes", classes, (to, each) -> to.writeString(each.id()));
        List<BufferRole> roles = List.of(BufferRole.values());
        JsonOutput.array(json, "roles", roles, (to, each) -> to.writeString(each.text()));
        json.writeArrayFieldStart("messages");
    }

    /// Whether the page has all regions.
    boolean isWhole() {
        return isWhole;
    }

    /// Writes a message, up to the limit of regions.
    void message(MapMessage message) throws IOException {
        int room = isWhole ? PageTemplate.MAX_REGIONS - regions : 0;
        if (room == 0) {
            isWhole = false;
            return;
        }
        int buffers = Math.min(room, message.buffers.size());
        int extents = extents(message, Math.min(room, message.extents.size()), buffers);
        isWhole = buffers == message.buffers.size() && extents == message.extents.size();
        regions += Math.max(1, Math.max(buffers, extents));
        json.writeStartObject();
        json.writeNumberField("index", message.index);
        json.writeStringField("kind", message.kind);
        json.writeNumberField("offset", message.frame.offset());
        json.writeNumberField("prefix", message.frame.prefixLength());
        json.writeNumberField("metadata", message.frame.metadataLength());
        json.writeNumberField("body", message.frame.bodyLength());
        if (message.hasBatch()) {
            // As text: numbers in JavaScript have 53 bits.
            json.writeStringField("rows", Long.toString(message.rows));
            if (message.isDictionary) {
                json.writeStringField("dictionary", MapPlan.title(message.dictionaryId));
                json.writeBooleanField("delta", message.isDelta);
            }
            buffers(message, buffers);
        }
        writeExtents(message, extents);
        json.writeEndObject();
    }

    /// The number of extents before the first one whose buffer is left out.
    private static int extents(MapMessage message, int limit, int buffers) {
        Stream<MapMessage.Extent> first = message.extents.stream().limit(limit);
        return (int) first.takeWhile(each -> index(each.buffer()) < buffers).count();
    }

    private static int index(MapMessage.Buffer buffer) {
        return buffer == null ? MapMessage.NONE : buffer.index();
    }

    /// Writes five numbers per buffer: field, role, offset, length, padding.
    private void buffers(MapMessage message, int count) throws IOException {
        json.writeArrayFieldStart("buffers");
        int fields = 0;
        for (MapMessage.Buffer each : message.buffers.subList(0, count)) {
            fields = Math.max(fields, each.field() + 1);
            json.writeNumber(each.field());
            json.writeNumber(each.role() == null ? MapMessage.NONE : each.role().ordinal());
            json.writeNumber(each.offset());
            json.writeNumber(each.length());
            json.writeNumber(message.paddings[each.index()]);
        }
        json.writeEndArray();
        shownFields.merge(message.fields, fields, Math::max);
    }

    /// Writes three numbers per extent: class, buffer, length.
    private void writeExtents(MapMessage message, int count) throws IOException {
        json.writeArrayFieldStart("extents");
        for (MapMessage.Extent each : message.extents.subList(0, count)) {
            json.writeNumber(each.of().ordinal());
            json.writeNumber(index(each.buffer()));
            json.writeNumber(each.length());
        }
        json.writeEndArray();
    }

    /// Writes the damaged parts, each with its place, and the command that saves the others.
    private void damages(MapWalk walk, Input input, String name) throws IOException {
        List<Fault> faults = new ArrayList<>();
        if (input.footerFault() != null) {
            faults.add(input.footerFault());
        }
        input.damages().stream().limit(MOST_FAULTS).forEach(faults::add);
        if (walk.fault() == null) {
            faults.clear();
        } else if (faults.isEmpty()) {
            faults.add(walk.fault());
        }
        json.writeNumberField("moreFaults", Math.max(0, input.damageCount() - MOST_FAULTS));
        boolean isRead = input.hasFooter() && input.bytes().isSearchable();
        Fault lost = isRead ? FileCheck.lostSchemaMessage(input.memory(), input.first()) : null;
        if (lost != null) {
            faults.addFirst(lost);
        }
        json.writeArrayFieldStart("faults");
        for (Fault each : faults) {
            json.writeStartObject();
            JsonOutput.place(json, each);
            json.writeEndObject();
        }
        json.writeEndArray();
        boolean isSaved = walk.fault() != null && input.batches() > 0;
        if (isSaved && !InputBytes.STANDARD_INPUT.equals(name)) {
            String file = name.startsWith("-") ? "./" + name : name; // else an option
            boolean isPlain = file.matches("[\\w./:+@-]+");
            file = isPlain ? file : "'" + file.replace("'", "'\\''") + "'";
            json.writeStringField("salvage", "fletch convert --salvage " + file + " saved.arrow");
        }
    }

    private void histogram(String name, MapTotals.Sizes sizes) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeFieldName("counts");
        json.writeArray(sizes.counts(), 0, sizes.counts().length);
        json.writeNumberField("least", sizes.least());
        json.writeNumberField("most", sizes.most());
        json.writeEndObject();
    }

    /// Writes the totals.
    ///
    /// @param name of the input, as it is shown
    void end(MapWalk walk, Input input, String name) throws IOException {
        MapMessage rest = walk.rest();
        MapTotals totals = walk.totals();
        MapPlan plan = walk.plan();
        json.writeEndArray();
        json.writeObjectFieldStart("rest");
        writeExtents(rest, isWhole ? rest.extents.size() : 0);
        json.writeEndObject();
        json.writeStringField("end", isWhole ? null : PageTemplate.END);
        json.writeBooleanField("isCutShort", walk.isCutShort());
        json.writeStringField("complete", input.completeText());
        damages(walk, input, name);
        json.writeStringField("note", SmallBatches.text(totals));
        if (totals.batches() >= SmallBatches.LEAST_BATCHES) {
            json.writeObjectFieldStart("batchSizes");
            histogram("rows", totals.rowsOfBatches());
            histogram("bytes", totals.bytesOfBatches());
            json.writeEndObject();
        }
        json.writeNumberField("batchCount", totals.batches());
        json.writeNumberField("dictionaryBatchCount", totals.dictionaryBatches());
        json.writeNumberField("columnCount", totals.columns().size());
        json.writeNumberField("dictionaryCount", totals.dictionaryCount());
        json.writeFieldName("totals");
        boolean hasAll = totals.columns().size() <= MOST_TOTALS;
        ColumnOrder order = hasAll ? new ColumnOrder() : ColumnOrder.largestFirst();
        MapJson.totals(walk, order, MOST_TOTALS, MapPage::shown, json);
        List<FieldTotals.Sums> listed = order.first(totals.columns(), MOST_TOTALS);
        JsonOutput.array(
                json,
                "listed",
                listed,
                (to, each) -> to.writeNumber(each.layout().columnOf(each.field())));
        // As text: numbers in JavaScript have 53 bits.
        List<FieldTotals.Sums> titled = order.first(totals.dictionaries(), MOST_TOTALS);
        JsonOutput.array(json, "titles", titled, (to, each) -> to.writeString(each.path()));
        if (plan != null) {
            json.writeFieldName("columns");
            fields(plan.columns());
            json.writeArrayFieldStart("dictionaries");
            for (FieldTotals.Sums each : totals.dictionaries()) {
                if (shownFields.containsKey(plan.dictionary(each.id()))) {
                    fields(plan.dictionary(each.id()));
                }
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /// Writes the paths, and the column of each.
    private void fields(MapPlan.Fields fields) throws IOException {
        String[] paths = fields.paths();
        int count = shownFields.getOrDefault(fields, 0);
        json.writeStartObject();
        json.writeStringField("title", paths.length == 0 ? "" : shown(paths[0]));
        List<String> written = Arrays.asList(paths).subList(0, count);
        JsonOutput.array(json, "paths", written, (to, each) -> to.writeString(shown(each)));
        json.writeFieldName("columns");
        int[] columns = IntStream.range(0, count).map(fields.layout()::columnOf).toArray();
        json.writeArray(columns, 0, count);
        json.writeEndObject();
    }

    /// A path as it is shown; a long one is shortened at its start, which it shares with its
    /// neighbours.
    private static String shown(String path) {
        int over = path.length() - MOST_PATH;
        return Escaper.name(over <= 0 ? path : "…" + path.substring(over));
    }
}
