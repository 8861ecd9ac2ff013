// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.differential.Cases.Batch;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.RulePage;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Fletch's verifier and the official one in C++ accept the same buffers and refuse the same.
///
/// A longer run, or another one: `-Dfletch.differential.seed=… -Dfletch.differential.cases=…`.
class DifferentialTest {
    private static final long SEED = 20_26;
    private static final long CASES = CaseCount.of(40_000L, 5_000_000L);
    private static final int TEXTS_EVERY = 16;
    private static final Pattern TEXT =
            Pattern.compile(
                    "[a-z0-9-]+: offset=-?\\d+(, path=\\w+(\\[\\d+])?(\\.\\w+(\\[\\d+])?)*)?,"
                            + " value=-?\\d+");

    /// What verifiers check.
    private static final Set<StructureRule> VERIFIER =
            EnumSet.range(StructureRule.BUFFER_TOO_SMALL, StructureRule.ELEMENTS_MISALIGNED);

    /// What only the stricter options ask for.
    static final Set<Rule> STRICTER =
            VERIFIER.stream()
                    .filter(rule -> !RulePage.checkByRule().get(rule.id()).isEmpty())
                    .collect(Collectors.toSet());

    /// What only a limit of its own refuses, which the official verifier does not have.
    private static final Set<Rule> OWN = Set.of(StructureRule.BUFFER_TOO_LARGE);

    /// What was found with alignment checked, and without.
    private record Found(Tally aligned, Tally unaligned) {}

    @Test
    void seedsAreAcceptedExactlyUpToTheirTablesAndDepth() {
        List<Seed> seeds = Cases.ofProperties(SEED, CASES).seeds();
        try (CppVerifier cpp = CppVerifier.start();
                FletchVerifier fletch = new FletchVerifier()) {
            for (Seed seed : seeds) {
                VerifyCase whole = VerifyCase.of(seed.root(), seed.bytes());
                for (int tables = -1; tables <= 1; tables++) {
                    for (int depth = seed.depth() == 1 ? 0 : -1; depth <= 1; depth++) {
                        VerifyCase each =
                                whole.withLimits(seed.depth() + depth, seed.tables() + tables);
                        boolean expected = tables >= 0 && depth >= 0;
                        assertEquals(expected, cpp.decide(each), () -> seed + "\n" + each);
                        assertEquals(expected, fletch.decide(each), () -> seed + "\n" + each);
                    }
                }
            }
        }
    }

    @Test
    void mutantsGetTheDecisionOfTheCppVerifier() {
        Cases cases = Cases.ofProperties(SEED, CASES);
        Tally aligned = new Tally();
        Tally unaligned = new Tally();
        for (Found found : cases.inParallel(DifferentialTest::compare)) {
            aligned.add(found.aligned());
            unaligned.add(found.unaligned());
        }
        CaseCount.report(
                "Differential against the C++ verifier, %s, each in both modes, no difference%n"
                        + "  aligned: %s%n  unaligned: %s",
                cases, aligned, unaligned);
        if (cases.count() >= CASES) {
            assertReachesEverything(aligned, unaligned);
        }
    }

    private static void assertReachesEverything(Tally aligned, Tally unaligned) {
        Set<Rule> expected = new LinkedHashSet<>(VERIFIER);
        expected.removeAll(STRICTER);
        expected.removeAll(OWN);
        assertEquals(expected, aligned.codes());
        expected.removeIf(code -> code.id().endsWith("-misaligned"));
        assertEquals(expected, unaligned.codes());
        assertTrue(aligned.accepted() > aligned.refused() / 5);
        assertTrue(unaligned.accepted() > unaligned.refused() / 5);
    }

    private static Found compare(Mutator mutator, Iterable<Batch> part) {
        Found found = new Found(new Tally(), new Tally());
        List<VerifyCase> cases = new ArrayList<>();
        try (CppVerifier cpp = CppVerifier.start();
                FletchVerifier fletch = new FletchVerifier()) {
            for (Batch batch : part) {
                cases.clear();
                for (long number = batch.first(); number < batch.end(); number++) {
                    VerifyCase each = mutator.make(number);
                    cases.add(each);
                    cases.add(each.unaligned());
                }
                boolean[] expected = cpp.decide(cases);
                for (int i = 0; i < expected.length; i++) {
                    VerifyCase each = cases.get(i);
                    Tally tally = each.checkAlignment() ? found.aligned() : found.unaligned();
                    Outcome outcome = Outcome.of(fletch, each);
                    if (!outcome.is(expected[i])) {
                        throw Difference.of(each, batch.first() + i / 2, outcome, cpp);
                    } else if (expected[i]) {
                        tally.accept();
                    } else {
                        tally.refuse(fletch.fault().rule());
                        checkReason(fletch, each, i % TEXTS_EVERY < 2);
                    }
                }
            }
        }
        return found;
    }

    private static void checkReason(FletchVerifier fletch, VerifyCase each, boolean texts) {
        Fault fault = fletch.fault();
        long position = fletch.faultPosition();
        // The first byte of an empty buffer is the one place outside.
        boolean inside = position >= 0 && position < Math.max(each.bytes().length, 1);
        assertTrue(inside, () -> fault + "\n" + each);
        if (texts) {
            assertTrue(TEXT.matcher(fault.toString()).matches(), () -> fault + "\n" + each);
        }
    }
}
