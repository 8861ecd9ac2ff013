// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;

import java.io.IOException;

/// A schema in the words of Arrow's integration JSON: what it means, with absent things as what the
/// format takes them for. What that JSON has no words for keeps its number.
public final class SchemaJson {
    private final SchemaWalk walk;
    private final JsonGenerator json;
    private final TypeJson types;
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final Int indexType = new Int();

    public SchemaJson(SchemaWalk walk, JsonGenerator json) {
        this.walk = walk;
        this.json = json;
        this.types = new TypeJson(walk, json);
    }

    /// Writes `{"fields": […]}`, with the schema's metadata if it is shown as a whole.
    public void write(Columns columns) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("fields");
        for (int i = 0; i < columns.count(); i++) {
            field(columns.bind(i), columns.depth(i));
        }
        json.writeEndArray();
        Schema schema = walk.schema();
        int pairs = schema.customMetadataCount();
        if (columns.isWhole() && pairs > 0) {
            json.writeArrayFieldStart("metadata");
            for (int i = 0; i < pairs; i++) {
                pair(walk.metadata(i));
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private void field(Field field, int depth) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", SchemaWalk.orEmpty(walk.name(field)));
        json.writeFieldName("type");
        types.write(field);
        json.writeBooleanField("nullable", field.nullable());
        json.writeArrayFieldStart("children");
        for (int i = 0; i < field.childrenCount(); i++) {
            field(walk.child(field, i, depth + 1), depth + 1);
        }
        json.writeEndArray();
        if (field.dictionary(dictionary)) {
            dictionary();
        }
        int pairs = field.customMetadataCount();
        if (pairs > 0) {
            json.writeArrayFieldStart("metadata");
            for (int i = 0; i < pairs; i++) {
                pair(walk.metadata(field, i));
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private void dictionary() throws IOException {
        json.writeObjectFieldStart("dictionary");
        json.writeNumberField("id", dictionary.id());
        json.writeFieldName("indexType");
        if (dictionary.indexType(indexType)) {
            types.integer(indexType.isSigned(), indexType.bitWidth());
        } else {
            types.integer(true, 32);
        }
        json.writeBooleanField("isOrdered", dictionary.isOrdered());
        int kind = dictionary.dictionaryKind();
        if (kind != DictionaryKind.DENSE_ARRAY) {
            json.writeNumberField("dictionaryKind", kind);
        }
        json.writeEndObject();
    }

    private void pair(KeyValue pair) throws IOException {
        json.writeStartObject();
        json.writeStringField("key", SchemaWalk.orEmpty(walk.key(pair)));
        json.writeStringField("value", SchemaWalk.orEmpty(walk.value(pair)));
        json.writeEndObject();
    }
}
