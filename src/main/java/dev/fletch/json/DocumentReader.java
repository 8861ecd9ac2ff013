// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;
import dev.fletch.model.DictionaryInfo;
import dev.fletch.model.InvalidSchemaException;
import dev.fletch.model.Metadata;
import dev.fletch.model.Omitted;
import dev.fletch.model.SchemaLimits;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Reads one schema out of a text, within limits.
final class DocumentReader {
    private static final Set<String> FILE_KEYS = Set.of("schema", "fields", "metadata");
    private static final Set<String> SCHEMA_KEYS = Set.of("fields", "metadata");
    private static final Set<String> FIELD_KEYS =
            Set.of("name", "nullable", "type", "dictionary", "children", "metadata");
    private static final Set<String> DICTIONARY_KEYS = Set.of("id", "isOrdered", "indexType");
    private static final Set<String> PAIR_KEYS = Set.of("key", "value");

    private final JsonCursor json;
    private final SchemaLimits limits;
    private int tables;
    private long textBytes;

    private DocumentReader(JsonCursor json, SchemaLimits limits) {
        this.json = json;
        this.limits = limits;
    }

    static ArrowSchema read(Reader from, SchemaLimits limits) throws IOException {
        Objects.requireNonNull(limits, "limits");
        return new DocumentReader(JsonCursor.of(from, limits.textBytes()), limits).document();
    }

    /// What stands at the top: the parts of a schema, or an integration file around one.
    private ArrowSchema document() throws IOException {
        json.enterObject();
        Place place = json.here();
        ArrowSchema inFile = null;
        Parts bare = new Parts();
        JsonCursor.Keys keys = json.keys(FILE_KEYS);
        for (String key = keys.next(); key != null; key = keys.next()) {
            if (key.equals("schema")) {
                inFile = schema();
            } else {
                part(key, bare);
            }
        }
        if (json.next() != null) {
            throw new InvalidJsonException("nothing must follow the object", json.here(), "", null);
        }
        if (inFile == null) {
            return bare.schema(place, "fields or schema");
        }
        if (bare.fields != null) {
            throw new InvalidJsonException(
                    "object must be a schema or hold one, not both",
                    place,
                    "keys=fields and schema",
                    null);
        }
        return inFile;
    }

    private ArrowSchema schema() throws IOException {
        json.enterObject();
        Place place = json.here();
        Parts parts = new Parts();
        JsonCursor.Keys keys = json.keys(SCHEMA_KEYS);
        for (String key = keys.next(); key != null; key = keys.next()) {
            part(key, parts);
        }
        return parts.schema(place, "fields");
    }

    /// What a schema is made of, as far as it was seen.
    private static final class Parts {
        private List<ArrowField> fields;
        private Metadata metadata = Metadata.EMPTY;

        ArrowSchema schema(Place place, String key) {
            if (fields == null) {
                throw TypeObject.missing(place, key);
            }
            Set<Omitted> omitted = EnumSet.of(Omitted.FEATURES);
            if (metadata.isEmpty()) {
                omitted.add(Omitted.METADATA);
            }
            return new ArrowSchema(
                    ArrowSchema.Endianness.LITTLE, fields, metadata, List.of(), omitted);
        }
    }

    private void part(String key, Parts parts) throws IOException {
        switch (key) {
            case "fields" -> parts.fields = fields(1);
            case "metadata" -> parts.metadata = metadata();
            default -> throw new AssertionError(key);
        }
    }

    // ---- fields

    private List<ArrowField> fields(int depth) throws IOException {
        List<ArrowField> fields = new ArrayList<>();
        if (json.enterArrayOrNull()) {
            while (json.nextObject()) {
                fields.add(field(depth));
            }
        }
        return fields;
    }

    /// Reads the field whose object was entered.
    ///
    /// @param depth levels of fields, this one included
    private ArrowField field(int depth) throws IOException {
        Place place = json.here();
        countTable(place);
        if (depth > limits.depth()) {
            throw tooMuch("fields must not be nested deeper", place, "depth", limits.depth());
        }
        JsonValue name = null;
        JsonValue nullable = null;
        TypeObject type = null;
        DictionaryInfo dictionary = null;
        List<ArrowField> children = List.of();
        Metadata metadata = Metadata.EMPTY;
        JsonCursor.Keys keys = json.keys(FIELD_KEYS);
        for (String key = keys.next(); key != null; key = keys.next()) {
            switch (key) {
                case "name" -> name = json.value();
                case "nullable" -> nullable = json.value();
                case "type" -> type = TypeObject.read(json);
                case "dictionary" -> dictionary = dictionary();
                case "children" -> children = fields(depth + 1);
                case "metadata" -> metadata = metadata();
                default -> throw new AssertionError(key);
            }
        }
        if (type == null) {
            throw TypeObject.missing(place, "type");
        }
        if (nullable == null) {
            throw TypeObject.missing(place, "nullable");
        }
        String text = name == null || name.isNull() ? null : counted(name);
        ArrowType made = type.type(children.size());
        if (made instanceof ArrowType.Timestamp(_, String zone) && zone != null) {
            countText(type.place(), zone);
        }
        return made(place, text, made, nullable.bool(), dictionary, children, metadata);
    }

    /// @param name null if it is absent
    private static ArrowField made(
            Place place,
            String name,
            ArrowType type,
            boolean isNullable,
            DictionaryInfo dictionary,
            List<ArrowField> children,
            Metadata metadata) {
        Set<Omitted> omitted = EnumSet.noneOf(Omitted.class);
        if (name == null) {
            omitted.add(Omitted.NAME);
        }
        if (metadata.isEmpty()) {
            omitted.add(Omitted.METADATA);
        }
        String text = name == null ? "" : name;
        try {
            return new ArrowField(text, type, isNullable, dictionary, children, metadata, omitted);
        } catch (InvalidSchemaException e) {
            String below =
                    e.path() == null || e.path().equals(text)
                            ? ""
                            : "field=" + Escaper.shortened(e.path()) + ", ";
            throw new InvalidJsonException(
                    Escaper.shortened(e.requirement()),
                    place,
                    below + e.parameter() + "=" + e.value(),
                    e);
        }
    }

    private DictionaryInfo dictionary() throws IOException {
        if (!json.enterObjectOrNull()) {
            return null;
        }
        Place place = json.here();
        JsonValue id = null;
        JsonValue ordered = null;
        TypeObject indexType = null;
        JsonCursor.Keys keys = json.keys(DICTIONARY_KEYS);
        for (String key = keys.next(); key != null; key = keys.next()) {
            switch (key) {
                case "id" -> id = json.value();
                case "isOrdered" -> ordered = json.value();
                case "indexType" ->
                        indexType = json.enterObjectOrNull() ? TypeObject.readEntered(json) : null;
                default -> throw new AssertionError(key);
            }
        }
        if (id == null) {
            throw TypeObject.missing(place, "id");
        }
        boolean isOrdered = ordered != null && !ordered.isNull() && ordered.bool();
        if (indexType == null) {
            return DictionaryInfo.implicit(id.int64(), isOrdered);
        }
        if (indexType.type(0) instanceof ArrowType.Int integer) {
            return new DictionaryInfo(id.int64(), integer, isOrdered, false);
        }
        throw new InvalidJsonException(
                "indexes of a dictionary must be integers",
                indexType.place(),
                "indexType=" + indexType.type(0).text(),
                null);
    }

    private Metadata metadata() throws IOException {
        List<Metadata.Pair> pairs = new ArrayList<>();
        if (json.enterArrayOrNull()) {
            while (json.nextObject()) {
                pairs.add(pair());
            }
        }
        return new Metadata(pairs);
    }

    private Metadata.Pair pair() throws IOException {
        Place place = json.here();
        countTable(place);
        String pairKey = null;
        String value = null;
        JsonCursor.Keys keys = json.keys(PAIR_KEYS);
        for (String key = keys.next(); key != null; key = keys.next()) {
            switch (key) {
                case "key" -> pairKey = counted(json.value());
                case "value" -> value = counted(json.value());
                default -> throw new AssertionError(key);
            }
        }
        if (pairKey == null || value == null) {
            throw TypeObject.missing(place, pairKey == null ? "key" : "value");
        }
        try {
            return new Metadata.Pair(pairKey, value);
        } catch (InvalidSchemaException e) {
            throw new InvalidJsonException(
                    Escaper.shortened(e.requirement()), place, e.parameter() + "=" + e.value(), e);
        }
    }

    // ---- what is read is counted

    private void countTable(Place place) {
        tables++;
        if (tables > limits.tables()) {
            throw tooMuch(
                    "schema must not have more fields and metadata",
                    place,
                    "tables",
                    limits.tables());
        }
    }

    private String counted(JsonValue value) {
        String text = value.string();
        countText(value.place(), text);
        return text;
    }

    private void countText(Place place, String text) {
        textBytes += text.getBytes(StandardCharsets.UTF_8).length;
        if (textBytes > limits.textBytes()) {
            throw tooMuch(
                    "schema must not have longer texts", place, "textBytes", limits.textBytes());
        }
    }

    private static InvalidJsonException tooMuch(
            String rule, Place place, String limit, long value) {
        return new InvalidJsonException(rule + " than the limit", place, limit + "=" + value, null);
    }
}
