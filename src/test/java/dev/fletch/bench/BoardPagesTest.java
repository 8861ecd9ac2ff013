// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Tables and charts of the pages, made of recorded figures.
class BoardPagesTest {
    private static final Path RUNS = Goldens.repositoryRoot().resolve("docs/reference/runs");

    @TempDir Path root;

    /// The pages as they are.
    @BeforeEach
    void copyPages() throws IOException {
        for (String page : BoardPages.BLOCKS.keySet()) {
            Path to = root.resolve(page);
            Files.createDirectories(to.getParent());
            Files.copy(Goldens.repositoryRoot().resolve(page), to);
        }
        Files.createDirectories(root.resolve(BoardPages.IMAGES));
    }

    /// Figures of some rows: an operation takes Fletch as many nanoseconds as the row's size,
    /// arrow-java ten times as long, the generated classes twice, C++ half as long.
    private static BoardRecord record(String processor, Predicate<Row> isMeasured) {
        List<String> jmh = new ArrayList<>();
        List<String> cpp = new ArrayList<>();
        for (Row row : Rows.ALL.stream().filter(isMeasured).toList()) {
            for (Setting setting : row.settings()) {
                jmh.add(result(row, row.fletch(), setting, 1));
                if (row.generated() != null) {
                    jmh.add(result(row, row.generated(), setting, 2));
                }
            }
            if (row.arrow() != null) {
                jmh.add(result(row, row.arrow(), row.nativeSetting(), 10));
            }
            if (row.hasCpp()) {
                cpp.add(result("cpp." + row.id(), Map.of(), row.size() / 2.0, 0));
            }
        }
        return BoardRecord.parse(
                """
                {"machine": {"processor": "%s", "java": "25"}, "quick": false, "jmh": [%s], "cpp": [%s],
                 "memory": [], "tail": [], "cold": []}
                """
                        .formatted(processor, String.join(",", jmh), String.join(",", cpp)));
    }

    private static String result(Row row, String method, Setting setting, int factor) {
        Map<String, String> parameters = new HashMap<>(row.parameters(setting));
        String name = row.benchmark().getName() + "." + method;
        return result(name, parameters, (double) factor * row.size(), factor == 10 ? 1e6 : 0);
    }

    private static String result(
            String name, Map<String, String> parameters, double time, double bytes) {
        List<String> pairs = new ArrayList<>();
        parameters.forEach((key, value) -> pairs.add("\"%s\": \"%s\"".formatted(key, value)));
        return """
        {"benchmark": "%s", "params": {%s}, "primaryMetric": {"rawData": [[%s]], "scoreUnit": "ns/op"},
         "secondaryMetrics": {"gc.alloc.rate.norm": {"score": %s}}}
        """
                .formatted(name, String.join(",", pairs), time, bytes);
    }

    private String page(String name) throws IOException {
        return Files.readString(root.resolve(name));
    }

    private String table(String page, String block) throws IOException {
        String text = page(page);
        int start = text.indexOf("<!-- board: " + block + " -->");
        return text.substring(text.indexOf('\n', start) + 1, text.indexOf("<!-- end -->", start));
    }

    @Test
    void readmeComparesWithArrowJavaFirstAndShowsEachProcessor() throws Exception {
        new BoardPages(
                        List.of(
                                record("one", row -> true),
                                record("two", row -> !row.task().equals("step"))))
                .write(root);
        List<String> lines = table(BoardPages.README, "readme").lines().toList();
        assertTrue(lines.getFirst().startsWith("| ratio of times | Fletch ÷ arrow-java | "));
        assertEquals(2 + 8, lines.size(), lines.toString());
        assertTrue(
                lines.contains(
                        "| next batch, 10 columns: column by column | 0.10 · 0.10 | 0.50 · 0.50 |"
                                + " 0.50 · 0.50 | 2.00 · 2.00 |"),
                lines.toString());
        assertTrue(
                lines.contains(
                        "| step through a mapped stream of 100,000 messages: one message |"
                                + " 0.10 · – | 0.50 · – | 0.50 · – | 2.00 · – |"),
                lines.toString());
    }

    @Test
    void whatWasNotMeasuredIsLeftOut() throws Exception {
        Path stale = root.resolve(BoardPages.IMAGES).resolve("growth-files.svg");
        Files.writeString(stale, "<svg/>");
        new BoardPages(List.of(record("one", row -> row.id().equals("next-columns/10"))))
                .write(root);
        assertEquals(3, table(BoardPages.README, "readme").lines().count());
        assertEquals(3, table(BoardPages.FIGURES, "times").lines().count());
        assertEquals("Not measured yet.\n", table(BoardPages.PERFORMANCE, "growth"));
        assertEquals("Not measured yet.\n", table(BoardPages.PERFORMANCE, "channel"));
        assertFalse(Files.exists(stale));
    }

    @Test
    void smokeRunsAndPagesWithoutPlacesAreRefused() throws Exception {
        BoardRecord quick =
                BoardRecord.parse(
                        record("one", row -> true)
                                .json()
                                .replace("\"quick\": false", "\"quick\": true"));
        assertThrows(IllegalArgumentException.class, () -> new BoardPages(List.of(quick)));
        Files.writeString(root.resolve(BoardPages.README), "# Fletch\n");
        BoardPages pages = new BoardPages(List.of(record("one", row -> true)));
        Exception refused = assertThrows(IllegalArgumentException.class, () -> pages.write(root));
        assertEquals("no place for table: readme", refused.getMessage());
    }

    /// The records that the pages were made of, in the order of their names. All tables and charts are
    /// compared, and the pages are written over those that are published.
    @Test
    void publishedPagesAreThoseOfTheirRecords() throws Exception {
        assumeTrue(Files.isDirectory(RUNS), "no records of runs in docs/reference/runs: skipped");
        List<BoardRecord> records = new ArrayList<>();
        try (Stream<Path> files = Files.list(RUNS)) {
            for (Path each : files.sorted().toList()) {
                records.add(BoardRecord.parse(Files.readString(each)));
            }
        }
        List<Path> written = new BoardPages(records).write(root);
        for (Path each : written) {
            Path published = Goldens.repositoryRoot().resolve(root.relativize(each));
            assertEquals(Files.readString(each), Files.readString(published), each.toString());
        }
    }
}
