// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.EncapsulatedMessageTest.assertFault;
import static dev.fletch.ipc.Frames.END;
import static dev.fletch.ipc.Frames.batch;
import static dev.fletch.ipc.Frames.body;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule;
import dev.fletch.format.Block;
import dev.fletch.format.Message;
import dev.fletch.ipc.Frames.BlockNumbers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// What a block may say: one file, one batch with a body of 16 bytes, and other numbers each time.
class BlockTest {
    private static final byte[] SCHEMA = frame(schema());
    private static final byte[] BATCH = frame(batch(16));
    private static final byte[] MESSAGES = join(SCHEMA, BATCH, body(16), END);
    private static final long OFFSET = 8 + SCHEMA.length;
    private static final long FOOTER = 8 + MESSAGES.length;

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();

    @Test
    void aMatchingBlockIsRead() {
        ArrowFile file = file(OFFSET, BATCH.length, 16);
        file.recordBatch(0, frame, message);
        assertEquals(OFFSET, frame.offset());
        assertEquals(OFFSET + BATCH.length, frame.bodyOffset());
        assertEquals(16, frame.bodyLength());
        assertEquals(OFFSET + BATCH.length + 16, frame.nextOffset());
        assertTrue(frame.isBodyComplete());
    }

    @Test
    void negativeNumbersOfABlockAreRefused() {
        assertRefused(IpcRules.BLOCK_NEGATIVE, -8, BATCH.length, 16);
        assertRefused(IpcRules.BLOCK_NEGATIVE, OFFSET, -8, 16);
        assertRefused(IpcRules.BLOCK_NEGATIVE, OFFSET, BATCH.length, -16);
        assertRefused(IpcRules.BLOCK_NEGATIVE, Long.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 7})
    void anUnalignedBlockIsReadIfItsMessageIsThere(int off) {
        byte[] messages = join(SCHEMA, new byte[off], BATCH, body(16), END);
        List<BlockNumbers> blocks = List.of(new BlockNumbers(OFFSET + off, BATCH.length, 16));
        ArrowFile file =
                ArrowFile.of(
                        MemorySegment.ofArray(
                                Frames.file(messages, Frames.footer(List.of(), blocks))));
        file.recordBatch(0, frame, message);
        assertEquals(OFFSET + off, frame.offset());
        assertEquals(16, frame.bodyLength());
        assertRefused(IpcRules.BLOCK_METADATA_LENGTH, OFFSET, BATCH.length + off, 16);
        assertRefused(IpcRules.BLOCK_BODY_LENGTH, OFFSET, BATCH.length, 16 + off);
    }

    @Test
    void blocksOutsideTheMessagesAreRefused() {
        long room = FOOTER - OFFSET - BATCH.length;
        assertRefused(IpcRules.BLOCK_OUT_OF_FILE, 0, BATCH.length, 16);
        assertRefused(IpcRules.BLOCK_OUT_OF_FILE, FOOTER + 8, 0, 0);
        assertRefused(IpcRules.BLOCK_OUT_OF_FILE, 1L << 40, 64, 0);
        assertRefused(IpcRules.BLOCK_OUT_OF_FILE, Long.MAX_VALUE - 7, 64, 64);
        assertRefused(IpcRules.BLOCK_OUT_OF_FILE, OFFSET, Integer.MAX_VALUE - 7, 16);
        assertRefused(IpcRules.BLOCK_OUT_OF_FILE, OFFSET, BATCH.length, room + 8);
        assertRefused(IpcRules.BLOCK_OUT_OF_FILE, OFFSET, BATCH.length, Long.MAX_VALUE - 7);
        // Up to the footer it is inside; what is wrong then is the message's own number.
        assertRefused(IpcRules.BLOCK_BODY_LENGTH, OFFSET, BATCH.length, room);
    }

    @Test
    void blocksWithoutAMessageAreRefused() {
        assertRefused(IpcRules.BLOCK_WITHOUT_MESSAGE, FOOTER - END.length, 8, 0);
        assertRefused(IpcRules.BLOCK_WITHOUT_MESSAGE, FOOTER, 0, 0);
        ArrowFile inBody = file(OFFSET + BATCH.length, 16, 0);
        assertFault(
                IpcRules.NEGATIVE_METADATA_LENGTH,
                OFFSET + BATCH.length,
                () -> inBody.recordBatch(0, frame, message));
    }

    @Test
    void theMetadataLengthOfABlockMustMatch() {
        assertRefused(IpcRules.BLOCK_METADATA_LENGTH, OFFSET, BATCH.length - 8, 16);
        assertRefused(IpcRules.BLOCK_METADATA_LENGTH, OFFSET, BATCH.length + 8, 16);
        assertRefused(IpcRules.BLOCK_METADATA_LENGTH, OFFSET, 0, 16);
    }

    @Test
    void theBodyLengthOfABlockMustMatch() {
        assertRefused(IpcRules.BLOCK_BODY_LENGTH, OFFSET, BATCH.length, 8);
        assertRefused(IpcRules.BLOCK_BODY_LENGTH, OFFSET, BATCH.length, 24);
        assertRefused(IpcRules.BLOCK_BODY_LENGTH, OFFSET, BATCH.length, 0);
    }

    @Test
    void theKindOfABlockMustMatch() {
        assertRefused(IpcRules.BLOCK_KIND, 8, SCHEMA.length, 0);
        List<BlockNumbers> blocks = List.of(new BlockNumbers(OFFSET, BATCH.length, 16));
        ArrowFile file = file(Frames.footer(blocks, List.of()));
        ArrowFormatException e =
                assertFault(
                        IpcRules.BLOCK_KIND,
                        dictionaryBlockOffset(file),
                        () -> file.dictionary(0, frame, message));
        assertEquals(
                ("block and message differ in kind: block=dictionaries[0], blockOffset=%d, "
                                + "metaDataLength=%d, bodyLength=16, found=RecordBatch")
                        .formatted(OFFSET, BATCH.length),
                e.reason());
    }

    private static long dictionaryBlockOffset(ArrowFile file) {
        return file.footer().dictionaries(0, new Block()).position();
    }

    /// The fault is where the block is, or where no message is.
    private void assertRefused(Rule fault, long offset, int metadataLength, long bodyLength) {
        ArrowFile file = file(offset, metadataLength, bodyLength);
        boolean isAtMessage = fault == IpcRules.BLOCK_WITHOUT_MESSAGE;
        long at = isAtMessage ? offset : file.footer().recordBatches(0, new Block()).position();
        ArrowFormatException e = assertFault(fault, at, () -> file.recordBatch(0, frame, message));
        String start =
                "%s: block=recordBatches[0], blockOffset=%d, metaDataLength=%d, bodyLength=%d"
                        .formatted(fault.description(), offset, metadataLength, bodyLength);
        assertTrue(e.reason().startsWith(start), e.reason());
        assertFault(fault, at, () -> file.message(1, frame, message));
    }

    private static ArrowFile file(long offset, int metadataLength, long bodyLength) {
        BlockNumbers block = new BlockNumbers(offset, metadataLength, bodyLength);
        return file(Frames.footer(List.of(), List.of(block)));
    }

    private static ArrowFile file(byte[] footer) {
        return ArrowFile.of(MemorySegment.ofArray(Frames.file(MESSAGES, footer)));
    }
}
