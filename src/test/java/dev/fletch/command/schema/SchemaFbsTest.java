// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.Flatc;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.ipc.Frames;
import dev.fletch.schema.internal.SchemaText;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.RandomTables;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// `schema --format fbs`: says what is stored, in words that flatc understands.
class SchemaFbsTest {
    private static final FbsDocument DOCUMENT = RandomTables.ARROW;
    private static final int RANDOM_SCHEMAS = CaseCount.of(80, 400);
    private static final int SCHEMAS_FOR_FLATC = CaseCount.of(40, RANDOM_SCHEMAS);

    @TempDir Path folder;

    /// An invalid schema is printed all the same, and has errors where `verify` finds some.
    private static String fbs(byte[] stream) {
        Run run = Cli.runWithInput(stream, "schema", "--format", "fbs", "-");
        assertEquals(Cli.runWithInput(stream, "verify", "-").status(), run.status(), run::err);
        assertEquals(run.status(), run.err().lines().count(), run::err);
        return run.out();
    }

    private static byte[] stream(FbsValue.Table schema, long seed) {
        return Frames.encapsulated(FbsValueWriter.write(DOCUMENT, Meant.message(schema, 0), seed));
    }

    private static FbsValue.Table parsed(String json) {
        return new FbsJson(DOCUMENT).table("Schema", JsonTree.parse(json));
    }

    // ---- without flatc

    @Test
    void randomSchemasArePrintedAsStored() {
        for (long seed = 0; seed < RANDOM_SCHEMAS; seed++) {
            FbsValue.Table schema = RandomTables.value(DOCUMENT, "Schema", seed);
            FbsValue expected = withoutUnknownTypes(schema.withDefaults(DOCUMENT));
            String json = fbs(stream(schema, seed));
            assertEquals(expected, parsed(json).withDefaults(DOCUMENT), json);
        }
        System.out.printf("schema --format fbs: %d random schemas%n", RANDOM_SCHEMAS);
    }

    /// There are no words for the table of a type that the declarations don't know.
    private static FbsValue withoutUnknownTypes(FbsValue value) {
        return switch (value) {
            case FbsValue.Vector(List<FbsValue> elements) ->
                    new FbsValue.Vector(
                            elements.stream().map(SchemaFbsTest::withoutUnknownTypes).toList());
            case FbsValue.Table(String name, SortedMap<String, FbsValue> fields) -> {
                SortedMap<String, FbsValue> kept = new TreeMap<>(fields);
                kept.replaceAll((_, each) -> withoutUnknownTypes(each));
                if (fields.get("type_type") instanceof FbsValue.Number(long tag)
                        && !Type.NAMES.isKnown((int) tag)) {
                    kept.remove("type");
                }
                yield new FbsValue.Table(name, kept);
            }
            default -> value;
        };
    }

    // ---- with flatc

    @Test
    void flatcMakesTheSameOfIt() throws Exception {
        Path flatc = Flatc.find().orElse(null);
        assumeTrue(
                flatc != null,
                "flatc is not on PATH (Debian: package flatbuffers-compiler): nothing compared");
        List<byte[]> streams = streams();
        List<String> arguments = new ArrayList<>(List.of("-b", "-o"));
        arguments.add(folder.resolve("out").toString());
        arguments.add(Goldens.repositoryRoot().resolve("format/Schema.fbs").toString());
        List<String> written = new ArrayList<>();
        for (byte[] stream : streams) {
            String json = fbs(stream);
            Path file = folder.resolve("schema_%04d.json".formatted(written.size()));
            arguments.add(Files.writeString(file, json).toString());
            written.add(json);
        }
        Flatc.Result made = Flatc.run(flatc, folder, arguments);
        assertEquals(0, made.status(), made::output);
        for (int i = 0; i < streams.size(); i++) {
            Path binary = folder.resolve("out/schema_%04d.bin".formatted(i));
            byte[] buffer = Files.readAllBytes(binary);
            String expected = Cli.runWithInput(streams.get(i), "schema", "-").out();
            assertEquals(expected, text(buffer));
            assertEquals(
                    parsed(written.get(i)).withDefaults(DOCUMENT),
                    parsed(fbsOfBuffer(buffer)).withDefaults(DOCUMENT));
        }
        System.out.printf("schema --format fbs: flatc takes %d schemas%n", streams.size());
    }

    /// Goldens where there are any, every case of arrow-vector, random schemas.
    private static List<byte[]> streams() {
        List<byte[]> streams = new ArrayList<>();
        if (Goldens.present()) {
            Goldens.all().stream().map(Goldens::read).forEach(streams::add);
        }
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            // flatc goes down 64 levels of JSON, too few for this one.
            if (!each.name().equals("deeply_nested")) {
                streams.add(each.stream());
            }
        }
        for (long seed = 0; seed < SCHEMAS_FOR_FLATC; seed++) {
            streams.add(stream(RandomTables.value(DOCUMENT, "Schema", seed), seed));
        }
        return streams;
    }

    private static String text(byte[] buffer) throws IOException {
        StringWriter out = new StringWriter();
        SchemaText.write(schemaOf(buffer), null, new PrintWriter(out));
        return out.toString();
    }

    private static String fbsOfBuffer(byte[] buffer) throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = JsonOutput.generator(out)) {
            new FbsFormat(json).write(schemaOf(buffer), null);
        }
        return out.toString();
    }

    private static Schema schemaOf(byte[] buffer) {
        return new Schema().wrap(MemorySegment.ofArray(buffer));
    }
}
