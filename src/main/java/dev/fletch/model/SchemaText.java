// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.format.Feature;
import dev.fletch.wire.Escaper;

import java.util.List;

/// A schema as a tree that a person reads:
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

    SchemaText() {}

    String of(ArrowSchema schema) {
        int count = schema.fields().size();
        out.append("schema: ").append(count).append(count == 1 ? " column" : " columns");
        if (schema.endianness() == ArrowSchema.Endianness.BIG) {
            out.append(", big-endian");
        }
        String beside = count == 0 ? "   " : "│  ";
        for (long feature : schema.features()) {
            startLine(beside).append("feature: ").append(Feature.NAMES.name(feature));
        }
        schema.metadata().forEach(pair -> pair(beside, pair));
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
            field.metadata().forEach(pair -> pair(beside, pair));
            branches(below, field.children());
        }
    }

    private void pair(String beside, Metadata.Pair pair) {
        String key = pair.key();
        startLine(beside).append("metadata: ");
        out.append(key == null ? "(no key)" : Escaper.name(key)).append(" = ");
        out.append(shown(pair.value()));
    }

    /// A value may be a page long; its start tells what it is.
    static String shown(String value) {
        if (value == null) {
            return "(no value)";
        }
        return Escaper.longValue(value, Texts.encodedLength(value));
    }

    /// A field without what is below it.
    static String line(ArrowField field) {
        boolean nameless = field.omitted().contains(Omitted.NAME);
        String label = nameless ? "(no name)" : Escaper.name(field.name());
        return label + ": " + description(field);
    }

    /// What stands behind the name.
    static String description(ArrowField field) {
        return field.type().text()
                + (field.isNullable() ? "" : " not null")
                + (field.dictionary() == null ? "" : ", " + field.dictionary());
    }
}
