// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.format.Block;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.ArrowVectorFiles;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A file's index over pieces of the file.
class FileIndexTest {
    private static final byte[] FILE = ArrowVectorFiles.named("dictionaries").file();

    private final MemorySegment file = MemorySegment.ofArray(FILE);
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private FileIndex index;

    @BeforeEach
    void open() {
        ArrowFile whole = ArrowFile.of(file);
        index =
                FileIndex.of(
                        copy(whole.footerOffset() - 3, FILE.length - whole.footerOffset() + 3),
                        FILE.length,
                        ReadOptions.DEFAULT,
                        "name");
    }

    private MemorySegment copy(long from, long length) {
        return MemorySegment.ofArray(file.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void aMissingFooterIsRefused() {
        long footer = index.footerOffset();
        assertThrows(
                IndexOutOfBoundsException.class,
                () ->
                        FileIndex.of(
                                copy(footer + 1, FILE.length - footer - 1),
                                FILE.length,
                                ReadOptions.DEFAULT,
                                null));
    }

    @Test
    void schemasAreCounted() {
        Block block = index.block(MessageHeader.RECORD_BATCH, 0);
        long at = block.offset();
        MemorySegment header = copy(at, index.headerLength(block));
        for (int i = 0; i < 5; i++) {
            index.open(MessageHeader.RECORD_BATCH, 0, header, at, frame, message);
        }
        assertEquals(0, index.checks.schemasRecognized);
        assertEquals(1, index.checks.schemasParsed);
    }

    @Test
    void aHeaderOutsideItsMemoryIsRefused() {
        Block block = index.block(MessageHeader.RECORD_BATCH, 0);
        long at = block.offset();
        int length = index.headerLength(block);
        for (long[] wrong : new long[][] {{at, length - 1}, {at + 1, length}, {0, at}}) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () ->
                            index.open(
                                    MessageHeader.RECORD_BATCH,
                                    0,
                                    copy(wrong[0], wrong[1]),
                                    wrong[0],
                                    frame,
                                    message));
        }
    }

    @Test
    void otherHeaderTypesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> index.block(MessageHeader.SCHEMA, 0));
        assertThrows(IllegalArgumentException.class, () -> index.count(MessageHeader.TENSOR));
        assertFalse(index.count(MessageHeader.DICTIONARY_BATCH) == 0);
    }

    @Test
    void openingAllocatesNothing() {
        Block block = index.block(MessageHeader.RECORD_BATCH, 0);
        long at = block.offset();
        MemorySegment header = copy(at, index.headerLength(block));
        Allocations.assertNone(
                "FileIndex.open",
                () -> index.open(MessageHeader.RECORD_BATCH, 0, header, at, frame, message));
    }
}
