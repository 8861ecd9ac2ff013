// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Rule;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.FormatRules;
import dev.fletch.ipc.IpcRules;
import dev.fletch.layout.LayoutRules;
import dev.fletch.semantics.SemanticOptions;
import dev.fletch.semantics.SemanticRules;
import dev.fletch.testdata.RulePage;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// `docs/verification.md` lists the rules of the two verifiers and their checks, and nothing else.
/// [dev.fletch.house.PublicApiTest] leaves these constants to this test.
class RulePageTest {
    @Test
    void rulesOfThePageAreThoseThatAreDeclared() {
        Set<String> declared = new TreeSet<>();
        StructureRules.all().forEach(rule -> declared.add(rule.id()));
        SemanticRules.all().forEach(rule -> declared.add(rule.id()));
        FormatRules.all().forEach(rule -> declared.add(rule.id()));
        Set<String> listed = new TreeSet<>(RulePage.checkByRule().keySet());
        LayoutRules.all().forEach(rule -> listed.remove(rule.id())); // only some are the verifiers'
        assertEquals(declared, listed);
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

    /// So a constant of another name is seen on the page, too.
    @Test
    void constantsAreNamedAfterTheirIds() throws IllegalAccessException {
        for (Class<?> each :
                List.of(
                        StructureRules.class,
                        FormatRules.class,
                        IpcRules.class,
                        LayoutRules.class,
                        SemanticRules.class)) {
            for (Field field : each.getFields()) {
                if (field.getType() == Rule.class) {
                    String id = ((Rule) field.get(null)).id();
                    assertEquals(id.toUpperCase(Locale.ROOT).replace('-', '_'), field.getName());
                }
            }
        }
    }
}
