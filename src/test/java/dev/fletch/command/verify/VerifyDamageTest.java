// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/// Damage anywhere: `fletch verify` has a verdict on everything, and what it calls fine the other
/// commands can read to the end.
@Order(1) // takes long
class VerifyDamageTest {
    /// From one byte of the sample that is damaged to the next. An odd number, so that each bit is
    /// flipped.
    private static final int SAMPLE_STEP = CaseCount.of(53, 1);

    /// From one byte of a golden that is damaged to the next.
    private static final int MOST_STEP = CaseCount.of(1_500, 24);

    private static final int[] VALUES = {0, 1, 4, 0x7F, 0x80, 0xFF};

    private int inputs;
    private int fine;
    private long faults;

    // ---- tests

    @Test
    void changedBytesOfTheSampleHaveAVerdict() {
        for (byte[] sample : new byte[][] {TradesSample.file(), TradesSample.stream()}) {
            BitSet bodies = bodies(sample);
            for (int at = 0; at < sample.length; at += SAMPLE_STEP) {
                if (bodies.get(at)) {
                    continue;
                }
                byte right = sample[at];
                for (int value : VALUES) {
                    sample[at] = (byte) value;
                    check(sample);
                }
                sample[at] = (byte) (right ^ 1 << at % Byte.SIZE);
                check(sample);
                sample[at] = right;
            }
        }
        report("each byte of the samples");
    }

    @Test
    void changedBytesOfGoldensHaveAVerdict() {
        Random random = new Random(3);
        for (Path golden : Goldens.all()) {
            byte[] bytes = Goldens.read(golden);
            BitSet bodies = bodies(bytes);
            for (int at = 0; at < bytes.length; at += 1 + random.nextInt(MOST_STEP)) {
                if (bodies.get(at)) {
                    continue;
                }
                byte right = bytes[at];
                bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : right + 1);
                check(bytes);
                bytes[at] = right;
            }
        }
        report("bytes of goldens");
    }

    /// Without the magic at the end, bytes of messages are no footer.
    @Test
    void truncatedFilesHaveNoFaultsOfAFooter() {
        byte[] file = TradesSample.file();
        for (int size = 20; size < file.length; size += CaseCount.of(41, 1)) {
            for (String each : Verified.of(Arrays.copyOf(file, size)).brief()) {
                boolean isOfFooter = each.matches(".*(block|footer-|Batches\\[).*");
                assertFalse(isOfFooter, size + " bytes: " + each);
            }
        }
    }

    private void report(String what) {
        System.out.printf(
                "verify, %s: inputs=%d, fine=%d, faults=%d%n", what, inputs, fine, faults);
        assertTrue(fine > 0 && fine < inputs);
    }

    /// Bytes that verification never looks at.
    private static BitSet bodies(byte[] input) {
        BitSet bodies = new BitSet(input.length);
        OracleFile oracle = OracleListing.list(input);
        for (OracleMessage each : oracle.messages()) {
            bodies.set((int) each.bodyOffset(), (int) (each.bodyOffset() + each.bodyLength()));
        }
        return bodies;
    }

    // ---- one input

    private void check(byte[] bytes) {
        Verified verified = Verified.of(bytes);
        inputs++;
        faults += verified.findings().size();
        for (Fault each : verified.findings()) {
            assertTrue(each.position() >= 0 && each.position() <= bytes.length, each.toString());
            assertEquals(1, each.line().lines().count(), each.line());
        }
        if (verified.findings().stream().allMatch(each -> each.rule() == FileRule.NO_END_MARKER)) {
            fine++;
            for (String each : List.of("ls", "schema", "json", "count")) {
                Run run = Cli.runWithInput(bytes, each, "-");
                assertEquals(0, run.status(), () -> "called fine, and is not: " + run.err());
            }
        } else if (inputs % 4 == 0) {
            // A stricter rule that is broken hides nothing that is told without it.
            List<String> usual = places(bytes, Checks.DEFAULT.with(Check.NESTING, true));
            usual.removeAll(places(bytes, Checks.STRICT));
            assertEquals(List.of(), usual);
        }
    }

    private static List<String> places(byte[] bytes, Checks options) {
        return Verified.of(bytes, options).findings().stream()
                .map(each -> each.rule().id() + "@" + each.position())
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
