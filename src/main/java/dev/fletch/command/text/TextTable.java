// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A text table. Rows are kept until they are printed; each column becomes as wide as its widest
/// cell, up to a limit. A wider cell shifts the rest of its line; no cell is cut.
public final class TextTable {
    private static final int WIDEST = 40;
    private static final String GAP = "  ";
    private static final int FIRST_MARK = 0x0300;
    private static final int FIRST_EMOJI = 0x1F300;
    private static final int LAST_EMOJI = 0x1FAFF;

    private static final class Column {
        private final String title;
        private final boolean isNumber;
        private int width;

        Column(String title, boolean isNumber, int width) {
            this.title = title;
            this.isNumber = isNumber;
            this.width = width;
        }
    }

    private final PrintWriter out;
    private final List<Column> columns = new ArrayList<>();
    private final List<Object[]> rows = new ArrayList<>();

    public TextTable(PrintWriter out) {
        this.out = out;
    }

    /// Adds a left-aligned column.
    ///
    /// @param width the least width, in characters
    public TextTable left(String title, int width) {
        return column(title, width, false);
    }

    /// Adds a right-aligned column, for numbers.
    ///
    /// @param width the least width, in characters
    public TextTable right(String title, int width) {
        return column(title, width, true);
    }

    /// Adds a column.
    ///
    /// @param width the least width, in characters
    /// @param isNumber whether it is right-aligned
    public TextTable column(String title, int width, boolean isNumber) {
        columns.add(new Column(title, isNumber, width));
        return this;
    }

    /// Adds a row with the titles.
    public TextTable titles() {
        return row(columns.stream().map(each -> each.title).toArray());
    }

    /// Adds a row.
    ///
    /// @param cells one per column, null if empty; or a single cell that spans the line
    public TextTable row(Object... cells) {
        rows.add(cells);
        for (int i = 0; cells.length > 1 && i < cells.length; i++) {
            widen(i, text(cells[i]));
        }
        return this;
    }

    /// Widens a column for a later cell.
    public void widen(int column, String cell) {
        Column widened = columns.get(column);
        widened.width = Math.max(widened.width, Math.min(WIDEST, width(cell)));
    }

    /// Prints the rows added since the last call.
    public TextTable print() {
        rows.forEach(this::line);
        rows.clear();
        return this;
    }

    /// Prints a row at once. A cell wider than its column shifts the rest of the line.
    ///
    /// @param cells as of [#row]
    public void line(Object... cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String text = text(cells[i]);
            Column column = columns.get(i);
            int missing = Math.max(0, column.width - width(text));
            line.append(i == 0 ? "" : GAP).repeat(' ', column.isNumber ? missing : 0);
            line.append(text).repeat(' ', column.isNumber ? 0 : missing);
        }
        out.println(line.toString().stripTrailing());
    }

    private static String text(Object cell) {
        return Objects.toString(cell, "");
    }

    /// The width of a text, in columns of a terminal.
    private static int width(String text) {
        return text.codePoints().map(TextTable::width).sum();
    }

    private static int width(int c) {
        if (c < FIRST_MARK) {
            return 1;
        }
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
            default ->
                    switch (Character.UnicodeScript.of(c)) {
                        case HAN, HANGUL, HIRAGANA, KATAKANA -> 2;
                        default -> c >= FIRST_EMOJI && c <= LAST_EMOJI ? 2 : 1;
                    };
        };
    }
}
