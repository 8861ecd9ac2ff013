// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.ValueRule;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.corpus.CorpusCase;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.CaseCount;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// No deviation turns off the check of values: for each rule that is one, there are inputs that
/// deviate, and have wrong values in a column, in a struct, in a list, in a dictionary, and among
/// indices.
class DeviatingValuesTest {
    /// What is wrong in each input.
    private static final Set<String> WRONG =
            Set.of(
                    "value-offset-range u",
                    "value-offset-range struct.u",
                    "value-offset-range l",
                    "value-dictionary-index d",
                    "value-offset-range d");

    /// The inputs of `deviating-values.txt`, each once.
    private static Collection<CorpusCase> inputs() throws IOException {
        String text =
                Files.readString(
                        Path.of("src/test/resources/dev/fletch/arrow/deviating-values.txt"));
        Map<String, CorpusCase> inputs = new LinkedHashMap<>();
        for (String container : List.of("file ", "stream ")) {
            for (CorpusCase each : CaseFile.of(text.replaceAll("(?m)^both ", container))) {
                inputs.put(each.file(), each);
            }
        }
        return inputs.values();
    }

    @Test
    void eachDeviationLeavesTheWrongValuesFound() throws IOException {
        Collection<CorpusCase> inputs = inputs();
        Set<Rule> expected =
                Rule.all().stream()
                        .filter(rule -> rule.severity() == Severity.DEVIATION)
                        .collect(Collectors.toSet());
        assertEquals(expected, inputs.stream().map(CorpusCase::rule).collect(Collectors.toSet()));
        Map<String, String> wrong = new TreeMap<>();
        for (CorpusCase each : inputs) {
            check(each.rule(), each.broken(), each.file(), wrong);
        }
        CaseCount.report("Deviations: %d, inputs: %d", expected.size(), inputs.size());
        assertEquals(Map.of(), wrong);
    }

    private static void check(Rule rule, byte[] bytes, String name, Map<String, String> wrong)
            throws IOException {
        List<Fault> strict =
                ArrowBytes.faults(
                        bytes,
                        ReadOptions.VERIFY
                                .withChecks(Checks.STRICT.enabled())
                                .withLevel(Level.VALUES));
        if (strict.stream().noneMatch(each -> each.rule() == rule)) {
            wrong.put(name, "has not the deviation: " + lines(strict));
            return;
        }
        List<Fault> usual = new ArrayList<>();
        CheckReport report =
                Arrow.verify(
                        new ByteArrayInputStream(bytes),
                        ReadOptions.VERIFY.withLevel(Level.VALUES),
                        usual::add);
        for (List<Fault> each : List.of(strict, usual)) {
            List<String> found = each.stream().map(DeviatingValuesTest::brief).toList();
            if (!found.containsAll(WRONG) || report.uncheckedFields() != 0) {
                wrong.put(name, "values are not checked: " + lines(each));
                return;
            }
        }
        try (BatchReader reader = Arrow.open(MemorySegment.ofArray(bytes), ReadOptions.UNTRUSTED)) {
            while (reader.next()) {}
            wrong.put(name, "is read");
        } catch (FletchException e) {
            boolean isRefused = ReadOptions.UNTRUSTED.refused().contains(rule);
            if (!(e.rule() instanceof ValueRule) && !(isRefused && e.rule() == rule)) {
                wrong.put(name, "is not read: " + e.getMessage());
            }
        }
        ConvertOptions options =
                ConvertOptions.DEFAULT.withReading(ReadOptions.DEFAULT.withLevel(Level.VALUES));
        try {
            ArrowBytes.converted(bytes, options);
            wrong.put(name, "is converted");
        } catch (FletchException e) {
            if (!e.getMessage().contains("values are invalid: value-")) {
                wrong.put(name, "is not converted: " + e.getMessage());
            }
        }
    }

    private static String lines(List<Fault> found) {
        return found.stream().map(Fault::line).collect(Collectors.joining("\n  ", "\n  ", "\n"));
    }

    /// Code and column of a fault.
    private static String brief(Fault each) {
        String text = each.text();
        int at = text.lastIndexOf("column=");
        return each.rule().id() + " " + (at < 0 ? "" : text.substring(at + "column=".length()));
    }
}
