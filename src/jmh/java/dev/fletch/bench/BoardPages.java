// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// The tables and charts of README and of the pages of figures, made from recorded runs. A table is
/// between `<!-- board: NAME -->` and `<!-- end -->`. What was not measured is left out.
final class BoardPages {
    static final String README = "README.md";
    static final String PERFORMANCE = "docs/reference/performance.md";
    static final String FIGURES = "docs/reference/figures.md";
    static final String IMAGES = "docs/images";

    /// The tables of each page.
    static final Map<String, List<String>> BLOCKS =
            Map.of(
                    README, List.of("readme"),
                    PERFORMANCE, List.of("faster", "channel", "cost", "growth"),
                    FIGURES,
                            List.of(
                                    "ratios",
                                    "times",
                                    "second",
                                    "memory",
                                    "messages",
                                    "first",
                                    "command",
                                    "runs"));

    private static final String NOT_MEASURED = "Not measured yet.\n";
    private static final String START = "<!-- board: %s -->\n";
    private static final String END = "<!-- end -->\n";

    private static final List<String> IN_README =
            List.of(
                    "read-column/1000",
                    "files/1000",
                    "next-columns/10",
                    "next-columns/1000",
                    "step/100000",
                    "read-verified/100",
                    "write-batch/10",
                    "project/10");

    private static final List<String> MESSAGES =
            List.of(
                    "next-head/10",
                    "next-numbers/10",
                    "next-columns/10",
                    "next-columns/1000",
                    "changing-shapes/1024",
                    "step/100000",
                    "first-schema/10",
                    "same-schema/10",
                    "batch-numbers/1000",
                    "batch-mixed/1000",
                    "write-batch/10",
                    "write-template/10",
                    "project/10");

    private final List<BoardRecord> records;
    private final BoardReport report;
    private final Figures figures;

    /// @param records the first has all tables; README shows the figures of the others beside its
    ///     own
    /// @throws IllegalArgumentException if one is a smoke run, whose times have no meaning
    BoardPages(List<BoardRecord> records) {
        if (records.stream().anyMatch(BoardRecord::isQuick)) {
            throw new IllegalArgumentException("a smoke run has no figures");
        }
        this.records = records;
        report = new BoardReport(records.getFirst());
        figures = records.getFirst().figures();
    }

    /// Writes pages and charts.
    ///
    /// @param root of the repository
    /// @return the files written
    /// @throws IllegalArgumentException if a page lacks the place of a table
    List<Path> write(Path root) throws IOException {
        List<Path> written = new ArrayList<>();
        for (Map.Entry<String, List<String>> page : new TreeMap<>(BLOCKS).entrySet()) {
            Path file = root.resolve(page.getKey());
            String text = Files.readString(file);
            for (String block : page.getValue()) {
                text = replaced(text, block, content(block));
            }
            written.add(Files.writeString(file, text));
        }
        for (Growth each : Growth.ALL) {
            Path file = root.resolve(IMAGES).resolve(each.file());
            LineChart chart = each.chart(figures);
            if (chart == null) {
                Files.deleteIfExists(file);
            } else {
                written.add(Files.writeString(file, chart.svg()));
            }
        }
        return written;
    }

    /// Replaces what is between the marks of a block.
    private static String replaced(String page, String block, String content) {
        String mark = START.formatted(block);
        int start = page.indexOf(mark);
        int end = page.indexOf(END, start + 1);
        if (start < 0 || end < 0) {
            throw new IllegalArgumentException("no place for table: " + block);
        }
        String before = page.substring(0, start + mark.length());
        return before + (content.isEmpty() ? NOT_MEASURED : content) + page.substring(end);
    }

    private String content(String block) {
        return switch (block) {
            case "readme" -> markdown(readme());
            case "faster" -> markdown(faster());
            case "channel" -> markdown(channel());
            case "cost" -> markdown(cost());
            case "growth" -> growth();
            case "ratios" -> markdown(report.ratios());
            case "times" -> markdown(report.times());
            case "second" -> second();
            case "memory" -> markdown(report.memory());
            case "messages" -> markdown(report.tail());
            case "first" -> markdown(report.first());
            case "command" -> markdown(report.cold());
            case "runs" -> runs();
            default -> throw new IllegalArgumentException("unknown table: " + block);
        };
    }

    private static String markdown(Grid grid) {
        return grid.isEmpty() ? "" : grid.markdown();
    }

    // ---- how much faster

    private static Grid peers(String... last) {
        List<String> head =
                new ArrayList<>(
                        List.of(
                                "ratio of times",
                                "Fletch ÷ arrow-java",
                                "Fletch ÷ Java code generated by flatc",
                                "the same, in a JVM that reads arrays, direct buffers and files",
                                "Fletch ÷ C++ code generated by flatc, with verification"));
        head.addAll(List.of(last));
        return new Grid(head.toArray(String[]::new));
    }

    private Grid readme() {
        Grid grid = peers();
        for (String id : IN_README) {
            Row row = Rows.named(id).getFirst();
            if (arrow(figures, row) != null) {
                grid.add(cells(row, records.stream().map(BoardRecord::figures).toList()));
            }
        }
        return grid;
    }

    private Grid faster() {
        Grid grid = peers("garbage of Fletch, bytes", "of arrow-java");
        for (Row row : Rows.ALL) {
            if (arrow(figures, row) != null && row.benchmark() != BehindChannel.class) {
                List<String> cells = new ArrayList<>(List.of(cells(row, List.of(figures))));
                cells.add(BoardReport.bytes(own(row)));
                cells.add(BoardReport.bytes(figures.arrow(row)));
                grid.add(cells.toArray(String[]::new));
            }
        }
        return grid;
    }

    /// The title and the ratios of a row, in each cell those of all runs.
    private static String[] cells(Row row, List<Figures> runs) {
        return new String[] {
            row.title(),
            cell(runs, each -> arrow(each, row)),
            cell(runs, each -> generated(each, row, Setting.CLEAN)),
            cell(runs, each -> generated(each, row, Setting.USED)),
            cell(runs, each -> Ratio.of(own(each, row), each.cpp(row)))
        };
    }

    private static String cell(List<Figures> runs, Function<Figures, Ratio> ratio) {
        List<String> texts = new ArrayList<>();
        for (Figures each : runs) {
            Ratio found = ratio.apply(each);
            texts.add(found == null ? BoardReport.NONE : found.brief());
        }
        boolean isNone = texts.stream().allMatch(BoardReport.NONE::equals);
        return isNone ? BoardReport.NONE : String.join(" · ", texts);
    }

    private static Ratio arrow(Figures from, Row row) {
        return Ratio.of(own(from, row), from.arrow(row));
    }

    private static Ratio generated(Figures from, Row row, String history) {
        Setting setting = row.inNative(history);
        return Ratio.of(
                from.jvm(row, row.fletch(), setting), from.jvm(row, row.generated(), setting));
    }

    private static Figure own(Figures from, Row row) {
        return from.jvm(row, row.fletch(), row.nativeSetting());
    }

    private Figure own(Row row) {
        return own(figures, row);
    }

    private Grid channel() {
        Grid grid = new Grid("10 columns of 10,000 rows", "file", "socket of the same machine");
        for (String values : List.of("numbers", "text", "views", "zstd")) {
            Ratio file = arrow(figures, Rows.named("file-" + values).getFirst());
            Ratio socket = arrow(figures, Rows.named("socket-" + values).getFirst());
            if (file != null && socket != null) {
                String title = values.equals("zstd") ? "numbers and text, zstd" : values;
                grid.add(title, file.text(), socket.text());
            }
        }
        return grid;
    }

    // ---- what a message costs

    private Grid cost() {
        Grid grid =
                new Grid(
                        "nanoseconds",
                        "Fletch",
                        "Fletch, in a JVM that reads arrays, direct buffers and files",
                        "arrow-java",
                        "Java code by flatc",
                        "C++ code by flatc",
                        "garbage of Fletch, bytes");
        for (String id : MESSAGES) {
            Row row = Rows.named(id).getFirst();
            if (own(row) != null) {
                grid.add(
                        row.title(),
                        BoardReport.time(own(row)),
                        BoardReport.time(
                                figures.jvm(row, row.fletch(), row.inNative(Setting.USED))),
                        BoardReport.time(figures.arrow(row)),
                        BoardReport.time(figures.jvm(row, row.generated(), row.nativeSetting())),
                        BoardReport.time(figures.cpp(row)),
                        BoardReport.bytes(own(row)));
            }
        }
        return grid;
    }

    // ---- how it grows

    private String growth() {
        Map<String, String> charts = new LinkedHashMap<>();
        for (Growth each : Growth.ALL) {
            if (each.chart(figures) != null) {
                charts.put(each.title() + ", by " + each.unit(), each.file());
            }
        }
        List<String> images = new ArrayList<>();
        charts.forEach((text, file) -> images.add("![%s](../images/%s)\n".formatted(text, file)));
        return String.join("\n", images);
    }

    // ---- the runs

    private String second() {
        StringBuilder out = new StringBuilder();
        for (BoardRecord each : records.subList(1, records.size())) {
            out.append(each.machine().get("processor")).append(":\n\n");
            out.append(markdown(new BoardReport(each).ratios())).append('\n');
        }
        return out.isEmpty() ? "" : out.substring(0, out.length() - 1);
    }

    /// A column for each run.
    private String runs() {
        List<String> head = new ArrayList<>(List.of("run"));
        Set<String> facts = new LinkedHashSet<>();
        for (BoardRecord each : records) {
            head.add("" + (head.size()));
            facts.addAll(each.machine().keySet());
        }
        Grid grid = new Grid(head.toArray(String[]::new));
        for (String fact : facts) {
            List<String> cells = new ArrayList<>(List.of(fact));
            records.forEach(
                    each -> cells.add("" + each.machine().getOrDefault(fact, BoardReport.NONE)));
            grid.add(cells.toArray(String[]::new));
        }
        return grid.markdown();
    }
}
