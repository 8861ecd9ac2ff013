// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.corpus.CaseFile;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.Frames;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.CheckReport;
import dev.fletch.verify.internal.InputCheck;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/// How much work an input may make that leads a verifier to the same bytes again and again.
class VerifyWorkTest {
    /// Each word may be the prefix of a message; so many are verified as the search allows.
    @Test
    void bytesThatAreNotArrowAreSearchedOnce() {
        ByteBuffer made = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
        made.putLong(0x0807060504030201L);
        while (made.hasRemaining()) {
            made.putInt(-1).putInt(1 << 18);
        }
        Verified verified = Verified.of(made.array());
        assertEquals(FileRule.NOT_ARROW, verified.findings().getFirst().rule());
        long most = (16 << 20) + (1 << 18);
        assertTrue(verified.worked() <= most, "work=" + verified.worked());
        assertTrue(verified.worked() > most / 2, "work=" + verified.worked());
    }

    /// Blocks that claim nothing leave the gap where it was; it is verified once all the same.
    @Test
    void gapIsVerifiedOnce() {
        FbsValue.Table[] fields =
                IntStream.range(0, 1_000)
                        .mapToObj(i -> Meant.utf8("c" + i))
                        .toArray(FbsValue.Table[]::new);
        byte[] great = Frames.schemaStream(Meant.schema(fields));
        great[new String(great, StandardCharsets.ISO_8859_1).lastIndexOf("c999\0") + 4] = 1;
        byte[] schema = Frames.emptySchema();
        long end = 8L + schema.length + great.length;
        int blocks = 500;
        byte[] made =
                Frames.file(
                        Frames.join(schema, great, Frames.END),
                        Meant.table(
                                "Footer",
                                "schema",
                                Meant.schema(),
                                "recordBatches",
                                Collections.nCopies(blocks, new long[] {end, 8, 1L << 40})));
        Verified verified = Verified.of(made);
        assertTrue(verified.findings().size() >= blocks);
        // The plan looks at it, and the check lists its faults.
        assertTrue(verified.worked() <= 8L * made.length, "work=" + verified.worked());
    }

    /// Each block leads to other bytes of one message's metadata, and claims all that follow.
    @Test
    void blocksInsideMetadataCostAMultipleOfTheFile() {
        byte[] schema = Frames.emptySchema();
        byte[] small = Frames.recordBatch(1, 0);
        ByteBuffer great = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        great.put(small).putInt(4, great.capacity() - 8);
        while (great.hasRemaining()) {
            great.putInt(-1).putInt(great.remaining() - 4);
        }
        List<long[]> blocks = new ArrayList<>();
        long at = 8L + schema.length;
        blocks.add(new long[] {at, great.capacity(), 0});
        for (int inside = small.length; inside < great.capacity() / 2; inside += 64) {
            blocks.add(new long[] {at + inside, great.capacity() - inside, 0});
        }
        byte[] made =
                Frames.file(
                        Frames.join(schema, great.array(), Frames.END),
                        Meant.table("Footer", "schema", Meant.schema(), "recordBatches", blocks));
        Verified verified = Verified.of(made);
        assertTrue(verified.findings().size() >= blocks.size() - 1, verified::toString);
        assertTrue(verified.worked() <= 8L * made.length, "work=" + verified.worked());
    }

    /// The body of each message ends at the same zeros, and the next message begins in it.
    @Test
    @Timeout(20)
    void zerosBehindManyMessagesAreReadOnce() {
        byte[] schema = Frames.emptySchema();
        int messages = 20_000;
        int bytes = Frames.recordBatch(1, 8).length;
        int end = schema.length + messages * bytes;
        ByteBuffer made = ByteBuffer.allocate(end + (8 << 20));
        made.put(schema);
        while (made.position() < end) {
            made.put(Frames.recordBatch(1, end + 8 - made.position() - bytes));
        }
        made.put(made.capacity() - 1, (byte) 1);
        assertTrue(Verified.of(made.array()).findings().size() >= messages - 1);
    }

    /// 30,000 blocks all lead to one message of half a megabyte.
    @Test
    @Timeout(20)
    void manyBlocksOfOneMessageAreVerifiedUpToALimit() throws IOException {
        byte[] made =
                CaseFile.input(
                        "file blocks"
                                + " 1".repeat(30_000)
                                + " <> | batch 1 [] [] => 1.custom_metadata = [KeyValue(key=\"k\""
                                + " value=repeat(500000 \"v\"))]");
        List<String> found = Verified.of(made).brief();
        assertEquals(List.of("file blocks-repeated"), found);
        List<String> withoutBodies = new ArrayList<>();
        InputCheck check =
                new InputCheck(ReadOptions.VERIFY, fault -> withoutBodies.add(fault.rule().id()));
        check.leaveOutBodies();
        check.run(InputBytes.of(MemorySegment.ofArray(made)));
        assertEquals(List.of("blocks-repeated"), withoutBodies);
    }

    @Test
    void schemasThatShareTextsAreCompared() {
        FbsValue.Table pair = Meant.table("KeyValue", "key", "k", "value", "v".repeat(9_000));
        assertEquals(List.of(), Verified.of(sharing(pair, 400, 400)).brief());
        assertEquals(
                List.of("file schema-differs 0"), Verified.of(sharing(pair, 400, 399)).brief());
    }

    private static byte[] sharing(FbsValue.Table pair, int inFront, int inFooter) {
        return Frames.file(
                Frames.join(Frames.schemaStream(columns(pair, inFront)), Frames.END),
                Meant.table("Footer", "version", 4, "schema", columns(pair, inFooter)));
    }

    private static FbsValue.Table columns(FbsValue.Table pair, int count) {
        FbsValue.Table column = Meant.with(Meant.utf8("c"), "custom_metadata", List.of(pair));
        FbsValue.Table[] fields = new FbsValue.Table[count];
        Arrays.fill(fields, column);
        return Meant.schema(fields);
    }

    @Test
    void faultsOverTheLimitAreCountedAsOne() {
        FbsValue.Table pair = Meant.table("KeyValue", "key", "k", "value", "v");
        List<FbsValue.Table> pairs = Collections.nCopies(150_000, pair);
        FbsValue.Table message = Meant.table("Message", "version", 4, "custom_metadata", pairs);
        byte[] stream = Frames.encapsulated(Meant.bytes(message));
        assertEquals(List.of("meaning no-header 0 header"), Verified.of(stream).brief());
        // All elements of the one vector of 150_000: none leads to a table any more.
        ByteBuffer all = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        int vector = 8;
        while (all.getInt(vector) != 150_000) {
            vector += 4;
        }
        for (int i = 1; i <= 150_000; i++) {
            all.putInt(vector + 4 * i, 1 << 30);
        }
        List<Fault> found = Verified.of(stream).findings();
        assertEquals(CheckReport.MAX_FAULTS + 1, found.size());
        assertEquals("table-out-of-range", found.getFirst().rule().id());
        assertEquals("customMetadata[99999]", found.get(99_999).path());
        assertEquals("more-faults", found.getLast().rule().id());
        assertEquals("more faults than shown: shown=100000", found.getLast().text());
    }
}
