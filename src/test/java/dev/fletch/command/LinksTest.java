// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;
import dev.fletch.ipc.Frames.BlockNumbers;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FletchProcess;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Processes;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.RangeServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The commands with links in place of files. That they print the same is in `DamageConsumersTest`.
@Timeout(120)
class LinksTest {
    private static final Path SAMPLE = Path.of("src/test/resources/samples/trades.arrow");
    private static final String QUERY = "?X-Signature=0123456789secret&x=%2F#part";
    private static final long BODY_BYTES = 512L << 20;

    @TempDir Path folder;
    private RangeServer server;

    @BeforeEach
    void serve() throws IOException {
        server = new RangeServer(folder);
        Files.copy(SAMPLE, folder.resolve("trades.arrow"));
        Files.copy(SAMPLE.resolveSibling("trades.stream"), folder.resolve("trades.arrows"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Run run(String command, String... names) {
        List<String> call = new ArrayList<>(List.of(command.split(" ")));
        call.addAll(List.of(names));
        return Cli.run(call.toArray(String[]::new));
    }

    private static void assertNoSecret(Run run) {
        String all = run.out() + run.err();
        assertFalse(all.contains("secret") || all.contains("Signature"), all);
    }

    /// Each header may cost a request, so only the schema of a link is read; `count` reads them
    /// all.
    @Test
    void schemaOfALinkIsReadWithoutTheRest() throws IOException {
        byte[] stream = Files.readAllBytes(folder.resolve("trades.arrows"));
        byte[] cut = Arrays.copyOf(stream, stream.length - 5_000);
        Files.write(folder.resolve("small.arrows"), cut);
        assertEquals(1, run("schema", server.link("small.arrows")).status()); // read at once
        OracleMessage batch = OracleListing.list(stream).recordBatches().getFirst();
        byte[] again = Arrays.copyOfRange(stream, (int) batch.offset(), (int) batch.endOffset());
        byte[] head = Arrays.copyOf(stream, (int) batch.endOffset());
        byte[] tail = Arrays.copyOfRange(cut, head.length, cut.length);
        Files.write(
                folder.resolve("cut.arrows"),
                Frames.join(head, again, again, again, again, again, again, tail));
        String link = server.link("cut.arrows");
        assertEquals(1, run("schema", folder.resolve("cut.arrows").toString()).status());
        for (String command : List.of("schema", "schema --json", "ext", "json")) {
            assertEquals(0, run(command, link).status(), command);
        }
        assertEquals(1, run("count", link).status());
    }

    @Test
    void manyLinksAreShownInOrder() {
        List<String> links = new ArrayList<>();
        List<String> files = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String name = i % 7 == 3 ? "missing" : i % 2 == 0 ? "trades.arrow" : "trades.arrows";
            links.add(server.link(name) + QUERY);
            files.add(folder.resolve(name).toString());
        }
        Run remote = run("count", links.toArray(String[]::new));
        Run local = run("count", files.toArray(String[]::new));
        String prefix = server.link("");
        assertEquals(local.out().replace(folder + "/", ""), remote.out().replace(prefix, ""));
        assertEquals(2, remote.status());
        assertEquals(local.err().lines().count(), remote.err().lines().count());
        assertNoSecret(remote);
    }

    /// 0.0.0.0 is not among the names of this machine, but leads to it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "count LINK",
                "verify --json LINK",
                "count FILE LINK",
                "convert --json LINK OUT",
                "convert --schema LINK FILE OUT",
                "diff --json LINK FILE",
                "json --to-arrow LINK OUT"
            })
    void httpToAnotherMachineMustBeAllowed(String call) throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "0.0.0.0 is a host on Linux");
        Path file = folder.resolve("trades.arrow");
        Files.writeString(folder.resolve("s.json"), Cli.run("json", file.toString()).out());
        String name = call.contains("--to-arrow") ? "s.json" : "trades.arrow";
        String link = server.link(name).replaceFirst("//[^:]*", "//0.0.0.0") + QUERY;
        List<String> arguments = new ArrayList<>(List.of(call.split(" ")));
        arguments.replaceAll(
                each ->
                        switch (each) {
                            case "LINK" -> link;
                            case "FILE" -> file.toString();
                            case "OUT" -> folder.resolve("out.arrow").toString();
                            default -> each;
                        });
        Run refused = Cli.run(arguments.toArray(String[]::new));
        assertEquals(2, refused.status(), refused.err());
        String reason = "link must be https, http is only for localhost: ";
        assertTrue(refused.err().contains(reason), refused.err());
        assertTrue(refused.err().contains("; --allow-http permits it"), refused.err());
        assertEquals(
                call.contains("--json"), refused.out().contains("--allow-http permits it"), call);
        assertNoSecret(refused);
        assertTrue(server.requests.isEmpty());
        arguments.add(1, "--allow-http");
        Run allowed = Cli.run(arguments.toArray(String[]::new));
        assertEquals(0, allowed.status(), allowed.err());
        assertNoSecret(allowed);
        assertFalse(server.requests.isEmpty());
    }

    @Test
    void environmentAllowsHttp() throws Exception {
        assertEnvironmentAllows("TRUE", 0);
        assertEnvironmentAllows("False", 2);
        List<String> others = List.of("yes", "1", "", "0", "no");
        for (String value : others.subList(0, CaseCount.of(0, others.size()))) {
            assertEnvironmentAllows(value, others.indexOf(value) < 2 ? 0 : 2);
        }
    }

    private void assertEnvironmentAllows(String value, int status) throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "0.0.0.0 is a host on Linux");
        List<String> call = FletchProcess.command();
        call.addAll(List.of("count", server.link("trades.arrow").replace("127.0.0.1", "0.0.0.0")));
        ProcessBuilder builder = new ProcessBuilder(call);
        builder.environment().put("FLETCH_ALLOW_HTTP", value);
        Processes.Ended ended = Processes.run(builder);
        assertEquals(status, ended.status(), ended.printed());
    }

    /// Other errors are in `golden/commands/links.txt`.
    @Test
    void errorOfALinkWithAPasswordOmitsIt() {
        Run run = run("ls", "https://user:secret@example.org/a" + QUERY);
        assertEquals(2, run.status(), run.err());
        assertNoSecret(run);
    }

    /// Sizes in bodies are checked if that is asked for; else it is said that they are not.
    @Test
    void bodiesOfALinkAreVerifiedOnlyIfAsked() throws IOException {
        String name = "js-lz4.arrows";
        Files.copy(Producers.folder().resolve(name), folder.resolve(name));
        Run local = run("verify --strict", folder.resolve(name).toString());
        assertEquals(1, local.status());
        Run all = run("verify --strict --read-bodies", server.link(name));
        assertEquals(
                local.out().replace(folder.resolve(name).toString(), ""),
                all.out().replace(server.link(name), ""));
        Run headers = run("verify --strict", server.link(name));
        assertEquals(0, headers.status());
        assertTrue(headers.out().contains("--read-bodies"), headers.out());
        Run json = run("verify --strict --json", server.link(name));
        assertTrue(json.out().contains("\"sizesInBodiesChecked\":false"), json.out());
    }

    // ---- how much is requested

    /// A file whose batches have great bodies, of which nothing is on the disk.
    private void sparse(String name, int batches, long bodyBytes) throws IOException {
        List<BlockNumbers> blocks = new ArrayList<>();
        byte[] header = Frames.recordBatch(7, bodyBytes);
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
            file.write(Frames.join(Frames.MAGIC, new byte[2], Frames.emptySchema()));
            for (int i = 0; i < batches; i++) {
                blocks.add(new BlockNumbers(file.getFilePointer(), header.length, bodyBytes));
                file.write(header);
                file.seek(file.getFilePointer() + bodyBytes);
            }
            byte[] footer = Frames.footer(List.of(), blocks);
            byte[] length = Frames.words(footer.length);
            file.write(Frames.join(Frames.END, footer, length, Frames.MAGIC));
        }
    }

    /// Found before the object is requested: only its end, which tells its size, was read.
    @ParameterizedTest
    @ValueSource(strings = {"convert --salvage", "convert", "verify --values"})
    void objectThatDoesNotFitTheDiskIsRefusedAtOnce(String command) throws IOException {
        long free =
                Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir"))).getUsableSpace();
        long size = Math.max(1L << 40, 2 * free);
        Path file = Files.copy(SAMPLE, folder.resolve("huge.arrow"));
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(size);
        } catch (IOException e) {
            assumeTrue(false, "no sparse file of this size here: " + e.getMessage());
        }
        String link = server.link("huge.arrow");
        String out = command.startsWith("convert") ? " " + folder.resolve("out.arrow") : "";
        Run run = Cli.run((command + " " + link + QUERY + out).split(" "));
        assertEquals(2, run.status(), run.err());
        String start =
                "fletch: "
                        + link
                        + ": bytes 0 to "
                        + (size - 1)
                        + ": object does not fit the temporary folder: size="
                        + size
                        + ", free=";
        assertTrue(run.err().startsWith(start), run.err());
        assertEquals(1, run.err().split(link, -1).length - 1, run.err());
        assertEquals(1, server.requests.size(), server.requests.toString());
    }

    /// One request for the end, which has the footer, and one per group of neighbouring headers:
    /// the schema with the first batch, and each other batch.
    @Test
    void headersOfALargeFileNeedARequestEach() throws IOException {
        int batches = 20;
        sparse("great.arrow", batches, BODY_BYTES);
        assertTrue(Files.size(folder.resolve("great.arrow")) > 10L << 30);
        Run run = run("ls --json", server.link("great.arrow"));
        assertEquals(0, run.status(), run.err());
        assertEquals(batches, run.out().split("RecordBatch", -1).length - 1);
        assertTrue(server.requests.size() <= 2 + batches, server.requests.toString());
        System.out.printf("ls of 10 GB: %d requests%n", server.requests.size());
    }

    @Test
    void neighbouringHeadersAreOneRequest() throws IOException {
        sparse("close.arrow", 1_000, 4 << 10);
        Run run = run("count", server.link("close.arrow"));
        assertEquals(0, run.status(), run.err());
        assertTrue(run.out().contains("7000     1000"), run.out());
        assertTrue(server.requests.size() <= 3, server.requests.toString());
    }

    @Test
    void schemaNeedsTheFooterAlone() throws IOException {
        sparse("great.arrow", 20, BODY_BYTES);
        assertEquals(0, run("schema", server.link("great.arrow")).status());
        assertTrue(server.requests.size() <= 2, server.requests.toString());
    }

    /// A stream has no footer: a request per message.
    @Test
    void headersOfALargeStreamNeedARequestEach() throws IOException {
        Path path = folder.resolve("great.arrows");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.write(Frames.emptySchema());
            for (int i = 0; i < 20; i++) {
                file.write(Frames.recordBatch(3, BODY_BYTES));
                file.seek(file.getFilePointer() + BODY_BYTES);
            }
            file.write(Frames.END);
        }
        Run run = run("count", server.link("great.arrows"));
        assertEquals(0, run.status(), run.err());
        assertTrue(run.out().contains("60       20"), run.out());
        assertTrue(server.requests.size() <= 24, server.requests.toString());
        // Cut off in a body: what is complete counts, and the rest of the body is not read.
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(file.length() - BODY_BYTES / 2);
        }
        server.requests.clear();
        Run cut = run("count", server.link("great.arrows"));
        assertEquals(1, cut.status());
        assertTrue(cut.out().contains("57       19"), cut.out());
        assertTrue(cut.err().contains("the 20th (3 rows) is incomplete"), cut.err());
        assertTrue(server.requests.size() <= 24, server.requests.toString());
    }
}
