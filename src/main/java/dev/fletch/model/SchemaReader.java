// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Reads one schema or field out of its bytes, within limits.
final class SchemaReader {
    private final SchemaLimits limits;
    private final TypeReader types = new TypeReader(this);
    private final KeyValue pair = new KeyValue();
    private final DictionaryEncoding encoding = new DictionaryEncoding();
    private final dev.fletch.format.Int indexType = new dev.fletch.format.Int();
    private int tables;
    private long textBytes;
    // Names of the fields that lead to what is read.
    private final List<String> path = new ArrayList<>();

    SchemaReader(SchemaLimits limits) {
        this.limits = limits;
    }

    ArrowSchema schema(Schema schema) {
        Set<Omitted> omitted = EnumSet.noneOf(Omitted.class);
        if (!schema.isPresent(Schema.FIELDS_SLOT)) {
            omitted.add(Omitted.FIELDS);
        }
        if (!schema.isPresent(Schema.CUSTOM_METADATA_SLOT)) {
            omitted.add(Omitted.METADATA);
        }
        if (!schema.isPresent(Schema.FEATURES_SLOT)) {
            omitted.add(Omitted.FEATURES);
        }
        Endianness endianness = known(Endianness.values(), schema.endianness(), "endianness");
        List<Metadata.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < schema.customMetadataCount(); i++) {
            countTable();
            pairs.add(pair(schema.customMetadata(i, pair)));
        }
        List<Long> features = new ArrayList<>();
        for (int i = 0; i < schema.featuresCount(); i++) {
            features.add(schema.features(i));
        }
        List<ArrowField> fields = new ArrayList<>();
        Field column = new Field();
        for (int i = 0; i < schema.fieldsCount(); i++) {
            fields.add(field(schema.fields(i, column)));
        }
        return new ArrowSchema(endianness, fields, new Metadata(pairs), features, omitted);
    }

    ArrowField field(Field field) {
        countTable();
        String name = text(field.nameLength(), field::nameString);
        name = name == null ? "" : name;
        path.add(name);
        if (path.size() > limits.depth()) {
            throw tooMuch("fields must not be nested deeper", "depth", limits.depth());
        }
        ArrowField read;
        try {
            read = parts(name, field);
        } catch (InvalidSchemaException e) {
            throw e.path() == null ? e.at(String.join(".", path)) : e;
        }
        path.removeLast();
        return read;
    }

    private ArrowField parts(String name, Field field) {
        Set<Omitted> omitted = EnumSet.noneOf(Omitted.class);
        if (!field.isPresent(Field.NAME_SLOT)) {
            omitted.add(Omitted.NAME);
        }
        if (!field.isPresent(Field.CHILDREN_SLOT)) {
            omitted.add(Omitted.CHILDREN);
        }
        if (!field.isPresent(Field.CUSTOM_METADATA_SLOT)) {
            omitted.add(Omitted.METADATA);
        }
        ArrowType type = types.of(field);
        DictionaryInfo dictionary = field.dictionary(encoding) ? dictionary() : null;
        List<Metadata.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < field.customMetadataCount(); i++) {
            countTable();
            pairs.add(pair(field.customMetadata(i, pair)));
        }
        List<ArrowField> children = new ArrayList<>();
        Field child = new Field();
        for (int i = 0; i < field.childrenCount(); i++) {
            children.add(field(field.children(i, child)));
        }
        try {
            return new ArrowField(
                    name,
                    type,
                    field.nullable(),
                    dictionary,
                    children,
                    new Metadata(pairs),
                    omitted);
        } catch (InvalidSchemaException e) {
            throw atParent(e);
        }
    }

    /// A field knows no more of its path than its own name.
    private InvalidSchemaException atParent(InvalidSchemaException e) {
        if (e.path() == null || path.size() == 1) {
            return e;
        }
        return e.at(String.join(".", path.subList(0, path.size() - 1)) + "." + e.path());
    }

    private DictionaryInfo dictionary() {
        int kind = encoding.dictionaryKind();
        if (kind != DictionaryKind.DENSE_ARRAY) {
            throw unknown("dictionaryKind", kind);
        }
        return encoding.indexType(indexType)
                ? new DictionaryInfo(
                        encoding.id(), TypeReader.integer(indexType), encoding.isOrdered(), false)
                : DictionaryInfo.implicit(encoding.id(), encoding.isOrdered());
    }

    private Metadata.Pair pair(KeyValue from) {
        String key = text(from.keyLength(), from::keyString);
        return new Metadata.Pair(key, text(from.valueLength(), from::valueString));
    }

    // ---- what is read is counted before it is

    private void countTable() {
        tables++;
        if (tables > limits.tables()) {
            throw tooMuch(
                    "schema must not have more fields and metadata", "tables", limits.tables());
        }
    }

    /// Decodes a text.
    ///
    /// @param bytes its length
    String text(int bytes, Supplier<String> decode) {
        textBytes += bytes;
        if (textBytes > limits.textBytes()) {
            throw tooMuch("schema must not have longer texts", "textBytes", limits.textBytes());
        }
        return decode.get();
    }

    private InvalidSchemaException tooMuch(String rule, String limit, long value) {
        String place = path.isEmpty() ? null : String.join(".", path);
        return new InvalidSchemaException(rule + " than the limit", place, limit, value);
    }

    // ---- numbers that stand for something

    /// The constant of a number; they are declared in the order of their numbers.
    static <E extends Enum<E>> E known(E[] values, int id, String parameter) {
        if (id < 0 || id >= values.length) {
            throw unknown(parameter, id);
        }
        return values[id];
    }

    static InvalidSchemaException unknown(String parameter, int id) {
        return new InvalidSchemaException(
                "number must be one that the format declares", null, parameter, id);
    }
}
