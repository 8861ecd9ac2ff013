// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.format.Feature;
import dev.fletch.wire.Escaper;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Formats a schema as a tree:
///
/// ```text
/// schema: 2 columns
/// │  metadata: origin = nowhere
/// ├─ price: decimal(38, 10) not null
/// └─ point: struct
///    ├─ x: float64 not null
///    └─ y: float64 not null
/// ```
final class SchemaText {
    private final StringBuilder out = new StringBuilder();

    String of(ArrowSchema schema) {
        int count = schema.fields().size();
        out.append("schema: ").append(count).append(count == 1 ? " column" : " columns");
        if (schema.endianness() == ByteOrder.BIG_ENDIAN) {
            out.append(", big-endian");
        }
        String beside = count == 0 ? "   " : "│  ";
        for (long feature : schema.features()) {
            startLine(beside).append("feature: ").append(Feature.NAMES.name(feature));
        }
        schema.metadata().forEach(entry -> metadata(beside, entry));
        branches("", schema.fields());
        return out.toString();
    }

    private StringBuilder startLine(String margin) {
        return out.append('\n').append(margin);
    }

    private void branches(String margin, List<ArrowField> fields) {
        for (int i = 0; i < fields.size(); i++) {
            ArrowField field = fields.get(i);
            boolean last = i == fields.size() - 1;
            startLine(margin).append(last ? "└─ " : "├─ ").append(line(field));
            String below = margin + (last ? "   " : "│  ");
            String beside = below + (field.children().isEmpty() ? "   " : "│  ");
            field.metadata().forEach(entry -> metadata(beside, entry));
            branches(below, field.children());
        }
    }

    private void metadata(String beside, Metadata.Entry entry) {
        String key = entry.key() == null ? "(no key)" : Escaper.name(entry.key());
        startLine(beside).append("metadata: ").append(key).append(" = ");
        out.append(entry.value() == null ? "(no value)" : shown(entry.value()));
    }

    /// A metadata value, shortened if long.
    static String shown(String value) {
        return Escaper.longValue(value, value.getBytes(StandardCharsets.UTF_8).length);
    }

    /// A field without its children and metadata.
    static String line(ArrowField field) {
        boolean nameless = field.absent().contains(AbsentSlot.NAME);
        return (nameless ? "(no name)" : Escaper.name(field.name())) + ": " + description(field);
    }

    /// The part of the line after the name.
    static String description(ArrowField field) {
        return field.type().text()
                + (field.isNullable() ? "" : " not null")
                + (field.dictionary() == null ? "" : ", " + field.dictionary());
    }
}
