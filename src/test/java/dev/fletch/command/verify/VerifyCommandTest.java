// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.MeaningRule;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What `fletch verify` prints and ends with.
class VerifyCommandTest {
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

    /// The message's index is the one that `ls` shows, whatever the footer's order. Neither counts a
    /// schema message that is damaged.
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
            boolean isSchema = message.get("kind").equals("Schema");
            long index = isSchema ? Fault.NO_MESSAGE : (long) message.get("index");
            assertEquals(index, found.message());
            assertEquals(metadata, found.position());
        }
    }

    /// A file without footer may have dictionaries behind their batches.
    @Test
    void anUndefinedDictionaryIsNamedBehindAsManyUsesOfALaterOneAsAreShown() {
        byte[] stream =
                CaseFile.input(
                        "let i8 = Int(bitWidth=8 is_signed=1)\n"
                                + "stream <a:i8{dictionary=DictionaryEncoding(id=0)}"
                                + " b:i8{dictionary=DictionaryEncoding(id=1)}>"
                                + " | batch 1 [1 1/1] [- i32(0) i8(0) i32(0)]"
                                + " | batch 1 [1 1] [- i32(0) - i32(0)]"
                                + " | dictionary 0 1 [1] [- i8(65)]");
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes("ARROW1\0\0".getBytes(StandardCharsets.US_ASCII));
        List<OracleMessage> messages = OracleListing.list(stream).messages();
        for (OracleMessage each : messages) {
            int times = each == messages.get(1) ? CheckReport.MAX_FAULTS + 1 : 1;
            int length = (int) (each.endOffset() - each.offset());
            for (int i = 0; i < times; i++) {
                file.write(stream, (int) each.offset(), length);
            }
        }
        List<Fault> undefined =
                Verified.of(file.toByteArray(), Checks.DEFAULT).findings().stream()
                        .filter(each -> each.rule() == MeaningRule.DICTIONARY_UNDEFINED)
                        .toList();
        assertEquals(List.of(1L), undefined.stream().map(Fault::value).toList());
    }
}
