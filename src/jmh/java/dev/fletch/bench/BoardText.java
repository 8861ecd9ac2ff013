// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Turns what was measured into tables.
final class BoardText {
    private static final String NONE = "–";
    private static final double TOLD_UNCERTAINTY = 0.1;

    private final List<BoardRow> rows;

    BoardText(List<BoardRow> rows) {
        this.rows = rows;
    }

    /// What each row says about its goals.
    Grid goals() {
        final Grid grid =
                new Grid(
                        "workload",
                        "Fletch, ns",
                        "peer, ns",
                        "times as fast (goal)",
                        "C++, ns",
                        "of C++ (goal)",
                        "polluted",
                        "B/op",
                        "goals hold");
        for (BoardRow row : rows) {
            if (row.isMeasured()) {
                grid.add(
                        row.workload.title(),
                        plain(row.fletch(false)),
                        time(row.workload.overArrow() > 0 ? row.arrow() : row.generated()),
                        faster(row),
                        time(row.cpp()),
                        ofCpp(row),
                        ratio(row.polluted()),
                        bytes(row.bytes()),
                        verdict(row));
            }
        }
        return grid;
    }

    private static String faster(BoardRow row) {
        final Workload workload = row.workload;
        return workload.overArrow() > 0
                ? withGoal(row.overArrow(), goal(workload.overArrow()) + " arrow-vector")
                : withGoal(row.overGenerated(), goal(workload.overGenerated()));
    }

    private static String ofCpp(BoardRow row) {
        final double goal = row.workload.ofCpp();
        return withGoal(row.ofCpp(), goal == 1 ? "equal" : goal == 0 ? "" : "≤ " + goal(goal));
    }

    private static String withGoal(double ratio, String goal) {
        if (Double.isNaN(ratio)) {
            return NONE;
        }
        return goal.isEmpty() ? ratio(ratio) : ratio(ratio) + " (" + goal + ")";
    }

    private static String verdict(BoardRow row) {
        final List<String> missed = row.missed();
        final List<String> open = row.unjudged();
        if (!missed.isEmpty()) {
            return "**no**: " + String.join(", ", missed);
        }
        return open.isEmpty() ? "yes" : "not measured: " + String.join(", ", open);
    }

    /// All sides of each row, by kind of memory.
    Grid sides() {
        final Grid grid =
                new Grid(
                        "ns",
                        "Fletch",
                        "Fletch, polluted",
                        "generated, reused objects",
                        "generated, fresh objects",
                        "arrow-vector",
                        "C++");
        for (BoardRow row : rows) {
            if (row.isMeasured()) {
                final Task task = row.workload.task();
                grid.add(
                        row.workload.title(),
                        times(row.fletch(false)),
                        times(row.fletch(true)),
                        peer(row, 0),
                        peer(row, 1),
                        task.arrow() == null ? NONE : times(row.peer(task.arrow())),
                        task.cpp() == null ? NONE : times(row.cppFigure()));
            }
        }
        return grid;
    }

    private static String peer(BoardRow row, int index) {
        final List<String> methods = row.workload.task().generated();
        return index < methods.size() ? times(row.peer(methods.get(index))) : NONE;
    }

    /// How many rows hold.
    String summary() {
        int won = 0;
        int judged = 0;
        final List<String> lost = new ArrayList<>();
        for (BoardRow row : rows) {
            if (row.isMeasured()) {
                judged++;
                if (!row.missed().isEmpty()) {
                    lost.add(row.workload.id());
                } else if (row.unjudged().isEmpty()) {
                    won++;
                }
            }
        }
        final String all = "All goals hold in %d of %d rows".formatted(won, judged);
        return lost.isEmpty() ? all + "." : all + "; missed in " + String.join(", ", lost) + ".";
    }

    // ---- cells

    private static String plain(List<Figure> figures) {
        final List<String> cells = new ArrayList<>();
        figures.forEach(each -> cells.add(time(each.nanoseconds())));
        return String.join(" / ", cells);
    }

    /// Times with their uncertainty; what was not measured is left out.
    private static String times(List<Figure> figures) {
        final List<String> cells = new ArrayList<>();
        for (Figure each : figures) {
            if (each != null) {
                cells.add(time(each.nanoseconds()) + uncertainty(each));
            }
        }
        return cells.isEmpty() ? NONE : String.join(" / ", cells);
    }

    /// Told only where it matters.
    private static String uncertainty(Figure figure) {
        return figure.uncertainty() < TOLD_UNCERTAINTY
                ? ""
                : format(" ±%.0f%%", 100 * figure.uncertainty());
    }

    static String time(double nanoseconds) {
        return Double.isNaN(nanoseconds)
                ? NONE
                : format(nanoseconds < 99.95 ? "%.1f" : "%,.0f", nanoseconds);
    }

    static String ratio(double ratio) {
        if (Double.isNaN(ratio)) {
            return NONE;
        }
        return format(ratio < 9.995 ? "%.2f×" : ratio < 99.95 ? "%.1f×" : "%,.0f×", ratio);
    }

    /// A ratio that is aimed at, without digits that say nothing.
    private static String goal(double ratio) {
        return ratio == 0 ? "" : ratio == Math.rint(ratio) ? (int) ratio + "×" : ratio + "×";
    }

    private static String bytes(double bytes) {
        if (Double.isNaN(bytes)) {
            return NONE;
        }
        return bytes < 0.005 ? "0" : format(bytes < 10 ? "%.2f" : "%,.0f", bytes);
    }

    private static String format(String pattern, double number) {
        return String.format(Locale.ROOT, pattern, number);
    }
}
