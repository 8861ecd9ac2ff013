// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.format.TypeParameters;
import dev.fletch.format.rules.RuleTable;
import dev.fletch.format.rules.TypeFacts;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Reads one schema or field out of its bytes, within limits.
final class SchemaReader implements TypeParameters {
    /// What decoding puts in the place of what is no UTF-8.
    private static final char REPLACEMENT = '\uFFFD';

    private final SchemaLimits limits;
    private final RuleTable type = new RuleTable();
    private final KeyValue pair = new KeyValue();
    private final DictionaryEncoding encoding = new DictionaryEncoding();
    private final Int indexType = new Int();
    private int tables;
    private long textBytes;
    private final Utf8Slice slice = new Utf8Slice();
    // The field that is read, null outside of all.
    private FieldPath path;
    private int depth;

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
        ArrowSchema.Endianness endianness =
                TypeValues.known(
                        ArrowSchema.Endianness.values(), schema.endianness(), "endianness");
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
        FieldPath parent = path;
        String name = name(field);
        path = parent == null ? FieldPath.of(name) : parent.child(name);
        depth++;
        if (depth > limits.depth()) {
            throw tooMuch("fields must not be nested deeper", "depth", limits.depth());
        }
        ArrowField read;
        try {
            read = parts(parent, name, field);
        } catch (InvalidSchemaException e) {
            throw e.at() == null ? e.at(path) : e;
        }
        depth--;
        path = parent;
        return read;
    }

    private String name(Field field) {
        try {
            String name = text(field, Field.NAME_SLOT, field.nameLength(), field::name, "name");
            return name == null ? "" : name;
        } catch (MalformedText e) {
            FieldPath at = path == null ? FieldPath.of(e.text()) : path.child(e.text());
            throw e.at(at);
        }
    }

    private ArrowField parts(FieldPath parent, String name, Field field) {
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
        ArrowType type = type(field);
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
            // A field knows no more of its path than its own name.
            throw e.at() == null || parent == null ? e : e.at(e.at().under(path));
        }
    }

    private ArrowType type(Field field) {
        int id = field.typeType();
        if (!TypeFacts.of(id).isKnown()) {
            throw badType("field must have a type that the format declares", id);
        }
        if (!type.bindType(field)) {
            throw badType("field must have the table of its type", id);
        }
        return ArrowType.of(id, this, field.childrenCount());
    }

    private static InvalidSchemaException badType(String rule, int id) {
        return new InvalidSchemaException(rule, null, "type_type", Type.NAMES.name(id));
    }

    // ---- the parameters of the current field's type

    @Override
    public boolean isPresent(int slot) {
        return type.isPresent(slot);
    }

    @Override
    public long number(int slot) {
        return type.number(slot);
    }

    @Override
    public String string(int slot) {
        String name = type.rules().fields().get(slot).name();
        return text(type, slot, type.count(slot), into -> type.string(slot, into), name);
    }

    @Override
    public int count(int slot) {
        return type.count(slot);
    }

    @Override
    public long element(int slot, int index) {
        return type.element(slot, index);
    }

    private DictionaryInfo dictionary() {
        int kind = encoding.dictionaryKind();
        if (kind != DictionaryKind.DENSE_ARRAY) {
            throw TypeValues.unknown("dictionaryKind", kind);
        }
        if (!encoding.indexType(indexType)) {
            return DictionaryInfo.implicit(encoding.id(), encoding.isOrdered());
        }
        ArrowType.Int type = new ArrowType.Int(indexType.bitWidth(), indexType.isSigned());
        return new DictionaryInfo(encoding.id(), type, encoding.isOrdered(), false);
    }

    private Metadata.Pair pair(KeyValue from) {
        String key = text(from, KeyValue.KEY_SLOT, from.keyLength(), from::key, "metadata key");
        int bytes = from.valueLength();
        return new Metadata.Pair(
                key, text(from, KeyValue.VALUE_SLOT, bytes, from::value, "metadata value"));
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
    /// @param from the table that has it
    /// @param bytes its length
    /// @param bind binds to it, unless it is absent
    /// @param parameter what it is
    /// @return null if it is absent
    /// @throws InvalidSchemaException if it is no UTF-8: what is made of values would be other bytes
    private String text(
            Table from, int slot, int bytes, Predicate<Utf8Slice> bind, String parameter) {
        textBytes += bytes;
        if (textBytes > limits.textBytes()) {
            throw tooMuch("schema must not have longer texts", "textBytes", limits.textBytes());
        }
        if (!bind.test(slice)) {
            return null;
        }
        String text = slice.toString();
        if (text.indexOf(REPLACEMENT) >= 0 && !slice.contentEquals(text)) {
            long start = from.targetPosition(slot) + Integer.BYTES;
            throw new MalformedText(
                    parameter, text, start + Texts.malformedAt(slice.toByteArray()));
        }
        return text;
    }

    /// A name that is at fault belongs to the path all the same.
    private static final class MalformedText extends InvalidSchemaException {
        private static final long serialVersionUID = 1L;

        private final String text;

        MalformedText(String parameter, String text, long offset) {
            super(offset, "text must be UTF-8, which a byte is not", parameter, text);
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    private InvalidSchemaException tooMuch(String rule, String limit, long value) {
        return new InvalidSchemaException(path, rule + " than the limit", limit, value);
    }
}
