// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Rule;
import dev.fletch.corpus.CorpusCase.Reader;
import dev.fletch.format.Schema;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.FbsValue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Reads cases from `corpus/cases/*.txt`: see `docs/reference/corpus.md` for their form.
public final class CaseFile {
    /// Where they are.
    static final Path FOLDER = Corpus.FOLDER.resolve("cases");

    private static final Map<String, Rule> RULES =
            Rule.all().stream().collect(Collectors.toMap(Rule::id, Function.identity()));

    private final Map<String, FbsValue.Table> tables = new LinkedHashMap<>();
    private final List<CorpusCase> cases = new ArrayList<>();

    /// The sound inputs of the cases, by the names of these.
    private final Map<String, String> inputs = new HashMap<>();

    /// The description of the sound input of the cases that follow.
    private String input = "";

    /// @param name of the file without `.txt`
    static List<CorpusCase> read(String name) {
        try {
            return of(Files.readString(FOLDER.resolve(name + ".txt")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The cases of a text. A statement is a line and the lines behind it that begin with a space:
    /// a line break and the spaces behind it are one space.
    public static List<CorpusCase> of(String text) {
        return new CaseFile(text).cases;
    }

    /// The bytes of the sound input that a text ends with.
    public static byte[] input(String text) {
        CaseFile file = new CaseFile(text);
        return file.input(new CaseValues(file.tables)).bytes();
    }

    /// A schema, and the statements with the names that it uses.
    public static ArrowSchema schema(String names, String columns) {
        byte[] bytes = input(names + "flatbuffer " + columns);
        return ArrowSchema.of(new Schema().wrap(MemorySegment.ofArray(bytes)));
    }

    private CaseFile(String text) {
        String statements =
                text.lines()
                        .filter(each -> !each.isEmpty() && !each.startsWith("#"))
                        .collect(Collectors.joining("\n"));
        for (String each : statements.split("\n(?! )")) {
            try {
                statement(each.replaceAll("\n +", " "));
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("in the statement: " + each, e);
            }
        }
    }

    private void statement(String text) {
        CaseScanner from = new CaseScanner(text);
        CaseValues values = new CaseValues(tables);
        switch (from.take()) {
            case "let" -> {
                String name = from.take();
                from.expect("=");
                tables.put(name, values.table(from));
            }
            case "as" -> {
                String name = from.take();
                input =
                        Optional.ofNullable(inputs.get(name))
                                .orElseThrow(() -> from.wrong("a case above"));
            }
            case "-" -> add(from, values);
            default -> input = text;
        }
    }

    private void add(CaseScanner from, CaseValues values) {
        Rule rule = rule(from);
        String name = from.take();
        inputs.put(name, input);
        String what = from.text();
        String layout = !from.takes("@") ? "" : from.isText() ? from.text() : from.take();
        List<Rule> implied = new ArrayList<>();
        while (from.takes("+")) {
            implied.add(rule(from));
        }
        Reader reader = from.peek().equals("=>") ? Reader.of(rule) : reader(from);
        byte[] sound = input(values).bytes();
        CaseInput broken = input(values);
        broken.edits(from);
        end(from);
        cases.add(
                new CorpusCase(
                        rule,
                        name,
                        broken.container(),
                        layout,
                        what,
                        sound,
                        broken.bytes(),
                        implied,
                        reader));
    }

    private static Rule rule(CaseScanner from) {
        Rule rule = RULES.get(from.peek());
        if (rule == null) {
            throw from.wrong("a rule");
        }
        from.take();
        return rule;
    }

    private static Reader reader(CaseScanner from) {
        String id = from.take();
        return Arrays.stream(Reader.values())
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() -> from.wrong("what a reader may do"));
    }

    private CaseInput input(CaseValues values) {
        CaseScanner from = new CaseScanner(input);
        CaseInput made = CaseInput.of(from, values);
        end(from);
        return made;
    }

    private static void end(CaseScanner from) {
        if (!from.isAtEnd()) {
            throw from.wrong("the end");
        }
    }
}
