// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.corpus.Corpus;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// `convert --schema`: a schema that an input has lost is taken from elsewhere.
class LostSchemaTest {
    private static final byte[] STREAM = TradesSample.stream();
    private static final OracleFile LISTING = OracleListing.list(STREAM);

    @TempDir Path folder;
    private Path in;
    private Path out;

    @BeforeEach
    void name() {
        in = folder.resolve("in.arrows");
        out = folder.resolve("out.arrows");
    }

    private Run convert(Object schema, String... more) {
        String[] args = Arrays.copyOf(more, more.length + 6);
        List<String> last =
                List.of("convert", "--force", "--schema", "" + schema, "" + in, "" + out);
        for (int i = 0; i < last.size(); i++) {
            args[more.length + i] = last.get(i);
        }
        String command = args[more.length];
        System.arraycopy(args, 0, args, 1, more.length);
        args[0] = command;
        return Cli.run(args);
    }

    /// The stream without its schema message, and with a damaged one.
    private static List<byte[]> withoutSchema() {
        int end = (int) LISTING.messages().getFirst().endOffset();
        byte[] damaged = STREAM.clone();
        damaged[(int) LISTING.messages().getFirst().metadataOffset() + 1] = (byte) 0x80;
        return List.of(Arrays.copyOfRange(STREAM, end, STREAM.length), damaged);
    }

    @Test
    void theSchemaComesFromAFileAStreamJsonOrBase64() throws IOException {
        byte[] message = Arrays.copyOf(STREAM, (int) LISTING.messages().getFirst().endOffset());
        String trades = TradesSample.path("trades.arrow").toString();
        Path json = Files.writeString(folder.resolve("json"), Cli.run("json", trades).out());
        Path spaced = Files.writeString(folder.resolve("spaced"), "\n{\n    \"fields\": []}");
        Path text = folder.resolve("text");
        Files.write(text, Base64.getEncoder().encode(message));
        List<String> values = ArrowVectorReading.read(STREAM).values();
        for (byte[] each : withoutSchema()) {
            Files.write(in, each);
            List<Object> schemas = List.of(trades, TradesSample.path("trades.stream"), json, text);
            for (Object schema : schemas) {
                Run run = convert(schema);
                assertEquals(0, run.status(), run.err());
                assertTrue(run.err().contains("the given one is used"), run.err());
                assertTrue(run.err().contains("batches=3, rows=800"), run.err());
                assertEquals(values, ArrowVectorReading.read(Files.readAllBytes(out)).values());
            }
            Run empty = convert(spaced); // read as JSON; has no columns
            assertEquals(1, empty.status());
            assertTrue(empty.err().contains("message is invalid"), empty.err());
        }
    }

    @Test
    void aSchemaThatDoesNotFitIsRefused() throws IOException {
        Files.write(in, withoutSchema().getFirst());
        Path other = TradesSample.path("extensions.arrows");
        for (String[] options : new String[][] {{}, {"--salvage"}}) {
            Run run = convert(other, options);
            assertEquals(1, run.status());
            assertTrue(run.err().contains("message is invalid"), run.err());
            assertFalse(Files.exists(out));
        }
        Run json = convert(other, "--json", "--salvage");
        Map<String, Object> object = JsonTree.object(json.json().getFirst());
        assertTrue(object.get("fault").toString().contains("the given schema does not fit"));
        assertFalse(object.containsKey("batches"));
    }

    @Test
    void theSchemaOfTheInputIsPreferred() throws IOException {
        Files.write(in, STREAM);
        Run run = convert(TradesSample.path("extensions.arrows"));
        assertEquals(0, run.status());
        assertTrue(run.err().contains("the schema of the input is used"), run.err());
        assertEquals(
                ArrowVectorReading.read(STREAM).values(),
                ArrowVectorReading.read(Files.readAllBytes(out)).values());
    }

    @Test
    void lostSchemaIsAFaultThatNamesTheOption() throws IOException {
        for (byte[] each : withoutSchema()) {
            Files.write(in, each);
            Run run = Cli.run("convert", "--salvage", in.toString(), out.toString());
            assertEquals(1, run.status());
            assertFalse(Files.exists(out));
        }
        assertTrue(Cli.run("convert", in.toString(), out.toString()).err().contains("--schema"));
    }

    @Test
    void theFileOfTheSchemaIsNamedIfItCannotBeRead() throws IOException {
        Files.write(in, withoutSchema().getFirst());
        Path missing = folder.resolve("missing");
        Run run = convert(missing);
        assertEquals(2, run.status());
        assertEquals("fletch: " + missing + ": no such file\n", run.err());
        Path text = Files.writeString(folder.resolve("text"), "hello, world");
        run = convert(text);
        assertEquals(1, run.status());
        assertTrue(run.err().startsWith("fletch: " + text + ": offset 0: neither"), run.err());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "missing | | 2",
                "text | hello, world | 1",
                "empty | `` | 1",
                "syntax.json | {\"fields\": [ | 1",
                "type.json | {\"fields\": 3} | 1",
                "twice.json | {\"fields\": [{\"name\": \"a\", \"nullable\": true, \"type\":"
                        + " {\"name\": \"int\", \"bitWidth\": 7, \"isSigned\": true},"
                        + " \"children\": []}]} | 1",
                "CUT | | 1",
                "FOLDER | | 2",
            })
    void anErrorOfTheSchemasFileNamesItInJsonToo(String name, String content, int status)
            throws IOException {
        Files.write(in, withoutSchema().getFirst());
        Path schema = folder.resolve(name);
        if (name.equals("CUT")) {
            Files.write(schema, Arrays.copyOf(STREAM, 100));
        } else if (name.equals("FOLDER")) {
            Files.createDirectory(schema);
        } else if (content != null) {
            Files.writeString(schema, content);
        }
        for (boolean hasSchema : new boolean[] {false, true}) {
            Files.write(in, hasSchema ? STREAM : withoutSchema().getFirst());
            Run run = convert(schema, "--json");
            assertEquals(status, run.status(), run.err());
            assertTrue(run.err().startsWith("fletch: " + schema + ": "), run.err());
            Map<String, Object> object = JsonTree.object(run.json().getFirst());
            assertEquals(in.toString(), object.get("file"));
            assertEquals(schema.toString(), object.get("schema"));
            assertTrue(object.containsKey("fault") || object.containsKey("error"), run.out());
        }
        Run missing = Cli.run("convert", "--json", folder + "/none", out.toString());
        assertFalse(missing.out().contains("\"schema\""), missing.out());
    }

    @Test
    void standardInputIsNotBothInputAndSchema() {
        Run run = Cli.runWithInput(STREAM, "convert", "--schema", "-", "-", out.toString());
        assertEquals(2, run.status());
        assertTrue(run.err().contains("standard input is given more than once"), run.err());
        assertFalse(Files.exists(out));
    }

    @Test
    void theSchemaMayComeFromStandardInput() throws IOException {
        Files.write(in, withoutSchema().getFirst());
        Run run = Cli.runWithInput(STREAM, "convert", "--schema=-", "" + in, "" + out);
        assertEquals(0, run.status(), run.err());
    }

    /// Tensors are left out if they are wrong, and of a file.
    @ParameterizedTest
    @CsvSource({
        "meaning/axis-2.arrows, stream, message 0: offset 280: ",
        "meaning/axis-2.arrows, file, message 0: offset 280: ",
        "meaning/compressed-axis-2.sound.arrows, file, offset 0: ",
        "file/batch-behind-tensor.arrows, file, message 1: offset 208: "
    })
    void inputOfWhichNothingIsLeftIsAFault(String input, String to, String fault) {
        Path wrong = Corpus.FOLDER.resolve(input);
        Run run = Cli.run("convert", "--salvage", "--to=" + to, "" + wrong, "" + out);
        assertEquals(1, run.status(), run.err());
        assertTrue(run.err().startsWith("fletch: " + wrong + ": " + fault), run.err());
        assertTrue(run.err().endsWith("; nothing is left to convert\n"), run.err());
        assertFalse(Files.exists(out));
    }
}
