// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.corpus.CorpusConsumer.Verdict;
import dev.fletch.testdata.RulePage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The commands that print no codes as consumers of the corpus.
final class CorpusCommands {
    private static final Set<Level> ALL = EnumSet.allOf(Level.class);
    private static final Set<Level> METADATA = EnumSet.complementOf(EnumSet.of(Level.VALUES));
    // These show also what has no meaning.
    private static final Set<Level> SHOWN = EnumSet.of(Level.FRAME, Level.STRUCTURE, Level.FILE);
    private static final Set<Container> INPUTS =
            EnumSet.of(Container.FILE, Container.STREAM, Container.OTHER);

    // The first line on standard error, behind the name of the input.
    private static final Pattern FAULT = Pattern.compile("(?:offset (\\d+): )?(.*)");
    // Texts that only say which part is wrong; behind them is what is wrong.
    private static final Set<String> AROUND = Set.of("metadata-invalid", "footer-invalid");

    private CorpusCommands() {}

    static List<CorpusConsumer> all() {
        List<CorpusConsumer> all = new ArrayList<>();
        for (String each : List.of("ls", "count", "columns", "map", "schema")) {
            all.add(new CorpusConsumer(each, SHOWN, INPUTS, file -> shown(each, file)));
        }
        all.add(new CorpusConsumer("convert", METADATA, INPUTS, CorpusCommands::converted));
        all.add(
                new CorpusConsumer(
                        "convert --values", ALL, INPUTS, file -> converted(file, "--values")));
        return all;
    }

    private static Verdict shown(String command, Path file) {
        boolean isCounting = command.equals("ls") || command.equals("count");
        Cli.Run run =
                isCounting
                        ? Cli.runAlone(command, "--json", "" + file)
                        : Cli.runAlone(command, "" + file);
        Map<String, Object> json =
                isCounting && !run.out().isEmpty()
                        ? JsonTree.object(run.json().getFirst())
                        : Map.of();
        Object batches =
                command.equals("ls") && json.containsKey("messages")
                        ? JsonTree.array(json.get("messages")).stream()
                                .filter(each -> isBatch(JsonTree.object(each)))
                                .count()
                        : json.get("batches");
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
            Cli.Run run = Cli.runAlone(args.toArray(String[]::new));
            Object batches =
                    run.status() > 0 ? null : JsonTree.object(run.json().getFirst()).get("batches");
            return verdict(file, run, batches == null ? CorpusConsumer.NONE : (long) batches);
        } finally {
            Files.delete(out);
        }
    }

    /// What a run says of its input on standard error.
    private static Verdict verdict(Path file, Cli.Run run, long batches) {
        if (run.status() == 0) {
            return Verdict.read(batches);
        }
        String line = run.err().lines().findFirst().orElse("");
        Matcher fault = FAULT.matcher(line.replace("fletch: ", "").replace(file + ": ", ""));
        if (!fault.matches() || run.status() != 1) {
            throw new IllegalStateException(file + ": " + run);
        }
        long offset = fault.group(1) == null ? CorpusConsumer.NONE : Long.parseLong(fault.group(1));
        return new Verdict(code(fault.group(2)), offset, batches);
    }

    /// The code of a fault's text: that of the rule whose description is in it, the longest one.
    private static String code(String text) {
        return RulePage.declared().values().stream()
                .flatMap(Collection::stream)
                .filter(each -> text.contains(each.description()) && !AROUND.contains(each.id()))
                .max(Comparator.comparing(each -> each.description().length()))
                .map(Rule::id)
                .orElse("\"" + text.replaceAll("[0-9]+", "n") + "\"");
    }
}
