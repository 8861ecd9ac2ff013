// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// How the time of a task grows with its size: a chart of the rows of the task.
///
/// @param task whose rows differ in size alone
/// @param isShared whether the threads of a row divide the work among them
record Growth(String task, String title, String unit, boolean isShared) {
    /// All charts, in the order of the page.
    static final List<Growth> ALL =
            List.of(
                    new Growth("next-numbers", "Next batch: all numbers", "columns", false),
                    new Growth("read-stream", "Stream: sum one of 10 columns", "batches", false),
                    new Growth(
                            "files", "Files of 10 columns: read 4 batch headers", "files", false),
                    new Growth("threads", "Next batch of all threads together", "threads", true));

    private static final int LEAST_POINTS = 2;

    /// The chart; null if Fletch was measured for fewer than two sizes. Leaves out other
    /// implementations of which this is true.
    LineChart chart(Figures figures) {
        List<LineChart.Line> lines = new ArrayList<>();
        add(lines, "Fletch", 0, row -> figures.jvm(row, row.fletch(), row.nativeSetting()));
        if (lines.isEmpty()) {
            return null;
        }
        add(lines, "arrow-java", 1, figures::arrow);
        add(
                lines,
                "flatc's Java",
                2,
                row -> figures.jvm(row, row.generated(), row.nativeSetting()));
        add(lines, "flatc's C++", 3, figures::cpp);
        return new LineChart(title, unit, lines);
    }

    private void add(
            List<LineChart.Line> lines, String name, int color, Function<Row, Figure> time) {
        List<LineChart.Point> points = new ArrayList<>();
        for (Row row : Rows.named(task)) {
            Figure figure = time.apply(row);
            if (figure != null) {
                double nanoseconds = figure.nanoseconds() / (isShared ? row.threads() : 1);
                points.add(new LineChart.Point(row.size(), nanoseconds));
            }
        }
        if (points.size() >= LEAST_POINTS) {
            lines.add(new LineChart.Line(name, color, points));
        }
    }

    /// The name of the chart's file.
    String file() {
        return "growth-" + unit + ".svg";
    }
}
