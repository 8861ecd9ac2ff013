// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.ipc.Frames;
import dev.fletch.ipc.Frames.BlockNumbers;
import dev.fletch.remote.RangeSource;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.RangeServer;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class FileScanTest {
    private static final Path SAMPLE = Path.of("src/test/resources/samples/trades.arrow");

    @TempDir Path folder;

    private final FileScan scan = new FileScan();

    private static List<Path> inputs() {
        List<Path> all = new ArrayList<>(Goldens.present() ? Goldens.all() : List.of());
        all.removeIf(each -> each.toString().endsWith("gz"));
        all.add(SAMPLE);
        all.add(SAMPLE.resolveSibling("trades.stream"));
        return all;
    }

    /// The same numbers as the commands print.
    @Test
    void summariesAgreeWithTheCommands() {
        for (Path path : inputs()) {
            String name = path.toString();
            FileSummary found = scan.of(name);
            assertNull(found.fault(), name);
            Map<String, Object> columns = json("columns", name);
            assertEquals(columns.get("container"), found.container());
            assertEquals(columns.get("rows"), found.rows());
            assertEquals(columns.get("batches"), found.batches());
            assertEquals(columns.get("dictionaryBatches"), found.dictionaryBatches());
            assertEquals(columns.get("size"), found.size());
            List<Object> each = JsonTree.array(columns.get("columns"));
            assertEquals(each.size(), found.columns().size());
            for (int i = 0; i < each.size(); i++) {
                Map<String, Object> one = JsonTree.object(each.get(i));
                ColumnSummary column = found.columns().get(i);
                assertEquals(one.get("name"), column.name());
                assertEquals(one.get("type"), column.type());
                assertEquals(one.get("nulls"), number(column.nulls()));
                assertEquals(one.get("bytes"), column.bytes());
                assertEquals(one.get("uncompressedBytes"), number(column.uncompressedBytes()));
            }
        }
    }

    private static Object number(long number) {
        return number == ColumnSummary.UNKNOWN ? null : number;
    }

    private static Map<String, Object> json(String command, String name) {
        return JsonTree.object(JsonTree.parse(Cli.run(command, "--json", name).out()));
    }

    /// As Parquet keeps a schema: `fletch diff` reads it.
    @Test
    void schemaIsThatOfTheFile() throws IOException {
        for (Path path : inputs()) {
            FileSummary found = scan.of(path.toString());
            Path text = Files.writeString(folder.resolve("schema"), found.schema());
            Cli.Run diff = Cli.run("diff", path.toString(), text.toString());
            assertEquals(0, diff.status(), path + diff.out() + diff.err());
            assertEquals(found.schemaDigest(), scan.of(text.toString()).schemaDigest());
        }
    }

    @Test
    void rangeSourceGivesTheSameSummaryAsThePath() throws IOException {
        FileSummary named = scan.of(SAMPLE.toString());
        assertEquals(named, scan.of(RangeSource.open(SAMPLE)));
    }

    /// A footer above the limit is not read.
    @Test
    void linkIsReadWithinTheLimitsOfTheScan() throws IOException {
        List<BlockNumbers> blocks = Collections.nCopies(5_000, new BlockNumbers(8, 8, 0));
        byte[] footer = Frames.footer(List.of(), blocks);
        Files.write(folder.resolve("long.arrow"), Frames.file(new byte[17 << 20], footer));
        FileScan limited = new FileScan(Limits.DEFAULT.withMetadataBytes(footer.length - 1));
        try (RangeServer server = new RangeServer(folder)) {
            String link = server.link("long.arrow");
            FileSummary expected = limited.of(RangeSource.http(link));
            List<String> requests = List.copyOf(server.requests);
            server.requests.clear();
            assertEquals(expected, limited.of(link));
            assertEquals(requests, server.requests);
        }
    }

    @Test
    void truncatedFileIsSummarizedUpToItsDamage() throws IOException {
        byte[] all = Files.readAllBytes(SAMPLE);
        Path cut = folder.resolve("cut.arrow");
        Files.write(cut, Arrays.copyOf(all, all.length / 2));
        FileSummary found = scan.of(cut.toString());
        assertEquals(250, found.rows());
        assertEquals(1, found.batches());
        assertNotNull(found.fault().code());
        String place = "offset " + found.fault().offset() + ": ";
        assertEquals(place + found.fault().text(), found.fault().toString());
        assertEquals(400, found.incompleteRows());
        assertEquals(7, found.columns().size());
        assertNotNull(found.schema());
    }

    /// A file of more than 64 KiB is mapped, and unmapped before its summary is made.
    @Test
    void mappedFileWithoutFooterIsSummarized() throws IOException {
        byte[] all = Files.readAllBytes(SAMPLE);
        Path cut = folder.resolve("cut.arrow");
        Files.write(cut, Arrays.copyOf(Arrays.copyOf(all, all.length / 2), 1 << 17));
        FileSummary found = scan.of(cut.toString());
        assertEquals(-1, found.expectedBatches());
        assertNotNull(found.fault());
    }

    @Test
    void batchesWithoutSchemaAreTheFaultOfVerify() throws IOException {
        String in = "src/test/resources/corpus/file/no-leading-schema.arrows";
        assertEquals("no-leading-schema", scan.of(in).fault().code());
        byte[] batch = OracleListing.list(TradesSample.stream()).flatbuffers().getLast().bytes();
        Path bare = Files.write(folder.resolve("batch"), batch);
        assertEquals("no-leading-schema", scan.of(bare.toString()).fault().code());
    }

    /// A schema, and complete batches of another one.
    @Test
    void batchesOfAnotherSchemaDoNotCount() throws IOException {
        byte[] schema = Files.readAllBytes(SAMPLE.resolveSibling("extensions.arrows"));
        byte[] batches = Files.readAllBytes(SAMPLE.resolveSibling("trades.stream"));
        byte[] both =
                Frames.join(
                        OracleListing.only(schema, OracleMessage::isSchema),
                        OracleListing.only(batches, each -> !each.isSchema()));
        Path mixed = Files.write(folder.resolve("mixed.arrows"), both);
        FileSummary found = scan.of(mixed.toString());
        FileFault fault = found.fault();
        assertNotNull(fault.code());
        assertTrue(fault.message() > 0, fault.toString());
        String place = "message " + fault.message() + ": offset " + fault.offset() + ": ";
        assertEquals(place + fault.text(), fault.toString());
        assertEquals(0, found.rows());
        assertEquals(0, found.batches());
        assertEquals(0, found.dictionaryBatches());
        Map<String, Object> columns = json("columns", mixed.toString());
        assertEquals(columns.get("rows"), found.rows());
        assertEquals(columns.get("batches"), found.batches());
    }

    /// Whether bytes are a stream does not depend on the limits, which may refuse it.
    @Test
    void streamBehindOtherBytesIsNamedWhateverTheLimitsOfTheScan() throws IOException {
        byte[] stream = TradesSample.stream();
        ByteBuffer bytes = ByteBuffer.allocate(3 + stream.length).put(3, stream).put(0, (byte) 1);
        Path file = Files.write(folder.resolve("behind.arrows"), bytes.array());
        for (Limits each : List.of(Limits.DEFAULT, Limits.DEFAULT.withMetadataBytes(8))) {
            String text = new FileScan(each).of("" + file).fault().text();
            assertTrue(text.contains("streamOffset=3"), text);
        }
    }

    @Test
    void fileThatCannotBeReadHasAFault() throws IOException {
        FileSummary missing = scan.of(folder.resolve("missing").toString());
        assertEquals("no such file", missing.fault().toString());
        assertNull(missing.fault().code());
        assertNull(scan.of(folder.toString()).fault().code());
        assertNull(scan.of("a\0b").fault().code());
        String undecodable = scan.of("\uFFFD.arrow").fault().text();
        assertTrue(undecodable.contains("name has bytes that are not characters"), undecodable);
        FileSummary link = scan.of("http://example.org/a?sig=secret");
        assertEquals("http://example.org/a", link.name());
        assertTrue(link.fault().text().contains("http"), link.toString());
        assertTrue(!link.toString().contains("secret"), link.toString());
        Path text = Files.writeString(folder.resolve("text"), "no Arrow file");
        assertNotNull(scan.of(text.toString()).fault().code());
    }

    @Test
    void summariesCanBeSerialized() throws IOException, ClassNotFoundException {
        Path cut = folder.resolve("cut.arrow");
        Files.write(cut, Arrays.copyOf(Files.readAllBytes(SAMPLE), 20_000));
        for (Path path : List.of(SAMPLE, cut)) {
            FileSummary summary = scan.of(path.toString());
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(summary);
            }
            try (ObjectInputStream in =
                    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                assertEquals(summary, in.readObject());
            }
        }
    }

    @Test
    void threadsShareAScan() {
        List<Path> inputs = inputs();
        List<FileSummary> alone = inputs.stream().map(each -> scan.of(each.toString())).toList();
        List<FileSummary> together =
                IntStream.range(0, CaseCount.of(5, 20) * inputs.size())
                        .parallel()
                        .mapToObj(i -> scan.of(inputs.get(i % inputs.size()).toString()))
                        .toList();
        for (int i = 0; i < together.size(); i++) {
            assertEquals(alone.get(i % alone.size()), together.get(i));
        }
    }
}
