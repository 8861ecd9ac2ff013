// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.cli.JsonTree;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/// The tables of a run: ratios, times, single messages, the command's start.
final class BoardReport {
    private static final String NONE = "–";

    private static final String RATIOS =
            """

            Ratios of time: Fletch's as a multiple of the peer's; below 1 Fletch is the faster one.

            - The first four columns: the classes that flatc generates, *unverified*. Both sides are in the
              same kind of memory, in JVMs that have used no other kind, or all three ("all used").
            - "native" is direct memory; for files it is mapped. "native, all used" is mapped memory for all
              that is read.
            - C++: the code that flatc generates, in native memory. It verifies what Fletch verifies.
            - In brackets: the range of single forks, where they differ by more than a tenth.
            - B/op: what Fletch allocates.

            """;

    private static final String TIMES =
            """

            The times behind the ratios in nanoseconds: Fletch / generated classes, unverified.

            """;

    private static final String TAIL =
            """

            Single messages: the next batch of 10 columns, all numbers, in direct memory. Each message is timed
            by itself, in nanoseconds, in code that was compiled by many short calls; the timer's own time is
            in all of them. A closed loop: no message waits for another.

            """;

    private static final String FIRST =
            """

            The first messages after a start of the JVM: nanoseconds a message, the median of %s starts.

            """;

    private static final String COLD =
            """

            `./fletch ls`, `schema` and `count` on the sample as a process, in milliseconds, with the start of
            the launcher and of the JVM.

            """;

    private final BoardRecord record;

    BoardReport(BoardRecord record) {
        this.record = record;
    }

    /// @param markdown whether to print tables for a document
    String print(boolean markdown) {
        final StringBuilder out = new StringBuilder(machine());
        final Grid times = times();
        if (!times.isEmpty() && !record.isQuick()) {
            append(RATIOS, ratios(), markdown, out);
        }
        append(TIMES, times, markdown, out);
        append(TAIL, tail(), markdown, out);
        append(FIRST.formatted(starts()), first(), markdown, out);
        append(COLD, cold(), markdown, out);
        return out.toString();
    }

    private static void append(String text, Grid grid, boolean markdown, StringBuilder out) {
        if (!grid.isEmpty()) {
            out.append(text).append(markdown ? grid.markdown() : grid.text());
        }
    }

    private String machine() {
        final List<String> facts = new ArrayList<>();
        for (Map.Entry<String, Object> each : record.machine().entrySet()) {
            final boolean isCommand = each.getKey().equals("command");
            final String value = isCommand ? "`" + each.getValue() + "`" : "" + each.getValue();
            facts.add(each.getKey() + ": " + value);
        }
        final String warning =
                record.isQuick()
                        ? "A smoke run: everything ran, and all sides read and wrote the same. The"
                                + " times mean nothing.\n"
                        : "";
        return warning + String.join("; ", facts) + "\n";
    }

    // ---- the rows

    private static Grid grid(String first, String... last) {
        final List<String> head = new ArrayList<>(List.of(first));
        head.addAll(Setting.COLUMNS);
        head.addAll(List.of(last));
        return new Grid(head.toArray(String[]::new));
    }

    private Grid ratios() {
        final Figures figures = record.figures();
        final Grid grid = grid("task", "C++, verified", "others", "B/op");
        for (Row row : measured(figures)) {
            final Figure own = figures.jvm(row, row.fletch(), row.nativeSetting());
            final List<String> cells = new ArrayList<>(List.of(row.title()));
            for (Setting setting : inColumns(row)) {
                cells.add(text(ratio(figures, row, setting)));
            }
            cells.add(text(Ratio.of(own, figures.cpp(row))));
            cells.add(others(row, other -> text(Ratio.of(own, other(figures, row, other)))));
            cells.add(bytes(own));
            grid.add(cells.toArray(String[]::new));
        }
        return grid;
    }

    private Grid times() {
        final Figures figures = record.figures();
        final Grid grid = grid("task", "C++, verified", "others");
        for (Row row : measured(figures)) {
            final List<String> cells = new ArrayList<>(List.of(row.title()));
            for (Setting setting : inColumns(row)) {
                final String fletch = time(figure(figures, row, row.fletch(), setting));
                final String generated = time(figure(figures, row, row.generated(), setting));
                cells.add(generated.equals(NONE) ? fletch : fletch + " / " + generated);
            }
            cells.add(time(figures.cpp(row)));
            cells.add(others(row, other -> time(other(figures, row, other))));
            grid.add(cells.toArray(String[]::new));
        }
        return grid;
    }

    private static List<Row> measured(Figures figures) {
        return Rows.ALL.stream()
                .filter(row -> figures.jvm(row, row.fletch(), row.nativeSetting()) != null)
                .toList();
    }

    /// The row's settings by the column that they belong to; null where there is none.
    private static Setting[] inColumns(Row row) {
        final Setting[] columns = new Setting[Setting.COLUMNS.size()];
        row.settings().forEach(each -> columns[each.column()] = each);
        return columns;
    }

    /// A time; null if there is no such method or setting, or it was not measured.
    private static Figure figure(Figures figures, Row row, String method, Setting setting) {
        return method == null || setting == null ? null : figures.jvm(row, method, setting);
    }

    private static Ratio ratio(Figures figures, Row row, Setting setting) {
        return Ratio.of(
                figure(figures, row, row.fletch(), setting),
                figure(figures, row, row.generated(), setting));
    }

    private static Figure other(Figures figures, Row row, Row.Other other) {
        return figures.jvm(row, other.method(), row.nativeSetting());
    }

    private static String others(Row row, Function<Row.Other, String> text) {
        final List<String> all = new ArrayList<>();
        row.others().forEach(other -> all.add(other.title() + " " + text.apply(other)));
        return all.isEmpty() ? NONE : String.join(", ", all);
    }

    // ---- single messages, and the command

    private Grid tail() {
        final Grid grid =
                new Grid("side", "messages", "p50", "p90", "p99", "p99.9", "p99.99", "most");
        for (Object each : record.tail()) {
            final Map<String, Object> side = JsonTree.object(each);
            grid.add(
                    (String) side.get("side"),
                    number(side.get("messages")),
                    number(side.get("p50")),
                    number(side.get("p90")),
                    number(side.get("p99")),
                    number(side.get("p99.9")),
                    number(side.get("p99.99")),
                    number(side.get("most")));
        }
        return grid;
    }

    private Grid first() {
        final List<String> head = new ArrayList<>(List.of("side"));
        head.addAll(Tail.FIRST);
        final Grid grid = new Grid(head.toArray(String[]::new));
        for (Object each : record.tail()) {
            final Map<String, Object> side = JsonTree.object(each);
            final List<String> cells = new ArrayList<>(List.of((String) side.get("side")));
            Tail.FIRST.forEach(range -> cells.add(number(side.get(range))));
            grid.add(cells.toArray(String[]::new));
        }
        return grid;
    }

    private Object starts() {
        final List<Object> sides = record.tail();
        return sides.isEmpty() ? NONE : JsonTree.object(sides.getFirst()).get("starts");
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

    // ---- cells

    private static String text(Ratio ratio) {
        return ratio == null ? NONE : ratio.text();
    }

    private static String time(Figure figure) {
        return figure == null
                ? NONE
                : format(figure.nanoseconds() < 99.95 ? "%.1f" : "%,.0f", figure.nanoseconds());
    }

    private static String bytes(Figure figure) {
        return Double.isNaN(figure.bytes())
                ? NONE
                : format("%,.0f", figure.isWithoutGarbage() ? 0 : figure.bytes());
    }

    private static String number(Object value) {
        return format("%,d", value);
    }

    private static String milliseconds(Object microseconds) {
        return format("%.0f", (Long) microseconds / 1e3);
    }

    private static String format(String pattern, Object number) {
        return String.format(Locale.ROOT, pattern, number);
    }
}
