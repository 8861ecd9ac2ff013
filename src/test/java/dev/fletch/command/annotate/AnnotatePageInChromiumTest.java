// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Chromium;
import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.command.map.MapFrames;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The page of `fletch annotate --html` in a real browser.
@Timeout(180)
@ResourceLock(Chromium.LOCK)
class AnnotatePageInChromiumTest {
    private static final String HOVERED =
            "[...document.querySelectorAll('#hex .byte.hovered')].map(e => e.dataset.at).join()";
    private static final String CHOSEN =
            "[...document.querySelectorAll('#hex .byte.chosen')].map(e => e.dataset.at).join()";
    private static final String SELECTED =
            "document.querySelector('#tree [aria-selected=true]')?.textContent";
    private static final String DETAILS = "document.getElementById('details').textContent";

    @TempDir Path folder;

    private Path draw(int status, Path input) {
        Path page = folder.resolve("page.html");
        Cli.Run run = Cli.run("annotate", "--html", page.toString(), input.toString());
        assertEquals("", run.err());
        assertEquals(status, run.status());
        return page;
    }

    private static void assertQuiet(Chromium browser, Path page) {
        assertEquals(List.of(), browser.complaints());
        assertEquals(List.of(page.toUri().toString()), browser.requests());
    }

    private static String item(String name) {
        return "[...document.querySelectorAll('#tree .item')].find(e => e.textContent.includes('"
                + name
                + "')).getBoundingClientRect()";
    }

    private static String cell(int at) {
        return "document.querySelector('#hex .byte[data-at=\""
                + at
                + "\"]').getBoundingClientRect()";
    }

    @Test
    void bytesAndTreeAreLinkedBothWays() throws Exception {
        Path page = draw(0, TradesSample.path("trades.arrow"));
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertTrue(browser.evaluate("document.title").startsWith("fletch annotate: "));
            assertEquals("file, 46,162 bytes", browser.evaluate("byId('summary').textContent"));
            browser.hover(item("versionMetadataVersion"));
            assertEquals("38,39", browser.evaluate(HOVERED));
            assertTrue(browser.evaluate(DETAILS).contains("value 4 V5"));
            assertTrue(browser.evaluate(DETAILS).contains("in flatbuffer +22"));
            browser.hover(cell(45));
            assertTrue(
                    browser.evaluate("document.querySelector('#tree .hovered').textContent")
                            .contains("headerTypeMessageHeader1 Schema"));
            browser.click(cell(58));
            assertEquals("56,57,58,59", browser.evaluate(CHOSEN));
            assertTrue(browser.evaluate(SELECTED).contains("vtable offset"));
            browser.evaluate("find('Field price')");
            assertTrue(browser.evaluate(SELECTED).contains("[2]Field price"));
            browser.evaluate("find('nulls of dictionary')");
            assertTrue(browser.evaluate(SELECTED).contains("nullCountlong0 nulls of dictionary 0"));
            browser.evaluate("choose(0)");
            browser.click(item("customMetadata[KeyValue]"));
            assertEquals("60,61,62,63", browser.evaluate(CHOSEN));
            assertQuiet(browser, page);
        }
    }

    @Test
    void pageIsUsableByKeyboard() throws Exception {
        Path page = draw(0, TradesSample.path("trades.arrow"));
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            for (int i = 0; i < 5; i++) { // find, fold, unfold, the bytes, the tree
                browser.press("Tab", 9);
            }
            assertEquals("tree", browser.evaluate("document.activeElement.id"));
            assertTrue(browser.evaluate(SELECTED).contains("file"));
            for (int i = 0; i < 6; i++) {
                browser.press("ArrowDown", 40);
            }
            assertEquals("16root offsetuint16 → +16go", browser.evaluate(SELECTED));
            browser.press("Enter", 13);
            assertEquals("32,33,34,35", browser.evaluate(CHOSEN));
            browser.press("ArrowLeft", 37);
            assertTrue(browser.evaluate(SELECTED).contains("table Message"));
            String before = browser.evaluate("visible.length");
            browser.press("ArrowLeft", 37);
            assertTrue(
                    Integer.parseInt(browser.evaluate("visible.length"))
                            < Integer.parseInt(before));
            browser.press("ArrowRight", 39);
            assertEquals(before, browser.evaluate("visible.length"));
            browser.evaluate("byId('hex').focus()");
            browser.press("End", 35);
            assertTrue(browser.evaluate(SELECTED).contains("\"ARROW1\""));
            assertQuiet(browser, page);
        }
    }

    @Test
    void faultsAreMarked() throws Exception {
        byte[] bytes = Files.readAllBytes(TradesSample.path("trades.stream"));
        bytes[172] = 0x71;
        Path page = draw(1, Files.write(folder.resolve("damaged"), bytes));
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertTrue(browser.evaluate("byId('faults').textContent").contains("fault"));
            assertTrue(browser.evaluate(SELECTED).contains("table-misaligned"));
            assertEquals("172,173,174,175", browser.evaluate(CHOSEN));
            assertEquals("4", browser.evaluate("document.querySelectorAll('#hex .bad').length"));
            browser.evaluate("choose(0)");
            browser.click("byId('next').getBoundingClientRect()");
            assertTrue(browser.evaluate(SELECTED).contains("table-misaligned"));
            assertQuiet(browser, page);
        }
    }

    /// All of a fault is shown, in the tree and below it, also in a narrow window.
    @Test
    void textsOfFaultsAreWrapped() throws Exception {
        byte[] bytes = Files.readAllBytes(TradesSample.path("trades.arrow"));
        bytes[38] = 9;
        Path page = draw(0, Files.write(folder.resolve("damaged"), bytes));
        String item = "document.querySelector('#tree .item.fault')";
        try (Chromium browser = Chromium.page()) {
            for (int width : new int[] {1200, 400}) {
                browser.resize(width, 800);
                browser.open(page);
                String text = browser.evaluate("faultText(data.faults[0])");
                assertTrue(text.contains("unsupported-version"), text);
                assertEquals("✗ " + text, browser.evaluate(item + ".textContent"));
                assertTrue(browser.evaluate(DETAILS).contains(text));
                assertEquals(
                        "true",
                        browser.evaluate(
                                "(d => d.scrollHeight <= d.clientHeight)(byId('details'))"));
                // No line is beside the tree, and the row has room for all of them.
                assertEquals(
                        "true",
                        browser.evaluate(
                                "(i => (right => [...i.querySelectorAll('.name-all span')].every(s"
                                        + " => { const r = document.createRange();"
                                        + " r.selectNodeContents(s); return"
                                        + " r.getBoundingClientRect().right <= right"
                                        + " }))(byId('tree').getBoundingClientRect().right) &&"
                                        + " i.offsetHeight === LINE *"
                                        + " i.querySelectorAll('.name-all span').length)("
                                        + item
                                        + ")"));
                // Rows follow each other without gaps or overlaps.
                assertEquals(
                        "true",
                        browser.evaluate(
                                "[...tree.view.children].every((e, i, all) => i === 0 ||"
                                    + " Math.abs(e.getBoundingClientRect().top - all[i -"
                                    + " 1].getBoundingClientRect().bottom) < .1) &&"
                                    + " Math.abs(tree.view.offsetHeight - LINE *"
                                    + " (tops[visible.indexOf(Number(tree.view.lastChild.dataset.row))"
                                    + " + 1] -"
                                    + " tops[visible.indexOf(Number(tree.view.firstChild.dataset.row))]))"
                                    + " < .1"));
                assertQuiet(browser, page);
            }
        }
    }

    @Test
    void withoutFaultsTheirButtonsAreDisabled() throws Exception {
        Path page = draw(0, TradesSample.path("trades.arrow"));
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals("no faults", browser.evaluate("byId('faults').textContent"));
            assertEquals(
                    "true",
                    browser.evaluate(
                            "['previous', 'next'].every(id => byId(id).disabled"
                                    + " && getComputedStyle(byId(id)).opacity < .5)"));
            browser.press("f", 70);
            assertEquals("-1", browser.evaluate("chosen"));
            assertQuiet(browser, page);
        }
    }

    /// On a telephone the controls are one line, and lines of bytes are whole.
    @Test
    void narrowWindowIsForTheContent() throws Exception {
        Path page = draw(0, TradesSample.path("trades.arrow"));
        try (Chromium browser = Chromium.page()) {
            browser.resize(400, 800);
            browser.open(page);
            assertEquals("8", browser.evaluate("perLine"));
            assertEquals(
                    "0,8,16",
                    browser.evaluate(
                            "[...document.querySelectorAll('#hex .line .place')].slice(0, 3)"
                                    + ".map(e => e.textContent).join()"));
            String fits =
                    "document.documentElement.scrollWidth <= innerWidth && hex.box.scrollWidth <="
                            + " hex.box.clientWidth";
            assertEquals("true", browser.evaluate(fits));
            String tools = "document.querySelector('.tools').offsetHeight";
            assertTrue(Integer.parseInt(browser.evaluate(tools)) < 50, tools);
            String panes = "byId('hex').offsetHeight + byId('tree').offsetHeight";
            assertTrue(Integer.parseInt(browser.evaluate(panes)) > 560, panes);
            String hidden = "byId('legend').offsetHeight === 0";
            assertEquals("true", browser.evaluate(hidden));
            browser.click("byId('more').getBoundingClientRect()");
            assertEquals("false", browser.evaluate(hidden));
            browser.evaluate("choose(regions[regionAt(44)])");
            assertEquals("44", browser.evaluate(CHOSEN));
            browser.evaluate("byId('hex').focus()");
            browser.press("ArrowDown", 40);
            assertTrue(browser.evaluate(CHOSEN).contains("52"));
            // A wide window again has lines of 16.
            browser.resize(1200, 900);
            browser.await("perLine", "16"::equals, "16");
            assertTrue(browser.evaluate(CHOSEN).contains("52"));
            assertQuiet(browser, page);
        }
    }

    /// Nothing of a text becomes markup or is run; what is large is drawn as far as it is seen.
    @Test
    void hostileNamesAreNotInterpreted() throws Exception {
        var columns = new dev.fletch.testdata.FbsValue.Table[3_000];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = MapFrames.int32("</script><img src=x onerror=window.hit=1>" + i);
        }
        Path input = Files.write(folder.resolve("<b>wide&"), MapFrames.schema(columns));
        Path page = draw(0, input);
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertTrue(Integer.parseInt(browser.evaluate("count")) > 30_000);
            String elements = "document.querySelectorAll('*').length";
            assertTrue(Integer.parseInt(browser.evaluate(elements)) < 6_000);
            browser.evaluate("find('onerror=window.hit=1>2999')");
            assertTrue(browser.evaluate(SELECTED).contains("onerror=window.hit=1>2999"));
            assertTrue(Integer.parseInt(browser.evaluate(elements)) < 6_000);
            assertEquals("0", browser.evaluate("document.querySelectorAll('img').length"));
            assertEquals("undefined", browser.evaluate("window.hit"));
            browser.evaluate("foldAll(false)");
            assertTrue(Integer.parseInt(browser.evaluate("visible.length")) < 10);
            assertQuiet(browser, page);
        }
    }

    @Test
    void searchWithoutResultSaysSo() throws Exception {
        Path page = draw(0, TradesSample.path("trades.arrow"));
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            // All of the hint can be read: measured in the field's own font.
            assertEquals(
                    "true",
                    browser.evaluate(
                            "((f, p) => { p.font = getComputedStyle(f).font; const s ="
                                    + " getComputedStyle(f); return f.clientWidth -"
                                    + " parseFloat(s.paddingLeft) - parseFloat(s.paddingRight) >"
                                    + " p.measureText(f.placeholder).width })(byId('find'),"
                                    + " document.createElement('canvas').getContext('2d'))"));
            browser.evaluate("byId('find').focus()");
            browser.evaluate("byId('find').value = 'no such thing'");
            String before = browser.evaluate("chosen");
            browser.press("Enter", 13);
            assertEquals(
                    "No name or value contains no such thing.", browser.evaluate(DETAILS).strip());
            assertEquals(before, browser.evaluate("chosen"));
            browser.evaluate("byId('find').value = 'headerType'");
            browser.press("Enter", 13);
            assertTrue(browser.evaluate(DETAILS).contains("headerType"));
            assertQuiet(browser, page);
        }
    }

    /// Faults are shown all the same.
    @Test
    void pageShowsAtMost300000Regions() throws Exception {
        CaseCount.assumeFull();
        var columns = new dev.fletch.testdata.FbsValue.Table[30_000];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = MapFrames.int32("column_" + i);
        }
        byte[] schema = MapFrames.schema(columns);
        Path input = Files.write(folder.resolve("wide"), Frames.join(schema, new byte[] {1, 2, 3}));
        Path page = folder.resolve("page.html");
        Cli.Run run = Cli.run("annotate", "--html", page.toString(), input.toString());
        assertEquals(1, run.status());
        assertEquals(
                "fletch: " + input + ": the page shows only the first 300,000 regions\n",
                run.err());
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            assertEquals("300000", browser.evaluate("regions.length"));
            assertEquals("1 fault", browser.evaluate("byId('faults').textContent"));
            browser.evaluate("choose(count - 2)");
            assertTrue(
                    browser.evaluate(SELECTED)
                            .contains("the page shows only the first 300,000 regions"));
            browser.evaluate("nextFault(1)");
            assertTrue(browser.evaluate(SELECTED).contains("✗"));
            assertQuiet(browser, page);
        }
    }

    /// The regions of a page have the names and values of JSON.
    @Test
    void pageOfOneMessageHasItsRegions() throws Exception {
        Path input = TradesSample.path("trades.arrow");
        Path page = folder.resolve("page.html");
        for (String message : List.of("4")) {
            Cli.run("annotate", "--message", message, "--html", page.toString(), input.toString());
            Cli.Run run = Cli.run("annotate", "--json", "--message", message, input.toString());
            StringBuilder expected = new StringBuilder();
            for (Object each :
                    JsonTree.array(JsonTree.object(run.json().getFirst()).get("regions"))) {
                var region = JsonTree.object(each);
                Object target = region.getOrDefault("target", "");
                expected.append(region.get("offset")).append(' ').append(region.get("length"));
                expected.append(' ').append(region.get("name")).append(' ').append(target);
                expected.append('\n');
            }
            try (Chromium browser = Chromium.page()) {
                browser.open(page);
                String found =
                        "regions.map(i => rows[i]).map(r => `${r.offset} ${r.length} ${r.name}"
                                + " ${r.target ?? ''}\\n"
                                + "`).join('')";
                assertEquals(expected.toString().strip(), browser.evaluate(found).strip());
                assertQuiet(browser, page);
            }
        }
    }

    @Test
    void pageIsAtMostTenTimesItsMetadata() throws Exception {
        Path input = folder.resolve("wide");
        MapFrames.writeWide(input, 400, 20);
        String page = Cli.run("annotate", "--html", "-", input.toString()).out();
        var totals = JsonTree.object(Cli.run("map", "--json", input.toString()).json().getFirst());
        long metadata = (Long) JsonTree.object(totals.get("totals")).get("metadata");
        assertTrue(page.length() < 10 * metadata, page.length() + " " + metadata);
    }

    @Test
    void emptyAndForeignInputsHaveAPage() throws Exception {
        Path empty = Files.write(folder.resolve("empty"), new byte[0]);
        Path text = Files.writeString(folder.resolve("text"), "hello, world");
        try (Chromium browser = Chromium.page()) {
            for (Path each : List.of(empty, text)) {
                Path page = draw(1, each);
                browser.open(page);
                assertEquals("1 fault", browser.evaluate("byId('faults').textContent"));
                browser.evaluate("byId('hex').focus()");
                browser.press("ArrowDown", 40);
                browser.hover("document.querySelector('#tree .item').getBoundingClientRect()");
                assertQuiet(browser, page);
            }
        }
    }

    /// Of a long text, the first bytes are on the page, and what is behind it.
    @Test
    void lastByteOfLargeMetadataIsReached() throws Exception {
        CaseCount.assumeFull();
        var builder = new com.google.flatbuffers.FlatBufferBuilder(1 << 25);
        int key = builder.createString("key");
        int value = builder.createString("v".repeat(13_500_000));
        int pair = org.apache.arrow.flatbuf.KeyValue.createKeyValue(builder, key, value);
        int pairs =
                org.apache.arrow.flatbuf.Schema.createCustomMetadataVector(
                        builder, new int[] {pair});
        org.apache.arrow.flatbuf.Schema.startSchema(builder);
        org.apache.arrow.flatbuf.Schema.addCustomMetadata(builder, pairs);
        builder.finish(org.apache.arrow.flatbuf.Schema.endSchema(builder));
        Path large = Files.write(folder.resolve("large"), builder.sizedByteArray());
        Path page = folder.resolve("page.html");
        Cli.run("annotate", "--html", page.toString(), "--root=schema", large.toString());
        try (Chromium browser = Chromium.page()) {
            browser.open(page);
            browser.evaluate("choose(regions[regionAt(shown - 1)])");
            String last = "#hex .byte.chosen[data-at=\"" + (Files.size(large) - 1) + "\"]";
            assertEquals(
                    "true", browser.evaluate("document.querySelector('" + last + "') != null"));
            String hidden =
                    "[...document.querySelectorAll('#hex .opaque')].map(e => e.textContent)";
            assertEquals("13,495,904 bytes, not shown", browser.evaluate(hidden + ".join()"));
            assertQuiet(browser, page);
        }
    }

    @Test
    void inputIsNeverOverwritten() throws Exception {
        Path input = Files.write(folder.resolve("input"), Frames.emptySchema());
        Cli.Run run = Cli.run("annotate", "--html", input.toString(), input.toString());
        assertEquals(2, run.status());
        assertEquals("fletch: " + input + ": page would overwrite the input\n", run.err());
        Cli.Run page = Cli.run("annotate", "--html", "-", input.toString());
        assertTrue(page.out().startsWith("<!DOCTYPE html>") && page.out().endsWith("</html>\n"));
        assertTrue(!page.out().matches("(?s).*(src=|href=|url\\(|@import|https?://).*"));
        assertTrue(!page.out().matches("(?s).*@(STYLE|SCRIPT|HASH|DATA|BODY|NAME)@.*"));
    }
}
