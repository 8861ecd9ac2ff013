// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.Rule;
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

    private static final String PYTHON =
            """
            import json
            import pathlib
            import sys

            folder = pathlib.Path(sys.argv[1])
            rows = json.loads((folder / "index.json").read_text())["inputs"]
            for row in rows:
                data = (folder / row["base"]).read_bytes()
                for edit in reversed(row["edit"]):
                    at, new = edit["at"], bytes.fromhex(edit["bytes"])
                    data = data[:at] + new + data[at + edit.get("remove", len(new)):]
                assert data == (folder / row["file"]).read_bytes(), row["file"]
                # Give data to your reader here. It must refuse if row["reader"] == "must-refuse".
            print(len(rows), "inputs")
            """;

    private static final String CPP =
            """
            #include <cassert>
            #include <fstream>
            #include <iostream>
            #include <iterator>
            #include <regex>
            #include <string>

            static std::string bytes_of(const std::string& path) {
                std::ifstream in(path, std::ios::binary);
                assert(in);
                return {std::istreambuf_iterator<char>(in), {}};
            }

            static std::string text(const std::string& row, const std::string& key) {
                std::smatch found;
                std::regex_search(row, found, std::regex("\\"" + key + "\\":\\"([^\\"]*)\\""));
                return found[1];
            }

            int main(int, char** arguments) {
                const std::string folder = std::string(arguments[1]) + "/";
                const std::regex edit(R"x(\\{"at":(\\d+)(?:,"remove":(\\d+))?,"bytes":"([0-9a-f]*)"\\})x");
                std::ifstream index(folder + "index.json");
                int count = 0;
                for (std::string row; std::getline(index, row);) {
                    if (row.rfind("{\\"file\\"", 0) != 0) continue;
                    const std::string sound = bytes_of(folder + text(row, "base"));
                    std::string data;
                    size_t at = 0;
                    for (std::sregex_iterator each(row.begin(), row.end(), edit), end; each != end; ++each) {
                        const size_t start = std::stoul((*each)[1]);
                        const std::string hex = (*each)[3];
                        data += sound.substr(at, start - at);
                        for (size_t i = 0; i < hex.size(); i += 2)
                            data += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
                        at = start + ((*each)[2].matched ? std::stoul((*each)[2]) : hex.size() / 2);
                    }
                    data += sound.substr(at);
                    if (data != bytes_of(folder + text(row, "file"))) return 1;
                    // Give data to your reader here. It must refuse if text(row, "reader") == "must-refuse".
                    count++;
                }
                std::cout << count << " inputs\\n";
            }
            """;

    private static final String INTRODUCTION =
            """
            # Corpus of invalid inputs

            `src/test/resources/corpus/` has %d inputs that each break one [rule](faults.md), most of them files and
            streams. Each has a sound twin, from which it differs in a few bytes. Use them to test any reader of Arrow: no
            code of Fletch is needed.

            ## The index

            `index.json` has one line for each input:

            | key | value |
            |---|---|
            | `file`, `container` | the input, and its form: `file`, `stream`, `flatbuffer` (a message or footer alone), `base64`, `other` |
            | `level`, `code`, `severity` | the rule that it breaks |
            | `what`, `layout` | what is wrong, and in which layout of column |
            | `base`, `edit` | the sound twin, and the bytes that are replaced: at `at`, `remove` bytes (if absent, as many as there are new ones) by `bytes` |
            | `faults` | what `fletch verify --strict --values --json` finds |
            | `reader` | `must-refuse`: no value can be trusted; `may-read`: the format forbids it, but the values are clear; `reads-same`: the values are those of the sound twin |
            | `saved` | what `fletch convert --salvage --values` saves |
            | `peers` | what other readers do: see [below](#other-readers) |
            | `seen` | what stops classes of Fletch that do not verify all, and where, if that is not the first error of `faults` |

            A good reader refuses each `must-refuse`, reads each `reads-same`, and neither crashes, hangs nor takes more
            memory than the input explains.

            ## From Python

            ```python
            """;

    private static final String FROM_CPP =
            """
            ```

            ## From C++

            ```cpp
            """;

    private static final String PEERS =
            """
            ```

            Give both the folder as the argument.

            ## Descriptions

            `cases/*.txt` describe all inputs, sound and broken. A statement is a line; lines that begin with a space
            continue it. To add a case, write its line below its sound input, and run
            `mvn test -Dtest=CorpusTest -Dfletch.corpus.write=true`: it writes the files and the index.

            | statement | meaning |
            |---|---|
            | `let utf8 = utf8:Utf8` | names a table |
            | `file <utf8> \\| batch 2 [2/1] [i8(1) i32(0 2 2) "ab"]` | a sound input: container, schema and messages |
            | `as name` | the sound input of the case `name` once more |
            | `- rule name "what is wrong" @layout +implied => edit; edit` | a case of the sound input before it, `@`: the layout, `+`: each other rule that it breaks, `=>`: what makes it of the sound input; before `=>` may be `must-refuse`, `may-read` or `reads-same`, if not as usual for the rule |

            | part | meaning |
            |---|---|
            | `file`, `stream`, `flatbuffer TABLE`, `base64 file`, `other bytes BYTES` | containers; `other` is no Arrow, `base64` is the text of one of the others |
            | `v4`, `legacy`, `padding 4`, `head BYTES`, `gap BYTES`, `marker BYTES`, `unframed`, `blocks 2 3` | behind `file` or `stream`: version V4, no continuation words, more padding of metadata, other bytes before the schema message, behind it, or as the end-of-stream marker, no prefix of the schema message, blocks of these messages |
            | `<int8 utf8>`, `<int8>{endianness=1}` | a schema: its fields, and the other fields of its table |
            | `name:Int(bitWidth=8 is_signed=1)<child child>{…}` | a field with type, children and the rest of its table; `name!:` if it is not nullable |
            | `KeyValue(key="k")`, `(0 8)`, `[1 2*3 4~9]` | any table, struct and vector with the names of the format's `.fbs` files; `*` repeats, `~` counts up or down; equal tables are one in the flatbuffer, unless `new` is before the second; `repeat(9 "x")` is a long text, `deep(9 "":Struct_ int8)` a field in 9 others |
            | `batch 2 [2 3/1] [- "ab"] + BYTES {…}` | a record batch: rows, length and null count of nodes, buffers, rest of the body and of the table; with `lz4`, `zstd` or `stored` before the rows, the buffers are compressed or have the length -1 |
            | `dictionary 7 2 …`, `delta 7 2 …` | the same for a dictionary with id 7 |
            | `header TABLE BYTES`, `message TABLE BYTES` | any other message: the table of its header, or of itself, and its body |
            | `-`, `i8(…)`, `i16(…)`, `i32(…)`, `i64(…)`, `"text"`, `zeros(8)`, `hex(…)`, `view("abc")`, `view(12 "abcd" 0 5)`, `lz4(…)`, `zstd(…)`, `stored(…)`, `input(…)` | bytes; `+` joins them |

            Messages count from 0, the schema. Edits are:

            | edit | meaning |
            |---|---|
            | `1.header.nodes[0].length = 3`, `footer.version = none` | another value of a message or footer, or none; `schema.` changes the schema in both, `root.` a flatbuffer alone |
            | `1.buffer[2] = BYTES`, `1.body = BYTES` | another buffer, which others follow, or only other bytes of the body |
            | `1 = batch …`, `insert 2 batch …`, `remove 1`, `set padding 4` | another message, one more, one less, another option |
            | `column int8`, `add 1 [2] [- i8(1 2)]` | one more field of the schema, more nodes and buffers of a batch |
            | `@slot(1.header.nodes) i16(0)` | other bytes of a flatbuffer, at a place: `root(1)`, `table(1.header)`, `vtable(…)`, `slot(…)` in the vtable, `field(…)`, `target(…)` where the field's offset leads to, `last(1)` the end; `schema.` is the schema in message and footer, `footer.` the footer |
            | `@start(1)+4 i32(-8)` | other bytes of the input, at a place: `start(1)` of a message, its `body(1)`, `behind(1)` it, `footer`, `end`, or a number, if negative from the end |
            | `@end insert BYTES`, `@-8 cut 8`, `@-8 cut 8 BYTES` | more bytes, fewer, or others of another length |
            | `instead BYTES` | other bytes for all |

            ## Other readers

            `mvn -q -Pcorpus-peers` gives each file and stream to other readers, which run in processes of their own. A reader
            gets many inputs in one process. An input that crashes, hangs or needs too much memory is tried again alone in a
            new process. C++ gets a new process after each input that it does not refuse. Last run: %s.

            - **refused**: an error, when the input is opened or when its values are read
            - **read**: accepted, with the values of the sound twin
            - **wrong values**: accepted, with other values, or with values that cannot be shown
            - **crash**: the process ends, or a panic, a trap or a stack overflow
            - **hang**: more than 20 s of processor time
            - **too much memory**: takes or asks for more than its limit: 1 GiB of memory, 256 MiB of heap, 12 GiB of addresses

            The values are compared as text, of at most 1,000 rows a batch. An input that a reader may read counts as
            read if all readers that accept it show other values than those of the twin: then the fault is in a value. A
            reader that cannot read the sound twin has no outcome. C++ reads without `Validate`. What C++ reads out of
            bounds may differ from run to run.

            """;

    private static final int MOST_COLUMNS = 117;

    // Lists name so many inputs.
    private static final int LISTED = 30;

    private final List<Map<String, Object>> rows = new ArrayList<>(Corpus.index().values());
    private final StringBuilder page = new StringBuilder();

    CorpusPageTest() throws IOException {}

    @Test
    void pageSaysWhatTheIndexSays() throws IOException {
        page.append(INTRODUCTION.formatted(rows.size())).append(PYTHON);
        page.append(FROM_CPP).append(CPP).append(PEERS.formatted(Corpus.peersDate()));
        addCounts();
        addSurprises();
        addMatrix();
        addSound();
        if (Boolean.getBoolean("fletch.docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertEquals(
                page.toString(),
                Files.readString(PAGE),
                "write it: mvn test -Dtest=CorpusPageTest -Dfletch.docs.write=true");
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

    @Test
    void thePythonProgramMakesEachInput(@TempDir Path folder) throws Exception {
        Path program = Files.writeString(folder.resolve("corpus.py"), PYTHON);
        assertMakesEachInput(folder, tool("python3"), program.toString());
    }

    @Test
    void theCppProgramMakesEachInput(@TempDir Path folder) throws Exception {
        CaseCount.assumeFull();
        Path source = Files.writeString(folder.resolve("corpus.cpp"), CPP);
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
