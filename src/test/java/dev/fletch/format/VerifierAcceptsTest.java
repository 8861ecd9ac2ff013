// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    void goldensAreAccepted() {
        Verifier strict = new Verifier(VerifierOptions.STRICT);
        Verifier official = new Verifier(VerifierOptions.FLATBUFFERS);
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

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void largeMessagesInASegment(SegmentBacking backing) {
        byte[] bytes = LargeSchemas.schemaMessage(50);
        try (PlacedSegment placed = backing.place(bytes)) {
            for (VerifierOptions options :
                    new VerifierOptions[] {VerifierOptions.STRICT, Verdicts.UNALIGNED}) {
                Verifier verifier = new Verifier(options);
                long at = placed.offset();
                assertAccepts(verifier, Root.MESSAGE, placed.segment(), at, placed.length());
            }
            // Where the range ends decides, whatever lies behind it.
            Verifier verifier = new Verifier();
            assertTrue(
                    !verifier.verify(
                            Verifier.Root.MESSAGE,
                            placed.segment(),
                            placed.offset(),
                            placed.length() - 8));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void largeMessagesInAByteBuffer(BufferBacking backing) {
        byte[] bytes = LargeSchemas.schemaMessage(50);
        try (PlacedBuffer placed = backing.place(bytes)) {
            Verifier verifier = new Verifier(VerifierOptions.STRICT);
            assertTrue(
                    verifier.verify(Verifier.Root.MESSAGE, placed.buffer()),
                    () -> "" + verifier.fault());
            MemorySegment segment = MemorySegment.ofBuffer(placed.buffer());
            assertTrue(verifier.verifyShallow(Root.MESSAGE, segment, 0, segment.byteSize()));
        }
    }
}
