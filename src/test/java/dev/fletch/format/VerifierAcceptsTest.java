// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// Buffers that writers made are accepted, and what is accepted can be read.
class VerifierAcceptsTest {

    private static void assertAccepts(
            Verifier verifier, Root root, MemorySegment memory, long offset, long length) {
        assertTrue(verifier.verify(root, memory, offset, length), () -> "" + verifier.fault());
        assertTrue(verifier.verifyShallow(root, memory, offset, length));
    }

    @Test
    void goldensAreAcceptedByAllChecks() {
        Verifier strict = new Verifier(Checks.STRICT);
        Verifier official = new Verifier(Checks.FLATBUFFERS);
        int buffers = 0;
        for (Path golden : Goldens.all()) {
            byte[] bytes = Goldens.read(golden);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            OracleFile file = OracleListing.list(bytes);
            for (OracleMessage message : file.messages()) {
                long at = message.metadataOffset();
                int length = message.metadata().remaining();
                assertAccepts(strict, Root.MESSAGE, memory, at, length);
                assertAccepts(official, Root.MESSAGE, memory, at, length);
                buffers++;
            }
            if (OracleListing.isFile(bytes)) {
                long at = file.footer().offset();
                assertAccepts(strict, Root.FOOTER, memory, at, file.footer().length());
                assertAccepts(official, Root.FOOTER, memory, at, file.footer().length());
                buffers++;
            }
        }
        System.out.printf("Verifier: %d messages and footers of goldens, strictly%n", buffers);
        assertTrue(buffers > 100);
    }
}
