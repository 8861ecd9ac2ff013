// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.RandomTables;
import dev.fletch.testdata.RulePage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// Who asks for stricter checks is told all that is told without them: a stricter rule that was
/// broken hides nothing that can be read.
class StrictFaultsTest {
    private static final int CASES = CaseCount.of(2_000, 6_000);
    private static final int MAX_FAULTS = 20_000;
    private static final int[] WORDS = {0, 0, 1, 2, 3, 4, 5, 6, 8, 12, 14, 0xFF, 0xFFFF};

    private final Verifier official = new Verifier(Checks.ARROW_CPP);
    private final Verifier strict = new Verifier(Checks.STRICT);
    private int stricter;
    private int others;

    @ParameterizedTest
    @EnumSource(Root.class)
    void strictChecksFindAllFaultsOfDamagedTables(Root root) {
        for (int i = 0; i < CASES; i++) {
            SplittableRandom random = new SplittableRandom(i);
            byte[] bytes = RandomTables.bytes(root.table(), i & 0xFF);
            assertAllFound(root, damage(bytes, random), i);
        }
        assertTrue(stricter > CASES / 5 && others > CASES / 2, stricter + " and " + others);
    }

    @Test
    void strictChecksFindAllFaultsOfDamagedSchemas() {
        byte[] message = LargeSchemas.schemaMessage(5);
        for (int i = 0; i < CASES; i++) {
            SplittableRandom random = new SplittableRandom(~i);
            assertAllFound(Root.MESSAGE, damage(message.clone(), random), i);
        }
        assertTrue(stricter > CASES / 5 && others > CASES / 2, stricter + " and " + others);
    }

    /// What breaks only rules that belong to a check is no error, unless readers show that it is
    /// one.
    @Test
    void deviationsBelongToChecks() {
        Map<String, String> checks = RulePage.checkByRule();
        for (Rule rule : StructureRule.values()) {
            boolean isDeviation = rule.severity() != Rule.Severity.ERROR;
            assertTrue(!isDeviation || !checks.get(rule.id()).isEmpty(), rule.id());
        }
    }

    /// Puts small numbers, and others, to a few places.
    private static byte[] damage(byte[] bytes, SplittableRandom random) {
        int places = 1 + random.nextInt(4);
        for (int i = 0; i < places; i++) {
            int at = random.nextInt(bytes.length - 1) & -2;
            int word =
                    random.nextInt(4) == 0 ? random.nextInt() : WORDS[random.nextInt(WORDS.length)];
            bytes[at] = (byte) word;
            bytes[at + 1] = (byte) (word >> 8);
        }
        return bytes;
    }

    private void assertAllFound(Root root, byte[] bytes, int number) {
        Set<String> without = faults(official, root, bytes);
        Set<String> with = faults(strict, root, bytes);
        others += without.size();
        stricter += with.size() - without.size();
        without.removeAll(with);
        assertEquals(Set.of(), without, () -> "case " + number + ", with: " + with);
    }

    private static Set<String> faults(Verifier verifier, Root root, byte[] bytes) {
        Set<String> faults = new LinkedHashSet<>();
        int count =
                verifier.findFaults(
                        root,
                        MemorySegment.ofArray(bytes),
                        0,
                        bytes.length,
                        fault -> faults.add(text(fault)),
                        MAX_FAULTS);
        assertTrue(count <= MAX_FAULTS, "too many");
        return faults;
    }

    private static String text(Fault fault) {
        return String.format(
                Locale.ROOT, "%s %d %s", fault.rule().id(), fault.position(), fault.path());
    }
}
