// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FrameRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule.Severity;
import dev.fletch.arrow.Arrow;
import dev.fletch.command.convert.Converted;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.corpus.CorpusConsumer.Verdict;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.DamageBase;
import dev.fletch.testdata.DamageBase.Form;
import dev.fletch.testdata.DamageBase.Place;
import dev.fletch.testdata.EditedInput;
import dev.fletch.testdata.EditedInput.Edit;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.ProducerStyle;
import dev.fletch.testdata.ReportedInput;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
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

    /// From one row of the table of damage to the next. No divisor of the number of edits or
    /// places.
    private static final int ROW_STEP = CaseCount.of(3, 1);

    @TempDir Path folder;

    private final Map<String, String> wrong = new TreeMap<>();
    private int rows;
    private int inputs;
    private int accepted;
    private int compared;

    @Test
    void consumersReadWhatAVerifierAccepts() throws IOException {
        List<CorpusConsumer> consumers =
                Stream.of(CorpusReaders.all(), CorpusCommands.all()).flatMap(List::stream).toList();
        for (ProducerStyle style : ProducerStyle.values()) {
            for (Form form : Form.values()) {
                for (Edit edit : Edit.values()) {
                    for (Place place : Place.values()) {
                        if (place == Place.FOOTER && form != Form.FILE) {
                            continue;
                        }
                        boolean isInSample = rows++ % ROW_STEP == 0;
                        for (int i = 0; isInSample && i < CaseCount.of(1, 3); i++) {
                            compare(style, form, edit, place, consumers);
                        }
                    }
                }
            }
        }
        CaseCount.report(
                "Damage: %d inputs, %d without errors, %d consumers, %d comparisons",
                inputs, accepted, consumers.size(), compared);
        assertEquals(Map.of(), wrong);
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
        boolean[] hasErrors = new boolean[1];
        // A marker whose prefix differs from the messages', where a verifier sees the end.
        Set<String> refused = new HashSet<>(Set.of(FrameRule.END_BETWEEN_MESSAGES.id()));
        CheckReport all =
                Arrow.verify(
                        file,
                        CorpusVerdictsTest.STRICT,
                        each -> {
                            hasErrors[0] |= isError(each);
                            if (ReadOptions.UNTRUSTED.refuses(each.rule())) {
                                refused.add(each.rule().id());
                            }
                        });
        accepted += hasErrors[0] ? 0 : 1;
        Container container = form == Form.STREAM ? Container.STREAM : Container.FILE;
        for (CorpusConsumer each : consumers) {
            if (each.containers().contains(container)) {
                Verdict found = each.verdict(file);
                compared++;
                boolean isRefused = each.isUntrusted() && refused.contains(found.code());
                if (!hasErrors[0] && !isRefused && !isSame(found, all)) {
                    wrong.put(title + ": " + each.name(), all + ", found " + found);
                }
            }
        }
    }

    /// Where places are kept, each message that was not touched is listed, and each such batch is
    /// saved, unless what is behind it is wrong.
    private void compareCommands(
            EditedInput edited, DamageBase base, Edit edit, Place place, String title)
            throws IOException {
        CommandAgreement commands = new CommandAgreement(folder);
        List<String> differences =
                new ArrayList<>(commands.differences(edited.bytes(), edit.keepsPlaces()));
        if (edit.keepsPlaces() && !commands.isDoubtful() && base.hasSchema(edited)) {
            List<String> saved = Converted.contents(commands.saved());
            for (OracleMessage each : base.messages()) {
                boolean isTouched = edited.places(DamageBase.range(each)).isEmpty();
                if (!isTouched && !commands.messages().contains(each.offset())) {
                    differences.add("not listed: " + each);
                }
                if (!isTouched
                        && each.isRecordBatch()
                        && !saved.contains(Converted.content(base.bytes(), each))) {
                    differences.add("not saved: " + each);
                }
            }
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
    void soundInputsOfAllProducersAreSavedCompletely() throws IOException {
        for (ProducerStyle style : ProducerStyle.values()) {
            byte[] stream = style.stream();
            CommandAgreement commands = new CommandAgreement(folder);
            assertEquals(List.of(), commands.differences(stream, true), style::id);
            assertEquals(Converted.contents(stream), Converted.contents(commands.saved()));
            assertEquals(0, commands.leftOut());
            assertEquals("[]", commands.notes());
        }
    }

    /// What is reported of each input that a user has reported is what its output has.
    @Test
    void commandsAgreeOnReportedInputs() throws IOException {
        for (ReportedInput each : ReportedInput.all()) {
            CommandAgreement commands = new CommandAgreement(folder);
            List<String> differences = commands.differences(each.bytes(), false);
            assertEquals(List.of(), differences, each.name());
            OracleFile saved = OracleListing.list(commands.saved());
            assertEquals(each.isComplete(), commands.leftOut() == 0, each.name());
            assertTrue(each.isComplete() || !commands.isConverted(), each.name());
            assertEquals(each.rows(), saved.rows(), each.name());
            assertEquals(each.batches().size(), saved.recordBatches().size(), each.name());
        }
    }

    private static boolean isError(Fault of) {
        return of.rule().severity() == Severity.ERROR;
    }

    private static boolean isSame(Verdict found, CheckReport all) {
        return found.code() != null && ALLOWED.contains(found.code())
                || found.code() == null
                        && (found.batches() == CorpusConsumer.NONE
                                || found.batches() == all.recordBatches());
    }
}
