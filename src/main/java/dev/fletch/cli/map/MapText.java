// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.cli.io.Input;
import dev.fletch.wire.Escaper;

import java.io.PrintWriter;
import java.util.Locale;

/// A map for a person: a line per buffer, then the totals.
final class MapText implements MapSink {
    // A longer path moves the rest of its line.
    private static final int WIDEST_PATH = 40;
    private static final int MESSAGE_WIDTH = 7;
    private static final int ROLE_WIDTH = 8;
    private static final int PADDING_WIDTH = 7;
    private static final int SHARE_WIDTH = 6;
    private static final String NO_COLUMN = "(no column)";

    private final PrintWriter out;
    private final boolean hasTable;
    private final boolean isLive;
    // For offsets and lengths.
    private final int placeWidth;
    private final StringBuilder line = new StringBuilder();
    private int pathWidth;

    /// @param hasTable whether to show more than the totals
    MapText(PrintWriter out, Input input, boolean hasTable) {
        this.out = out;
        this.placeWidth = input.placeWidth();
        this.isLive = input.isLive();
        this.hasTable = hasTable;
    }

    // ---- the table

    @Override
    public void plan(MapPlan plan) {
        if (!hasTable) {
            return;
        }
        pathWidth = Math.clamp(plan.longestPath(), NO_COLUMN.length(), WIDEST_PATH);
        left("column", pathWidth);
        right("message", MESSAGE_WIDTH);
        left("role", ROLE_WIDTH);
        right("offset", placeWidth);
        right("length", placeWidth);
        right("padding", PADDING_WIDTH);
        endLine();
    }

    @Override
    public void message(MapMessage message) {
        if (hasTable) {
            for (MapMessage.Buffer each : message.buffers) {
                left(each.isOwned() ? Escaper.name(message.path(each)) : NO_COLUMN, pathWidth);
                right(Integer.toString(message.index), MESSAGE_WIDTH);
                left(each.isOwned() ? each.role.text() : "", ROLE_WIDTH);
                right(Long.toString(each.offset), placeWidth);
                right(Long.toString(each.length), placeWidth);
                right(Long.toString(each.padding), PADDING_WIDTH);
                endLine();
            }
        }
        if (isLive) {
            out.flush();
        }
    }

    // ---- the totals

    @Override
    public void end(MapMessage rest, MapTotals totals) {
        if (hasTable) {
            out.println();
        }
        right("bytes", placeWidth);
        right("share", SHARE_WIDTH);
        right("padding", PADDING_WIDTH);
        left("of", 0);
        endLine();
        for (MapClass each : MapClass.values()) {
            if (totals.bytes(each) > 0 || each == MapClass.COLUMNS && totals.columnCount() > 0) {
                total(totals, totals.bytes(each), "", each.id());
            }
            if (each == MapClass.COLUMNS) {
                columns(totals);
            } else if (each == MapClass.DICTIONARIES) {
                totals.dictionaries()
                        .forEach((id, sums) -> part(totals, sums[0], sums[1], MapPlan.title(id)));
            }
        }
        total(totals, totals.size(), "", "total");
        if (totals.overlapping() > 0) {
            out.println(
                    "overlapping: bytes claimed more than once, and counted once: "
                            + totals.overlapping());
        }
        out.println(
                String.format(
                        Locale.ROOT,
                        "waste: padding and unreferenced bytes: %d of %d, %s",
                        totals.waste(),
                        totals.size(),
                        share(totals, totals.waste())));
    }

    private void columns(MapTotals totals) {
        for (int i = 0; i < totals.columnCount(); i++) {
            part(
                    totals,
                    totals.columnBytes(i),
                    totals.columnPadding(i),
                    Escaper.name(totals.columnPath(i)));
        }
    }

    private void part(MapTotals totals, long bytes, long padding, String title) {
        total(totals, bytes, Long.toString(padding), "  " + title);
    }

    private void total(MapTotals totals, long bytes, String padding, String title) {
        right(Long.toString(bytes), placeWidth);
        right(share(totals, bytes), SHARE_WIDTH);
        right(padding, PADDING_WIDTH);
        left(title, 0);
        endLine();
    }

    private static String share(MapTotals totals, long bytes) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * totals.share(bytes));
    }

    // ---- lines

    private void left(String cell, int width) {
        gap();
        line.append(cell).repeat(' ', Math.max(0, width - cell.length()));
    }

    private void right(String cell, int width) {
        gap();
        line.repeat(' ', Math.max(0, width - cell.length())).append(cell);
    }

    private void gap() {
        if (!line.isEmpty()) {
            line.append("  ");
        }
    }

    private void endLine() {
        out.println(line);
        line.setLength(0);
    }
}
