// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.cli.JsonTree;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// All tables of a run, with what belongs beside them.
final class BoardReport {
    private final BoardRecord record;

    BoardReport(BoardRecord record) {
        this.record = record;
    }

    /// @param markdown whether for a document
    String print(boolean markdown) {
        final StringBuilder out = new StringBuilder(machine());
        final BoardText text = new BoardText(rows());
        if (!text.sides().isEmpty()) {
            if (!isQuick()) {
                out.append('\n').append(table(text.goals(), markdown));
                out.append('\n').append(text.summary()).append('\n').append(LEGEND);
            }
            out.append(
                    "\n"
                        + "All sides; medians, two of them for heap / direct memory, ± half of what"
                        + " the middle half\n"
                        + "of the iterations spans where that is above a tenth.\n\n");
            out.append(table(text.sides(), markdown));
        }
        if (!record.tail().isEmpty()) {
            out.append(TAIL).append(table(tail(), markdown));
        }
        if (!record.cold().isEmpty()) {
            out.append(COLD).append(table(cold(), markdown));
        }
        return out.toString();
    }

    private static final String LEGEND =
            """

            Two times are heap / direct memory. Fletch's slower one counts, and of the peer, flatc's
            generated classes where nothing else is said, the fastest: objects used again or fresh,
            heap or direct. "Equal" is up to %s times the time.
            "polluted" is Fletch in a JVM that has used heap, direct and mapped memory, against its
            clean time; at most %s is aimed at. The C++ is flatc's, in a process of its own.
            """
                    .formatted(BoardRow.EQUAL, Workload.POLLUTED);

    private static final String TAIL =
            """

            Decoding a RecordBatch message of 10 columns, each message timed by itself, nanoseconds; the
            timer's own is in all of them. A closed loop: no message waits for another, so none is omitted.

            """;

    private static final String COLD =
            """

            `./fletch ls` on the sample as a process, milliseconds, with the launcher and the JVM's start.

            """;

    private static String table(Grid grid, boolean markdown) {
        return markdown ? grid.markdown() : grid.text();
    }

    private String machine() {
        final List<String> facts = new ArrayList<>();
        for (Map.Entry<String, Object> each : record.machine().entrySet()) {
            final boolean isCommand = each.getKey().equals("command");
            final String value = isCommand ? "`" + each.getValue() + "`" : "" + each.getValue();
            facts.add(each.getKey() + ": " + value);
        }
        final String warning =
                isQuick()
                        ? "A smoke run: everything ran, and all sides read and wrote the same. The"
                                + " times mean nothing.\n"
                        : "";
        return warning + String.join("; ", facts) + "\n";
    }

    private boolean isQuick() {
        return record.effort().equals(BoardOptions.Effort.QUICK.name());
    }

    private List<BoardRow> rows() {
        final Figures figures = record.figures();
        return Workloads.ALL.stream().map(each -> new BoardRow(each, figures)).toList();
    }

    private Grid tail() {
        final Grid grid =
                new Grid(
                        "side",
                        "messages",
                        "p50",
                        "p90",
                        "p99",
                        "p99.9",
                        "p99.99",
                        "max",
                        "collections",
                        "their time, ms");
        for (Object each : record.tail()) {
            final Map<String, Object> side = JsonTree.object(each);
            grid.add(
                    title((String) side.get("side")),
                    number(side.get("messages")),
                    number(side.get("p50")),
                    number(side.get("p90")),
                    number(side.get("p99")),
                    number(side.get("p99.9")),
                    number(side.get("p99.99")),
                    number(side.get("max")),
                    number(side.get("collections")),
                    number(side.get("collectionMilliseconds")));
        }
        return grid;
    }

    private static String title(String side) {
        return switch (side) {
            case "timer" -> "the timer alone";
            case "fletch" -> "Fletch";
            case "reused" -> "generated, reused objects";
            default -> "generated, fresh objects";
        };
    }

    private Grid cold() {
        final Grid grid = new Grid("way", "runs", "least", "median", "most");
        for (Object each : record.cold()) {
            final Map<String, Object> way = JsonTree.object(each);
            grid.add(
                    (String) way.get("way"),
                    number(way.get("runs")),
                    milliseconds(way.get("least")),
                    milliseconds(way.get("median")),
                    milliseconds(way.get("most")));
        }
        return grid;
    }

    private static String number(Object value) {
        return String.format(Locale.ROOT, "%,d", (Long) value);
    }

    private static String milliseconds(Object microseconds) {
        return String.format(Locale.ROOT, "%.0f", (Long) microseconds / 1e3);
    }
}
