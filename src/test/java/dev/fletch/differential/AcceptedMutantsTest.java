// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Rule;
import dev.fletch.differential.Cases.Batch;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

/// What the verifier accepts can be read, all of it, and says to Fletch's readers what it says to
/// flatc's generated classes.
class AcceptedMutantsTest {
    private static final long SEED = 4_711;
    private static final long CASES = CaseCount.of(1_500L, 200_000L);

    /// A walk among other bytes takes six memories, and shows little that the others don't.
    private static final int AROUND_EVERY = 8;

    private static final int CAPACITY = 1 << 18;

    /// What a thread found.
    private static final class Found {
        private final Tally decisions = new Tally();
        private final Tally strict = new Tally();
        private long reads;
        private long comparisons;
    }

    @Test
    void acceptedMutantsAreReadInFullAndAsTheGeneratedClassesReadThem() {
        Cases cases = Cases.ofProperties(SEED, CASES);
        Found all = new Found();
        for (Found found : cases.inParallel(AcceptedMutantsTest::read)) {
            all.decisions.add(found.decisions);
            all.strict.add(found.strict);
            all.reads += found.reads;
            all.comparisons += found.comparisons;
        }
        CaseCount.report(
                "Accepted mutants, %s: %d reads, %d comparisons with the generated classes%n"
                        + "  decisions: %s%n  of the accepted, by the strict rules: %s",
                cases, all.reads, all.comparisons, all.decisions, all.strict);
        if (cases.count() >= CASES) {
            assertTrue(all.decisions.accepted() > cases.count() / 4);
            Set<Rule> missed = new HashSet<>(DifferentialTest.STRICTER);
            missed.removeAll(all.strict.codes());
            assertEquals(Set.of(), missed);
            assertTrue(all.strict.accepted() > 0);
        }
    }

    /// Aligned and unaligned in turn.
    private static Found read(Mutator mutator, Iterable<Batch> part) {
        Found found = new Found();
        try (WholeTrees trees = new WholeTrees(CAPACITY);
                FletchVerifier fletch = new FletchVerifier()) {
            for (Batch batch : part) {
                for (long number = batch.first(); number < batch.end(); number++) {
                    VerifyCase made = mutator.make(number);
                    VerifyCase each = number % 2 == 0 ? made : made.unaligned();
                    try {
                        one(each, number, fletch, trees, found);
                    } catch (RuntimeException | Error e) {
                        throw new AssertionError("case %d: %s".formatted(number, each), e);
                    }
                }
            }
            found.reads = trees.reads();
            found.comparisons = trees.comparisons();
        }
        return found;
    }

    private static void one(
            VerifyCase each, long number, FletchVerifier fletch, WholeTrees trees, Found found) {
        boolean accepted = fletch.decide(each);
        Root root = each.root();
        if (!accepted) {
            found.decisions.refuse(fletch.fault().rule());
            assertFalse(fletch.decide(each, strict(each)), "refused, but not by stricter rules");
        } else {
            found.decisions.accept();
            if (fletch.decide(each, strict(each))) {
                found.strict.accept();
            } else {
                found.strict.refuse(fletch.fault().rule());
            }
            trees.readsAll(root, each.bytes());
            trees.agreesWithGenerated(root, each.bytes());
        }
        if (number % AROUND_EVERY == 0) {
            trees.readsNothingAround(root, each.bytes());
        }
    }

    /// The rules of a case, and all the stricter ones.
    private static Checks strict(VerifyCase each) {
        return FletchVerifier.limited(Checks.STRICT, each);
    }
}
