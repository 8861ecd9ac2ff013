// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.Json;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Date;
import dev.fletch.format.DateUnit;
import dev.fletch.format.Decimal;
import dev.fletch.format.Duration;
import dev.fletch.format.Field;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.IntervalUnit;
import dev.fletch.format.Map;
import dev.fletch.format.Precision;
import dev.fletch.format.Time;
import dev.fletch.format.TimeUnit;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;
import dev.fletch.format.Union;
import dev.fletch.format.UnionMode;

import java.io.IOException;

/// The tables of types in the words of `format/Schema.fbs`: the fields that are stored.
public final class TypeFbs {
    private final TypeTables tables = new TypeTables();
    private final SchemaWalk walk;
    private final JsonGenerator json;

    TypeFbs(SchemaWalk walk, JsonGenerator json) {
        this.walk = walk;
        this.json = json;
    }

    /// Writes the fields of a field's type table, which is present and of a known type.
    void parameters(int id, Field field) throws IOException {
        switch (id) {
            case Type.INT -> {
                field.type(tables.integer);
                integer(tables.integer);
            }
            case Type.FLOATING_POINT -> floatingPoint(field);
            case Type.DECIMAL -> decimal(field);
            case Type.DATE -> date(field);
            case Type.TIME -> time(field);
            case Type.TIMESTAMP -> timestamp(field);
            case Type.INTERVAL -> interval(field);
            case Type.DURATION -> duration(field);
            case Type.FIXED_SIZE_BINARY -> {
                FixedSizeBinary type = tables.fixedSizeBinary;
                field.type(type);
                number(type, FixedSizeBinary.BYTE_WIDTH_SLOT, "byteWidth", type.byteWidth());
            }
            case Type.FIXED_SIZE_LIST -> {
                FixedSizeList type = tables.fixedSizeList;
                field.type(type);
                number(type, FixedSizeList.LIST_SIZE_SLOT, "listSize", type.listSize());
            }
            case Type.MAP -> {
                Map type = tables.map;
                field.type(type);
                bool(type, Map.KEYS_SORTED_SLOT, "keysSorted", type.keysSorted());
            }
            case Type.UNION -> union(field);
            default -> {} // no parameters
        }
    }

    /// Writes the fields of an `Int`.
    void integer(Int type) throws IOException {
        number(type, Int.BIT_WIDTH_SLOT, "bitWidth", type.bitWidth());
        bool(type, Int.IS_SIGNED_SLOT, "is_signed", type.isSigned());
    }

    private void floatingPoint(Field field) throws IOException {
        FloatingPoint type = tables.floatingPoint;
        field.type(type);
        if (type.isPresent(FloatingPoint.PRECISION_SLOT)) {
            int value = type.precision();
            String name = Precision.NAMES.isKnown(value) ? Precision.NAMES.name(value) : null;
            Json.symbol(json, "precision", value, name);
        }
    }

    private void decimal(Field field) throws IOException {
        Decimal type = tables.decimal;
        field.type(type);
        number(type, Decimal.PRECISION_SLOT, "precision", type.precision());
        number(type, Decimal.SCALE_SLOT, "scale", type.scale());
        number(type, Decimal.BIT_WIDTH_SLOT, "bitWidth", type.bitWidth());
    }

    private void date(Field field) throws IOException {
        Date type = tables.date;
        field.type(type);
        if (type.isPresent(Date.UNIT_SLOT)) {
            int value = type.unit();
            Json.symbol(
                    json,
                    "unit",
                    value,
                    DateUnit.NAMES.isKnown(value) ? DateUnit.NAMES.name(value) : null);
        }
    }

    private void time(Field field) throws IOException {
        Time type = tables.time;
        field.type(type);
        timeUnit(type, Time.UNIT_SLOT, type.unit());
        number(type, Time.BIT_WIDTH_SLOT, "bitWidth", type.bitWidth());
    }

    private void timestamp(Field field) throws IOException {
        Timestamp type = tables.timestamp;
        field.type(type);
        timeUnit(type, Timestamp.UNIT_SLOT, type.unit());
        String zone = walk.timezone(type);
        if (zone != null) {
            json.writeStringField("timezone", zone);
        }
    }

    private void interval(Field field) throws IOException {
        Interval type = tables.interval;
        field.type(type);
        if (type.isPresent(Interval.UNIT_SLOT)) {
            int value = type.unit();
            String name = IntervalUnit.NAMES.isKnown(value) ? IntervalUnit.NAMES.name(value) : null;
            Json.symbol(json, "unit", value, name);
        }
    }

    private void duration(Field field) throws IOException {
        Duration type = tables.duration;
        field.type(type);
        timeUnit(type, Duration.UNIT_SLOT, type.unit());
    }

    private void union(Field field) throws IOException {
        Union type = tables.union;
        field.type(type);
        if (type.isPresent(Union.MODE_SLOT)) {
            int value = type.mode();
            String name = UnionMode.NAMES.isKnown(value) ? UnionMode.NAMES.name(value) : null;
            Json.symbol(json, "mode", value, name);
        }
        if (type.isPresent(Union.TYPE_IDS_SLOT)) {
            json.writeArrayFieldStart("typeIds");
            for (int i = 0; i < type.typeIdsCount(); i++) {
                json.writeNumber(walk.typeId(type, i));
            }
            json.writeEndArray();
        }
    }

    private void timeUnit(Table type, int slot, int value) throws IOException {
        if (type.isPresent(slot)) {
            Json.symbol(
                    json,
                    "unit",
                    value,
                    TimeUnit.NAMES.isKnown(value) ? TimeUnit.NAMES.name(value) : null);
        }
    }

    private void number(Table type, int slot, String field, int value) throws IOException {
        if (type.isPresent(slot)) {
            json.writeNumberField(field, value);
        }
    }

    private void bool(Table type, int slot, String field, boolean value) throws IOException {
        if (type.isPresent(slot)) {
            json.writeBooleanField(field, value);
        }
    }
}
