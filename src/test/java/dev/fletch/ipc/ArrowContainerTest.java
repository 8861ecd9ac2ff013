// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.words;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.corpus.Corpus;
import dev.fletch.format.Message;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
                    {0x1f}, // the first byte of gzip
                    {0, 0, 0},
                }) {
            assertNotArrow(bytes);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1, 2] | JSON",
                "PAR | text",
                "arrow1 | text",
                "ARROW2.. | text",
                "#!/bin/sh | text",
                "h\u00c3\u00b6he;b | text",
                "\u00ef\u00bb\u00bfa,b | text",
                "\u00ef\u00bb\u00bf{} | JSON",
                "\u00fe\u00ff\u0000a\u0000, | UTF-16 text",
                "GET /a.arrow HTTP/1.1 | HTTP request",
                "VTXF.. | Vortex",
                "CDF\u0001.. | netCDF",
                "RDX3\\nX | R data",
                "070701.. | cpio archive"
            })
    void otherFormatsAreNamed(String escaped, String format) {
        String text = escaped.replace("\\n", "\n");
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        assertNotArrow(bytes, ", format=" + format);
        Run run = Cli.runWithInput(bytes, "ls", "-");
        assertEquals(1, run.status());
        assertTrue(run.err().contains(", format=" + format), run.err());
        run = Cli.runWithInput(bytes, "ls", "--json", "-");
        assertTrue(run.out().contains(", format=" + format), run.out());
    }

    /// A field of protobuf with a length; the length may take several bytes.
    private static byte[] field(int number, byte[] value) {
        int tag = number << 3 | 2;
        ByteArrayOutputStream field = new ByteArrayOutputStream();
        for (int each : new int[] {tag, value.length}) {
            int left = each;
            for (; left > 0x7F; left >>>= 7) {
                field.write(left | 0x80);
            }
            field.write(left);
        }
        field.writeBytes(value);
        return field.toByteArray();
    }

    @Test
    void messagesOfFlightAreNamed() {
        byte[] stream = ArrowVectorFiles.named("several_batches").stream();
        List<OracleMessage> messages = OracleListing.list(stream).messages();
        byte[] schema = Arrays.copyOf(stream, (int) messages.getFirst().endOffset());
        OracleMessage batch = messages.get(1);
        int at = (int) batch.metadataOffset();
        byte[] header = Arrays.copyOfRange(stream, at, at + batch.metadataLength());
        byte[] result = field(1, schema);
        byte[] old = field(1, Arrays.copyOfRange(schema, 4, schema.length));
        byte[] minusOne = new byte[11]; // total records are unknown
        Arrays.fill(minusOne, (byte) 0xFF);
        minusOne[0] = 32;
        minusOne[10] = 1;
        byte[] info = join(field(1, schema), join(field(2, new byte[] {8, 1}), minusOne));
        byte[] data = join(field(2, header), field(1000, new byte[64]));
        assertNotArrow(result, ", format=Flight SchemaResult, streamOffset=3");
        assertNotArrow(old, ", format=Flight SchemaResult, streamOffset=3");
        assertNotArrow(info, ", format=Flight FlightInfo, streamOffset=3");
        assertNotArrow(data, ", format=Flight FlightData");
        assertNotArrow(join(field(1, new byte[] {8, 1}), data), ", format=Flight FlightData");
        byte[] frame = new byte[] {0, 0, 0, 0, (byte) result.length};
        frame[3] = (byte) (result.length >> 8);
        assertNotArrow(join(frame, result), ", format=Flight SchemaResult, streamOffset=8");
        assertNotArrow(Arrays.copyOf(data, data.length - 1)); // cut off
        assertNotArrow(join(field(2, new byte[9]), data)); // only the first header is verified
        assertNotArrow(
                join(result, new byte[] {1}),
                ", format=Arrow stream behind other bytes, streamOffset=3");
    }

    /// A part of a schema may look like a schema message without a schema.
    @Test
    void noSchemaMessageIsFoundInsideADamagedOne() throws IOException {
        Path old = Corpus.FOLDER.resolve("values/tensor-size-not-uniform-legacy.sound.arrows");
        byte[] bytes = Files.readAllBytes(old);
        Arrays.fill(bytes, 0, 8, (byte) 0);
        assertNotArrow(bytes);
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
        FletchException e =
                EncapsulatedMessageTest.assertFault(FileRule.NOT_ARROW, 0, () -> detect(bytes));
        assertEquals(
                "neither an Arrow IPC file nor an Arrow IPC stream: firstBytes=" + hex + format,
                e.fault().text());
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
                            () -> Frames.reader(bytes).next(message),
                            () ->
                                    new MessageDecoder(ReadOptions.DEFAULT)
                                            .next(ByteBuffer.wrap(bytes), message));
            for (Executable each : readers) {
                FletchException e = assertRule(FileRule.FILE_AS_STREAM, each);
                assertEquals(0, e.offset());
                String counted = each == readers.getFirst() ? "" : "message 0: ";
                assertEquals(
                        counted
                                + "offset 0: an Arrow IPC file begins where a message is expected;"
                                + " read it as a file: firstBytes=ARRO",
                        e.getMessage());
            }
        }
    }

    private static ArrowContainer detect(byte[] bytes) {
        return ArrowContainer.detect(MemorySegment.ofArray(bytes));
    }
}
