// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.corpus.Corpus;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What `fletch count` adds up.
class CountCommandTest {
    private static final long MAX = Long.MAX_VALUE;

    @TempDir Path folder;

    @Test
    void rowsOfAllGoldensAreCountedInOneCall() {
        List<Path> goldens = Goldens.all();
        List<String> args = new ArrayList<>(List.of("count"));
        goldens.forEach(golden -> args.add(golden.toString()));
        long rows = 0;
        int batches = 0;
        List<Object> objects = new ArrayList<>();
        List<String> lines = new ArrayList<>(List.of("rows batches file"));
        for (Path golden : goldens) {
            OracleFile oracle = OracleListing.list(Goldens.read(golden));
            long count = oracle.recordBatches().size();
            lines.add(oracle.rows() + " " + count + " " + golden);
            objects.add(
                    Map.of(
                            "file",
                            golden.toString(),
                            "container",
                            oracle.container().title(),
                            "batches",
                            count,
                            "rows",
                            oracle.rows()));
            rows += oracle.rows();
            batches += (int) count;
        }
        lines.add(rows + " " + batches + " total");

        Run run = Cli.run(args.toArray(String[]::new));
        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertEquals(
                lines, run.lines().stream().map(l -> l.strip().replaceAll(" +", " ")).toList());

        args.add("--json");
        assertEquals(objects, Cli.run(args.toArray(String[]::new)).json());
        System.out.printf("count: %d goldens, %d rows%n", goldens.size(), rows);
    }

    @Test
    void rowsOfTheSampleArePrinted() {
        String file = TradesSample.path("trades.arrow").toString();
        String stream = TradesSample.path("trades.stream").toString();
        assertEquals(
                """
                           rows  batches  file
                            800        3  %s
                """
                        .formatted(file),
                Cli.run("count", file).out());
        assertEquals(
                """
                           rows  batches  file
                            800        3  %s
                            800        3  %s
                           1600        6  total
                """
                        .formatted(file, stream),
                Cli.run("count", file, stream).out());
        assertEquals(
                """
                {"file":"%s","container":"stream","batches":3,"rows":800}
                """
                        .formatted(stream),
                Cli.run("count", "--json", stream).out());
    }

    @Test
    void dictionariesHaveNoRows() throws IOException {
        Path stream = Corpus.FOLDER.resolve("meaning/delta-first.sound.arrows");
        List<OracleMessage> all = OracleListing.list(Files.readAllBytes(stream)).messages();
        List<OracleMessage> batches = all.stream().filter(OracleMessage::isRecordBatch).toList();
        assertTrue(all.stream().anyMatch(OracleMessage::delta));
        long rows = batches.stream().mapToLong(OracleMessage::rows).sum();
        assertEquals(
                "{\"file\":\"%s\",\"container\":\"stream\",\"batches\":%d,\"rows\":%d}\n"
                        .formatted(stream, batches.size(), rows),
                Cli.run("count", "--json", stream.toString()).out());
    }

    @Test
    void largestSumIsPrinted() {
        byte[] stream =
                Frames.join(
                        Frames.emptySchema(),
                        Frames.recordBatch(MAX - 1, 0),
                        Frames.recordBatch(1, 0));
        Run run = Cli.runWithInput(stream, "count", "-");
        assertEquals("", run.err());
        assertTrue(run.lines().getLast().strip().startsWith(MAX + " "), run.out());
    }

    @Test
    void totalOfSeveralFilesMayExceed64Bits() throws IOException {
        byte[] stream = Frames.join(Frames.emptySchema(), Frames.recordBatch(MAX, 0));
        Path one = Files.write(folder.resolve("one"), stream);
        Path other = Files.write(folder.resolve("other"), stream);
        Run run = Cli.run("count", one.toString(), other.toString());
        assertEquals("", run.err());
        assertEquals("18446744073709551614        2  total", run.lines().getLast().strip());
    }

    @Test
    void overflowingSumIsAFault() {
        byte[] first = Frames.join(Frames.emptySchema(), Frames.recordBatch(MAX, 0));
        byte[] stream = Frames.join(first, Frames.recordBatch(1, 0));
        String fault =
                "fletch: standard input: offset %d: sum of rows is above 2^63 - 1: sum=%d, rows=1"
                        .formatted(first.length, MAX);
        String complete = "; 1 record batch complete, " + MAX + " rows";
        Run run = Cli.runWithInput(stream, "count", "-");
        assertEquals(fault + complete + "\n", run.err());
        assertEquals(1, run.status());
        assertEquals(MAX + "        1  standard input (incomplete)", run.lines().getLast());
        String object =
                "{\"file\":\"-\",\"container\":\"stream\",\"batches\":1,\"rows\":%d,\"fault\":{\"code\":\"sum-too-large\",\"offset\":%d,\"text\":\"sum"
                    + " of rows is above 2^63 - 1: sum=%d, rows=1%s\"}}\n";
        assertEquals(
                new Run(
                        1,
                        object.formatted(MAX, first.length, MAX, complete),
                        fault + complete + "\n"),
                Cli.runWithInput(stream, "count", "--json", "-"));
    }

    @Test
    void negativeRowCountIsAFault() {
        byte[] schema = Frames.emptySchema();
        byte[] stream = Frames.join(schema, Frames.recordBatch(-5, 0));
        String fault =
                ("fletch: standard input: message 1: offset %d: record batch has a negative"
                                + " number of rows: length=-5; 0 record batches complete, 0 rows\n")
                        .formatted(schema.length + 48);
        Run run = Cli.runWithInput(stream, "count", "-");
        assertEquals(fault, run.err());
        assertEquals(1, run.status());
        assertEquals("0        0  standard input (incomplete)", run.lines().getLast().strip());
        assertEquals(0, Cli.runWithInput(stream, "ls", "-").status());
    }

    @Test
    void missingHeaderIsAFault() {
        byte[] schema = Frames.emptySchema();
        byte[] stream = Frames.join(schema, Frames.messageOfKind(3));
        Run run = Cli.runWithInput(stream, "count", "-");
        assertEquals(
                ("fletch: standard input: message 1: offset %d: message has no header:"
                                + " kind=RecordBatch; 0 record batches complete, 0 rows\n")
                        .formatted(schema.length + 25),
                run.err());
        assertEquals(1, run.status());
        assertEquals("0        0  standard input (incomplete)", run.lines().getLast().strip());
    }

    @Test
    void streamWithoutMessagesIsInvalid() {
        Run run = Cli.runWithInput(Frames.END, "count", "-");
        assertEquals(
                new Run(1, "", "fletch: standard input: offset 0: there is no message\n"), run);
        assertEquals(run, Cli.runWithInput(Frames.END, "ls", "-"));
    }

    /// A footer leads to the batches behind one that is damaged.
    @Test
    void batchesAfterADamagedOneAreCounted() {
        byte[] file = TradesSample.file();
        OracleMessage second = OracleListing.list(file).recordBatches().get(1);
        file[(int) second.metadataOffset()] = -1; // the root's offset
        Run run = Cli.runWithInput(file, "count", "-");
        assertEquals(1, run.status());
        assertEquals("400        2  standard input (incomplete)", run.lines().getLast().strip());
        assertTrue(run.err().endsWith("; 2 of 3 record batches complete, 400 rows\n"), run.err());
    }
}
