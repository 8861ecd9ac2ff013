// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import dev.fletch.command.Cli;
import dev.fletch.command.GoldenOutput;
import dev.fletch.command.SchemaTables;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What `schema --json` prints.
class SchemaJsonTest {
    @Test
    void schemaOfTheSampleIsPrinted() {
        String file = TradesSample.path("trades.arrow").toString();
        String shown = Cli.run("schema", "--json", file).out().replace(file, "trades.arrow");
        GoldenOutput.assertIs("SchemaJsonTest.schemaOfTheSampleIsPrinted.json", shown);
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
        GoldenOutput.assertIs(
                "SchemaJsonTest.absentValuesArePrintedAsTheirDefaults.json",
                Cli.runWithInput(SchemaTables.stream(schema), "schema", "--json", "-").out());
    }
}
