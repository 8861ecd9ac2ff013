// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FrameRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule.Severity;
import dev.fletch.arrow.Arrow;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.convert.Converted;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.corpus.CorpusConsumer.Verdict;
import dev.fletch.corpus.Excuses.Reason;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.CountingSource;
import dev.fletch.remote.SameFile;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.testdata.Alternatives;
import dev.fletch.testdata.ArrowCpp;
import dev.fletch.testdata.ArrowCpp.Reading;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.DamageBase;
import dev.fletch.testdata.DamageBase.Form;
import dev.fletch.testdata.DamageBase.Place;
import dev.fletch.testdata.EditedInput;
import dev.fletch.testdata.EditedInput.Edit;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.ProducerStyle;
import dev.fletch.testdata.RangeServer;
import dev.fletch.testdata.RealInput;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/// Each consumer of the corpus reads inputs with the edits of the table of damage, or refuses them
/// with an error of the input. What a verifier accepts with all checks is read completely by each
/// of them, with as many record batches. All commands say the same: see [CommandAgreement].
class DamageConsumersTest {
    // Buffers that overlap are a deviation, but cannot be forwarded; arrow-java does not support
    // all schemas.
    private static final Set<String> ALLOWED =
            Set.of(MeaningRule.SHARED_BYTES.id(), MeaningRule.VECTOR_UNSUPPORTED.id());

    private static final int[] SIZES = {1, 4, 8, 64, 100, 1001, 65_536};

    /// One row of so many of the table of damage is chosen.
    private static final int ROWS = 10;

    /// Inputs of each row in the long run; three have taken ten minutes of one core.
    private static final int INPUTS = Integer.getInteger("fletch.damage.inputs", 1);

    private static final boolean WRITES = Boolean.getBoolean("fletch.damage.write");
    private static final Path BUILT = Corpus.FOLDER.resolve("built.txt");
    private static final List<String> LINKED =
            List.of(
                    "ls",
                    "ls --json",
                    "count",
                    "count --json",
                    "columns",
                    "columns --json --depth 9",
                    "schema",
                    "schema --json",
                    "schema --format fbs",
                    "schema --group",
                    "verify",
                    "verify --json",
                    "verify --strict --json",
                    "verify --strict --read-bodies",
                    "map",
                    "map --json",
                    "annotate",
                    "annotate --json",
                    "ext",
                    "json");
    private static final Reading REFUSED =
            new Reading("Unsupported dictionary replacement in IPC file", "", 0);

    @TempDir Path folder;

    private final Excuses excuses = new Excuses();

    private final Map<String, String> wrong = new TreeMap<>();
    private int inputs;
    private int accepted;
    private int compared;

    @Test
    void consumersReadWhatAVerifierAccepts() throws IOException {
        List<CorpusConsumer> consumers =
                Stream.of(CorpusReaders.all(), CorpusCommands.all()).flatMap(List::stream).toList();
        compare(true, consumers);
        if (CaseCount.isFull()) {
            compare(false, consumers);
        }
        CaseCount.report(
                "Damage: %d inputs, %d without errors, %d consumers, %d comparisons",
                inputs, accepted, consumers.size(), compared);
        System.out.println(excuses);
        excuses.require(false);
        assertEquals(Map.of(), wrong);
    }

    /// @param isSample whether to take the rows of a usual run, or all
    private void compare(boolean isSample, List<CorpusConsumer> consumers) throws IOException {
        int row = 0;
        for (ProducerStyle style : ProducerStyle.values()) {
            for (Form form : Form.values()) {
                for (Edit edit : Edit.values()) {
                    for (Place place : Place.values()) {
                        if (place == Place.FOOTER && form != Form.FILE) {
                            continue;
                        }
                        boolean isChosen = new SplittableRandom(row++).nextInt(ROWS) == 0;
                        for (int i = 0; isSample ? isChosen && i < 1 : i < INPUTS; i++) {
                            compare(style, form, edit, place, consumers);
                        }
                    }
                }
            }
        }
    }

    private void compare(
            ProducerStyle style, Form form, Edit edit, Place place, List<CorpusConsumer> consumers)
            throws IOException {
        SplittableRandom random = new SplittableRandom(inputs);
        DamageBase base = DamageBase.of(style.stream(), style.headLength(), form, random);
        EditedInput edited = new EditedInput(base.bytes());
        int at = Math.clamp(base.position(place, random), 0, base.bytes().length - 1);
        int size = SIZES[inputs % SIZES.length];
        edited.apply(edit, at, size, random);
        Path file = Files.write(folder.resolve("damaged"), edited.bytes());
        String title =
                String.format("%s %s %s %s %d@%d", style.id(), form, edit.id(), place, size, at);
        inputs++;
        compareCommands(edited, base, edit, place, title);
        compareReaders(file, title, consumers);
    }

    /// Each consumer reads what a verifier accepts.
    ///
    /// @return whether it has no errors
    private boolean compareReaders(Path file, String title, List<CorpusConsumer> consumers)
            throws IOException {
        boolean[] hasErrors = new boolean[1];
        boolean[] isFollowed = new boolean[1];
        // A marker whose prefix differs from the messages', where a verifier sees the end.
        Set<String> refused = new HashSet<>(Set.of(FrameRule.END_BETWEEN_MESSAGES.id()));
        CheckReport all =
                Arrow.verify(
                        file,
                        CorpusVerdictsTest.STRICT,
                        each -> {
                            hasErrors[0] |= isError(each);
                            isFollowed[0] |= each.rule() == FileRule.STREAM_FOLLOWS;
                            if (ReadOptions.UNTRUSTED.refuses(each.rule())) {
                                refused.add(each.rule().id());
                            }
                        });
        accepted += hasErrors[0] ? 0 : 1;
        // A verifier counts the batches of all streams.
        long batches = isFollowed[0] ? CorpusConsumer.NONE : all.recordBatches();
        Container container =
                OracleListing.isFile(Files.readAllBytes(file)) ? Container.FILE : Container.STREAM;
        for (CorpusConsumer each : consumers) {
            if (each.containers().contains(container)) {
                Verdict found = each.verdict(file);
                compared++;
                boolean isRefused = each.isUntrusted() && refused.contains(found.code());
                if (!hasErrors[0] && !isRefused && !isSame(found, batches)) {
                    wrong.put(title + ": " + each.name(), all + ", found " + found);
                }
            }
        }
        return !hasErrors[0];
    }

    /// Where places are kept, each message that was not touched is listed, and each such batch is
    /// saved, unless what is behind it is wrong.
    private void compareCommands(
            EditedInput edited, DamageBase base, Edit edit, Place place, String title)
            throws IOException {
        CommandAgreement commands = new CommandAgreement(folder, excuses);
        List<String> differences =
                new ArrayList<>(commands.differences(edited.bytes(), edit.keepsPlaces()));
        Reason doubt = commands.doubt();
        BiConsumer<String, OracleMessage> lost =
                (what, message) -> {
                    if (doubt == null) {
                        differences.add(what + ": " + message);
                    } else {
                        excuses.add("message " + what, doubt);
                    }
                };
        if (edit.keepsPlaces() && base.hasSchema(edited)) {
            List<String> saved = Converted.contents(commands.saved());
            for (OracleMessage each : base.messages()) {
                boolean isTouched = edited.places(DamageBase.range(each)).isEmpty();
                if (!isTouched && !commands.messages().contains(each.offset())) {
                    lost.accept("not listed", each);
                }
                if (!isTouched
                        && each.isRecordBatch()
                        && !saved.contains(Converted.content(base.bytes(), each))) {
                    lost.accept("not saved", each);
                }
            }
        }
        int end = edited.bytes().length;
        boolean isCut =
                edit == Edit.CUT
                        && base.messages().stream()
                                .anyMatch(
                                        each ->
                                                each.metadataOffset() <= end
                                                        && end < each.endOffset());
        if (edit == Edit.CUT && commands.rules().matches(".*(block|footer-).*")) {
            differences.add("faults of a footer that is cut off: " + commands.rules());
        }
        if (isCut && commands.isConverted()) {
            differences.add("converted without an incomplete message: " + commands.rules());
        }
        // A schema that was changed in the footer may be one that arrow-java refuses.
        if (place == Place.FOOTER && !commands.notes().contains("different schemas")) {
            assertEquals(
                    ArrowVectorReading.read(base.bytes()).values(),
                    ArrowVectorReading.read(commands.saved()).values(),
                    title);
        }
        if (!differences.isEmpty()) {
            wrong.put(title + ": commands", String.join("\n", differences));
        }
    }

    @Test
    void commandsAgreeOnTheCorpus() throws IOException {
        List<CorpusCase> sample = Corpus.sample(Corpus.cases());
        for (int i = 0; i < sample.size(); i += CaseCount.of(2, 1)) {
            CorpusCase each = sample.get(i);
            CommandAgreement commands = new CommandAgreement(folder, excuses);
            List<String> differences = commands.differences(each.broken(), true);
            if (!differences.isEmpty()) {
                wrong.put(each.file(), String.join("\n", differences));
            }
        }
        System.out.println(excuses);
        excuses.require(true);
        assertEquals(Map.of(), wrong);
    }

    /// Also through a pipe, which has passed the schema when it finds the damage.
    @Test
    void commandsAgreeOnDamageBehindAnInvalidSchema() throws IOException {
        Path sound = Corpus.FOLDER.resolve("values/child-short-struct-legacy.sound.arrows");
        byte[] stream = Files.readAllBytes(sound);
        stream[163] ^= 8; // a bit width
        stream[266] ^= (byte) 0x80; // the vtable of the record batch
        CommandAgreement commands = new CommandAgreement(folder, excuses);
        assertEquals(List.of(), commands.differences(stream, true));
        assertEquals("int-width,vtable-out-of-range", commands.rules());
        assertEquals(1, Cli.run("count", "" + folder.resolve("in")).status());
    }

    /// Its prefix tells that messages have no continuation word.
    @Test
    void commandsFindBatchesBehindADamagedLegacySchema() throws IOException {
        byte[] stream =
                CaseFile.input("stream v4 legacy <u:Utf8> | batch 2 [2] [- i32(0 1 3) \"abc\"]");
        int name = new String(stream, StandardCharsets.ISO_8859_1).indexOf("\1\0\0\0u\0") + 4;
        for (int size : new int[] {1, 2, 4, 12}) {
            EditedInput damaged = new EditedInput(stream);
            damaged.apply(Edit.INSERT_ZEROS, name, size, new SplittableRandom(1));
            CommandAgreement commands = new CommandAgreement(folder, excuses);
            assertEquals(List.of(), commands.differences(damaged.bytes(), true), "size " + size);
            Run count = Cli.run("count", "--json", "" + folder.resolve("in"));
            assertTrue(count.out().contains("\"batches\":1,\"rows\":2,"), count::out);
        }
    }

    /// The end-of-stream marker tells that its body is shorter than its block says.
    @Test
    void commandsAgreeOnALastBodyThatHasLostAByte() throws IOException {
        byte[] file = CaseFile.input("file <u:Utf8> | batch 2 [2] [- i32(0 1 3) \"abc\"]");
        OracleMessage batch = OracleListing.list(file).messages().getLast();
        for (int size : new int[] {1, 2, 3}) {
            EditedInput shorter = new EditedInput(file);
            int at = (int) batch.endOffset() - 8;
            shorter.apply(Edit.REMOVE, at, size, new SplittableRandom(1));
            CommandAgreement commands = new CommandAgreement(folder, excuses);
            assertEquals(List.of(), commands.differences(shorter.bytes(), false), "size " + size);
            assertEquals("message-overlap", commands.rules());
            assertEquals(1, commands.leftOut());
        }
    }

    /// Its messages are read in their order, but dictionaries may be behind the batches that need
    /// them.
    @Test
    void dictionariesBehindBatchesOfAFileWithoutFooterAreDefined() throws IOException {
        byte[] stream =
                Files.readAllBytes(Corpus.FOLDER.resolve("meaning/dictionary-late.sound.arrows"));
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes("ARROW1\0\0".getBytes(StandardCharsets.ISO_8859_1));
        for (String kind : List.of("Schema", "RecordBatch", "DictionaryBatch")) {
            for (OracleMessage each : OracleListing.list(stream).messages()) {
                if (each.kind().equals(kind)) {
                    int from = (int) each.offset();
                    file.write(stream, from, (int) each.endOffset() - from);
                }
            }
        }
        file.write(stream, stream.length - 8, 8);
        Path in = Files.write(folder.resolve("in"), file.toByteArray());
        Run verified = Cli.run("verify", "--values", "--json", "" + in);
        assertFalse(verified.out().contains("dictionary-undefined"), verified::out);
        assertTrue(verified.out().contains("no-trailing-magic"), verified::out);
        assertEquals(0, Cli.run("convert", "" + in, "" + folder.resolve("out")).status());
    }

    /// What is in the place of the schema message is no damage.
    @Test
    void commandsAgreeOnAnUnreadableMessageWithoutBlock() throws IOException {
        byte[] file =
                CaseFile.input(
                        "file <u:Utf8> | batch 2 [2] [- i32(0 1 3) \"abc\"]"
                                + " => @slot(0.version) i16(0); @slot(0.header_type) i16(0);"
                                + " @slot(0.header) i16(0)");
        CommandAgreement commands = new CommandAgreement(folder, excuses);
        assertEquals(List.of(), commands.differences(file, true));
        assertEquals("no-schema-message", commands.rules());
        assertEquals(0, commands.leftOut());
    }

    /// The same, if its prefix is damaged, so that it overlaps the first batch.
    @Test
    void commandsAgreeOnASchemaMessageThatOverlapsTheFirstBatch() throws IOException {
        String sound = "file <u:Utf8> | batch 2 [2] [- i32(0 1 3) \"abc\"]";
        for (int more : new int[] {-8, -4, 4, 8, 16}) {
            byte[] file = CaseFile.input(sound);
            file[12] += (byte) more; // the metadata length
            CommandAgreement commands = new CommandAgreement(folder, excuses);
            assertEquals(List.of(), commands.differences(file, true), "more " + more);
            assertEquals(0, commands.leftOut());
        }
    }

    @Test
    void commandsAgreeOnRealInputs() throws IOException {
        List<RealInput> all = RealInput.all();
        for (int i = 0; i < all.size(); i += CaseCount.of(10, 1)) {
            CommandAgreement commands = new CommandAgreement(folder, excuses);
            List<String> differences = commands.differences(all.get(i).bytes(), true);
            if (!differences.isEmpty()) {
                wrong.put(all.get(i).name(), String.join("\n", differences));
            }
        }
        System.out.println(excuses);
        assertEquals(Map.of(), wrong);
    }

    @Test
    void soundInputsOfAllProducersAreSavedCompletely() throws IOException {
        for (ProducerStyle style : ProducerStyle.values()) {
            byte[] stream = style.stream();
            CommandAgreement commands = new CommandAgreement(folder, excuses);
            assertEquals(List.of(), commands.differences(stream, true), style::id);
            assertEquals(Converted.contents(stream), Converted.contents(commands.saved()));
            assertEquals(0, commands.leftOut());
            assertEquals("[]", commands.notes());
        }
    }

    // ---- inputs that are put together

    @Test
    void inputsOfUnusualPartsAreReadAsTheTableSays() throws IOException {
        List<String> table = Files.readAllLines(BUILT);
        List<String> found = new ArrayList<>();
        for (String line : table) {
            String[] row = line.split(" \\| ", 3);
            if (row.length < 2 || line.startsWith("#")) {
                found.add(line);
                continue;
            }
            List<String> all = Alternatives.of(row[0] + " | " + row[1]);
            Set<String> results = new TreeSet<>();
            for (int i = 0; i < all.size(); i += WRITES ? 1 : CaseCount.of(10, 1)) {
                results.add(result(all.get(i)));
            }
            boolean isInTable = row.length > 2 && List.of(row[2].split(" / ")).containsAll(results);
            if (isInTable && !WRITES && !CaseCount.isFull()) { // others may have the other results
                found.add(line);
                continue;
            }
            String result = String.join(" / ", results);
            found.add(row[0] + " | " + row[1] + " | " + result);
        }
        CaseCount.report("Inputs of unusual parts: %d", inputs);
        System.out.println(excuses);
        excuses.require(false);
        if (WRITES) {
            Files.write(BUILT, found);
        } else {
            assertEquals(String.join("\n", table), String.join("\n", found));
        }
        assertEquals(Map.of(), wrong);
    }

    /// What is found in an input, put together from the messages of another one.
    private String result(String row) throws IOException {
        byte[] bytes = input(row, 0);
        byte[] base = input(row, 1);
        Path file = Files.write(folder.resolve("built"), bytes);
        CommandAgreement commands = new CommandAgreement(folder, excuses);
        List<String> differences = commands.differences(bytes, true);
        if (!differences.isEmpty()) {
            wrong.put(row + ": commands", String.join("\n", differences));
        }
        boolean isSound = compareReaders(file, row, CorpusReaders.all());
        if (isSound && OracleListing.isFile(bytes)) {
            SameFile.check(bytes, new CountingSource(bytes), RangeOptions.DEFAULT);
        }
        if (isSound && inputs++ % CaseCount.of(7, 3) == 0) {
            compareLink(file, row);
        }
        String saved = "nothing";
        String read = "refuses";
        if (commands.saved() != null) {
            List<String> kept = Converted.contents(commands.saved());
            List<String> all = Converted.contents(base);
            saved = kept.equals(all) ? "all" : kept.size() + " of " + all.size();
            read = sameByArrowJava(bytes, commands.saved());
        }
        return "%s saved=%s converted=%s arrow-java=%s"
                .formatted(commands.rules(), saved, commands.isConverted(), read);
    }

    private static byte[] input(String row, int part) {
        return CaseFile.input("other bytes " + row.split(" \\| ")[part]);
    }

    /// Whether arrow-java reads an input with the values that were saved; batches that the footer
    /// does not list may follow.
    private static String sameByArrowJava(byte[] input, byte[] saved) {
        List<String> expected;
        try {
            expected = ArrowVectorReading.read(input).values();
        } catch (RuntimeException | OutOfMemoryError | AssertionError _) {
            return "refuses";
        }
        List<String> found = ArrowVectorReading.read(saved).values();
        boolean isSame = expected.equals(found.subList(0, Math.min(expected.size(), found.size())));
        return isSame ? "same" : "other";
    }

    /// Commands print of a link what they print of the file, but its name, and not its query.
    private void compareLink(Path file, String row) throws IOException {
        try (RangeServer server = new RangeServer(folder)) {
            String link = server.link("" + file.getFileName());
            int step = CaseCount.of(3, 1);
            for (int i = inputs % step; i < LINKED.size(); i += step) {
                String[] words = (LINKED.get(i) + " FILE").split(" ");
                words[words.length - 1] = "" + file;
                Run local = Cli.run(words);
                words[words.length - 1] = link + "?X-Signature=secret&x=%2F#part";
                Run linked = Cli.run(words);
                // Bodies of links are not read without an option, and --strict says so.
                String out =
                        linked.out()
                                .replace(link, "" + file)
                                .replace("\"sizesInBodiesChecked\":false,", "");
                String err = linked.err().replace(link, "" + file);
                Run named = new Run(linked.status(), out, err);
                // Of a link, only the schema is read for these.
                boolean isSchema = words[0].matches("schema|ext|json");
                boolean isRead = !isSchema || local.err().isEmpty();
                if (isRead && !local.equals(named)) {
                    wrong.put(row + ": link, " + LINKED.get(i), local + ", found " + named);
                }
            }
        }
    }

    /// Arrow C++ reads what footers list, and what is converted from that and from other inputs. It
    /// refuses a dictionary that is listed twice.
    @Test
    void arrowCppReadsWhatFootersList() throws IOException {
        List<Path> files = new ArrayList<>();
        List<Reading> expected = new ArrayList<>();
        for (String line : Files.readAllLines(BUILT)) {
            String[] parts = line.split(" \\| ");
            // The dataset adds a batch to a file without any.
            boolean isListed =
                    parts[0].matches(".* (records|dictionaries) .*\\d\\)$")
                            && parts.length > 2
                            && parts[2].endsWith("same");
            boolean isConverted =
                    parts[0].matches(".* (no-footer|blocks .*)\\)|java.*outer_first.*")
                            && !parts[2].contains("saved=nothing");
            for (String row : isConverted ? Alternatives.of(parts[0]) : List.<String>of()) {
                byte[] saved = Converted.of(input(row, 0), ArrowContainer.FILE, true).bytes();
                files.add(Files.write(folder.resolve(files.size() + ".arrow"), saved));
                expected.add(Reading.of(ArrowVectorReading.read(saved)));
            }
            for (String row : isListed ? Alternatives.of(parts[0]) : List.<String>of()) {
                byte[] bytes = input(row, 0);
                boolean isRefused = parts[2].contains(MeaningRule.DICTIONARY_REPLACED.id());
                Reading reading = Reading.of(ArrowVectorReading.read(bytes));
                files.add(Files.write(folder.resolve(files.size() + ".arrow"), bytes));
                expected.add(isRefused ? REFUSED : reading);
                if (!isRefused) {
                    byte[] converted = Converted.of(bytes, ArrowContainer.FILE, false).bytes();
                    files.add(Files.write(folder.resolve(files.size() + ".arrow"), converted));
                    expected.add(reading);
                }
            }
        }
        List<Reading> found = ArrowCpp.read(files);
        for (int i = 0; i < files.size(); i++) {
            assertEquals(expected.get(i), found.get(i), files.get(i).toString());
        }
        CaseCount.report("Footer lists: %d files read by Arrow C++", files.size());
    }

    private static boolean isError(Fault of) {
        return of.rule().severity() == Severity.ERROR;
    }

    /// @param batches that are read; [CorpusConsumer#NONE] for any number
    private static boolean isSame(Verdict found, long batches) {
        return found.code() != null && ALLOWED.contains(found.code())
                || found.code() == null
                        && (found.batches() == CorpusConsumer.NONE
                                || batches == CorpusConsumer.NONE
                                || found.batches() == batches);
    }
}
