// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.stream.IntStream;

/// A table on a terminal, as `columns` and `map` print it.
class TextTableTest {
    private static final String LONG = "a_rather_long_name_of_a_column_in_a_file_of_sensors";

    private static String printed(int width) {
        StringWriter out = new StringWriter();
        new TextTable(new PrintWriter(out, true))
                .fit(width, "codec", "nulls")
                .left("name", 0)
                .left("type", 0)
                .right("nulls", 0)
                .right("bytes", 0)
                .left("codec", 0)
                .titles()
                .row(LONG, "timestamp(microsecond, UTC)", 17, 123_456_789L, "zstd")
                .row("… columns: 300 more")
                .row("b", "bool", 0, 8, "zstd")
                .print();
        return out.toString();
    }

    private static String titles(int width) {
        return printed(width).lines().findFirst().orElseThrow().replaceAll(" +", " ");
    }

    @Test
    void tableIsNotCutWithoutATerminal() {
        String whole = printed(Terminal.UNLIMITED);
        assertTrue(
                whole.contains(LONG + "  timestamp(microsecond, UTC)     17  123456789  zstd\n"));
    }

    @Test
    void tableThatFitsIsComplete() {
        assertEquals("name type nulls bytes codec", titles(105));
        assertTrue(printed(105).contains(LONG + "  timestamp(microsecond, UTC)     17  123456789"));
    }

    @Test
    void optionalColumnsAreLeftOutInTheirOrder() {
        assertEquals("name type nulls bytes", titles(104));
        assertEquals("name type bytes", titles(97));
    }

    private static TextTable equalTitles(int columns, StringWriter out) {
        TextTable table = new TextTable(new PrintWriter(out, true));
        for (int i = 0; i < columns; i++) {
            table.column("name", 0, false);
        }
        return table.fitFirst(20).row(IntStream.range(0, columns).boxed().toArray()).print();
    }

    @Test
    void lastColumnsAreLeftOutFirstAlsoOfEqualTitles() {
        StringWriter out = new StringWriter();
        assertEquals(1, equalTitles(8, out).leftOut());
        assertEquals("0  1  2  3  4  5  6\n", out.toString());
    }

    @Test
    void columnsAreLeftOutInTime() {
        StringWriter out = new StringWriter();
        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertEquals(99_993, equalTitles(100_000, out).leftOut()));
    }

    @Test
    void textsAreCutAndNumbersAreNot() {
        String narrow = printed(50);
        assertTrue(narrow.contains("…  "), narrow);
        assertTrue(narrow.contains("123456789\n"), narrow);
        assertTrue(narrow.contains("… columns: 300 more\n"), narrow);
        assertTrue(narrow.lines().allMatch(line -> line.length() <= 50), narrow);
    }

    @Test
    void wideCharactersAreCutByTheirWidth() {
        StringWriter out = new StringWriter();
        new TextTable(new PrintWriter(out, true))
                .fit(20)
                .left("name", 0)
                .right("bytes", 0)
                .row("測".repeat(30), 12_345L)
                .print();
        assertEquals("測測測測測測…  12345\n", out.toString());
    }

    /// As `map` prints it: the titles first, rows of each message later.
    @Test
    void rowsAfterTheFirstPrintFitToo() {
        StringWriter out = new StringWriter();
        TextTable table =
                new TextTable(new PrintWriter(out, true))
                        .fit(30, "padding")
                        .path("column", 0)
                        .right("offset", 6)
                        .right("padding", 3);
        table.widen(0, LONG);
        table.titles().print();
        table.row(LONG, 123_456L, 17).print();
        assertEquals(
                "column                  offset\n…_in_a_file_of_sensors  123456\n", out.toString());
    }
}
