// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;

import dev.fletch.Rule;
import dev.fletch.command.JsonTree;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The corpus is what its cases make, each case breaks the rule that it is for, and `verify` finds
/// what the index says. `-Dfletch.corpus.write=true` writes files and index again.
class CorpusTest {
    private static final boolean WRITES = Boolean.getBoolean("fletch.corpus.write");
    private static final List<CorpusCase> CASES = Corpus.cases();

    @BeforeAll
    static void writeAgain() throws IOException {
        if (!WRITES) {
            return;
        }
        Map<String, byte[]> files = Corpus.files(CASES);
        for (String old : names()) {
            if (!files.containsKey(old)) {
                Files.delete(Corpus.FOLDER.resolve(old));
            }
        }
        for (Map.Entry<String, byte[]> each : files.entrySet()) {
            Path file = Corpus.FOLDER.resolve(each.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
        Map<String, Map<String, Object>> before =
                Files.exists(Corpus.INDEX) ? Corpus.index() : Map.of();
        String peersDate = Files.exists(Corpus.INDEX) ? Corpus.peersDate() : null;
        Files.writeString(Corpus.INDEX, Corpus.text(peersDate, rows(before)));
    }

    private static List<Map<String, Object>> rows(Map<String, Map<String, Object>> before) {
        Map<CorpusCase, String> bases = Corpus.bases(CASES);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (CorpusCase each : CASES) {
            Map<String, Object> old = before.getOrDefault(each.file(), Map.of());
            rows.add(Corpus.row(each, bases.get(each), old));
        }
        return rows;
    }

    /// The files in the folders of the levels.
    private static Set<String> names() throws IOException {
        try (Stream<Path> all = Files.walk(Corpus.FOLDER)) {
            return all.filter(Files::isRegularFile)
                    .map(Corpus.FOLDER::relativize)
                    .filter(each -> each.getNameCount() > 1 && !each.startsWith("cases"))
                    .map(Path::toString)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void theFilesAreThoseThatTheCasesMake() throws IOException {
        Map<String, byte[]> files = Corpus.files(CASES);
        assertEquals(files.keySet(), names());
        for (Map.Entry<String, byte[]> each : files.entrySet()) {
            byte[] found = Files.readAllBytes(Corpus.FOLDER.resolve(each.getKey()));
            assertArrayEquals(each.getValue(), found, each.getKey());
        }
        long bytes = files.values().stream().mapToLong(each -> each.length).sum();
        CaseCount.report("Corpus: %d cases, %d files, %d bytes", CASES.size(), files.size(), bytes);
    }

    @Test
    void theIndexIsWhatVerifyAndSalvageSay() throws IOException {
        Map<String, Map<String, Object>> index = Corpus.index();
        List<CorpusCase> sample = Corpus.sample(CASES);
        Map<CorpusCase, String> bases = Corpus.bases(CASES);
        for (CorpusCase each : sample) {
            Map<String, Object> row = index.get(each.file());
            Map<String, Object> made = Corpus.row(each, bases.get(each), row);
            assertEquals(Corpus.text(null, List.of(made)), Corpus.text(null, List.of(row)));
        }
        List<Map<String, Object>> all = List.copyOf(index.values());
        assertEquals(Corpus.text(Corpus.peersDate(), all), Files.readString(Corpus.INDEX));
        assertEquals(CASES.stream().map(CorpusCase::file).toList(), List.copyOf(index.keySet()));
        CaseCount.report("Rows of the index: %d of %d", sample.size(), all.size());
    }

    @Test
    void theIndexFollowsItsSchema() throws IOException {
        JsonSchema schema =
                JsonSchemaFactory.getInstance(VersionFlag.V202012)
                        .getSchema(Files.readString(Corpus.FOLDER.resolve("index.schema.json")));
        String index = Files.readString(Corpus.INDEX);
        assertEquals(Set.of(), schema.validate(index, InputFormat.JSON));
        String wrong = index.replaceFirst("\"severity\":\"\\w+\"", "\"severity\":\"fatal\"");
        assertEquals(1, schema.validate(wrong, InputFormat.JSON).size());
    }

    @Test
    void theEditsMakeEachInputFromItsSoundTwin() throws IOException {
        for (Map<String, Object> row : Corpus.index().values()) {
            byte[] base = Files.readAllBytes(Corpus.FOLDER.resolve((String) row.get("base")));
            List<CorpusEdit> edits =
                    JsonTree.array(row.get("edit")).stream()
                            .map(JsonTree::object)
                            .map(CorpusEdit::of)
                            .toList();
            String file = (String) row.get("file");
            byte[] broken = Files.readAllBytes(Corpus.FOLDER.resolve(file));
            assertArrayEquals(broken, CorpusEdit.apply(base, edits), file);
        }
    }

    @Test
    void eachInputBreaksItsRuleAndThoseThatItImplies() throws IOException {
        Map<String, Map<String, Object>> index = Corpus.index();
        Map<String, String> wrong = new TreeMap<>();
        for (CorpusCase each : CASES) {
            Set<String> expected = new TreeSet<>(Set.of(each.rule().id()));
            each.implied().forEach(rule -> expected.add(rule.id()));
            Set<String> found = codes(JsonTree.array(index.get(each.file()).get("faults")));
            if (!expected.equals(found)) {
                wrong.put(each.file(), "expected " + expected + ", found " + found);
            }
        }
        assertTrue(wrong.isEmpty(), () -> lines(wrong));
    }

    @Test
    void eachRuleHasAnInputOrACall() {
        Set<String> covered = new TreeSet<>(CorpusCalls.codes());
        CASES.forEach(each -> covered.add(each.rule().id()));
        Set<String> all =
                Rule.all().stream().map(Rule::id).collect(Collectors.toCollection(TreeSet::new));
        CaseCount.report("Rules: %d, with inputs or calls: %d", all.size(), covered.size());
        assertEquals(all, covered);
    }

    private static Set<String> codes(List<Object> faults) {
        return faults.stream()
                .map(each -> (String) JsonTree.object(each).get("code"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String lines(Map<String, String> of) {
        return of.entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue())
                .collect(Collectors.joining("\n", "\n", ""));
    }
}
