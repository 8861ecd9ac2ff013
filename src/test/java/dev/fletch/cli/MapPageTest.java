// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.cli.Cli.Run;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What `fletch map --html` writes and where, without a browser.
class MapPageTest {
    private static final Pattern DATA =
            Pattern.compile("<script id=\"data\" type=\"application/json\">([^<]*)</script>");

    @TempDir Path folder;

    private static Map<String, Object> data(String page) {
        Matcher data = DATA.matcher(page);
        assertTrue(data.find());
        return JsonTree.object(
                JsonTree.parse(data.group(1).replaceAll("\"wasteShare\":[0-9.E-]+,", "")));
    }

    /// The extents follow each other from the first byte to the last, and each is what the totals
    /// have counted it for.
    @Test
    void extentsCoverEveryGolden() throws IOException {
        Path page = folder.resolve("page.html");
        int extents = 0;
        for (Path golden : Goldens.all()) {
            Run run = Cli.run("map", "--html", page.toString(), golden.toString());
            assertEquals("", run.err());
            assertEquals(Cli.run("map", "--totals", golden.toString()).out(), run.out());
            Map<String, Object> data = data(Files.readString(page));
            List<Object> parts = JsonTree.array(data.get("messages"));
            parts.add(data.get("rest"));
            long[] sums = new long[MapClass.count()];
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
            for (MapClass each : MapClass.values()) {
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
        assertEquals(0, run.status());
        assertTrue(run.out().startsWith("<!DOCTYPE html>"));
        assertTrue(run.out().endsWith("</html>\n"));
        assertFalse(run.out().matches("(?s).*(src=|href=|url\\(|@import|https?://).*"));
        assertFalse(run.out().matches("(?s).*@(STYLE|SCRIPT|HASH|DATA)@.*"));
        Path page = folder.resolve("page.html");
        Cli.run("map", "--html", page.toString(), "--json", sample);
        assertEquals(run.out(), Files.readString(page));
        Cli.runWithInput(
                Files.readAllBytes(Path.of(sample)), "map", "--html", page.toString(), "-");
        assertEquals(run.out().replace(sample, "standard input"), Files.readString(page));
    }

    @Test
    void inputIsNeverOverwritten() throws IOException {
        byte[] sample = Files.readAllBytes(TradesSample.path("trades.arrow"));
        Path input = Files.write(folder.resolve("input"), sample);
        Path link = Files.createSymbolicLink(folder.resolve("link"), input);
        for (Path page : List.of(input, link)) {
            Run run = Cli.run("map", "--html", page.toString(), input.toString());
            assertEquals(2, run.status());
            assertEquals("fletch: " + input + ": page would overwrite the input\n", run.err());
            assertArrayEquals(sample, Files.readAllBytes(input));
        }
    }

    @Test
    void faultyInputLeavesThePageAsItWas() throws IOException {
        Path page = Files.writeString(folder.resolve("page.html"), "before");
        byte[] sample = Files.readAllBytes(TradesSample.path("trades.arrow"));
        byte[] half = java.util.Arrays.copyOf(sample, 20_000);
        Run run = Cli.runWithInput(half, "map", "--html", page.toString(), "-");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("body does not fit the input"), run.err());
        assertEquals("before", Files.readString(page));
    }

    @Test
    void pageThatCannotBeWritten() {
        Path page = folder.resolve("nowhere").resolve("page.html");
        String sample = TradesSample.path("trades.arrow").toString();
        Run run = Cli.run("map", "--html", page.toString(), sample);
        assertEquals(2, run.status());
        assertEquals(
                "fletch: %s: cannot write %s: no such folder\n".formatted(sample, page), run.err());
    }
}
