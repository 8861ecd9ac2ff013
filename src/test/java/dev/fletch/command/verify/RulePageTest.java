// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.semantics.SemanticOptions;
import dev.fletch.testdata.RulePage;
import dev.fletch.values.ValueRules;
import dev.fletch.vectors.VectorRules;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// `docs/reference/faults.md` lists all rules, and the checks of the two verifiers, and nothing
/// else. Written anew with `-Dfletch.docs.write=true`. [dev.fletch.repository.PublicApiTest] leaves
/// these constants to this test.
class RulePageTest {
    @Test
    void tablesOfThePageAreThoseOfTheCode() throws Exception {
        Map<String, List<Rule>> declared = RulePage.declared();
        String made = RulePage.withTables(declared);
        if (Boolean.getBoolean("fletch.docs.write")) {
            Files.writeString(RulePage.path(), made);
        }
        assertEquals(
                made,
                Files.readString(RulePage.path()),
                "write it: mvn test -Dtest=RulePageTest -Dfletch.docs.write=true");
        for (String each : declared.keySet()) {
            assertTrue(made.contains("<!-- " + each + " -->"), each);
        }
    }

    @Test
    void checksOfThePageAreThoseThatAreDeclared() {
        Set<String> declared = new TreeSet<>(Set.of("ALIGNMENT"));
        Stream.of(VerifierOptions.Check.values()).forEach(each -> declared.add(each.name()));
        Stream.of(SemanticOptions.Check.values()).forEach(each -> declared.add(each.name()));
        Set<String> listed = new TreeSet<>(RulePage.rows("[A-Z0-9_]+").keySet());
        listed.add("ALIGNMENT"); // the page has it below the table
        assertEquals(declared, listed);
        Set<String> used = new TreeSet<>(RulePage.checkByRule().values());
        used.remove("");
        used.removeAll(declared);
        assertEquals(Set.of(), used, "no such checks");
    }

    /// A rule that two layers check is one object.
    @Test
    void rulesAreDefinedOnce() {
        Map<String, Rule> byId = new HashMap<>();
        for (List<Rule> each : RulePage.declared().values()) {
            for (Rule rule : each) {
                assertSame(rule, byId.computeIfAbsent(rule.id(), _ -> rule), rule::id);
            }
        }
    }

    /// Whether all ids of a class begin with its subject, which the constants leave out.
    private static boolean isPrefixed(Class<?> rules) {
        return rules == VectorRules.class || rules == ValueRules.class;
    }

    /// So a constant of another name is seen on the page, too.
    @Test
    void constantsAreNamedAfterTheirIds() throws IllegalAccessException {
        for (Class<?> each : RulePage.CLASSES) {
            for (Field field : each.getFields()) {
                if (field.getType() == Rule.class && !isPrefixed(each)) {
                    String id = ((Rule) field.get(null)).id();
                    assertEquals(id.toUpperCase(Locale.ROOT).replace('-', '_'), field.getName());
                }
            }
        }
    }
}
