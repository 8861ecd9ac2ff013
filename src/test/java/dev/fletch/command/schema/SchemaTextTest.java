// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import static dev.fletch.command.SchemaTables.field;
import static dev.fletch.command.SchemaTables.schema;
import static dev.fletch.command.SchemaTables.stream;
import static dev.fletch.command.SchemaTables.struct;
import static dev.fletch.command.SchemaTables.table;
import static dev.fletch.command.SchemaTables.utf8;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.GoldenOutput;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.TradesSample;
import dev.fletch.wire.Escaper;

import org.junit.jupiter.api.Test;

import java.util.List;

/// The tree that `fletch schema` draws.
class SchemaTextTest {
    private static String shown(FbsValue.Table schema) {
        Run run = Cli.runWithInput(stream(schema), "schema", "-");
        assertEquals("", run.err());
        assertEquals(0, run.status());
        return run.out();
    }

    @Test
    void schemaOfTheSampleIsPrinted() {
        String file = TradesSample.path("trades.arrow").toString();
        String stream = TradesSample.path("trades.stream").toString();
        Run run = Cli.run("schema", file);
        assertEquals(new Run(0, run.out(), ""), run);
        GoldenOutput.assertIs("SchemaTextTest.schemaOfTheSampleIsPrinted.txt", run.out());
        assertEquals(
                file + ":\n" + run.out() + "\n" + stream + ":\n" + run.out(),
                Cli.run("schema", file, stream).out());
    }

    @Test
    void typesOfArrowVectorArePrinted() {
        byte[] stream = ArrowVectorFiles.named("no_batches_of_all_types").stream();
        GoldenOutput.assertIs(
                "SchemaTextTest.typesOfArrowVectorArePrinted.txt",
                Cli.runWithInput(stream, "schema", "-").out());
    }

    @Test
    void schemaWithoutFieldsIsPrinted() {
        assertEquals("schema: 0 columns\n", shown(schema()));
        assertEquals("schema: 0 columns\n", shown(table("Schema")));
        assertEquals("schema: 0 columns, big-endian\n", shown(table("Schema", "endianness", 1)));
        assertEquals(
                "schema: 0 columns, Endianness(-3)\n", shown(table("Schema", "endianness", -3)));
    }

    @Test
    void featuresAndAbsentTextsArePrinted() {
        FbsValue.Table schema =
                table(
                        "Schema",
                        "features",
                        List.of(1, 2, 99),
                        "custom_metadata",
                        List.of(
                                table("KeyValue"),
                                table("KeyValue", "key", "k=v", "value", ""),
                                table("KeyValue", "key", "k", "value", "1"),
                                table("KeyValue", "key", "k", "value", "2")),
                        "fields",
                        List.of(table("Field")));
        assertEquals(
                """
                schema: 1 column
                │  feature: DICTIONARY_REPLACEMENT
                │  feature: COMPRESSED_BODY
                │  feature: Feature(99)
                │  metadata: (no key) = (no value)
                │  metadata: "k=v" = ""
                │  metadata: k = 1
                │  metadata: k = 2
                └─ (no name): no type not null
                """,
                shown(schema));
    }

    @Test
    void unknownTypesArePrintedByNumber() {
        FbsValue.Table dictionary = table("DictionaryEncoding", "id", -1, "dictionaryKind", 5);
        FbsValue.Table withDictionary =
                table("Field", "type_type", Type.UTF8, "name", "e", "dictionary", dictionary);
        assertEquals(
                """
                schema: 9 columns
                ├─ a: unknown type 42
                ├─ b: date(DateUnit(7))
                ├─ c: float(Precision(-1))
                ├─ d: int (without its table)
                ├─ e: utf8 (without its table) not null, dictionary -1 (int32, DictionaryKind(5))
                ├─ f: union(UnionMode(2))
                ├─ g: time(nanosecond, 32 bits)
                ├─ h: int7
                └─ i: decimal3(0, 0)
                """
                        .replace("int7", "uint7"),
                shown(
                        schema(
                                field("a", 42, table("Utf8")),
                                field("b", Type.DATE, table("Date", "unit", 7)),
                                field(
                                        "c",
                                        Type.FLOATING_POINT,
                                        table("FloatingPoint", "precision", -1)),
                                table("Field", "name", "d", "nullable", 1, "type_type", Type.INT),
                                withDictionary,
                                field("f", Type.UNION, table("Union", "mode", 2)),
                                field("g", Type.TIME, table("Time", "unit", 3)),
                                field("h", Type.INT, table("Int", "bitWidth", 7)),
                                field("i", Type.DECIMAL, table("Decimal", "bitWidth", 3)))));
    }

    /// What a file says must not reach the terminal as a command to it.
    @Test
    void namesAreEscaped() {
        String escape = "\u001b[2J\u001b]0;owned\u0007";
        FbsValue.Table schema =
                schema(
                        utf8(escape),
                        utf8("a\nb: int32"),
                        utf8("\u009b31m"),
                        utf8("right \u202eto left"),
                        utf8("\u2028"),
                        utf8("\u007f"),
                        utf8(" "),
                        utf8("x: int64"),
                        utf8("ns:x"),
                        field("zone", Type.TIMESTAMP, table("Timestamp", "timezone", escape)),
                        table(
                                "Field",
                                "name",
                                "m",
                                "custom_metadata",
                                List.of(table("KeyValue", "key", escape, "value", escape))));
        GoldenOutput.assertIs("SchemaTextTest.namesAreEscaped.txt", shown(schema));
        for (String format : List.of("text", "json", "fbs")) {
            Run run = Cli.runWithInput(stream(schema), "schema", "--format", format, "-");
            for (char c : run.out().toCharArray()) {
                assertTrue(c == '\n' || !Escaper.isActive(c), () -> format + ": " + (int) c);
            }
        }
    }

    @Test
    void longValueIsCutForAPersonOnly() {
        String value = "é".repeat(400);
        FbsValue.Table pair = table("KeyValue", "key", "k", "value", value);
        FbsValue.Table schema = table("Schema", "custom_metadata", List.of(pair));
        assertEquals(
                "schema: 0 columns\n   metadata: k = " + "é".repeat(300) + "… (800 bytes)\n",
                shown(schema));
        assertTrue(Cli.runWithInput(stream(schema), "schema", "--json", "-").out().contains(value));
    }

    @Test
    void metadataOfChildrenIsPrinted() {
        FbsValue.Table pair = table("KeyValue", "key", "k", "value", "v");
        FbsValue.Table inner =
                table(
                        "Field",
                        "name",
                        "inner",
                        "custom_metadata",
                        List.of(pair),
                        "children",
                        List.of(utf8("leaf")));
        assertEquals(
                """
                schema: 2 columns
                ├─ outer: struct
                │  ├─ inner: no type not null
                │  │  │  metadata: k = v
                │  │  └─ leaf: utf8
                │  └─ inner: no type not null
                │     │  metadata: k = v
                │     └─ leaf: utf8
                └─ last: utf8
                """,
                shown(schema(struct("outer", inner, inner), utf8("last"))));
    }
}
