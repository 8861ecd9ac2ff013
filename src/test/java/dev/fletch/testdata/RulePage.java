// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.ReadRules;
import dev.fletch.Rule;
import dev.fletch.check.ContainerRules;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.format.FormatRules;
import dev.fletch.ipc.IpcRules;
import dev.fletch.json.InvalidJsonException;
import dev.fletch.layout.LayoutRules;
import dev.fletch.model.InvalidSchemaException;
import dev.fletch.semantics.SemanticRules;
import dev.fletch.values.ValueRules;
import dev.fletch.vectors.VectorRules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The tables of `docs/reference/faults.md`: the users' list of rules and checks.
public final class RulePage {
    /// The classes that declare rules.
    public static final List<Class<?>> CLASSES =
            List.of(
                    IpcRules.class,
                    ContainerRules.class,
                    StructureRules.class,
                    FormatRules.class,
                    SemanticRules.class,
                    LayoutRules.class,
                    ValueRules.class,
                    VectorRules.class,
                    InvalidSchemaException.class,
                    InvalidJsonException.class,
                    ReadRules.class);

    private RulePage() {}

    /// All rules by the name of the class that declares them, in the order of the source.
    public static Map<String, List<Rule>> declared() {
        Map<String, List<Rule>> declared = new LinkedHashMap<>();
        try {
            for (Class<?> each : CLASSES) {
                List<Rule> rules = new ArrayList<>();
                for (Field field : each.getFields()) {
                    if (field.getType() == Rule.class) {
                        rules.add((Rule) field.get(null));
                    }
                }
                declared.put(each.getSimpleName(), rules);
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return declared;
    }

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

    /// The page with its tables of rules written anew. What the code does not say of a rule, the
    /// value of its faults and the check that it belongs to, stays as it is on the page.
    ///
    /// @param declared the rules by the name of their class
    public static String withTables(Map<String, List<Rule>> declared) throws IOException {
        StringBuilder page = new StringBuilder();
        Map<String, String> tails = tails();
        Iterator<String> lines = lines().iterator();
        while (lines.hasNext()) {
            String line = lines.next();
            page.append(line).append('\n');
            if (line.matches("<!-- \\w+ -->")) {
                String name = line.replaceAll("[^A-Za-z]", "");
                page.append('\n').append(table(declared.get(name), tails)).append('\n');
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
                                "| code | severity | level | rule, or what is wrong | value | check"
                                        + " |\n")
                        .append("|---|---|---|---|---|---|\n");
        for (Rule rule : rules) {
            String severity = rule.severity().name().toLowerCase(Locale.ROOT);
            table.append(
                            "| `%s` | %s | %s | %s |"
                                    .formatted(
                                            rule.id(),
                                            severity,
                                            rule.level().title(),
                                            rule.description()))
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
