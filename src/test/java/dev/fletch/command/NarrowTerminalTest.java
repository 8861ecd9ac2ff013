// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.LsCommand.Column;
import dev.fletch.command.text.Terminal;
import dev.fletch.command.text.TextTable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What fits a terminal of few columns, and loses nothing where there is none.
class NarrowTerminalTest {
    /// The width of a line with only the columns that are never left out.
    private static final int LEAST = 42;

    /// The width of a line with all columns.
    private static final int ALL =
            Stream.of(Column.values()).mapToInt(each -> 2 + each.width).sum() - 2;

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
    void helpFitsANarrowTerminal(int width) {
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
        TextTable table = LsCommand.table(width, new PrintWriter(out, true));
        List<Object> cells = new ArrayList<>();
        for (Column each : Column.values()) {
            cells.add(
                    switch (each) {
                        case KIND -> "DictionaryBatch";
                        case VERSION -> "V5";
                        case DICTIONARY -> "17 delta";
                        case OFFSET, BODY -> 1_234_567_890L;
                        default -> 12_345;
                    });
        }
        table.line(cells.toArray());
        return out.toString().replace("\r\n", "\n");
    }

    @Test
    void tableFitsFromItsLeastWidthOn() {
        for (int width = LEAST; width <= ALL; width++) {
            int most = width;
            assertTrue(table(width).lines().allMatch(line -> line.length() <= most), table(width));
        }
    }

    @Test
    void tableLosesColumnsInOrderAndNoneWhereThereIsRoom() {
        List<String> titles = new ArrayList<>();
        int before = 0;
        for (int width = LEAST; width <= ALL; width++) {
            String header = table(width).lines().findFirst().orElseThrow();
            int columns = header.strip().split(" +").length;
            assertTrue(columns >= before, header);
            if (columns > before) {
                titles.add(header.strip().replaceAll(" +", " "));
            }
            before = columns;
        }
        List<String> expected = new ArrayList<>();
        for (int left = LsCommand.LEFT_OUT.size(); left >= 0; left--) {
            List<String> leftOut = LsCommand.LEFT_OUT.subList(0, left);
            expected.add(
                    Stream.of(Column.values())
                            .map(each -> each.title)
                            .filter(each -> !leftOut.contains(each))
                            .collect(Collectors.joining(" ")));
        }
        assertEquals("index offset kind rows", expected.getFirst());
        assertEquals(expected, titles);
        assertEquals(table(ALL), table(Terminal.UNLIMITED));
    }
}
