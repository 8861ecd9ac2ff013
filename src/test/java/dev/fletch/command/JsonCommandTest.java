// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.format.Message;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.SchemaJson;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// `fletch json`, both ways.
class JsonCommandTest {
    private static final String TRADES = TradesSample.path("trades.arrow").toString();
    private static final String SCHEMA =
            """
            {"fields": [{"name": "a", "nullable": true, "children": [],
                         "type": {"name": "int", "isSigned": true, "bitWidth": 32}}],
             "metadata": [{"key": "k", "value": "v"}]}
            """;

    @TempDir Path folder;

    private Path json(String text) throws IOException {
        Path file = folder.resolve("schema.json");
        Files.writeString(file, text);
        return file;
    }

    private static ArrowSchema schemaOf(byte[] stream) {
        OracleFile listing = OracleListing.list(stream);
        assertEquals(1, listing.messages().size());
        assertEquals(OracleFile.EndOfStream.CONTINUATION, listing.end());
        return ModelTables.schema(new Message().wrap(listing.messages().getFirst().metadata()));
    }

    // ---- printing

    @Test
    void printedJsonIsTheSchemaOfTheInput() throws IOException {
        Run run = Cli.run("json", TRADES, TradesSample.path("trades.stream").toString());
        assertEquals(0, run.status(), run.err());
        assertEquals(2, run.lines().size());
        assertEquals(run.lines().get(0), run.lines().get(1));
        ArrowSchema printed = SchemaJson.parse(run.lines().getFirst());
        OracleFile listing = OracleListing.list(TradesSample.stream());
        Message first = new Message().wrap(listing.messages().getFirst().metadata());
        assertTrue(printed.semanticallyEquals(ModelTables.schema(first)));
        Object inSchema =
                JsonTree.object(Cli.run("schema", "--json", TRADES).json().getFirst())
                        .get("schema");
        assertEquals(inSchema, run.json().getFirst(), "as in schema --json");
    }

    // ---- writing

    @ParameterizedTest
    @EnumSource
    void writesAStreamInEachOrder(EmissionOrder order) throws Exception {
        Path out = folder.resolve("out.arrows");
        String named = order.name().toLowerCase(Locale.ROOT);
        Run run =
                Cli.run(
                        "json",
                        "--to-arrow",
                        "--order",
                        named,
                        json(SCHEMA).toString(),
                        out.toString());
        assertEquals(new Run(0, "", ""), run);
        byte[] stream = Files.readAllBytes(out);
        ArrowSchema schema = SchemaJson.parse(SCHEMA);
        assertEquals(schema, schemaOf(stream));
        assertEquals(0, Cli.run("verify", "--strict", out.toString()).status());
        try (RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            assertEquals(
                    "a", reader.getVectorSchemaRoot().getSchema().getFields().getFirst().getName());
            assertFalse(reader.loadNextBatch());
        }
    }

    @Test
    void printedJsonIsConvertedBack() throws IOException {
        Path json = json(Cli.run("json", TRADES).out());
        Path out = folder.resolve("trades.arrows");
        assertEquals(0, Cli.run("json", "--to-arrow", json.toString(), out.toString()).status());
        assertEquals(Files.readString(json), Cli.run("json", out.toString()).out());
        assertEquals(new Run(0, "", ""), Cli.run("diff", TRADES, out.toString()));
    }

    @Test
    void inputIsNeverOverwritten() throws IOException {
        Path in = json(SCHEMA);
        Path hard = Files.createLink(folder.resolve("hard"), in);
        Path link = Files.createSymbolicLink(folder.resolve("link"), in);
        for (Path out : List.of(in, folder.resolve("./schema.json"), hard, link)) {
            for (String option : List.of("--force", "--order=flatc")) {
                assertEquals(
                        new Run(2, "", "fletch: " + out + ": stream would overwrite the input\n"),
                        Cli.run("json", "--to-arrow", option, in.toString(), out.toString()));
            }
        }
        assertEquals(SCHEMA, Files.readString(in));
    }
}
