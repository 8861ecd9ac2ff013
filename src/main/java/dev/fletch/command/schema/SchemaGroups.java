// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.text.Numbers;
import dev.fletch.input.InputBytes;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.SchemaChange;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Groups inputs by schema, and compares each group with the largest one.
final class SchemaGroups {
    private static final int SHOWN_NAMES = 10;
    private static final int SHOWN_CHANGES = 20;

    // Schemas are kept for comparison up to this total number of columns.
    private static final long MAX_COLUMNS = 1_000_000;

    // Digests are cached by identity: inputs with a known schema share its object.
    private static final int MOST_DIGESTS = 256;

    private final boolean ignoresMetadata;
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<ArrowSchema, String> digests =
            Collections.synchronizedMap(new IdentityHashMap<>());
    private long columns;
    private int leftOut;

    /// @param schema null if the limit of kept columns is reached
    private record Group(ArrowSchema schema, int columns, List<String> names) {}

    SchemaGroups(boolean ignoresMetadata) {
        this.ignoresMetadata = ignoresMetadata;
    }

    /// The digest of a schema: equal for all schemas of a group. Thread-safe.
    String digest(ArrowSchema schema) {
        if (digests.size() > MOST_DIGESTS) {
            digests.clear();
        }
        return digests.computeIfAbsent(schema, each -> each.digest(!ignoresMetadata));
    }

    /// Adds an input. Called in the order of the inputs.
    void add(String name, String digest, ArrowSchema schema) {
        groups.computeIfAbsent(digest, _ -> group(schema)).names.add(name);
    }

    private Group group(ArrowSchema schema) {
        int count = schema.fields().size();
        columns += count;
        return new Group(columns > MAX_COLUMNS ? null : schema, count, new ArrayList<>());
    }

    /// Counts an input that could not be read.
    void leaveOut() {
        leftOut++;
    }

    int count() {
        return groups.size();
    }

    /// Groups by size, the largest first; groups of equal size in the order of their first inputs.
    private List<Group> sorted() {
        List<Group> sorted = new ArrayList<>(groups.values());
        sorted.sort(Comparator.comparing((Group each) -> -each.names.size()));
        return sorted;
    }

    /// The changes from the largest group's schema; null if either schema is not kept.
    private List<SchemaChange> changes(Group largest, Group other) {
        if (largest.schema == null || other.schema == null) {
            return null;
        }
        List<SchemaChange> changes = new ArrayList<>(largest.schema.diff(other.schema));
        if (ignoresMetadata) {
            changes.removeIf(each -> each.kind() == SchemaChange.Kind.METADATA);
        }
        return changes;
    }

    void text(PrintWriter out) {
        List<Group> all = sorted();
        for (int i = 0; i < all.size(); i++) {
            Group group = all.get(i);
            int names = group.names.size();
            String columnCount = Numbers.count(group.columns, "column", "columns");
            out.println(
                    "group "
                            + (i + 1)
                            + ": "
                            + Numbers.count(names, "file", "files")
                            + ", "
                            + columnCount);
            if (i > 0) {
                changes(changes(all.getFirst(), group), out);
            }
            group.names.stream()
                    .limit(SHOWN_NAMES)
                    .forEach(each -> line(Escaper.text(InputBytes.title(each)), out));
            if (names > SHOWN_NAMES) {
                line("… and " + Numbers.count(names - SHOWN_NAMES, "more file", "more files"), out);
            }
        }
        if (leftOut > 0) {
            out.println(
                    "in no group, because unreadable: " + Numbers.count(leftOut, "file", "files"));
        }
    }

    private static void changes(List<SchemaChange> changes, PrintWriter out) {
        if (changes == null) {
            line("not compared: too many different schemas", out);
            return;
        }
        changes.stream()
                .limit(SHOWN_CHANGES)
                .forEach(each -> line(Escaper.text(each.toString()), out));
        if (changes.size() > SHOWN_CHANGES) {
            int more = changes.size() - SHOWN_CHANGES;
            line("… and " + Numbers.count(more, "more change", "more changes"), out);
        }
    }

    private static void line(String text, PrintWriter out) {
        out.println("  " + text);
    }

    void json(PrintWriter out) throws IOException {
        List<Group> all = sorted();
        for (int i = 0; i < all.size(); i++) {
            Group group = all.get(i);
            try (JsonGenerator json = JsonOutput.line(out)) {
                json.writeStartObject();
                json.writeNumberField("group", i + 1);
                json.writeNumberField("count", group.names.size());
                json.writeNumberField("columns", group.columns);
                List<SchemaChange> changes = changes(all.getFirst(), group);
                JsonOutput.objects(json, "changes", changes, JsonOutput::change);
                JsonOutput.array(json, "files", group.names, JsonGenerator::writeString);
            }
        }
    }
}
