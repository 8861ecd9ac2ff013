// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.Json;
import dev.fletch.format.DateUnit;
import dev.fletch.format.Field;
import dev.fletch.format.IntervalUnit;
import dev.fletch.format.Precision;
import dev.fletch.format.TimeUnit;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;
import dev.fletch.format.Union;
import dev.fletch.format.UnionMode;

import java.io.IOException;
import java.util.Locale;

/// Types in the words of Arrow's integration JSON.
public final class TypeJson {
    private final TypeTables tables = new TypeTables();
    private final SchemaWalk walk;
    private final JsonGenerator json;

    TypeJson(SchemaWalk walk, JsonGenerator json) {
        this.walk = walk;
        this.json = json;
    }

    /// Writes the type of a field as a value: null where it has none, a `typeId` where it is not
    /// known here, and no parameters where their table is missing.
    void write(Field field) throws IOException {
        int id = field.typeType();
        if (id == Type.NONE) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        if (Type.NAMES.isKnown(id)) {
            json.writeStringField("name", name(id));
            parameters(id, field);
        } else {
            json.writeStringField("name", "unknown");
            json.writeNumberField("typeId", id);
        }
        json.writeEndObject();
    }

    /// Writes an integer type as a value.
    void integer(boolean isSigned, int bitWidth) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", name(Type.INT));
        integerParameters(isSigned, bitWidth);
        json.writeEndObject();
    }

    /// The declared name in lower case; only that of a struct has an underscore.
    private static String name(int id) {
        return id == Type.STRUCT_ ? "struct" : Type.NAMES.name(id).toLowerCase(Locale.ROOT);
    }

    private void parameters(int id, Field field) throws IOException {
        switch (id) {
            case Type.INT -> {
                if (field.type(tables.integer)) {
                    integerParameters(tables.integer.isSigned(), tables.integer.bitWidth());
                }
            }
            case Type.DECIMAL -> decimal(field);
            case Type.FIXED_SIZE_BINARY -> {
                if (field.type(tables.fixedSizeBinary)) {
                    json.writeNumberField("byteWidth", tables.fixedSizeBinary.byteWidth());
                }
            }
            case Type.FIXED_SIZE_LIST -> {
                if (field.type(tables.fixedSizeList)) {
                    json.writeNumberField("listSize", tables.fixedSizeList.listSize());
                }
            }
            case Type.MAP -> {
                if (field.type(tables.map)) {
                    json.writeBooleanField("keysSorted", tables.map.keysSorted());
                }
            }
            case Type.UNION -> union(field);
            case Type.FLOATING_POINT -> {
                if (field.type(tables.floatingPoint)) {
                    int precision = tables.floatingPoint.precision();
                    Json.symbol(
                            json,
                            "precision",
                            precision,
                            Precision.NAMES.isKnown(precision)
                                    ? Precision.NAMES.name(precision)
                                    : null);
                }
            }
            default -> temporal(id, field);
        }
    }

    private void temporal(int id, Field field) throws IOException {
        switch (id) {
            case Type.DATE -> {
                if (field.type(tables.date)) {
                    int unit = tables.date.unit();
                    Json.symbol(
                            json,
                            "unit",
                            unit,
                            DateUnit.NAMES.isKnown(unit) ? DateUnit.NAMES.name(unit) : null);
                }
            }
            case Type.TIME -> {
                if (field.type(tables.time)) {
                    timeUnit(tables.time.unit());
                    json.writeNumberField("bitWidth", tables.time.bitWidth());
                }
            }
            case Type.TIMESTAMP -> timestamp(field);
            case Type.INTERVAL -> {
                if (field.type(tables.interval)) {
                    int unit = tables.interval.unit();
                    Json.symbol(
                            json,
                            "unit",
                            unit,
                            IntervalUnit.NAMES.isKnown(unit)
                                    ? IntervalUnit.NAMES.name(unit)
                                    : null);
                }
            }
            case Type.DURATION -> {
                if (field.type(tables.duration)) {
                    timeUnit(tables.duration.unit());
                }
            }
            default -> {} // no parameters
        }
    }

    private void integerParameters(boolean isSigned, int bitWidth) throws IOException {
        json.writeBooleanField("isSigned", isSigned);
        json.writeNumberField("bitWidth", bitWidth);
    }

    private void decimal(Field field) throws IOException {
        if (field.type(tables.decimal)) {
            json.writeNumberField("precision", tables.decimal.precision());
            json.writeNumberField("scale", tables.decimal.scale());
            json.writeNumberField("bitWidth", tables.decimal.bitWidth());
        }
    }

    private void timestamp(Field field) throws IOException {
        Timestamp type = tables.timestamp;
        if (field.type(type)) {
            timeUnit(type.unit());
            String zone = walk.timezone(type);
            if (zone != null) {
                json.writeStringField("timezone", zone);
            }
        }
    }

    private void union(Field field) throws IOException {
        Union type = tables.union;
        if (!field.type(type)) {
            return;
        }
        int mode = type.mode();
        boolean known = UnionMode.NAMES.isKnown(mode);
        Json.symbol(
                json,
                "mode",
                mode,
                known ? UnionMode.NAMES.name(mode).toUpperCase(Locale.ROOT) : null);
        boolean stored = type.isPresent(Union.TYPE_IDS_SLOT);
        int ids = stored ? type.typeIdsCount() : field.childrenCount();
        json.writeArrayFieldStart("typeIds");
        for (int i = 0; i < ids; i++) {
            json.writeNumber(walk.typeId(type, i));
        }
        json.writeEndArray();
    }

    private void timeUnit(int unit) throws IOException {
        Json.symbol(
                json,
                "unit",
                unit,
                TimeUnit.NAMES.isKnown(unit) ? TimeUnit.NAMES.name(unit) : null);
    }
}
