// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.ArrayList;
import java.util.List;

/// A table with a header, formatted as text or Markdown.
final class Grid {
    private final List<List<String>> rows = new ArrayList<>();

    Grid(String... head) {
        rows.add(List.of(head));
    }

    void add(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("cells: " + cells.length);
        }
        rows.add(List.of(cells));
    }

    boolean isEmpty() {
        return rows.size() == 1;
    }

    String markdown() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            out.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
            if (i == 0) {
                out.append("|---".repeat(rows.getFirst().size())).append("|\n");
            }
        }
        return out.toString();
    }

    /// Aligns the first column to the left, all others to the right.
    String text() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String space = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? row.get(i) + space : "  " + space + row.get(i));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}
