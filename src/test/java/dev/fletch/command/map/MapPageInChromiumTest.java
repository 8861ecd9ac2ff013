// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static dev.fletch.command.map.MapFrames.int32;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Chromium;
import dev.fletch.command.Cli;
import dev.fletch.command.SchemaTables;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.TradesSample;
import dev.fletch.wire.Escaper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The page of `fletch map --html` in a real browser.
@Timeout(180)
@ResourceLock(Chromium.LOCK)
class MapPageInChromiumTest {
    private static final int TAB = 9;
    private static final int RIGHT = 39;
    private static final int DOWN = 40;
    private static final String DETAILS = "document.getElementById('details').textContent";

    @TempDir Path folder;

    private Path draw(Path input) {
        Path page = folder.resolve("page.html");
        Cli.Run run = Cli.run("map", "--html", page.toString(), input.toString());
        assertEquals("", run.err());
        assertEquals(0, run.status());
        return page;
    }

    private static void assertQuiet(Chromium browser, Path page) {
        assertEquals(List.of(), browser.complaints());
        assertEquals(List.of(page.toUri().toString()), browser.requests());
    }

    private static void emulate(Chromium browser, String scheme) {
        browser.call(
                "Emulation.setEmulatedMedia",
                "features",
                "[{\"name\": \"prefers-color-scheme\", \"value\": \"%s\"}]".formatted(scheme));
    }

    /// What the line at the page's end tells, each part a name and a value.
    private static void assertDetails(Chromium browser, String... parts) {
        browser.await(
                DETAILS, details -> Stream.of(parts).allMatch(details::contains), List.of(parts));
    }

    @Test
    void pageOfTheSampleIsDrawn() throws Exception {
        Path page = draw(TradesSample.path("trades.arrow"));
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals("46162", browser.evaluate("starts[extentCount]"));
            assertEquals("21", browser.evaluate("document.querySelectorAll('.buffer').length"));

            // A rectangle of the drawing: data of the prices in the first batch.
            String inCanvas =
                    "(b => (a => ({x: a.x + b.x, y: a.y + b.y, width: b.width, height: LINE}))"
                        + "(canvas.getBoundingClientRect()))(boxes(extentAt(4064)).next().value)";
            browser.hover(inCanvas);
            assertDetails(browser, "column price", "message 2, record batch, 250 rows");
            assertDetails(browser, "role data", "offset 4,064", "length 4,000", "padding 0");

            // To scale: the boxes of an extent are as wide in all as its part of the lines.
            assertEquals(
                    "true",
                    browser.evaluate(
                            "Math.abs([...boxes(extentAt(4064))].reduce((w, b) => w + b.width, 0)"
                                    + " - 4000 * canvas.clientWidth / bytesPerLine()) < .01"));

            // A click opens its batch below, where each buffer is an element.
            browser.evaluate("document.getElementById('next').click()");
            browser.evaluate("scrollTo(0, 0)");
            browser.click(inCanvas);
            browser.await("batches[batch].index", "2"::equals, "message 2");
            browser.evaluate("document.querySelector('.row').scrollIntoView({block: 'center'})");
            browser.hover("document.querySelector('[data-index=\"9\"]').getBoundingClientRect()");
            assertDetails(browser, "column side", "role data", "offset 10,128", "length 32");
            assertQuiet(browser, page);
        }
    }

    @Test
    void pageIsUsableByKeyboard() throws Exception {
        Path page = draw(TradesSample.path("trades.arrow"));
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            browser.press("Tab", TAB); // what zooms out
            browser.press("Tab", TAB); // what zooms in
            browser.press("Tab", TAB);
            assertEquals("whole", browser.evaluate("document.activeElement.id"));
            assertDetails(browser, "class magic", "offset 0", "length 6");
            browser.press("ArrowRight", RIGHT);
            browser.press("ArrowRight", RIGHT);
            assertDetails(browser, "class metadata", "message 0, Schema", "offset 8", "length 872");
            String before = browser.evaluate("bytesPerLine()");
            browser.press("+", 187);
            browser.await("bytesPerLine()", now -> !now.equals(before), "less than " + before);
            browser.press("End", 35);
            assertDetails(browser, "class magic", "offset 46,156", "length 6");

            for (int i = 0; i < 5; i++) { // previous, batch, next, columns, the first buffer
                browser.press("Tab", TAB);
            }
            assertDetails(browser, "column time", "role validity");
            browser.press("ArrowDown", DOWN);
            browser.press("ArrowRight", RIGHT);
            assertDetails(browser, "column symbol", "role data", "length 250", "padding 6");
            assertQuiet(browser, page);
        }
    }

    @Test
    void pageFollowsTheColourScheme() throws Exception {
        Path page = draw(TradesSample.path("trades.arrow"));
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            String background = "getComputedStyle(document.body).backgroundColor";
            for (String[] each :
                    new String[][] {{"light", "rgb(255, 255, 255)"}, {"dark", "rgb(20, 23, 27)"}}) {
                emulate(browser, each[0]);
                assertEquals(each[1], browser.evaluate(background));
                // The drawing follows with the next frame.
                String isDark = each[0].equals("dark") + "";
                browser.await("dark", isDark::equals, isDark);
            }
            assertQuiet(browser, page);
        }
    }

    /// Nothing of a name becomes markup or is run, wherever the name is shown.
    @Test
    void hostileNamesAreNotInterpreted() throws Exception {
        List<String> names =
                List.of(
                        "</script><script>window.hit = 1</script>",
                        "<img src=x onerror='window.hit = 1'>",
                        "\"><svg onload=window.hit=1>",
                        "<!--<script>",
                        "&lt;b&gt;&amp;",
                        "@DATA@ @SCRIPT@",
                        "\u202egnp.exe\u2028\u0000\u001b[2J",
                        "__proto__",
                        "");
        long[] buffers = new long[4 * names.size()];
        for (int i = 0; i < names.size(); i++) {
            buffers[4 * i + 2] = 64L * i;
            buffers[4 * i + 3] = 64;
        }
        byte[] stream =
                Frames.join(
                        MapFrames.schema(
                                names.stream()
                                        .map(MapFrames::int32)
                                        .toArray(FbsValue.Table[]::new)),
                        MapFrames.batch(names.size(), 64L * names.size(), buffers),
                        new byte[64 * names.size()]);
        Path input = Files.write(folder.resolve("<img src=x onerror=window.hit=1>&.arrow"), stream);
        Path page = draw(input);
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals("undefined", browser.evaluate("window.hit"));
            assertEquals("0", browser.evaluate("document.querySelectorAll('img, svg').length"));
            assertEquals("2", browser.evaluate("document.scripts.length"));
            for (int i = 0; i < names.size(); i++) {
                String path = "document.querySelectorAll('.row .path')[" + i + "].textContent";
                String name = names.get(i);
                String shown =
                        i == 6 ? "\"\\u202egnp.exe\\u2028\\u0000\\u001b[2J\"" : Escaper.name(name);
                assertEquals(shown, browser.evaluate(path));
                browser.evaluate(
                        "document.querySelectorAll('.row')["
                                + i
                                + "].scrollIntoView({block: 'center'})");
                browser.hover(
                        "document.querySelectorAll('.row')["
                                + i
                                + "].querySelector('.buffer:last-child').getBoundingClientRect()");
                assertEquals(
                        "column " + shown,
                        browser.evaluate("document.querySelector('#details span').textContent"));
            }
            assertEquals(
                    "fletch map: " + input,
                    browser.evaluate("document.title").replace("\u00a0", " "));
            assertEquals("undefined", browser.evaluate("window.hit"));
            assertQuiet(browser, page);
        }
    }

    /// Many columns, many batches: the small ones can be seen and hit all the same.
    @Test
    void smallBuffersOfManyColumnsAreVisible() throws Exception {
        Path input = folder.resolve("wide");
        MapFrames.writeWide(input, 400, 60);
        Path page = draw(input);
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals(
                    "60", browser.evaluate("document.querySelectorAll('#batch option').length"));
            assertEquals("400", browser.evaluate("document.querySelectorAll('.row').length"));
            assertEquals(
                    "true",
                    browser.evaluate(
                            "[...document.querySelectorAll('.buffer')].every(b =>"
                                    + " b.getBoundingClientRect().width >= 10)"));
            browser.evaluate("turn(57)");
            browser.evaluate(
                    "(f => {f.value = 'COLUMN_399'; f.dispatchEvent(new Event('input'))})"
                            + "(document.getElementById('filter'))");
            assertEquals("1", browser.evaluate("document.querySelectorAll('.row').length"));
            browser.evaluate("document.querySelector('.row').scrollIntoView({block: 'center'})");
            browser.hover("document.querySelector('.buffer:last-child').getBoundingClientRect()");
            assertDetails(browser, "column column_399", "message 58,", "length 40", "padding 24");
            assertQuiet(browser, page);
        }
    }

    /// What is drawn is to scale, and it is told that there is more.
    @Test
    void pageSaysThatItShowsOnlyPartOfTheInput() throws Exception {
        CaseCount.assumeFull();
        Path input = folder.resolve("many");
        MapFrames.writeWide(input, 2, MapFrames.TOO_MANY);
        Path page = folder.resolve("page.html");
        assertEquals(0, Cli.run("map", "--html", page.toString(), input.toString()).status());
        long size = Files.size(input);
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals("300000", browser.evaluate("extentCount"));
            String end = browser.evaluate("byId('end').textContent");
            assertEquals(
                    "the page shows only the first 300,000 regions, %s of %,d bytes; the totals include all bytes."
                            .formatted(browser.evaluate("number(drawn)"), size),
                    end);
            assertEquals("true", browser.evaluate("drawn < size && drawn > size / 2"));
            assertTrue(
                    browser.evaluate("byId('summary').textContent")
                            .contains("%,d bytes, 70,000 batches".formatted(size)));
            browser.evaluate("select(extentCount - 1)");
            assertEquals(
                    "true",
                    browser.evaluate(
                            "[...boxes(extentCount - 1)].at(-1).y <= canvas.clientHeight - LINE"));
            assertQuiet(browser, page);
        }
    }

    /// The colour of a column is that of nothing else, and the shades of its buffers differ.
    @Test
    void coloursTellColumnsAndRolesApart() throws Exception {
        Path input = folder.resolve("struct");
        long[] buffers = new long[2 + 4 * 5];
        for (int i = 0; i < buffers.length; i += 2) {
            buffers[i] = 64L * (i / 2);
            buffers[i + 1] = 64;
        }
        int length = 32 * buffers.length;
        FbsValue.Table[] children = new FbsValue.Table[5];
        Arrays.setAll(children, i -> int32("c" + i));
        Files.write(
                input,
                Frames.join(
                        MapFrames.schema(SchemaTables.struct("s", children)),
                        MapFrames.batch(6, length, buffers),
                        new byte[length]));
        Path page = draw(input);
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            String colours =
                    "new Set([...document.querySelectorAll('.buffer')]"
                            + ".map(b => b.style.background)).size";
            assertEquals("11", browser.evaluate(colours));
            assertEquals(
                    "Buffers of a column, from dark to light: validity, data.",
                    browser.evaluate("byId('roles').textContent"));
            assertEquals(
                    "128",
                    browser.evaluate("document.querySelectorAll('.row .size')[1].textContent"));
            // Hues of what is no column: red, brown, teal.
            assertEquals(
                    "true",
                    browser.evaluate(
                            "(all => all.every((h, i) => all.every((o, j) => i === j || (i > 9 && j"
                                    + " > 9) || (d => d >= 20 && d <= 340)(Math.abs(h -"
                                    + " o)))))([...[...Array(10).keys()].map(hueOf), 25, 45,"
                                    + " DICTIONARY_HUE])"));
            assertTrue(browser.evaluate("byId('summary').textContent").contains(", 1 batch, "));
            assertQuiet(browser, page);
        }
    }

    /// Text on a colour can be read: a contrast of at least 4.5, in both schemes.
    @Test
    void labelsContrastWithTheirColours() throws Exception {
        Path page = draw(TradesSample.path("trades.arrow"));
        String luminance =
                "(c => { const d = document.createElement('canvas').getContext('2d'); d.fillStyle ="
                    + " c; d.fillRect(0, 0, 1, 1); const l = [...d.getImageData(0, 0, 1,"
                    + " 1).data].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) /"
                    + " 1.055) ** 2.4); return .2126 * l[0] + .7152 * l[1] + .0722 * l[2] })";
        String contrasts =
                "(of => [...plain.filter(Boolean), ...[undefined, DICTIONARY_HUE,"
                    + " ...[...Array(10).keys()].map(hueOf)].flatMap(h =>"
                    + " Object.keys(LIGHTNESS).map(r => shade(h, r)))].filter(c => { const [a, b] ="
                    + " [of(c), of(inkOn(c))].sort((a, b) => b - a); return !((a + .05) / (b + .05)"
                    + " >= 4.5) }))("
                        + luminance
                        + ")";
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            for (String scheme : List.of("light", "dark")) {
                emulate(browser, scheme);
                String isDark = scheme.equals("dark") + "";
                browser.await("dark", isDark::equals, isDark);
                assertEquals("", browser.evaluate(contrasts), scheme);
            }
            assertQuiet(browser, page);
        }
    }

    /// The largest columns have a name and a colour, the others are one.
    @Test
    void largestOfManyColumnsAreNamed() throws Exception {
        Path input = folder.resolve("wide");
        FbsValue.Table[] fields = new FbsValue.Table[300];
        Arrays.setAll(fields, i -> int32("column_" + i));
        long[] buffers = new long[4 * fields.length];
        long end = 0;
        for (int i = 0; i < fields.length; i++) {
            buffers[4 * i] = end;
            buffers[4 * i + 2] = end;
            buffers[4 * i + 3] = i % 100 == 7 ? 64_000 : 64;
            end += buffers[4 * i + 3];
        }
        byte[] batch = MapFrames.batch(fields.length, end, buffers);
        byte[] body = new byte[Math.toIntExact(end)];
        Files.write(input, Frames.join(MapFrames.schema(fields), batch, body));
        Path page = draw(input);
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals(
                    "metadata, column_7, column_107, column_207, 297 other columns",
                    browser.evaluate(
                            "[...byId('legend').children].map(e => e.textContent).join(', ')"));
            assertEquals("3", browser.evaluate("hues.size"));
            // What is drawn and listed has these colours.
            String others = browser.evaluate("shade(undefined, 'data')");
            assertEquals(
                    "4",
                    browser.evaluate(
                            "new Set([...document.querySelectorAll('.buffer:last-child')]"
                                    + ".map(b => b.style.background)).size"));
            assertEquals(
                    others, browser.evaluate("lookOf(extentAt(drawn - 1)).fill"), "the last one");
            assertEquals(
                    "column_7 data,column_7",
                    browser.evaluate(
                            "lookOf(extentAt(starts.find((s, i) => starts[i + 1] - s > 60000)))"
                                    + ".names().join()"));
            assertQuiet(browser, page);
        }
    }

    @Test
    void columnsOfWhichNoneIsLargeAreOneItem() throws Exception {
        Path input = folder.resolve("wide");
        MapFrames.writeWide(input, 300, 2);
        Path page = draw(input);
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            String legend = "[...byId('legend').children].map(e => e.textContent).join()";
            assertTrue(
                    browser.evaluate(legend)
                            .contains("300 columns, each less than 1% of the bytes"));
            assertQuiet(browser, page);
        }
    }

    @Test
    void bodyOfManySmallColumnsHasTheirColour() throws Exception {
        Path input = folder.resolve("wide");
        MapFrames.writeWide(input, 20_000, 1);
        Path page = draw(input);
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            String coloured =
                    "(d => { let n = 0, of = 0; for (let i = 0; i < d.length; i += 4) if (d[i + 3])"
                        + " { of++; n += Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i +"
                        + " 1], d[i + 2]) > 30 } return Math.round(100 * n / of)"
                        + " })(canvas.getContext('2d').getImageData(0, 0, canvas.width,"
                        + " canvas.height).data)";
            // The rest is metadata: names and the places of buffers.
            int share = Integer.parseInt(browser.evaluate(coloured));
            int body =
                    Integer.parseInt(
                            browser.evaluate("Math.round(100 * map.totals.columns / size)"));
            assertTrue(share >= body, share + " " + body);
            assertQuiet(browser, page);
        }
    }

    @Test
    void headingsShowAndChangeTheOrderByKeyboard() throws Exception {
        Path page = draw(TradesSample.path("trades.arrow"));
        String orders = "[...document.querySelectorAll('#totals th')].map(h => h.ariaSort).join()";
        String signs =
                "[...document.querySelectorAll('#totals th button')].map(b =>"
                        + " getComputedStyle(b, '::after').content.replace(/[\" ]/g, '')).join('')";
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals("none,none,none,none", browser.evaluate(orders));
            assertEquals("↕↕↕↕", browser.evaluate(signs));
            browser.evaluate("document.querySelector('#totals button[data-key=share]').focus()");
            browser.press(" ", 32);
            browser.await(orders, "none,descending,none,none"::equals, "by share");
            assertEquals("↕▼↕↕", browser.evaluate(signs));
            browser.press(" ", 32);
            browser.await(orders, "none,ascending,none,none"::equals, "reversed");
            assertEquals("↕▲↕↕", browser.evaluate(signs));
            browser.press("Tab", TAB);
            browser.press(" ", 32);
            browser.await(orders, "none,none,descending,none"::equals, "by padding");
            assertQuiet(browser, page);
        }
    }

    @Test
    void totalsAreSortedByAClick() throws Exception {
        Path page = draw(TradesSample.path("trades.arrow"));
        String titles =
                "[...document.querySelectorAll('#totals tr.part td:last-child')]"
                        + ".map(cell => cell.textContent).join(' ')";
        String schema = "time symbol price size side venue tags dictionary 0 of symbol";
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals(schema, browser.evaluate(titles));
            String bytes = "document.querySelector('#totals button[data-key=bytes]')";
            browser.evaluate(bytes + ".click()");
            assertEquals(
                    "price tags time size venue symbol side dictionary 0 of symbol",
                    browser.evaluate(titles));
            assertEquals("descending", browser.evaluate(bytes + ".parentNode.ariaSort"));
            browser.evaluate(bytes + ".click()");
            assertTrue(browser.evaluate(titles).endsWith("side symbol venue time size tags price"));
            browser.evaluate(bytes + ".click()");
            assertEquals(schema, browser.evaluate(titles));
            browser.evaluate("document.querySelector('#totals button[data-key=title]').click()");
            assertTrue(
                    browser.evaluate(titles).startsWith("price side size symbol tags time venue"));
            assertQuiet(browser, page);
        }
    }

    /// On a telephone nothing is beside the page, or cut off at its edge.
    @Test
    void pageFitsANarrowWindow() throws Exception {
        Path page = draw(TradesSample.path("trades.arrow"));
        try (Chromium browser = Chromium.page()) {
            browser.resize(400, 800);
            browser.open(page);
            // 400 but for the scroll bar.
            int width = Integer.parseInt(browser.evaluate("document.documentElement.clientWidth"));
            assertTrue(width > 350 && width <= 400, () -> "width=" + width);
            assertEquals(width + "", browser.evaluate("document.documentElement.scrollWidth"));
            assertEquals(
                    "",
                    browser.evaluate(
                            "[...document.querySelectorAll('main *')].filter(e =>"
                                    + " e.getBoundingClientRect().right > innerWidth).map(e =>"
                                    + " e.outerHTML)"));
            assertQuiet(browser, page);
        }
    }

    @Test
    void inputWithoutBatchesHasAPage() throws Exception {
        Path input = Files.write(folder.resolve("empty"), Frames.emptySchema());
        Path page = draw(input);
        Path other = Files.write(folder.resolve("schema"), MapFrames.schema(int32("a")));
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals("No batches.", browser.evaluate("byId('rows').textContent"));
            assertEquals(
                    "true", browser.evaluate("byId('previous').disabled && byId('next').disabled"));
            browser.evaluate("turn(1)");
            assertQuiet(browser, page);
            draw(other);
            browser.open(page);
            assertEquals("2", browser.evaluate("byId('totals').tBodies[0].rows.length - 1"));
            assertQuiet(browser, page);
        }
    }
}
