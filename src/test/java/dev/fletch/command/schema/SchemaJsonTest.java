// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.command.SchemaTables;
import dev.fletch.format.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `schema --json` against the JSON that the Arrow project keeps beside its golden files.
class SchemaJsonTest {

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
    void schemaOfTheSampleIsPrinted() {
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
    void absentValuesArePrintedAsTheirDefaults() {
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

    private static Object schema(String sample) {
        Run run = Cli.run("schema", "--format", "JSON", TradesSample.path(sample).toString());
        return JsonTree.object(run.json().getFirst()).get("schema");
    }
}
