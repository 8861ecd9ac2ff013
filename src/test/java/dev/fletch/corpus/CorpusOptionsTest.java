// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.CorpusVerdictsTest.STRICT;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.command.JsonTree;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// What each optional check and each preset finds in the corpus: what differs from the faults in
/// the index, which all checks find together.
class CorpusOptionsTest {
    private static final Path TABLE = Corpus.FOLDER.resolve("options.txt");
    private static final boolean WRITES = Boolean.getBoolean("fletch.corpus.write");
    private static final String HEAD =
            """
            # options | faults that are missing | other faults | files
            # What a verifier says of the corpus if it does not check all. CorpusOptionsTest compares;
            # -Dfletch.corpus.write=true writes the rows again. A check is left out, or, of those that are not strict,
            # added; of a preset, the checks of flatbuffers or of meaning are its own.
            """;

    private static Map<String, ReadOptions> options() {
        Map<String, ReadOptions> options = new TreeMap<>();
        for (Check each : Check.values()) {
            boolean isAdded = !STRICT.checks().has(each);
            options.put((isAdded ? "with " : "without ") + each, STRICT.with(each, isAdded));
        }
        options.put("flatbuffers DEFAULT", with(StructureRule.class, Checks.DEFAULT));
        options.put(
                "flatbuffers FLATBUFFERS",
                with(StructureRule.class, Checks.FLATBUFFERS)
                        .withLimits(Checks.FLATBUFFERS.limits()));
        options.put("meaning DEFAULT", with(MeaningRule.class, Checks.DEFAULT));
        options.put("meaning ARROW_CPP", with(MeaningRule.class, Checks.ARROW_CPP));
        return options;
    }

    /// Strict options with the checks of a preset at one level.
    private static ReadOptions with(Class<? extends Rule> rules, Checks preset) {
        ReadOptions options = STRICT;
        for (Check each : Check.values()) {
            options = each.rules() == rules ? options.with(each, preset.has(each)) : options;
        }
        return options;
    }

    /// Code, path and text of a fault.
    private static String line(Object fault) {
        Map<String, Object> of = JsonTree.object(fault);
        return of.get("code") + " " + of.get("path") + " " + of.get("text");
    }

    private static List<String> found(ReadOptions options, byte[] bytes) throws IOException {
        List<String> found = new ArrayList<>();
        Arrow.verify(
                MemorySegment.ofArray(bytes),
                options,
                fault -> found.add(line(JsonTree.parse(fault.toJson()))));
        return found;
    }

    /// Inputs and sound twins.
    private static Set<String> files() throws IOException {
        Map<String, Map<String, Object>> index = Corpus.index();
        Set<String> files = new LinkedHashSet<>();
        List<CorpusCase> cases = WRITES ? Corpus.cases() : Corpus.sample(Corpus.cases());
        int step = WRITES ? 1 : CaseCount.of(3, 1);
        for (int i = 0; i < cases.size(); i += step) {
            CorpusCase each = cases.get(i);
            files.add(each.file());
            files.add((String) index.get(each.file()).get("base"));
        }
        return files;
    }

    /// The rows of the table with some of their files.
    private static String table(Set<String> files) throws IOException {
        StringBuilder table = new StringBuilder(HEAD);
        for (String row : Files.readAllLines(TABLE)) {
            int at = row.lastIndexOf(" | ") + 3;
            List<String> kept = new ArrayList<>(List.of(row.substring(at).split(" ")));
            kept.retainAll(files);
            if (!kept.isEmpty()) {
                table.append(row, 0, at).append(String.join(" ", kept)).append('\n');
            }
        }
        return table.toString();
    }

    @Test
    void eachCheckFindsItsFaults() throws IOException {
        Map<String, ReadOptions> options = options();
        Map<String, TreeSet<String>> rows = new TreeMap<>();
        int compared = 0;
        Set<String> files = files();
        for (String file : files) {
            byte[] bytes = Files.readAllBytes(Corpus.FOLDER.resolve(file));
            List<String> all = found(STRICT, bytes);
            for (Map.Entry<String, ReadOptions> each : options.entrySet()) {
                List<String> found = found(each.getValue(), bytes);
                compared++;
                if (!found.equals(all)) {
                    String row =
                            "%s | %s | %s"
                                    .formatted(
                                            each.getKey(),
                                            Corpus.codesOnlyIn(all, found),
                                            Corpus.codesOnlyIn(found, all));
                    rows.computeIfAbsent(row, _ -> new TreeSet<>()).add(file);
                }
            }
        }
        String table = HEAD;
        for (Map.Entry<String, TreeSet<String>> each : rows.entrySet()) {
            table += each.getKey() + " | " + String.join(" ", each.getValue()) + "\n";
        }
        if (WRITES) {
            Files.writeString(TABLE, table);
        }
        CaseCount.report("Options of the corpus: %d, comparisons %d", options.size(), compared);
        assertEquals(table(files), table);
    }
}
