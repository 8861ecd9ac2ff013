// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.Json;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Endianness;
import dev.fletch.format.Feature;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;

import java.io.IOException;

/// A schema in the words of `format/Schema.fbs`, as JSON that `flatc -b` makes a buffer of: what is
/// stored, and nothing else. What is absent stays absent, so an empty vector can be told from none.
///
/// Three things flatc has no way to say: the table of a type that the declarations don't know, a text
/// that is not UTF-8, and more levels than its parser goes down (64, of which a child takes two).
public final class SchemaFbs {
    private final SchemaWalk walk;
    private final JsonGenerator json;
    private final TypeFbs types;
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final Int indexType = new Int();

    SchemaFbs(SchemaWalk walk, JsonGenerator json) {
        this.walk = walk;
        this.json = json;
        this.types = new TypeFbs(walk, json);
    }

    /// Writes the fields of a `Schema`: all, or only what tells about some of its columns.
    void write(Columns columns) throws IOException {
        Schema schema = walk.schema();
        if (schema.isPresent(Schema.ENDIANNESS_SLOT)) {
            int value = schema.endianness();
            boolean known = Endianness.NAMES.isKnown(value);
            Json.symbol(json, "endianness", value, known ? Endianness.NAMES.name(value) : null);
        }
        if (!columns.isWhole() || schema.isPresent(Schema.FIELDS_SLOT)) {
            json.writeArrayFieldStart("fields");
            for (int i = 0; i < columns.count(); i++) {
                field(columns.bind(i), columns.depth(i));
            }
            json.writeEndArray();
        }
        if (columns.isWhole()) {
            rest(schema);
        }
    }

    private void rest(Schema schema) throws IOException {
        if (schema.isPresent(Schema.CUSTOM_METADATA_SLOT)) {
            json.writeArrayFieldStart("custom_metadata");
            for (int i = 0; i < schema.customMetadataCount(); i++) {
                pair(walk.metadata(i));
            }
            json.writeEndArray();
        }
        if (schema.isPresent(Schema.FEATURES_SLOT)) {
            json.writeArrayFieldStart("features");
            for (int i = 0; i < schema.featuresCount(); i++) {
                long feature = walk.feature(i);
                if (Feature.NAMES.isKnown(feature)) {
                    json.writeString(Feature.NAMES.name(feature));
                } else {
                    json.writeNumber(feature);
                }
            }
            json.writeEndArray();
        }
    }

    private void field(Field field, int depth) throws IOException {
        json.writeStartObject();
        text("name", walk.name(field));
        if (field.isPresent(Field.NULLABLE_SLOT)) {
            json.writeBooleanField("nullable", field.nullable());
        }
        type(field);
        if (field.dictionary(dictionary)) {
            json.writeObjectFieldStart("dictionary");
            dictionary();
            json.writeEndObject();
        }
        if (field.isPresent(Field.CHILDREN_SLOT)) {
            json.writeArrayFieldStart("children");
            for (int i = 0; i < field.childrenCount(); i++) {
                field(walk.child(field, i, depth + 1), depth + 1);
            }
            json.writeEndArray();
        }
        if (field.isPresent(Field.CUSTOM_METADATA_SLOT)) {
            json.writeArrayFieldStart("custom_metadata");
            for (int i = 0; i < field.customMetadataCount(); i++) {
                pair(walk.metadata(field, i));
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /// flatc wants to know which table it is before it reads one.
    private void type(Field field) throws IOException {
        int id = field.typeType();
        if (id == Type.NONE) {
            return;
        }
        boolean known = Type.NAMES.isKnown(id);
        Json.symbol(json, "type_type", id, known ? Type.NAMES.name(id) : null);
        if (known && field.isPresent(Field.TYPE_SLOT)) {
            json.writeObjectFieldStart("type");
            types.parameters(id, field);
            json.writeEndObject();
        }
    }

    private void dictionary() throws IOException {
        if (dictionary.isPresent(DictionaryEncoding.ID_SLOT)) {
            json.writeNumberField("id", dictionary.id());
        }
        if (dictionary.indexType(indexType)) {
            json.writeObjectFieldStart("indexType");
            types.integer(indexType);
            json.writeEndObject();
        }
        if (dictionary.isPresent(DictionaryEncoding.IS_ORDERED_SLOT)) {
            json.writeBooleanField("isOrdered", dictionary.isOrdered());
        }
        if (dictionary.isPresent(DictionaryEncoding.DICTIONARY_KIND_SLOT)) {
            int kind = dictionary.dictionaryKind();
            boolean known = DictionaryKind.NAMES.isKnown(kind);
            Json.symbol(
                    json, "dictionaryKind", kind, known ? DictionaryKind.NAMES.name(kind) : null);
        }
    }

    private void pair(KeyValue pair) throws IOException {
        json.writeStartObject();
        text("key", walk.key(pair));
        text("value", walk.value(pair));
        json.writeEndObject();
    }

    private void text(String field, String value) throws IOException {
        if (value != null) {
            json.writeStringField(field, value);
        }
    }
}
