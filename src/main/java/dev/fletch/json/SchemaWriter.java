// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteConstraints;

import dev.fletch.format.rules.TypeFacts;
import dev.fletch.format.rules.TypeText;
import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;
import dev.fletch.model.DictionaryInfo;
import dev.fletch.model.Metadata;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Writes a schema, with keys in the order of archery, Arrow's tool for integration tests.
final class SchemaWriter {
    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .streamWriteConstraints(
                            StreamWriteConstraints.builder()
                                    .maxNestingDepth(JsonCursor.MAX_LEVELS)
                                    .build())
                    .build();

    private final JsonGenerator json;

    private SchemaWriter(JsonGenerator json) {
        this.json = json;
    }

    static String text(ArrowSchema schema) {
        StringWriter to = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(to)) {
            new SchemaWriter(json).schema(schema);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen, there is no output
        }
        return to.toString();
    }

    private void schema(ArrowSchema schema) throws IOException {
        json.writeStartObject();
        fields("fields", schema.fields());
        metadata(schema.metadata());
        json.writeEndObject();
    }

    private void fields(String key, List<ArrowField> fields) throws IOException {
        json.writeArrayFieldStart(key);
        for (ArrowField field : fields) {
            field(field);
        }
        json.writeEndArray();
    }

    private void field(ArrowField field) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", field.name());
        json.writeFieldName("type");
        type(field.type(), field.children().size());
        json.writeBooleanField("nullable", field.isNullable());
        fields("children", field.children());
        if (field.isDictionaryEncoded()) {
            dictionary(field.dictionary());
        }
        metadata(field.metadata());
        json.writeEndObject();
    }

    private void dictionary(DictionaryInfo dictionary) throws IOException {
        json.writeObjectFieldStart("dictionary");
        json.writeNumberField("id", dictionary.id());
        json.writeFieldName("indexType");
        type(dictionary.indexType(), 0);
        json.writeBooleanField("isOrdered", dictionary.ordered());
        json.writeEndObject();
    }

    private void metadata(Metadata metadata) throws IOException {
        if (metadata.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("metadata");
        for (Metadata.Entry entry : metadata) {
            json.writeStartObject();
            json.writeStringField("key", Objects.requireNonNullElse(entry.key(), ""));
            json.writeStringField("value", Objects.requireNonNullElse(entry.value(), ""));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /// @param children number of the field's children
    private void type(ArrowType type, int children) throws IOException {
        json.writeStartObject();
        TypeFacts facts = TypeFacts.of(type.id());
        json.writeStringField("name", facts.jsonName());
        for (Map.Entry<String, Object> each :
                TypeText.json(facts, type.parameters(), children).entrySet()) {
            json.writeFieldName(each.getKey());
            value(each.getValue());
        }
        json.writeEndObject();
    }

    private void value(Object value) throws IOException {
        if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                value(element);
            }
            json.writeEndArray();
        } else {
            json.writeObject(value);
        }
    }
}
