// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.corpus.CorpusConsumer.Verdict;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The commands that print no codes as consumers of the corpus.
final class CorpusCommands {
    private static final Set<String> ALL =
            Set.of("frame", "structure", "meaning", "file", "values");
    private static final Set<String> METADATA = Set.of("frame", "structure", "meaning", "file");
    private static final Set<Container> INPUTS =
            EnumSet.of(Container.FILE, Container.STREAM, Container.OTHER);

    private static final Pattern FAULT =
            Pattern.compile(": (?:message (\\d+): )?offset (\\d+): (.*)");

    private static final Pattern CODE = Pattern.compile("code=([\\w-]+)");

    private CorpusCommands() {}

    static List<CorpusConsumer> all() {
        List<CorpusConsumer> all = new ArrayList<>();
        for (String each : List.of("ls", "count", "columns", "map")) {
            all.add(new CorpusConsumer(each, METADATA, INPUTS, file -> shown(each, file)));
        }
        all.add(new CorpusConsumer("schema", METADATA, INPUTS, file -> shown("schema", file)));
        all.add(new CorpusConsumer("convert", METADATA, INPUTS, CorpusCommands::converted));
        all.add(
                new CorpusConsumer(
                        "convert --values", ALL, INPUTS, file -> converted(file, "--values")));
        all.add(new CorpusConsumer("head", ALL, INPUTS, CorpusCommands::head));
        return all;
    }

    /// Rows have no place for a fault: it is on standard error, with the description of its rule.
    private static Verdict head(Path file) {
        Cli.Run run = Cli.run("head", "--json", "--rows=1000", "" + file);
        if (run.status() == 0) {
            return Verdict.read(CorpusConsumer.NONE);
        }
        Matcher fault = FAULT.matcher(run.err().lines().findFirst().orElse(""));
        if (run.status() > 1 || !fault.find()) {
            throw new IllegalStateException(file + ": " + run);
        }
        String text = fault.group(3);
        Matcher code = CODE.matcher(text.split("; ", 2)[0]);
        String id = code.find() ? code.group(1) : "";
        Rule rule =
                Rule.all().stream()
                        .filter(
                                id.isEmpty()
                                        ? each -> text.startsWith(each.description())
                                        : each -> each.id().equals(id))
                        .max(Comparator.comparingInt(each -> each.description().length()))
                        .orElseThrow(() -> new IllegalStateException(file + ": " + run));
        int message = fault.group(1) == null ? Fault.NO_MESSAGE : Integer.parseInt(fault.group(1));
        long offset = Long.parseLong(fault.group(2));
        return new Verdict(rule.id(), message, offset, text, CorpusConsumer.NONE);
    }

    private static Verdict shown(String command, Path file) {
        Cli.Run run = Cli.run(command, "--json", "" + file);
        Map<String, Object> json = JsonTree.object(run.json().getFirst());
        Object batches =
                command.equals("ls") && json.containsKey("messages")
                        ? JsonTree.array(json.get("messages")).stream()
                                .filter(each -> isBatch(JsonTree.object(each)))
                                .count()
                        : command.equals("count") ? json.get("batches") : null;
        return verdict(file, run, batches == null ? CorpusConsumer.NONE : (long) batches);
    }

    private static boolean isBatch(Map<String, Object> message) {
        return "RecordBatch".equals(message.get("kind"));
    }

    private static Verdict converted(Path file, String... options) throws IOException {
        Path out = Files.createTempFile("fletch-corpus-", ".arrows");
        try {
            List<String> args = new ArrayList<>(List.of("convert", "--json", "--force"));
            args.addAll(Arrays.asList(options));
            args.addAll(List.of("--to=stream", "" + file, "" + out));
            Cli.Run run = Cli.run(args.toArray(String[]::new));
            Object batches =
                    run.status() > 0 ? null : JsonTree.object(run.json().getFirst()).get("batches");
            return verdict(file, run, batches == null ? CorpusConsumer.NONE : (long) batches);
        } finally {
            Files.delete(out);
        }
    }

    /// The first damage that a run names in its JSON.
    private static Verdict verdict(Path file, Cli.Run run, long batches) {
        Map<String, Object> json = JsonTree.object(run.json().getFirst());
        Object fault =
                json.containsKey("damages")
                        ? JsonTree.array(json.get("damages")).stream().findFirst().orElse(null)
                        : json.get("fault");
        if (run.status() > 1 || run.status() == 1 && fault == null) {
            throw new IllegalStateException(file + ": " + run);
        }
        if (fault == null) {
            return Verdict.read(batches);
        }
        Map<String, Object> of = JsonTree.object(fault);
        int message = of.get("message") == null ? Fault.NO_MESSAGE : (int) (long) of.get("message");
        String text = (String) of.get("text");
        return new Verdict(
                (String) of.get("code"), message, (long) of.get("offset"), text, batches);
    }
}
