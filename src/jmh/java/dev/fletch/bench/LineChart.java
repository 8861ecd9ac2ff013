// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// A chart of times over sizes, as SVG. Both axes are logarithmic, so proportional growth is a
/// straight line. Follows the light or dark scheme of its reader.
///
/// @param title what is measured
/// @param unit of the sizes, such as `columns`
/// @param lines at least one, each with at least one point
record LineChart(String title, String unit, List<Line> lines) {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;
    private static final int LEFT = 72;
    private static final int RIGHT = 560;
    private static final int TOP = 48;
    private static final int BOTTOM = 340;
    private static final int NAME_HEIGHT = 18;
    private static final List<String> UNITS = List.of("ns", "µs", "ms", "s");

    private static final String STYLE =
            """
            <style>
            .back { fill: #ffffff } text { fill: #24292f; font: 13px sans-serif }
            .title { font-weight: bold; font-size: 15px } .grid { stroke: #d8dee4 }
            .line { fill: none; stroke-width: 2.5 }
            .line0 { stroke: #0969da } .dot0, .name0 { fill: #0969da }
            .line1 { stroke: #bc4c00 } .dot1, .name1 { fill: #bc4c00 }
            .line2 { stroke: #6e7781 } .dot2, .name2 { fill: #6e7781 }
            .line3 { stroke: #1a7f37 } .dot3, .name3 { fill: #1a7f37 }
            @media (prefers-color-scheme: dark) {
            .back { fill: #0d1117 } text { fill: #e6edf3 } .grid { stroke: #30363d }
            .line0 { stroke: #58a6ff } .dot0, .name0 { fill: #58a6ff }
            .line1 { stroke: #f0883e } .dot1, .name1 { fill: #f0883e }
            .line2 { stroke: #8b949e } .dot2, .name2 { fill: #8b949e }
            .line3 { stroke: #3fb950 } .dot3, .name3 { fill: #3fb950 }
            }
            </style>
            """;

    /// The times of an implementation.
    ///
    /// @param color index of its color, 0 to 3
    record Line(String name, int color, List<Point> points) {}

    /// A time.
    ///
    /// @param nanoseconds more than 0
    record Point(int size, double nanoseconds) {}

    /// A name beside the end of a line.
    private record Name(Line line, double y) {}

    String svg() {
        List<Point> all = lines.stream().flatMap(line -> line.points().stream()).toList();
        double leastSize = all.stream().mapToInt(Point::size).min().orElseThrow();
        double mostSize = all.stream().mapToInt(Point::size).max().orElseThrow();
        Axis x = new Axis(leastSize, mostSize, LEFT, RIGHT);
        Axis y =
                new Axis(
                        decade(all.stream().mapToDouble(Point::nanoseconds).min().orElseThrow(), 0),
                        decade(all.stream().mapToDouble(Point::nanoseconds).max().orElseThrow(), 1),
                        BOTTOM,
                        TOP);
        StringBuilder out = new StringBuilder();
        out.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
                        .formatted(WIDTH, HEIGHT));
        out.append("<title>").append(title).append("</title>\n").append(STYLE);
        out.append("<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n".formatted(WIDTH, HEIGHT));
        text(out, "title", LEFT, TOP - 24, "start", title);
        for (double time = y.least; time <= y.most * 1.01; time *= 10) {
            grid(out, LEFT, y.at(time), RIGHT, y.at(time));
            text(out, null, LEFT - 8, y.at(time) + 4, "end", time(time));
        }
        all.stream()
                .mapToInt(Point::size)
                .distinct()
                .sorted()
                .forEach(
                        size -> {
                            grid(out, x.at(size), TOP, x.at(size), BOTTOM);
                            String label = String.format(Locale.ROOT, "%,d", size);
                            text(out, null, x.at(size), BOTTOM + 20, "middle", label);
                        });
        text(out, null, (LEFT + RIGHT) / 2.0, BOTTOM + 42, "middle", unit);
        lines.forEach(line -> line(out, line, x, y));
        for (Name each : names(y)) {
            String style = "name" + each.line().color();
            text(out, style, RIGHT + 10, each.y() + 4, "start", each.line().name());
        }
        return out.append("</svg>\n").toString();
    }

    private static void line(StringBuilder out, Line line, Axis x, Axis y) {
        StringBuilder path = new StringBuilder();
        for (Point each : line.points()) {
            path.append(path.isEmpty() ? "M" : " L")
                    .append(number(x.at(each.size())))
                    .append(' ')
                    .append(number(y.at(each.nanoseconds())));
        }
        out.append("<path class=\"line line%d\" d=\"%s\"/>\n".formatted(line.color(), path));
        for (Point each : line.points()) {
            out.append(
                    "<circle class=\"dot%d\" cx=\"%s\" cy=\"%s\" r=\"3.5\"/>\n"
                            .formatted(
                                    line.color(),
                                    number(x.at(each.size())),
                                    number(y.at(each.nanoseconds()))));
        }
    }

    /// The names, from top to bottom, moved down where they would overlap.
    private List<Name> names(Axis y) {
        List<Line> sorted =
                lines.stream().sorted(Comparator.comparingDouble(line -> y.at(end(line)))).toList();
        List<Name> names = new ArrayList<>();
        double free = TOP;
        for (Line each : sorted) {
            double at = Math.max(free, y.at(end(each)));
            names.add(new Name(each, at));
            free = at + NAME_HEIGHT;
        }
        return names;
    }

    private static double end(Line line) {
        return line.points().getLast().nanoseconds();
    }

    private static void grid(
            StringBuilder out, double fromX, double fromY, double toX, double toY) {
        out.append(
                "<path class=\"grid\" d=\"M%s %s L%s %s\"/>\n"
                        .formatted(number(fromX), number(fromY), number(toX), number(toY)));
    }

    private static void text(
            StringBuilder out, String style, double x, double y, String anchor, String text) {
        String styled = style == null ? "" : " class=\"%s\"".formatted(style);
        out.append(
                "<text%s x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
                        .formatted(styled, number(x), number(y), anchor, text));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /// A power of ten, such as `100 ns`.
    private static String time(double nanoseconds) {
        int thousands = Math.clamp((int) (Math.log10(nanoseconds * 1.01) / 3), 0, UNITS.size() - 1);
        double value = nanoseconds / Math.pow(1000, thousands);
        return String.format(
                Locale.ROOT, value < 0.99 ? "%.1f %s" : "%,.0f %s", value, UNITS.get(thousands));
    }

    /// The power of ten below, or above.
    private static double decade(double nanoseconds, int above) {
        return Math.pow(10, Math.floor(Math.log10(nanoseconds)) + above);
    }

    /// A logarithmic scale.
    private record Axis(double least, double most, double from, double to) {
        double at(double value) {
            double range = Math.log(most / least);
            double share = range == 0 ? 0.5 : Math.log(value / least) / range;
            return from + share * (to - from);
        }
    }
}
