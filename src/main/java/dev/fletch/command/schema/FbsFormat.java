// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.schema.internal.FieldSelection;

import java.io.IOException;

/// Writes a schema as JSON for `flatc -b format/Schema.fbs`: the stored fields of each table.
/// Absent fields stay absent, so an empty vector differs from an absent one.
///
/// flatc does not support three cases: the table of an unknown type, a string that is not UTF-8,
/// and nesting beyond its parser's limit (64 levels; a child takes two).
final class FbsFormat {
    private final JsonGenerator json;

    FbsFormat(JsonGenerator json) {
        this.json = json;
    }

    /// Writes the fields of a `Schema`; with a path, only its byte order and the columns of that
    /// path.
    ///
    /// @param path as in [FieldSelection#of]
    void write(Schema of, String path) throws IOException {
        AnyTable schema = new AnyTable().bind(of, "Schema");
        json.writeStartObject();
        for (FieldDeclaration each : schema.declaration().fields()) {
            if (each.slot() != Schema.FIELDS_SLOT) {
                if (path == null || each.slot() == Schema.ENDIANNESS_SLOT) {
                    field(schema, each);
                }
            } else if (path != null || schema.isPresent(each.slot())) {
                json.writeArrayFieldStart("fields");
                for (Field field : FieldSelection.of(of, path)) {
                    table(new AnyTable().bind(field, "Field"));
                }
                json.writeEndArray();
            }
        }
        json.writeEndObject();
    }

    private void table(AnyTable table) throws IOException {
        json.writeStartObject();
        for (FieldDeclaration each : table.declaration().fields()) {
            field(table, each);
        }
        json.writeEndObject();
    }

    private void field(AnyTable table, FieldDeclaration field) throws IOException {
        int slot = field.slot();
        if (!table.isPresent(slot)) {
            return;
        }
        String name = declaredName(field.name());
        switch (field.kind()) {
            case SCALAR, UNION_TAG -> {
                // flatc requires the tag before the union's table; tag NONE has no table.
                if (field.kind() != FieldDeclaration.Kind.UNION_TAG
                        || table.number(slot) != Type.NONE) {
                    json.writeFieldName(name);
                    number(field.type(), table.number(slot));
                }
            }
            case STRING -> json.writeStringField(name, table.string(slot));
            case VECTOR, TABLES -> {
                json.writeArrayFieldStart(name);
                for (int i = 0; i < table.count(slot); i++) {
                    if (field.kind() == FieldDeclaration.Kind.TABLES) {
                        AnyTable into = new AnyTable();
                        table.table(slot, i, into);
                        table(into);
                    } else {
                        number(field.type(), table.element(slot, i));
                    }
                }
                json.writeEndArray();
            }
            case TABLE, UNION -> {
                AnyTable into = new AnyTable();
                if (table.table(slot, into)) {
                    json.writeFieldName(name);
                    table(into);
                }
            }
            case STRUCT -> throw new AssertionError(name);
        }
    }

    /// Writes a number; a declared enum value by its name.
    private void number(InlineType type, long value) throws IOException {
        if (type.name().equals("bool")) {
            json.writeBoolean(value != 0);
        } else if (type.isKnown(value)) {
            json.writeString(type.symbol(value));
        } else {
            json.writeNumber(value);
        }
    }

    /// The field's name in `format/Schema.fbs`; the rules use Java case.
    private static String declaredName(String name) {
        return switch (name) {
            case "typeType" -> "type_type";
            case "isSigned" -> "is_signed";
            case "customMetadata" -> "custom_metadata";
            default -> name;
        };
    }
}
