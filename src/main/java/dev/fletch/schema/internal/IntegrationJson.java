// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.DictionaryKind;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.format.internal.tables.TypeParameters;

import java.io.IOException;
import java.util.Locale;
import java.util.function.IntFunction;

/// Writes a schema as Arrow's integration JSON, with keys in the order of archery, Arrow's tool for
/// integration tests. Absent fields get the format's defaults; a value that has
/// no name in that JSON is written as a number.
public final class IntegrationJson {
    private final JsonGenerator json;
    private final AnyTable parameters = new AnyTable();
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final Int indexType = new Int();
    private final KeyValue pair = new KeyValue();

    public IntegrationJson(JsonGenerator json) {
        this.json = json;
    }

    /// Writes `{"fields": […]}`; without a path, also the schema's metadata.
    ///
    /// @param path as in [FieldSelection#of]
    public void write(Schema schema, String path) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("fields");
        for (Field field : FieldSelection.of(schema, path)) {
            field(field);
        }
        json.writeEndArray();
        int count = path == null ? schema.customMetadataCount() : 0;
        metadata(count, i -> schema.customMetadata(i, pair));
        json.writeEndObject();
    }

    private void field(Field field) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", FieldSelection.orEmpty(field.nameString()));
        json.writeFieldName("type");
        type(field);
        json.writeBooleanField("nullable", field.nullable());
        json.writeArrayFieldStart("children");
        for (int i = 0; i < field.childrenCount(); i++) {
            field(field.children(i, new Field()));
        }
        json.writeEndArray();
        if (field.dictionary(dictionary)) {
            dictionary();
        }
        metadata(field.customMetadataCount(), i -> field.customMetadata(i, pair));
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
            boolean isPresent = parameters.bindType(field, field.typeType(), Field.TYPE_SLOT);
            type(facts, isPresent ? parameters : null, field.childrenCount());
        } else {
            json.writeStartObject();
            json.writeStringField("name", "unknown");
            json.writeNumberField("typeId", id);
            json.writeEndObject();
        }
    }

    /// @param type its parameters; null if absent
    private void type(TypeFacts facts, TypeParameters type, int children) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", facts.jsonName());
        if (type != null) {
            // In the order of archery: of an Int, its sign first.
            var parameters = facts.parameters();
            for (var each : facts.id() == Type.INT ? parameters.reversed() : parameters) {
                parameter(each, type, children);
            }
        }
        json.writeEndObject();
    }

    private void parameter(FieldDeclaration parameter, TypeParameters type, int children)
            throws IOException {
        int slot = parameter.slot();
        switch (parameter.kind()) {
            case STRING -> {
                String text = type.string(slot);
                if (text != null) {
                    json.writeStringField(parameter.name(), text);
                }
            }
            case VECTOR -> {
                // A union without type ids numbers its children from 0.
                boolean isStored = type.isPresent(slot);
                int count = isStored ? type.count(slot) : children;
                json.writeArrayFieldStart(parameter.name());
                for (int i = 0; i < count; i++) {
                    json.writeNumber(isStored ? type.element(slot, i) : i);
                }
                json.writeEndArray();
            }
            default -> {
                json.writeFieldName(parameter.name());
                number(parameter.type(), type.number(slot));
            }
        }
    }

    private void number(InlineType type, long value) throws IOException {
        if (type.bytes() == Byte.BYTES) {
            json.writeBoolean(value != 0);
        } else if (type.isKnown(value)) {
            json.writeString(type.symbol(value).toUpperCase(Locale.ROOT));
        } else {
            json.writeNumber(value);
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
            KeyValue each = pairs.apply(i);
            json.writeStartObject();
            json.writeStringField("key", FieldSelection.orEmpty(each.keyString()));
            json.writeStringField("value", FieldSelection.orEmpty(each.valueString()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
