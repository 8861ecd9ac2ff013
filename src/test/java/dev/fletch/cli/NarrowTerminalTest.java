// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.cli.LsTable.Column;
import dev.fletch.cli.text.Terminal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/// What fits a terminal of few columns, and loses nothing where there is none.
class NarrowTerminalTest {
    private static final int PLACE_WIDTH = 7;
    private static final int ALL = 102;

    @Test
    void noTerminalIsTakenForLessThanFortyColumns() {
        assertEquals(40, Terminal.width("40", null));
        assertEquals(40, Terminal.width(null, "24 12"));
        assertEquals(59, Terminal.width(null, "24 59"));
    }

    // ---- help

    private static List<String> help(int width, String... args) {
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out));
        command.setUsageHelpWidth(width);
        assertEquals(0, command.execute(args));
        return out.toString().lines().toList();
    }

    private static List<String[]> commands() {
        List<String[]> all = new ArrayList<>();
        all.add(new String[] {"--help"});
        for (String each : Main.commandLine().getSubcommands().keySet()) {
            all.add(new String[] {each, "--help"});
            all.add(new String[] {"help", each});
        }
        return all;
    }

    /// All but the spaces: picocli breaks lines also inside of words that are joined by a hyphen.
    private static String letters(List<String> lines) {
        return String.join("", lines).replaceAll("\\s", "");
    }

    @ParameterizedTest
    @ValueSource(ints = {Main.LEAST_HELP_WIDTH, 60, 79})
    void helpFitsAndIsWhole(int width) {
        for (String[] each : commands()) {
            List<String> lines = help(width, each);
            for (String line : lines) {
                assertTrue(
                        line.length() <= width, () -> line.length() + " of " + width + ": " + line);
            }
            assertEquals(letters(help(Main.USUAL_HELP_WIDTH, each)), letters(lines));
        }
    }

    // ---- ls

    private static String table(int width) {
        StringWriter out = new StringWriter();
        LsTable table = new LsTable(new PrintWriter(out), width, PLACE_WIDTH);
        table.header();
        for (Column each : Column.values()) {
            switch (each) {
                case KIND -> table.cell(each, "DictionaryBatch");
                case VERSION -> table.cell(each, "V5");
                case DICTIONARY -> table.cell(each, "17 delta");
                case OFFSET, BODY -> table.cell(each, 1_234_560L);
                default -> table.cell(each, 12_345);
            }
        }
        table.end("");
        return out.toString().replace("\r\n", "\n");
    }

    @Test
    void tableFitsFromFortyColumnsOn() {
        for (int width = 40; width <= ALL; width++) {
            int most = width;
            assertTrue(table(width).lines().allMatch(line -> line.length() <= most), table(width));
        }
    }

    @Test
    void tableLosesColumnsInOrderAndNoneWhereThereIsRoom() {
        List<String> titles = new ArrayList<>();
        int before = 0;
        for (int width = 40; width <= ALL; width++) {
            String header = table(width).lines().findFirst().orElseThrow();
            int columns = header.strip().split(" +").length;
            assertTrue(columns >= before, header);
            if (columns > before) {
                titles.add(header.strip().replaceAll(" +", " "));
            }
            before = columns;
        }
        assertEquals(
                List.of(
                        "index offset kind rows",
                        "index offset kind rows dictionary",
                        "index offset kind body rows dictionary",
                        "index offset kind body rows dictionary codec",
                        "index offset kind metadata body rows dictionary codec",
                        "index offset kind version metadata body rows dictionary codec",
                        "index offset kind version prefix metadata body rows dictionary codec"),
                titles);
        assertEquals(table(ALL), table(Terminal.UNLIMITED));
    }
}
