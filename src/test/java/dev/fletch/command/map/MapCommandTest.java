// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.GoldenOutput;
import dev.fletch.command.JsonTree;
import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.TradesSample;
import dev.fletch.wire.Escaper;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What `fletch map` prints of real files, against what the generated classes and arrow-vector say
/// of them.
class MapCommandTest {
    /// From one byte that is asked for to the next.
    private static final int STEP = CaseCount.of(29, 1);

    private static int inputs;
    private static int buffers;
    private static long bytesInAll;

    @TempDir Path folder;

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void mapOfEveryGoldenAgrees(Path golden) {
        compare(golden, Goldens.read(golden));
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void mapOfArrowVectorFilesAgrees(ArrowCase each) throws IOException {
        // Not even its schema can be read by arrow-vector, and it has no batches.
        each.assumeReadByArrowJava();
        byte[] stream = each.stream();
        compare(Files.write(folder.resolve("stream"), stream), stream);
        if (each.hasFile()) {
            byte[] file = each.file();
            compare(Files.write(folder.resolve("file"), file), file);
        }
    }

    /// As a file and through a pipe, and the sum over the classes is each time the input's size.
    private static void compare(Path path, byte[] bytes) {
        Map<String, Object> expected = MapOracle.of(path.toString(), bytes);
        Run run = Cli.run("map", "--json", path.toString());
        assertEquals("", run.err());
        assertEquals(0, run.status());
        Map<String, Object> found = JsonTree.object(parsed(run).getFirst());
        assertEquals(expected.toString(), found.toString());
        long sum = 0;
        Map<String, Object> totals = JsonTree.object(found.get("totals"));
        for (BytePurpose each : BytePurpose.values()) {
            sum += (Long) totals.get(each.id());
        }
        assertEquals(bytes.length, sum);
        assertEquals(0L, totals.get("unreferenced"));
        assertEquals(0L, totals.get("other"));

        found.put("file", "-");
        Run piped = Cli.runWithInput(bytes, "map", "--json", "-");
        assertEquals(0, piped.status(), piped.err());
        assertEquals(found.toString(), parsed(piped).getFirst().toString());
        inputs++;
        bytesInAll += sum;
        for (Object each : JsonTree.array(found.get("batches"))) {
            buffers += JsonTree.array(JsonTree.object(each).get("buffers")).size();
        }
    }

    /// The share alone is no whole number, which the tree has not; its value is tested below.
    static List<Object> parsed(Run run) {
        return run.out()
                .replaceAll("\"wasteShare\":[0-9.E-]+,", "")
                .lines()
                .map(JsonTree::parse)
                .toList();
    }

    // ---- one byte

    /// The purposes of all bytes, each asked for alone, are the totals; and a byte of a buffer is
    /// in the buffer that the table lists.
    @Test
    void eachByteHasThePurposeThatTheTotalsCount() throws IOException {
        Path file = folder.resolve("file");
        byte[] bytes = ArrowVectorFiles.named("dictionary_int8").file();
        Files.write(file, bytes);
        Map<String, Object> all = map(file.toString());
        List<Map<String, Object>> buffers = new ArrayList<>();
        for (Object batch : JsonTree.array(all.get("batches"))) {
            for (Object buffer : JsonTree.array(JsonTree.object(batch).get("buffers"))) {
                buffers.add(JsonTree.object(buffer));
            }
        }
        Map<Object, Object> users = new HashMap<>();
        for (Object each : JsonTree.array(JsonTree.object(all.get("totals")).get("byDictionary"))) {
            Map<String, Object> dictionary = JsonTree.object(each);
            users.put("dictionary " + dictionary.get("dictionaryId"), dictionary.get("column"));
        }
        assertEquals(1, users.size());
        Map<String, Integer> counts = new HashMap<>();
        int inBuffers = 0;
        for (int at = 0; at < bytes.length; at += STEP) {
            Map<String, Object> found =
                    JsonTree.object(map("--at", "" + at, file.toString()).get("byte"));
            counts.merge((String) found.get("purpose"), 1, Integer::sum);
            for (Map<String, Object> each : buffers) {
                long from = ((Number) each.get("offset")).longValue();
                long length = ((Number) each.get("length")).longValue();
                if (at >= from && at < from + length) {
                    inBuffers++;
                    assertEquals(each.get("path"), found.get("path"));
                    assertEquals(each.get("role"), found.get("role"));
                    assertEquals(each.get("offset"), found.get("from"));
                    assertEquals(each.get("length"), found.get("length"));
                    assertEquals(users.get(found.get("path")), found.get("column"));
                }
            }
        }
        Map<String, Object> totals = JsonTree.object(all.get("totals"));
        for (BytePurpose each : BytePurpose.values()) {
            long expected = ((Number) totals.get(each.id())).longValue();
            long found = counts.getOrDefault(each.id(), 0);
            assertTrue(STEP == 1 ? found == expected : found <= expected, each.id());
        }
        assertTrue(inBuffers > 20 / STEP, inBuffers + " bytes of buffers");
    }

    private static Map<String, Object> map(String... arguments) {
        List<String> all = new ArrayList<>(List.of("map", "--json"));
        all.addAll(List.of(arguments));
        return JsonTree.object(Cli.run(all.toArray(String[]::new)).json().getFirst());
    }

    @Test
    void byteOfANumberHasItsValue() {
        String file = TradesSample.path("trades.arrow").toString();
        Map<String, Object> price = JsonTree.object(map("--at", "4711", file).get("byte"));
        assertEquals("price", price.get("path"));
        assertEquals(40, ((Number) price.get("value")).intValue()); // (4711 - 4064) / 16
        assertEquals(
                "byte 4711: columns, message 2 (RecordBatch), column price, data: offset=4064,"
                        + " length=4000, value=40",
                Cli.run("map", "--at", "4711", file).out().strip());
        assertEquals(
                "byte 1065: padding, message 1 (DictionaryBatch), after dictionary 0 of symbol,"
                        + " validity: offset=1065, length=7",
                Cli.run("map", "--at", "1065", file).out().strip());
    }

    /// The validity buffer has 32 bytes, the batch 250 rows: bits from 250 on belong to no value.
    @Test
    void byteBehindTheLastValueHasNone() {
        String file = TradesSample.path("trades.arrow").toString();
        assertEquals(
                248L,
                JsonTree.object(map("--at", "" + (1712 + 31), file).get("byte")).get("value"),
                "of 250 rows");
    }

    @Test
    void byteOfAFollowingStreamIsFound() throws IOException {
        byte[] stream = Files.readAllBytes(TradesSample.path("trades.stream"));
        byte[] two = Arrays.copyOf(stream, 2 * stream.length);
        System.arraycopy(stream, 0, two, stream.length, stream.length);
        String file = Files.write(folder.resolve("two"), two).toString();
        for (int at : new int[] {20, stream.length + 20}) {
            Run run = Cli.run("map", "--all-streams", "--at", "" + at, file);
            assertEquals(0, run.status(), run.err());
            assertTrue(run.out().contains("byte " + at + ": metadata, message "), run.out());
        }
        Run none = Cli.run("map", "--all-streams", "--at", "" + two.length, file);
        assertEquals(1, none.status());
        assertTrue(none.err().contains("no such byte: size=" + two.length), none.err());
        Run first = Cli.run("map", "--at", "" + (stream.length + 20), file);
        assertEquals(1, first.status());
        assertTrue(first.err().contains("another stream follows"), first.err());
    }

    @Test
    void byteBehindTheEndIsAnError() {
        String file = TradesSample.path("trades.arrow").toString();
        Run run = Cli.run("map", "--at", "46162", file);
        assertEquals(1, run.status());
        assertTrue(run.err().contains("offset 46162: no such byte: size=46162"), run.err());
        assertEquals(2, Cli.run("map", "--at", "-1", file).status());
        assertEquals(2, Cli.run("map", "--at", "1", "--totals", file).status());
    }

    @AfterAll
    static void printCounts() {
        System.out.printf(
                "map: %d inputs, %d buffers, %d bytes, each in one class%n",
                inputs, buffers, bytesInAll);
    }

    // ---- for a person

    @Test
    void mapOfTheSampleIsPrinted() {
        Run run = Cli.run("map", TradesSample.path("trades.arrow").toString());
        assertEquals("", run.err());
        List<String> lines = run.lines();
        assertEquals(
                """
                column        message  role          offset      length  padding
                dictionary 0        1  validity        1064           1        7
                dictionary 0        1  offsets         1072          24        0
                dictionary 0        1  data            1096          23        1
                time                2  validity        1712          32        0
                time                2  data            1744        2000        0
                symbol              2  validity        3744          32        0
                symbol              2  data            3776         250        6
                """,
                String.join("\n", lines.subList(0, 8)) + "\n");
        assertEquals(1 + 3 + 3 * 21 + 1, lines.indexOf(" bytes   share  padding  part"));
        GoldenOutput.assertIs(
                "MapCommandTest.mapOfTheSampleIsPrinted.txt",
                Cli.run("map", "--totals", TradesSample.path("trades.arrow").toString()).out());
        assertTrue(run.out().endsWith("198 of 46162, 0.4%\n"));
    }

    /// The lines of the table say what the JSON says.
    @Test
    void tableAndJsonAgree() {
        for (Path golden : Goldens.sample()) {
            Map<String, Object> object =
                    JsonTree.object(parsed(Cli.run("map", "--json", golden.toString())).getFirst());
            StringBuilder expected = new StringBuilder();
            for (Object batch : JsonTree.array(object.get("batches"))) {
                Object message = JsonTree.object(batch).get("message");
                for (Object each : JsonTree.array(JsonTree.object(batch).get("buffers"))) {
                    Map<String, Object> buffer = JsonTree.object(each);
                    expected.append(Escaper.name((String) buffer.get("path")));
                    expected.append(' ').append(message).append(' ').append(buffer.get("role"));
                    expected.append(' ').append(buffer.get("offset"));
                    expected.append(' ').append(buffer.get("length")).append('\n');
                }
            }
            String table = Cli.run("map", golden.toString()).out();
            String found =
                    table.substring(table.indexOf('\n') + 1, table.indexOf("\n\n") + 1)
                            .replaceAll(" +", " ")
                            .replaceAll("(?m) \\d+$", "");
            assertEquals(expected.toString(), found, golden::toString);
        }
    }

    @Test
    void wrongArgumentsAreExplained() {
        String file = TradesSample.path("trades.arrow").toString();
        assertUsage("--totals and --json cannot be combined", "map", "--totals", "--json", file);
        assertUsage("--html takes only one input", "map", "--html", "x", file, file);
        for (String page : List.of("x", "-")) {
            assertUsage(
                    "--html and --json cannot be combined", "map", "--html", page, "--json", file);
        }
    }

    private static void assertUsage(String reason, String... command) {
        Run run = Cli.run(command);
        assertEquals(2, run.status());
        assertEquals("", run.out());
        assertTrue(run.err().contains(reason), run.err());
    }
}
