// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The documents lead to what is there: files, headings in them, tests and sources by their names.
class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern NAMED_TEST = Pattern.compile("\\b([A-Z]\\w+Test)\\b");
    private static final Pattern NAMED_PAGE = Pattern.compile("\\b(docs/[\\w/-]+\\.md)");
    private static final Pattern NAMED_PATH =
            Pattern.compile("`((?:src|docs|format|\\.ci)/[\\w./-]*)`");

    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(Repository.root());
                Stream<Path> docs = Files.walk(Repository.root().resolve("docs"));
                Stream<Path> tests = Files.walk(Repository.root().resolve("src"))) {
            return Stream.of(top, docs, tests)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(
                            file ->
                                    !file.getParent()
                                            .endsWith("command/commands")) // parts of a page
                    .sorted()
                    .toList();
        }
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    void linksLeadToPagesAndHeadings() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path document : documents()) {
            for (String link : all(LINK, Files.readString(document))) {
                links++;
                if (!isThere(document, link)) {
                    broken.add(Repository.root().relativize(document) + ": " + link);
                }
            }
        }
        System.out.printf("Documents: %d links%n", links);
        assertTrue(links > 10);
        assertEquals(List.of(), broken);
    }

    private static boolean isThere(Path document, String link) throws IOException {
        if (link.startsWith("https://")) {
            return true; // another's, and no test's
        }
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? document : document.resolveSibling(file);
        return Files.exists(target)
                && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    /// What a heading is called in a link: lower case, words joined by hyphens.
    private static List<String> anchors(Path document) throws IOException {
        String text = CODE_BLOCK.matcher(Files.readString(document)).replaceAll("");
        return all(HEADING, text).stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }

    @Test
    void namedTestsAndFilesExist() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (String each : List.of("src", "cluster/src")) {
            try (Stream<Path> sources = Files.walk(Repository.root().resolve(each))) {
                sources.map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
                        .forEach(names::add);
            }
        }
        List<String> unknown = new ArrayList<>();
        for (Path document : documents()) {
            String text = Files.readString(document);
            String name = Repository.root().relativize(document).toString();
            all(NAMED_TEST, text).stream()
                    .filter(test -> !names.contains(test))
                    .forEach(test -> unknown.add(name + ": " + test));
            all(NAMED_PATH, text).stream()
                    .filter(path -> !Files.exists(Repository.root().resolve(path)))
                    .forEach(path -> unknown.add(name + ": " + path));
        }
        assertEquals(List.of(), unknown);
    }

    /// The list of tests that `mvn test` leaves out has no old names.
    @Test
    void slowTestsExist() throws IOException {
        List<String> tests = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(Repository.root().resolve("src/test/java"))) {
            sources.forEach(file -> tests.add("**/" + file.getFileName()));
        }
        List<String> listed =
                Files.readAllLines(Repository.root().resolve("src/test/slow-tests.txt")).stream()
                        .filter(each -> !each.startsWith("#"))
                        .toList();
        assertFalse(listed.isEmpty());
        assertEquals(List.of(), listed.stream().filter(each -> !tests.contains(each)).toList());
    }

    /// Sources, scripts and the build name pages that are there.
    @Test
    void pagesNamedElsewhereExist() throws IOException {
        List<String> unknown = new ArrayList<>();
        int named = 0;
        for (Path file : sourcesAndScripts()) {
            for (String page : all(NAMED_PAGE, Files.readString(file))) {
                named++;
                if (!Files.exists(Repository.root().resolve(page))) {
                    unknown.add(Repository.root().relativize(file) + ": " + page);
                }
            }
        }
        assertEquals(List.of(), unknown);
        assertTrue(named > 40, named + " pages");
    }

    private static List<Path> sourcesAndScripts() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String each :
                List.of("src", "cluster/src", "cluster/pom.xml", ".ci", "pom.xml", "fletch")) {
            try (Stream<Path> all = Files.walk(Repository.root().resolve(each))) {
                all.filter(Files::isRegularFile)
                        .filter(file -> !file.toString().contains("/resources/"))
                        .forEach(files::add);
            }
        }
        return files;
    }

    /// What the page on installing tells users to depend on is what the build makes, and has been
    /// tested with.
    @Test
    void versionsOfTheDependencyAreThoseOfTheBuild() throws IOException {
        String build = Files.readString(Repository.root().resolve("pom.xml"));
        String page = Files.readString(Repository.root().resolve("docs/how-to/install.md"));
        assertEquals(
                version(), first("<artifactId>fletch</artifactId>\\s*<version>([^<]+)<", page));
        assertEquals(
                first("<jackson-core.version>([^<]+)<", build),
                first("jackson-core:([\\d.]+)`", page));
    }

    /// The version that the build gives this project.
    static String version() throws IOException {
        return first(
                "<artifactId>fletch</artifactId>\\s*<version>([^<]+)<",
                Files.readString(Repository.root().resolve("pom.xml")));
    }

    private static String first(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertTrue(found.find(), pattern);
        return found.group(1);
    }

    /// README leads to the index, and the index to all pages.
    @Test
    void everyPageIsInTheIndex() throws IOException {
        Path docs = Repository.root().resolve("docs");
        String readme = Files.readString(Repository.root().resolve("README.md"));
        assertTrue(readme.contains("](docs/README.md)"));
        String index = Files.readString(docs.resolve("README.md"));
        List<String> lost = new ArrayList<>();
        for (String page : Examples.pages()) {
            String link = "](" + page.replaceFirst("^docs/", "") + ")";
            if (!page.endsWith("README.md") && !index.contains(link)) {
                lost.add(page);
            }
        }
        assertEquals(List.of(), lost);
    }

    @Test
    void pagesKeepTheirLengthLimit() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path document : documents()) {
            String name = Repository.root().relativize(document).toString();
            int most =
                    switch (name) {
                        case "README.md" -> 150;
                        case "CHANGELOG.md" -> 90; // with what users must change
                        // generated from the code, or by the benchmarks
                        case "docs/reference/commands.md",
                                "docs/reference/faults.md",
                                "docs/reference/coverage.md",
                                "docs/reference/corpus.md",
                                "docs/reference/figures.md" ->
                                Integer.MAX_VALUE;
                        default -> 150;
                    };
            List<String> lines = Files.readAllLines(document);
            if (lines.size() > most) {
                tooLong.add(name + ": " + lines.size() + " lines");
            }
            String text = CODE_BLOCK.matcher(String.join("\n", lines)).replaceAll("");
            text.lines()
                    .filter(line -> line.length() > 120 && !line.startsWith("|"))
                    .filter(line -> name.startsWith("docs") || name.equals("README.md"))
                    .forEach(line -> tooLong.add(name + ": " + line));
        }
        assertEquals(List.of(), tooLong);
    }

    /// The questions that newcomers ask first have an answer one link away.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "My file does not open | docs/how-to/salvage.md | fletch annotate",
                "Which column is large | docs/reference/commands.md#fletch-columns | --sort bytes",
                "Read one column quickly | docs/how-to/wide-files.md | ReadOptions.Level.TOUCHED",
                "Verify untrusted input | docs/how-to/verify.md | ReadOptions.UNTRUSTED",
                "Is it faster than what I have | docs/reference/performance.md | arrow-java"
            })
    void newcomersFindAnswers(String question, String link, String answer) throws IOException {
        Path readme = Repository.root().resolve("README.md");
        String line =
                Files.readString(readme)
                        .lines()
                        .filter(each -> each.contains(question))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(question));
        assertTrue(line.contains("](" + link + ")"), line);
        assertTrue(isThere(readme, link), link);
        String page = link.replaceFirst("#.*", "");
        assertTrue(Files.readString(Repository.root().resolve(page)).contains(answer), answer);
    }

    /// README and the page on performance have the ratios of the page with all figures: beside
    /// arrow-java, the generated classes in native memory, the same with all kinds of memory used
    /// before, and C++. Two ratios in a cell are of two processors.
    @Test
    void ratiosOfAllPagesAreThoseOfTheFigures() throws IOException {
        List<List<String>> first = block("docs/reference/figures.md", "ratios");
        List<List<String>> second = block("docs/reference/figures.md", "second");
        List<List<String>> shown = new ArrayList<>(block("README.md", "readme"));
        shown.addAll(block("docs/reference/performance.md", "faster"));
        assertFalse(shown.isEmpty());
        int[] columns = {1, 3, 5, 6};
        for (List<String> row : shown) {
            for (int i = 0; i < columns.length; i++) {
                String found = row.get(1 + i);
                String expected = cell(first, row, columns[i]);
                if (found.contains(" · ")) {
                    expected += " · " + cell(second, row, columns[i]);
                }
                assertEquals(expected, found, row.getFirst());
            }
        }
    }

    /// The cell of the row with the same task, without the range behind a figure; – if there is
    /// none.
    private static String cell(List<List<String>> of, List<String> row, int column) {
        return of.stream()
                .filter(each -> each.getFirst().equals(row.getFirst()))
                .map(each -> each.get(column).replaceFirst(" \\(.*", ""))
                .findFirst()
                .orElse("–");
    }

    /// The cells of the rows of a table that the benchmarks write.
    private static List<List<String>> block(String page, String name) throws IOException {
        return Files.readString(Repository.root().resolve(page))
                .lines()
                .dropWhile(line -> !line.equals("<!-- board: " + name + " -->"))
                .takeWhile(line -> !line.equals("<!-- end -->"))
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ")))
                .toList();
    }
}
