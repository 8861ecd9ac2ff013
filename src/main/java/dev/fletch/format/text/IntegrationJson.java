// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.text;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Type;
import dev.fletch.format.TypeParameters;
import dev.fletch.format.rules.AnyTable;
import dev.fletch.format.rules.TypeFacts;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// Writes a schema as Arrow's integration JSON, with keys in the order of archery, Arrow's tool for
/// integration tests. Absent fields get the format's defaults; a value that has
/// no name in that JSON is written as a number.
public final class IntegrationJson {
    private final SchemaWalk walk;
    private final JsonGenerator json;
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final Int indexType = new Int();

    public IntegrationJson(SchemaWalk walk, JsonGenerator json) {
        this.walk = walk;
        this.json = json;
    }

    /// Writes `{"fields": […]}`; without a path, also the schema's metadata.
    ///
    /// @param path as in [SchemaWalk#select]
    public void write(String path) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("fields");
        walk.select(path, this::field);
        json.writeEndArray();
        metadata(path == null ? walk.schema().customMetadataCount() : 0, walk::metadata);
        json.writeEndObject();
    }

    private void field(Field field, int depth) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", SchemaWalk.orEmpty(field.nameString()));
        json.writeFieldName("type");
        type(field);
        json.writeBooleanField("nullable", field.nullable());
        json.writeArrayFieldStart("children");
        for (int i = 0; i < field.childrenCount(); i++) {
            field(walk.child(field, i, depth + 1), depth + 1);
        }
        json.writeEndArray();
        if (field.dictionary(dictionary)) {
            dictionary();
        }
        metadata(field.customMetadataCount(), i -> walk.metadata(field, i));
        json.writeEndObject();
    }

    /// Writes the type of a field: null if absent, a `typeId` if unknown, and no parameters if
    /// their table is absent.
    private void type(Field field) throws IOException {
        int id = field.typeType();
        TypeFacts facts = TypeFacts.of(id);
        if (id == Type.NONE) {
            json.writeNull();
        } else if (facts.isKnown()) {
            type(facts, walk.type(field), field.childrenCount());
        } else {
            json.writeStartObject();
            json.writeStringField("name", "unknown");
            json.writeNumberField("typeId", id);
            json.writeEndObject();
        }
    }

    /// @param parameters null if absent
    private void type(TypeFacts facts, TypeParameters parameters, int children) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", facts.jsonName());
        if (parameters != null) {
            for (Map.Entry<String, Object> each :
                    TypeText.json(facts, parameters, children).entrySet()) {
                json.writeFieldName(each.getKey());
                value(each.getValue());
            }
        }
        json.writeEndObject();
    }

    private void value(Object value) throws IOException {
        if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object each : list) {
                json.writeObject(each);
            }
            json.writeEndArray();
        } else {
            json.writeObject(value);
        }
    }

    private void dictionary() throws IOException {
        json.writeObjectFieldStart("dictionary");
        json.writeNumberField("id", dictionary.id());
        json.writeFieldName("indexType");
        if (dictionary.indexType(indexType)) {
            type(TypeFacts.of(Type.INT), new AnyTable().bind(indexType, "Int"), 0);
        } else {
            json.writeStartObject(); // the format's default
            json.writeStringField("name", "int");
            json.writeBooleanField("isSigned", true);
            json.writeNumberField("bitWidth", TypeFacts.DEFAULT_INDEX_BITS);
            json.writeEndObject();
        }
        json.writeBooleanField("isOrdered", dictionary.isOrdered());
        int kind = dictionary.dictionaryKind();
        if (kind != DictionaryKind.DENSE_ARRAY) {
            json.writeNumberField("dictionaryKind", kind);
        }
        json.writeEndObject();
    }

    private void metadata(int count, IntFunction<KeyValue> pairs) throws IOException {
        if (count == 0) {
            return;
        }
        json.writeArrayFieldStart("metadata");
        for (int i = 0; i < count; i++) {
            KeyValue pair = pairs.apply(i);
            json.writeStartObject();
            json.writeStringField("key", SchemaWalk.orEmpty(pair.keyString()));
            json.writeStringField("value", SchemaWalk.orEmpty(pair.valueString()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
