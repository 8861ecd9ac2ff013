// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static dev.fletch.schema.extension.Extensions.BINARY;
import static dev.fletch.schema.extension.Extensions.STRUCT;
import static dev.fletch.schema.extension.Extensions.UTF8;
import static dev.fletch.schema.extension.Extensions.fault;
import static dev.fletch.schema.extension.Extensions.field;
import static dev.fletch.schema.extension.Extensions.refused;
import static dev.fletch.schema.extension.Extensions.valid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.corpus.CaseFile;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FieldNames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// The canonical types, each rule of the document kept and broken.
class CanonicalTypesTest {
    private static final String VARIANT = "arrow.parquet.variant";

    /// What the storages of the rows are made of.
    private static final String PARTS =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            let u8 = Int(bitWidth=8 is_signed=0)
            let i16 = Int(bitWidth=16 is_signed=1)
            let u16 = Int(bitWidth=16 is_signed=0)
            let i32 = Int(bitWidth=32 is_signed=1)
            let u32 = Int(bitWidth=32 is_signed=0)
            let i64 = Int(bitWidth=64 is_signed=1)
            let u64 = Int(bitWidth=64 is_signed=0)
            let bytes16 = FixedSizeBinary(byteWidth=16)
            let d = DictionaryEncoding(id=1 indexType=i8)
            let ends = run_ends!:i32
            let utc = timestamp!:Timestamp(unit=0 timezone="UTC")
            let offset = offset_minutes!:i16
            let cell = item!:FloatingPoint(precision=1)
            let data = data!:List<cell>
            let shape = shape!:FixedSizeList(listSize=2)<item!:i32>
            let metadata = metadata!:Binary
            let value = value:Binary
            let item = item!:Struct_<value>
            let app = KeyValue(key="ARROW:extension:name" value="app.x")
            let json = KeyValue(key="ARROW:extension:name" value="arrow.json")
            let uuid = KeyValue(key="ARROW:extension:name" value="arrow.uuid")
            let blank = KeyValue(key="ARROW:extension:metadata" value="")
            let x = KeyValue(key="ARROW:extension:metadata" value="x")
            """;

    private static ArrowField storage(String column) {
        return CaseFile.schema(PARTS, "<" + column + ">").fields().getFirst();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "canonical-types.txt", delimiter = '|', quoteCharacter = '\'')
    void storagesAndMetadataAreReadOrRefused(
            String name, String metadata, String column, String expected) {
        ArrowField storage = storage(column);
        String given = metadata.equals("-") ? null : metadata.replace("empty", "");
        if (expected.startsWith("ok")) {
            assertEquals(expected, ("ok " + valid(storage, name, given).metadata()).strip());
        } else {
            String message = expected.startsWith("must") ? name + " " + expected : expected;
            refused(message, storage, name, given);
        }
    }

    /// In the long run, comparing each name with all others would take half a minute.
    @Test
    void objectsOfManyNamesWithEqualHashesAreRead() {
        ArrowField[] fields =
                FieldNames.ofEqualHashes(CaseCount.of(13, 16)).stream()
                        .map(name -> field(name, STRUCT, field("value", BINARY)))
                        .toArray(ArrowField[]::new);
        ArrowField typed = field("typed_value", STRUCT, fields);
        valid(field("v", STRUCT, field("metadata", BINARY), typed), VARIANT, "");
    }

    @Test
    void nestedVariantsAreCheckedAtAnyDepth() {
        String start =
                "v!:Struct_<metadata value "
                        + "typed_value:List<item!:Struct_<value ".repeat(20)
                        + "typed_value:";
        String end = ">>".repeat(20) + ">";
        valid(storage(start + "i32" + end), VARIANT, "");
        var fault = fault(storage(start + "u64" + end), VARIANT, "");
        assertTrue(fault.requirement().contains("typed_value of a variant type"));
        assertTrue(fault.path().endsWith(".item.typed_value"), fault::path);
    }

    @Test
    void spacesAroundMetadataAreAccepted() {
        assertEquals("", valid(field("doc", UTF8), "arrow.json", " { } ").metadata());
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
        assertEquals(all, valid(field("o", BINARY), "arrow.opaque", all.metadata()));
    }
}
