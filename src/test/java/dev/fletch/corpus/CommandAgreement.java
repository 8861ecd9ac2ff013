// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.FileRule;
import dev.fletch.FrameRule;
import dev.fletch.MeaningRule;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.command.WrittenOutput;
import dev.fletch.corpus.Excuses.Reason;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// All commands say the same of an input, however damaged it is: by name and through a pipe, in
/// text and in JSON, and what a conversion says is what it has written.
final class CommandAgreement {
    private static final List<String> COMMANDS =
            List.of("ls", "count", "columns", "map", "schema", "ext", "verify");

    /// Values of JSON that a piped input has not.
    private static final Pattern SIZES = Pattern.compile("\"uncompressedBytes\":[^,}]*");

    /// A message may end elsewhere: a pipe has passed the bytes that tell.
    private static final Set<Object> PASSED =
            Set.of(
                    FrameRule.STRAY_BYTES.id(),
                    FrameRule.MESSAGE_OVERLAP.id(),
                    FrameRule.BODY_OUT_OF_INPUT.id());

    /// A fault of a length that is in a body.
    private static final Pattern UNCOMPRESSED = Pattern.compile("uncompressed=|has 1 to 7 bytes");

    /// Also through a pipe: text, and comparisons with another input.
    private static final List<String> PIPED =
            List.of(
                    "ls",
                    "schema",
                    "schema --format=fbs",
                    "count",
                    "map",
                    "map --totals",
                    "annotate",
                    "ext",
                    "diff",
                    "diff --bytes",
                    "diff --json",
                    "diff --json --bytes");

    private static final String OTHER = TradesSample.path("trades.arrow").toString();

    private static final Pattern WITHOUT_BLOCK =
            Pattern.compile("offset (\\d+): \\w+ has no block in the footer");

    private static final Pattern UNLISTED_ROWS =
            Pattern.compile("has no block in the footer, and is converted: rows=(\\d+)");

    private static final Pattern BLOCK_OFFSET = Pattern.compile("blockOffset=(\\d+)");

    private static final int MOST_NAMED = 20;
    private static final int MOST_ROWS = 1000;

    private final Path in;
    private final Path out;
    private final Excuses excuses;
    private final Map<String, Run> runs = new HashMap<>();
    private final Map<String, Map<String, Object>> json = new HashMap<>();
    private final List<String> differences = new ArrayList<>();
    private byte[] bytes;
    private byte[] saved;

    /// Why commands may differ in what damage hides from some; null if nothing does.
    private Reason excuse;

    /// @param folder for the input and what is converted
    /// @param excuses receives what is not compared, or does not agree where that is excused
    CommandAgreement(Path folder, Excuses excuses) {
        this.excuses = excuses;
        in = folder.resolve("in");
        out = folder.resolve("out");
    }

    /// Runs all commands on an input.
    ///
    /// @param keepsPlaces whether what is sound in the input is where it was: a pipe shows it, too
    /// @return what does not agree
    List<String> differences(byte[] input, boolean keepsPlaces) throws IOException {
        bytes = input;
        excuses.beginInput();
        differences.clear();
        Files.write(in, bytes);
        for (String each : COMMANDS) {
            Run run = Cli.run(each, "--json", "" + in);
            runs.put(each, run);
            json.put(each, JsonTree.object(run.json().getFirst()));
        }
        excuse = null;
        compareSalvage();
        for (String each : COMMANDS) {
            compareStatus(each);
            compareText(each);
        }
        compareRows();
        comparePlainConversion();
        compareHead();
        compareMessages();
        compareSalvageWithOthers();
        boolean hasPassed = codes("verify", "faults").anyMatch(PASSED::contains);
        excuse = hasPassed || !keepsPlaces ? Reason.PIPE_NOT_SEARCHED : null;
        sample(COMMANDS, 3).forEach(this::comparePiped);
        sample(PIPED, PIPED.size()).forEach(this::comparePipedText);
        same("json, piped", unnamed(Cli.run("json", "" + in)), unnamed(piped("json")));
        return List.copyOf(differences);
    }

    /// One call of so many, which the input's length chooses; in the long run all.
    private List<String> sample(List<String> calls, int usual) {
        int step = CaseCount.of(usual, 1);
        return IntStream.range(0, calls.size())
                .filter(i -> i % step == bytes.length % step)
                .mapToObj(calls::get)
                .toList();
    }

    /// Why a message is doubtful: bytes behind it belong to no message, which no pipe shows before
    /// the message is read. Null if there are none.
    Reason doubt() {
        return Stream.concat(codes("verify", "faults"), codes("salvage", "leftOut"))
                        .anyMatch(FrameRule.STRAY_BYTES.id()::equals)
                ? Reason.STRAY_BYTES
                : null;
    }

    /// The offsets of the messages that `ls` lists.
    Set<Long> messages() {
        Object messages = value("ls", "messages");
        return messages == null
                ? Set.of()
                : JsonTree.array(messages).stream()
                        .map(each -> (Long) JsonTree.object(each).get("offset"))
                        .collect(Collectors.toSet());
    }

    /// What salvage has written; null if it has written nothing.
    byte[] saved() {
        return saved;
    }

    /// How many parts salvage leaves out.
    long leftOut() {
        return (long) value("salvage", "leftOutCount");
    }

    /// Whether it is also converted without salvage.
    boolean isConverted() {
        return json.get("convert").containsKey("batches");
    }

    /// Notes of salvage.
    String notes() {
        return "" + value("salvage", "notes");
    }

    /// The codes of the faults in a list.
    private Stream<Object> codes(String command, String key) {
        return JsonTree.array(json.get(command).getOrDefault(key, List.of())).stream()
                .map(each -> JsonTree.object(each).get("code"));
    }

    /// The rules that `verify` finds broken, each once.
    String rules() {
        return codes("verify", "faults")
                .distinct()
                .map(Object::toString)
                .collect(Collectors.joining(","));
    }

    private Object value(String command, String key) {
        return json.get(command).get(key);
    }

    private void same(String what, Object expected, Object found) {
        if (Objects.equals(expected, found)) {
            return;
        }
        if (excuse != null) {
            excuses.add(what.replaceAll("\\d+", "N"), excuse);
        } else {
            differences.add(what + ": " + expected + ", " + found);
        }
    }

    // ---- one command

    /// Damage is status 1, and named.
    private void compareStatus(String command) {
        boolean isNamed =
                command.equals("verify")
                        ? Boolean.FALSE.equals(value(command, "ok"))
                        : json.get(command).containsKey("fault");
        same(command + ", status", isNamed ? 1 : 0, runs.get(command).status());
    }

    private void comparePiped(String command) {
        Run run = runs.get(command);
        if (UNCOMPRESSED.matcher(run.err()).find()) {
            excuses.add(command + ", piped", Reason.LENGTHS_IN_BODIES);
            return; // of which a pipe keeps none
        }
        Run piped = piped(command, "--json");
        if (command.equals("verify")) { // which lists also what it finds behind damage
            same("verify, piped status", run.status(), piped.status());
            Map<String, Object> other = JsonTree.object(piped.json().getFirst());
            same(
                    "rows of verify, piped",
                    value("verify", "completeRows"),
                    other.get("completeRows"));
            same(
                    "first fault, piped",
                    first(value("verify", "faults")),
                    first(other.get("faults")));
            if (!Objects.equals(value("verify", "faults"), other.get("faults"))) {
                excuses.add(
                        "faults of verify, piped, behind " + code(first(value("verify", "faults"))),
                        Reason.PIPE_NOT_SEARCHED);
            }
            return;
        }
        same(command + ", piped", unnamed(run), unnamed(piped));
    }

    /// Offsets of a pipe are not known before its end: columns may have other widths.
    private void comparePipedText(String call) {
        String[] words = (call.startsWith("diff") ? call + " " + OTHER : call).split(" ");
        String[] named = Arrays.copyOf(words, words.length + 1);
        named[words.length] = "" + in;
        Run run = Cli.run(named);
        if (UNCOMPRESSED.matcher(run.err()).find()) {
            excuses.add(call + ", piped", Reason.LENGTHS_IN_BODIES);
            return;
        }
        same(call + ", piped", narrow(run), narrow(piped(words)));
    }

    private String narrow(Run run) {
        Run unnamed = unnamed(run);
        return (unnamed.status() + "\n" + unnamed.out() + "----\n" + unnamed.err())
                .replace("" + in, "-")
                .replace("standard input", "-")
                .replaceAll(" +", " ")
                .replaceAll("(?m)^ ", "");
    }

    private Run piped(String... command) {
        String[] words = Arrays.copyOf(command, command.length + 1);
        words[command.length] = "-";
        return Cli.runWithInput(bytes, words);
    }

    /// A run without the input's name, and without what a pipe does not have.
    private Run unnamed(Run run) {
        String out = SIZES.matcher(run.out().replace("\"" + in + "\"", "\"-\"")).replaceAll("");
        return new Run(run.status(), out, run.err().replace("" + in, "standard input"));
    }

    private static Object code(Object fault) {
        return fault == null ? null : JsonTree.object(fault).get("code");
    }

    private static Object first(Object faults) {
        return JsonTree.array(faults).stream().findFirst().orElse(null);
    }

    /// The text has the fault of JSON, in one line.
    private void compareText(String command) {
        Run run = runs.get(command);
        Run text = Cli.run(command, "" + in);
        same(command + ", status of text", run.status(), text.status());
        same(command + ", standard error of text", run.err(), text.err());
        Object fault = value(command, "fault");
        if (fault != null) {
            String line = "fletch: " + in + ": " + JsonTree.placed(fault);
            long lines = text.err().lines().filter(each -> each.startsWith(line)).count();
            same(command + ", lines of " + line, 1L, lines);
        }
    }

    // ---- all commands

    private void compareRows() {
        long rows = 0;
        long batches = 0;
        List<Object> mapped = JsonTree.array(json.get("map").getOrDefault("batches", List.of()));
        for (Object each : mapped) {
            Map<String, Object> batch = JsonTree.object(each);
            boolean isRecord = !batch.containsKey("dictionaryId");
            rows += isRecord ? Math.min((long) batch.get("rows"), Long.MAX_VALUE - rows) : 0;
            batches += isRecord ? 1 : 0;
        }
        boolean isCounted = value("count", "rows") != null && value("count", "nextStream") == null;
        if (isCounted && value("verify", "completeBatches") != null) {
            same(
                    "complete",
                    complete("count", "batches", "rows"),
                    complete("verify", "completeBatches", "completeRows"));
        }
        if (value("columns", "rows") == null) {
            Object rowsOfCount = value("count", "rows");
            if (rowsOfCount != null && !rowsOfCount.equals(0L)) { // none without a whole message
                excuses.add("rows of all", Reason.NO_VALID_SCHEMA);
            }
            return;
        }
        for (String each : List.of("count", "columns", "map")) {
            same("next stream of " + each, value("ls", "nextStream"), value(each, "nextStream"));
        }
        same("rows of columns", value("count", "rows"), value("columns", "rows"));
        same("rows of map", value("count", "rows"), rows);
        same("batches of columns", value("count", "batches"), value("columns", "batches"));
        same("batches of map", value("count", "batches"), batches);
        same("status of map", runs.get("count").status(), runs.get("map").status());
        if (UNCOMPRESSED
                .matcher(runs.get("columns").err())
                .find()) { // only it reads them in bodies
            excuses.add("status of columns", Reason.LENGTHS_IN_BODIES);
        } else {
            same("status of columns", runs.get("count").status(), runs.get("columns").status());
        }
        if (runs.get("ls").status() > runs.get("count").status()) {
            differences.add("ls is damaged: " + runs.get("ls").err());
        }
        boolean isSound = (boolean) value("verify", "ok");
        if (value("count", "fault") != null && value("verify", "completeBatches") != null) {
            same(
                    "expected batches",
                    value("count", "expectedBatches"),
                    value("verify", "expectedBatches"));
        }
        // A stream of tensors has no schema.
        boolean hasColumns = !Objects.equals(value("columns", "columnCount"), 0L);
        for (String each : List.of("count", "ls", hasColumns ? "schema" : "ls")) {
            if (isSound && runs.get(each).status() > 0) {
                differences.add("verify finds no error: " + runs.get(each).err());
            }
        }
    }

    /// The messages of `ls` are those of `annotate`, with the same indices, and its faults are those
    /// of `verify`.
    private void compareMessages() {
        Run run = Cli.run("annotate", "--json", "" + in);
        Map<String, Object> annotated = JsonTree.object(run.json().getFirst());
        same("faults of annotate", faults(json.get("verify")), faults(annotated));
        Run strict = Cli.run("verify", "--strict", "--json", "" + in);
        List<String> hidden = new ArrayList<>(faults(json.get("verify")));
        hidden.removeAll(faults(JsonTree.object(strict.json().getFirst())));
        same("faults that stricter checks hide", List.of(), hidden);
        same("annotate, piped", unnamed(run), unnamed(piped("annotate", "--json")));
        Map<Object, Object> indices = new HashMap<>();
        for (Object each : JsonTree.array(annotated.get("regions"))) {
            Map<String, Object> region = JsonTree.object(each);
            indices.put(region.get("offset"), region.get("message"));
        }
        Set<Object> listed = new HashSet<>();
        Set<Object> misled = offsetsOfWrongKind();
        Object messages = value("ls", "messages");
        for (Object each : messages == null ? List.of() : JsonTree.array(messages)) {
            Map<String, Object> message = JsonTree.object(each);
            Object at = message.get("offset");
            // A block may list it again, or one of the wrong kind may have led to it before.
            if (listed.add(at) && !misled.contains(at)) {
                same("message of annotate at " + at, message.get("index"), indices.get(at));
            }
        }
    }

    /// Where the blocks lead whose kind is not that of the message.
    private Set<Object> offsetsOfWrongKind() {
        return JsonTree.array(value("verify", "faults")).stream()
                .map(JsonTree::object)
                .filter(each -> FileRule.BLOCK_KIND.id().equals(each.get("code")))
                .flatMap(each -> BLOCK_OFFSET.matcher("" + each.get("text")).results())
                .map(each -> Long.valueOf(each.group(1)))
                .collect(Collectors.toSet());
    }

    private String complete(String command, String batches, String rows) {
        return value(command, batches) + " batches, " + value(command, rows) + " rows";
    }

    private static List<String> faults(Map<String, Object> of) {
        return JsonTree.array(of.get("faults")).stream()
                .map(JsonTree::object)
                .map(each -> each.get("code") + "@" + each.get("offset") + " " + each.get("path"))
                .sorted()
                .toList();
    }

    /// `head` prints a row in a line, and damaged values are status 1. A cell of the table is cut,
    /// so that it may not come to a damaged value.
    private void compareHead() {
        Run text = Cli.run("head", "" + in);
        Run found = Cli.run("head", "--json", "--rows=" + MOST_ROWS, "" + in);
        boolean isMarked = found.out().contains("\"$fault\"");
        same("status of head", true, text.status() <= found.status() && found.status() <= 1);
        same("status of head for marked values", 1, isMarked ? found.status() : 1);
        Object rows = value("count", "rows");
        boolean isRead = rows != null && (long) rows < MOST_ROWS;
        if (isRead && runs.get("count").status() == 1) {
            same("status of head for damage", 1, found.status());
        }
        if (isRead && found.status() == 0) {
            same("rows of head", rows, found.out().lines().count());
        }
        found.lines().forEach(this::compareObject);
    }

    /// A line is one JSON object, without repeated keys.
    private void compareObject(String line) {
        try {
            same("object: " + line, true, JsonTree.parse(line) instanceof Map);
        } catch (UncheckedIOException | IllegalArgumentException e) {
            differences.add(line + ": " + e);
        }
    }

    // ---- conversions

    private static Run convert(String... options) {
        return Cli.run(
                Stream.concat(Stream.of("convert"), Arrays.stream(options)).toArray(String[]::new));
    }

    private void compareSalvage() throws IOException {
        Files.deleteIfExists(out);
        saved = null;
        Run run = convert("--salvage", "--force", "--json", "" + in, "" + out);
        Map<String, Object> told = JsonTree.object(run.json().getFirst());
        runs.put("salvage", run);
        json.put("salvage", told);
        same("something is written", told.containsKey("batches"), Files.exists(out));
        if (!Files.exists(out)) {
            same("status of salvage", 1, run.status());
            return;
        }
        saved = Files.readAllBytes(out);
        OracleFile written = OracleListing.list(saved);
        same("batches written", (long) written.recordBatches().size(), told.get("batches"));
        same("rows written", written.rows(), told.get("rows"));
        long count = (long) told.get("leftOutCount");
        same("status of salvage", count == 0 ? 0 : 1, run.status());
        same("a fault of salvage", count > 0, told.get("fault") != null);
        List<Object> parts = JsonTree.array(told.get("leftOut"));
        same("named parts", Math.min(count, MOST_NAMED), (long) parts.size());
        List<String> lines = new ArrayList<>();
        long before = 0;
        for (Object each : parts) {
            long offset = (long) JsonTree.object(each).get("offset");
            if (offset < before || offset > bytes.length) {
                differences.add("order of parts: " + parts);
            }
            before = offset;
            lines.add("fletch: " + in + ": " + JsonTree.placed(each));
        }
        JsonTree.array(told.get("notes")).forEach(each -> lines.add("fletch: " + in + ": " + each));
        Run text = convert("--salvage", "--force", "" + in, "" + out);
        same("status of salvage in text", run.status(), text.status());
        same("output of salvage in text", true, Arrays.equals(saved, Files.readAllBytes(out)));
        List<String> found = new ArrayList<>(text.err().lines().toList());
        String summary = found.removeLast();
        found.removeIf(each -> each.matches(".* (more parts are left out|columns without err).*"));
        same("lines of salvage", Set.copyOf(lines), Set.copyOf(found));
        String rows = "batches=" + told.get("batches") + ", rows=" + told.get("rows");
        same("summary: " + summary, true, summary.contains("written: " + rows));
    }

    /// Salvage writes the rows that `verify` and `count` find complete, and those of batches that
    /// no block lists.
    private void compareSalvageWithOthers() {
        Object rows = value("salvage", "rows");
        if (rows == null) {
            return;
        }
        if (value("verify", "container") == null) {
            excuses.add("rows of salvage", Reason.OTHER_FORMAT);
            return;
        }
        if (value("columns", "rows") == null) {
            excuses.add("rows of salvage", Reason.NO_VALID_SCHEMA);
            return;
        }
        if (notes().contains("the schema of the message is used")) {
            excuses.add("rows of salvage", Reason.OTHER_SCHEMA);
            return;
        }
        long more = rowsWithoutBlock();
        boolean isSound = (boolean) value("verify", "ok");
        // Batches whose dictionary is missing are complete.
        boolean isComplete =
                JsonTree.array(value("verify", "faults")).stream()
                        .map(JsonTree::object)
                        .allMatch(
                                each ->
                                        !"error".equals(each.get("severity"))
                                                || MeaningRule.DICTIONARY_UNDEFINED
                                                        .id()
                                                        .equals(each.get("code")));
        if (isComplete) {
            same("complete rows", null, value("verify", "completeRows"));
        } else {
            Object all = value("verify", "completeRows");
            boolean isFollowed = all != null && notes().contains("another stream follows");
            Object ofFirst = isFollowed ? (Object) ((long) all - rowsOfFollowing()) : all;
            sameRows("complete rows", ofFirst, more, rows);
        }
        if (isSound && leftOut() > 0) {
            differences.add("parts left out of a sound input: " + value("salvage", "leftOut"));
        }
        sameRows("rows of salvage", value("count", "rows"), more, rows);
    }

    /// The rows of the streams behind the first one, which `verify` counts, too.
    private long rowsOfFollowing() {
        return Cli.run("count", "--all-streams", "--json", "" + in).json().stream()
                .skip(1)
                .mapToLong(each -> (long) JsonTree.object(each).get("rows"))
                .sum();
    }

    /// Others may count the rows of batches without block, or not.
    private void sameRows(String what, Object expected, long more, Object rows) {
        boolean isMore = expected != null && rows.equals((long) expected + more);
        same(what, expected, isMore ? expected : rows);
    }

    /// The rows of the batches that no block lists.
    private long rowsWithoutBlock() {
        return UNLISTED_ROWS
                .matcher(notes())
                .results()
                .mapToLong(each -> Long.parseLong(each.group(1)))
                .sum();
    }

    private List<Object> withoutBlock() {
        return JsonTree.array(value("verify", "faults")).stream()
                .map(JsonTree::object)
                .filter(each -> isWithoutBlock("" + each.get("code"), "" + each.get("text")))
                .map(each -> each.get("offset"))
                .toList();
    }

    /// Whether a batch has no block; it may be where the schema message should be.
    private static boolean isWithoutBlock(String code, String text) {
        return code.equals(FileRule.MESSAGE_WITHOUT_BLOCK.id())
                || code.equals(FileRule.NO_SCHEMA_MESSAGE.id()) && text.endsWith("Batch");
    }

    private static List<Object> notedWithoutBlock(Map<String, Object> told) {
        return JsonTree.array(told.get("notes")).stream()
                .flatMap(each -> WITHOUT_BLOCK.matcher("" + each).results())
                .map(each -> (Object) Long.valueOf(each.group(1)))
                .toList();
    }

    /// Without `--salvage`, all is written or nothing.
    private void comparePlainConversion() throws IOException {
        Files.deleteIfExists(out);
        Run run = convert("--json", "" + in, "" + out);
        Map<String, Object> told = JsonTree.object(run.json().getFirst());
        json.put("convert", told);
        same("status of convert", Files.exists(out) ? 0 : 1, run.status());
        same("batches of convert", Files.exists(out), told.containsKey("batches"));
        same("fault of convert", Files.exists(out), told.get("fault") == null);
        if (Files.exists(out)) {
            OracleFile written = OracleListing.list(Files.readAllBytes(out));
            same("rows of convert", written.rows(), told.get("rows"));
            same("left out by convert", 0L, told.get("leftOutCount"));
            WrittenOutput.check(bytes, Files.readAllBytes(out), List.of(), false);
            same("messages without block", withoutBlock(), notedWithoutBlock(told));
        }
    }
}
