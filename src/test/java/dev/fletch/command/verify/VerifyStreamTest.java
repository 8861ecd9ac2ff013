// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.check.ContainerVerifier;
import dev.fletch.check.Finding;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.Frames;
import dev.fletch.command.SchemaTables;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// One thing that is wrong with a stream, or a few, and all that `fletch verify` tells of it.
class VerifyStreamTest {
    private static final byte[] SCHEMA = Frames.emptySchema();
    private static final byte[] BATCH = Frames.recordBatch(3, 0);
    private static final byte[] END = Frames.endOfStream();

    private static List<String> found(byte[]... parts) {
        byte[] stream = Frames.joined(parts);
        List<String> found = Verified.of(stream).brief();
        assertEquals(found, Verified.piped(stream).brief());
        return found;
    }

    private static byte[] message(Object... namesAndValues) {
        FbsValue.Table table = SchemaTables.table("Message", namesAndValues);
        return Frames.encapsulated(SchemaTables.bytes(table));
    }

    private static byte[] words(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words);
        return bytes.array();
    }

    // ---- ends

    @Test
    void streamMayEndWithOrWithoutAMarker() {
        assertEquals(List.of(), found(SCHEMA));
        assertEquals(List.of("file no-end-marker"), found(SCHEMA, BATCH));
        assertEquals(List.of(), found(SCHEMA, BATCH, Frames.endOfStream()));
        assertEquals(List.of(), found(SCHEMA, BATCH, words(0)));
    }

    @Test
    void bytesAfterTheEndMarkerAreReported() {
        byte[] stream = Frames.joined(SCHEMA, Frames.endOfStream());
        assertEquals(List.of("file stream-follows"), found(stream, stream));
        assertEquals(List.of("file bytes-behind-end"), found(stream, new byte[16]));
        Finding found = Verified.of(Frames.joined(stream, new byte[1])).findings().getFirst();
        assertEquals(stream.length, found.offset());
        assertEquals("bytes follow the end-of-stream marker: bytes=1", found.text());
    }

    @Test
    void inputWithoutMessagesIsReported() {
        assertEquals(List.of("file no-message"), found(Frames.endOfStream()));
        assertEquals(List.of("file empty-input"), found());
        assertEquals(List.of("file not-arrow"), found(new byte[20]));
        assertEquals(List.of("frame truncated-prefix 0"), found(new byte[] {-1, -1, -1}));
    }

    // ---- frames

    @Test
    void wrongPrefixesAreReported() {
        int at = SCHEMA.length;
        assertEquals(List.of("frame truncated-prefix 1"), found(SCHEMA, new byte[] {-1, -1}));
        assertEquals(List.of("frame truncated-prefix 1"), found(SCHEMA, words(-1)));
        assertEquals(List.of("frame negative-metadata-length 1"), found(SCHEMA, words(-1, -2)));
        assertEquals(List.of("frame metadata-out-of-input 1"), found(SCHEMA, words(-1, 8)));
        Finding found =
                Verified.of(Frames.joined(SCHEMA, words(-1, 1000, 7))).findings().getFirst();
        assertEquals(at + 4, found.offset());
        assertEquals(
                "metadata does not fit the input: metadataLength=1000, remaining=4", found.text());
    }

    @Test
    void wrongBodyLengthsAreReported() {
        byte[] batch = Frames.recordBatch(3, 16);
        assertEquals(List.of("frame body-out-of-input 1"), found(SCHEMA, batch, new byte[15]));
        byte[] odd = Frames.recordBatch(3, 7);
        assertEquals(
                List.of("frame body-unaligned 1 bodyLength"),
                found(SCHEMA, odd, new byte[7], BATCH, END));
        byte[] negative = Frames.recordBatch(3, -8);
        assertEquals(
                List.of("frame negative-body-length 1 bodyLength"),
                found(SCHEMA, negative, BATCH, END));
        assertEquals(
                List.of("frame negative-body-length 1 bodyLength", "frame rest-unreachable 1"),
                found(SCHEMA, negative, new byte[32]));
        byte[] endless = Frames.recordBatch(3, Long.MAX_VALUE);
        assertTrue(found(SCHEMA, endless, END).contains("frame body-out-of-input 1"));
        // Messages inside such a body are found, unless the body was read from a pipe.
        byte[] wrong = Frames.recordBatch(-1, 0);
        assertEquals(
                List.of(
                        "frame body-unaligned 1 bodyLength",
                        "frame body-out-of-input 1",
                        "meaning negative-rows 2 header.recordBatch.length"),
                Verified.of(Frames.joined(SCHEMA, endless, wrong, BATCH, END)).brief());
        // Zeros up to the next alignment are padding, for all commands.
        byte[] padded = Frames.joined(SCHEMA, BATCH, new byte[40], BATCH, END);
        assertEquals(List.of(), found(padded));
        assertEquals(0, Cli.runWithInput(padded, "count", "-").status());
    }

    @Test
    void unalignedMetadataLengthIsReported() {
        byte[] metadata = Arrays.copyOfRange(BATCH, 8, BATCH.length - 4);
        byte[] padded = Arrays.copyOf(metadata, metadata.length + 8);
        byte[] odd = Frames.joined(words(-1, padded.length), padded);
        assertEquals(List.of("frame metadata-unaligned 1"), found(SCHEMA, odd, BATCH, END));
    }

    // ---- messages

    /// Goes on behind a damaged one, as long as it says where.
    @Test
    void eachDamagedMessageOfAStreamIsReported() {
        byte[] stream = TradesSample.stream();
        List<OracleMessage> messages = OracleListing.list(stream).messages();
        ByteBuffer words = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        for (int index : new int[] {1, 3}) {
            int root = (int) messages.get(index).metadataOffset();
            int table = root + words.getInt(root);
            int vtable = table - words.getInt(table);
            int header = table + words.getShort(vtable + 8);
            words.putInt(header, 0); // leads to itself
        }
        assertEquals(
                List.of("structure offset-zero 1 header", "structure offset-zero 3 header"),
                found(stream));
        words.putInt((int) messages.get(2).metadataOffset(), 1 << 30);
        assertEquals(
                List.of("structure offset-zero 1 header", "structure offset-target-out-of-range 2"),
                found(stream));
    }

    @Test
    void missingAndRepeatedSchemasAreReported() {
        assertEquals(List.of("file no-leading-schema 0"), found(BATCH));
        assertEquals(
                List.of("file no-leading-schema 0", "file repeated-schema 1"),
                found(BATCH, SCHEMA));
    }

    // ---- how much is told

    @Test
    void faultsOverTheLimitAreCountedAsOne() {
        FbsValue.Table pair = SchemaTables.table("KeyValue", "key", "k", "value", "v");
        byte[] stream =
                message("version", 4, "custom_metadata", Collections.nCopies(150_000, pair));
        assertEquals(List.of("meaning no-header 0 header"), found(stream));
        // All elements of the one vector of 150_000: none leads to a table any more.
        ByteBuffer all = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        int vector = 8;
        while (all.getInt(vector) != 150_000) {
            vector += 4;
        }
        for (int i = 1; i <= 150_000; i++) {
            all.putInt(vector + 4 * i, 1 << 30);
        }
        List<Finding> found = Verified.of(stream).findings();
        assertEquals(ContainerVerifier.MAX_FINDINGS + 1, found.size());
        assertEquals("table-out-of-range", found.getFirst().rule().id());
        assertEquals("customMetadata[99999]", found.get(99_999).path());
        assertEquals("more-faults", found.getLast().rule().id());
        assertEquals("more faults than shown: shown=100000", found.getLast().text());
    }

    @Test
    void strictVerificationReportsTextsThatAreNotUtf8() {
        byte[] stream = SchemaTables.stream(SchemaTables.schema(SchemaTables.utf8("name")));
        byte[] text = {'n', 'a', 'm', 'e', 0};
        int at = 0;
        while (!Arrays.equals(Arrays.copyOfRange(stream, at, at + 5), text)) {
            at++;
        }
        stream[at + 2] = (byte) 0xC0;
        assertEquals(List.of(), found(stream));
        assertEquals(
                List.of("structure string-not-utf8 0 header.schema.fields[0].name"),
                Verified.of(stream, VerifierOptions.STRICT).brief());
        Run run = Verified.run(stream); // the command also checks texts
        assertEquals(0, run.status());
        assertTrue(
                run.out().contains("deviation: message 0: structure: string-not-utf8"), run.out());
        assertEquals(1, Verified.run(stream, "--fail-on", "deviation").status());
    }
}
