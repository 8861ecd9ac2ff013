// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.corpus.Corpus;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/// Where a message has several faults, a verification with a limit tells the first ones of them,
/// and one without a sink the very first: whichever rule it was that ended it.
class LimitsTest {
    /// How often each message is damaged.
    private static final int ROUNDS = CaseCount.of(6, 60);

    private static final int ALL = 10_000;

    private final List<Predicate<SemanticVerifier>> before = new ArrayList<>();
    private Checks options = Checks.STRICT;
    private int severalFaults;

    private record Told(List<String> faults, String last, long count, boolean verdict) {}

    /// Takes one step behind those before it.
    ///
    /// @param limit 0 for no sink
    private Told told(Predicate<SemanticVerifier> last, int limit) {
        SemanticVerifier meaning = new SemanticVerifier(options);
        before.forEach(each -> each.test(meaning));
        List<String> faults = new ArrayList<>();
        if (limit > 0) {
            meaning.collect(fault -> faults.add(fault.toString()), limit);
        }
        boolean verdict = last.test(meaning);
        String fault = meaning.fault() != null ? meaning.fault().toString() : null;
        return new Told(faults, fault, meaning.faultCount(), verdict);
    }

    private void check(Predicate<SemanticVerifier> message) {
        Told all = told(message, ALL);
        int count = all.faults().size();
        assertEquals(count, all.count());
        assertEquals(count == 0 ? null : all.faults().getLast(), all.last());
        assertEquals(count == 0, all.verdict());
        if (count == 0) {
            assertEquals(new Told(List.of(), null, 0, true), told(message, 0));
            return;
        }
        severalFaults += count > 1 ? 1 : 0;
        assertEquals(
                new Told(List.of(), all.faults().getFirst(), 1, false),
                told(message, 0),
                all::toString);
        for (int limit = 1; limit <= count; limit++) {
            List<String> first = all.faults().subList(0, limit);
            assertEquals(
                    new Told(first, first.getLast(), Math.min(count, limit + 1), false),
                    told(message, limit),
                    all::toString);
        }
    }

    // ---- damaged at random

    @Test
    void limitKeepsTheFirstFaultsOfDamagedMessages() {
        Random random = new Random(11);
        Verifier structure = new Verifier();
        for (ArrowCase file : ArrowVectorFiles.cases()) {
            before.clear();
            for (var each : OracleListing.list(file.stream()).messages()) {
                byte[] whole = each.metadataBytes();
                for (int round = 0; round < ROUNDS; round++) {
                    options = round % 2 == 0 ? Checks.STRICT : Checks.DEFAULT;
                    byte[] bytes = whole.clone();
                    for (int i = 0; i <= random.nextInt(8); i++) {
                        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                    }
                    MemorySegment memory = MemorySegment.ofArray(bytes);
                    if (structure.verify(Verifier.Root.MESSAGE, memory)) {
                        check(meaning -> meaning.message(new Message().wrap(memory)));
                    }
                }
                MemorySegment sound = MemorySegment.ofArray(whole);
                before.add(meaning -> meaning.message(new Message().wrap(sound)));
            }
        }
        assertTrue(severalFaults > 8 * ROUNDS, "messages of several faults: " + severalFaults);
    }

    // ---- the corpus

    @Test
    void limitKeepsTheFirstFaultsOfTheCorpus() throws IOException {
        int steps = 0;
        for (Map<String, Object> row : Corpus.index().values()) {
            String file = (String) row.get("file");
            if (row.get("level").equals("meaning") && !row.get("container").equals("flatbuffer")) {
                before.clear();
                for (var step :
                        SemanticRun.steps(Files.readAllBytes(Corpus.FOLDER.resolve(file)))) {
                    check(step);
                    before.add(step);
                    steps++;
                }
            }
        }
        assertTrue(severalFaults > 9, "steps with several faults: " + severalFaults);
        CaseCount.report("Limits of faults in the corpus: %d steps", steps);
    }
}
