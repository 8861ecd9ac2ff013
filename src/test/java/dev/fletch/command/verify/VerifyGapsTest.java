// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Frames;
import dev.fletch.command.SchemaTables;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Type;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// What several faults at once hide, what lies between messages, and how much work it may make.
class VerifyGapsTest {
    private final byte[] file = TradesSample.file();
    private final OracleFile oracle = OracleListing.list(file);
    private final ByteBuffer words = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    private final ArrowFile opened = ArrowFile.of(MemorySegment.ofArray(file));
    private final int footerAt = (int) oracle.footer().offset();

    private void assertFound(String... expected) {
        assertEquals(List.of(expected), Verified.of(file).brief());
        assertEquals(List.of(expected), Verified.piped(file).brief());
    }

    private int metadataOf(int index) {
        return (int) oracle.messages().get(index).metadataOffset();
    }

    /// Where a field of a table is.
    private int field(long table, int slot) {
        int at = (int) table;
        return at + words.getShort(at - words.getInt(at) + 4 + 2 * slot);
    }

    private static byte[] file(byte[] messages, FbsValue.Table footer) {
        byte[] magic = "ARROW1".getBytes(StandardCharsets.US_ASCII);
        byte[] flatbuffer = SchemaTables.bytes(footer);
        ByteBuffer length = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
        length.putInt(flatbuffer.length);
        return Frames.joined(magic, new byte[2], messages, flatbuffer, length.array(), magic);
    }

    // ---- work

    /// Blocks that claim nothing leave the gap where it was; it is verified once all the same.
    @Test
    void gapIsVerifiedOnce() {
        List<FbsValue.Table> fields = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            fields.add(SchemaTables.utf8("c" + i));
        }
        byte[] great =
                SchemaTables.stream(SchemaTables.schema(fields.toArray(FbsValue.Table[]::new)));
        byte[] name = "c999\0".getBytes(StandardCharsets.US_ASCII);
        int at = great.length - name.length;
        while (!Arrays.equals(Arrays.copyOfRange(great, at, at + name.length), name)) {
            at--;
        }
        great[at + name.length - 1] = 1;
        byte[] schema = Frames.emptySchema();
        long end = 8L + schema.length + great.length;
        int blocks = 500;
        byte[] made =
                file(
                        Frames.joined(schema, great, Frames.endOfStream()),
                        SchemaTables.table(
                                "Footer",
                                "schema",
                                SchemaTables.schema(),
                                "recordBatches",
                                Collections.nCopies(
                                        blocks, SchemaTables.struct(end, 8, 1L << 40))));
        Verified verified = Verified.of(made);
        assertTrue(verified.findings().size() >= blocks);
        assertTrue(verified.worked() <= 2L * made.length, "work");
    }

    /// Each block leads to other bytes of one message's metadata, and claims all that follow.
    @Test
    void blocksInsideMetadataAreCheckedUpToTheSizeOfTheFile() {
        byte[] schema = Frames.emptySchema();
        byte[] small = Frames.recordBatch(1, 0);
        ByteBuffer great = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        great.put(small).putInt(4, great.capacity() - 8);
        while (great.hasRemaining()) {
            great.putInt(-1).putInt(great.remaining() - 4);
        }
        List<FbsValue> blocks = new ArrayList<>();
        long at = 8L + schema.length;
        blocks.add(SchemaTables.struct(at, great.capacity(), 0));
        for (int inside = small.length; inside < great.capacity() / 2; inside += 64) {
            blocks.add(SchemaTables.struct(at + inside, great.capacity() - inside, 0));
        }
        byte[] made =
                file(
                        Frames.joined(schema, great.array(), Frames.endOfStream()),
                        SchemaTables.table(
                                "Footer",
                                "schema",
                                SchemaTables.schema(),
                                "recordBatches",
                                blocks));
        Verified verified = Verified.of(made);
        String last = "file metadata-overlaps " + blocks.size() + " recordBatches[";
        assertTrue(verified.brief().contains(last + (blocks.size() - 1) + "]"));
        assertTrue(verified.worked() <= 2L * made.length, "work");
    }

    // ---- schemas that share

    @Test
    void schemasThatShareTextsAreCompared() {
        FbsValue.Table pair =
                SchemaTables.table("KeyValue", "key", "k", "value", "v".repeat(9_000));
        assertEquals(List.of(), Verified.of(sharing(pair, 400, 400)).brief());
        assertEquals(
                List.of("file schema-differs 0"), Verified.of(sharing(pair, 400, 399)).brief());
    }

    private static byte[] sharing(FbsValue.Table pair, int inFront, int inFooter) {
        return file(
                Frames.joined(SchemaTables.stream(columns(pair, inFront)), Frames.endOfStream()),
                SchemaTables.table("Footer", "version", 4, "schema", columns(pair, inFooter)));
    }

    private static FbsValue.Table columns(FbsValue.Table pair, int count) {
        FbsValue.Table column =
                SchemaTables.table(
                        "Field",
                        "name",
                        "c",
                        "type_type",
                        Type.UTF8,
                        "type",
                        SchemaTables.table("Utf8"),
                        "custom_metadata",
                        List.of(pair));
        FbsValue.Table[] fields = new FbsValue.Table[count];
        Arrays.fill(fields, column);
        return SchemaTables.schema(fields);
    }

    // ---- several faults at once

    @Test
    void missingEndOfStreamMarkerIsReportedAfterADamagedMessage() {
        words.putInt(footerAt - 8, 5);
        words.putInt(metadataOf(4), 0);
        assertFound("structure offset-zero 4", "file no-end-of-stream");
        words.putInt(metadataOf(4) - 4, -5);
        assertFound("frame negative-metadata-length 4", "file no-end-of-stream");
    }

    @Test
    void endMarkerBetweenMessagesIsReportedWithoutAFooter() {
        words.putInt(footerAt, 0);
        words.putInt(metadataOf(2) - 4, 0);
        assertFound("structure offset-zero", "frame end-between-messages");
    }

    /// Readers of files do not need it.
    @Test
    void firstMessageThatIsNotASchemaIsReported() {
        Message message = new Message();
        int length = oracle.messages().getFirst().metadataLength();
        message.wrap(MemorySegment.ofArray(file), metadataOf(0), length);
        file[field(message.position(), Message.HEADER_TYPE_SLOT)] = 3;
        List<String> found = Verified.of(file).brief();
        assertEquals(
                List.of(
                        "file schema-message-damaged 0 header.recordBatch.nodes",
                        "meaning buffer-unaligned 0 header.recordBatch.buffers[1].offset",
                        "file no-schema-message"),
                found);
    }

    // ---- what is between

    @Test
    void nonZeroBytesBeforeTheFooterAreReported() {
        FbsValue.Table footer =
                SchemaTables.table("Footer", "version", 4, "schema", SchemaTables.schema());
        byte[] stream = Frames.joined(Frames.emptySchema(), Frames.endOfStream());
        byte[] gap = new byte[64];
        assertEquals(List.of(), Verified.of(file(Frames.joined(stream, gap), footer)).brief());
        gap[63] = 7;
        Verified found = Verified.of(file(Frames.joined(stream, gap), footer));
        assertEquals(List.of("file bytes-behind-end"), found.brief());
        assertEquals(8L + stream.length, found.findings().getFirst().offset());
    }

    @Test
    void batchAfterZerosWithoutABlockIsReported() {
        FbsValue.Table footer =
                SchemaTables.table("Footer", "version", 4, "schema", SchemaTables.schema());
        byte[] schema = Frames.emptySchema();
        byte[] batch = Frames.recordBatch(1, 0);
        byte[] messages = Frames.joined(schema, new byte[8], batch, Frames.endOfStream());
        Verified found = Verified.of(file(messages, footer));
        assertEquals(List.of("file message-without-block"), found.brief());
        assertEquals(16L + schema.length, found.findings().getFirst().offset());
    }

    /// A reader of the block finds no message there, although all others are sound.
    @Test
    void blockInsideMetadataOfAnotherMessageIsReported() {
        Block first = opened.footer().recordBatches(0, new Block());
        Block second = opened.footer().recordBatches(1, new Block());
        second.set(first.offset() + 8, second.metaDataLength(), second.bodyLength());
        Verified found = Verified.of(file);
        assertTrue(
                found.brief().contains("file block-overlap 3 recordBatches[1]"),
                found.brief()::toString);
        assertTrue(
                found.brief().contains("file block-metadata-length 3 recordBatches[1]"),
                found.brief()::toString);
    }

    /// Without the magic at the end, bytes of messages are no footer.
    @Test
    void truncatedFilesHaveNoFaultsOfAFooter() {
        for (int size = 20; size < file.length; size++) {
            Verified found = Verified.of(Arrays.copyOf(file, size));
            for (String each : found.brief()) {
                boolean isOfFooter =
                        each.contains("block")
                                || each.contains("footer-")
                                || each.contains("Batches[");
                assertFalse(isOfFooter, size + " bytes: " + each);
            }
        }
    }

    // ---- versions and bodies

    @Test
    void wrongVersionOfTheFooterIsReported() {
        Footer footer = opened.footer();
        int at = field(footer.position(), Footer.VERSION_SLOT);
        words.putShort(at, (short) 9);
        assertFound("meaning unsupported-version version");
        words.putShort(at, (short) 3);
        assertFound("file version-differs 0 version");
        int vtable = (int) footer.position() - words.getInt((int) footer.position());
        words.putShort(vtable + 4, (short) 0);
        assertFound();
    }
}
