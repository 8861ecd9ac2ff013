// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.format.Field;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.RandomSchemas;
import dev.fletch.testdata.Sources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/// Schemas to JSON and back.
class SchemaJsonTest {
    private static final int SCHEMAS = CaseCount.of(200, 3_000);

    static String field(String type) {
        return field(type, "");
    }

    static String field(String type, String more) {
        return """
        {"fields": [{"name": "f", "type": %s, "nullable": false, "children": []%s}]}\
        """
                .formatted(type, more);
    }

    private static ArrowField read(String type) {
        return SchemaJson.parse(field(type)).fields().getFirst();
    }

    // ---- random schemas

    @Test
    void randomSchemaIsWrittenAndReadBack() {
        for (int seed = 0; seed < SCHEMAS; seed++) {
            // What JSON has no words for.
            ArrowSchema schema =
                    RandomSchemas.schema(seed)
                            .withEndianness(ByteOrder.LITTLE_ENDIAN)
                            .withFeatures(List.of());
            String text = SchemaJson.text(schema);
            ArrowSchema read = SchemaJson.parse(text);
            String what = "seed " + seed;
            assertTrue(schema.semanticallyEquals(read), () -> what + ": " + schema.diff(read));
            assertEquals(text, SchemaJson.text(read), what);
            assertEquals(read, SchemaJson.parse(SchemaJson.text(read)), what);
        }
    }

    @Test
    void arrowJavaReadsAndWritesTheSame() throws IOException {
        int fields = 0;
        for (int seed = 0; seed < SCHEMAS; seed++) {
            ArrowSchema schema = JavaSchemas.readable(RandomSchemas.schema(seed));
            // It has the modes of unions as the first documents had them.
            String text =
                    SchemaJson.text(schema)
                            .replace("\"mode\":\"SPARSE\"", "\"mode\":\"Sparse\"")
                            .replace("\"mode\":\"DENSE\"", "\"mode\":\"Dense\"");
            var theirs = org.apache.arrow.vector.types.pojo.Schema.fromJSON(text);
            ArrowSchema back = SchemaJson.parse(theirs.toJson());
            String what = "seed " + seed;
            assertTrue(schema.semanticallyEquals(back), () -> what + ": " + schema.diff(back));
            fields += schema.fields().size();
        }
        System.out.printf("JSON: arrow-java read and wrote %d columns%n", fields);
        assertTrue(fields > SCHEMAS);
    }

    // ---- what is written

    @Test
    void keysAreWrittenInArcherysOrder() {
        ArrowSchema schema =
                ArrowSchema.of(
                                ArrowField.of("d", ArrowType.Simple.UTF8)
                                        .nullable()
                                        .withDictionary(
                                                DictionaryInfo.of(-7, new ArrowType.Int(8, true)))
                                        .withMetadata(Metadata.of("k", "v", "k", "")),
                                ArrowField.of(
                                        "u",
                                        ArrowType.Union.dense(5),
                                        ArrowField.of(
                                                "\u202e\n",
                                                new ArrowType.Time(TimeResolution.NANOSECOND))))
                        .withMetadata(Metadata.of("a", "b"));
        assertEquals(
                """
                {"fields":[{"name":"d","type":{"name":"utf8"},"nullable":true,"children":[],\
                "dictionary":{"id":-7,"indexType":{"name":"int","isSigned":true,"bitWidth":8},\
                "isOrdered":false},"metadata":[{"key":"k","value":"v"},{"key":"k","value":""}]},\
                {"name":"u","type":{"name":"union","mode":"DENSE","typeIds":[5]},\
                "nullable":false,"children":[{"name":"\u202e\\n",\
                "type":{"name":"time","unit":"NANOSECOND","bitWidth":64},\
                "nullable":false,"children":[]}]}],"metadata":[{"key":"a","value":"b"}]}\
                """,
                SchemaJson.text(schema));
    }

    // ---- what is read

    @Test
    void formsOfOldDocumentsAreRead() {
        assertEquals(
                new ArrowType.Decimal(5, -2, 128),
                read("{\"name\": \"decimal\", \"precision\": 5, \"scale\": -2}").type());
        assertEquals(
                new ArrowType.Timestamp(TimeResolution.SECOND),
                read("{\"name\": \"timestamp\", \"unit\": \"SECOND\"}").type());
        assertEquals(
                new ArrowType.Timestamp(TimeResolution.SECOND),
                read("{\"name\": \"timestamp\", \"unit\": \"SECOND\", \"timezone\": null}").type());
        for (String mode : List.of("Sparse", "SPARSE")) {
            assertEquals(
                    ArrowType.Union.sparse(),
                    read("{\"name\": \"union\", \"mode\": \"%s\", \"typeIds\": []}".formatted(mode))
                            .type());
        }
        assertEquals(
                ArrowType.Union.dense(),
                read("{\"name\": \"union\", \"mode\": \"Dense\", \"typeIds\": []}").type());
    }

    @ParameterizedTest
    @CsvSource({"map,false", "list,true"})
    void absentKeysAreReadAsAbsentSlots(String name, boolean isList) {
        String item = "{\"name\": null, \"nullable\": false, \"type\": {\"name\": \"bool\"}}";
        String entries =
                """
                {"nullable": false, "type": {"name": "struct"}, "children": [%s, %s]}\
                """
                        .formatted(item, item);
        ArrowField read =
                SchemaJson.parse(
                                """
                                {"fields": [{"nullable": true, "children": [%s],
                                  "dictionary": {"id": 3}, "metadata": null,
                                  "type": {"name": "%s"}}], "metadata": null}\
                                """
                                        .formatted(isList ? item : entries, name))
                        .fields()
                        .getFirst();
        assertEquals(Set.of(Field.NAME_SLOT, Field.CUSTOM_METADATA_SLOT), read.absent());
        assertEquals(DictionaryInfo.implicit(3, false), read.dictionary());
        assertEquals(isList ? ArrowType.Simple.LIST : new ArrowType.Map(false), read.type());
        // Arrow C++ refuses a field without that vector.
        ArrowField leaf =
                isList
                        ? read.children().getFirst()
                        : read.children().getFirst().children().getFirst();
        assertEquals(Set.of(Field.NAME_SLOT, Field.CUSTOM_METADATA_SLOT), leaf.absent());
    }

    @Test
    void absentTypeIdsAreImplicit() {
        ArrowField read =
                SchemaJson.parse(
                                """
                                {"fields": [{"type": {"mode": "DENSE", "name": "union"},
                                  "children": [{"nullable": true, "type": {"name": "null"}},
                                               {"nullable": true, "type": {"name": "null"}}],
                                  "nullable": false, "name": ""}]}\
                                """)
                        .fields()
                        .getFirst();
        assertEquals(ArrowType.Union.implicit(true, 2), read.type());
        assertEquals(Set.of(Field.CUSTOM_METADATA_SLOT), read.absent());
    }

    @Test
    void keysAreReadInAnyOrderAmongUnknownOnes() {
        ArrowSchema expected =
                ArrowSchema.of(
                        ArrowField.of("a", new ArrowType.Int(16, false))
                                .withDictionary(DictionaryInfo.of(1, new ArrowType.Int(64, true)))
                                .withMetadata(Metadata.of("k", "v")));
        String text =
                """
                {"x": [[1, {"fields": 3}]], "batches": [{"count": 1}], "schema": {"y": null,
                  "fields": [{"z": {"name": 1}, "children": [], "nullable": false,
                    "dictionary": {"isOrdered": false, "kind": [], "id": 1,
                      "indexType": {"bitWidth": 64, "scale": {}, "isSigned": true, "name": "int"}},
                    "metadata": [{"value": "v", "w": {}, "key": "k"}],
                    "type": {"unit": 4, "isSigned": false, "bitWidth": 16, "u": 1e999, "name": "int"},
                    "name": "a"}]}, "dictionaries": {}}\
                """;
        assertEquals(expected, SchemaJson.parse(text));
    }

    @Test
    void schemaIsReadAloneOrFromAnIntegrationFile() {
        String bare = field("{\"name\": \"utf8\"}");
        ArrowSchema schema = SchemaJson.parse(bare);
        assertEquals(schema, SchemaJson.parse("{\"schema\": " + bare + "}"));
        assertEquals(schema, SchemaJson.parse("{\"batches\": [], \"schema\": " + bare + "}"));
        assertEquals(schema, SchemaJson.parse(" \n" + bare + "\n "));
    }

    @Test
    void bytesAndCharactersAreRead() throws IOException {
        String text = field("{\"name\": \"utf8\"}").replace("\"f\"", "\"名🙂\"");
        ArrowSchema schema = SchemaJson.parse(text);
        assertEquals("名🙂", schema.fields().getFirst().name());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertEquals(schema, SchemaJson.read(new ByteArrayInputStream(bytes), Limits.DEFAULT));
        assertEquals(schema, SchemaJson.read(new StringReader(text), Limits.DEFAULT));
        // What some editors put in front.
        byte[] marked = ("\uFEFF" + text).getBytes(StandardCharsets.UTF_8);
        assertEquals(schema, SchemaJson.read(new ByteArrayInputStream(marked), Limits.DEFAULT));
    }

    @Test
    void sourceIsNotClosed() throws IOException {
        byte[] bytes = field("{\"name\": \"utf8\"}").getBytes(StandardCharsets.UTF_8);
        Sources.Closing source = new Sources.Closing(bytes);
        SchemaJson.read(source, Limits.DEFAULT);
        assertFalse(source.isClosed);
    }
}
