// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.corpus.CaseFile;
import dev.fletch.ipc.Frames;
import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What `fletch map --html` writes and where, without a browser.
public class MapPageTest {
    private static final Pattern DATA =
            Pattern.compile("<script id=\"data\" type=\"application/json\">([^<]*)</script>");

    private static final String INT32 = "let i32 = Int(bitWidth=32 is_signed=1)\n";

    /// Batches of two columns that have more regions than a page shows.
    private static final int TOO_MANY = 70_000;

    @TempDir Path folder;

    private static Map<String, Object> data(String page) {
        Matcher data = DATA.matcher(page);
        assertTrue(data.find());
        return JsonTree.object(JsonTree.parse(data.group(1)));
    }

    /// The extents follow each other from the first byte to the last, and each is what the totals
    /// have counted it for.
    @Test
    void extentsCoverEveryGolden() throws IOException {
        Path page = folder.resolve("page.html");
        int extents = 0;
        for (Path golden : Goldens.sample()) {
            Run run = Cli.run("map", "--force", "--html", page.toString(), golden.toString());
            assertEquals("", run.err());
            assertEquals(Cli.run("map", "--totals", golden.toString()).out(), run.out());
            Map<String, Object> data = data(Files.readString(page));
            List<Object> parts = JsonTree.array(data.get("messages"));
            parts.add(data.get("rest"));
            long[] sums = new long[BytePurpose.values().length];
            for (Object part : parts) {
                List<Object> numbers = JsonTree.array(JsonTree.object(part).get("extents"));
                for (int i = 0; i < numbers.size(); i += 3) {
                    long length = (Long) numbers.get(i + 2);
                    assertTrue(length > 0);
                    sums[Math.toIntExact((Long) numbers.get(i))] += length;
                    extents++;
                }
            }
            Map<String, Object> totals = JsonTree.object(data.get("totals"));
            long size = 0;
            for (BytePurpose each : BytePurpose.values()) {
                assertEquals(totals.get(each.id()), sums[each.ordinal()], golden::toString);
                size += sums[each.ordinal()];
            }
            assertEquals(Files.size(golden), size);
        }
        System.out.printf("map --html: %d extents%n", extents);
    }

    @Test
    void pageNeedsNothingButItself() throws IOException {
        String sample = TradesSample.path("trades.arrow").toString();
        Run run = Cli.run("map", "--html", "-", sample);
        assertEquals(new Run(0, run.out(), ""), run);
        assertEquals(null, data(run.out()).get("end"), "no note of omitted regions");
        assertTrue(run.out().startsWith("<!DOCTYPE html>"));
        assertTrue(run.out().endsWith("</html>\n"));
        assertFalse(run.out().matches("(?s).*(src=|href=|url\\(|@import|https?://).*"));
        assertFalse(run.out().matches("(?s).*@(STYLE|SCRIPT|HASH|DATA)@.*"));
        Path page = folder.resolve("page.html");
        Cli.run("map", "--html", page.toString(), sample);
        assertEquals(run.out(), Files.readString(page));
        byte[] piped = Files.readAllBytes(Path.of(sample));
        Cli.runWithInput(piped, "map", "--force", "--html", page.toString(), "-");
        assertEquals(run.out().replace(sample, "standard input"), Files.readString(page));
    }

    /// A stream of equal columns and batches, whose buffers are followed by padding.
    public static byte[] wide(int columns, int batches) {
        String schema = INT32 + "stream marker - <many(" + columns + " \"column_\":i32)>";
        String batch = " | batch 1 [1*%d] [%s]".formatted(columns, "- zeros(36) ".repeat(columns));
        byte[] first = CaseFile.input(schema);
        byte[] both = CaseFile.input(schema + batch);
        byte[][] parts = new byte[1 + batches][];
        Arrays.fill(parts, Arrays.copyOfRange(both, first.length, both.length));
        parts[0] = first;
        return Frames.join(parts);
    }

    /// What the page shows are the input's first regions, and it says so; the totals include all
    /// bytes.
    @Test
    void pageShowsAtMost300000Regions() throws IOException {
        Path input = folder.resolve("many");
        Files.write(input, wide(2, TOO_MANY));
        Path page = folder.resolve("page.html");
        Run run = Cli.run("map", "--html", page.toString(), input.toString());
        assertEquals(0, run.status());
        assertEquals(
                "fletch: " + input + ": the page shows only the first 300,000 regions\n",
                run.err());
        assertEquals(Cli.run("map", "--totals", input.toString()).out(), run.out());
        Map<String, Object> data = data(Files.readString(page));
        long extents = 0;
        long drawn = 0;
        for (Object each : JsonTree.array(data.get("messages"))) {
            List<Object> numbers = JsonTree.array(JsonTree.object(each).get("extents"));
            for (int i = 0; i < numbers.size(); i += 3) {
                extents++;
                drawn += (Long) numbers.get(i + 2);
            }
        }
        assertEquals(300_000, extents);
        assertTrue(drawn < Files.size(input));
        assertEquals("the page shows only the first 300,000 regions", data.get("end"));
        assertEquals((long) TOO_MANY, data.get("batchCount"));
        Object totals = JsonTree.object(data.get("totals")).get("size");
        assertEquals(Files.size(input), totals);
    }

    /// Of many damaged parts, the page lists the first hundred, and says how many more there are.
    @Test
    void faultsOverTheLimitAreCounted() throws IOException {
        int batches = 260;
        byte[] stream = wide(1, batches);
        int batch = wide(1, 2).length - wide(1, 1).length;
        int schema = wide(1, 1).length - batch;
        for (int i = 0; i < batches; i += 2) {
            Arrays.fill(stream, schema + i * batch, schema + i * batch + 16, (byte) 0);
        }
        Path input = Files.write(folder.resolve("damaged"), stream);
        Run run = Cli.run("map", "--html", "-", input.toString());
        assertEquals(1, run.status());
        Map<String, Object> data = data(run.out());
        assertEquals(100, JsonTree.array(data.get("faults")).size());
        assertEquals(30L, data.get("moreFaults"));
    }

    /// One message that has more: it is cut.
    @Test
    void regionsOfAMessageOverTheLimitAreOmitted() throws IOException {
        List<long[]> places = new ArrayList<>();
        for (int i = 0; i < 400_000; i++) {
            places.add(Meant.pair(i, 1)); // a byte each
        }
        places.set(1, Meant.pair(399_984, 16)); // a view
        FbsValue.Table header =
                Meant.with(
                        Meant.batch(List.of(Meant.pair(1, 0)), places),
                        "length",
                        1,
                        "variadicBufferCounts",
                        List.of(399_998));
        byte[] schema = CaseFile.input("stream marker - <a:Utf8View>");
        byte[] batch = Frames.encapsulated(Meant.bytes(Meant.message(header, 400_000)));
        byte[] body = new byte[400_000];
        Path input = folder.resolve("long");
        Files.write(input, Frames.join(schema, batch, body, batch, body));
        Run run = Cli.run("map", "--html", "-", input.toString());
        assertEquals(
                "fletch: " + input + ": the page shows only the first 300,000 regions\n",
                run.err());
        Map<String, Object> data = data(run.out());
        List<Object> messages = JsonTree.array(data.get("messages"));
        assertEquals(2, messages.size());
        List<Object> extents = JsonTree.array(JsonTree.object(messages.getLast()).get("extents"));
        // The schema has one region. Of the batch's the first is metadata.
        assertEquals(3 * 299_999, extents.size());
        assertEquals(299_997L, extents.get(extents.size() - 2));
        assertEquals(2L, data.get("batchCount"));
        assertEquals(0, JsonTree.array(JsonTree.object(data.get("rest")).get("extents")).size());
    }

    /// Of a schema there is no more than what regions belong to, and what is listed.
    @Test
    void pageListsOnlyColumnsOfItsRegions() throws IOException {
        Path input = folder.resolve("columns");
        String name = "\"" + "x".repeat(300);
        Files.write(input, CaseFile.input(INT32 + "stream <many(1500 " + name + "\":i32)>"));
        Map<String, Object> data = data(Cli.run("map", "--html", "-", input.toString()).out());
        List<Object> listed = JsonTree.array(JsonTree.object(data.get("totals")).get("byColumn"));
        assertEquals(1_000, listed.size());
        assertEquals(1_500L, data.get("columnCount"));
        assertEquals("…" + "x".repeat(197) + "999", JsonTree.object(listed.getLast()).get("path"));
        assertEquals(List.of(), JsonTree.object(data.get("columns")).get("paths"));

        String batch = "0\":i32> | batch 1 [1] [- i32(7)]";
        Files.write(input, CaseFile.input(INT32 + "stream <" + name + batch));
        data = data(Cli.run("map", "--html", "-", input.toString()).out());
        assertEquals(
                List.of("…" + "x".repeat(199) + "0"),
                JsonTree.object(data.get("columns")).get("paths"));
    }
}
