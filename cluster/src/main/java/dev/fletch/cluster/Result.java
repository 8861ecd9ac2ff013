// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.FletchException;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.SchemaChange;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The result's parts, and the lines of those that are sums. Groups are passed in their order: all are
/// compared with the first.
final class Result {
    /// A line for each file, by name.
    static final String FILES = "files.jsonl";

    /// Those lines of files that have a fault.
    static final String FAULTS = "faults.jsonl";

    /// A line for each schema, the largest group first.
    static final String GROUPS = "groups.jsonl";

    /// The sums over all files.
    static final String TOTAL = "total.json";

    private final boolean ignoresMetadata;
    private ArrowSchema largest;
    private int groups;

    /// @param ignoresMetadata whether custom metadata makes no difference
    Result(boolean ignoresMetadata) {
        this.ignoresMetadata = ignoresMetadata;
    }

    static String line(Total total) {
        return JsonLine.of(json -> total(total, json));
    }

    String line(SchemaGroup group) {
        if (group.digest().isEmpty()) {
            return JsonLine.of(
                    json -> {
                        json.writeNullField("group");
                        total(group.total(), json);
                    });
        }
        groups++;
        List<SchemaChange> changes = changes(group);
        return JsonLine.of(
                json -> {
                    json.writeNumberField("group", groups);
                    json.writeStringField("schemaDigest", group.digest());
                    json.writeStringField("firstFile", group.firstFile());
                    total(group.total(), json);
                    json.writeArrayFieldStart("columns");
                    for (SchemaGroup.Column each : group.columns()) {
                        json.writeStartObject();
                        json.writeStringField("name", each.name());
                        json.writeStringField("type", each.type());
                        json.writeFieldName("bytes");
                        json.writeNumber(each.bytes());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    changes(changes, json);
                    json.writeStringField("schema", group.schema());
                });
    }

    /// What differs from the largest group's schema; null if one of both breaks a rule of the format.
    private List<SchemaChange> changes(SchemaGroup group) {
        try {
            ArrowSchema schema = ArrowSchema.ofParquet(group.schema());
            if (groups == 1) {
                largest = schema;
            }
            if (largest == null) {
                return null;
            }
            List<SchemaChange> changes = new ArrayList<>(largest.diff(schema));
            changes.removeIf(each -> ignoresMetadata && each.kind() == SchemaChange.Kind.METADATA);
            return changes;
        } catch (FletchException _) {
            return null;
        }
    }

    private static void total(Total total, JsonGenerator json) throws IOException {
        json.writeNumberField("count", total.files());
        json.writeNumberField("faulty", total.faulty());
        json.writeFieldName("rows");
        json.writeNumber(total.rows());
        json.writeNumberField("batches", total.batches());
        json.writeFieldName("size");
        json.writeNumber(total.size());
    }

    /// @param changes null to write null
    private static void changes(List<SchemaChange> changes, JsonGenerator json) throws IOException {
        if (changes == null) {
            json.writeNullField("changes");
            return;
        }
        json.writeArrayFieldStart("changes");
        for (SchemaChange each : changes) {
            json.writeStartObject();
            json.writeStringField("path", each.path());
            json.writeStringField("kind", each.kind().name().toLowerCase(Locale.ROOT));
            json.writeStringField("key", each.key());
            json.writeStringField("before", each.before());
            json.writeStringField("after", each.after());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
