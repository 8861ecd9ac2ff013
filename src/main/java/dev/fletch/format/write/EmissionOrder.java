// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.write.Dialect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The producer whose bytes a [MetadataWriter] writes. The bytes depend on the order in which a
/// producer writes objects and adds fields to tables. The orders were found in the producers'
/// output, and tests compare with it.
///
/// All producers write an object before the table that has an offset to it, and a string once per
/// use. Objects are written in the order of the fields' declaration. Fields are added to their
/// table by size: 8, 4, 2 and 1 bytes, and the highest slot first inside a size, as code does that
/// flatc generates. The constants list what differs. So a new field needs a change here only where
/// a producer treats it in another way.
///
/// Source: the producers' output; `docs/byte-agreement.md` lists them with their versions.
public enum EmissionOrder {
    /// flatc with `-b`, for a JSON document whose keys are in the order of declaration. If the
    /// document's keys have another order, a flyweight no longer shows it: to get flatc's bytes for
    /// such a document, call the encoders in its order.
    FLATC(Dialect.CPP, Map.of(), null),

    /// arrow-java. It adds fields in the order of declaration, or in one chosen by hand. What it
    /// never writes, such as tensors, is written in the order of declaration.
    ARROW_JAVA(
            Dialect.JAVA,
            Map.of(),
            Map.of(
                    "Field", "name nullable typeType type children customMetadata dictionary",
                    "DictionaryEncoding", "id isOrdered indexType dictionaryKind",
                    "Message", "headerType header version bodyLength customMetadata",
                    "Footer", "schema dictionaries recordBatches customMetadata version")),

    /// Arrow C++ since 2.0. Empty vectors are not aligned: this holds for release 25.0. Whether it
    /// held from the beginning is not known, as the golden files of 2.0 and 3.0 do not show it.
    ARROW_CPP(
            Dialect.CPP,
            Map.of(
                    "Field", "children[] type dictionary customMetadata name children",
                    "SparseTensorIndexCSF", "indptrType indicesType indicesBuffers indptrBuffers"),
            null),

    /// Arrow C++ up to 1.0. Its builder aligned empty vectors, as flatbuffers-java does, so that is
    /// its dialect.
    ARROW_CPP_1(
            Dialect.JAVA,
            Map.of(
                    "Field", "name children[] type children dictionary customMetadata",
                    "KeyValue", "value key",
                    "SparseTensorIndexCSF", "indptrType indicesType indicesBuffers indptrBuffers"),
            null);

    private final Dialect dialect;

    /// For a table in what order its objects are written, by the names of their fields:
    /// `children[]` are a vector's elements, `children` is the vector itself. What is not named
    /// follows.
    private final Map<String, String> objects;

    /// For a table in what order its fields are added; null to add those of all tables by size.
    private final Map<String, String> fields;

    EmissionOrder(Dialect dialect, Map<String, String> objects, Map<String, String> fields) {
        this.dialect = dialect;
        this.objects = objects;
        this.fields = fields;
    }

    /// {@return the dialect of the producer's builder, which the
    /// [dev.fletch.flatbuf.write.FlatBufferWriter] to write to must have}
    public Dialect dialect() {
        return dialect;
    }

    /// Lists what is written before a table, in this order.
    List<TableOrder.Step> steps(String table, List<FieldRule> declared) {
        final List<TableOrder.Step> steps = new ArrayList<>();
        for (String name : names(objects.get(table))) {
            final boolean elements = name.endsWith("[]");
            final FieldRule field = named(declared, elements ? name.replace("[]", "") : name);
            steps.add(new TableOrder.Step(field, elements));
        }
        for (FieldRule field : declared) {
            final TableOrder.Step whole = new TableOrder.Step(field, false);
            if (field.kind() == FieldRule.Kind.TABLES) {
                final TableOrder.Step elements = new TableOrder.Step(field, true);
                if (!steps.contains(elements)) {
                    final int at = steps.indexOf(whole);
                    steps.add(at < 0 ? steps.size() : at, elements);
                }
            }
            // flatc aligns for a struct where it reads it, and writes it only with the table.
            final boolean aligns = this == FLATC && field.kind() == FieldRule.Kind.STRUCT;
            if ((field.isOffset() || aligns) && !steps.contains(whole)) {
                steps.add(whole);
            }
        }
        return steps;
    }

    /// Lists a table's fields in the order in which they are added.
    List<FieldRule> added(String table, List<FieldRule> declared) {
        final List<FieldRule> added = new ArrayList<>();
        if (fields == null) {
            added.addAll(declared.reversed());
            added.sort(Comparator.comparingInt(EmissionOrder::sizeClass).reversed());
            return added;
        }
        for (String name : names(fields.get(table))) {
            added.add(named(declared, name));
        }
        for (FieldRule field : declared) {
            if (!added.contains(field)) {
                added.add(field);
            }
        }
        return added;
    }

    /// A field's size; a struct counts as an offset.
    private static int sizeClass(FieldRule field) {
        return field.kind() == FieldRule.Kind.STRUCT ? Integer.BYTES : field.inlineBytes();
    }

    private static List<String> names(String row) {
        return row == null ? List.of() : List.of(row.split(" "));
    }

    private static FieldRule named(List<FieldRule> fields, String name) {
        for (FieldRule field : fields) {
            if (field.name().equals(name)) {
                return field;
            }
        }
        throw new IllegalArgumentException("no such field: name=" + name);
    }
}
