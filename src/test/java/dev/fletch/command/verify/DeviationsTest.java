// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Rule;
import dev.fletch.Rule.Severity;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// `docs/reference/faults.md` has the evidence for each rule that is no error, and for no other.
class DeviationsTest {
    private static final Pattern CODE = Pattern.compile("`([a-z0-9-]+)`( \\(note\\))?");

    @Test
    void documentationNamesTheEvidenceOfEachDeviationAndNote() throws IOException {
        Set<String> expected =
                Rule.all().stream()
                        .filter(rule -> rule.severity() != Severity.ERROR)
                        .map(DeviationsTest::title)
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> described = new TreeSet<>();
        boolean isEvidence = false;
        for (String line : Files.readAllLines(Path.of("docs/reference/faults.md"))) {
            isEvidence |= line.startsWith("## Deviations");
            if (isEvidence && line.startsWith("| `")) {
                String first = line.split("\\|")[1];
                CODE.matcher(first).results().forEach(found -> described.add(found.group()));
            }
        }
        assertEquals(expected, described);
    }

    private static String title(Rule rule) {
        return "`" + rule.id() + "`" + (rule.severity() == Severity.NOTE ? " (note)" : "");
    }
}
