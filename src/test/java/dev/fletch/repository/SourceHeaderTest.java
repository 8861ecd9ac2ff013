// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Every source names its authors and its licence, and every type of the format its place there.
class SourceHeaderTest {
    private static final List<String> HEADER =
            List.of(
                    "SPDX-FileCopyrightText: The Fletch authors",
                    "SPDX-License-Identifier: Apache-2.0");

    /// Folders without sources of this project.
    private static final Set<String> SKIPPED = Set.of("target", "node_modules");

    /// Maven's wrapper, which has the header of its authors, and what the tutorial writes.
    private static final Set<Path> OTHERS =
            Set.of(Repository.root().resolve("mvnw"), Repository.root().resolve("SumColumn.java"));

    @Test
    void everySourceStartsWithTheHeader() throws IOException {
        List<String> without = new ArrayList<>();
        List<Path> sources = sources();
        for (Path source : sources) {
            if (!startsWithHeader(Files.readAllLines(source))) {
                without.add(Repository.root().relativize(source).toString());
            }
        }
        System.out.printf("Headers: %d sources%n", sources.size());
        assertFalse(sources.isEmpty());
        assertEquals(List.of(), without);
    }

    /// Public types that stand for something in the format name its place there. Exceptions and
    /// packages that are not exported are left out.
    @Test
    void everyPublicTypeOfTheFormatNamesItsSource() throws IOException {
        Path format = Repository.root().resolve("src/main/java/dev/fletch/format");
        List<String> without = new ArrayList<>();
        for (Path source : sources()) {
            boolean isExported =
                    source.startsWith(format) && !source.startsWith(format.resolve("internal"));
            String text = isExported ? Files.readString(source) : "";
            boolean isMeant =
                    text.contains("\npublic ") && !source.toString().endsWith("Exception.java");
            if (isMeant && !text.contains("\n/// Source: ")) {
                without.add(source.getFileName().toString());
            }
        }
        assertEquals(List.of(), without);
    }

    /// In a comment, behind what has to come first.
    private static boolean startsWithHeader(List<String> lines) {
        int first = !lines.isEmpty() && lines.getFirst().matches("#!.*|<!DOCTYPE html>") ? 1 : 0;
        first += lines.size() > first && lines.get(first).equals("<!--") ? 1 : 0;
        return lines.size() >= first + HEADER.size()
                && lines.get(first).matches("(//|#|/\\*|<!--| ) " + HEADER.get(0))
                && lines.get(first + 1).matches("(//|#| \\*| ) " + HEADER.get(1) + "( \\*/| -->)?");
    }

    private static List<Path> sources() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(
                Repository.root(),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a) {
                        return isSkipped(dir)
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes a)
                            throws IOException {
                        if (a.isRegularFile() && isSource(file)) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        found.sort(null);
        return found;
    }

    /// Hidden folders are tools' own, but for the one that says how a clone is checked.
    private static boolean isSkipped(Path folder) {
        if (folder.equals(Repository.root())) {
            return false;
        }
        String name = folder.getFileName().toString();
        return SKIPPED.contains(name) || (name.startsWith(".") && !name.equals(".ci"));
    }

    private static boolean isSource(Path file) throws IOException {
        if (OTHERS.contains(file)) {
            return false;
        }
        if (file.toString().matches(".*\\.(java|fbs|sh|bash|js|css|html)")) {
            return true;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(2), StandardCharsets.ISO_8859_1).equals("#!");
        }
    }
}
