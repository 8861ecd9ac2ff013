// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Fault;
import dev.fletch.FrameRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule.Severity;
import dev.fletch.arrow.Arrow;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.corpus.CorpusConsumer.Verdict;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.DamageBase;
import dev.fletch.testdata.DamageBase.Form;
import dev.fletch.testdata.DamageBase.Place;
import dev.fletch.testdata.EditedInput;
import dev.fletch.testdata.EditedInput.Edit;
import dev.fletch.testdata.ProducerStyle;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Each consumer of the corpus reads inputs with the edits of the table of damage, or refuses them
/// with an error of the input. What a verifier accepts with all checks is read completely by each
/// of them, with as many record batches.
class DamageConsumersTest {
    // Buffers that overlap are a deviation, but cannot be forwarded.
    private static final String SHARED_BYTES = MeaningRule.SHARED_BYTES.id();

    private static final int[] SIZES = {1, 4, 8, 64, 100, 1001};

    /// From one row of the table of damage to the next. No divisor of the number of edits or
    /// places.
    private static final int ROW_STEP = CaseCount.of(11, 1);

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

    private static boolean isError(Fault of) {
        return of.rule().severity() == Severity.ERROR;
    }

    private static boolean isSame(Verdict found, CheckReport all) {
        return SHARED_BYTES.equals(found.code())
                || found.code() == null
                        && (found.batches() == CorpusConsumer.NONE
                                || found.batches() == all.recordBatches());
    }
}
