// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static dev.fletch.schema.extension.Extensions.BINARY;
import static dev.fletch.schema.extension.Extensions.INT16;
import static dev.fletch.schema.extension.Extensions.INT32;
import static dev.fletch.schema.extension.Extensions.INT8;
import static dev.fletch.schema.extension.Extensions.LIST;
import static dev.fletch.schema.extension.Extensions.STRUCT;
import static dev.fletch.schema.extension.Extensions.UTF8;
import static dev.fletch.schema.extension.Extensions.encoded;
import static dev.fletch.schema.extension.Extensions.field;
import static dev.fletch.schema.extension.Extensions.marked;
import static dev.fletch.schema.extension.Extensions.refused;
import static dev.fletch.schema.extension.Extensions.runs;
import static dev.fletch.schema.extension.Extensions.valid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Parquet's variants, shredded or not: each rule of the document kept and broken.
class ParquetVariantTest {
    private static final String NAME = "arrow.parquet.variant";
    private static final ArrowField METADATA = field("metadata", BINARY);
    private static final ArrowField VALUE = field("value", BINARY).nullable();
    private static final List<ArrowType> BINARIES =
            List.of(BINARY, ArrowType.Simple.LARGE_BINARY, ArrowType.Simple.BINARY_VIEW);

    private static ArrowField variant(ArrowField... children) {
        return field("v", STRUCT, children);
    }

    private static ArrowField typed(ArrowType type, ArrowField... children) {
        return field("typed_value", type, children).nullable();
    }

    private static ArrowField shredded(ArrowField typed) {
        return variant(METADATA, VALUE, typed);
    }

    private static void refusedBy(String message, ArrowField storage) {
        refused(NAME + " " + message, storage, NAME, "");
    }

    @Test
    void unshreddedVariantIsRead() {
        for (ArrowType binary : BINARIES) {
            ArrowField storage =
                    variant(field("value", binary).nullable(), field("metadata", binary));
            for (String metadata : new String[] {null, ""}) {
                assertEquals("", valid(SimpleType.class, storage, NAME, metadata).metadata());
            }
            valid(variant(encoded(field("metadata", binary)), VALUE), NAME, "");
            valid(variant(runs("metadata", field("any", binary)), VALUE), NAME, "");
        }
        refused(
                NAME + " must have no metadata: field=v, metadata={}",
                variant(METADATA, VALUE),
                NAME,
                "{}");
    }

    @Test
    void wrongStorageOfAVariantIsRefused() {
        refusedBy("must be stored as struct: field=v, type=binary", field("v", BINARY));
        refusedBy("must have a child metadata: field=v, children=[value]", variant(VALUE));
        refusedBy(
                "must not be nullable here: field=v.metadata, nullable=true",
                variant(METADATA.nullable(), VALUE));
        String binary = "must have its metadata in binary, large_binary or binary_view: field=v";
        refusedBy(binary + ".metadata, type=utf8", variant(METADATA.withType(UTF8), VALUE));
        refusedBy(
                binary + ".metadata, type=utf8, dictionary 1 (int8)",
                variant(encoded(METADATA.withType(UTF8)), VALUE));
        refusedBy(
                binary + ".metadata.x, type=utf8",
                variant(runs("metadata", field("x", UTF8)), VALUE));
        refusedBy(
                binary + ".metadata.x, type=binary, dictionary 1 (int8)",
                variant(runs("metadata", encoded(field("x", BINARY))), VALUE));
        refusedBy(
                "must have a child value or typed_value: field=v, children=[metadata]",
                variant(METADATA));
        String value = "must have a value in binary, large_binary or binary_view: field=v.value";
        refusedBy(value + ", type=utf8", variant(METADATA, field("value", UTF8)));
        refusedBy(value + ", type=binary, dictionary 1 (int8)", variant(METADATA, encoded(VALUE)));
        refusedBy(
                value + ", type=run_end_encoded",
                variant(METADATA, runs("value", field("v", BINARY))));
        String children =
                "must have only the children metadata, typed_value, value, each at most once:"
                        + " field=v, children=";
        refusedBy(
                children + "[metadata, value, Value]",
                variant(METADATA, VALUE, field("Value", BINARY)));
        refusedBy(children + "[metadata, value, value]", variant(METADATA, VALUE, VALUE));
    }

    /// "Aa" and "BB" have the same hash, and so have all texts of as many of them. Comparing each
    /// name with all others takes half a minute in a full run.
    @Test
    void objectsOfManyNamesWithEqualHashesAreRead() {
        ArrowField[] fields = new ArrowField[1 << CaseCount.of(12, 16)];
        for (int i = 0; i < fields.length; i++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 1; bit < fields.length; bit <<= 1) {
                name.append((i & bit) == 0 ? "Aa" : "BB");
            }
            fields[i] = field(name.toString(), STRUCT, VALUE);
        }
        valid(shredded(typed(STRUCT, fields)), NAME, "");
    }

    @Test
    void primitiveVariantTypesAreAccepted() {
        List<ArrowType> primitives =
                List.of(
                        ArrowType.Simple.NULL,
                        ArrowType.Simple.BOOL,
                        INT8,
                        new ArrowType.Int(8, false),
                        INT16,
                        new ArrowType.Int(16, false),
                        INT32,
                        new ArrowType.Int(32, false),
                        new ArrowType.Int(64, true),
                        ArrowType.FloatingPoint.SINGLE,
                        ArrowType.FloatingPoint.DOUBLE,
                        new ArrowType.Decimal(9, 2, 32),
                        new ArrowType.Decimal(18, 2, 64),
                        new ArrowType.Decimal(38, 2, 128),
                        ArrowType.Date.DAY,
                        new ArrowType.Time(TimeResolution.MICROSECOND),
                        new ArrowType.Time(TimeResolution.NANOSECOND),
                        new ArrowType.Timestamp(TimeResolution.MICROSECOND),
                        new ArrowType.Timestamp(TimeResolution.MICROSECOND, "UTC"),
                        new ArrowType.Timestamp(TimeResolution.NANOSECOND, ""),
                        new ArrowType.Timestamp(TimeResolution.NANOSECOND, "UTC"),
                        BINARY,
                        ArrowType.Simple.LARGE_BINARY,
                        ArrowType.Simple.BINARY_VIEW,
                        UTF8,
                        ArrowType.Simple.LARGE_UTF8,
                        ArrowType.Simple.UTF8_VIEW);
        for (ArrowType type : primitives) {
            valid(shredded(typed(type)), NAME, "");
            valid(variant(METADATA, typed(type)), NAME, "");
        }
        ArrowField uuid = typed(new ArrowType.FixedSizeBinary(16));
        valid(shredded(marked(uuid, "arrow.uuid", "")), NAME, "");
    }

    @Test
    void otherTypesAreRefusedAsTypedValue() {
        String rule = "must have a typed_value of a variant type: field=v.typed_value";
        for (ArrowType type :
                List.of(
                        new ArrowType.Int(64, false),
                        ArrowType.FloatingPoint.HALF,
                        new ArrowType.Decimal(38, 2, 256),
                        ArrowType.Date.MILLISECOND,
                        new ArrowType.Time(TimeResolution.SECOND),
                        new ArrowType.Time(TimeResolution.MILLISECOND),
                        new ArrowType.Timestamp(TimeResolution.MILLISECOND, "UTC"),
                        new ArrowType.Timestamp(TimeResolution.SECOND),
                        new ArrowType.Timestamp(TimeResolution.MICROSECOND, "Europe/Paris"),
                        ArrowType.Interval.DAY_TIME,
                        new ArrowType.Duration(TimeResolution.NANOSECOND),
                        new ArrowType.FixedSizeBinary(16))) {
            refusedBy(rule + ", type=" + type.text(), shredded(typed(type)));
        }
        ArrowField item = field("item", STRUCT, VALUE);
        refusedBy(
                rule + ", type=large_list_view",
                shredded(typed(ArrowType.Simple.LARGE_LIST_VIEW, item)));
        refusedBy(
                rule + ", type=fixed_size_list(2)",
                shredded(typed(new ArrowType.FixedSizeList(2), item)));
        refusedBy(
                rule + ", type=map",
                shredded(
                        typed(
                                new ArrowType.Map(false),
                                field("entries", STRUCT, METADATA, VALUE))));
        refusedBy(
                rule + ", type=union(dense, ids 0)",
                shredded(typed(ArrowType.Union.dense(0), item)));
        refusedBy(rule + ", type=run_end_encoded", shredded(runs("typed_value", field("x", UTF8))));
        refusedBy(
                "must have a typed_value that is not dictionary-encoded: field=v.typed_value,"
                        + " type=utf8, dictionary 1 (int8)",
                shredded(encoded(typed(UTF8))));
        refusedBy(
                "must have no extension type here: field=v.typed_value,"
                        + " ARROW:extension:name=arrow.json",
                shredded(marked(typed(UTF8), "arrow.json", "")));
    }

    @Test
    void listsOfVariantsAreChecked() {
        ArrowField item = field("item", STRUCT, VALUE, typed(UTF8));
        for (ArrowType list :
                List.of(LIST, ArrowType.Simple.LARGE_LIST, ArrowType.Simple.LIST_VIEW)) {
            valid(shredded(typed(list, item)), NAME, "");
            valid(shredded(typed(list, field("any", STRUCT, VALUE))), NAME, "");
        }
        refusedBy(
                "must not be nullable here: field=v.typed_value.item, nullable=true",
                shredded(typed(LIST, item.nullable())));
        refusedBy(
                "must have an item of typed_value in a struct: field=v.typed_value.item, type=utf8",
                shredded(typed(LIST, field("item", UTF8))));
        refusedBy(
                "must have a child value or typed_value: field=v.typed_value.item, children=[]",
                shredded(typed(LIST, field("item", STRUCT))));
        refusedBy(
                "must have only the children typed_value, value, each at most once:"
                        + " field=v.typed_value.item, children=[metadata, value]",
                shredded(typed(LIST, field("item", STRUCT, METADATA, VALUE))));
    }

    @Test
    void fieldsOfAVariantObjectAreChecked() {
        ArrowField type = field("event_type", STRUCT, VALUE, typed(UTF8));
        ArrowField time =
                field(
                        "event_ts",
                        STRUCT,
                        VALUE,
                        typed(new ArrowType.Timestamp(TimeResolution.MICROSECOND, "UTC")));
        valid(shredded(typed(STRUCT, type, time)), NAME, "");
        // The names of an object's fields are those of the application.
        valid(shredded(typed(STRUCT, field("metadata", STRUCT, VALUE))), NAME, "");
        refusedBy(
                "must not be nullable here: field=v.typed_value.event_ts, nullable=true",
                shredded(typed(STRUCT, type, time.nullable())));
        refusedBy(
                "must have a field of typed_value in a struct: field=v.typed_value.x, type=utf8",
                shredded(typed(STRUCT, type, field("x", UTF8))));
        refusedBy(
                "must have each field of an object once: field=v.typed_value,"
                        + " children=[event_ts, event_ts]",
                shredded(typed(STRUCT, time, time)));
    }

    /// The rules hold at any depth.
    @Test
    void nestedVariantsAreCheckedAtAnyDepth() {
        valid(shredded(nested(typed(INT32), 20)), NAME, "");
        var fault =
                Extensions.fault(
                        shredded(nested(typed(new ArrowType.Int(64, false)), 20)), NAME, "");
        assertTrue(fault.requirement().contains("typed_value of a variant type"));
        assertTrue(fault.path().endsWith(".item.typed_value"), fault::path);
    }

    private static ArrowField nested(ArrowField innermost, int levels) {
        ArrowField typed = innermost;
        for (int i = 0; i < levels; i++) {
            typed = typed(LIST, field("item", STRUCT, VALUE, typed));
        }
        return typed;
    }

    // ---- extension types of parts

    private static ArrowField app(ArrowField field) {
        return Extensions.marked(field, "app.x", null);
    }

    private static void noExtensionAt(String path, ArrowField... parts) {
        InvalidSchemaException fault =
                Extensions.fault(variant(parts), SimpleType.PARQUET_VARIANT.extensionName(), "");
        assertEquals(
                "arrow.parquet.variant must have no extension type here: field="
                        + path
                        + ", ARROW:extension:name=app.x",
                fault.getMessage());
    }

    @Test
    void partsHaveNoExtensionType() {
        ArrowField metadata = Extensions.field("metadata", Extensions.BINARY);
        ArrowField value = Extensions.field("value", Extensions.BINARY);
        noExtensionAt("v.metadata", app(metadata), value);
        ArrowField values = Extensions.field("values", Extensions.BINARY);
        noExtensionAt("v.metadata.values", Extensions.runs("metadata", app(values)), value);
        noExtensionAt("v.value", metadata, app(value));
        noExtensionAt(
                "v.typed_value", metadata, app(Extensions.field("typed_value", Extensions.UTF8)));
        ArrowField item = Extensions.field("item", Extensions.STRUCT, value);
        ArrowField list = Extensions.field("typed_value", Extensions.LIST, item);
        noExtensionAt("v.typed_value", metadata, app(list));
        noExtensionAt("v.typed_value.item", metadata, list.withType(Extensions.LIST, app(item)));
        ArrowField object = Extensions.field("typed_value", Extensions.STRUCT, item);
        noExtensionAt("v.typed_value", metadata, app(object));
        noExtensionAt(
                "v.typed_value.item.value",
                metadata,
                object.withType(Extensions.STRUCT, item.withType(Extensions.STRUCT, app(value))));
    }

    @Test
    void uuidInsideAVariantIsChecked() {
        ArrowField metadata = Extensions.field("metadata", Extensions.BINARY);
        ArrowField bytes = Extensions.field("typed_value", new ArrowType.FixedSizeBinary(16));
        Extensions.valid(
                variant(metadata, Extensions.marked(bytes, SimpleType.UUID.extensionName(), "")),
                SimpleType.PARQUET_VARIANT.extensionName(),
                "");
        Extensions.refused(
                "arrow.uuid must have no metadata: field=v.typed_value, metadata=x",
                variant(metadata, Extensions.marked(bytes, SimpleType.UUID.extensionName(), "x")),
                SimpleType.PARQUET_VARIANT.extensionName(),
                "");
        ArrowField text = Extensions.field("typed_value", Extensions.UTF8);
        Extensions.refused(
                "arrow.uuid must be stored as fixed_size_binary(16): field=v.typed_value,"
                        + " type=utf8",
                variant(metadata, Extensions.marked(text, SimpleType.UUID.extensionName(), "")),
                SimpleType.PARQUET_VARIANT.extensionName(),
                "");
    }

    @Test
    void objectWithoutShreddedFieldsIsAccepted() {
        Extensions.valid(
                variant(
                        Extensions.field("metadata", Extensions.BINARY),
                        Extensions.field("typed_value", Extensions.STRUCT)),
                SimpleType.PARQUET_VARIANT.extensionName(),
                "");
    }

    /// Arrow C++ declares them so, whatever they hold.
    @Test
    void nullableValuesOfRunEndEncodedMetadataAreAccepted() {
        ArrowField values = Extensions.field("values", Extensions.BINARY).nullable();
        Extensions.valid(
                variant(
                        Extensions.runs("metadata", values),
                        Extensions.field("value", Extensions.BINARY)),
                SimpleType.PARQUET_VARIANT.extensionName(),
                "");
    }
}
