// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.check.Finding;
import dev.fletch.check.internal.Findings;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.Frames;
import dev.fletch.command.SchemaTables;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Endianness;
import dev.fletch.format.MessageHeader;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void endsInEveryWay() {
        assertEquals(List.of(), found(SCHEMA));
        assertEquals(List.of("file no-end-marker"), found(SCHEMA, BATCH));
        assertEquals(List.of(), found(SCHEMA, BATCH, Frames.endOfStream()));
        assertEquals(List.of(), found(SCHEMA, BATCH, words(0)));
    }

    @Test
    void bytesBehindTheEnd() {
        byte[] stream = Frames.joined(SCHEMA, Frames.endOfStream());
        assertEquals(List.of("file stream-follows"), found(stream, stream));
        assertEquals(List.of("file bytes-behind-end"), found(stream, new byte[16]));
        Finding found = Verified.of(Frames.joined(stream, new byte[1])).findings().getFirst();
        assertEquals(stream.length, found.offset());
        assertEquals("bytes follow the end-of-stream marker: bytes=1", found.text());
    }

    @Test
    void nothingInside() {
        assertEquals(List.of("file no-message"), found(Frames.endOfStream()));
        assertEquals(List.of("file empty-input"), found());
        assertEquals(List.of("file not-arrow"), found(new byte[20]));
        assertEquals(List.of("frame truncated-prefix 0"), found(new byte[] {-1, -1, -1}));
    }

    // ---- frames

    @Test
    void prefixes() {
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
    void bodies() {
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
    void metadataOfAnOddLength() {
        byte[] metadata = Arrays.copyOfRange(BATCH, 8, BATCH.length - 4);
        byte[] padded = Arrays.copyOf(metadata, metadata.length + 8);
        byte[] odd = Frames.joined(words(-1, padded.length), padded);
        assertEquals(List.of("frame metadata-unaligned 1"), found(SCHEMA, odd, BATCH, END));
    }

    // ---- messages

    /// Goes on behind a damaged one, as long as it says where.
    @Test
    void severalMessages() {
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
    void versions() {
        byte[] old = message("version", 2, "header_type", 3, "header", batch());
        byte[] next = message("version", 5, "header_type", 3, "header", batch());
        assertEquals(
                List.of(
                        "meaning unsupported-version 1 version",
                        "meaning unsupported-version 2 version"),
                found(SCHEMA, old, next, BATCH, END));
    }

    private static FbsValue.Table batch() {
        return SchemaTables.table("RecordBatch", "length", 1);
    }

    @Test
    void headers() {
        assertEquals(
                List.of("meaning no-header 1 header", "meaning no-header 2 header"),
                found(
                        SCHEMA,
                        message("version", 4),
                        Frames.messageOfKind(MessageHeader.RECORD_BATCH),
                        END));
        byte[] unknown = message("version", 4, "header_type", 99, "header", batch());
        assertEquals(List.of("meaning unknown-header 1 headerType"), found(SCHEMA, unknown, END));
        assertEquals(
                List.of("meaning negative-rows 1 header.recordBatch.length"),
                found(SCHEMA, Frames.recordBatch(-1, 0), END));
        FbsValue.Table empty = SchemaTables.table("DictionaryBatch", "id", 7);
        assertEquals(
                List.of(
                        "meaning unused-dictionary 1 header.dictionaryBatch.id",
                        "meaning no-dictionary-data 1 header.dictionaryBatch.data"),
                found(SCHEMA, message("version", 4, "header_type", 2, "header", empty), END));
        assertEquals(
                List.of(
                        "meaning unused-dictionary 1 header.dictionaryBatch.id",
                        "meaning negative-rows 1 header.dictionaryBatch.data.length"),
                found(SCHEMA, Frames.dictionaryBatch(7, false, -1), END));
    }

    @Test
    void schemas() {
        assertEquals(List.of("file no-leading-schema 0"), found(BATCH));
        assertEquals(
                List.of("file no-leading-schema 0", "file repeated-schema 1"),
                found(BATCH, SCHEMA));
    }

    // ---- meaning of schemas

    @ParameterizedTest
    @ValueSource(ints = {2, 7, -1})
    void unknownEndianness(int endianness) {
        byte[] stream =
                SchemaTables.stream(
                        SchemaTables.table(
                                "Schema", "endianness", endianness, "fields", List.of()));
        assertEquals(
                List.of("meaning unknown-endianness 0 header.schema.endianness"), found(stream));
        assertTrue(Verified.run(stream).out().endsWith(": value=" + endianness + "\n"));
    }

    @Test
    void bigEndianIsTold() {
        byte[] stream =
                SchemaTables.stream(
                        SchemaTables.table(
                                "Schema", "endianness", Endianness.BIG, "fields", List.of()));
        assertEquals(
                "standard input: ok: stream, messages=1, dictionaryBatches=0, recordBatches=0,"
                        + " endianness=Big\n",
                Verified.run(stream).out());
    }

    /// Nothing is wrong with it but its size: `fletch schema` refuses it too.
    @Test
    void schemaTooLargeToPrintIsVerified() {
        FbsValue.Table[] fields = new FbsValue.Table[20_000];
        Arrays.fill(fields, SchemaTables.utf8("x".repeat(100_000)));
        List<String> found = found(SchemaTables.stream(SchemaTables.schema(fields)));
        assertEquals(1, found.size());
        String expected = "meaning schema-too-large 0 header\\.schema\\.fields\\[\\d+]";
        assertTrue(found.getFirst().matches(expected), found::toString);
    }

    // ---- how much is told

    @Test
    void moreFaultsThanAreShown() {
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
        assertEquals(Findings.MAX_SHOWN + 1, found.size());
        assertEquals("table-out-of-range", found.getFirst().rule().id());
        assertEquals("customMetadata[99999]", found.get(99_999).path());
        assertEquals("more-faults", found.getLast().rule().id());
        assertEquals("more faults than shown: shown=100000", found.getLast().text());
    }

    @Test
    void strictIsStricter() {
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

    /// What only stricter rules refuse is read on: its values, and what is behind it.
    @Test
    void strictGoesOnAsFar() {
        byte[] schema =
                SchemaTables.stream(
                        SchemaTables.table("Schema", "endianness", 5, "fields", List.of()));
        ByteBuffer words = ByteBuffer.wrap(schema).order(ByteOrder.LITTLE_ENDIAN);
        int root = 8 + words.getInt(8);
        words.putShort(root - words.getInt(root) + 2, (short) 2); // the root table's size
        byte[] stream = Frames.joined(schema, Frames.recordBatch(-1, 0), END);
        List<String> lenient = Verified.of(stream).brief();
        assertEquals(
                List.of(
                        "meaning unknown-endianness 0 header.schema.endianness",
                        "meaning negative-rows 1 header.recordBatch.length"),
                lenient);
        List<String> strict = Verified.of(stream, VerifierOptions.STRICT).brief();
        assertEquals("structure table-size-too-small 0", strict.getFirst());
        assertTrue(strict.containsAll(lenient), strict.toString());
    }
}
