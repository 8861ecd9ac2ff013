// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.corpus.Corpus;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RealInput;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/// Whatever bytes say whose structure is accepted, a verification of their meaning ends with a
/// verdict. Where a message has several faults, it ends when the sink is full: whichever rule it
/// was that ended it.
class LimitsTest {
    /// How often each message is damaged.
    private static final int ROUNDS = CaseCount.of(6, 60);

    private static final int ALL = 10_000;

    private static final List<Checks> PRESETS =
            List.of(Checks.STRICT, Checks.DEFAULT, Checks.ARROW_CPP);

    private final List<Predicate<SemanticVerifier>> before = new ArrayList<>();
    private Checks options = Checks.STRICT;
    private int severalFaults;

    private record Found(List<String> faults, boolean verdict) {}

    /// Is full when it has enough faults.
    private static final class Enough implements FaultSink {
        private final List<String> faults = new ArrayList<>();
        private int limit = 1;

        @Override
        public void accept(Fault fault) {
            assertTrue(fault.position() >= 0, fault::toString);
            assertTrue(fault.exception().getMessage().startsWith(fault.rule().id()));
            faults.add(fault.toString());
        }

        @Override
        public boolean isFull() {
            return faults.size() >= limit;
        }
    }

    /// Takes one step behind those before it, each of which ends at its first fault.
    private Found found(Predicate<SemanticVerifier> last, int limit) {
        Enough sink = new Enough();
        SemanticVerifier meaning = new SemanticVerifier(options, sink);
        for (Predicate<SemanticVerifier> each : before) {
            each.test(meaning);
            sink.faults.clear();
        }
        sink.limit = limit;
        return new Found(sink.faults, last.test(meaning));
    }

    private void check(Predicate<SemanticVerifier> message) {
        Found all = found(message, ALL);
        int count = all.faults().size();
        assertEquals(count == 0, all.verdict());
        severalFaults += count > 1 ? 1 : 0;
        for (int limit = 1; limit <= count; limit++) {
            assertEquals(
                    new Found(all.faults().subList(0, limit), false),
                    found(message, limit),
                    all::toString);
        }
    }

    // ---- damaged at random

    @Test
    void limitKeepsTheFirstFaultsOfDamagedMessages() {
        Random random = new Random(11);
        Verifier structure = new Verifier();
        for (RealInput input : RealInput.all()) {
            byte[] stream = input.bytes();
            if (OracleListing.isFile(stream)) {
                continue;
            }
            before.clear();
            for (var each : OracleListing.list(stream).messages()) {
                byte[] whole = each.metadataBytes();
                for (int round = 0; round < ROUNDS; round++) {
                    options = PRESETS.get(round % PRESETS.size());
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
