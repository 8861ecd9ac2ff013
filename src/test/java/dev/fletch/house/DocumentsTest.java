// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The documents lead to what is there: files, headings in them, tests and sources by their names.
class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern NAMED_TEST = Pattern.compile("\\b([A-Z]\\w+Test)\\b");
    private static final Pattern NAMED_PATH =
            Pattern.compile("`((?:src|docs|format|\\.ci)/[\\w./-]*)`");

    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(House.root());
                Stream<Path> docs = Files.walk(House.root().resolve("docs"));
                Stream<Path> tests = Files.walk(House.root().resolve("src"))) {
            return Stream.of(top, docs, tests)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.getParent().endsWith("cli/commands")) // parts of a page
                    .sorted()
                    .toList();
        }
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        final List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path document : documents()) {
            for (String link : all(LINK, Files.readString(document))) {
                links++;
                if (!isThere(document, link)) {
                    broken.add(House.root().relativize(document) + ": " + link);
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
        final int hash = link.indexOf('#');
        final String file = hash < 0 ? link : link.substring(0, hash);
        final Path target = file.isEmpty() ? document : document.resolveSibling(file);
        return Files.exists(target)
                && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    /// What a heading is called in a link: lower case, words joined by hyphens.
    private static List<String> anchors(Path document) throws IOException {
        final String text = CODE_BLOCK.matcher(Files.readString(document)).replaceAll("");
        return all(HEADING, text).stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }

    @Test
    void namedTestsAndFilesExist() throws IOException {
        final TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(House.root().resolve("src"))) {
            sources.map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
                    .forEach(names::add);
        }
        final List<String> unknown = new ArrayList<>();
        for (Path document : documents()) {
            final String text = Files.readString(document);
            final String name = House.root().relativize(document).toString();
            all(NAMED_TEST, text).stream()
                    .filter(test -> !names.contains(test))
                    .forEach(test -> unknown.add(name + ": " + test));
            all(NAMED_PATH, text).stream()
                    .filter(path -> !Files.exists(House.root().resolve(path)))
                    .forEach(path -> unknown.add(name + ": " + path));
        }
        assertEquals(List.of(), unknown);
    }

    /// What README tells users to depend on is what the build makes, and has been tested with.
    @Test
    void versionsOfReadmeAreThoseOfTheBuild() throws IOException {
        final String build = Files.readString(House.root().resolve("pom.xml"));
        final String readme = Files.readString(House.root().resolve("README.md"));
        final String own = first("<artifactId>fletch</artifactId>\\s*<version>([^<]+)<", build);
        assertEquals(own, first("<artifactId>fletch</artifactId>\\s*<version>([^<]+)<", readme));
        assertEquals(
                first("<jackson-core.version>([^<]+)<", build),
                first("jackson-core`, tested with ([\\d.]+);", readme));
    }

    private static String first(String pattern, String text) {
        final Matcher found = Pattern.compile(pattern).matcher(text);
        assertTrue(found.find(), pattern);
        return found.group(1);
    }

    /// A document that nothing leads to is read by nobody.
    @Test
    void everyPageOfDocsIsLinkedFromReadmeOrContributing() throws IOException {
        final String entrances =
                Files.readString(House.root().resolve("README.md"))
                        + Files.readString(House.root().resolve("CONTRIBUTING.md"));
        try (Stream<Path> docs = Files.list(House.root().resolve("docs"))) {
            final String lost =
                    docs.map(page -> "docs/" + page.getFileName())
                            .filter(page -> !entrances.contains("(" + page + ")"))
                            .collect(Collectors.joining(", "));
            assertEquals("", lost);
        }
    }
}
