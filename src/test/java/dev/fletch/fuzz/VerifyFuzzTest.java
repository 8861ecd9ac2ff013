// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.format.Verifier;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;

import org.junit.jupiter.api.AutoClose;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Verifies any bytes, then reads all that they hold. What is accepted is read without a fault, and
/// as the generated classes read it; what is refused is read as far as it goes.
///
/// The first byte of an input says what the others are to begin with.
class VerifyFuzzTest {
    /// Reading takes much longer than verifying: so bombs are left to other tests.
    private static final long MAX_TABLES = 2_000;

    private static final int MOST_FAULTS = 50;
    private static final int CAPACITY = 1 << 16;
    private static final Root[] ROOTS = Root.values();

    @AutoClose private static WholeTrees trees = new WholeTrees(CAPACITY);

    private final Verifier aligned = verifier(Checks.ARROW_CPP);
    private final Verifier unaligned = verifier(Checks.ARROW_CPP.with(Check.ALIGNMENT, false));
    private final Verifier strict = verifier(Checks.STRICT);

    private static Verifier verifier(Checks options) {
        return new Verifier(options.withLimits(options.limits().withTables(MAX_TABLES)));
    }

    @FuzzTest
    void verifiedBytesCanBeRead(byte[] input) {
        if (input.length == 0 || input.length > CAPACITY) {
            return;
        }
        Root root = ROOTS[Byte.toUnsignedInt(input[0]) % ROOTS.length];
        byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
        MemorySegment memory = MemorySegment.ofArray(bytes);
        boolean accepted = verify(unaligned, root, memory);
        if (verify(aligned, root, memory)) {
            assertTrue(accepted, "accepted because alignment is checked");
        } else {
            assertFalse(verify(strict, root, memory), "accepted because more is checked");
        }
        if (accepted) {
            trees.readsAll(root, bytes);
            trees.agreesWithGenerated(root, bytes);
        } else {
            trees.readsWhatItCan(root, memory, 0, bytes.length);
        }
    }

    /// All faults are found where the first is, and every one can be told.
    private static boolean verify(Verifier verifier, Root root, MemorySegment memory) {
        boolean accepted = verifier.verify(root, memory, 0, memory.byteSize());
        assertEquals(accepted, verifier.fault() == null);
        String first = accepted ? "" : verifier.fault().toString();
        List<String> taken = new ArrayList<>();
        int faults =
                verifier.findFaults(
                        root,
                        memory,
                        0,
                        memory.byteSize(),
                        fault -> taken.add(fault.toString()),
                        MOST_FAULTS);
        assertEquals(accepted, faults == 0);
        assertTrue(accepted || taken.getFirst().equals(first), first);
        assertEquals(Math.min(faults, MOST_FAULTS), taken.size());
        return accepted;
    }
}
