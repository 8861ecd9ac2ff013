// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.format.Message;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.Frames;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
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
import java.nio.charset.StandardCharsets;
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

    @Test
    void eachInputHasALine() throws IOException {
        String bad = Files.writeString(folder.resolve("bad"), "no Arrow data").toString();
        String none = folder.resolve("none").toString();
        Run run = Cli.run("json", bad, TRADES, none, TRADES, bad);
        assertEquals(2, run.status());
        assertEquals(3, run.err().lines().count());
        List<String> lines = run.lines();
        assertEquals(5, lines.size());
        for (int i : List.of(0, 2, 4)) {
            assertEquals("null", lines.get(i));
        }
        assertEquals(lines.get(1), lines.get(3));
        assertEquals("", Cli.run("json", bad).out());
    }

    @Test
    void controlCharactersAreEscaped() {
        ArrowSchema schema =
                ArrowSchema.of(ArrowField.of("\u202e\u007f\u001b名", ArrowType.Simple.UTF8));
        byte[] stream = Frames.schemaStream(ModelTables.schema(schema), 0);
        Run run = Cli.runWithInput(stream, "json", "-");
        assertTrue(
                run.out().startsWith("{\"fields\":[{\"name\":\"\\u202e\\u007f\\u001B名\""),
                run.out());
        assertEquals(
                schema.fields().getFirst().name(),
                SchemaJson.parse(run.out()).fields().getFirst().name());
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
    void defaultOrderIsThatOfArrowCpp() throws IOException {
        String in = json(SCHEMA).toString();
        Path plain = folder.resolve("plain");
        Path cpp = folder.resolve("cpp");
        Path java = folder.resolve("java");
        assertEquals(0, Cli.run("json", "--to-arrow", in, plain.toString()).status());
        Cli.run("json", "--order=ARROW_CPP", "--to-arrow", in, cpp.toString());
        Cli.run("json", "--order=arrow_java", "--to-arrow", in, java.toString());
        assertArrayEquals(Files.readAllBytes(cpp), Files.readAllBytes(plain));
        assertTrue(Files.mismatch(java, plain) >= 0);
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
    void deviationsAreWrittenOnlyIfAllowed() throws IOException {
        Path out = folder.resolve("out");
        String in =
                json("""
                {"fields": [{"name": "r", "nullable": true,
                  "type": {"name": "runendencoded"}, "children": [
                    {"name": "run_ends", "nullable": true,
                     "type": {"name": "int", "bitWidth": 32, "isSigned": true}},
                    {"name": "values", "nullable": true, "type": {"name": "utf8"}}]}]}
                """)
                        .toString();
        assertEquals(
                new Run(
                        1,
                        "",
                        "fletch: %s: run-ends-nullable: run ends are nullable:".formatted(in)
                                + " path=fields[0].children[0].nullable\n"),
                Cli.run("json", "--to-arrow", in, out.toString()));
        assertFalse(Files.exists(out));
        String allow = "--allow=run-ends-nullable";
        assertEquals(0, Cli.run("json", "--to-arrow", allow, in, out.toString()).status());
        assertTrue(schemaOf(Files.readAllBytes(out)).toString().contains("run_ends: int32\n"));
        String verified = Cli.run("verify", out.toString()).out();
        assertTrue(verified.contains("run-ends-nullable"), verified);
        assertEquals(0, Cli.run("diff", out.toString(), out.toString()).status());
        Run unknown = Cli.run("json", "--to-arrow", "--allow=run-ends-nulable", in, "out");
        assertEquals(2, unknown.status());
        assertTrue(unknown.err().contains("unknown rule code: run-ends-nulable\n"), unknown.err());
    }

    @Test
    void existingFilesStayUnlessForced() throws IOException {
        Path out = folder.resolve("out");
        Files.writeString(out, "precious, and longer than what would be there ".repeat(100));
        String in = json(SCHEMA).toString();
        Run refused = Cli.run("json", "--to-arrow", in, out.toString());
        assertEquals(
                new Run(
                        2,
                        "",
                        "fletch: %s: already exists; --force overwrites it\n".formatted(out)),
                refused);
        assertTrue(Files.readString(out).startsWith("precious"));
        assertEquals(0, Cli.run("json", "--to-arrow", "--force", in, out.toString()).status());
        assertEquals("a", schemaOf(Files.readAllBytes(out)).fields().getFirst().name());
    }

    @Test
    void invalidJsonWritesNoFile() throws IOException {
        Path out = folder.resolve("out");
        Path in = json("{\"fields\":\n [3]}");
        Run run = Cli.run("json", "--to-arrow", "--force", in.toString(), out.toString());
        assertEquals(
                new Run(
                        1,
                        "",
                        "fletch: %s: value must be an object: line=2, column=3, path=fields[0], value=3\n"
                                .formatted(in)),
                run);
        assertFalse(Files.exists(out));
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

    @Test
    void wrongArgumentsAreExplained() throws IOException {
        String in = json(SCHEMA).toString();
        assertEquals(2, Cli.run("json").status());
        assertEquals(2, Cli.run("json", "--to-arrow", in).status());
        assertEquals(2, Cli.run("json", "--to-arrow", in, in, in).status());
        assertEquals(2, Cli.run("json", "--force", TRADES).status());
        assertEquals(2, Cli.run("json", "--order", "flatc", TRADES).status());
        assertEquals(2, Cli.run("json", "--order", "x", "--to-arrow", in, in).status());
        Run streams = Cli.run("json", "--all-streams", "--to-arrow", in, folder + "/new");
        assertEquals(2, streams.status());
        assertTrue(
                streams.err()
                        .startsWith("fletch: --to-arrow and --all-streams cannot be combined\n"),
                streams.err());
        assertFalse(Files.exists(folder.resolve("new")));
        String none = folder.resolve("none").toString();
        assertEquals(
                "fletch: " + none + ": no such file\n",
                Cli.run("json", "--to-arrow", none, in).err());
        Run noFolder = Cli.run("json", "--to-arrow", in, none + "/out");
        assertEquals(2, noFolder.status());
        assertEquals("fletch: " + none + "/out: no such folder\n", noFolder.err());
    }

    @Test
    void namesThatAreNotUtf8AreShownWithEscapes() {
        ArrowField field = ArrowField.of("né!", ArrowType.Simple.UTF8);
        byte[] stream = Frames.schemaStream(ModelTables.schema(ArrowSchema.of(field)), 1);
        int at = new String(stream, StandardCharsets.ISO_8859_1).indexOf("n\u00c3\u00a9!") + 1;
        stream[at + 1] = 'A';
        Run json = Cli.runWithInput(stream, "json", "-");
        assertEquals(0, json.status(), json.err());
        assertTrue(json.out().contains("{\"name\":\"n\\\\xc3A!\","), json.out());
        assertEquals(new Run(0, "no extension types\n", ""), Cli.runWithInput(stream, "ext", "-"));
        Run diff =
                Cli.runWithInput(stream, "diff", "-", TradesSample.path("trades.arrow").toString());
        assertEquals(1, diff.status());
        assertEquals("", diff.err());
        assertTrue(diff.out().contains("\"n\\\\xc3A!\": removed utf8"), diff.out());
        Run schema = Cli.runWithInput(stream, "schema", "-");
        assertEquals(0, schema.status());
        assertTrue(schema.out().contains("n\uFFFDA!: utf8"), schema.out());
    }
}
