// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.OracleFile.Flatbuffer;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RealInput;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

/// Buffers that writers made are accepted, and what is accepted can be read.
class VerifierAcceptsTest {

    private static void assertAccepts(
            Verifier verifier, Root root, MemorySegment memory, long offset, long length) {
        assertTrue(verifier.verify(root, memory, offset, length), () -> "" + verifier.fault());
        assertTrue(verifier.verifyShallow(root, memory, offset, length));
    }

    @Test
    void realInputsAreAcceptedByAllChecks() {
        Verifier strict = new Verifier(Checks.STRICT);
        Verifier official = new Verifier(Checks.FLATBUFFERS);
        int buffers = 0;
        for (RealInput each : RealInput.listed()) {
            byte[] bytes = each.bytes();
            MemorySegment memory = MemorySegment.ofArray(bytes);
            for (Flatbuffer part : OracleListing.list(bytes).flatbuffers()) {
                Root root = part.isFooter() ? Root.FOOTER : Root.MESSAGE;
                assertAccepts(strict, root, memory, part.offset(), part.bytes().length);
                assertAccepts(official, root, memory, part.offset(), part.bytes().length);
                buffers++;
            }
        }
        System.out.printf("Verifier: %d messages and footers, strictly%n", buffers);
        assertTrue(buffers > 100);
    }
}
