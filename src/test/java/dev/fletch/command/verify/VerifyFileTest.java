// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.check.Finding;
import dev.fletch.command.Frames;
import dev.fletch.command.SchemaTables;
import dev.fletch.format.Block;
import dev.fletch.format.Message;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// One thing that is wrong with a file, or a few, and all that `fletch verify` tells of it: the
/// sample, with a schema, a dictionary and three record batches.
class VerifyFileTest {
    private final byte[] file = TradesSample.file();
    private final OracleFile oracle = OracleListing.list(file);
    private final ByteBuffer words = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    private final ArrowFile opened = ArrowFile.of(MemorySegment.ofArray(file));
    private final int footerAt = (int) oracle.footer().offset();

    @BeforeEach
    void nothingIsWrongAtFirst() {
        assertFound();
        assertEquals(5, Verified.of(file).check().report().messages());
    }

    private void assertFound(String... expected) {
        assertEquals(List.of(expected), Verified.of(file).brief());
        assertEquals(List.of(expected), Verified.piped(file).brief());
    }

    private Finding only() {
        List<Finding> found = Verified.of(file).findings();
        assertEquals(1, found.size(), found.toString());
        return found.getFirst();
    }

    private OracleMessage message(int index) {
        return oracle.messages().get(index);
    }

    private Block batch(int index) {
        return opened.footer().recordBatches(index, new Block());
    }

    private Block dictionary() {
        return opened.footer().dictionaries(0, new Block());
    }

    // ---- ends

    @Test
    void nonZeroPaddingAfterTheMagicIsReported() {
        file[7] = 1;
        assertFound("file magic-padding");
        assertEquals(7, only().offset());
    }

    /// What begins as nothing, but ends as a file.
    @Test
    void missingLeadingMagicIsReportedAndTheFileIsRead() {
        file[0] = 'a';
        damageHeader(4);
        assertFound("file no-leading-magic", "structure vtable-out-of-range 4 header.recordBatch");
    }

    /// The footer is there all the same, and so is all that it leads to.
    @Test
    void missingTrailingMagicIsReportedAndTheFooterIsRead() {
        file[file.length - 1] = '2';
        assertFound("file no-trailing-magic");
        assertEquals(file.length - 6, only().offset());
        damageHeader(4);
        assertFound("file no-trailing-magic", "structure vtable-out-of-range 4 header.recordBatch");
    }

    @Test
    void wrongFooterLengthIsReportedAndMessagesAreRead() {
        words.putInt(file.length - 10, -5);
        assertFound("file footer-length");
        assertEquals(file.length - 10, only().offset());
        damageHeader(3);
        assertFound("file footer-length", "structure vtable-out-of-range 3 header.recordBatch");
    }

    @Test
    void missingEndOfStreamMarkerIsReported() {
        words.putInt(footerAt - 4, 77);
        assertFound("file no-end-of-stream");
        assertEquals(footerAt - 8, only().offset());
        words.putLong(footerAt - 8, 0); // in the form of old writers
        assertFound();
    }

    // ---- messages

    /// Makes a message's header table unreadable, and leaves all else.
    private void damageHeader(int index) {
        int root = (int) message(index).metadataOffset();
        ByteBuffer metadata = ByteBuffer.wrap(file, root, message(index).metadataLength());
        metadata = metadata.slice().order(ByteOrder.LITTLE_ENDIAN);
        int position = metadata.getInt(0);
        int vtable = position - metadata.getInt(position);
        int slot = position + metadata.getShort(vtable + 4 + 2 * Message.HEADER_SLOT);
        int target = slot + metadata.getInt(slot);
        words.putInt(root + target, 0x70000000);
    }

    @Test
    void eachDamagedMessageOfAFileIsReported() {
        damageHeader(2);
        damageHeader(4);
        assertFound(
                "structure vtable-out-of-range 2 header.recordBatch",
                "structure vtable-out-of-range 4 header.recordBatch");
        for (Finding each : Verified.of(file).findings()) {
            OracleMessage in = message(each.message());
            assertTrue(each.offset() >= in.metadataOffset() && each.offset() < in.bodyOffset());
        }
    }

    /// Nothing of it can be read, and the blocks lead past it.
    @Test
    void wrongRootOffsetOfAMessageIsReported() {
        words.putInt((int) message(2).metadataOffset(), 0);
        assertFound("structure offset-zero 2");
        assertEquals(message(2).metadataOffset(), only().offset());
    }

    @Test
    void wrongMetadataLengthOfAMessageIsReported() {
        words.putInt((int) message(3).offset() + 4, -9);
        assertFound("frame negative-metadata-length 3");
        words.putInt((int) message(3).offset() + 4, 1 << 30);
        assertFound("frame metadata-out-of-input 3");
        words.putInt((int) message(3).offset() + 4, 0);
        assertFound("file block-without-message 3 recordBatches[1]");
        words.putInt((int) message(3).offset() + 4, message(3).metadataLength() - 4);
        assertFound(
                "frame metadata-unaligned 3",
                "structure vector-count-out-of-range 3 header.recordBatch.nodes",
                "file block-metadata-length 3 recordBatches[1]");
    }

    @Test
    void missingSchemaMessageIsReported() {
        words.putInt((int) message(0).offset() + 4, 0);
        assertEquals("file no-schema-message", Verified.of(file).brief().getFirst());
        assertTrue(Verified.of(file).check().report().isOk());
    }

    // ---- blocks

    /// Its distance from the messages is no number of 64 bits.
    @Test
    void blockWithTheLeastOffsetIsAnError() {
        Block block = batch(1);
        block.set(Long.MIN_VALUE, block.metaDataLength(), block.bodyLength());
        words.putInt(12, 1 << 20); // length of the first message
        List<String> found = Verified.of(file).brief();
        assertTrue(found.contains("file block-negative 0 recordBatches[1]"), found::toString);
    }

    @Test
    void wrongMetadataLengthOfABlockIsReported() {
        Block block = batch(1);
        block.set(block.offset(), block.metaDataLength() - 8, block.bodyLength());
        assertFound("file block-metadata-length 3 recordBatches[1]");
        assertEquals(block.position(), only().offset());
        assertEquals(
                "block and message differ in metadata length: blockOffset=%d, metaDataLength=%d,"
                                .formatted(block.offset(), block.metaDataLength())
                        + " bodyLength=%d, found=%d"
                                .formatted(block.bodyLength(), block.metaDataLength() + 8),
                only().text());
    }

    @Test
    void wrongBodyLengthOfABlockIsReported() {
        Block block = batch(0);
        block.set(block.offset(), block.metaDataLength(), block.bodyLength() + 8);
        assertFound(
                "file block-body-length 2 recordBatches[0]",
                "file block-overlap 3 recordBatches[1]");
        block.set(block.offset(), block.metaDataLength(), block.bodyLength() - 16);
        assertFound("file block-body-length 2 recordBatches[0]");
    }

    @Test
    void blockOfTheWrongKindIsReported() {
        Block first = batch(0);
        Block dictionary = dictionary();
        long offset = first.offset();
        int metadata = first.metaDataLength();
        long body = first.bodyLength();
        first.set(dictionary.offset(), dictionary.metaDataLength(), dictionary.bodyLength());
        dictionary.set(offset, metadata, body);
        assertFound("file block-kind 1 recordBatches[0]", "file block-kind 2 dictionaries[0]");
    }

    @Test
    void impossibleNumbersOfABlockAreReported() {
        Block block = batch(2);
        long offset = block.offset();
        int metadata = block.metaDataLength();
        block.set(offset, metadata, -8);
        assertEquals("file block-negative 4 recordBatches[2]", first());
        block.set(offset, metadata, 1L << 40);
        assertEquals("file block-out-of-file 4 recordBatches[2]", first());
        block.set(1L << 40, metadata, 8);
        assertFound("file message-without-block", "file block-out-of-file 4 recordBatches[2]");
        block.set(offset + 4, metadata, 8);
        assertTrue(Verified.of(file).brief().contains("file block-unaligned 4 recordBatches[2]"));
        block.set(0, metadata, 8);
        assertTrue(Verified.of(file).brief().contains("file block-out-of-file 1 recordBatches[2]"));
        block.set(footerAt, 0, 0);
        assertTrue(
                Verified.of(file)
                        .brief()
                        .contains("file block-without-message 4 recordBatches[2]"));
        block.set(Long.MAX_VALUE - 7, Integer.MAX_VALUE - 7, Long.MAX_VALUE - 7);
        assertFound("file message-without-block", "file block-out-of-file 4 recordBatches[2]");
    }

    private String first() {
        return Verified.of(file).brief().getFirst();
    }

    /// Two blocks for one message, none for another.
    @Test
    void repeatedBlockAndMessageWithoutBlockAreReported() {
        Block block = batch(1);
        Block before = batch(0);
        block.set(before.offset(), before.metaDataLength(), before.bodyLength());
        assertFound("file block-overlap 3 recordBatches[1]", "file message-without-block");
        Finding lost = Verified.of(file).findings().getLast();
        assertEquals(message(3).offset(), lost.offset());
        assertEquals(
                "message has no block in the footer: kind=RecordBatch, bytes="
                        + (message(4).offset() - message(3).offset()),
                lost.text());
    }

    // ---- the footer

    private int nameInFooter(String name) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        return text.lastIndexOf(name + "\0");
    }

    @Test
    void differentSchemaInTheFooterIsReported() {
        file[nameInFooter("venue")] = 'V';
        file[nameInFooter("EUR")] = 'e';
        assertFound("file schema-differs 0", "file schema-differs 0");
        Finding name = Verified.of(file).findings().getLast();
        assertEquals(
                "schemas of footer and schema message differ: Venue: name Venue → venue",
                name.text());
        assertTrue(name.offset() >= 8 && name.offset() < message(1).offset());
    }

    /// The schema is broken, the blocks are not.
    @Test
    void damagedSchemaInTheFooterDoesNotHideTheBlocks() {
        file[nameInFooter("venue") + 5] = 'x';
        damageHeader(2);
        assertFound(
                "structure string-unterminated schema.fields[5].name",
                "structure vtable-out-of-range 2 header.recordBatch");
        assertTrue(
                Verified.of(file).findings().getFirst().line().startsWith("footer: structure: "));
    }

    /// Nothing in it leads anywhere, and the messages are found without.
    @Test
    void damagedFooterDoesNotHideTheMessages() {
        words.putInt(footerAt, 1 << 20);
        damageHeader(2);
        assertFound(
                "structure offset-target-out-of-range",
                "structure vtable-out-of-range 2 header.recordBatch");
    }

    @Test
    void missingSchemaInTheFooterIsReported() {
        byte[] made = Frames.file(SchemaTables.table("Footer", "version", 4));
        assertEquals(List.of("meaning footer-without-schema schema"), Verified.of(made).brief());
        byte[] whole =
                Frames.file(
                        SchemaTables.table(
                                "Footer", "version", 4, "schema", SchemaTables.schema()));
        assertEquals(List.of(), Verified.of(whole).brief());
        byte[] other =
                Frames.file(
                        SchemaTables.table(
                                "Footer",
                                "version",
                                4,
                                "schema",
                                SchemaTables.schema(SchemaTables.utf8("a"))));
        assertEquals(List.of("file schema-differs 0"), Verified.of(other).brief());
    }

    // ---- anything

    /// No metadata is looked into twice: 30,000 blocks all lead into one message of a megabyte.
    @Test
    @Timeout(20)
    void manyBlocksOfOneMessageAreVerifiedOnce() {
        byte[] schema = Frames.emptySchema();
        List<Object> pairs = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            pairs.add(SchemaTables.table("KeyValue", "key", "k" + i, "value", "v".repeat(40)));
        }
        byte[] metadata =
                SchemaTables.bytes(
                        SchemaTables.table(
                                "Message",
                                "version",
                                4,
                                "header_type",
                                3,
                                "header",
                                SchemaTables.table("RecordBatch", "length", 1),
                                "custom_metadata",
                                pairs));
        byte[] great = Frames.encapsulated(metadata);
        List<Object> blocks = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            blocks.add(SchemaTables.struct(8L + schema.length, great.length, 0));
        }
        byte[] footer =
                SchemaTables.bytes(
                        SchemaTables.table(
                                "Footer",
                                "schema",
                                SchemaTables.schema(),
                                "recordBatches",
                                blocks));
        byte[] length =
                ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(footer.length).array();
        byte[] magic = "ARROW1".getBytes(StandardCharsets.US_ASCII);
        byte[] made = Frames.joined(magic, new byte[2], schema, great, footer, length, magic);
        List<String> found = Verified.of(made).brief();
        assertEquals(29_999, found.size());
        assertEquals("file block-overlap 2 recordBatches[1]", found.getFirst());
    }
}
