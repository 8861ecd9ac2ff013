// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.Rule;
import dev.fletch.command.GoldenOutput;
import dev.fletch.command.JsonTree;
import dev.fletch.fbs.Flatc;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// `docs/reference/corpus.md` says what the index says, and its programs run.
///
/// Written anew with `-Dfletch.docs.write=true`.
class CorpusPageTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path PAGE = ROOT.resolve("docs/reference/corpus.md");

    private static final int MOST_COLUMNS = 117;

    // Lists name so many inputs.
    private static final int LISTED = 30;

    private final List<Map<String, Object>> rows = new ArrayList<>(Corpus.index().values());
    private final StringBuilder page = new StringBuilder();

    CorpusPageTest() throws IOException {}

    @Test
    void pageSaysWhatTheIndexSays() throws IOException {
        String old = Files.readString(PAGE);
        String prose = old.substring(0, old.indexOf("| reader | input |"));
        prose = prose.replaceFirst(" has \\d+ inputs ", " has " + rows.size() + " inputs ");
        page.append(prose.replaceFirst("(?<=Last run: )[\\d-]+", Corpus.peersDate()));
        addCounts();
        addSurprises();
        addMatrix();
        addSound();
        GoldenOutput.assertPage(PAGE, page.toString());
    }

    // ---- tables

    /// How often each reader has each outcome, for inputs that it must refuse and for others.
    private void addCounts() {
        row("reader", "input", String.join(" | ", CorpusPeers.OUTCOMES));
        page.append("|---|---|").append("---|".repeat(CorpusPeers.OUTCOMES.size())).append('\n');
        for (String peer : peers()) {
            for (String reader : List.of("must-refuse", "may-read", "reads-same")) {
                List<String> counts = new ArrayList<>(List.of(peer, reader));
                for (String outcome : CorpusPeers.OUTCOMES) {
                    counts.add(
                            ""
                                    + count(
                                            row ->
                                                    is(row, reader)
                                                            && outcome.equals(
                                                                    peers(row).get(peer))));
                }
                row(counts.toArray(String[]::new));
            }
        }
    }

    private long count(Predicate<Map<String, Object>> which) {
        return rows.stream().filter(which).count();
    }

    private void addSurprises() {
        page.append("\n## What surprises\n");
        Map<String, Set<String>> ended = new LinkedHashMap<>();
        for (Map<String, Object> row : rows) {
            peers(row).entrySet().stream()
                    .filter(each -> CorpusPeers.OUTCOMES.indexOf(each.getValue()) > 2)
                    .forEach(
                            each ->
                                    ended.computeIfAbsent(
                                                    each.getKey() + ": " + each.getValue(),
                                                    _ -> new LinkedHashSet<>())
                                            .add(name(row)));
        }
        page.append("\nCrashes, hangs and memory:\n\n");
        ended.forEach(
                (what, files) -> page.append("- ").append(what).append('\n').append(list(files)));
        addList(
                "Must be refused, but all readers that were given it accept it:",
                row ->
                        is(row, "must-refuse")
                                && peers(row).size() > 1
                                && Set.of(CorpusPeers.READ, CorpusPeers.WRONG_VALUES)
                                        .containsAll(peers(row).values()));
        addList(
                "Has the values of its sound twin, but some reader does not give them:",
                row ->
                        is(row, "reads-same")
                                && !Set.of(CorpusPeers.READ).containsAll(peers(row).values()));
        addList(
                "May be read, but some reader gives other values than the rest:",
                row -> is(row, "may-read") && peers(row).containsValue(CorpusPeers.WRONG_VALUES));
    }

    private void addList(String title, Predicate<Map<String, Object>> which) {
        Set<String> names =
                rows.stream()
                        .filter(which)
                        .map(CorpusPageTest::name)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        if (!names.isEmpty()) {
            page.append('\n').append(title).append("\n\n").append(list(names));
        }
    }

    private static String list(Collection<String> names) {
        String items =
                names.stream()
                        .limit(LISTED)
                        .map(each -> "    - `" + each + "`\n")
                        .collect(Collectors.joining());
        int more = names.size() - LISTED;
        return more > 0 ? items + "    - and " + more + " more\n" : items;
    }

    /// What each reader does with the inputs of each rule.
    private void addMatrix() {
        page.append(
                "\n"
                        + "## The matrix\n\n"
                        + "A number says how many inputs of the rule have the outcome.\n\n");
        Set<String> peers = peers();
        row("code", "severity", String.join(" | ", peers));
        page.append("|---|---|").append("---|".repeat(peers.size())).append('\n');
        Map<String, List<Map<String, Object>>> byCode =
                rows.stream()
                        .collect(
                                Collectors.groupingBy(
                                        row -> row.get("code") + "` | " + row.get("severity"),
                                        TreeMap::new,
                                        Collectors.toList()));
        byCode.forEach(
                (code, of) -> {
                    List<String> cells = new ArrayList<>(List.of("`" + code));
                    peers.forEach(peer -> cells.add(cell(of, peer)));
                    row(cells.toArray(String[]::new));
                });
    }

    /// The deviations and notes of inputs that are sound for readers of untrusted input.
    private void addSound() {
        page.append(
                "\n## What is sound for `UNTRUSTED`\n\n"
                        + "`ReadOptions.UNTRUSTED` and `VerifiedChannel` accept inputs that break"
                        + " only these rules:\n\n");
        Set<String> codes =
                rows.stream()
                        .map(row -> (String) row.get("code"))
                        .collect(Collectors.toCollection(TreeSet::new));
        String accepted =
                Rule.all().stream()
                        .filter(rule -> !ReadOptions.UNTRUSTED.refuses(rule))
                        .map(Rule::id)
                        .filter(codes::contains)
                        .sorted()
                        .map(each -> "`" + each + "`,")
                        .collect(Collectors.joining(" "));
        page.append(wrapped(accepted.substring(0, accepted.length() - 1))).append(".\n");
    }

    private static String wrapped(String words) {
        StringBuilder text = new StringBuilder();
        int start = 0;
        for (String word : words.split(" ")) {
            if (text.length() - start + word.length() > MOST_COLUMNS) {
                text.setCharAt(text.length() - 1, '\n');
                start = text.length();
            }
            text.append(word).append(' ');
        }
        return text.toString().stripTrailing();
    }

    private static String cell(List<Map<String, Object>> of, String peer) {
        Map<Object, Long> counts =
                of.stream()
                        .map(row -> peers(row).get(peer))
                        .filter(each -> each != null)
                        .collect(Collectors.groupingBy(each -> each, Collectors.counting()));
        String cell =
                CorpusPeers.OUTCOMES.stream()
                        .filter(counts::containsKey)
                        .map(each -> counts.size() == 1 ? each : counts.get(each) + " " + each)
                        .collect(Collectors.joining(", "));
        return cell.isEmpty() ? "–" : cell;
    }

    private void row(String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private Set<String> peers() {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> names.addAll(peers(row).keySet()));
        return names.stream().sorted().collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Map<String, Object> peers(Map<String, Object> row) {
        return JsonTree.object(row.getOrDefault(Corpus.PEERS, Map.of()));
    }

    private static boolean is(Map<String, Object> row, String reader) {
        return reader.equals(row.get("reader"));
    }

    private static String name(Map<String, Object> row) {
        return (String) row.get("file");
    }

    // ---- programs

    /// A program of the page.
    private static String program(String language) throws IOException {
        return Files.readString(PAGE).split("```" + language + "\n")[1].split("```")[0];
    }

    @Test
    void thePythonProgramMakesEachInput(@TempDir Path folder) throws Exception {
        Path program = Files.writeString(folder.resolve("corpus.py"), program("python"));
        assertMakesEachInput(folder, tool("python3"), program.toString());
    }

    @Test
    void theCppProgramMakesEachInput(@TempDir Path folder) throws Exception {
        CaseCount.assumeFull();
        Path source = Files.writeString(folder.resolve("corpus.cpp"), program("cpp"));
        Path program = folder.resolve("corpus");
        List<String> options = List.of("-std=c++17", "-Wall", "-Wextra", "-Werror", "-o");
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of(program.toString(), source.toString()));
        Flatc.Result compiled = Flatc.run(tool("g++"), folder, arguments);
        assertEquals(0, compiled.status(), compiled::output);
        assertMakesEachInput(folder, program);
    }

    private void assertMakesEachInput(Path folder, Path program, String... arguments)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add(ROOT.resolve(Corpus.FOLDER).toString());
        Flatc.Result result = Flatc.run(program, folder, all);
        assertEquals(rows.size() + " inputs", result.output().strip());
        assertEquals(0, result.status());
    }

    private static Path tool(String name) {
        Optional<Path> found = Flatc.find(name);
        assumeTrue(found.isPresent(), "no " + name + " on PATH: its program is not run");
        return found.get();
    }
}
