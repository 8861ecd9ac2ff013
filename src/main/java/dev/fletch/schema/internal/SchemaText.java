// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.Feature;
import dev.fletch.wire.Escaper;

import java.io.PrintWriter;

/// Writes a schema as a text tree:
///
/// ```text
/// schema: 2 columns
/// │  metadata: origin = nowhere
/// ├─ price: decimal(38, 10) not null
/// └─ point: struct
///    ├─ x: float64 not null
///    └─ y: float64 not null
/// ```
public final class SchemaText {
    private final PrintWriter out;
    private final KeyValue pair = new KeyValue();

    private SchemaText(PrintWriter out) {
        this.out = out;
    }

    /// Writes the complete schema, or the fields with a path, each as the root of its own tree,
    /// labelled with the path.
    ///
    /// @param path as in [FieldSelection#of]; null for the complete schema
    public static void write(Schema schema, String path, PrintWriter out) {
        SchemaText text = new SchemaText(out);
        if (path == null) {
            text.whole(schema);
            return;
        }
        for (Field field : FieldSelection.of(schema, path)) {
            out.println(Escaper.name(path) + ": " + describe(field));
            text.below("", field);
        }
    }

    private void whole(Schema schema) {
        int count = schema.fieldsCount();
        out.print("schema: " + count + (count == 1 ? " column" : " columns"));
        int endianness = schema.endianness();
        if (endianness == Endianness.BIG) {
            out.print(", big-endian");
        } else if (endianness != Endianness.LITTLE) {
            out.print(", " + Endianness.NAMES.name(endianness));
        }
        out.println();
        String beside = count == 0 ? "   " : "│  ";
        for (int i = 0; i < schema.featuresCount(); i++) {
            out.println(beside + "feature: " + Feature.NAMES.name(schema.features(i)));
        }
        for (int i = 0; i < schema.customMetadataCount(); i++) {
            pair(beside, schema.customMetadata(i, pair));
        }
        for (int i = 0; i < count; i++) {
            branch("", i == count - 1, schema.fields(i, new Field()));
        }
    }

    private void branch(String margin, boolean last, Field field) {
        String name = field.nameString();
        String label = name == null ? "(no name)" : Escaper.name(name);
        out.println(margin + (last ? "└─ " : "├─ ") + label + ": " + describe(field));
        below(margin + (last ? "   " : "│  "), field);
    }

    /// A field's metadata and children.
    private void below(String margin, Field field) {
        int children = field.childrenCount();
        String beside = margin + (children == 0 ? "   " : "│  ");
        for (int i = 0; i < field.customMetadataCount(); i++) {
            pair(beside, field.customMetadata(i, pair));
        }
        for (int i = 0; i < children; i++) {
            branch(margin, i == children - 1, field.children(i, new Field()));
        }
    }

    private void pair(String beside, KeyValue metadata) {
        String key = metadata.keyString();
        String value = metadata.valueString();
        out.print(beside + "metadata: " + (key == null ? "(no key)" : Escaper.name(key)) + " = ");
        out.println(
                value == null ? "(no value)" : Escaper.longValue(value, metadata.valueLength()));
    }

    private static String describe(Field field) {
        String type = TypeText.of(field) + (field.nullable() ? "" : " not null");
        String dictionary = TypeText.dictionary(field);
        return dictionary == null ? type : type + ", " + dictionary;
    }
}
