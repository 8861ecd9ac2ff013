// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.cli.LsCommand.Column;

import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Set;

/// The table that `fletch ls` prints, line by line. A terminal too narrow for all columns gets fewer
/// columns; cells are never cut.
final class LsTable {
    private static final int GAP = 2;
    private static final int LEAST_ROWS_WIDTH = 6;

    private final PrintWriter out;
    private final int placeWidth;
    private final int rowsWidth;
    private final Set<Column> shown = EnumSet.allOf(Column.class);
    private final StringBuilder line = new StringBuilder();

    /// @param width maximum length of a line, in characters
    /// @param placeWidth digits of the largest offset
    LsTable(PrintWriter out, int width, int placeWidth) {
        this.out = out;
        this.placeWidth = placeWidth;
        int rows = Column.ROWS.width;
        int spare = rows - LEAST_ROWS_WIDTH;
        rowsWidth = rows - Math.clamp((long) width() - width, 0, spare);
        for (Column each : Column.LEFT_OUT) {
            if (width() - (rows - rowsWidth) > width) {
                shown.remove(each);
            }
        }
    }

    /// Length in characters of a line with the usual column widths.
    private int width() {
        return shown.stream().mapToInt(each -> GAP + usual(each)).sum() - GAP;
    }

    private int usual(Column column) {
        return column.width == 0 ? placeWidth : column.width;
    }

    void header() {
        for (Column each : Column.values()) {
            cell(each, each.title);
        }
        end("");
    }

    /// Adds a cell. A line has one cell per column, in the order of the columns.
    LsTable cell(Column column, String text) {
        if (shown.contains(column)) {
            int width = column == Column.ROWS ? rowsWidth : usual(column);
            int missing = Math.max(0, width - text.length());
            line.repeat(' ', line.isEmpty() ? 0 : GAP);
            line.repeat(' ', column.isNumber ? missing : 0).append(text);
            line.repeat(' ', column.isNumber ? 0 : missing);
        }
        return this;
    }

    LsTable cell(Column column, long number) {
        return cell(column, Long.toString(number));
    }

    /// Ends a line and strips trailing spaces.
    ///
    /// @param note text after the last cell; may be empty
    void end(String note) {
        line.append(note.isEmpty() ? "" : "  ").append(note);
        out.println(line.toString().stripTrailing());
        line.setLength(0);
    }
}
