// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.ValueRule;
import dev.fletch.command.GoldenOutput;
import dev.fletch.testdata.RulePage;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// `docs/reference/faults.md` lists all rules, and the checks of the two verifiers, and nothing
/// else. Written anew with `-Dfletch.docs.write=true`. [dev.fletch.repository.PublicApiTest] leaves
/// these constants to this test.
class RulePageTest {
    @Test
    void tablesOfThePageAreThoseOfTheCode() throws Exception {
        String made = RulePage.withTables();
        GoldenOutput.assertPage(RulePage.path(), made);
        for (Class<?> level : Rule.class.getPermittedSubclasses()) {
            assertTrue(made.contains("<!-- " + level.getSimpleName() + " -->"), level::getName);
        }
    }

    @Test
    void checksOfThePageAreThoseThatAreDeclared() {
        Set<String> declared = new TreeSet<>(Set.of("ALIGNMENT"));
        Stream.of(Check.values()).forEach(each -> declared.add(each.name()));
        Set<String> listed = new TreeSet<>(RulePage.rows("[A-Z0-9_]+").keySet());
        listed.add("ALIGNMENT"); // the page has it below the table
        assertEquals(declared, listed);
        Set<String> used = new TreeSet<>(RulePage.checkByRule().values());
        used.remove("");
        used.removeAll(declared);
        assertEquals(Set.of(), used, "no such checks");
    }

    /// What is written by hand.
    @Test
    void valuesOfFaultsOfStructureAreDescribed() throws IOException {
        String page = Files.readString(RulePage.path());
        for (StructureRule rule : StructureRule.values()) {
            boolean isDescribed = !page.contains("| " + rule.description() + " | | ");
            assertEquals(rule != StructureRule.MALFORMED, isDescribed, rule.id());
        }
    }

    /// The table of layouts of `security.md` is written by hand.
    @Test
    void eachRuleThatMakesValuesWrongIsARiskOfALayout() throws IOException {
        String page = Files.readString(Path.of("docs/concepts/security.md"));
        Set<String> named =
                Pattern.compile("`(value-[a-z0-9-]+)`")
                        .matcher(page)
                        .results()
                        .map(each -> each.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> rules =
                Stream.of(ValueRule.values())
                        .filter(each -> each.severity() != Rule.Severity.NOTE)
                        .map(Rule::id)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(rules, named);
    }

    /// The enums make ids unique in a level; codes on the command line have no level.
    @Test
    void idsAreUnique() {
        Set<String> ids = new HashSet<>();
        for (Rule rule : Rule.all()) {
            assertTrue(ids.add(rule.id()), rule::id);
        }
    }

    @Test
    void allLevelsAreListed() {
        int constants = 0;
        for (Class<?> level : Rule.class.getPermittedSubclasses()) {
            constants += level.getEnumConstants().length;
        }
        assertEquals(constants, Rule.all().size());
    }
}
