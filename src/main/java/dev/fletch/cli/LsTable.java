// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The table that `fletch ls` prints for a person, a line as soon as it is known. Where lines may not be
/// as long as all columns are together, some columns are left out; what is shown is never cut.
final class LsTable {
    /// The columns, with widths that suffice for most: what the next message needs is not known yet.
    enum Column {
        INDEX("index", 5, true),
        OFFSET("offset", 0, true),
        KIND("kind", 15, false),
        VERSION("version", 7, false),
        PREFIX("prefix", 6, true),
        METADATA("metadata", 8, true),
        BODY("body", 0, true),
        ROWS("rows", 10, true),
        DICTIONARY("dictionary", 10, false);

        private final String title;
        // 0 stands for that of offsets and lengths of bodies.
        private final int width;
        private final boolean isNumber;

        Column(String title, int width, boolean isNumber) {
            this.title = title;
            this.width = width;
            this.isNumber = isNumber;
        }
    }

    private static final int GAP = 2;
    private static final int LEAST_ROWS_WIDTH = 6;

    // What can be done without, most easily first.
    private static final List<Column> DISPENSABLE =
            List.of(Column.PREFIX, Column.VERSION, Column.METADATA, Column.BODY, Column.DICTIONARY);

    private final PrintWriter out;
    private final int placeWidth;
    private final int rowsWidth;
    private final Set<Column> shown = EnumSet.allOf(Column.class);
    private final StringBuilder line = new StringBuilder();

    /// @param width how many characters a line may have
    /// @param placeWidth digits of the largest offset
    LsTable(PrintWriter out, int width, int placeWidth) {
        this.out = out;
        this.placeWidth = placeWidth;
        int rows = Column.ROWS.width;
        int spare = rows - LEAST_ROWS_WIDTH;
        rowsWidth = rows - Math.clamp((long) width() - width, 0, spare);
        for (Column each : DISPENSABLE) {
            if (width() - (rows - rowsWidth) > width) {
                shown.remove(each);
            }
        }
    }

    /// Of a line as it is meant to be.
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
        end();
    }

    /// Adds what a message has in a column. Columns come in order, those of which it has nothing as well.
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

    /// Ends a line, which has no spaces at its end.
    void end() {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == ' ') {
            end--;
        }
        out.append(line, 0, end);
        out.println();
        line.setLength(0);
    }
}
