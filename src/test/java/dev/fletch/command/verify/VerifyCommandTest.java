// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.ids.Endianness;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ForeignBodies;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What `fletch verify` prints and ends with.
class VerifyCommandTest {
    @TempDir Path folder;

    // ---- what is fine

    @Test
    void allGoldensInOneCallAreValid() {
        List<Path> goldens = Goldens.all();
        for (String option : new String[] {"--", "--strict"}) {
            List<String> args = new ArrayList<>(List.of("verify", option));
            goldens.forEach(golden -> args.add(golden.toString()));
            Run run = Cli.run(args.toArray(String[]::new));
            assertEquals("", run.err());
            assertEquals(0, run.status(), run.out());
            assertEquals(goldens.stream().map(VerifyCommandTest::ok).toList(), run.lines());
        }
        System.out.printf("verify: %d goldens, and as many strictly%n", goldens.size());
    }

    private static String ok(Path golden) {
        return golden + ": " + ok(Goldens.read(golden));
    }

    private static String ok(byte[] bytes) {
        OracleFile oracle = OracleListing.list(bytes);
        return "ok: %s, messages=%d, dictionaryBatches=%d, recordBatches=%d"
                .formatted(
                        oracle.container().title(),
                        oracle.messages().size(),
                        oracle.dictionaryBatches().size(),
                        oracle.recordBatches().size());
    }

    @Test
    void filesOfArrowVectorAreValid() {
        int inputs = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            assertEquals(
                    List.of(),
                    Verified.of(each.stream(), Checks.STRICT).findings(),
                    each::toString);
            inputs++;
            if (each.hasFile()) {
                // arrow-java writes custom metadata only into the footer.
                boolean hasNote = each.writing().footerMetadata() != null;
                assertEquals(
                        hasNote ? List.of("metadata-in-footer") : List.of(),
                        Verified.of(each.file(), Checks.STRICT).findings().stream()
                                .map(found -> found.rule().id())
                                .toList(),
                        each::toString);
                inputs++;
            }
        }
        System.out.printf("verify --strict: %d inputs of arrow-vector%n", inputs);
        assertTrue(inputs > 100, "inputs=" + inputs);
    }

    @Test
    void bigEndianFilesAreFine() {
        for (byte[] sample : new byte[][] {TradesSample.file(), TradesSample.stream()}) {
            byte[] big = ForeignBodies.of(sample, Endianness.BIG);
            assertEquals(
                    new Run(0, "standard input: " + ok(big) + ", endianness=Big\n", ""),
                    Verified.run(big));
        }
    }

    // ---- forms

    private Path damaged() throws IOException {
        byte[] file = TradesSample.file();
        String text = new String(file, StandardCharsets.ISO_8859_1);
        file[text.lastIndexOf("venue\0") + 5] = 'x';
        file[6] = 1;
        return Files.write(folder.resolve("damaged"), file);
    }

    private static int offset() {
        byte[] file = TradesSample.file();
        return new String(file, StandardCharsets.ISO_8859_1).lastIndexOf("venue\0") + 5;
    }

    @Test
    void faultsArePrintedAsText() throws IOException {
        Path path = damaged();
        String good = TradesSample.path("trades.arrow").toString();
        assertEquals(
                new Run(
                        1,
                        """
                        %1$s: deviation: file: magic-padding: offset=6: padding after the leading \
                        magic is not zero: value=1
                        %1$s: footer: structure: string-unterminated: offset=%2$d, \
                        path=schema.fields[5].name: no NUL follows the string: value=120
                        %1$s: 3 record batches complete, 800 rows
                        %3$s: ok: file, messages=5, dictionaryBatches=1, recordBatches=3
                        """
                                .formatted(path, offset(), good),
                        ""),
                Cli.run("verify", path.toString(), good));
    }

    @Test
    void faultsArePrintedAsJson() throws IOException {
        Path path = damaged();
        String good = TradesSample.path("trades.stream").toString();
        assertEquals(
                new Run(
                        1,
                        """
                        {"file":"%1$s","container":"file","messages":5,"dictionaryBatches":1,\
                        "recordBatches":3,"completeBatches":3,"completeRows":800,\
                        "endianness":"Little","ok":false,"faults":[\
                        {"level":"file","severity":"deviation","code":"magic-padding",\
                        "message":null,"path":null,"offset":6,"text":"padding after the leading magic is not zero: value=1"},\
                        {"level":"structure","severity":"error","code":"string-unterminated",\
                        "message":null,"path":"schema.fields[5].name","offset":%2$d,\
                        "text":"no NUL follows the string: value=120"}]}
                        {"file":"%3$s","container":"stream","messages":5,"dictionaryBatches":1,\
                        "recordBatches":3,"endianness":"Little","ok":true,"faults":[]}
                        """
                                .formatted(path, offset(), good),
                        ""),
                Cli.run("verify", "--json", path.toString(), good));
    }

    /// Neither option changes what is printed.
    @Test
    void failOnAndAllowDecideTheStatus() {
        byte[] file = TradesSample.file();
        file[6] = 1;
        Run run = Verified.run(file);
        assertEquals(0, run.status(), run.out());
        assertEquals(
                """
                standard input: deviation: file: magic-padding: offset=6: padding after the \
                leading magic is not zero: value=1
                standard input: ok: file, messages=5, dictionaryBatches=1, recordBatches=3, \
                deviations=1
                """,
                run.out());
        for (String severity : List.of("deviation", "note")) {
            assertEquals(new Run(1, run.out(), ""), Verified.run(file, "--fail-on", severity));
        }
        assertEquals(run, Verified.run(file, "--fail-on", "note", "--allow", "magic-padding"));
        assertEquals(
                new Run(1, run.out(), ""),
                Verified.run(file, "--fail-on=note", "--allow=bytes-behind-end,no-end-of-stream"));
        byte[] bad = TradesSample.file();
        bad[0] = 'a';
        assertEquals(1, Verified.run(bad).status());
        Run allowed = Verified.run(bad, "--allow", "no-leading-magic");
        assertEquals(0, allowed.status());
        assertEquals(Verified.run(bad).out(), allowed.out());
    }

    @Test
    void onlyCodesThatExistCanBeAllowed() {
        Run run = Verified.run(TradesSample.file(), "--allow", "magic-paddin");
        assertEquals(2, run.status());
        assertTrue(
                run.err().contains("'--allow' (CODE): unknown rule code: magic-paddin\n"),
                run.err());
    }

    /// The message's index is the one that `ls` shows, whatever the footer's order.
    @Test
    void messageIndexIsThatOfLs() {
        byte[] file = TradesSample.file();
        Footer footer = ArrowFile.of(MemorySegment.ofArray(file)).footer();
        Block first = footer.recordBatches(0, new Block());
        Block last = footer.recordBatches(2, new Block());
        long offset = first.offset();
        int metaDataLength = first.metaDataLength();
        long bodyLength = first.bodyLength();
        first.set(last.offset(), last.metaDataLength(), last.bodyLength());
        last.set(offset, metaDataLength, bodyLength);
        assertEquals(List.of("file block-order recordBatches[1]"), Verified.of(file).brief());
        Object listing = Cli.runWithInput(file, "ls", "--json", "-").json().getFirst();
        List<Object> messages = JsonTree.array(JsonTree.object(listing).get("messages"));
        assertEquals(5, messages.size());
        for (Object each : messages) {
            Map<String, Object> message = JsonTree.object(each);
            byte[] damaged = file.clone();
            int metadata = (int) (long) message.get("offset") + 8;
            damaged[metadata + 3] = 0x70;
            Fault found =
                    Verified.of(damaged).findings().stream()
                            .filter(of -> of.rule() != FileRule.BLOCK_ORDER)
                            .findFirst()
                            .orElseThrow();
            assertEquals((long) message.get("index"), found.message());
            assertEquals(metadata, found.position());
        }
    }

    @Test
    void lineFeedInAColumnNameIsEscaped() {
        byte[] file = TradesSample.file();
        String text = new String(file, StandardCharsets.ISO_8859_1);
        file[text.lastIndexOf("venue\0") + 1] = '\n';
        Run run = Verified.run(file);
        assertEquals(2, run.lines().size(), run.out());
        assertTrue(run.out().contains("name \"v\\nnue\" → venue"), run.out());
        assertEquals(1, Verified.run(file, "--json").json().size());
    }

    // ---- what is no Arrow data, or not there

    @Test
    void inputThatIsNotArrowIsAnError() {
        assertEquals(
                new Run(
                        1,
                        "standard input: file: empty-input: offset=0: input is empty: bytes=0\n",
                        ""),
                Verified.run(new byte[0]));
        assertEquals(
                new Run(
                        1,
                        """
                        {"file":"-","container":null,"messages":0,"dictionaryBatches":0,\
                        "recordBatches":0,"endianness":"Little","ok":false,\
                        "faults":[{"level":"file","severity":"error",\
                        "code":"empty-input","message":null,"path":null,"offset":0,\
                        "text":"input is empty: bytes=0"}]}
                        """,
                        ""),
                Verified.run(new byte[0], "--json"));
    }
}
