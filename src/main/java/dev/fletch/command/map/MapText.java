// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import dev.fletch.command.text.TextTable;
import dev.fletch.input.Input;
import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.scan.internal.FieldTotals;
import dev.fletch.scan.internal.MapMessage;
import dev.fletch.scan.internal.MapTotals;
import dev.fletch.scan.internal.MapWalk;
import dev.fletch.scan.internal.SmallBatches;
import dev.fletch.wire.Escaper;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// A map as text: a line per buffer, then the totals.
final class MapText {
    private static final int ROLE_WIDTH = 8;
    private static final int NUMBER_WIDTH = 7;
    private static final int LEAST_BYTES_WIDTH = 6;
    private static final String NO_COLUMN = "(no column)";

    private final PrintWriter out;
    private final Input input;
    private final MapWalk walk;
    private final ColumnOrder order;
    private final int width;
    // Null until the titles are printed.
    private TextTable table;
    private TextTable parts;

    /// @param width of the terminal
    MapText(PrintWriter out, Input input, MapWalk walk, ColumnOrder order, int width) {
        this.out = out;
        this.input = input;
        this.walk = walk;
        this.order = order;
        this.width = width;
    }

    // ---- the table

    private void titles() {
        if (table != null || walk.plan() == null) {
            return;
        }
        table =
                new TextTable(out)
                        .fit(width, "padding", "message")
                        .path("column", NO_COLUMN.length())
                        .right("message", NUMBER_WIDTH)
                        .left("role", ROLE_WIDTH)
                        .right("offset", Input.OFFSET_WIDTH)
                        .right("length", Input.OFFSET_WIDTH)
                        .right("padding", NUMBER_WIDTH);
        walk.plan().paths().forEach(each -> table.widen(0, Escaper.name(Escaper.end(each))));
        table.titles().print();
    }

    /// Prints the buffers of a message.
    void message(MapMessage message) {
        titles();
        for (MapMessage.Buffer each : message.buffers) {
            table.row(
                    each.isOwned() ? Escaper.name(message.path(each)) : NO_COLUMN,
                    message.index,
                    each.isOwned() ? each.role().text() : "",
                    each.offset(),
                    each.length(),
                    message.paddings[each.index()]);
        }
        if (table != null) {
            table.print();
        }
        if (input.isLive()) {
            out.flush();
        }
    }

    /// Ends the table; prints its titles if there were no buffers.
    void endTable() {
        titles();
        out.println();
    }

    // ---- the totals

    void totals() {
        MapTotals totals = walk.totals();
        parts =
                new TextTable(out)
                        .fit(width, "padding")
                        .right("bytes", LEAST_BYTES_WIDTH)
                        .right("share", 0)
                        .right("padding", NUMBER_WIDTH)
                        .path("part", 0)
                        .titles();
        for (BytePurpose each : BytePurpose.values()) {
            boolean isColumns = each == BytePurpose.COLUMNS;
            if (totals.bytes(each) > 0 || isColumns && !totals.columns().isEmpty()) {
                row(totals.bytes(each), "", each.id());
            }
            if (isColumns) {
                rows(totals.columns(), "columns", FieldTotals.Sums::path);
            } else if (each == BytePurpose.DICTIONARIES) {
                rows(
                        totals.dictionaries(),
                        "dictionaries",
                        sums -> sums.path() + " of " + walk.plan().user(sums.id()));
            }
        }
        row(totals.size(), "", walk.isCutShort() ? "total read" : "total");
        parts.print();
        if (totals.overlapping() > 0) {
            String text = "overlapping: bytes claimed more than once (counted once): ";
            out.println(text + totals.overlapping());
        }
        String waste = totals.waste() + " of " + totals.size();
        String share = share(totals, totals.waste());
        String small = SmallBatches.text(totals);
        if (small != null) {
            out.println(small);
        }
        out.println("waste: padding and unreferenced bytes: " + waste + ", " + share);
    }

    private void rows(
            List<FieldTotals.Sums> all, String kind, Function<FieldTotals.Sums, String> title) {
        int limit = order.most(ColumnOrder.USUAL);
        for (FieldTotals.Sums each : order.first(all, limit)) {
            row(each.bytes(), each.padding(), "  " + Escaper.name(title.apply(each)));
        }
        if (all.size() > limit) {
            parts.row("", "", "", "  " + more(all.size() - limit, kind));
        }
    }

    private void row(long bytes, Object padding, String title) {
        parts.row(bytes, share(walk.totals(), bytes), padding, title);
    }

    /// The line for entries that are not listed.
    static String more(int count, String kind) {
        return String.format(Locale.ROOT, "… %s: %,d more; --top 0 lists all", kind, count);
    }

    static String share(MapTotals totals, long bytes) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * totals.share(bytes));
    }
}
