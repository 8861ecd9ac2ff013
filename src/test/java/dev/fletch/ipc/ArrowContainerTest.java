// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.format.Message;
import dev.fletch.testdata.ArrowVectorFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

class ArrowContainerTest {
    @Test
    void filesAreDetectedByTheirMagic() {
        byte[] file = ArrowVectorFiles.named("bool").file();
        for (int length = 1; length < 20; length++) {
            assertEquals(ArrowContainer.FILE, detect(Arrays.copyOf(file, length)));
        }
    }

    @Test
    void streamsAreDetectedByTheirContinuation() {
        byte[] stream = ArrowVectorFiles.named("bool").stream();
        for (int length = 1; length < 20; length++) {
            assertEquals(ArrowContainer.STREAM, detect(Arrays.copyOf(stream, length)));
        }
        assertEquals(ArrowContainer.STREAM, detect(Frames.END));
    }

    @Test
    void legacyStreamsAreDetectedByTheirFirstLength() {
        byte[] stream = ArrowVectorFiles.named("legacy_framing_v4").stream();
        for (int length = 4; length < 20; length += length == 4 ? 4 : 1) {
            assertEquals(ArrowContainer.STREAM, detect(Arrays.copyOf(stream, length)));
        }
        assertEquals(ArrowContainer.STREAM, detect(join(words(12, 4), new byte[8])));
        assertEquals(ArrowContainer.STREAM, detect(words((256 << 20) - 4, 16)));
    }

    /// Readers read such streams, whose bodies are not aligned.
    @Test
    void legacyStreamsAlignedToFourBytesAreDetected() {
        assertEquals(ArrowContainer.STREAM, detect(words(8, 4)));
        assertEquals(ArrowContainer.STREAM, detect(words((1 << 24) - 8, 4)));
    }

    @Test
    void implausibleLengthsAreNoStream() {
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
    @CsvSource(
            delimiter = '|',
            value = {
                "ORC | ORC",
                "{\"schema\": {}} | JSON",
                "[1, 2] | JSON",
                "<!DOCTYPE html> | HTML or XML",
                "SQLite format 3 | SQLite",
                "Obj\u0001 avro | Avro",
                "\u0089HDF | HDF5",
                "\u0093NUMPY | NumPy",
                "a,b | text",
                "arrow1 | text",
                "ARROW2.. | text",
                "#!/bin/sh | text"
            })
    void otherFormatsAreNamed(String text, String format) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        assertNotArrow(bytes, ", format=" + format);
        Run run = Cli.runWithInput(bytes, "ls", "-");
        assertEquals(1, run.status());
        assertTrue(run.err().contains(", format=" + format), run.err());
        run = Cli.runWithInput(bytes, "ls", "--json", "-");
        assertTrue(run.out().contains(", format=" + format), run.out());
    }

    @Test
    void unknownBytesAreShown() {
        assertNotArrow("\u007fELF\u0002\u0001\u0001\u0000".getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void assertNotArrow(byte[] bytes) {
        assertNotArrow(bytes, "");
    }

    private static void assertNotArrow(byte[] bytes, String format) {
        String hex = HexFormat.ofDelimiter(" ").formatHex(bytes, 0, Math.min(8, bytes.length));
        ArrowFormatException e =
                EncapsulatedMessageTest.assertFault(IpcRules.NOT_ARROW, 0, () -> detect(bytes));
        assertEquals(
                "neither an Arrow IPC file nor an Arrow IPC stream: firstBytes=" + hex + format,
                e.reason());
    }

    @Test
    void formatsThatAreTakenForArrowAreNamedWithAdvice() {
        assertNamed(IpcRules.FEATHER_V1, "FEA1....", null);
        assertNamed(IpcRules.PARQUET, "PAR1parquet", null);
        assertNamed(IpcRules.PARQUET, "PAREparquet", null);
        assertNamed(IpcRules.GZIP, "\u001f\u008b\u0008\u0000\u0000\u0000\u0000\u0000", null);
        assertNamed(IpcRules.GZIP, "\u001f\u008b", null);
        assertNamed(IpcRules.COMPRESSED, "(\u00b5/\u00fd\u0004\u0000", "zstd");
        assertNamed(IpcRules.COMPRESSED, "\u0004\"M\u0018d@", "lz4");
        assertNamed(IpcRules.COMPRESSED, "BZh91AY&", "bzip2");
        assertNamed(IpcRules.COMPRESSED, "\u00fd7zXZ\u0000", "xz");
        assertNamed(IpcRules.COMPRESSED, "\u00ff\u0006\u0000\u0000sNaPpY", "snappy");
        assertNamed(IpcRules.COMPRESSED, "PK\u0003\u0004 zip", "zip");
        assertNamed(IpcRules.COMPRESSED, "7z\u00bc\u00af", "7z");
        assertNotArrow(new byte[] {0x1f});
        assertNotArrow("PAR".getBytes(StandardCharsets.US_ASCII), ", format=text");
    }

    private static void assertNamed(Rule rule, String content, String format) {
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        String hex = HexFormat.ofDelimiter(" ").formatHex(bytes, 0, Math.min(8, bytes.length));
        ArrowFormatException e = EncapsulatedMessageTest.assertFault(rule, 0, () -> detect(bytes));
        assertEquals(
                rule.description()
                        + ": offset=0, firstBytes="
                        + hex
                        + (format == null ? "" : ", format=" + format),
                e.getMessage());
        for (String command : List.of("ls", "schema", "count", "map")) {
            Run run = Cli.runWithInput(bytes, command, "-");
            assertEquals(1, run.status(), command);
            assertTrue(run.err().contains(rule.description()), run.err());
        }
    }

    /// A program that opens a file with the classes for streams is told which class to use.
    @Test
    void filesAreNotReadAsStreams() throws IOException {
        byte[] file = Frames.file(new byte[0], Frames.footer(List.of(), List.of()));
        for (int length : new int[] {4, 5, 6, 8, file.length}) {
            byte[] bytes = Arrays.copyOf(file, length);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            Message message = new Message();
            List<Executable> readers =
                    List.of(
                            () -> new EncapsulatedMessage().wrap(memory, 0, message),
                            () -> MessageReader.of(new ByteArrayInputStream(bytes)).next(message),
                            () -> new MessageDecoder().next(ByteBuffer.wrap(bytes), message));
            for (Executable each : readers) {
                ArrowFormatException e = assertThrows(ArrowFormatException.class, each);
                assertEquals(IpcRules.FILE_AS_STREAM, e.rule());
                assertEquals(0, e.offset());
                assertEquals(
                        "an Arrow IPC file begins where a message is expected; read it as a file:"
                                + " offset=0, firstBytes=ARRO",
                        e.getMessage());
            }
        }
    }

    @Test
    void emptyInputIsNeither() {
        EncapsulatedMessageTest.assertFault(IpcRules.EMPTY_INPUT, 0, () -> detect(new byte[0]));
    }

    private static ArrowContainer detect(byte[] bytes) {
        return ArrowContainer.detect(MemorySegment.ofArray(bytes));
    }
}
