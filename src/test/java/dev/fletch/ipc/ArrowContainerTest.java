// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Rule;
import dev.fletch.testdata.ArrowVectorFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

class ArrowContainerTest {
    @Test
    void fileByItsMagic() {
        byte[] file = ArrowVectorFiles.named("bool").file();
        for (int length = 1; length < 20; length++) {
            assertEquals(ArrowContainer.FILE, detect(Arrays.copyOf(file, length)));
        }
    }

    @Test
    void streamByItsContinuationWord() {
        byte[] stream = ArrowVectorFiles.named("bool").stream();
        for (int length = 1; length < 20; length++) {
            assertEquals(ArrowContainer.STREAM, detect(Arrays.copyOf(stream, length)));
        }
        assertEquals(ArrowContainer.STREAM, detect(Frames.END));
    }

    @Test
    void oldStreamByItsFirstSize() {
        byte[] stream = ArrowVectorFiles.named("legacy_framing_v4").stream();
        for (int length = 4; length < 20; length += length == 4 ? 4 : 1) {
            assertEquals(ArrowContainer.STREAM, detect(Arrays.copyOf(stream, length)));
        }
        assertEquals(ArrowContainer.STREAM, detect(join(words(12, 4), new byte[8])));
        assertEquals(ArrowContainer.STREAM, detect(words((256 << 20) - 4, 16)));
    }

    /// Readers read such streams, whose bodies are not aligned.
    @Test
    void oldStreamThatIsAlignedToFourBytes() {
        assertEquals(ArrowContainer.STREAM, detect(words(8, 4)));
        assertEquals(ArrowContainer.STREAM, detect(words((1 << 24) - 8, 4)));
    }

    @Test
    void implausibleSizesAreNoStream() {
        for (byte[] bytes :
                new byte[][] {
                    words(0), // ends at once
                    words(10, 4), // aligns the body to 2 bytes
                    words(1 << 24, 4), // above the limit of unaligned metadata
                    words((256 << 20) + 4, 4), // above the limit
                    words(12, 3), // root inside its own offset
                    words(12, 12), // root behind the metadata
                    words(12, -1),
                    words(-2, 4),
                    {1},
                    {0, 0, 0},
                }) {
            assertNotArrow(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ORC",
                "{\"schema\": {}}",
                "a,b\n1,2\n",
                "Obj\u0001 avro",
                "arrow1",
                "ARROW2..",
                "#!/bin/sh",
                "PK\u0003\u0004 zip",
                "\u007fELF\u0002\u0001\u0001\u0000"
            })
    void otherFormatsAreRefusedWithTheirFirstBytes(String text) {
        assertNotArrow(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void assertNotArrow(byte[] bytes) {
        String hex = HexFormat.ofDelimiter(" ").formatHex(bytes, 0, Math.min(8, bytes.length));
        ArrowFormatException e =
                EncapsulatedMessageTest.assertFault(IpcRules.NOT_ARROW, 0, () -> detect(bytes));
        assertEquals(
                "neither an Arrow IPC file nor an Arrow IPC stream: firstBytes=" + hex, e.reason());
    }

    @Test
    void formatsThatAreTakenForArrowAreNamedWithAdvice() {
        assertNamed(IpcRules.FEATHER_V1, "FEA1....");
        assertNamed(IpcRules.PARQUET, "PAR1parquet");
        assertNamed(IpcRules.GZIP, "\u001f\u008b\u0008\u0000\u0000\u0000\u0000\u0000\u0000");
        assertNamed(IpcRules.GZIP, "\u001f\u008b");
        assertNotArrow(new byte[] {0x1f});
        assertNotArrow("PAR".getBytes(StandardCharsets.US_ASCII));
    }

    private static void assertNamed(Rule rule, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        String hex = HexFormat.ofDelimiter(" ").formatHex(bytes, 0, Math.min(8, bytes.length));
        ArrowFormatException e = EncapsulatedMessageTest.assertFault(rule, 0, () -> detect(bytes));
        assertEquals(rule.description() + ": offset=0, firstBytes=" + hex, e.getMessage());
    }

    @Test
    void emptyInputIsNeither() {
        EncapsulatedMessageTest.assertFault(IpcRules.EMPTY_INPUT, 0, () -> detect(new byte[0]));
    }

    private static ArrowContainer detect(byte[] bytes) {
        return ArrowContainer.detect(MemorySegment.ofArray(bytes));
    }
}
