// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.convert.Converted;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RealInput;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/// Real streams and files, written again message by message: as the same container, and as the
/// other one. Nothing of them gets lost; arrow-vector reads what is converted in this way.
class WriteCopiesTest {
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();

    /// Other producers write footers in orders of their own, or no schema message in a file.
    private static List<RealInput> inputs() {
        return RealInput.listed().stream()
                .filter(each -> !each.name().startsWith("producers/"))
                .toList();
    }

    // ---- copies, in the way a user makes them

    private void copyAll(byte[] input, MessageWriter writer) throws IOException {
        MemorySegment memory = MemorySegment.ofArray(input);
        if (ArrowContainer.detect(memory) == ArrowContainer.FILE) {
            ArrowFile file = ArrowFile.of(memory);
            for (int i = 0; i < file.messageCount(); i++) {
                file.message(i, frame, message);
                writer.copy(memory, frame);
            }
            return;
        }
        for (long at = 0;
                frame.wrap(memory, at, message) == FrameKind.MESSAGE;
                at = frame.nextOffset()) {
            writer.copy(memory, frame);
        }
    }

    private byte[] asStream(byte[] input) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, out)) {
            copyAll(input, writer);
            writer.finish();
            assertEquals(out.size(), writer.position());
        }
        return out.toByteArray();
    }

    private byte[] asSameFile(byte[] input) throws IOException {
        MemorySegment memory = MemorySegment.ofArray(new byte[2 * input.length + 1024]);
        try (MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, memory, 3)) {
            copyAll(input, writer);
            writer.finish(ArrowFile.of(MemorySegment.ofArray(input)).footer());
            return memory.asSlice(3, writer.position()).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static boolean isLegacy(OracleFile oracle) {
        return oracle.messages().getFirst().prefixLength()
                == EncapsulatedMessage.LEGACY_PREFIX_BYTES;
    }

    // ---- bytes

    @Test
    void copiedStreamsAreIdentical() throws IOException {
        int identical = 0;
        for (RealInput each : inputs()) {
            byte[] bytes = each.bytes();
            OracleFile oracle = OracleListing.list(bytes);
            if (oracle.footer() == null && !isLegacy(oracle)) {
                assertArrayEquals(bytes, asStream(bytes), each.name());
                identical++;
            }
        }
        System.out.printf("Streams written again: all %d identical%n", identical);
        assertTrue(identical >= 56, "identical=" + identical);
    }

    @Test
    void copiedFilesAreIdenticalUpToTheirFooter() throws IOException {
        int identical = 0;
        int isSame = 0;
        for (RealInput each : inputs()) {
            byte[] bytes = each.bytes();
            OracleFile oracle = OracleListing.list(bytes);
            if (oracle.footer() == null || isLegacy(oracle)) {
                continue;
            }
            int footer = Math.toIntExact(oracle.footer().offset());
            byte[] out = asSameFile(bytes);
            assertArrayEquals(
                    Arrays.copyOf(bytes, footer), Arrays.copyOf(out, footer), each.name());
            identical++;
            isSame += Arrays.equals(out, bytes) ? 1 : 0;
        }
        System.out.printf(
                "Files written again: all %d identical, %d footers included%n", identical, isSame);
        assertTrue(identical >= 55, "identical=" + identical);
    }

    /// Also of streams without continuation words, and of files.
    @Test
    void streamsHaveTheMetadataAndBodiesOfAllBatches() throws IOException {
        for (RealInput each : inputs()) {
            byte[] bytes = each.bytes();
            List<String> expected = Converted.contents(bytes);
            assertEquals(expected, Converted.contents(asStream(bytes)), each.name());
        }
    }
}
