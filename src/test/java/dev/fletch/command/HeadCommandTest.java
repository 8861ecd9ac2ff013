// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static dev.fletch.testdata.HandmadeInput.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;

import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchLayout;
import dev.fletch.corpus.Corpus;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.testdata.RangeServer;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// `fletch head`: rows, columns, limits, damage; the values themselves are those of
/// `RowValuesAgreeTest`.
class HeadCommandTest {
    private static final Path TRADES = Path.of("src/test/resources/samples/trades.arrow");
    private static final JsonFactory STRICT =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    private static final ArrowType UTF8 = ArrowType.Simple.UTF8;
    private static final int MUTANTS = CaseCount.of(400, 5_000);

    @TempDir Path folder;

    // ---- rows and columns

    @Test
    void printsTheFirstTenRows() {
        Cli.Run run = Cli.run("head", "" + TRADES);
        assertEquals(0, run.status(), run.err());
        assertEquals(13, run.lines().size()); // names, types, rows, and that there are more
        assertTrue(run.lines().getFirst().startsWith("time "));
        assertTrue(run.lines().get(1).startsWith("timestamp(microsecond, UTC)  utf8 "));
        assertEquals("… more rows: --rows prints them", run.lines().getLast());
    }

    @Test
    void rowsOfSeveralBatchesFollowEachOther() {
        Cli.Run run = Cli.run("head", "--rows", "2000", "--json", "" + TRADES);
        assertEquals(0, run.status());
        assertEquals(800, run.json().size());
    }

    /// As readers of files have them, and `convert` writes them.
    @Test
    void batchesFollowTheBlocksOfAFile() throws IOException {
        HandmadeInput input =
                new HandmadeInput(Meant.schema(Meant.INT8))
                        .batch(new Batch(1).node(1, 0, bytes(), bytes(1)))
                        .batch(new Batch(1).node(1, 0, bytes(), bytes(2)))
                        .batch(new Batch(1).node(1, 9, bytes(), bytes(3)));
        Path file = Files.write(folder.resolve("reversed.arrow"), input.file(1, 0));
        assertEquals(
                List.of(Map.of("int8", 2L), Map.of("int8", 1L)),
                Cli.run("head", "--json", "" + file).json());
        Files.write(file, input.file(2, 1, 0));
        Cli.Run run = Cli.run("head", "--json", "" + file);
        assertEquals(List.of(), run.json());
        assertTrue(run.err().contains("message 3: "), run.err());
    }

    @Test
    void noRowsAreNamesAndTypes() {
        assertEquals(2, Cli.run("head", "--rows", "0", "" + TRADES).lines().size());
    }

    @Test
    void choosesColumnsByPathPrefixAndExclusion() {
        assertEquals(List.of("price", "symbol"), keys("price,symbol"));
        assertEquals(List.of("symbol", "size", "side"), keys("s*"));
        assertEquals(List.of("size", "side", "price"), keys("s*,!symbol,price"));
        assertEquals(List.of("time", "price", "venue", "tags"), keys("!s*"));
        Map<String, Object> row = row("--columns", "venue.code");
        assertEquals(Map.of("venue", Map.of("code", "PAR")), row);
    }

    @Test
    void convertChoosesTheSameColumns() {
        for (String each : List.of("s*", "s*,!symbol,price", "!s*", "venue.code")) {
            Path out = folder.resolve("some.arrow");
            Cli.run("convert", "--force", "--columns", each, "" + TRADES, "" + out);
            assertEquals(
                    Cli.run("head", "--json", "--columns", each, "" + TRADES).out(),
                    Cli.run("head", "--json", "" + out).out());
        }
    }

    @Test
    void anUnknownColumnIsAnErrorOfUse() {
        for (String each : List.of("volume", "x*", "!x", "price,!time")) {
            Cli.Run run = Cli.run("head", "--columns", each, "" + TRADES);
            assertEquals(2, run.status(), each);
            assertTrue(run.err().contains("--columns: "), run.err());
        }
        assertEquals(2, Cli.run("head", "--rows", "-1", "" + TRADES).status());
    }

    private static List<String> keys(String columns) {
        return List.copyOf(row("--columns", columns).keySet());
    }

    private static Map<String, Object> row(String... options) {
        List<String> args = new ArrayList<>(List.of("head", "--json", "--rows", "1"));
        args.addAll(List.of(options));
        args.add("" + TRADES);
        return JsonTree.object(Cli.run(args.toArray(String[]::new)).json().getFirst());
    }

    @Test
    void severalInputsHaveHeadings() {
        Cli.Run run = Cli.run("head", "--rows", "1", "" + TRADES, "" + TRADES);
        assertEquals(2, run.lines().stream().filter(l -> l.endsWith("trades.arrow:")).count());
    }

    @Test
    void printsRowsOfPipesLinksAndEachStreamOfAnInput() throws IOException {
        byte[] file = Files.readAllBytes(TRADES);
        String expected = Cli.run("head", "--json", "" + TRADES).out();
        assertEquals(expected, Cli.runWithInput(file, "head", "--json", "-").out());
        byte[] stream = Files.readAllBytes(TRADES.resolveSibling("trades.stream"));
        assertEquals(expected, Cli.runWithInput(stream, "head", "--json", "-").out());
        byte[] twice = Arrays.copyOf(stream, 2 * stream.length);
        System.arraycopy(stream, 0, twice, stream.length, stream.length);
        Cli.Run run = Cli.runWithInput(twice, "head", "--json", "--all-streams", "-");
        assertEquals(expected + expected, run.out(), run.err());
    }

    @Test
    void printsChosenColumnsOfALink() throws IOException {
        byte[] large = ArrowVectorFiles.named("several_batches").file();
        Path file = Files.write(folder.resolve("a.arrow"), large);
        try (RangeServer server = new RangeServer(folder)) {
            for (String columns : List.of("number", "text")) {
                String[] args = {
                    "head", "--json", "--rows", "2000", "--columns", columns, "" + file
                };
                String expected = Cli.run(args).out();
                args[args.length - 1] = server.link("a.arrow");
                Cli.Run run = Cli.run(args);
                assertEquals(expected, run.out(), run.err());
            }
        }
    }

    @Test
    void aStreamWithoutEndIsReadNoFurtherThanNeeded() throws IOException {
        byte[] stream = Files.readAllBytes(TRADES.resolveSibling("trades.stream"));
        InputStream endless =
                new InputStream() {
                    private final InputStream first = new ByteArrayInputStream(stream);
                    private int read;

                    @Override
                    public int read() throws IOException {
                        if (++read > stream.length - 8) {
                            throw new AssertionError("read to the end");
                        }
                        return first.read();
                    }
                };
        Cli.Run run = Cli.runWithInput(endless, "head", "--rows", "3", "--json", "-");
        assertEquals(0, run.status(), run.err());
        assertEquals(3, run.json().size());
    }

    // ---- what is shown

    private static ArrowField column(String name, ArrowType type, ArrowField... children) {
        return ArrowField.of(name, type, children).nullable();
    }

    /// A stream of one batch with a row of the column of text or binary.
    private static byte[] oneText(ArrowType type, byte[] text) throws IOException {
        ArrowSchema schema = ArrowSchema.of(column("c", type));
        BatchBuilder builder =
                new BatchBuilder(BatchLayout.compile(schema.toTable(), MetadataVersion.V5));
        var out = new ByteArrayOutputStream();
        try (var writer = MessageWriter.of(ArrowContainer.STREAM, out)) {
            writer.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            builder.begin(1);
            byte[] offsets = {0, 0, 0, 0, 0, 0, 0, 0};
            for (int i = 0; i < Integer.BYTES; i++) {
                offsets[Integer.BYTES + i] = (byte) (text.length >> 8 * i);
            }
            builder.buffer(0, BufferRole.OFFSETS, MemorySegment.ofArray(offsets));
            builder.buffer(0, BufferRole.DATA, MemorySegment.ofArray(text));
            writer.write(builder);
            writer.finish();
        }
        return out.toByteArray();
    }

    private static String cell(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Cli.runWithInput(oneText(UTF8, bytes), "head", "-").lines().get(2);
    }

    @Test
    void textHasNoQuotesUnlessItCouldBeAnotherValue() throws IOException {
        assertEquals("a text", cell("a text"));
        assertEquals("\"\"", cell(""));
        assertEquals("\"null\"", cell("null"));
        assertEquals("\"!value-not-utf8\"", cell("!value-not-utf8"));
        assertEquals("\"{\\\"a\\\": 1}\"", cell("{\"a\": 1}"));
    }

    @Test
    void charactersThatATerminalActsOnAreEscaped() throws IOException {
        assertEquals("\"\\u001b[31mred\\u0007\"", cell("\u001b[31mred\u0007"));
        assertEquals("\"two\\nlines\"", cell("two\nlines"));
        byte[] bytes = "\u001b]0;x\u0007\u202e".getBytes(StandardCharsets.UTF_8);
        String json = Cli.runWithInput(oneText(UTF8, bytes), "head", "--json", "-").out();
        assertEquals("{\"c\": \"\\u001b]0;x\\u0007\\u202e\"}", json.strip());
    }

    @Test
    void longTextIsCutAndNeverBuilt() throws IOException {
        byte[] text = new byte[8 << 20];
        Arrays.fill(text, (byte) 'x');
        byte[] stream = oneText(UTF8, text);
        assertEquals("x".repeat(39) + "…", Cli.runWithInput(stream, "head", "-").lines().get(2));
        String json = Cli.runWithInput(stream, "head", "--json", "-").out().strip();
        assertTrue(json.startsWith("{\"c\": {\"$cut\": \"xxxx"), json.substring(0, 40));
        assertTrue(json.endsWith("\", \"bytes\": 8388608}}"));
        assertTrue(json.length() < (1 << 20) + 100);
        String hex = Cli.runWithInput(oneText(ArrowType.Simple.BINARY, text), "head", "-").out();
        assertEquals("78".repeat(19) + "7…", hex.lines().toList().get(2));
    }

    @Test
    void textThatIsNotUtf8IsMarkedWithItsBytes() throws IOException {
        byte[] stream = oneText(UTF8, new byte[] {'a', (byte) 0xFF, 'b'});
        Cli.Run run = Cli.runWithInput(stream, "head", "-");
        assertEquals("!value-not-utf8 61ff62", run.lines().get(2));
        assertEquals(1, run.status());
        assertTrue(run.err().contains("text is not UTF-8"), run.err());
        Cli.Run json = Cli.runWithInput(stream, "head", "--json", "-");
        assertEquals(
                "{\"c\": {\"$fault\": \"value-not-utf8\", \"hex\": \"61ff62\"}}",
                json.out().strip());
        String verify = Cli.runWithInput(stream, "verify", "--values", "--json", "-").out();
        int found = verify.indexOf("\"offset\":");
        String offset = verify.substring(found + 9, verify.indexOf(',', found)).strip();
        assertTrue(run.err().contains("offset " + offset + ":"), run.err() + verify);
    }

    @Test
    void anExtensionTypeIsShownByItsName() {
        Cli.Run run = Cli.run("head", "src/test/resources/samples/extensions.arrows");
        assertTrue(run.lines().get(1).contains("arrow."), run.out());
    }

    // ---- damage

    @Test
    void rowsInFrontOfDamageArePrintedThenTheFault() throws IOException {
        byte[] file = Files.readAllBytes(TRADES);
        Path half = Files.write(folder.resolve("half.arrow"), Arrays.copyOf(file, 40_000));
        Cli.Run run = Cli.run("head", "--json", "--rows", "1000", "" + half);
        assertEquals(1, run.status());
        assertEquals(650, run.json().size());
        assertTrue(run.err().contains("2 record batches complete, 650 rows"), run.err());
    }

    @Test
    void aBigEndianFileIsRefused() throws IOException {
        ArrowSchema little = ArrowSchema.of(column("c", new ArrowType.Int(32, true)));
        ArrowSchema big =
                new ArrowSchema(
                        ByteOrder.BIG_ENDIAN,
                        little.fields(),
                        little.metadata(),
                        little.features(),
                        little.absent());
        var out = new ByteArrayOutputStream();
        try (var writer = MessageWriter.of(ArrowContainer.STREAM, out)) {
            writer.write(big.toMessage(EmissionOrder.ARROW_CPP));
            writer.finish();
        }
        Cli.Run run = Cli.runWithInput(out.toByteArray(), "head", "-");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("endianness=Big"), run.err());
    }

    /// All inputs of the corpus, and mutants of data of all types.
    @Test
    void noInputIsMoreThanAFault() throws IOException {
        long inputs = 0;
        long marked = 0;
        List<byte[]> corpus = Corpus.inputs().toList();
        for (int i = 0; i < corpus.size(); i += CaseCount.of(5, 1)) {
            marked += isMarked(corpus.get(i)) ? 1 : 0;
            inputs++;
        }
        assertTrue(marked > CaseCount.of(4, 20), "marked: " + marked);
        System.out.printf(
                "Head: %d inputs of the corpus, in %d of them bad values%n", inputs, marked);
    }

    @Test
    void noMutantIsMoreThanAFault() {
        Random random = new Random(64);
        long marked = 0;
        byte[] base = {};
        for (int i = 0; i < MUTANTS; i++) {
            if (i % 50 == 0) {
                base = base(i / 50);
            }
            byte[] mutant = base.clone();
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                int at = random.nextInt(mutant.length);
                mutant[at] = (byte) (random.nextInt(3) == 0 ? -1 : random.nextInt());
            }
            marked += isMarked(mutant) ? 1 : 0;
        }
        CaseCount.report("Head: %,d mutants, in %,d of them bad values", MUTANTS, marked);
        assertTrue(marked > MUTANTS / 100, "marked: " + marked);
    }

    private static byte[] base(int seed) {
        if (seed % 3 == 0) {
            return ArrowVectorFiles.named("all_types").stream();
        }
        try {
            return ArrowVectorFiles.random(seed).file();
        } catch (RuntimeException _) {
            return base(seed + 1); // arrow-java cannot write it
        }
    }

    private static boolean isMarked(byte[] input) {
        Cli.Run text = Cli.runAloneWithInput(input, "head", "-");
        Cli.Run json = Cli.runAloneWithInput(input, "head", "--json", "-");
        assertTrue(text.status() <= 1, text.err());
        // A cell of the table is cut earlier.
        assertTrue(text.status() <= json.status(), text.err() + json.err());
        assertFalse(text.err().contains("internal error"), text.err());
        json.lines().forEach(HeadCommandTest::requireObject);
        boolean isMarked = json.out().contains("\"$fault\"");
        assertTrue(!isMarked || json.status() == 1, json.err());
        return isMarked;
    }

    /// Requires that a line is one JSON object, without repeated keys.
    private static void requireObject(String line) {
        try (JsonParser parser = STRICT.createParser(line)) {
            assertEquals(JsonToken.START_OBJECT, parser.nextToken());
            parser.skipChildren();
            assertNull(parser.nextToken());
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }
}
