// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.Metadata;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.TradesSample;
import dev.fletch.wire.Escaper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `fletch ext`: what it lists, what it finds at fault, and how it ends.
class ExtCommandTest {
    @TempDir Path folder;

    private static final String NAME = "ARROW:extension:name";
    private static final String METADATA = "ARROW:extension:metadata";
    private static final ArrowType UTF8 = ArrowType.Simple.UTF8;

    private static ArrowField field(String name, ArrowType type, String... metadata) {
        return ArrowField.of(name, type).withMetadata(Metadata.of(metadata));
    }

    private static byte[] stream(ArrowField... fields) {
        return Frames.schemaStream(ModelTables.schema(ArrowSchema.of(fields)), 1);
    }

    private static final byte[] MIXED =
            stream(
                    field("id", new ArrowType.FixedSizeBinary(16), NAME, "arrow.uuid"),
                    ArrowField.of(
                            "s",
                            ArrowType.Simple.STRUCT,
                            field("flag", UTF8, NAME, "arrow.bool8", METADATA, ""),
                            field("plain", UTF8)),
                    field("geo", UTF8, METADATA, "{\"crs\":\"x\"}", NAME, "geoarrow.point"));

    @Test
    void printsATableOfExtensions() {
        Run run = Cli.runWithInput(MIXED, "ext", "-");
        assertEquals(
                """
                ok       id: arrow.uuid
                fault    s.flag: arrow.bool8
                         arrow.bool8 must be stored as int8: field=s.flag, type=utf8
                unknown  geo: geoarrow.point {"crs":"x"}
                """,
                run.out());
        assertEquals(1, run.status());
        assertTrue(
                run.err()
                        .matches(
                                "fletch: standard input: offset \\d+: invalid extension types:"
                                        + " invalid=1, total=3\n"),
                run.err());
    }

    private static Map<String, Object> use(
            String path, String name, String metadata, boolean canonical, String fault) {
        Map<String, Object> use = new LinkedHashMap<>();
        use.put("path", path);
        use.put("name", name);
        use.put("metadata", metadata);
        use.put("canonical", canonical);
        use.put("ok", fault == null);
        use.put("fault", fault);
        return use;
    }

    @Test
    void printsExtensionsAsJson() {
        Run run = Cli.runWithInput(MIXED, "ext", "--json", "-");
        assertEquals(1, run.status());
        Map<String, Object> object = JsonTree.object(run.json().getFirst());
        assertEquals(List.of("file", "extensions"), new ArrayList<>(object.keySet()));
        assertEquals(
                List.of(
                        use("id", "arrow.uuid", null, true, null),
                        use(
                                "s.flag",
                                "arrow.bool8",
                                "",
                                true,
                                "arrow.bool8 must be stored as int8: field=s.flag, type=utf8"),
                        use("geo", "geoarrow.point", "{\"crs\":\"x\"}", false, null)),
                object.get("extensions"));
        Map<String, Object> first =
                JsonTree.object(JsonTree.array(object.get("extensions")).getFirst());
        assertEquals(
                List.of("path", "name", "metadata", "canonical", "ok", "fault"),
                new ArrayList<>(first.keySet()));
    }

    @Test
    void schemaWithoutExtensionTypesIsReported() {
        String file = TradesSample.path("trades.arrow").toString();
        assertEquals(new Run(0, "no extension types\n", ""), Cli.run("ext", file));
        assertEquals(
                "{\"file\":\"%s\",\"extensions\":[]}\n".formatted(file),
                Cli.run("ext", "--json", file).out());
    }

    @Test
    void ofSeveralInputsOnlyThoseWithExtensionTypesOrFaultsAreListed() throws IOException {
        Path samples = TradesSample.path("trades.arrow").getParent();
        String none = samples.resolve("trades.arrow").toString();
        String some = samples.resolve("extensions.arrows").toString();
        assertEquals(new Run(0, "", ""), Cli.run("ext", none, none));
        assertEquals(new Run(0, "", ""), Cli.run("ext", "-r", none));
        Run run = Cli.run("ext", none, some, none);
        assertEquals(Cli.run("ext", some).err(), run.err());
        assertEquals(some + ":\n" + Cli.run("ext", some).out(), run.out());
        assertEquals(1, run.status());
        byte[] bytes = Files.readAllBytes(samples.resolve("trades.arrow"));
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(bytes, 20_000));
        Run damaged = Cli.run("ext", none, cut.toString());
        assertEquals(1, damaged.status());
        assertEquals("", damaged.out());
        assertTrue(damaged.err().startsWith("fletch: " + cut + ": offset 19994: "), damaged.err());
        assertEquals(3, Cli.run("ext", "--json", none, some, cut.toString()).json().size());
    }

    @Test
    void damageIsNamedBesideInvalidExtensionTypes() throws IOException {
        byte[] stream =
                Files.readAllBytes(
                        TradesSample.path("trades.arrow").resolveSibling("extensions.arrows"));
        // Half a prefix in place of the end-of-stream marker.
        byte[] cut = Arrays.copyOf(stream, stream.length - 4);
        Run run = Cli.runWithInput(cut, "ext", "-");
        assertEquals(1, run.status());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains("invalid=1, total=3; message 1: offset "), run.err());
        assertTrue(run.err().contains("input ends inside a message's prefix"), run.err());
    }

    @Test
    void extensionTypesOfProducersAreListed() {
        byte[] file = ArrowVectorFiles.named("extensions").file();
        Run run = Cli.runWithInput(file, "ext", "-");
        assertEquals(0, run.status(), run.err());
        assertEquals(
                """
                ok       uuid: arrow.uuid
                ok       json: arrow.json
                ok       flag: arrow.bool8
                unknown  point: test.point {"d":2}
                """,
                run.out());
        int listed = 0;
        for (Path golden : Goldens.all()) {
            Run each = Cli.run("ext", "--json", golden.toString());
            assertEquals(0, each.status(), each.err());
            listed += each.out().contains("\"ok\":true") ? 1 : 0;
        }
        assertEquals(4, listed);
    }

    @Test
    void invalidSchemaIsOneLine() {
        byte[] stream =
                Frames.schemaStream(
                        SchemaTables.schema(
                                SchemaTables.field(
                                        "i", 2, SchemaTables.table("Int", "bitWidth", 7))),
                        0);
        for (String[] form :
                List.of(new String[] {"ext", "-"}, new String[] {"ext", "--json", "-"})) {
            Run run = Cli.runWithInput(stream, form);
            assertEquals(form.length - 2, run.lines().size(), run.out()); // JSON tells it as well
            assertEquals(1, run.status());
            assertTrue(
                    run.err()
                            .matches(
                                    "fletch: standard input: message 0: offset \\d+: an integer has"
                                            + " 8, 16, 32 or 64 bits: field=i, bitWidth=7\n"),
                    run.err());
        }
    }

    @Test
    void controlCharactersAreEscaped() {
        String escape = "\u001b[2J\n";
        byte[] stream =
                stream(
                        field(escape, UTF8, NAME, escape, METADATA, escape),
                        field("x" + escape, UTF8, NAME, "arrow.uuid", METADATA, escape));
        for (String[] form :
                List.of(new String[] {"ext", "-"}, new String[] {"ext", "--json", "-"})) {
            Run run = Cli.runWithInput(stream, form);
            for (char c : (run.out() + run.err()).toCharArray()) {
                assertTrue(c == '\n' || !Escaper.isActive(c), Arrays.toString(form));
            }
        }
        assertEquals(3, Cli.runWithInput(stream, "ext", "-").lines().size());
    }
}
