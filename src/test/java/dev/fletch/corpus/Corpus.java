// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Rule;
import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.testdata.CaseCount;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The corpus of invalid inputs: files, made by the cases, and their index.
public final class Corpus {
    /// Where the files are.
    public static final Path FOLDER = Path.of("src/test/resources/corpus");

    /// The descriptions of the cases, in the order of the index.
    static final List<String> FILES =
            List.of("frame", "structure", "meaning", "file", "values", "several-places");

    /// The index of the files.
    public static final Path INDEX = FOLDER.resolve("index.json");

    /// What other readers do. The index keeps it: they are not run with each build.
    static final String PEERS = "peers";

    /// What readers of Fletch see that do not check the meaning.
    static final String SEEN = "seen";

    /// When other readers were run last.
    private static final String PEERS_DATE = "peersDate";

    private Corpus() {}

    /// All cases, made once.
    private static final class Cases {
        static final List<CorpusCase> ALL =
                FILES.stream().map(CaseFile::read).flatMap(List::stream).toList();
    }

    /// All cases, in the order of the index.
    public static List<CorpusCase> cases() {
        return Cases.ALL;
    }

    /// The first case of each rule; in the long run all cases.
    static List<CorpusCase> sample(List<CorpusCase> cases) {
        Set<Rule> seen = new HashSet<>();
        return cases.stream().filter(each -> CaseCount.isFull() || seen.add(each.rule())).toList();
    }

    /// The bytes of all files, for fuzzing to begin with.
    public static Stream<byte[]> inputs() {
        return files(cases()).values().stream();
    }

    /// The bytes of all files by their names: each broken input, and each sound one once.
    static Map<String, byte[]> files(List<CorpusCase> cases) {
        Map<String, byte[]> files = new TreeMap<>();
        Map<CorpusCase, String> bases = bases(cases);
        for (CorpusCase each : cases) {
            if (files.put(each.file(), each.broken()) != null) {
                throw new IllegalStateException("two cases have one name: " + each.file());
            }
            files.put(bases.get(each), each.sound());
        }
        return files;
    }

    /// The file of each case's sound twin: that of the first case with the same one.
    static Map<CorpusCase, String> bases(List<CorpusCase> cases) {
        Map<CorpusCase, String> bases = new LinkedHashMap<>();
        Map<ByteBuffer, String> first = new LinkedHashMap<>();
        for (CorpusCase each : cases) {
            first.putIfAbsent(ByteBuffer.wrap(each.sound()), each.soundFile());
            bases.put(each, first.get(ByteBuffer.wrap(each.sound())));
        }
        return bases;
    }

    // ---- the index

    /// The rows of the index by the names of their files.
    public static Map<String, Map<String, Object>> index() throws IOException {
        return JsonTree.array(parsed().get("inputs")).stream()
                .map(JsonTree::object)
                .collect(
                        Collectors.toMap(
                                row -> (String) row.get("file"),
                                row -> row,
                                (a, _) -> a,
                                LinkedHashMap::new));
    }

    /// The date on which other readers were run; null if they never were.
    static String peersDate() throws IOException {
        return (String) parsed().get(PEERS_DATE);
    }

    private static Map<String, Object> parsed() throws IOException {
        return JsonTree.object(JsonTree.parse(Files.readString(INDEX)));
    }

    /// A row of the index for a case whose file is there.
    ///
    /// @param base the file of its sound twin
    /// @param old the row before, which keeps what readers say
    static Map<String, Object> row(CorpusCase of, String base, Map<String, Object> old) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("file", of.file());
        row.put("level", of.rule().level());
        row.put("code", of.rule().id());
        row.put("severity", lower(of.rule().severity()));
        row.put("container", of.container().id);
        row.put("layout", of.layout());
        row.put("what", of.what());
        row.put("base", base);
        row.put(
                "edit",
                CorpusEdit.between(of.sound(), of.broken()).stream()
                        .map(CorpusEdit::json)
                        .toList());
        row.put("faults", faults(of.file()));
        row.put("reader", of.reader().id());
        row.put("saved", saved(of.file()));
        for (String key : List.of(PEERS, SEEN)) {
            if (old.containsKey(key)) {
                row.put(key, old.get(key));
            }
        }
        return row;
    }

    /// Says what readers of Fletch see, if it is not the error of the index.
    ///
    /// @param found code and offset by reader
    static void putSeen(Map<String, Object> row, Map<String, Object> found) {
        row.remove(SEEN);
        if (!found.isEmpty()) {
            row.put(SEEN, found);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /// What `verify` with all checks finds in a file of the corpus: code, message, path, offset,
    /// text.
    static List<Object> faults(String file) {
        Cli.Run run =
                Cli.run("verify", "--strict", "--values", "--json", "" + FOLDER.resolve(file));
        if (run.status() > 1) {
            throw new IllegalStateException(file + ": " + run.err());
        }
        List<Object> faults = new ArrayList<>();
        for (Object each : JsonTree.array(JsonTree.object(run.json().getFirst()).get("faults"))) {
            Map<String, Object> fault = new LinkedHashMap<>();
            for (String key : List.of("code", "message", "path", "offset", "text")) {
                Object value = JsonTree.object(each).get(key);
                if (value != null) {
                    fault.put(key, value);
                }
            }
            faults.add(fault);
        }
        return faults;
    }

    /// The batches and rows that `convert --salvage --values` saves of a file of the corpus.
    static Map<String, Object> saved(String file) {
        Map<String, Object> saved = new LinkedHashMap<>();
        try {
            Path out = Files.createTempFile("fletch-corpus-", ".arrows");
            List<String> options = List.of("--salvage", "--values", "--json", "--force");
            List<String> args = new ArrayList<>(List.of("convert"));
            args.addAll(options);
            args.addAll(List.of("--to=stream", "" + FOLDER.resolve(file), "" + out));
            Cli.Run run = Cli.run(args.toArray(String[]::new));
            Files.deleteIfExists(out);
            Map<String, Object> result =
                    run.out().isEmpty() ? Map.of() : JsonTree.object(run.json().getFirst());
            saved.put("batches", result.getOrDefault("batches", 0L));
            saved.put("rows", result.getOrDefault("rows", 0L));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return saved;
    }

    /// The codes of the faults that are only in the first list: each is the first word of a line.
    static String codesOnlyIn(List<String> these, List<String> others) {
        List<String> lines = new ArrayList<>(these);
        others.forEach(lines::remove);
        return lines.stream()
                .map(each -> each.substring(0, each.indexOf(' ')))
                .distinct()
                .collect(Collectors.joining(" "));
    }

    /// The text of the index: a line for each row.
    ///
    /// @param peersDate when other readers were run; null if they never were
    static String text(String peersDate, List<Map<String, Object>> rows) {
        StringBuilder text = new StringBuilder("{");
        if (peersDate != null) {
            text.append(json(PEERS_DATE)).append(": ").append(json(peersDate)).append(", ");
        }
        text.append("\"inputs\": [\n");
        for (int i = 0; i < rows.size(); i++) {
            text.append(json(rows.get(i))).append(i < rows.size() - 1 ? ",\n" : "\n");
        }
        return text.append("]}\n").toString();
    }

    private static String json(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> object -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> each : object.entrySet()) {
                    json.writeFieldName((String) each.getKey());
                    write(json, each.getValue());
                }
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                for (Object each : list) {
                    write(json, each);
                }
                json.writeEndArray();
            }
            case Long number -> json.writeNumber(number);
            default -> json.writeString((String) value);
        }
    }
}
