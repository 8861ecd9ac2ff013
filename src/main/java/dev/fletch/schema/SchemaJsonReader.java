// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;

import dev.fletch.Limits;
import dev.fletch.format.Field;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.schema.internal.JsonCursor;
import dev.fletch.schema.internal.JsonFault;
import dev.fletch.schema.internal.JsonObject;
import dev.fletch.schema.internal.JsonValue;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.PushbackReader;
import java.io.Reader;
import java.lang.ScopedValue.CallableOp;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads one schema from integration JSON, within limits.
final class SchemaJsonReader {
    /// Maximum levels of objects and arrays: two for each level of fields, and some within a field.
    static final int MAX_LEVELS = 2 * ArrowField.MAX_DEPTH + 16;

    private static final int MAX_KEY_CHARS = 50_000;
    private static final int MAX_DIGITS = 1000;
    private static final int MIN_STRING_CHARS = 1 << 20;

    /// Size of the longest valid array: the type ids of a union.
    private static final int MAX_ITEMS = 128;

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final JsonCursor json;
    private final Limits limits;
    private int depth;
    private final SchemaSize size;
    private int fields;

    // The known keys of each kind of object, with the readers of their values.
    private final Map<String, CallableOp<?, IOException>> schemaKeys =
            Map.of("fields", this::fields, "metadata", this::metadata);
    private final Map<String, CallableOp<?, IOException>> fileKeys =
            Map.of("schema", this::schema, "fields", this::fields, "metadata", this::metadata);
    private final Map<String, CallableOp<?, IOException>> fieldKeys =
            Map.of(
                    "name", this::value,
                    "nullable", this::value,
                    "type", () -> type(null),
                    "dictionary", this::dictionary,
                    "children", this::fields,
                    "metadata", this::metadata);
    private final Map<String, CallableOp<?, IOException>> dictionaryKeys =
            Map.of(
                    "id", this::value,
                    "isOrdered", this::value,
                    "indexType", () -> type(JsonToken.VALUE_NULL));
    private final Map<String, CallableOp<?, IOException>> metadataKeys =
            Map.of("key", this::text, "value", this::text);

    private SchemaJsonReader(JsonCursor json, Limits limits) {
        this.json = json;
        this.limits = limits;
        size = new SchemaSize(limits);
        size.begin(Long.MAX_VALUE);
    }

    /// Reads a text, without its byte order mark.
    static ArrowSchema read(Reader from, Limits limits) throws IOException {
        PushbackReader text = new PushbackReader(from);
        JsonFactory factory = factory(limits.unfoldedBytes());
        JsonCursor json = new JsonCursor(factory.createParser(text), MAX_ITEMS);
        return json.parsed(
                () -> {
                    int first = text.read();
                    if (first >= 0 && first != BYTE_ORDER_MARK) {
                        text.unread(first);
                    }
                    return new SchemaJsonReader(json, limits).document();
                });
    }

    /// @param textBytes maximum length of a string
    private static JsonFactory factory(long textBytes) {
        return JsonCursor.factory(
                        StreamReadConstraints.builder()
                                .maxNestingDepth(MAX_LEVELS)
                                .maxNameLength(MAX_KEY_CHARS)
                                .maxNumberLength(MAX_DIGITS)
                                // No string has more characters than bytes.
                                .maxStringLength(
                                        Math.clamp(textBytes, MIN_STRING_CHARS, Integer.MAX_VALUE))
                                .build())
                .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
                .build();
    }

    /// Reads the parts of a schema, or an integration file with a schema.
    private ArrowSchema document() throws IOException {
        json.enter(JsonToken.START_OBJECT, null);
        JsonObject file = json.object(fileKeys::get);
        if (json.next() != null) {
            throw new JsonFault("text must end after the object", json.here(), "", null);
        }
        ArrowSchema inFile = file.get("schema");
        if (inFile == null) {
            return schema(file, "fields or schema");
        }
        if (file.get("fields") != null) {
            throw new JsonFault(
                    "object must be a schema or an integration file, not both",
                    file.place(),
                    "keys=fields and schema",
                    null);
        }
        return inFile;
    }

    private ArrowSchema schema() throws IOException {
        json.enter(JsonToken.START_OBJECT, null);
        return schema(json.object(schemaKeys::get), "fields");
    }

    /// @param expected the missing keys if there are no fields
    private static ArrowSchema schema(JsonObject object, String expected) {
        List<ArrowField> fields = object.get("fields");
        if (fields == null) {
            throw object.missing(expected);
        }
        return ArrowSchema.of(fields).withMetadata(object.get("metadata", Metadata.EMPTY));
    }

    private List<ArrowField> fields() throws IOException {
        depth++;
        List<ArrowField> fields = json.objects(this::field);
        depth--;
        return fields;
    }

    private ArrowField field() throws IOException {
        countField();
        if (depth > limits.depth()) {
            String rule = "fields must not be nested deeper";
            throw tooMuch(rule, json.here(), "depth", limits.depth());
        }
        JsonObject object = json.object(fieldKeys::get);
        TypeJson typeObject = object.required("type");
        JsonValue nullable = object.required("nullable");
        JsonValue nameValue = object.get("name");
        boolean hasName = nameValue != null && !nameValue.isNull();
        String name = hasName ? counted(nameValue) : "";
        List<ArrowField> children = object.get("children", List.of());
        ArrowType type = typeObject.type(children.size());
        if (type instanceof ArrowType.Timestamp(_, String timezone) && timezone != null) {
            countText(typeObject.value("timezone"), timezone);
        }
        Set<Integer> absent =
                hasName
                        ? Set.of(Field.CUSTOM_METADATA_SLOT)
                        : Set.of(Field.NAME_SLOT, Field.CUSTOM_METADATA_SLOT);
        try {
            return new ArrowField(
                    name,
                    type,
                    nullable.bool(),
                    object.get("dictionary"),
                    children,
                    object.get("metadata", Metadata.EMPTY),
                    absent);
        } catch (InvalidSchemaException e) {
            boolean isBelow = e.path() != null && !e.path().equals(name);
            String below = isBelow ? "field=" + Escaper.shortened(e.path()) + ", " : "";
            throw fault(e, object.place(), below);
        }
    }

    /// @param other the only valid token that is no object; null for none
    private TypeJson type(JsonToken other) throws IOException {
        return json.enter(JsonToken.START_OBJECT, other) ? new TypeJson(json) : null;
    }

    private DictionaryInfo dictionary() throws IOException {
        if (!json.enter(JsonToken.START_OBJECT, JsonToken.VALUE_NULL)) {
            return null;
        }
        JsonObject object = json.object(dictionaryKeys::get);
        JsonValue id = object.required("id");
        JsonValue ordered = object.get("isOrdered");
        boolean isOrdered = ordered != null && !ordered.isNull() && ordered.bool();
        TypeJson indexType = object.get("indexType");
        if (indexType == null) {
            return DictionaryInfo.implicit(id.int64(), isOrdered);
        }
        if (indexType.type(0) instanceof ArrowType.Int integer) {
            return new DictionaryInfo(id.int64(), integer, isOrdered, false);
        }
        throw new JsonFault(
                "dictionary indices must be integers",
                indexType.place(),
                "indexType=" + indexType.type(0).text(),
                null);
    }

    private Metadata metadata() throws IOException {
        return new Metadata(json.objects(this::entry));
    }

    private Map.Entry<String, String> entry() throws IOException {
        requireSize(size.addPair(0), json.here());
        JsonObject object = json.object(metadataKeys::get);
        try {
            String key = object.required("key");
            return Metadata.of(key, object.required("value")).entries().getFirst();
        } catch (InvalidSchemaException e) {
            throw fault(e, object.place(), "");
        }
    }

    private JsonValue value() throws IOException {
        return json.value();
    }

    // ---- counting

    private String text() throws IOException {
        return counted(value());
    }

    private String counted(JsonValue value) {
        countText(value, value.string());
        return value.string();
    }

    private void countField() {
        if (++fields > limits.fields()) {
            String rule = "schema must not have more fields";
            throw tooMuch(rule, json.here(), "fields", limits.fields());
        }
        requireSize(size.addField(0), json.here());
    }

    private void countText(JsonValue value, String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        requireSize(size.addText(bytes), value.place());
    }

    private void requireSize(boolean isWithin, JsonCursor.Place place) {
        if (!isWithin) {
            throw tooMuch("schema must not be larger", place, "unfoldedBytes", size.limit());
        }
    }

    /// A schema that breaks a rule of the Arrow format.
    ///
    /// @param details further `name=value` pairs, escaped, before that of the exception
    static JsonFault fault(InvalidSchemaException e, JsonCursor.Place place, String details) {
        String pair = e.parameter() + "=" + e.value();
        return new JsonFault(Escaper.shortened(e.requirement()), place, details + pair, e);
    }

    private static JsonFault tooMuch(
            String rule, JsonCursor.Place place, String limit, long value) {
        return new JsonFault(rule + " than the limit", place, limit + "=" + value, null);
    }
}
