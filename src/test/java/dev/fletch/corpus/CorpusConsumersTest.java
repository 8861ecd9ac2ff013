// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.StructureRule;
import dev.fletch.ValueRule;
import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.corpus.CorpusConsumer.Verdict;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RulePage;
import dev.fletch.verify.messages.SemanticVerifier;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All that reads inputs says the same of each file of the corpus: the index's first error of the
/// levels that it checks, at the same offset, and as many batches. A reader that does not check the
/// meaning may be stopped by what follows from an error: the index says what it then sees;
/// `-Dfletch.corpus.write=true` writes that again.
class CorpusConsumersTest {
    private static final boolean WRITES = Boolean.getBoolean("fletch.corpus.write");
    private static final Map<String, Rule> RULES = new HashMap<>();
    private static final Set<String> STRICT_RULES = strictRules();

    /// Rules of values that lead to no value of a row.
    private static final Set<Rule> NOT_SHOWN =
            Set.of(
                    ValueRule.VALUE_NULL_COUNT,
                    ValueRule.VALUE_RUN_END_ORDER,
                    ValueRule.VALUE_VIEW_PADDING,
                    ValueRule.VALUE_VIEW_PREFIX);

    /// Rules of what leads to a value, unless it is null.
    private static final Set<Rule> OF_VALUES =
            Set.of(ValueRule.VALUE_OFFSET_ORDER, ValueRule.VALUE_SIZE_RANGE);

    private static Map<String, Map<String, Object>> index;

    @BeforeAll
    static void readIndex() throws IOException {
        index = Corpus.index();
        Rule.all().forEach(each -> RULES.put(each.id(), each));
    }

    /// The rules of checks that are off by default.
    private static Set<String> strictRules() {
        Set<String> off =
                Stream.of(Check.values())
                        .filter(each -> !Checks.USUAL.has(each))
                        .map(Enum::name)
                        .collect(Collectors.toSet());
        return RulePage.checkByRule().entrySet().stream()
                .filter(each -> off.contains(each.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    // ---- what verify finds

    /// A fault of the index: code, message, path and offset.
    private static String line(Object fault) {
        Map<String, Object> of = JsonTree.object(fault);
        String message = of.get("message") == null ? "-" : "" + of.get("message");
        return of.get("code") + " " + message + " " + of.get("path") + " " + of.get("offset");
    }

    private static List<Object> faults(CorpusCase of) {
        return JsonTree.array(index.get(of.file()).get("faults"));
    }

    private static Rule rule(Object fault) {
        return RULES.get((String) JsonTree.object(fault).get("code"));
    }

    // ---- what commands that check find

    /// Adds a row for a command that finds other faults than the index has for what it checks: the
    /// codes that are missing, and those that are there besides.
    ///
    /// @param checked the faults that it checks for
    /// @return what it prints
    private static Map<String, Object> compare(
            Set<String> differing, CorpusCase of, Predicate<Object> checked, String... command) {
        List<String> args = new ArrayList<>(List.of(command));
        args.addAll(List.of("--json", "" + Corpus.FOLDER.resolve(of.file())));
        Cli.Run run = Cli.run(args.toArray(String[]::new));
        Map<String, Object> printed = JsonTree.object(run.json().getFirst());
        List<String> lines =
                JsonTree.array(printed.get("faults")).stream()
                        .map(CorpusConsumersTest::line)
                        .toList();
        List<String> expected =
                faults(of).stream().filter(checked).map(CorpusConsumersTest::line).toList();
        String missing = Corpus.codesOnlyIn(expected, lines);
        String more = Corpus.codesOnlyIn(lines, expected);
        if (!missing.isEmpty() || !more.isEmpty()) {
            String row = String.join(" ", command) + " | " + missing + " | " + more;
            differing.add(row + " | " + of.file());
        }
        return printed;
    }

    /// Whether a fault is found by the uncompressed lengths in a body, which only `--strict` and
    /// `--values` read.
    private static boolean isInBody(Object fault) {
        return ("" + JsonTree.object(fault).get("text")).contains("uncompressed=");
    }

    /// @return how many record batches `verify` counts
    private static long compareChecks(Set<String> differing, CorpusCase input) {
        Predicate<Object> byDefault = fault -> !STRICT_RULES.contains(code(fault));
        Predicate<Object> isOfMetadata = fault -> !CorpusConsumer.needsValues(rule(fault));
        Predicate<Object> needsNoBody = byDefault.and(isOfMetadata).and(each -> !isInBody(each));
        compare(differing, input, isOfMetadata, "verify", "--strict");
        compare(differing, input, byDefault, "verify", "--values");
        compare(differing, input, needsNoBody, "annotate");
        return (long) compare(differing, input, needsNoBody, "verify").get("recordBatches");
    }

    // ---- what others say

    @Test
    void allConsumersSayTheSame() throws IOException {
        List<CorpusConsumer> readers = CorpusReaders.all();
        List<CorpusConsumer> commands = CorpusCommands.all();
        Set<String> differing = new TreeSet<>();
        int compared = 0;
        int others = 0;
        List<CorpusCase> inputs = WRITES ? Corpus.cases() : Corpus.sample(Corpus.cases());
        for (CorpusCase input : inputs) {
            long batches = compareChecks(differing, input);
            compared += 4;
            Map<String, Object> found = new LinkedHashMap<>();
            for (CorpusConsumer each : readers) {
                String row = each.reads(input) ? difference(each, input, batches) : null;
                if (row != null) {
                    found.put(each.name(), seen(each, input));
                }
                compared++;
            }
            for (CorpusConsumer each : commands) {
                String row = each.reads(input) ? difference(each, input, batches) : null;
                if (row != null) {
                    differing.add(each.name() + " | " + row + " | " + input.file());
                }
                compared++;
            }
            others += found.size();
            Map<String, Object> row = index.get(input.file());
            if (WRITES) {
                Corpus.putSeen(row, found);
            } else if (!found.equals(row.getOrDefault(Corpus.SEEN, Map.of()))) {
                differing.add("index | " + found + " | " + input.file());
            }
        }
        if (WRITES) {
            Files.writeString(
                    Corpus.INDEX, Corpus.text(Corpus.peersDate(), List.copyOf(index.values())));
        }
        CaseCount.report(
                "Consumers of the corpus: %d, inputs %d, comparisons %d, readers that see what"
                        + " follows %d",
                readers.size() + commands.size() + 4, inputs.size(), compared, others);
        assertEquals(Set.of(), differing, () -> String.join("\n", differing));
    }

    /// Vectors of all columns are refused for the same rule, at the same place, as the batches of the
    /// reader of columns. Below the level of values, they may be refused for more, which that reader
    /// or `verify` finds with all checks. arrow-java does not read some types and deviations.
    @Test
    void vectorsSayWhatColumnsSay() {
        ReadOptions values = ReadOptions.DEFAULT.withLevel(Level.VALUES);
        Set<String> differing = new TreeSet<>();
        int refused = 0;
        for (CorpusCase input : Corpus.sample(Corpus.cases())) {
            if (input.container() != Container.FILE && input.container() != Container.STREAM) {
                continue;
            }
            boolean isFile = input.container() == Container.FILE;
            Path path = Corpus.FOLDER.resolve(input.file());
            Verdict most = CorpusReaders.columns(path, isFile, values);
            for (ReadOptions options :
                    List.of(
                            ReadOptions.DEFAULT.withLevel(Level.TOUCHED),
                            ReadOptions.DEFAULT,
                            ReadOptions.DEFAULT.withLevel(Level.MEANING),
                            values,
                            CorpusReaders.UNTRUSTED)) {
                Verdict columns = CorpusReaders.columns(path, isFile, options);
                Verdict vectors = CorpusReaders.vectors(path, isFile, options);
                refused += vectors.code() == null ? 0 : 1;
                boolean isMore =
                        !options.checks(Level.VALUES)
                                && vectors.code() != null
                                && (isSame(most, vectors) || isFound(input, vectors, options));
                if (!isSame(columns, vectors) && !isMore) {
                    String row = place(columns) + " | " + place(vectors) + " | ";
                    differing.add(row + options.level() + " | " + input.file());
                }
            }
        }
        CaseCount.report("Options with which vectors are refused as columns: %d", refused);
        assertEquals(Set.of(), differing, () -> String.join("\n", differing));
    }

    /// Whether an error is one of `verify`, at its offset or where the index says that a reader sees
    /// it. What is not verified at its first use has a rule of its own.
    private static boolean isFound(CorpusCase input, Verdict vectors, ReadOptions options) {
        Object seen = index.get(input.file()).getOrDefault(Corpus.SEEN, Map.of());
        Map<String, Object> place = Map.of("code", vectors.code(), "offset", vectors.offset());
        boolean isUnverified =
                !options.checks(Level.STRUCTURE)
                        && StructureRule.MALFORMED.id().equals(vectors.code());
        return faults(input).stream()
                .filter(each -> rule(each).severity() == Severity.ERROR)
                .anyMatch(
                        each ->
                                isUnverified && rule(each) instanceof StructureRule
                                        || code(each).equals(vectors.code())
                                                && (offset(each).equals(vectors.offset())
                                                        || JsonTree.object(seen)
                                                                .containsValue(place)));
    }

    private static boolean isSame(Verdict columns, Verdict vectors) {
        Rule rule = vectors.code() == null ? null : RULES.get(vectors.code());
        boolean isOfArrowJava =
                rule == MeaningRule.VECTOR_UNSUPPORTED
                        || rule == MeaningRule.VECTOR_TOO_LARGE
                        || rule != null
                                && rule.severity() == Severity.DEVIATION
                                && columns.code() == null;
        return isOfArrowJava
                || place(columns).equals(place(vectors)) && columns.batches() == vectors.batches();
    }

    private static String place(Verdict of) {
        return of.code() + " " + of.message() + " " + of.offset();
    }

    /// Code and offset of the error that stops a reader.
    private static Map<String, Object> seen(CorpusConsumer reader, CorpusCase input) {
        Verdict found = reader.verdict(Corpus.FOLDER.resolve(input.file()));
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("code", found.code());
        if (found.offset() != CorpusConsumer.NONE) {
            seen.put("offset", found.offset());
        }
        return seen;
    }

    /// Compares with the first error of the levels that a consumer checks. It may find one of
    /// another level before that, or one if there is none. Of an input without errors, also
    /// compares the number of record batches, unless more streams follow: `verify` counts those of
    /// all.
    ///
    /// @param batches that `verify` counts
    /// @return what is expected and found; null if they are the same
    private static String difference(CorpusConsumer consumer, CorpusCase input, long batches) {
        List<Object> errors =
                faults(input).stream()
                        .filter(each -> rule(each).severity() == Severity.ERROR)
                        .toList();
        Object first =
                errors.stream()
                        .filter(each -> consumer.checks(rule(each)))
                        .filter(each -> consumer.readsValues() || !isInBody(each))
                        .filter(each -> consumer.readsAll() || isInSchema(input, each))
                        .filter(each -> !consumer.showsMessages() || isOfMessage(input, each))
                        .filter(each -> !consumer.showsRows() || isShown(input, each))
                        .findFirst()
                        .orElse(null);
        Verdict found = consumer.verdict(Corpus.FOLDER.resolve(input.file()));
        if (first != null && consumer.cannotKnow(rule(first), found)
                || isOfArrowJava(input, found, errors)
                || isUnchecked(found, faults(input))
                || consumer.showsRows() && isUnread(input, first, found)
                || consumer.needsSchema() && found.isWithoutSchema() && !hasSchema(input)) {
            return null;
        }
        if (found.code() == null && first != null) {
            return code(first) + " | read";
        }
        if (found.code() == null) {
            boolean isCounted =
                    found.batches() != CorpusConsumer.NONE
                            && errors.isEmpty()
                            && faults(input).stream()
                                    .noneMatch(each -> rule(each) == FileRule.STREAM_FOLLOWS);
            return isCounted && found.batches() != batches
                    ? batches + " batches | " + found.batches() + " batches"
                    : null;
        }
        // Consumers that check only a part of the meaning may find any of its errors.
        int least = consumer.levels().contains("meaning") ? 1 : errors.size();
        boolean isSame =
                Stream.concat(Stream.ofNullable(first), errors.stream().limit(least))
                        .anyMatch(each -> code(each).equals(found.code()));
        if (!isSame && !isOfBlock(first, found, errors)) {
            return (first == null ? "read" : code(first)) + " | " + found.code();
        }
        // Readers take the dictionaries of a file first, and rows values of a dictionary in any
        // order: of faults of one rule, that may be another.
        boolean isAny =
                input.container() == CorpusCase.Container.FILE
                        || consumer.showsRows() && RULES.get(found.code()) instanceof ValueRule;
        List<Object> there =
                errors.stream()
                        .filter(each -> code(each).equals(found.code()))
                        .limit(isAny ? errors.size() : 1)
                        .filter(each -> offset(each).equals(found.offset()))
                        .toList();
        if (there.isEmpty()) {
            return found.code() + " | other offset";
        }
        String message = found.message() == Fault.NO_MESSAGE ? "null" : "" + found.message();
        boolean isThere =
                consumer.countsMessages(input)
                        ? there.stream().anyMatch(each -> message(each).equals(message))
                        : message.equals("null");
        if (!isThere) {
            return found.code() + " | other message | " + message;
        }
        return there.stream().anyMatch(each -> hasDetails(consumer, found, each))
                ? null
                : found.code() + " | other details | " + found.text();
    }

    /// Whether a reader refuses what `verify` notes that it cannot check.
    private static boolean isUnchecked(Verdict found, List<Object> faults) {
        return ValueRule.VALUES_UNCHECKED.id().equals(found.code())
                && faults.stream().anyMatch(each -> code(each).equals(found.code()));
    }

    /// Whether rows show an error: they need only what leads to a value.
    private static boolean isShown(CorpusCase input, Object fault) {
        Rule rule = rule(fault);
        boolean isOfNull = input.file().contains("-of-null-") && OF_VALUES.contains(rule);
        return !isOfNull && !NOT_SHOWN.contains(rule);
    }

    /// Whether rows have no values because a body is big-endian, or because it is not decompressed to
    /// the length that it claims: `verify` compares that length before.
    private static boolean isUnread(CorpusCase input, Object first, Verdict found) {
        if (first == null) {
            return MeaningRule.FOREIGN_ENDIANNESS.id().equals(found.code())
                    && Cli.run("schema", "--json", "" + Corpus.FOLDER.resolve(input.file()))
                            .out()
                            .contains("\"endianness\":\"Big\"");
        }
        return isInBody(first)
                && MeaningRule.DECOMPRESSION.id().equals(found.code())
                && message(first).equals("" + found.message());
    }

    /// Whether there is a schema message. A stream of tensors has none, nor has an empty one.
    private static boolean hasSchema(CorpusCase input) {
        try {
            byte[] bytes = Files.readAllBytes(Corpus.FOLDER.resolve(input.file()));
            return OracleListing.list(bytes).messages().stream()
                    .anyMatch(each -> each.kind().equals("Schema"));
        } catch (IOException | OracleListing.MalformedException e) {
            return true;
        }
    }

    /// Whether arrow-java does not support an input whose schema is valid.
    private static boolean isOfArrowJava(CorpusCase input, Verdict found, List<Object> errors) {
        return MeaningRule.VECTOR_UNSUPPORTED.id().equals(found.code())
                && errors.stream().noneMatch(each -> isOfSchema(input, each));
    }

    /// Whether the block of the faulty message is wrong, too: readers of files compare it with the
    /// prefix before they read the metadata.
    private static boolean isOfBlock(Object first, Verdict found, List<Object> errors) {
        return first != null
                && FileRule.BLOCK_METADATA_LENGTH.id().equals(found.code())
                && errors.stream()
                        .filter(each -> code(each).equals(found.code()))
                        .anyMatch(each -> message(each).equals(message(first)));
    }

    private static Object message(Object fault) {
        return "" + JsonTree.object(fault).get("message");
    }

    /// Whether a text has the details of a fault: its numbers and its column. A conversion names
    /// all dictionaries that are missing.
    private static boolean hasDetails(CorpusConsumer consumer, Verdict found, Object fault) {
        String text = "" + JsonTree.object(fault).get("text");
        String needed = isInBody(fault) ? "needed" : "neededBy"; // rows do not say it
        String details = (consumer.showsRows() ? "(?!" + needed + "=)" : "") + "\\w+=.*";
        return found.text() == null
                || found.text().contains(": ids=[")
                || Stream.of(text.substring(text.indexOf(": ") + 2).split(", "))
                        .filter(each -> each.matches(details))
                        .map(each -> each.substring(each.indexOf('=')))
                        .allMatch(found.text()::contains);
    }

    private static Object offset(Object fault) {
        return JsonTree.object(fault).get("offset");
    }

    /// Whether a fault is in what holds the schema: in a file the footer, else the first message.
    private static boolean isOfSchema(CorpusCase input, Object fault) {
        Map<String, Object> of = JsonTree.object(fault);
        boolean isFile = input.container() == CorpusCase.Container.FILE;
        boolean isBlock = ("" + of.get("path")).matches("(recordBatches|dictionaries)\\[.*");
        Object message = of.get("message");
        return message == null ? !isBlock : !isFile && message.equals(0L);
    }

    /// Whether a reader of the schema alone finds a fault. That a dictionary is missing shows only
    /// behind it.
    private static boolean isInSchema(CorpusCase input, Object fault) {
        return isOfSchema(input, fault) && rule(fault) != MeaningRule.DICTIONARY_UNDEFINED;
    }

    /// Whether a fault makes its message damage, or is none of the meaning.
    private static boolean isOfMessage(CorpusCase input, Object fault) {
        return !(rule(fault) instanceof MeaningRule)
                || JsonTree.object(fault).get("message") != null
                        && !isOfSchema(input, fault)
                        && SemanticVerifier.leavesOut(rule(fault));
    }

    private static String code(Object fault) {
        return rule(fault).id();
    }
}
