// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.text;

import dev.fletch.format.Endianness;
import dev.fletch.format.Feature;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.wire.Escaper;

import java.io.IOException;
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
    private final SchemaWalk walk;
    private final PrintWriter out;

    private SchemaText(SchemaWalk walk, PrintWriter out) {
        this.walk = walk;
        this.out = out;
    }

    /// Writes the complete schema.
    public static void write(SchemaWalk walk, PrintWriter out) {
        new SchemaText(walk, out).whole();
    }

    /// Writes the fields with a path, each as the root of its own tree, labelled with the path.
    ///
    /// @param path as in [SchemaWalk#select]
    public static void write(SchemaWalk walk, String path, PrintWriter out) throws IOException {
        SchemaText text = new SchemaText(walk, out);
        walk.select(
                path,
                (field, depth) -> {
                    out.println(Escaper.name(path) + ": " + text.describe(field));
                    text.below("", field, depth);
                });
    }

    private void whole() {
        Schema schema = walk.schema();
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
            pair(beside, walk.metadata(i));
        }
        for (int i = 0; i < count; i++) {
            branch("", i == count - 1, walk.column(i), 0);
        }
    }

    private void branch(String margin, boolean last, Field field, int depth) {
        String name = field.nameString();
        String label = name == null ? "(no name)" : Escaper.name(name);
        out.println(margin + (last ? "└─ " : "├─ ") + label + ": " + describe(field));
        below(margin + (last ? "   " : "│  "), field, depth);
    }

    /// A field's metadata and children.
    private void below(String margin, Field field, int depth) {
        int children = field.childrenCount();
        String beside = margin + (children == 0 ? "   " : "│  ");
        for (int i = 0; i < field.customMetadataCount(); i++) {
            pair(beside, walk.metadata(field, i));
        }
        for (int i = 0; i < children; i++) {
            branch(margin, i == children - 1, walk.child(field, i, depth + 1), depth + 1);
        }
    }

    private void pair(String beside, KeyValue pair) {
        String key = pair.keyString();
        String value = pair.valueString();
        out.print(beside + "metadata: " + (key == null ? "(no key)" : Escaper.name(key)) + " = ");
        out.println(value == null ? "(no value)" : Escaper.longValue(value, pair.valueLength()));
    }

    private String describe(Field field) {
        String type = walk.typeText(field) + (field.nullable() ? "" : " not null");
        String dictionary = walk.dictionaryText(field);
        return dictionary == null ? type : type + ", " + dictionary;
    }
}
