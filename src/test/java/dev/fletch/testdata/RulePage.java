// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.Rule;
import dev.fletch.ipc.ReadOptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// The tables of `docs/reference/faults.md`: the users' list of rules and checks.
public final class RulePage {
    private static final ReadOptions UNTRUSTED = ReadOptions.UNTRUSTED;

    private RulePage() {}

    /// The rows whose first cell is code that matches, by that cell; the last cell of each.
    public static Map<String, String> rows(String code) {
        Map<String, String> rows = new LinkedHashMap<>();
        try {
            for (String line : lines()) {
                String[] cells = line.split("\\|", -1);
                if (cells.length > 3 && cells[1].matches(" `" + code + "` ")) {
                    String last = cells[cells.length - 2].strip().replace("`", "");
                    rows.putIfAbsent(cells[1].strip().replace("`", ""), last);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    /// For each rule the check that it belongs to, "" if it is always checked.
    public static Map<String, String> checkByRule() {
        return rows("[a-z0-9]+(-[a-z0-9]+)+");
    }

    /// The page with its tables of rules written anew, one for each enum. What the code does not
    /// say of a rule, the value of its faults and the check that it belongs to, stays as it is on
    /// the page.
    public static String withTables() throws IOException {
        Map<String, List<Rule>> byEnum =
                Rule.all().stream()
                        .collect(Collectors.groupingBy(rule -> rule.getClass().getSimpleName()));
        StringBuilder page = new StringBuilder();
        Map<String, String> tails = tails();
        Iterator<String> lines = lines().iterator();
        while (lines.hasNext()) {
            String line = lines.next();
            page.append(line).append('\n');
            if (line.matches("<!-- \\w+ -->")) {
                String name = line.replaceAll("[^A-Za-z]", "");
                page.append('\n').append(table(byEnum.get(name), tails)).append('\n');
                while (lines.hasNext()
                        && !lines.next().isEmpty()) {} // the blank line before the table
                while (lines.hasNext() && !lines.next().isEmpty()) {} // the table
            }
        }
        return page.toString().stripTrailing() + "\n";
    }

    private static String table(List<Rule> rules, Map<String, String> tails) {
        StringBuilder table =
                new StringBuilder(
                                "| code | severity | level | what is wrong | value | check"
                                        + " |\n")
                        .append("|---|---|---|---|---|---|\n");
        for (Rule rule : rules) {
            String severity = rule.severity().name().toLowerCase(Locale.ROOT);
            boolean isRefused = rule.severity() != Rule.Severity.ERROR && UNTRUSTED.refuses(rule);
            severity += isRefused ? " †" : "";
            table.append(
                            "| `%s` | %s | %s | %s |"
                                    .formatted(
                                            rule.id(), severity, rule.level(), rule.description()))
                    .append(tails.getOrDefault(rule.id(), " | |"))
                    .append('\n');
        }
        return table.toString();
    }

    /// The last two cells of each rule.
    private static Map<String, String> tails() throws IOException {
        Map<String, String> tails = new HashMap<>();
        for (String line : lines()) {
            String[] cells = line.split("\\|", -1);
            if (cells.length == 8 && line.startsWith("| `")) {
                tails.putIfAbsent(
                        cells[1].strip().replace("`", ""), cells[5] + "|" + cells[6] + "|");
            }
        }
        return tails;
    }

    /// The page as a file.
    public static Path path() {
        return Goldens.repositoryRoot().resolve("docs/reference/faults.md");
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(path());
    }
}
