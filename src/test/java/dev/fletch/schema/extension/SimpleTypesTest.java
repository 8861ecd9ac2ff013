// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static dev.fletch.schema.extension.Extensions.BINARY;
import static dev.fletch.schema.extension.Extensions.INT16;
import static dev.fletch.schema.extension.Extensions.INT8;
import static dev.fletch.schema.extension.Extensions.LIST;
import static dev.fletch.schema.extension.Extensions.STRUCT;
import static dev.fletch.schema.extension.Extensions.UTF8;
import static dev.fletch.schema.extension.Extensions.encoded;
import static dev.fletch.schema.extension.Extensions.field;
import static dev.fletch.schema.extension.Extensions.refused;
import static dev.fletch.schema.extension.Extensions.runs;
import static dev.fletch.schema.extension.Extensions.valid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.schema.InvalidSchemaException;

import org.junit.jupiter.api.Test;

import java.util.List;

/// The types without dimensions: each rule of the document kept and broken.
class SimpleTypesTest {
    private static final ArrowType BYTES16 = new ArrowType.FixedSizeBinary(16);

    @Test
    void uuidIsRead() {
        ArrowField storage = field("id", BYTES16);
        for (String metadata : new String[] {null, ""}) {
            assertEquals("", valid(SimpleType.class, storage, "arrow.uuid", metadata).metadata());
        }
        String rule = "arrow.uuid must be stored as fixed_size_binary(16): field=id, type=";
        refused(
                rule + "fixed_size_binary(15)",
                field("id", new ArrowType.FixedSizeBinary(15)),
                "arrow.uuid",
                "");
        refused(rule + "binary", field("id", BINARY), "arrow.uuid", null);
        refused(
                rule + "fixed_size_binary(16), dictionary 1 (int8)",
                encoded(storage),
                "arrow.uuid",
                "");
        refused(
                "arrow.uuid must have no metadata: field=id, metadata={}",
                storage,
                "arrow.uuid",
                "{}");
    }

    @Test
    void bool8IsRead() {
        ArrowField storage = field("flag", INT8).nullable();
        for (String metadata : new String[] {null, ""}) {
            assertEquals("", valid(SimpleType.class, storage, "arrow.bool8", metadata).metadata());
        }
        for (ArrowType type :
                List.of(new ArrowType.Int(8, false), INT16, ArrowType.Simple.BOOL, UTF8)) {
            refused(
                    "arrow.bool8 must be stored as int8: field=flag, type=" + type.text(),
                    field("flag", type),
                    "arrow.bool8",
                    "");
        }
        refused(
                "arrow.bool8 must have no metadata: field=flag, metadata=x",
                storage,
                "arrow.bool8",
                "x");
    }

    @Test
    void jsonIsRead() {
        for (ArrowType type :
                List.of(UTF8, ArrowType.Simple.LARGE_UTF8, ArrowType.Simple.UTF8_VIEW)) {
            for (String metadata : new String[] {null, "", "{}", " { } ", "{\"new\": [1]}"}) {
                ArrowField storage = field("doc", type);
                assertEquals(
                        "", valid(SimpleType.class, storage, "arrow.json", metadata).metadata());
            }
        }
        String rule =
                "arrow.json must be stored as utf8, large_utf8 or utf8_view: field=doc, type=";
        refused(rule + "binary", field("doc", BINARY), "arrow.json", "");
        refused(rule + "utf8, dictionary 1 (int8)", encoded(field("doc", UTF8)), "arrow.json", "");
        refused(
                "arrow.json must have a JSON object as its metadata: field=doc, metadata=[]",
                field("doc", UTF8),
                "arrow.json",
                "[]");
        refused(
                "arrow.json must have a JSON object as its metadata: field=doc, metadata=\"{}\"",
                field("doc", UTF8),
                "arrow.json",
                "\"{}\"");
    }

    @Test
    void opaqueIsRead() {
        String metadata = "{\"type_name\": \"varray\", \"vendor_name\": \"Oracle\"}";
        for (ArrowField storage :
                List.of(
                        field("o", ArrowType.Simple.NULL),
                        field("o", STRUCT, field("x", INT8)),
                        encoded(field("o", UTF8)))) {
            Opaque opaque = valid(Opaque.class, storage, "arrow.opaque", metadata);
            assertEquals(new Opaque("varray", "Oracle"), opaque);
            assertEquals(
                    "{\"type_name\":\"varray\",\"vendor_name\":\"Oracle\"}", opaque.metadata());
        }
        ArrowField storage = field("o", BINARY);
        valid(
                storage,
                "arrow.opaque",
                "{\"new\": {\"a\": [1, {}]}, \"vendor_name\": \"\", \"type_name\": \"\"}");
        refused(
                "arrow.opaque must have a JSON object as its metadata: field=o, metadata=\"\"",
                storage,
                "arrow.opaque",
                "");
        refused(
                "arrow.opaque must have a JSON object as its metadata: field=o, metadata=\"\"",
                storage,
                "arrow.opaque",
                null);
        refused(
                "arrow.opaque must have a string as type_name: field=o, type_name=absent",
                storage,
                "arrow.opaque",
                "{\"vendor_name\": \"x\"}");
        refused(
                "arrow.opaque must have a string as vendor_name: field=o, vendor_name=absent",
                storage,
                "arrow.opaque",
                "{\"type_name\": \"x\", \"vendor_name\": null}");
        refused(
                "arrow.opaque must have a string as vendor_name: field=o, vendor_name=3",
                storage,
                "arrow.opaque",
                "{\"type_name\": \"x\", \"vendor_name\": 3}");
    }

    /// As Arrow C++ writes them: what need not be escaped is not.
    @Test
    void opaqueTextsAreEscapedAsInArrowCpp() {
        assertEquals(
                "{\"type_name\":\"é🙂/\u007f\",\"vendor_name\":\"\\\"\\\\\\b\\t\\n"
                        + "\\f\\r"
                        + "\\u0001\\u001F\"}",
                new Opaque("é🙂/\u007f", "\"\\\b\t\n\f\r\u0001\u001f").metadata());
        assertThrows(InvalidSchemaException.class, () -> new Opaque("\ud800", ""));
        Opaque all = new Opaque("\u0000\u001f\u0020\u007f\u0080\uffff", "🙂");
        assertEquals(all, valid(Opaque.class, field("o", BINARY), "arrow.opaque", all.metadata()));
    }

    // ---- timestamp with offset

    private static final String OFFSET = "arrow.timestamp_with_offset";

    private static ArrowField instants(ArrowField timestamp, ArrowField offset) {
        return field("t", STRUCT, timestamp, offset);
    }

    private static ArrowField utc(TimeResolution unit) {
        return field("timestamp", new ArrowType.Timestamp(unit, "UTC"));
    }

    @Test
    void timestampWithOffsetIsRead() {
        ArrowField offset = field("offset_minutes", INT16);
        for (TimeResolution unit : TimeResolution.values()) {
            for (String metadata : new String[] {null, ""}) {
                valid(SimpleType.class, instants(utc(unit), offset), OFFSET, metadata);
            }
        }
        ArrowField utc = utc(TimeResolution.SECOND);
        valid(instants(utc, encoded(offset)), OFFSET, "");
        valid(instants(utc, runs("offset_minutes", field("any", INT16))), OFFSET, "");
        refused(
                OFFSET + " must have no metadata: field=t, metadata={}",
                instants(utc, offset),
                OFFSET,
                "{}");
        refused(
                OFFSET + " must be stored as struct: field=t, type=utf8",
                field("t", UTF8),
                OFFSET,
                "");
        String order =
                OFFSET
                        + " must have the children timestamp and offset_minutes, in this order:"
                        + " field=t, children=";
        refused(order + "[offset_minutes, timestamp]", instants(offset, utc), OFFSET, "");
        refused(order + "[timestamp]", field("t", STRUCT, utc), OFFSET, "");
        refused(
                order + "[timestamp, offset_minutes, x]",
                field("t", STRUCT, utc, offset, field("x", INT8)),
                OFFSET,
                "");
        refused(
                OFFSET + " must not be nullable here: field=t.timestamp, nullable=true",
                instants(utc.nullable(), offset),
                OFFSET,
                "");
        refused(
                OFFSET + " must not be nullable here: field=t.offset_minutes, nullable=true",
                instants(utc, offset.nullable()),
                OFFSET,
                "");
    }

    @Test
    void timestampWithOffsetOfOtherTypesIsRefused() {
        ArrowField offset = field("offset_minutes", INT16);
        ArrowField utc = utc(TimeResolution.SECOND);
        String inUtc = OFFSET + " must have its timestamp in UTC: field=t.timestamp, type=";
        for (String zone : new String[] {null, "", "Europe/Paris", "utc", "+00:00"}) {
            ArrowType type = new ArrowType.Timestamp(TimeResolution.SECOND, zone);
            refused(inUtc + type.text(), instants(field("timestamp", type), offset), OFFSET, "");
        }
        refused(
                inUtc + "timestamp(second, UTC), dictionary 1 (int8)",
                instants(encoded(utc), offset),
                OFFSET,
                "");
        String minutes = OFFSET + " must have its offset_minutes in int16: field=t.offset_minutes";
        refused(
                minutes + ", type=uint16",
                instants(utc, field("offset_minutes", new ArrowType.Int(16, false))),
                OFFSET,
                "");
        refused(
                minutes + ".v, type=int8",
                instants(utc, runs("offset_minutes", field("v", INT8))),
                OFFSET,
                "");
        refused(
                minutes + ".v, type=int16, dictionary 1 (int8)",
                instants(utc, runs("offset_minutes", encoded(field("v", INT16)))),
                OFFSET,
                "");
        refused(
                minutes + ", type=list",
                instants(utc, field("offset_minutes", LIST, field("v", INT16))),
                OFFSET,
                "");
    }

    /// Arrow C++ declares them so, whatever they hold.
    @Test
    void nullableValuesOfRunEndEncodedOffsetsAreAccepted() {
        ArrowField values = Extensions.field("values", Extensions.INT16).nullable();
        ArrowType utc = new ArrowType.Timestamp(ArrowType.TimeResolution.SECOND, "UTC");
        Extensions.valid(
                Extensions.field(
                        "t",
                        Extensions.STRUCT,
                        Extensions.field("timestamp", utc),
                        Extensions.runs("offset_minutes", values)),
                SimpleType.TIMESTAMP_WITH_OFFSET.extensionName(),
                "");
    }
}
