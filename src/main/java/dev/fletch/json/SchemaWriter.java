// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;
import dev.fletch.model.DictionaryInfo;
import dev.fletch.model.Metadata;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;

/// Writes a schema, keys in the order of archery, Arrow's own tool for integration tests.
final class SchemaWriter {
    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                    .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
                    .build();

    private final JsonGenerator json;

    private SchemaWriter(JsonGenerator json) {
        this.json = json;
    }

    static void write(ArrowSchema schema, Writer to) throws IOException {
        try (JsonGenerator json = FACTORY.createGenerator(to)) {
            new SchemaWriter(json).schema(schema);
        }
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
        type(field.type());
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
        type(dictionary.indexType());
        json.writeBooleanField("isOrdered", dictionary.ordered());
        json.writeEndObject();
    }

    private void metadata(Metadata metadata) throws IOException {
        if (metadata.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("metadata");
        for (Metadata.Pair pair : metadata) {
            json.writeStartObject();
            json.writeStringField("key", orEmpty(pair.key()));
            json.writeStringField("value", orEmpty(pair.value()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    private void type(ArrowType type) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", name(type));
        parameters(type);
        json.writeEndObject();
    }

    /// The records are named as the format names its types, which JSON has in lower case.
    private static String name(ArrowType type) {
        return type.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private void parameters(ArrowType type) throws IOException {
        switch (type) {
            case ArrowType.Int(int bitWidth, boolean isSigned) -> {
                json.writeBooleanField("isSigned", isSigned);
                json.writeNumberField("bitWidth", bitWidth);
            }
            case ArrowType.FloatingPoint(var precision) -> symbol("precision", precision);
            case ArrowType.Decimal(int precision, int scale, int bitWidth) -> {
                json.writeNumberField("precision", precision);
                json.writeNumberField("scale", scale);
                json.writeNumberField("bitWidth", bitWidth);
            }
            case ArrowType.Date(var unit) -> symbol("unit", unit);
            case ArrowType.Time(var unit, int bitWidth) -> {
                symbol("unit", unit);
                json.writeNumberField("bitWidth", bitWidth);
            }
            case ArrowType.Timestamp(var unit, String timezone) -> {
                symbol("unit", unit);
                if (timezone != null) {
                    json.writeStringField("timezone", timezone);
                }
            }
            case ArrowType.Interval(var unit) -> symbol("unit", unit);
            case ArrowType.Duration(var unit) -> symbol("unit", unit);
            case ArrowType.FixedSizeBinary(int byteWidth) ->
                    json.writeNumberField("byteWidth", byteWidth);
            case ArrowType.FixedSizeList(int listSize) ->
                    json.writeNumberField("listSize", listSize);
            case ArrowType.Map(boolean keysSorted) ->
                    json.writeBooleanField("keysSorted", keysSorted);
            case ArrowType.Union union -> {
                symbol("mode", union.mode());
                json.writeArrayFieldStart("typeIds");
                for (int id : union.typeIds()) {
                    json.writeNumber(id);
                }
                json.writeEndArray();
            }
            case ArrowType.Null _,
                    ArrowType.Binary _,
                    ArrowType.Utf8 _,
                    ArrowType.Bool _,
                    ArrowType.List _,
                    ArrowType.Struct _,
                    ArrowType.LargeBinary _,
                    ArrowType.LargeUtf8 _,
                    ArrowType.LargeList _,
                    ArrowType.RunEndEncoded _,
                    ArrowType.BinaryView _,
                    ArrowType.Utf8View _,
                    ArrowType.ListView _,
                    ArrowType.LargeListView _ -> {}
        }
    }

    /// The model's constants have the names of the format.
    private void symbol(String key, Enum<?> value) throws IOException {
        json.writeStringField(key, value.name());
    }
}
