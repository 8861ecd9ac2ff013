// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// A text table. Rows are kept until they are printed; each column becomes as wide as its widest
/// cell, up to a limit. A wider cell shifts the rest of its line.
///
/// On a terminal, a table can [#fit]: then no line is wider than the terminal, if possible.
public final class TextTable {
    private static final int WIDEST = 40;
    private static final int LEAST_TEXT = 12;
    private static final String GAP = "  ";

    private static final class Column {
        private final String title;
        private final boolean isNumber;
        private int width;
        private boolean isPath;
        private boolean isLeftOut;

        Column(String title, boolean isNumber, int width) {
            this.title = title;
            this.isNumber = isNumber;
            this.width = width;
        }
    }

    private final PrintWriter out;
    private final List<Column> columns = new ArrayList<>();
    private final List<Object[]> rows = new ArrayList<>();
    private int limit = Terminal.UNLIMITED;
    private List<String> optional = List.of();
    private boolean keepsFirst;
    private boolean isFitted;

    public TextTable(PrintWriter out) {
        this.out = out;
    }

    /// Adds a left-aligned column.
    public TextTable left(String title, int width) {
        return column(title, width, false);
    }

    /// Adds a left-aligned column for paths: of one that is cut, the end is shown.
    public TextTable path(String title, int width) {
        column(title, width, false);
        columns.getLast().isPath = true;
        return this;
    }

    /// Adds a right-aligned column, for numbers.
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

    /// Fits the table into a width. When the first rows are printed, it leaves out columns, then
    /// narrows texts, whose cells are cut. Numbers are never cut.
    ///
    /// @param width of the terminal; [Terminal#UNLIMITED] if it is none
    /// @param leftOut titles of columns that may be left out, the first one first
    public TextTable fit(int width, String... leftOut) {
        limit = width;
        optional = List.of(leftOut);
        return this;
    }

    /// Same as [#fit], but leaves out the last column first, and keeps the first one.
    public TextTable fitFirst(int width) {
        limit = width;
        keepsFirst = true;
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
        if (isFitted && !widened.isNumber) {
            return;
        }
        int widest = isLimited() ? limit : WIDEST;
        widened.width = Math.max(widened.width, Math.min(widest, Terminal.columns(cell)));
    }

    /// Prints the rows added since the last call.
    public TextTable print() {
        if (isLimited() && !isFitted) {
            narrow();
            isFitted = true;
        }
        if (!columns.isEmpty()) {
            rows.forEach(this::line);
        }
        rows.clear();
        return this;
    }

    /// Number of columns that were left out, after the first rows are printed.
    public int leftOut() {
        return (int) columns.stream().filter(each -> each.isLeftOut).count();
    }

    private boolean isLimited() {
        return limit != Terminal.UNLIMITED;
    }

    /// Leaves out columns with these titles, the first one first, until a line is not too wide.
    public TextTable leaveOut(int limit, List<String> titles) {
        for (String title : titles) {
            leaveOutOf(columns.stream().filter(each -> each.title.equals(title)).toList(), limit);
        }
        return this;
    }

    private void leaveOutOf(List<Column> some, int limit) {
        int width = lineWidth();
        for (int i = 0; i < some.size() && width > limit; i++) {
            Column column = some.get(i);
            width -= column.isLeftOut ? 0 : column.width + GAP.length();
            column.isLeftOut = true;
        }
    }

    private void narrow() {
        leaveOut(limit, optional);
        if (keepsFirst && !columns.isEmpty()) {
            leaveOutOf(columns.subList(1, columns.size()).reversed(), limit);
        }
        Column widest = widestText();
        while (lineWidth() > limit && widest != null && widest.width > LEAST_TEXT) {
            widest.width--;
            widest = widestText();
        }
    }

    private Stream<Column> shown() {
        return columns.stream().filter(each -> !each.isLeftOut);
    }

    private int lineWidth() {
        return shown().mapToInt(each -> each.width + GAP.length()).sum() - GAP.length();
    }

    private Column widestText() {
        return shown().filter(each -> !each.isNumber)
                .max(Comparator.comparingInt(each -> each.width))
                .orElse(null);
    }

    /// Prints a [#row] at once. A cell wider than its column is cut if the table is to [#fit], else
    /// it shifts the rest of the line; numbers always shift it.
    public void line(Object... cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            Column column = columns.get(i);
            if (column.isLeftOut) {
                continue;
            }
            String text = cells.length == 1 ? text(cells[i]) : cut(text(cells[i]), column);
            int missing = Math.max(0, column.width - Terminal.columns(text));
            line.append(line.isEmpty() ? "" : GAP).repeat(' ', column.isNumber ? missing : 0);
            line.append(text).repeat(' ', column.isNumber ? 0 : missing);
        }
        out.println(line.toString().stripTrailing());
    }

    private String cut(String text, Column column) {
        if (!isLimited() || column.isNumber || Terminal.columns(text) <= column.width) {
            return text;
        }
        return column.isPath
                ? "…" + Terminal.end(text, column.width - 1)
                : Terminal.shortened(text, column.width);
    }

    private static String text(Object cell) {
        return Objects.toString(cell, "");
    }
}
