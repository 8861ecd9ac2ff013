// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fletch.examples.FlightHeader;
import dev.fletch.examples.FlightMessages;
import dev.fletch.examples.ParquetKey;
import dev.fletch.examples.VectorSum;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.Metadata;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.JavaProcess;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Processes;
import dev.fletch.testdata.RangeServer;
import dev.fletch.testdata.TradesSample;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.tools.ToolProvider;

/// The examples are compiled against the module as users get it, and run; pages quote them word for
/// word. What they print is compared with arrow-java.
@Order(1) // takes long
class ExamplesTest {
    /// They need arrow-java, which is no module that a JVM can load without further options.
    private static final Set<String> WITH_ARROW_JAVA =
            Set.of("VectorSum", "FlightVerifier", "VerifyingClient", "VerifyingServer", "Snippets");

    private static Path compiled;

    @TempDir Path folder;

    @BeforeAll
    static void compile(@TempDir Path classes) throws IOException {
        List<String> call =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "-Xlint:all",
                                "-Werror",
                                "--module-path",
                                Repository.classesFolder().toString(),
                                "--add-modules",
                                "dev.fletch",
                                "-d",
                                classes.toString()));
        for (String name : Examples.names()) {
            if (!WITH_ARROW_JAVA.contains(name)) {
                call.add(Examples.FOLDER.resolve(name + ".java").toString());
            }
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        assertEquals(0, compiler.run(null, null, null, call.toArray(String[]::new)));
        compiled = classes;
    }

    // ---- texts

    /// With `-Dfletch.docs.write=true` the pages are written anew.
    @Test
    void pagesQuoteEachExample() throws IOException {
        TreeSet<String> quoted = new TreeSet<>();
        for (String page : Examples.pages()) {
            Path path = Repository.root().resolve(page);
            String text = Files.readString(path);
            for (String block : Examples.blocks(page, "java")) {
                String name = Examples.nameOf(block);
                if (name != null) {
                    quoted.add(name);
                    text = text.replace(block, Examples.source(name));
                } else {
                    quoted.addAll(Examples.namesWith(block));
                }
            }
            if (Boolean.getBoolean("fletch.docs.write")) {
                Files.writeString(path, text);
            }
            assertEquals(text, Files.readString(path), page);
        }
        assertEquals(new TreeSet<>(Examples.names()), quoted);
        assertTrue(quoted.size() >= 12);
    }

    /// The index lists the programs, shortest first.
    @Test
    void indexListsTheProgramsShortestFirst() throws IOException {
        List<String> listed =
                Pattern.compile("/examples/(\\w+)\\.java")
                        .matcher(Files.readString(Repository.root().resolve("docs/README.md")))
                        .results()
                        .map(each -> each.group(1))
                        .toList();
        Map<String, Long> lengths = new TreeMap<>();
        for (String name : Examples.names()) {
            lengths.put(name, Examples.source(name).lines().count());
        }
        lengths.remove("Snippets"); // parts of pages, no program
        assertEquals(lengths.keySet(), new TreeSet<>(listed));
        List<Long> found = listed.stream().map(lengths::get).toList();
        assertEquals(found.stream().sorted().toList(), found);
    }

    /// What is compiled in an example is compiled in the page.
    @Test
    void shortJavaOfPagesAndPackagesIsPartOfAnExample() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        for (String page : Examples.pages()) {
            texts.put(page, Files.readString(Repository.root().resolve(page)));
        }
        for (Path page : packagePages()) {
            texts.put(page.toString(), Files.readString(page).replaceAll("(?m)^/// ?", ""));
        }
        int parts = 0;
        for (var page : texts.entrySet()) {
            for (Examples.Block block : Examples.blocksOf(page.getValue())) {
                if (block.language().equals("java") && Examples.nameOf(block.text()) == null) {
                    String message = page.getKey() + "\n" + block.text();
                    assertFalse(Examples.programsWith(block.text()).isEmpty(), message);
                    parts++;
                }
            }
        }
        assertTrue(parts > 20, parts + " parts");
    }

    /// A link beside a part leads to a program that has it, with its imports.
    @Test
    void shortJavaOfPagesHasALinkToItsProgram() throws IOException {
        List<String> without = new ArrayList<>();
        for (String page : Examples.pages()) {
            String text = Files.readString(Repository.root().resolve(page));
            List<Examples.Block> blocks = Examples.blocksOf(text);
            List<String> beside = Examples.paragraphsBeside(text);
            for (int i = 0; i < blocks.size(); i++) {
                String block = blocks.get(i).text();
                String paragraphs = beside.get(i);
                if (blocks.get(i).language().equals("java")
                        && Examples.nameOf(block) == null
                        && Examples.programsWith(block).stream()
                                .noneMatch(file -> paragraphs.contains("/" + file + ")"))) {
                    without.add(page + ": " + block);
                }
            }
        }
        assertEquals(List.of(), without);
    }

    /// The summary comes first, as the Javadoc lists it, and then the example.
    @Test
    void pagesOfExportedPackagesStartWithAnExampleAndNamePages() throws IOException {
        List<Path> pages = packagePages();
        assertEquals(18, pages.size());
        for (Path page : pages) {
            String text = Files.readString(page).replaceAll("(?m)^///? ?", "");
            assertTrue(
                    text.split("\n\n")[2].startsWith("```java"), // behind licence and summary
                    page.toString());
            assertTrue(text.contains("Pages in the sources: `docs/"), page.toString());
        }
    }

    /// The pages of the packages that the module exports.
    private static List<Path> packagePages() throws IOException {
        Path sources = Repository.root().resolve("src/main/java");
        return Pattern.compile("exports ([\\w.]+);")
                .matcher(Files.readString(sources.resolve("module-info.java")))
                .results()
                .map(name -> name.group(1).replace('.', '/') + "/package-info.java")
                .map(sources::resolve)
                .toList();
    }

    /// Lines of code: no imports, comments or empty lines.
    @Test
    void examplesAreShort() throws IOException {
        for (String name : Examples.names()) {
            long lines =
                    Examples.source(name)
                            .lines()
                            .map(String::strip)
                            .filter(line -> !line.isEmpty())
                            .filter(line -> !line.startsWith("import "))
                            .filter(line -> !line.startsWith("//"))
                            .count();
            long most =
                    switch (name) {
                        case "SumColumn" -> 20;
                        case "VectorSum" -> 15; // 12 without class and main
                        case "Snippets" -> 295;
                        case "VerifyingServer" -> 75;
                        case "VerifyingClient" -> 45;
                        case "PushDecoding" -> 55;
                        case "FlightHeader", "FlightVerifier", "ListItems" -> 40;
                        case "RemoteHeaders" -> 15;
                        default -> 30;
                    };
            System.out.println(name + ": " + lines + " lines");
            assertTrue(lines <= most, () -> name + " has " + lines);
        }
    }

    // ---- programs

    private static String sample() {
        return TradesSample.path("trades.arrow").toString();
    }

    /// What an example prints, in a JVM that has the module and nothing else.
    private static String printed(Path input, String name, String... arguments) throws Exception {
        return Processes.printed(program("-XX:TieredStopAtLevel=1", input, name, arguments))
                .strip();
    }

    /// A program that talks to a socket of this process.
    private static Process start(String name, String... arguments) throws IOException {
        return Processes.start(program("-XX:TieredStopAtLevel=1", null, name, arguments));
    }

    private static ProcessBuilder program(
            String option, Path input, String name, String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                option,
                                "--module-path",
                                Repository.classesFolder().toString(),
                                "--add-modules",
                                "dev.fletch",
                                "-cp",
                                compiled.toString(),
                                "dev.fletch.examples." + name));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        return input == null ? builder : builder.redirectInput(input.toFile());
    }

    private static String printed(String name, String... arguments) throws Exception {
        return printed(null, name, arguments);
    }

    /// What arrow-java reads of the sample.
    private record Trades(
            long sum,
            long largest,
            Map<String, Integer> symbols,
            List<String> tags,
            List<String> nulls) {
        /// Of the first column in the first batch.
        long firstNulls() {
            String first = nulls.getFirst();
            return Long.parseLong(first.substring(first.indexOf('=') + 1, first.indexOf(' ')));
        }

        static Trades read() throws IOException {
            long sum = 0;
            long largest = Long.MIN_VALUE;
            Map<String, Integer> symbols = new TreeMap<>();
            List<String> tags = new ArrayList<>();
            List<String> nulls = new ArrayList<>();
            try (RootAllocator allocator = new RootAllocator();
                    ArrowFileReader reader =
                            new ArrowFileReader(FileChannel.open(Path.of(sample())), allocator)) {
                VectorSchemaRoot root = reader.getVectorSchemaRoot();
                while (reader.loadNextBatch()) {
                    BigIntVector sizes = (BigIntVector) root.getVector("size");
                    var coded = root.getVector("symbol");
                    long id = coded.getField().getDictionary().getId();
                    try (VarCharVector texts =
                            (VarCharVector) DictionaryEncoder.decode(coded, reader.lookup(id))) {
                        for (int row = 0; row < root.getRowCount(); row++) {
                            sum += sizes.get(row);
                            largest = Math.max(largest, sizes.get(row));
                            tags.add(line(root.getVector("tags").getObject(row)));
                            if (!texts.isNull(row)) {
                                symbols.merge("" + texts.getObject(row), 1, Integer::sum);
                            }
                        }
                    }
                    nulls.add(
                            root.getFieldVectors().stream()
                                    .map(each -> each.getName() + "=" + each.getNullCount())
                                    .collect(Collectors.joining(" ")));
                }
            }
            return new Trades(sum, largest, symbols, tags, nulls);
        }

        private static String line(Object list) {
            StringBuilder line = new StringBuilder();
            for (Object item : list == null ? List.of() : (List<?>) list) {
                line.append(item == null ? "" : item).append(';');
            }
            return line.toString();
        }
    }

    @Test
    void programsOverTheSampleAgreeWithArrowJava() throws Exception {
        Trades trades = Trades.read();
        assertEquals("" + trades.sum(), printed("SumColumn", sample(), "size"));
        assertEquals("" + trades.sum(), vectorSum());
        assertEquals("" + trades.largest(), printed("OneOfMany", sample(), "size"));
        assertEquals("" + trades.symbols(), printed("Texts", sample(), "symbol"));
        assertEquals(
                String.join("\n", trades.tags()).strip(), printed("ListItems", sample(), "tags"));
        Path stream = TradesSample.path("trades.stream");
        assertEquals(
                trades.nulls(), printed(stream, "NullCounts").lines().map(String::strip).toList());
        assertEquals(trades.sum(), flight(1_000));
        assertEquals(trades.sum(), flight(7));
    }

    @Test
    void programsFindAndLeaveOutWhatIsTruncated() throws Exception {
        Path half = folder.resolve("half.arrow");
        Files.write(half, Arrays.copyOf(TradesSample.file(), 40_000));
        List<String> found = printed("VerifyFile", half.toString()).lines().toList();
        assertTrue(found.getFirst().contains("\"code\":\"no-trailing-magic\""), found.toString());
        assertEquals("2 complete batches, 2 errors", found.getLast());
        Path saved = folder.resolve("saved.arrow");
        assertEquals(
                "2 batches, 650 rows saved",
                printed("SalvageFile", half.toString(), saved.toString())
                        .lines()
                        .findFirst()
                        .orElseThrow());
        assertEquals("2 complete batches, 0 errors", printed("VerifyFile", saved.toString()));
    }

    @Test
    void programLeavesNoFileIfNothingCanBeSaved() throws Exception {
        Path start = folder.resolve("start.arrow");
        Files.write(start, Arrays.copyOf(TradesSample.file(), 500));
        Path saved = folder.resolve("nothing.arrow");
        String printed = printed("SalvageFile", start.toString(), saved.toString());
        assertTrue(printed.endsWith("nothing can be converted"), printed);
        assertFalse(Files.exists(saved));
    }

    /// With arrow-java on the class path. A process of its own, as tests print to this JVM's output
    /// at the same time.
    private static String vectorSum() throws Exception {
        List<String> options =
                List.of(
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED");
        return JavaProcess.run(options, VectorSum.class, List.of(sample(), "size")).strip();
    }

    @Test
    void wrongColumnIsAnErrorThatSaysWhatIsThere() throws Exception {
        Processes.Ended ended =
                Processes.run(program("-Xshare:auto", null, "SumColumn", sample(), "price"));
        String text =
                "column has values of another type: column=price, expected=int64,"
                        + " found=decimal128, type=decimal";
        assertTrue(ended.printed().contains(text), ended.printed());
        assertEquals(1, ended.status());
    }

    /// The third event, as the page says; times and threads differ.
    @Test
    void recordingOfThePageShowsTheEventOfThePage() throws Exception {
        String page = "docs/concepts/recognition.md";
        Matcher option =
                Pattern.compile("(-XX:StartFlightRecording:filename=)(\\S+\\.jfr)(,\\S+)")
                        .matcher(Examples.blocks(page, "sh").getFirst());
        assertTrue(option.find());
        Path recording = folder.resolve(option.group(2));
        String recorded = option.group(1) + recording + option.group(3);
        Processes.printed(program(recorded, TradesSample.path("trades.stream"), "NullCounts"));
        String printed =
                Processes.printed(
                        new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jfr").toString(),
                                "print",
                                "--events",
                                "dev.fletch.MessageNotRecognized",
                                recording.toString()));
        String[] events = printed.strip().split("\n\n");
        assertEquals(4, events.length);
        assertEquals(
                withoutTimes(Examples.blocks(page, "text").getFirst()), withoutTimes(events[2]));
    }

    private static List<String> withoutTimes(String event) {
        return event.lines()
                .map(String::strip)
                .filter(line -> !line.startsWith("startTime") && !line.startsWith("eventThread"))
                .toList();
    }

    /// The sample as Flight sends it, with bodies in pieces of some size.
    private static long flight(int piece) {
        ByteBuffer stream = ByteBuffer.wrap(TradesSample.stream());
        FlightHeader client = new FlightHeader();
        for (OracleMessage each : OracleListing.list(TradesSample.stream()).messages()) {
            List<ByteBuffer> body = new ArrayList<>();
            for (long at = each.bodyOffset(); at < each.endOffset(); at += piece) {
                body.add(stream.slice((int) at, (int) Math.min(piece, each.endOffset() - at)));
            }
            client.received(stream.slice((int) each.metadataOffset(), each.metadataLength()), body);
        }
        return client.sum;
    }

    /// Does not wait longer for a client than a client may run.
    private static ServerSocket server() throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        server.setSoTimeout(60_000);
        return server;
    }

    @Test
    void aSocketIsDecodedByPush() throws Exception {
        byte[] stream = TradesSample.stream();
        try (ServerSocket server = server()) {
            Process client = start("PushDecoding", "127.0.0.1", "" + server.getLocalPort());
            try (Socket socket = server.accept();
                    OutputStream out = socket.getOutputStream()) {
                socket.setTcpNoDelay(true);
                for (int at = 0; at < stream.length; at += 999) { // less than a body
                    out.write(stream, at, Math.min(999, stream.length - at));
                    out.flush();
                }
            }
            String output = new String(client.getInputStream().readAllBytes(), UTF_8);
            assertEquals("" + Trades.read().sum(), output.strip());
            assertEquals(0, client.waitFor());
        }
    }

    /// Nested dictionaries, batches and values are compared by `ProjectionAgreesTest`.
    @Test
    void columnsAreForwardedToASocket() throws Exception {
        try (ServerSocket server = server()) {
            String port = "" + server.getLocalPort();
            Process client = start("ForwardColumns", sample(), "127.0.0.1", port);
            byte[] stream;
            try (Socket socket = server.accept()) {
                stream = socket.getInputStream().readAllBytes();
            }
            assertEquals(0, client.waitFor());
            var sent = ArrowVectorReading.read(stream);
            var all = ArrowVectorReading.read(TradesSample.file());
            assertEquals(
                    List.of(all.schema().findField("symbol"), all.schema().findField("price")),
                    sent.schema().getFields());
            assertEquals(all.batchRows(), sent.batchRows());
            for (int i = 0; i < sent.values().size(); i++) {
                List<String> rows = sent.values().get(i).lines().toList();
                List<String> wholeRows = all.values().get(i).lines().toList();
                for (int row = 0; row < rows.size(); row++) {
                    String[] cells = wholeRows.get(row).split("\t");
                    assertEquals(cells[1] + "\t" + cells[2] + "\t", rows.get(row));
                }
            }
        }
    }

    @Test
    void batchesAreNumberedInTheirMetadata() throws Exception {
        String numbered = folder.resolve("numbered.arrows").toString();
        printed("NumberBatches", sample(), numbered);
        byte[] stream = Files.readAllBytes(Path.of(numbered));
        var all = ArrowVectorReading.read(TradesSample.file());
        var copied = ArrowVectorReading.read(stream);
        assertEquals(all.schema(), copied.schema());
        assertEquals(all.values(), copied.values());
        List<String> pairs = new ArrayList<>();
        for (OracleMessage each : OracleListing.list(stream).messages()) {
            var message = each.message();
            for (int i = 0; i < message.customMetadataLength(); i++) {
                var pair = message.customMetadata(i);
                pairs.add(pair.key() + "=" + pair.value());
            }
        }
        int batches = all.batchRows().size() + all.dictionaryBlocks().size();
        assertEquals(IntStream.range(0, batches).mapToObj(i -> "sequence=" + i).toList(), pairs);
    }

    @Test
    void metadataOfAFileIsEdited() throws Exception {
        Path edited = folder.resolve("edited.arrow");
        printed("EditMetadata", sample(), edited.toString());
        var all = ArrowVectorReading.read(TradesSample.file());
        var copied = ArrowVectorReading.read(Files.readAllBytes(edited));
        assertTrue(!all.schema().getCustomMetadata().isEmpty());
        assertEquals(Map.of(), copied.schema().getCustomMetadata());
        assertEquals(
                all.schema().findField("symbol").getDictionary().getId() + 100,
                copied.schema().findField("symbol").getDictionary().getId());
        assertEquals(all.values(), copied.values());
    }

    @Test
    void aFileBecomesMessagesOfFlightAndAStreamAgain() throws Exception {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        FlightHeader client = new FlightHeader();
        try (ArrowFile file = ArrowFile.open(Path.of(sample()));
                MessageWriter out = MessageWriter.of(ArrowContainer.STREAM, stream)) {
            FlightMessages.send(
                    file,
                    (header, body) -> {
                        client.received(
                                header.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN),
                                List.of(body.asByteBuffer()));
                        try {
                            FlightMessages.receive(header, body, out);
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
            out.finish();
        }
        assertEquals(Trades.read().sum(), client.sum);
        var all = ArrowVectorReading.read(TradesSample.file());
        var copied = ArrowVectorReading.read(stream.toByteArray());
        assertEquals(all.schema(), copied.schema());
        assertEquals(all.values(), copied.values());
    }

    @Test
    void headersOfALinkAreRead() throws Exception {
        try (RangeServer server = new RangeServer(Path.of(sample()).getParent())) {
            assertEquals(
                    List.of("250 rows", "400 rows", "150 rows"),
                    printed("RemoteHeaders", server.link("trades.arrow")).lines().toList());
            assertEquals(
                    "" + Trades.read().sum(),
                    printed("RemoteColumn", server.link("trades.arrow"), "size"));
        }
    }

    @Test
    void manyFilesAreScanned() throws Exception {
        byte[] file = TradesSample.file();
        for (int i = 0; i < 20; i++) {
            Files.write(folder.resolve("part" + i + ".arrow"), file);
        }
        Files.write(folder.resolve("x.arrow"), Arrays.copyOf(file, 20_000));
        List<String> lines = printed("ManyFiles", folder.toString()).lines().toList();
        assertEquals("21 files, 16250 rows, 1 schemas", lines.getFirst());
        assertEquals(2, lines.size());
        assertTrue(lines.get(1).startsWith(folder.resolve("x.arrow") + ": "), lines.get(1));
    }

    @Test
    void theParquetKeyIsReadBack() throws Exception {
        ArrowSchema schema =
                ArrowSchema.of(ArrowField.of("id", new ArrowType.Int(32, true)))
                        .withMetadata(Metadata.of("pandas", "{}"));
        Map<String, String> made =
                ParquetKey.annotated(Map.of(ArrowSchema.PARQUET_KEY, schema.toParquet()));
        assertEquals(
                schema.withMetadata(Metadata.of("pandas", "{}", "checked", "yes")),
                ArrowSchema.ofParquet(made.get(ArrowSchema.PARQUET_KEY)));
    }

    @Test
    void writtenFileIsListedAsThePageSays() throws Exception {
        String file = folder.resolve("names.arrow").toString();
        printed("WriteFile", file);
        assertEquals(
                Examples.blocks("docs/how-to/write.md", "text").getFirst(),
                ReadmeTest.fletch("ls", file));
        ReadmeTest.fletch("verify", "--strict", file);
        assertEquals(
                Collections.nCopies(3, "7\tone\t\n8\tnull\t\n9\tthree\t\n"),
                ArrowVectorReading.read(Files.readAllBytes(Path.of(file))).values());
    }

    // ---- programs over a message without its frame

    private Path message(int number) throws IOException {
        OracleMessage message = OracleListing.list(TradesSample.stream()).messages().get(number);
        return Files.write(folder.resolve("message"), message.metadataBytes());
    }

    @Test
    void headerIsPatched() throws Exception {
        Path message = message(2);
        assertEquals("valid", printed("VerifyAndReport", message.toString()));
        long nulls = Trades.read().firstNulls();
        assertEquals(
                "was " + nulls + " of 250", printed("PatchHeader", message.toString(), "0", "7"));
        assertEquals("was 7 of 250", printed("PatchHeader", message.toString(), "0", "0"));
        assertEquals("valid", printed("VerifyAndReport", message.toString()));
    }

    /// The schema, with the end of one name and the length of another damaged.
    @Test
    void faultsAreReported() throws Exception {
        Path path = message(0);
        byte[] message = Files.readAllBytes(path);
        String bytes = new String(message, ISO_8859_1);
        message[bytes.indexOf("symbol") + 6] = '!';
        Arrays.fill(message, bytes.indexOf("tags") - 4, bytes.indexOf("tags") - 2, (byte) 0xff);
        Files.write(path, message);
        assertEquals(
                Examples.blocks("docs/how-to/verify.md", "text").getFirst().strip(),
                printed("VerifyAndReport", path.toString()));
    }
}
