// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.command.SchemaTables;
import dev.fletch.format.Type;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/// `schema --json` against the JSON that the Arrow project keeps beside its golden files.
class SchemaJsonTest {
    @Test
    void schemaOfEveryGoldenIsThatOfItsJson() throws IOException {
        List<Path> goldens = Goldens.all();
        List<String> args = new ArrayList<>(List.of("schema", "--json"));
        goldens.forEach(golden -> args.add(golden.toString()));
        Run run = Cli.run(args.toArray(String[]::new));
        assertEquals("", run.err());
        assertEquals(0, run.status());
        List<Object> printed = run.json();
        assertEquals(goldens.size(), printed.size());
        for (int i = 0; i < goldens.size(); i++) {
            Path golden = goldens.get(i);
            Map<String, Object> object = JsonTree.object(printed.get(i));
            assertEquals(List.of("file", "schema"), List.copyOf(object.keySet()));
            assertEquals(golden.toString(), object.get("file"));
            Object expected = expected(golden);
            Object schema = inOrder(object.get("schema"));
            if (golden.toString().contains("nested_dictionary")) {
                // Its writer numbered the dictionaries anew, one for each field.
                expected = withoutIds(expected);
                schema = withoutIds(schema);
            }
            assertEquals(expected, schema, golden::toString);
        }
        System.out.printf("schema --json: %d goldens%n", goldens.size());
    }

    private static Object expected(Path golden) throws IOException {
        String stem = golden.getFileName().toString().replaceAll("\\.(arrow_file|stream)$", "");
        Path json = golden.resolveSibling(stem + ".json.gz");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(json))) {
            Map<String, Object> schema = JsonTree.object(JsonTree.field(in, "schema"));
            schema.put("fields", fields(schema.get("fields")));
            return inOrder(
                    golden.endsWith("generated_map_non_canonical.stream")
                            ? JsonTree.parse(canonicalMap())
                            : schema);
        }
    }

    private static String withoutIds(Object schema) {
        return schema.toString().replaceAll("\\{id=\\d+", "{");
    }

    /// This stream has the usual names in its bytes; the file and the JSON beside it have others.
    private static String canonicalMap() {
        return """
        {"fields": [
          {"name": "map_other_names", "type": {"name": "map", "keysSorted": false},
           "nullable": true, "children": [
             {"name": "entries", "type": {"name": "struct"}, "nullable": false, "children": [
               {"name": "key", "type": {"name": "utf8"}, "nullable": false, "children": []},
               {"name": "value", "type": {"name": "int", "isSigned": true, "bitWidth": 32},
                "nullable": true, "children": []}]}]}]}
        """;
    }

    /// Files have the same pairs as their JSON, not always in its order.
    private static Object inOrder(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(SchemaJsonTest::inOrder).toList();
        }
        if (!(value instanceof Map<?, ?>)) {
            return value;
        }
        Map<String, Object> sorted = new LinkedHashMap<>(JsonTree.object(value));
        sorted.replaceAll((_, each) -> inOrder(each));
        sorted.computeIfPresent(
                "metadata",
                (_, pairs) ->
                        JsonTree.array(pairs).stream()
                                .sorted(Comparator.comparing(Object::toString))
                                .toList());
        return sorted;
    }

    private static List<Object> fields(Object fields) {
        List<Object> all = new ArrayList<>();
        for (Object each : JsonTree.array(fields)) {
            Map<String, Object> field = new LinkedHashMap<>(JsonTree.object(each));
            Map<String, Object> type = JsonTree.object(field.get("type"));
            if (type.get("name").equals("decimal")) {
                type.putIfAbsent("bitWidth", 128L); // older than the other widths
            }
            field.put("children", fields(field.get("children")));
            all.add(field);
        }
        return all;
    }

    @Test
    void sampleLooksLikeThis() {
        String file = TradesSample.path("trades.arrow").toString();
        Map<String, Object> object =
                JsonTree.object(Cli.run("schema", "--json", file).json().getFirst());
        assertEquals(
                JsonTree.parse(
                                """
                                {"fields": [
                                  {"name": "time",
                                   "type": {"name": "timestamp", "unit": "MICROSECOND", "timezone": "UTC"},
                                   "nullable": false, "children": []},
                                  {"name": "symbol", "type": {"name": "utf8"},
                                   "nullable": true, "children": [],
                                   "dictionary": {
                                     "id": 0,
                                     "indexType": {"name": "int", "isSigned": true, "bitWidth": 8},
                                     "isOrdered": false}},
                                  {"name": "price",
                                   "type": {"name": "decimal", "precision": 18, "scale": 4, "bitWidth": 128},
                                   "nullable": true, "children": [],
                                   "metadata": [{"key": "currency", "value": "EUR"}]},
                                  {"name": "size",
                                   "type": {"name": "int", "isSigned": true, "bitWidth": 64},
                                   "nullable": false, "children": []},
                                  {"name": "side", "type": {"name": "bool"},
                                   "nullable": true, "children": []},
                                  {"name": "venue", "type": {"name": "struct"}, "nullable": true,
                                   "children": [
                                     {"name": "code", "type": {"name": "utf8"},
                                      "nullable": false, "children": []},
                                     {"name": "lit", "type": {"name": "bool"},
                                      "nullable": true, "children": []}]},
                                  {"name": "tags", "type": {"name": "list"}, "nullable": true,
                                   "children": [
                                     {"name": "item", "type": {"name": "utf8"},
                                      "nullable": false, "children": []}]}],
                                 "metadata": [{"key": "session", "value": "2026-01-05"},
                                              {"key": "source", "value": "made up for Fletch's tests"}]}
                                """)
                        .toString(),
                object.get("schema").toString(),
                "in this order");
    }

    @Test
    void everyTypeOfArrowVector() {
        byte[] stream = ArrowVectorFiles.named("no_batches_of_all_types").stream();
        Object printed = Cli.runWithInput(stream, "schema", "--json", "-").json().getFirst();
        List<Object> fields =
                JsonTree.array(
                        JsonTree.object(JsonTree.object(printed).get("schema")).get("fields"));
        Map<String, String> types = new LinkedHashMap<>();
        for (Object each : fields) {
            Map<String, Object> field = JsonTree.object(each);
            types.put((String) field.get("name"), field.get("type").toString());
        }
        assertEquals(fields.size(), types.size());
        Map.of(
                        "uint16", "{name=int, isSigned=false, bitWidth=16}",
                        "FloatingPoint(HALF)", "{name=floatingpoint, precision=HALF}",
                        "large_binary", "{name=largebinary}",
                        "fixed_binary_16", "{name=fixedsizebinary, byteWidth=16}",
                        "Date(DAY)", "{name=date, unit=DAY}",
                        "time_micro", "{name=time, unit=MICROSECOND, bitWidth=64}",
                        "Interval(DAY_TIME)", "{name=interval, unit=DAY_TIME}",
                        "large_list_view", "{name=largelistview}",
                        "sparse_ids", "{name=union, mode=SPARSE, typeIds=[5, 127]}",
                        "runs16", "{name=runendencoded}")
                .forEach((name, type) -> assertEquals(type, types.get(name), name));
    }

    @Test
    void absentThingsAsTheFormatTakesThem() {
        FbsValue.Table union =
                SchemaTables.table(
                        "Field",
                        "type_type",
                        Type.UNION,
                        "type",
                        SchemaTables.table("Union"),
                        "children",
                        List.of(SchemaTables.utf8("a"), SchemaTables.table("Field")),
                        "dictionary",
                        SchemaTables.table("DictionaryEncoding", "id", Long.MAX_VALUE));
        FbsValue.Table schema =
                SchemaTables.table(
                        "Schema",
                        "fields",
                        List.of(
                                union,
                                SchemaTables.field("b", 99, SchemaTables.table("Null")),
                                SchemaTables.field(
                                        "c", Type.DATE, SchemaTables.table("Date", "unit", 9))),
                        "features",
                        List.of(2, 50),
                        "endianness",
                        1,
                        "custom_metadata",
                        List.of(SchemaTables.table("KeyValue"), SchemaTables.table("KeyValue")));
        assertEquals(
                """
                {"file":"-","endianness":"Big","features":["COMPRESSED_BODY","Feature(50)"],\
                "schema":{"fields":[\
                {"name":"","type":{"name":"union","mode":"SPARSE","typeIds":[0,1]},\
                "nullable":false,"children":[\
                {"name":"a","type":{"name":"utf8"},"nullable":true,"children":[]},\
                {"name":"","type":null,"nullable":false,"children":[]}],\
                "dictionary":{"id":9223372036854775807,\
                "indexType":{"name":"int","isSigned":true,"bitWidth":32},"isOrdered":false}},\
                {"name":"b","type":{"name":"unknown","typeId":99},"nullable":true,"children":[]},\
                {"name":"c","type":{"name":"date","unit":9},"nullable":true,"children":[]}],\
                "metadata":[{"key":"","value":""},{"key":"","value":""}]}}
                """,
                Cli.runWithInput(SchemaTables.stream(schema), "schema", "--json", "-").out());
    }

    @Test
    void streamAndFileHaveTheSame() {
        Object file = schema("trades.arrow");
        assertEquals(file, schema("trades.stream"));
    }

    private static Object schema(String sample) {
        Run run = Cli.run("schema", "--format", "JSON", TradesSample.path(sample).toString());
        return JsonTree.object(run.json().getFirst()).get("schema");
    }
}
